/* SPDX-License-Identifier: MIT */
/* The shader's ends: vertex attributes become typed buffer loads, outputs
 * become exports as the key asks, and sh->info learns what registers the
 * driver must program for them. Runs on SSA, before optimisation.
 * Export targets: GCN3 ISA, "Export instructions"; formats: SPI_SHADER_COL_FORMAT,
 * SPI_SHADER_Z_FORMAT and SPI_SHADER_POS_FORMAT. */
#include "pipe/p_shader_tokens.h"

#include "passes.h"

#define TARGET_MRT0   0
#define TARGET_MRTZ   8
#define TARGET_NULL   9
#define TARGET_POS0   12
#define TARGET_PARAM0 32

/* SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT */
enum { FMT_ZERO, FMT_32_R, FMT_32_GR, FMT_32_AR, FMT_FP16_ABGR, FMT_UNORM16_ABGR, FMT_SNORM16_ABGR,
       FMT_UINT16_ABGR, FMT_SINT16_ABGR, FMT_32_ABGR };

struct io {
   struct ir_shader *sh;
   struct ir_builder b;
   ir_val out[80][4]; /* stored values */
   struct ir_inst *last, *last_pos;
};

static struct ir_inst *
export_vec(struct io *io, unsigned target, unsigned en, const ir_val *v, bool compr)
{
   struct ir_inst *e = ir_inst_create(io->sh, IR_EXPORT, 0, 4);
   for (unsigned i = 0; i < 4; i++)
      e->src[i] = v && v[i] && (compr ? i < 2 : en >> i & 1) ? v[i] : NULL;
   for (unsigned i = 0; i < 4; i++) {
      if (!e->src[i])
         e->src[i] = ir_undef(&io->b, 1);
   }
   e->exp.target = target;
   e->exp.en = en;
   e->exp.compr = compr;
   ir_insert(&io->b, e);
   io->last = e;
   return e;
}

/* --- vertex shader --- */

static ir_val
fix_alpha(struct ir_builder *b, ir_val a, unsigned kind)
{
   /* 1: snorm, 2: sscaled, 3: sint. An unsigned 2-bit norm has 0, 1/3, 2/3, 1,
    * whose exponents' low two bits are 0..3 again. */
   ir_val bits = kind == 2 ? ir_f2u(b, a) : a;
   ir_val s = ir_ashr(b, ir_shl(b, bits, ir_imm(b, kind == 1 ? 7 : 30)), ir_imm(b, 30));
   if (kind == 3)
      return s;
   ir_val f = ir_i2f(b, s);
   return kind == 1 ? ir_fmax(b, f, ir_immf(b, -1.0f)) : f;
}

/* Three integer channels of 8 or 16 bits: no data format has them, so the V#
 * has one channel and each is fetched by itself. */
static ir_val
fetch_three(struct ir_builder *b, ir_val desc, ir_val index, unsigned bytes)
{
   ir_val c[4];
   for (unsigned i = 0; i < 3; i++) {
      c[i] = ir_load_fmt(b, desc, index, 1);
      c[i]->mem.offset = i * bytes;
   }
   c[3] = ir_imm(b, 1);
   return ir_vec(b, 4, c);
}

/* With the format in the instruction; what the data does not have are constants. */
static void
fetch_typed(struct ir_builder *b, const struct tgsiamd_vertex_fetch *f, ir_val desc, ir_val index, ir_val c[4])
{
   enum { UINT = 4, SINT = 5 }; /* NUM_FORMAT */
   const unsigned number = f->format >> 4;
   unsigned n = 1;
   for (unsigned i = 0; i < 4; i++)
      n = (f->sel >> (3 * i) & 7) >= 4 + n ? (f->sel >> (3 * i) & 7) - 3 : n;
   ir_val v = ir_load_fmt(b, desc, index, n);
   v->mem.format = f->format;
   v->mem.offset = f->offset;
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = f->sel >> (3 * i) & 7;
      c[i] = sel >= 4 ? ir_extract(b, v, sel - 4)
             : sel == 0 ? ir_imm(b, 0) : number == UINT || number == SINT ? ir_imm(b, 1) : ir_immf(b, 1.0f);
   }
}

