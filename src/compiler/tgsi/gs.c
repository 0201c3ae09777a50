/* SPDX-License-Identifier: MIT */
/* Geometry shaders, merged with the vertex shader in front (ES-GS of GFX9).
 *
 * One wave runs vertices first, then primitives; s3 says how many of each. The
 * vertex shader's outputs go to LDS, a vertex after the other, in the order of
 * the geometry shader's input registers. What is emitted goes to the GSVS ring:
 * lanes in groups of 16, in a group one component plane after the other, in a
 * plane one vertex after the other, 16 dwords each. S_SENDMSG tells the VGT of
 * every emitted vertex and finished strip. */
#include "ops.h"

/* Dwords between vertices in LDS; odd, so that neighbours use other banks. */
static uint32_t
item_dwords(const struct tr_scan *gs)
{
   return gs->num_regs[TGSI_FILE_INPUT] * 4 + 1;
}

/* S_SENDMSG: message in 3:0, operation in 5:4, stream in 9:8. */
#define MSG_GS_CUT  (2 | 1 << 4)
#define MSG_GS_EMIT (2 | 2 << 4)
#define MSG_GS_DONE 3

static ir_val
bits(struct tr *t, enum ir_sysval sv, unsigned first, unsigned num)
{
   return ir_op3(B(t), IR_UBFE, ir_sysval(B(t), sv), ir_imm(B(t), first), ir_imm(B(t), num));
}

/* --- vertex half --- */

static int
find_output(const struct tr_scan *vs, const struct tr_io_decl *input)
{
   for (unsigned i = 0; i < vs->num_regs[TGSI_FILE_OUTPUT]; i++) {
      const struct tr_io_decl *out = &vs->outputs[i];
      if (out->declared && out->semantic == input->semantic && out->index == input->index)
         return i;
   }
   return -1;
}

static void
store_vertex(struct tr *t, const struct tr_scan *gs)
{
   ir_val wave = bits(t, IR_SV_WAVE_INFO, 24, 4);
   ir_val vertex = ir_iadd(B(t), ir_shl(B(t), wave, ir_imm(B(t), 6)), ir_sysval(B(t), IR_SV_LANE_ID));
   ir_val addr = ir_imul(B(t), vertex, ir_imm(B(t), item_dwords(gs) * 4));

   for (unsigned i = 0; i < gs->num_regs[TGSI_FILE_INPUT]; i++) {
      int out = gs->inputs[i].declared ? find_output(t->scan, &gs->inputs[i]) : -1;
      if (out < 0)
         continue;
      unsigned mask = t->outputs.regs[out].array ? 0xf : t->scan->written[TGSI_FILE_OUTPUT][out];
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1u << c))
            ir_store_lds(B(t), addr, i * 16 + c * 4,
                         tr_file_load(t, &t->outputs, TGSI_FILE_OUTPUT, out, NULL, 0, c), 1);
      }
   }
}

/* --- primitive half --- */

static ir_val
place_as_delivered(struct tr *t, unsigned n)
{
   return bits(t, IR_SV_GS_VTX01 + n / 2, n % 2 * 16, 16);
}

/* Place in LDS (dwords) of vertex n of the primitive. */
static ir_val
vertex_place(struct tr *t, unsigned n)
{
   ir_val place = place_as_delivered(t, n);

   if (!t->sh->key->vs.gs_turned || t->scan->props[TGSI_PROPERTY_GS_INPUT_PRIM] != PIPE_PRIM_TRIANGLES_ADJACENCY)
      return place;
   ir_val odd = ir_iand(B(t), ir_sysval(B(t), IR_SV_PRIM_ID), ir_imm(B(t), 1));
   return ir_select(B(t), ir_ieq(B(t), odd, ir_imm(B(t), 0)), place, place_as_delivered(t, (n + 4) % 6));
}

