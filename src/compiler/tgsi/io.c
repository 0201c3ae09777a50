/* SPDX-License-Identifier: MIT */
/* Inputs, outputs and system values. */
#include "tr.h"

static ir_val
bool_as_mask(struct tr *t, ir_val cond)
{
   return ir_b2i(B(t), cond);
}

static ir_val
front_face(struct tr *t)
{
   return ir_i2b(B(t), ir_sysval(B(t), IR_SV_FRONT_FACE));
}

static ir_val
bits(struct tr *t, enum ir_sysval sv, unsigned first, unsigned num)
{
   return ir_op3(B(t), IR_UBFE, ir_sysval(B(t), sv), ir_imm(B(t), first), ir_imm(B(t), num));
}

/* Window position; the hardware's w is that of clip space, TGSI's is 1/w. */
static ir_val
frag_position(struct tr *t, unsigned chan)
{
   ir_val v = ir_sysval(B(t), IR_SV_POS_X + chan);
   return chan == 3 ? ir_frcp(B(t), v) : v;
}

static ir_val
sample_mask_in(struct tr *t)
{
   ir_val mask = ir_sysval(B(t), IR_SV_SAMPLE_COVERAGE);
   if (t->sh->key->ps.sample_shading) {
      /* Only the sample that this lane shades. */
      ir_val bit = ir_shl(B(t), ir_imm(B(t), 1), bits(t, IR_SV_ANCILLARY, 8, 4));
      mask = ir_iand(B(t), mask, bit);
   }
   return mask;
}

/* System values that have more than one hardware source, or none. */
static ir_val
computed_sysval(struct tr *t, unsigned semantic, unsigned chan)
{
   switch (semantic) {
   case TGSI_SEMANTIC_VERTEXID:
      return ir_iadd(B(t), ir_sysval(B(t), IR_SV_VERTEX_ID), ir_sysval(B(t), IR_SV_BASE_VERTEX));
   case TGSI_SEMANTIC_POSITION:
      return frag_position(t, chan);
   case TGSI_SEMANTIC_FACE:
      return bool_as_mask(t, front_face(t));
   case TGSI_SEMANTIC_SAMPLEID:
      return bits(t, IR_SV_ANCILLARY, 8, 4);
   case TGSI_SEMANTIC_SAMPLEPOS:
      /* The window position of a lane that shades a sample is the sample's. */
      return chan < 2 ? ir_ffract(B(t), ir_sysval(B(t), IR_SV_POS_X + chan)) : ir_imm(B(t), 0);
   case TGSI_SEMANTIC_SAMPLEMASK:
      return sample_mask_in(t);
   case TGSI_SEMANTIC_LAYER:
      return bits(t, IR_SV_ANCILLARY, 16, 11);
   case TGSI_SEMANTIC_HELPER_INVOCATION:
      return bool_as_mask(
         t, ir_ieq(B(t), ir_sysval(B(t), IR_SV_LIVE_LANE), ir_imm(B(t), 0)));
   default:
      return NULL;
   }
}

/* System values that the IR has one to one: stage, first value, channels. */
static const struct {
   uint8_t semantic, stage, sv, num_chans;
} plain_sysvals[] = {
   { TGSI_SEMANTIC_VERTEXID_NOBASE, TGSIAMD_VS, IR_SV_VERTEX_ID, 1 },
   { TGSI_SEMANTIC_INSTANCEID, TGSIAMD_VS, IR_SV_INSTANCE_ID, 1 },
   { TGSI_SEMANTIC_BASEVERTEX, TGSIAMD_VS, IR_SV_BASE_VERTEX, 1 },
   { TGSI_SEMANTIC_BASEINSTANCE, TGSIAMD_VS, IR_SV_START_INSTANCE, 1 },
   { TGSI_SEMANTIC_DRAWID, TGSIAMD_VS, IR_SV_DRAW_ID, 1 },
   { TGSI_SEMANTIC_PRIMID, TGSIAMD_GS, IR_SV_PRIM_ID, 1 },
   { TGSI_SEMANTIC_INVOCATIONID, TGSIAMD_GS, IR_SV_GS_INVOCATION_ID, 1 },
   { TGSI_SEMANTIC_THREAD_ID, TGSIAMD_CS, IR_SV_THREAD_ID_X, 3 },
   { TGSI_SEMANTIC_BLOCK_ID, TGSIAMD_CS, IR_SV_BLOCK_ID_X, 3 },
   { TGSI_SEMANTIC_GRID_SIZE, TGSIAMD_CS, IR_SV_GRID_SIZE_X, 3 },
   { TGSI_SEMANTIC_BLOCK_SIZE, TGSIAMD_CS, IR_SV_BLOCK_SIZE_X, 3 },
};

