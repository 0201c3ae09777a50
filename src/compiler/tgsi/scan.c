/* SPDX-License-Identifier: MIT */
/* Tokens to flat tables: declarations, immediates, properties, instructions,
 * and which registers are written or addressed indirectly. */
#include <stdarg.h>

#include "tr.h"

const char *
tr_opname(const struct tr *t)
{
   return t->inst ? tgsi_get_opcode_name(t->inst->Instruction.Opcode) : "shader";
}

void
tr_error(struct tr *t, const char *fmt, ...)
{
   char text[256];
   va_list args;

   va_start(args, fmt);
   vsnprintf(text, sizeof(text), fmt, args);
   va_end(args);
   if (t->inst)
      ir_error(t->sh, "TGSI instruction %u: %s: %s", t->pc, tr_opname(t), text);
   else
      ir_error(t->sh, "TGSI: %s", text);
}

static bool
is_variable_file(unsigned file)
{
   return file == TGSI_FILE_TEMPORARY || file == TGSI_FILE_OUTPUT || file == TGSI_FILE_ADDRESS ||
          file == TGSI_FILE_INPUT;
}

#define MAX_GROUP 1024 /* invocations: 16 waves, four on a SIMD */

static void
scan_io(struct tr *t, struct tr_io_decl *io, unsigned max, const struct tgsi_full_declaration *d)
{
   if (d->Range.Last >= max) {
      tr_error(t, "%s[%u] is beyond the limit of %u", tgsi_file_name(d->Declaration.File),
               d->Range.Last, max);
      return;
   }
   if (d->Semantic.Name >= TGSI_SEMANTIC_COUNT || d->Semantic.Index + d->Range.Last - d->Range.First > 0xff) {
      tr_error(t, "%s[%u] has semantic %u, index %u: there is none such", tgsi_file_name(d->Declaration.File),
               d->Range.First, d->Semantic.Name, d->Semantic.Index);
      return;
   }
   for (unsigned i = d->Range.First; i <= d->Range.Last; i++) {
      io[i] = (struct tr_io_decl){
         .declared = true,
         .semantic = d->Semantic.Name,
         .index = d->Semantic.Index + (i - d->Range.First),
         .interp = d->Interp.Interpolate,
         .location = d->Interp.Location,
         .streams = d->Semantic.StreamX | d->Semantic.StreamY << 2 | d->Semantic.StreamZ << 4 |
                    d->Semantic.StreamW << 6,
      };
   }
}

/* Few programs have arrays, so that the table is not made before there is one. */
static struct tr_array_decl *
array_of(struct tr *t, unsigned file, unsigned id)
{
   struct tr_array_decl **arrays = &t->scan->arrays[file];
   if (!*arrays)
      *arrays = ir_alloc(t->sh, TR_MAX_ARRAYS * sizeof(**arrays));
   return &(*arrays)[id];
}

static void
scan_declaration(struct tr *t, const struct tgsi_full_declaration *d)
{
   struct tr_scan *s = t->scan;
   const unsigned file = d->Declaration.File;
   const uint32_t end = d->Range.Last + 1;

   if (file == TGSI_FILE_CONSTANT || file == TGSI_FILE_CONSTBUF) {
      unsigned buf = d->Declaration.Dimension ? d->Dim.Index2D : 0;
      if (buf >= TGSIAMD_MAX_CONST_BUFFERS) {
         tr_error(t, "constant buffer %u is beyond the limit of %u", buf,
                  TGSIAMD_MAX_CONST_BUFFERS);
         return;
      }
      s->num_consts[buf] = MAX2(s->num_consts[buf], end);
      return;
   }
   s->num_regs[file] = MAX2(s->num_regs[file], end);

   switch (file) {
   case TGSI_FILE_INPUT:
      /* Two-dimensional inputs belong to stages that are refused elsewhere. */
      scan_io(t, s->inputs, TR_MAX_IO, d);
      break;
   case TGSI_FILE_OUTPUT:
      scan_io(t, s->outputs, TR_MAX_IO, d);
      break;
   case TGSI_FILE_SYSTEM_VALUE:
      scan_io(t, s->sysvals, TR_MAX_SYSVALS, d);
      break;
   case TGSI_FILE_SAMPLER_VIEW:
      if (end > ARRAY_SIZE(s->sview_target) || d->SamplerView.Resource >= TGSI_TEXTURE_COUNT) {
         tr_error(t, "bad declaration of SVIEW[%u]", d->Range.Last);
         return;
      }
      for (unsigned i = d->Range.First; i < end; i++)
         s->sview_target[i] = d->SamplerView.Resource;
      break;
   case TGSI_FILE_HW_ATOMIC: {
      const unsigned buf = d->Declaration.Dimension ? d->Dim.Index2D : 0;
      if (buf >= TGSIAMD_MAX_HW_ATOMIC_BUFFERS)
         tr_error(t, "buffer %u of counters is beyond the limit of %u", buf, TGSIAMD_MAX_HW_ATOMIC_BUFFERS);
      else
         s->hw_atomic_buffers |= 1u << buf;
      break;
   }
   case TGSI_FILE_MEMORY:
      if (end > ARRAY_SIZE(s->memory_types)) {
         tr_error(t, "bad declaration of MEMORY[%u]", d->Range.Last);
         return;
      }
      for (unsigned i = d->Range.First; i < end; i++)
         s->memory_types[i] = d->Declaration.MemType;
      break;
   default:
      break;
   }

   if (d->Declaration.Array && is_variable_file(file)) {
      struct tr_array_decl *a = array_of(t, file, d->Array.ArrayID);
      *a = (struct tr_array_decl){
         .first = d->Range.First, .last = d->Range.Last, .declared = true,
      };
   }
}