static unsigned
input_vertices(const struct tr_scan *s)
{
   switch (s->props[TGSI_PROPERTY_GS_INPUT_PRIM]) {
   case PIPE_PRIM_POINTS:
      return 1;
   case PIPE_PRIM_LINES:
      return 2;
   case PIPE_PRIM_LINES_ADJACENCY:
      return 4;
   case PIPE_PRIM_TRIANGLES:
      return 3;
   case PIPE_PRIM_TRIANGLES_ADJACENCY:
      return 6;
   default:
      return 0;
   }
}

ir_val
tr_gs_input(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan)
{
   const unsigned num = input_vertices(t->scan), num_regs = t->scan->num_regs[TGSI_FILE_INPUT];
   ir_val place, addr;
   uint32_t imm = chan * 4;

   if (src->Dimension.Indirect) {
      ir_val n = tr_address(t, &src->DimIndirect);
      if (src->Dimension.Index)
         n = ir_iadd(B(t), n, ir_imm(B(t), src->Dimension.Index));
      place = vertex_place(t, 0);
      for (unsigned i = 1; i < num; i++)
         place = ir_select(B(t), ir_ieq(B(t), n, ir_imm(B(t), i)), vertex_place(t, i), place);
   } else {
      if (src->Dimension.Index < 0 || (unsigned)src->Dimension.Index >= num) {
         tr_error(t, "vertex %d of a primitive of %u", src->Dimension.Index, num);
         return ir_imm(B(t), 0);
      }
      place = vertex_place(t, src->Dimension.Index);
   }
   addr = ir_shl(B(t), place, ir_imm(B(t), 2));

   if (src->Register.Indirect) {
      ir_val reg = tr_address(t, &src->Indirect);
      if (src->Register.Index)
         reg = ir_iadd(B(t), reg, ir_imm(B(t), src->Register.Index));
      reg = ir_umin(B(t), reg, ir_imm(B(t), num_regs - 1));
      addr = ir_iadd(B(t), addr, ir_shl(B(t), reg, ir_imm(B(t), 4)));
   } else {
      if (src->Register.Index < 0 || (unsigned)src->Register.Index >= num_regs) {
         tr_error(t, "IN[][%d] is not declared", src->Register.Index);
         return ir_imm(B(t), 0);
      }
      imm += src->Register.Index * 16;
   }
   ir_val v = ir_load_lds(B(t), addr, 1);
   v->mem.offset = imm;
   return v;
}

static void
message(struct tr *t, uint32_t msg)
{
   struct ir_inst *m = ir_inst_create(t->sh, IR_SENDMSG, 0, 1);
   m->src[0] = t->gs.wave;
   m->imm = msg;
   ir_insert(B(t), m);
}

static bool
get_stream(struct tr *t, uint32_t *stream)
{
   if (t->stage == TGSIAMD_GS && tr_src_immediate(t, 0, 0, stream) && *stream < 4)
      return true;
   tr_error(t, "vertex stream is no number from 0 to 3");
   return false;
}

/* Vertices beyond the maximum do not exist. */
void
tr_op_emit(struct tr *t)
{
   const struct tr_file *f = &t->outputs;
   const uint32_t max = t->sh->info.gs_max_vertices;
   uint32_t plane = 0, stream;

   if (!get_stream(t, &stream))
      return;
   ir_val n = ir_load_var(B(t), t->gs.emitted_var[stream]);
   ir_if(B(t), ir_ult(B(t), n, ir_imm(B(t), max)));
   ir_val addr = ir_iadd(B(t), t->gs.base[stream], ir_shl(B(t), n, ir_imm(B(t), 6)));
   for (uint32_t i = 0; i < t->sh->num_outputs; i++) {
      const struct ir_output *out = &t->sh->outputs[i];
      uint32_t reg = 0;
      while (t->scan->outputs[reg].semantic != out->semantic || t->scan->outputs[reg].index != out->index ||
             !t->scan->outputs[reg].declared)
         reg++;
      for (unsigned c = 0; c < 4; c++) {
         if (!(out->mask & (1u << c)) || (out->streams >> (2 * c) & 3) != stream)
            continue;
         ir_store_buf(B(t), t->gs.ring, addr, plane++ * max * 64,
                      tr_file_load(t, f, TGSI_FILE_OUTPUT, reg, NULL, 0, c), 1);
         B(t)->block->last->mem.glc = true;
      }
   }
   ir_store_var(B(t), t->gs.emitted_var[stream], ir_iadd(B(t), n, ir_imm(B(t), 1)));
   message(t, MSG_GS_EMIT | stream << 8);
   ir_endif(B(t));
}