/* Which stage computed_sysval's semantics belong to. */
static enum tgsiamd_stage
sysval_stage(unsigned semantic)
{
   return semantic == TGSI_SEMANTIC_VERTEXID ? TGSIAMD_VS : TGSIAMD_PS;
}

static void
note_sysval_use(struct tgsiamd_shader_info *info, unsigned semantic, unsigned chan)
{
   switch (semantic) {
   case TGSI_SEMANTIC_VERTEXID:
   case TGSI_SEMANTIC_BASEVERTEX:
      info->uses_base_vertex = true;
      break;
   case TGSI_SEMANTIC_BASEINSTANCE:
      info->uses_start_instance = true;
      break;
   case TGSI_SEMANTIC_DRAWID:
      info->uses_draw_id = true;
      break;
   case TGSI_SEMANTIC_GRID_SIZE:
      info->uses_grid_size = true;
      break;
   case TGSI_SEMANTIC_BLOCK_SIZE:
      info->uses_block_size = true;
      break;
   case TGSI_SEMANTIC_THREAD_ID:
      if (chan < 3)
         info->uses_thread_id[chan] = true;
      break;
   case TGSI_SEMANTIC_BLOCK_ID:
      if (chan < 3)
         info->uses_block_id[chan] = true;
      break;
   }
}

ir_val
tr_sysval(struct tr *t, int index, unsigned chan)
{
   if (index < 0 || index >= TR_MAX_SYSVALS || !t->scan->sysvals[index].declared) {
      tr_error(t, "SV[%d] is not declared", index);
      return ir_imm(B(t), 0);
   }
   const struct tr_io_decl *sv = &t->scan->sysvals[index];
   note_sysval_use(&t->sh->info, sv->semantic, chan);

   for (unsigned i = 0; i < ARRAY_SIZE(plain_sysvals); i++) {
      if (plain_sysvals[i].semantic != sv->semantic || plain_sysvals[i].stage != t->stage)
         continue;
      /* A block of fixed size is known here. */
      if (sv->semantic == TGSI_SEMANTIC_BLOCK_SIZE && chan < 3 && t->sh->info.block_size[0])
         return ir_imm(B(t), t->sh->info.block_size[chan]);
      if (sv->semantic == TGSI_SEMANTIC_BASEVERTEX && t->sh->key->vs.no_base_vertex)
         return ir_imm(B(t), 0);
      if (plain_sysvals[i].num_chans == 1)
         return ir_sysval(B(t), plain_sysvals[i].sv); /* scalars are replicated */
      return chan < plain_sysvals[i].num_chans ? ir_sysval(B(t), plain_sysvals[i].sv + chan)
                                                : ir_imm(B(t), 1);
   }
   ir_val subgroup = tr_subgroup_sysval(t, sv->semantic, chan);
   if (subgroup)
      return subgroup;
   if (sysval_stage(sv->semantic) == t->stage) {
      ir_val v = computed_sysval(t, sv->semantic, chan);
      if (v)
         return v;
   }
   tr_error(t, "system value %s is not supported in this stage",
            tgsi_semantic_names[sv->semantic]);
   return ir_imm(B(t), 0);
}

/* Each lane one of those that are declared: what is none of them reads as 0. */
ir_val
tr_sysval_at(struct tr *t, int index, ir_val addr, unsigned chan)
{
   ir_val v = ir_imm(B(t), 0);

   for (uint32_t i = 0; i < t->scan->num_regs[TGSI_FILE_SYSTEM_VALUE]; i++) {
      if (!t->scan->sysvals[i].declared)
         continue;
      ir_val this_one = ir_ieq(B(t), addr, ir_imm(B(t), i - (uint32_t)index));
      v = ir_select(B(t), this_one, tr_sysval(t, i, chan), v);
   }
   return v;
}