static ir_val
fetch_attribute(struct ir_shader *sh, struct ir_inst *inst)
{
   struct ir_builder b = ir_builder_before(sh, inst);
   unsigned elem = inst->imm;
   uint32_t divisor = sh->key->vs.divisor[elem];
   ir_val index;
   if (divisor == 0) {
      index = ir_iadd(&b, ir_sysval(&b, IR_SV_VERTEX_ID), ir_sysval(&b, IR_SV_BASE_VERTEX));
   } else {
      index = ir_sysval(&b, IR_SV_INSTANCE_ID);
      if (divisor > 1)
         index = ir_op2(&b, IR_UDIV, index, ir_imm(&b, divisor));
      index = ir_iadd(&b, index, ir_sysval(&b, IR_SV_START_INSTANCE));
   }
   const struct tgsiamd_vertex_fetch *typed = &sh->key->vs.fetch[elem];
   unsigned slot = typed->format ? typed->desc : elem, fix = sh->key->vs.fix_alpha[elem];
   ir_val desc = ir_load_desc(&b, IR_LIST_VERTEX, 4, NULL, TGSIAMD_VERTEX_BUFFER_OFFSET(slot)), c[4];
   if (fix >= 4)
      return fetch_three(&b, desc, index, fix == 4 ? 1 : 2);
   if (typed->format) {
      fetch_typed(&b, typed, desc, index, c);
   } else {
      ir_val v = ir_load_fmt(&b, desc, index, 4);
      if (!fix)
         return v;
      for (unsigned i = 0; i < 4; i++)
         c[i] = ir_extract(&b, v, i);
   }
   if (fix)
      c[3] = fix_alpha(&b, c[3], fix);
   return ir_vec(&b, 4, c);
}

/* An attribute is loaded once: where it is read first, or where the arms part
 * that read it. `first` gets its instruction, by element. */
static void
place_attributes(struct ir_shader *sh, struct ir_inst **first)
{
   ir_dominators(sh);
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         if (inst->op != IR_LOAD_ATTRIB)
            continue;
         struct ir_inst **seen = &first[inst->imm];
         if (!*seen) {
            *seen = inst;
         } else if (!ir_dominates((*seen)->block, b)) {
            struct ir_builder at = ir_builder_at_end(sh, ir_common_dominator((*seen)->block, b));
            ir_remove(*seen);
            ir_insert(&at, *seen);
         }
      }
   }
}

static int
find_output(struct io *io, unsigned semantic, unsigned index)
{
   for (unsigned i = 0; i < io->sh->num_outputs; i++) {
      const struct ir_output *o = &io->sh->outputs[i];
      if (o->semantic == semantic && o->index == index && o->mask)
         return i;
   }
   return -1;
}

static void
export_position(struct io *io, unsigned en, const ir_val *v)
{
   io->last_pos = export_vec(io, TARGET_POS0 + io->sh->info.num_pos_exports++, en, v, false);
}

/* POS1: x point size, y edge flag, z layer (and viewport index << 16). */
static void
export_misc(struct io *io)
{
   struct tgsiamd_shader_info *info = &io->sh->info;
   struct ir_builder *b = &io->b;
   int size = find_output(io, TGSI_SEMANTIC_PSIZE, 0), edge = find_output(io, TGSI_SEMANTIC_EDGEFLAG, 0);
   int layer = find_output(io, TGSI_SEMANTIC_LAYER, 0), vp = find_output(io, TGSI_SEMANTIC_VIEWPORT_INDEX, 0);
   ir_val v[4] = {0};
   if (size >= 0) {
      v[0] = io->out[size][0];
      info->writes_psize = true;
   }
   if (edge >= 0) {
      v[1] = ir_umin(b, ir_f2u(b, io->out[edge][0]), ir_imm(b, 1));
      info->writes_edgeflag = true;
   }
   if (layer >= 0) {
      v[2] = io->out[layer][0];
      info->writes_layer = true;
   }
   if (vp >= 0) {
      ir_val high = ir_shl(b, io->out[vp][0], ir_imm(b, 16));
      v[2] = v[2] ? ir_ior(b, v[2], high) : high;
      info->writes_viewport = true;
   }
   unsigned en = 0;
   for (unsigned i = 0; i < 4; i++)
      en |= v[i] ? 1u << i : 0;
   if (en)
      export_position(io, en, v);
}