void
tr_op_endprim(struct tr *t)
{
   uint32_t stream;
   if (get_stream(t, &stream))
      message(t, MSG_GS_CUT | stream << 8);
}

/* The outputs, in the order that their components have in the ring. */
static void
list_outputs(struct tr *t)
{
   struct tgsiamd_shader_info *info = &t->sh->info;

   for (uint32_t i = 0; i < t->outputs.num; i++) {
      const struct tr_io_decl *out = &t->scan->outputs[i];
      unsigned mask = t->outputs.regs[i].array ? 0xf : t->scan->written[TGSI_FILE_OUTPUT][i];
      if (!out->declared || !mask)
         continue;
      struct ir_output *o = &t->sh->outputs[ir_output(t->sh, out->semantic, out->index)];
      o->mask = mask;
      o->streams = out->streams;
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1u << c))
            info->gs_vertex_dwords[out->streams >> (2 * c) & 3]++;
      }
   }
   info->gs_vertex_dwords[0] = MAX2(info->gs_vertex_dwords[0], 1);
}

static void
begin_primitive(struct tr *t)
{
   struct tgsiamd_shader_info *info = &t->sh->info;
   ir_val lane = ir_sysval(B(t), IR_SV_LANE_ID);

   t->gs.wave = bits(t, IR_SV_WAVE_INFO, 16, 8);
   t->gs.ring = ir_load_desc(B(t), IR_LIST_INTERNAL, 4, NULL, TGSIAMD_INTERNAL_GSVS_RING * 16);
   ir_val group = ir_lshr(B(t), lane, ir_imm(B(t), 4));
   ir_val in_group = ir_shl(B(t), ir_iand(B(t), lane, ir_imm(B(t), 15)), ir_imm(B(t), 2));
   ir_val start = ir_iadd(B(t), ir_sysval(B(t), IR_SV_GSVS_OFFSET), in_group);
   uint32_t before = 0; /* dwords of a lane in the streams before */
   for (unsigned s = 0; s < 4; s++) {
      const uint32_t lane_dwords = info->gs_vertex_dwords[s] * info->gs_max_vertices;
      ir_val offset = ir_imul(B(t), group, ir_imm(B(t), lane_dwords * 16 * 4));
      t->gs.emitted_var[s] = ir_var(t->sh, "emitted");
      ir_store_var(B(t), t->gs.emitted_var[s], ir_imm(B(t), 0));
      t->gs.base[s] = ir_iadd(B(t), ir_iadd(B(t), start, offset), ir_imm(B(t), before * 64 * 4));
      before += lane_dwords;
   }
}

static bool
read_properties(struct tr *t)
{
   struct tgsiamd_shader_info *info = &t->sh->info;
   const uint32_t *props = t->scan->props;

   info->gs_input_prim = props[TGSI_PROPERTY_GS_INPUT_PRIM];
   info->gs_output_prim = props[TGSI_PROPERTY_GS_OUTPUT_PRIM];
   info->gs_max_vertices = props[TGSI_PROPERTY_GS_MAX_OUTPUT_VERTICES];
   info->gs_invocations = MAX2(props[TGSI_PROPERTY_GS_INVOCATIONS], 1);
   info->esgs_item_dwords = item_dwords(t->scan);
   if (!input_vertices(t->scan))
      tr_error(t, "geometry shader input primitive %u", info->gs_input_prim);
   return !t->sh->error;
}