/* Where a pixel shader's input is evaluated, as barycentric coordinates. */
struct barycentric { enum ir_sysval sample, center, centroid; };
static const struct barycentric persp = {
   IR_SV_PERSP_SAMPLE_I, IR_SV_PERSP_CENTER_I, IR_SV_PERSP_CENTROID_I,
};
static const struct barycentric linear = {
   IR_SV_LINEAR_SAMPLE_I, IR_SV_LINEAR_CENTER_I, IR_SV_LINEAR_CENTROID_I,
};

/* TGSI_INTERPOLATE_COLOR is what glShadeModel says. Two-sided lighting is
 * lowered before us and declares the back colour as perspective whatever the
 * front colour is: it goes as the front one does. */
static unsigned
interp_mode(const struct tr *t, const struct tr_io_decl *in)
{
   for (unsigned i = 0; in->semantic == TGSI_SEMANTIC_BCOLOR && i < TR_MAX_IO; i++) {
      const struct tr_io_decl *front = &t->scan->inputs[i];
      if (front->declared && front->semantic == TGSI_SEMANTIC_COLOR && front->index == in->index)
         return interp_mode(t, front);
   }
   if (in->interp != TGSI_INTERPOLATE_COLOR)
      return in->interp;
   return t->sh->key->ps.flatshade ? TGSI_INTERPOLATE_CONSTANT : TGSI_INTERPOLATE_PERSPECTIVE;
}

ir_val
tr_interp_ij(struct tr *t, int index, unsigned chan, ir_val i, ir_val j)
{
   const unsigned slot = t->input_slot[index];

   t->sh->info.io[slot].mask |= 1u << chan;
   if (t->sh->info.io[slot].interp == TGSI_INTERPOLATE_CONSTANT)
      return ir_interp_mov(B(t), slot, chan);
   return ir_interp(B(t), slot, chan, i, j);
}

ir_val
tr_interp_at(struct tr *t, int index, unsigned chan, enum tgsi_interpolate_loc loc)
{
   const unsigned mode = t->sh->info.io[t->input_slot[index]].interp;

   if (mode == TGSI_INTERPOLATE_CONSTANT)
      return tr_interp_ij(t, index, chan, NULL, NULL);
   const struct barycentric *bc = mode == TGSI_INTERPOLATE_LINEAR ? &linear : &persp;
   enum ir_sysval i = loc == TGSI_INTERPOLATE_LOC_SAMPLE     ? bc->sample
                      : loc == TGSI_INTERPOLATE_LOC_CENTROID ? bc->centroid
                                                             : bc->center;
   return tr_interp_ij(t, index, chan, ir_sysval(B(t), i), ir_sysval(B(t), i + 1));
}

static ir_val
ps_input(struct tr *t, int index, unsigned chan)
{
   const struct tr_io_decl *in = &t->scan->inputs[index];

   switch (in->semantic) {
   case TGSI_SEMANTIC_POSITION:
      return frag_position(t, chan);
   case TGSI_SEMANTIC_FACE:
      return chan == 0 ? ir_select(B(t), front_face(t), ir_immf(B(t), 1.0f),
                                   ir_immf(B(t), -1.0f))
                       : ir_imm(B(t), chan == 3 ? 0x3f800000 : 0);
   default:
      return tr_interp_at(t, index, chan,
                          t->sh->key->ps.sample_shading ? TGSI_INTERPOLATE_LOC_SAMPLE
                                                        : in->location);
   }
}

ir_val
tr_input(struct tr *t, int index, unsigned chan)
{
   if (index < 0 || index >= TR_MAX_IO || !t->scan->inputs[index].declared) {
      tr_error(t, "IN[%d] is not declared", index);
      return ir_imm(B(t), 0);
   }
   if (t->stage == TGSIAMD_VS)
      return ir_extract(B(t), ir_load_attrib(B(t), index), chan);
   if (t->stage == TGSIAMD_PS)
      return ps_input(t, index, chan);
   /* The primitive's number is an input that is not an array. */
   if (t->stage == TGSIAMD_GS && t->scan->inputs[index].semantic == TGSI_SEMANTIC_PRIMID)
      return ir_sysval(B(t), IR_SV_PRIM_ID);
   tr_error(t, "this stage has no inputs");
   return ir_imm(B(t), 0);
}

static bool
is_attribute(const struct tr_io_decl *in)
{
   return in->semantic != TGSI_SEMANTIC_POSITION && in->semantic != TGSI_SEMANTIC_FACE;
}