static void
scan_const_read(struct tr_scan *s, const struct tgsi_full_src_register *src, unsigned chans)
{
   unsigned buf = src->Register.Dimension ? src->Dimension.Index : 0;
   int index = src->Register.Index;

   if (src->Register.Indirect || (src->Register.Dimension && src->Dimension.Indirect))
      return;
   if (buf >= TGSIAMD_MAX_CONST_BUFFERS || index < 0 || (uint32_t)index >= s->num_consts[buf])
      return; /* an error when it is translated */
   for (unsigned c = 0; c < 4; c++) {
      if (chans & (1u << c))
         s->const_mask[buf][index] |= 1u << tr_swizzle(src, c);
   }
}

/* Channels of a source, before its swizzle, that an instruction may read. */
static unsigned
channels_read(const struct tgsi_full_instruction *inst, unsigned n)
{
   const unsigned opcode = inst->Instruction.Opcode;
   const struct tgsi_opcode_info *info = tgsi_get_opcode_info(opcode);

   if (tgsi_type_is_64bit(tgsi_opcode_infer_dst_type(opcode, 0)) ||
       tgsi_type_is_64bit(tgsi_opcode_infer_src_type(opcode, n)))
      return 0xf;
   if (info->output_mode == TGSI_OUTPUT_COMPONENTWISE)
      return inst->Dst[0].Register.WriteMask;
   switch (opcode) {
   case TGSI_OPCODE_RCP:
   case TGSI_OPCODE_RSQ:
   case TGSI_OPCODE_SQRT:
   case TGSI_OPCODE_EX2:
   case TGSI_OPCODE_LG2:
   case TGSI_OPCODE_POW:
   case TGSI_OPCODE_SIN:
   case TGSI_OPCODE_COS:
   case TGSI_OPCODE_IF:
   case TGSI_OPCODE_UIF:
      return 0x1;
   case TGSI_OPCODE_DP2:
      return 0x3;
   case TGSI_OPCODE_DP3:
      return 0x7;
   default:
      return 0xf;
   }
}

static void
scan_indirect(struct tr *t, unsigned file, const struct tgsi_ind_register *ind)
{
   if (is_variable_file(file))
      array_of(t, file, ind->ArrayID)->indirect = true;
}

static void
scan_instruction(struct tr *t, const struct tgsi_full_instruction *inst)
{
   struct tr_scan *s = t->scan;
   for (unsigned i = 0; i < inst->Instruction.NumDstRegs; i++) {
      const struct tgsi_full_dst_register *dst = &inst->Dst[i];
      unsigned file = dst->Register.File;
      if (!is_variable_file(file))
         continue;
      if (dst->Register.Indirect)
         scan_indirect(t, file, &dst->Indirect);
      else if (dst->Register.Index >= 0 && (uint32_t)dst->Register.Index < s->num_regs[file])
         s->written[file][dst->Register.Index] |= dst->Register.WriteMask;
   }
   for (unsigned i = 0; i < inst->Instruction.NumSrcRegs; i++) {
      const struct tgsi_full_src_register *src = &inst->Src[i];
      if (src->Register.Indirect)
         scan_indirect(t, src->Register.File, &src->Indirect);
      if (src->Register.File == TGSI_FILE_CONSTANT)
         scan_const_read(s, src, channels_read(inst, i));
   }
}