static struct tr *
scan_half(struct ir_shader *sh, const struct tgsi_token *tokens, enum tgsiamd_stage stage)
{
   struct tr *t = ir_alloc(sh, sizeof(*t));
   enum tgsiamd_stage found;

   t->sh = sh;
   t->stage = stage;
   t->scan = ir_alloc(sh, sizeof(*t->scan));
   if (!tr_check_tokens(sh, tokens, &found))
      return t;
   if (found != stage) {
      tr_error(t, "a geometry shader needs a vertex shader in front");
      return t;
   }
   tr_scan_tokens(t, tokens);
   return t;
}

static bool
translate_vertex(struct tr *t, const struct tr_scan *gs)
{
   ir_if(B(t), ir_ult(B(t), ir_sysval(B(t), IR_SV_LANE_ID), bits(t, IR_SV_WAVE_INFO, 0, 8)));
   tr_regs_init(t);
   if (!t->sh->error)
      tr_io_init(t);
   if (!t->sh->error)
      tr_body(t, 0, false);
   if (t->sh->error)
      return false;
   t->inst = NULL;
   store_vertex(t, gs);
   ir_endif(B(t));
   ir_op0(B(t), IR_BARRIER, 0);
   return !t->sh->error;
}

static bool
translate_primitive(struct tr *t)
{
   ir_if(B(t), ir_ult(B(t), ir_sysval(B(t), IR_SV_LANE_ID), bits(t, IR_SV_WAVE_INFO, 8, 8)));
   tr_regs_init(t);
   if (!t->sh->error)
      tr_io_init(t);
   if (t->sh->error)
      return false;
   list_outputs(t);
   begin_primitive(t);
   tr_body(t, 0, false);
   if (t->sh->error)
      return false;
   t->inst = NULL;
   /* The VGT may read the ring from here on. A wave without primitives has nothing to say. */
   ir_op0(B(t), IR_MEMBAR, 0);
   message(t, MSG_GS_DONE);
   ir_endif(B(t));
   return !t->sh->error;
}

struct ir_shader *
tgsi_to_ir_gs(enum tgsiamd_gfx gfx, const struct tgsi_token *vs_tokens,
              const struct tgsi_token *gs_tokens, const struct tgsiamd_key *key, uint32_t options)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_GS, gfx, key, options);
   if (!sh)
      return NULL;
   struct tgsiamd_shader_info *info = &sh->info;
   struct tr *vs = scan_half(sh, vs_tokens, TGSIAMD_VS);
   struct tr *gs = sh->error ? NULL : scan_half(sh, gs_tokens, TGSIAMD_GS);
   if (sh->error || !read_properties(gs))
      return sh;

   ir_builder_init(&vs->b, sh);
   ir_builder_remember(&vs->b);
   tr_scan_info(vs);
   if (sh->error || !translate_vertex(vs, gs->scan))
      return sh;
   const uint32_t vs_masks[5] = { info->const_buffers, info->samplers, info->images, info->shader_buffers,
                                  info->hw_atomic_buffers };
   info->const_buffers = info->samplers = info->images = info->shader_buffers = info->hw_atomic_buffers = 0;
   info->writes_psize = info->writes_edgeflag = info->writes_layer = info->writes_viewport = false;

   gs->b = vs->b;
   gs->b.gs_half = true;
   tr_scan_info(gs);
   if (sh->error || !translate_primitive(gs))
      return sh;
   info->gs_resources.const_buffers = info->const_buffers;
   info->gs_resources.samplers = info->samplers;
   info->gs_resources.images = info->images;
   info->gs_resources.shader_buffers = info->shader_buffers;
   info->gs_resources.hw_atomic_buffers = info->hw_atomic_buffers;
   info->const_buffers = vs_masks[0];
   info->samplers = vs_masks[1];
   info->images = vs_masks[2];
   info->shader_buffers = vs_masks[3];
   info->hw_atomic_buffers = vs_masks[4];
   ir_builder_finish(&gs->b);
   return sh;
}