/* Attribute numbers in the order of the registers. */
static void
assign_attributes(struct tr *t)
{
   struct tgsiamd_shader_info *info = &t->sh->info;

   for (unsigned i = 0; i < t->scan->num_regs[TGSI_FILE_INPUT]; i++) {
      const struct tr_io_decl *in = &t->scan->inputs[i];
      if (!in->declared || !is_attribute(in))
         continue;
      if (info->num_io == 32) {
         tr_error(t, "more than 32 pixel shader inputs");
         return;
      }
      t->input_slot[i] = info->num_io;
      info->io[info->num_io] = (struct tgsiamd_io){
         .semantic = in->semantic,
         .index = in->index,
         .slot = info->num_io,
         .interp = interp_mode(t, in),
      };
      info->num_io++;
   }
}

static void
declare_outputs(struct tr *t)
{
   struct tgsiamd_shader_info *info = &t->sh->info;
   const bool ps = t->stage == TGSIAMD_PS;

   for (unsigned i = 0; i < t->scan->num_regs[TGSI_FILE_OUTPUT]; i++) {
      if (!t->scan->outputs[i].declared)
         continue;
      switch (t->scan->outputs[i].semantic) {
      case TGSI_SEMANTIC_COLOR:
         if (ps && t->scan->outputs[i].index >= 8)
            tr_error(t, "OUT[%u]: colour buffer %u is beyond the limit of 8", i, t->scan->outputs[i].index);
         break;
      case TGSI_SEMANTIC_POSITION:
         info->writes_z |= ps;
         break;
      case TGSI_SEMANTIC_STENCIL:
         info->writes_stencil |= ps;
         break;
      case TGSI_SEMANTIC_SAMPLEMASK:
         info->writes_samplemask |= ps;
         break;
      case TGSI_SEMANTIC_PSIZE:
         info->writes_psize = true;
         break;
      case TGSI_SEMANTIC_EDGEFLAG:
         info->writes_edgeflag = true;
         break;
      case TGSI_SEMANTIC_LAYER:
         info->writes_layer = true;
         break;
      case TGSI_SEMANTIC_VIEWPORT_INDEX:
         info->writes_viewport = true;
         break;
      }
   }
}

/* Inputs that are addressed indirectly are copied to array variables. */
static void
copy_input_arrays(struct tr *t)
{
   struct tr_file *f = &t->inputs;

   tr_file_init(t, f, TGSI_FILE_INPUT);
   for (uint32_t a = 0; a < f->num_arrays; a++) {
      for (uint32_t i = 0; i < f->arrays[a].length; i++) {
         if (!t->scan->inputs[f->arrays[a].first + i].declared)
            continue;
         for (unsigned c = 0; c < 4; c++) {
            ir_store_array(B(t), f->arrays[a].var[c], ir_imm(B(t), i),
                           tr_input(t, f->arrays[a].first + i, c));
         }
      }
   }
}

void
tr_io_init(struct tr *t)
{
   if (t->stage == TGSIAMD_PS)
      assign_attributes(t);
   if (t->stage == TGSIAMD_VS && t->scan->num_regs[TGSI_FILE_INPUT] > TGSIAMD_MAX_VERTEX_ELEMENTS)
      tr_error(t, "more than %u vertex shader inputs", TGSIAMD_MAX_VERTEX_ELEMENTS);
   if (t->sh->error)
      return;
   declare_outputs(t);
   if (t->stage != TGSIAMD_GS) /* those lie in LDS */
      copy_input_arrays(t);
}

/* At the end: what the program has written. */
void
tr_outputs_flush(struct tr *t)
{
   const struct tr_file *f = &t->outputs;

   for (uint32_t i = 0; i < f->num; i++) {
      const struct tr_io_decl *out = &t->scan->outputs[i];
      if (!out->declared)
         continue;
      unsigned mask = f->regs[i].array ? 0xf : t->scan->written[TGSI_FILE_OUTPUT][i];
      if (!mask)
         continue;
      unsigned slot = ir_output(t->sh, out->semantic, out->index);
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1u << c)) {
            ir_store_output(B(t), slot, c,
                            tr_file_load(t, f, TGSI_FILE_OUTPUT, i, NULL, 0, c));
         }
      }
   }
}