static void
scan_immediate(struct tr *t, const struct tgsi_full_immediate *imm)
{
   struct tr_scan *s = t->scan;
   if (s->num_imms == s->max_imms)
      s->imms = ir_temp_grow(t->sh, s->imms, &s->max_imms, sizeof(*s->imms));
   memset(s->imms[s->num_imms], 0, sizeof(s->imms[0]));
   for (unsigned i = 0; i + 1 < imm->Immediate.NrTokens; i++)
      s->imms[s->num_imms][i] = imm->u[i].Uint;
   s->num_imms++;
}

/* Registers that a declaration of a file of variables names. */
struct declared { uint32_t file, first, last; };

/* Declarations come in any order: instructions are looked at behind all. */
static void
scan_tables(struct tr *t)
{
   struct tr_scan *s = t->scan;

   for (unsigned f = 0; f < TGSI_FILE_COUNT; f++) {
      if (!is_variable_file(f))
         continue;
      s->declared[f] = ir_alloc(t->sh, s->num_regs[f] + 1);
      s->written[f] = ir_alloc(t->sh, s->num_regs[f] + 1);
   }
   for (unsigned i = 0; i < TGSIAMD_MAX_CONST_BUFFERS; i++)
      s->const_mask[i] = ir_alloc(t->sh, s->num_consts[i] + 1);
}

bool
tr_scan_tokens(struct tr *t, const struct tgsi_token *tokens)
{
   struct tr_scan *s = t->scan;
   struct tgsi_parse_context p;
   struct declared *declared = NULL;
   uint32_t num = 0, max = 0;

   memset(s->sview_target, TGSI_TEXTURE_UNKNOWN, sizeof(s->sview_target));
   memset(s->memory_types, TGSI_MEMORY_TYPE_COUNT, sizeof(s->memory_types));
   tgsi_parse_init(&p, tokens);
   s->processor = p.FullHeader.Processor.Processor;
   s->max_insts = p.FullHeader.Header.BodySize / 3 + 8; /* most instructions are longer */
   s->insts = ir_temp_any(t->sh, s->max_insts * sizeof(*s->insts));
   while (!tgsi_parse_end_of_tokens(&p)) {
      tgsi_parse_token(&p);
      switch (p.FullToken.Token.Type) {
      case TGSI_TOKEN_TYPE_DECLARATION: {
         const struct tgsi_full_declaration *d = &p.FullToken.FullDeclaration;
         scan_declaration(t, d);
         if (!is_variable_file(d->Declaration.File))
            break;
         if (num == max)
            declared = ir_temp_grow(t->sh, declared, &max, sizeof(*declared));
         declared[num++] = (struct declared){ d->Declaration.File, d->Range.First, d->Range.Last };
         break;
      }
      case TGSI_TOKEN_TYPE_IMMEDIATE:
         scan_immediate(t, &p.FullToken.FullImmediate);
         break;
      case TGSI_TOKEN_TYPE_INSTRUCTION:
         if (s->num_insts == s->max_insts)
            s->insts = ir_temp_grow(t->sh, s->insts, &s->max_insts, sizeof(*s->insts));
         s->insts[s->num_insts++] = p.FullToken.FullInstruction;
         break;
      case TGSI_TOKEN_TYPE_PROPERTY:
         s->props[p.FullToken.FullProperty.Property.PropertyName] =
            p.FullToken.FullProperty.u[0].Data;
         break;
      }
   }
   tgsi_parse_free(&p);
   if (t->sh->error)
      return false;

   scan_tables(t);
   for (uint32_t i = 0; i < num; i++)
      memset(&s->declared[declared[i].file][declared[i].first], 1, declared[i].last - declared[i].first + 1);
   for (uint32_t i = 0; i < s->num_insts; i++)
      scan_instruction(t, &s->insts[i]);
   return !t->sh->error;
}

/* Properties that change what a program means, and that no code here honours:
 * refused unless they have their default. FS_COORD_ORIGIN is not among them: it
 * says what the program asked for; Mesa has flipped y already, because the
 * driver only has the upper-left origin. Nor is FS_BLEND_EQUATION_ADVANCED: Mesa
 * has put the equations into the program, with FBFETCH. */
