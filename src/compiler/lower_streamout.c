/* SPDX-License-Identifier: MIT */
/* Streamout: the last vertex stage writes its outputs to the streamout buffers
 * itself. The VGT tells the wave how many of its vertices fit (bits 22:16 of the
 * configuration SGPR), the index of the first one, and the dwords at which each
 * buffer is filled. Lanes that must not write get an address beyond the buffer,
 * where the V#'s range check drops the store. */
#include "passes.h"

#define NO_ADDRESS 0x80000000u /* beyond any buffer, and adding an offset does not wrap */

/* Dword index of this lane's vertex, and whether it is written at all. */
struct vertex { ir_val index, fits; };

static struct vertex
this_vertex(struct ir_builder *b)
{
   ir_val count = ir_op3(b, IR_UBFE, ir_sysval(b, IR_SV_SO_CONFIG), ir_imm(b, 16), ir_imm(b, 7));
   ir_val lane = ir_sysval(b, IR_SV_LANE_ID);
   return (struct vertex){
      .index = ir_iadd(b, ir_sysval(b, IR_SV_SO_WRITE_INDEX), lane),
      .fits = ir_op2(b, IR_ULT, lane, count),
   };
}

static ir_val
buffer_address(struct ir_builder *b, const struct tgsiamd_streamout *so, unsigned buffer, struct vertex v)
{
   ir_val start = ir_shl(b, ir_sysval(b, IR_SV_SO_OFFSET_0 + buffer), ir_imm(b, 2));
   ir_val offset = ir_imul(b, v.index, ir_imm(b, so->stride[buffer] * 4));
   return ir_select(b, v.fits, ir_iadd(b, start, offset), ir_imm(b, NO_ADDRESS));
}

static int
find_slot(const struct ir_shader *sh, const struct tgsiamd_so_output *o)
{
   for (unsigned i = 0; i < sh->num_outputs; i++) {
      if (sh->outputs[i].semantic == o->semantic && sh->outputs[i].index == o->index)
         return i;
   }
   return -1;
}

void
ir_lower_streamout(struct ir_builder *b, const struct tgsiamd_streamout *so, unsigned stream,
                   ir_val (*out)[4])
{
   struct ir_shader *sh = b->sh;
   ir_val address[4] = {0}, desc[4] = {0};

   struct vertex v = this_vertex(b);
   for (unsigned i = 0; i < so->num_outputs; i++) {
      const struct tgsiamd_so_output *o = &so->outputs[i];
      int slot = find_slot(sh, o);
      ir_val comps[4];

      if (o->stream != stream)
         continue;
      if (!address[o->buffer]) {
         address[o->buffer] = buffer_address(b, so, o->buffer, v);
         desc[o->buffer] = ir_load_desc(b, IR_LIST_INTERNAL, 4, NULL, TGSIAMD_INTERNAL_STREAMOUT(o->buffer) * 16);
      }
      for (unsigned c = 0; c < o->num; c++) {
         comps[c] = slot >= 0 ? out[slot][o->start + c] : NULL;
         if (!comps[c])
            comps[c] = ir_imm(b, 0); /* never written: undefined in GL, 0 here */
      }
      ir_store_buf(b, desc[o->buffer], address[o->buffer], o->offset * 4,
                   o->num == 1 ? comps[0] : ir_vec(b, o->num, comps), o->num);
   }
}