static void
export_clip_distances(struct io *io)
{
   struct tgsiamd_shader_info *info = &io->sh->info;
   unsigned exported = 0;
   for (unsigned i = 0; i < 2; i++) {
      int slot = find_output(io, TGSI_SEMANTIC_CLIPDIST, i);
      if (slot < 0)
         continue;
      unsigned mask = io->sh->outputs[slot].mask & 15;
      export_position(io, mask, io->out[slot]);
      exported |= 15u << (4 * i);
      if (!(info->clip_dist_mask | info->cull_dist_mask) || !((info->clip_dist_mask | info->cull_dist_mask) >> 4 * i & 15))
         info->clip_dist_mask |= mask << (4 * i);
   }
   /* The number that a program declares counts vectors in front that it never writes. */
   info->clip_dist_mask &= exported;
   info->cull_dist_mask &= exported;
}

static bool
is_parameter(unsigned semantic)
{
   switch (semantic) {
   case TGSI_SEMANTIC_POSITION: case TGSI_SEMANTIC_PSIZE: case TGSI_SEMANTIC_EDGEFLAG:
   case TGSI_SEMANTIC_CLIPVERTEX: /* only for streamout: user clip planes have been lowered to distances */
      return false;
   default:
      return true;
   }
}

static void
export_vertex(struct io *io)
{
   struct ir_shader *sh = io->sh;
   struct tgsiamd_shader_info *info = &sh->info;
   int pos = find_output(io, TGSI_SEMANTIC_POSITION, 0);
   ir_val p[4];
   for (unsigned i = 0; i < 4; i++) {
      p[i] = pos >= 0 ? io->out[pos][i] : NULL;
      if (!p[i])
         p[i] = ir_immf(&io->b, i == 3 ? 1.0f : 0.0f);
   }
   if (sh->key->vs.export_prim_id && find_output(io, TGSI_SEMANTIC_PRIMID, 0) < 0) {
      unsigned slot = ir_output(sh, TGSI_SEMANTIC_PRIMID, 0);
      sh->outputs[slot].mask = 1;
      io->out[slot][0] = ir_sysval(&io->b, IR_SV_PRIM_ID);
   }
   if (sh->key->vs.so.num_outputs) {
      info->so_buffers = sh->key->vs.so.buffers;
      ir_lower_streamout(&io->b, &sh->key->vs.so, 0, io->out);
   }
   export_position(io, 15, p);
   export_misc(io);
   export_clip_distances(io);
   io->last_pos->exp.done = true;

   info->num_io = 0;
   for (unsigned i = 0; i < sh->num_outputs; i++) {
      const struct ir_output *o = &sh->outputs[i];
      bool killed = i < 64 && sh->key->vs.kill_outputs[i / 32] >> (i % 32) & 1;
      struct tgsiamd_io *out = &info->io[info->num_io];
      if (!o->mask || info->num_io == 64)
         continue;
      info->num_io++;
      out->semantic = o->semantic;
      out->index = o->index;
      out->mask = o->mask;
      out->slot = 0xff;
      if (!is_parameter(o->semantic) || killed)
         continue;
      if (info->num_param_exports == 32) {
         ir_error(sh, "more than 32 parameter exports");
         return;
      }
      out->slot = info->num_param_exports++;
      export_vec(io, TARGET_PARAM0 + out->slot, o->mask & 15, io->out[i], false);
   }
}

/* --- pixel shader --- */