static const struct {
   uint8_t prop;
   const char *name;
} unsupported_props[] = {
   { TGSI_PROPERTY_FS_POST_DEPTH_COVERAGE, "FS_POST_DEPTH_COVERAGE" },
   { TGSI_PROPERTY_VS_WINDOW_SPACE_POSITION, "VS_WINDOW_SPACE_POSITION" },
   { TGSI_PROPERTY_VS_BLIT_SGPRS_AMD, "VS_BLIT_SGPRS_AMD" },
   { TGSI_PROPERTY_CS_USER_DATA_COMPONENTS_AMD, "CS_USER_DATA_COMPONENTS_AMD" },
   { TGSI_PROPERTY_LAYER_VIEWPORT_RELATIVE, "LAYER_VIEWPORT_RELATIVE" },
};

void
tr_scan_info(struct tr *t)
{
   const struct tr_scan *s = t->scan;
   struct tgsiamd_shader_info *info = &t->sh->info;

   for (unsigned i = 0; i < ARRAY_SIZE(unsupported_props); i++) {
      if (s->props[unsupported_props[i].prop])
         tr_error(t, "property %s is not supported", unsupported_props[i].name);
   }

   t->legacy_math = s->props[TGSI_PROPERTY_LEGACY_MATH_RULES];
   t->sh->ps_color0_writes_all = s->props[TGSI_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS];
   info->pos_fragcoord_integer =
      s->props[TGSI_PROPERTY_FS_COORD_PIXEL_CENTER] == TGSI_FS_COORD_PIXEL_CENTER_INTEGER;
   info->early_z_forced = s->props[TGSI_PROPERTY_FS_EARLY_DEPTH_STENCIL];
   info->block_size[0] = s->props[TGSI_PROPERTY_CS_FIXED_BLOCK_WIDTH];
   info->block_size[1] = s->props[TGSI_PROPERTY_CS_FIXED_BLOCK_HEIGHT];
   info->block_size[2] = s->props[TGSI_PROPERTY_CS_FIXED_BLOCK_DEPTH];
   uint64_t lanes = 1; /* what one factor too many makes of it is too many as well */
   for (unsigned i = 0; i < 3 && lanes <= MAX_GROUP; i++)
      lanes *= MAX2(info->block_size[i], 1);
   if (lanes > MAX_GROUP) {
      tr_error(t, "a group of %u x %u x %u invocations: at most %u", info->block_size[0], info->block_size[1],
               info->block_size[2], MAX_GROUP);
   }

   unsigned clip = MIN2(s->props[TGSI_PROPERTY_NUM_CLIPDIST_ENABLED], 8);
   unsigned cull = MIN2(s->props[TGSI_PROPERTY_NUM_CULLDIST_ENABLED], 8 - clip);
   info->clip_dist_mask = BITFIELD_MASK(clip);
   info->cull_dist_mask = BITFIELD_MASK(cull) << clip;

   for (unsigned i = 0; i < TGSIAMD_MAX_CONST_BUFFERS; i++) {
      if (s->num_consts[i])
         info->const_buffers |= 1u << i;
   }
   info->samplers = BITFIELD_MASK(MIN2(s->num_regs[TGSI_FILE_SAMPLER], TGSIAMD_MAX_SAMPLERS));
   info->images = BITFIELD_MASK(MIN2(s->num_regs[TGSI_FILE_IMAGE], TGSIAMD_MAX_IMAGES));
   info->shader_buffers =
      BITFIELD_MASK(MIN2(s->num_regs[TGSI_FILE_BUFFER], TGSIAMD_MAX_SHADER_BUFFERS));
   info->hw_atomic_buffers = s->hw_atomic_buffers;

   for (uint32_t i = 0; i < s->num_insts; i++) {
      const struct tgsi_full_instruction *inst = &s->insts[i];
      switch (inst->Instruction.Opcode) {
      case TGSI_OPCODE_KILL:
      case TGSI_OPCODE_KILL_IF:
      case TGSI_OPCODE_DEMOTE:
         info->uses_kill = true;
         break;
      default:
         if (tgsi_get_opcode_info(inst->Instruction.Opcode)->is_store)
            info->writes_memory = true;
         break;
      }
   }
}