static ir_val
clamp_int(struct ir_builder *b, ir_val v, unsigned bits, bool is_signed)
{
   if (!is_signed)
      return ir_umin(b, v, ir_imm(b, (1u << bits) - 1));
   v = ir_imin(b, v, ir_imm(b, (1u << (bits - 1)) - 1));
   return ir_imax(b, v, ir_imm(b, -(1u << (bits - 1))));
}

/* The hardware numbers exports and SPI_SHADER_COL_FORMAT by the colours that are
 * there, CB_SHADER_MASK by colour buffer: `slot` counts the former. Returns
 * whether colour buffer `mrt` takes one. */
static bool
export_colour(struct io *io, unsigned mrt, unsigned slot, const ir_val *colour)
{
   struct ir_builder *b = &io->b;
   const struct tgsiamd_key *key = io->sh->key;
   struct tgsiamd_shader_info *info = &io->sh->info;
   unsigned format = key->ps.col_format >> (4 * mrt) & 15;
   ir_val c[4], pk[4] = {0};
   static const uint8_t masks[] = { 0, 1, 3, 9, 15, 15, 15, 15, 15, 15 };
   static const uint16_t pack_ops[] = { [FMT_FP16_ABGR] = IR_PK_F16_RTZ, [FMT_UNORM16_ABGR] = IR_PK_UNORM16,
                                        [FMT_SNORM16_ABGR] = IR_PK_SNORM16, [FMT_UINT16_ABGR] = IR_PK_U16,
                                        [FMT_SINT16_ABGR] = IR_PK_I16 };
   if (format == FMT_ZERO)
      return false;
   if (format > FMT_32_ABGR) {
      ir_error(io->sh, "colour export format %u does not exist", format);
      return false;
   }
   for (unsigned i = 0; i < 4; i++) {
      c[i] = colour[i] ? colour[i] : ir_undef(b, 1);
      if (i == 3 && key->ps.alpha_to_one)
         c[i] = ir_immf(b, 1.0f);
      if (key->ps.clamp_color && format != FMT_UINT16_ABGR && format != FMT_SINT16_ABGR)
         c[i] = ir_fsat(b, c[i]);
      if (format == FMT_UINT16_ABGR || format == FMT_SINT16_ABGR) {
         if (key->ps.color_is_int8 >> mrt & 1)
            c[i] = clamp_int(b, c[i], 8, format == FMT_SINT16_ABGR);
         else if (key->ps.color_is_int10 >> mrt & 1)
            c[i] = clamp_int(b, c[i], i == 3 ? 2 : 10, format == FMT_SINT16_ABGR);
      }
   }
   info->col_format_written |= format << (4 * slot);
   info->cb_shader_mask |= (uint32_t)masks[format] << (4 * mrt);
   if (format >= FMT_FP16_ABGR && format <= FMT_SINT16_ABGR) {
      pk[0] = ir_op2(b, pack_ops[format], c[0], c[1]);
      pk[1] = ir_op2(b, pack_ops[format], c[2], c[3]);
      export_vec(io, TARGET_MRT0 + slot, 15, pk, true);
   } else {
      /* 32_AR is no exception to GFX9: red is X and alpha W. (GFX10 packs them into X, Y.) */
      export_vec(io, TARGET_MRT0 + slot, masks[format], c, false);
   }
   return true;
}

static void
export_depth(struct io *io)
{
   struct tgsiamd_shader_info *info = &io->sh->info;
   int z = find_output(io, TGSI_SEMANTIC_POSITION, 0), s = find_output(io, TGSI_SEMANTIC_STENCIL, 0);
   int m = find_output(io, TGSI_SEMANTIC_SAMPLEMASK, 0);
   ir_val v[4] = {0};
   unsigned en = 0;
   if (z >= 0 && io->out[z][2]) {
      v[0] = io->out[z][2];
      info->writes_z = true;
   }
   if (s >= 0 && io->out[s][1]) {
      v[1] = io->out[s][1];
      info->writes_stencil = true;
   }
   if (m >= 0 && io->out[m][0]) {
      v[2] = io->out[m][0];
      info->writes_samplemask = true;
   }
   for (unsigned i = 0; i < 4; i++)
      en |= v[i] ? 1u << i : 0;
   if (!en)
      return;
   if (!v[0]) {
      /* Without depth halves are enough: stencil in bits 16..23 of the first
       * dword, the sample mask in the second. */
      ir_val pk[4] = { v[1] ? ir_shl(&io->b, v[1], ir_imm(&io->b, 16)) : NULL, v[2] };
      info->z_format = FMT_UINT16_ABGR;
      export_vec(io, TARGET_MRTZ, (v[1] ? 3 : 0) | (v[2] ? 12 : 0), pk, true);
      return;
   }
   info->z_format = v[2] ? FMT_32_ABGR : v[1] ? FMT_32_GR : FMT_32_R;
   export_vec(io, TARGET_MRTZ, en, v, false);
}

static void
export_pixel(struct io *io)
{
   struct ir_shader *sh = io->sh;
   int source[8];
   unsigned slot = 0;
   export_depth(io);
   memset(source, -1, sizeof(source));
   for (unsigned i = 0; i < sh->num_outputs; i++) {
      const struct ir_output *o = &sh->outputs[i];
      if (o->semantic != TGSI_SEMANTIC_COLOR || !o->mask || o->index > 7)
         continue;
      unsigned n = 1;
      if (o->index == 0 && sh->ps_color0_writes_all && sh->key->ps.write_all_cbufs)
         n = sh->key->ps.write_all_cbufs;
      for (unsigned k = 0; k < n && o->index + k < 8; k++)
         source[o->index + k] = i;
   }
   for (unsigned mrt = 0; mrt < 8; mrt++) {
      if (source[mrt] >= 0 && export_colour(io, mrt, slot, io->out[source[mrt]]))
         slot++;
   }
   if (!io->last)
      export_vec(io, TARGET_NULL, 0, NULL, false);
   io->last->exp.done = true;
   io->last->exp.vm = true;
}

void
ir_lower_io(struct ir_shader *sh)
{
   struct ir_block *end = sh->blocks[sh->num_blocks - 1];
   struct io *io = ir_alloc(sh, sizeof(*io));
   struct ir_block *at = NULL; /* where the outputs stand */
   bool has_export = false;
   struct ir_inst *attributes[TGSIAMD_MAX_VERTEX_ELEMENTS] = {0};
   io->sh = sh;
   if (sh->stage != TGSIAMD_PS && sh->stage != TGSIAMD_CS)
      place_attributes(sh, attributes);
   ir_foreach_block(sh, b) {
      ir_foreach_inst_safe(b, inst) {
         if (inst->op == IR_LOAD_ATTRIB) {
            struct ir_inst *first = attributes[inst->imm];
            ir_replace(inst, inst == first ? fetch_attribute(sh, inst) : first);
         } else if (inst->op == IR_STORE_OUTPUT) {
            /* Only a copy shader, whose waves of other streams export nothing,
             * has them anywhere else than at the end. */
            if ((at && b != at) || (b != end && !sh->info.gs_vertex_dwords[0])) {
               ir_error(sh, "output stored inside control flow");
               return;
            }
            at = b;
            io->out[inst->io.slot][inst->io.chan] = inst->src[0];
            ir_remove(inst);
         } else if (inst->op == IR_EXPORT) {
            has_export = true; /* text IR that exports by itself */
         }
      }
   }
   io->b = ir_builder_at_end(sh, at ? at : end);
   if (sh->made[IR_LOAD_ATTRIB])
      ir_update_uses(sh);
   for (unsigned i = 0; i < sh->num_outputs; i++) {
      for (unsigned c = 0; c < 4; c++)
         io->out[i][c] = io->out[i][c] ? ir_now(io->out[i][c]) : NULL;
   }
   if (has_export || !end->reachable)
      return;
   if (sh->stage == TGSIAMD_VS)
      export_vertex(io);
   else if (sh->stage == TGSIAMD_PS)
      export_pixel(io);
}
