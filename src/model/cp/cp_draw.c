/* SPDX-License-Identifier: MIT */
/* PM4 draw and dispatch packets, direct and indirect, and what they use:
 * index buffer, instances, argument base, streamout buffers. */
#include "cp_internal.h"

#include <errno.h>
#include <stdio.h>

#include "amdgfxregs.h"
#include "sid.h"

/* VGT_DRAW_INITIATOR.SOURCE_SELECT */
enum { SRC_DMA = 0, SRC_IMMEDIATE = 1, SRC_AUTO = 2 };

static unsigned index_size(struct cp *cp)
{
   static const uint8_t sizes[4] = { 2, 4, 1, 0 };
   const uint32_t type = reg_uc(cp->config.regs, R_03090C_VGT_INDEX_TYPE) & 3;
   if (!sizes[type]) {
      model_violation(cp->report, CHECK_STATE, "indexed draw with VGT_INDEX_TYPE %u", type);
      return 2;
   }
   return sizes[type];
}

static void draw(struct cp *cp, const struct cp_packet *p, struct msg_draw *d, uint32_t initiator)
{
   const unsigned source = initiator & 3;
   const bool opaque = initiator & S_0287F0_USE_OPAQUE(1);
   model_where(cp->report)->draw++;
   if (cp->config.trace)
      fprintf(stderr, "tgsiamd-model: draw %u: %u %s, %u instances\n", model_where(cp->report)->draw, d->num_indices,
              d->indexed ? "indices" : "vertices", d->num_instances);
   if (!cp->config.pipeline) /* it counts itself */
      cp->env->stats->draws++;
   if (source == SRC_IMMEDIATE || source == 3 || (source == SRC_DMA) != d->indexed) {
      cp_bad(cp, p, "source select of the draw initiator contradicts the packet");
      return;
   }
   cp_check_state(cp, d->indexed ? CP_WORK_INDEXED : CP_WORK_DRAW);
   if (opaque) {
      const struct regs *r = cp->config.regs;
      const uint32_t filled = reg_ctx(r, R_028B2C_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE);
      const uint32_t offset = reg_ctx(r, R_028B28_VGT_STRMOUT_DRAW_OPAQUE_OFFSET);
      const uint32_t stride = reg_ctx(r, R_028B30_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE) & 0x1ff;
      if (!stride) {
         model_violation(cp->report, CHECK_STATE, "opaque draw with a vertex stride of 0");
         return;
      }
      d->num_indices = filled > offset ? (filled - offset) / stride : 0;
      d->from_streamout = true;
   }
   if (d->indexed)
      cp_prefetch(cp, d->index_va, (uint64_t)d->num_indices * d->index_size);
   if (cp->config.pipeline && d->num_indices && d->num_instances)
      pipeline_draw(cp->config.pipeline, cp->env, d);
}

static struct msg_draw indexed(struct cp *cp, uint64_t va, uint32_t max, uint32_t first, uint32_t count)
{
   const unsigned size = index_size(cp);
   return (struct msg_draw){ .indexed = true, .index_size = (uint8_t)size,
                             .index_va = va + (uint64_t)first * size,
                             .max_indices = max > first ? max - first : 0, .num_indices = count,
                             .num_instances = cp->num_instances };
}

/* Body: number of indices in the buffer, address, count, initiator. */
void cp_draw_index_2(struct cp *cp, const struct cp_packet *p)
{
   cp->index_base = CP_LO_HI(p->body[1], p->body[2]);
   cp->index_max = p->body[0];
   struct msg_draw d = indexed(cp, cp->index_base, cp->index_max, 0, p->body[3]);
   draw(cp, p, &d, p->body[4]);
}

/* Body: number of indices in the buffer, first index, count, initiator. */
void cp_draw_index_offset_2(struct cp *cp, const struct cp_packet *p)
{
   struct msg_draw d = indexed(cp, cp->index_base, p->body[0], p->body[1], p->body[2]);
   draw(cp, p, &d, p->body[3]);
}

void cp_draw_index_auto(struct cp *cp, const struct cp_packet *p)
{
   struct msg_draw d = { .num_indices = p->body[0], .num_instances = cp->num_instances };
   draw(cp, p, &d, p->body[1]);
}

/* --- indirect: the CP reads the arguments and writes user SGPRs --- */

struct indirect {
   uint64_t va;
   uint32_t base_vertex_loc, start_instance_loc, draw_index_loc; /* SH register offsets in dwords; 0 none */
   bool draw_index_enable;
   uint32_t initiator;
};

static void set_user(struct cp *cp, uint32_t loc, uint32_t value)
{
   if (loc)
      regs_write(cp->config.regs, cp->report, SI_SH_REG_OFFSET + 4 * loc, value);
}

static void draw_from_memory(struct cp *cp, const struct cp_packet *p, const struct indirect *in, bool is_indexed,
                             uint32_t draw_index)
{
   uint32_t a[5]; /* count, instances, first, (base vertex,) base instance */
   cp_prefetch(cp, in->va, is_indexed ? 20 : 16);
   if (!vm_read(cp->env->vm, VM_CP, in->va, a, is_indexed ? 20 : 16))
      return;
   set_user(cp, in->base_vertex_loc, is_indexed ? a[3] : a[2]);
   set_user(cp, in->start_instance_loc, is_indexed ? a[4] : a[3]);
   if (in->draw_index_enable)
      set_user(cp, in->draw_index_loc, draw_index);
   struct msg_draw d = { .num_indices = a[0] };
   if (is_indexed)
      d = indexed(cp, cp->index_base, cp->index_max, a[2], a[0]);
   d.num_instances = a[1];
   cp->num_instances = a[1] ? a[1] : 1;
   cp->instances_set = true;
   draw(cp, p, &d, in->initiator);
}

static uint64_t argument_base(struct cp *cp, const struct cp_packet *p)
{
   if (!cp->base[1])
      cp_bad(cp, p, "no SET_BASE before an indirect draw");
   return cp->base[1];
}

static void indirect_single(struct cp *cp, const struct cp_packet *p, bool is_indexed)
{
   const struct indirect in = { .va = argument_base(cp, p) + p->body[0], .base_vertex_loc = p->body[1] & 0xffff,
                                .start_instance_loc = p->body[2] & 0xffff, .initiator = p->body[3] };
   if (!model_failed(cp->report))
      draw_from_memory(cp, p, &in, is_indexed, 0);
}

void cp_draw_indirect(struct cp *cp, const struct cp_packet *p)
{
   indirect_single(cp, p, false);
}

void cp_draw_index_indirect(struct cp *cp, const struct cp_packet *p)
{
   indirect_single(cp, p, true);
}

/* Body: offset, base vertex, start instance, draw index and enables, count,
 * address of the count, stride, initiator. */
static void indirect_multi(struct cp *cp, const struct cp_packet *p, bool is_indexed)
{
   struct indirect in = { .va = argument_base(cp, p) + p->body[0], .base_vertex_loc = p->body[1] & 0xffff,
                          .start_instance_loc = p->body[2] & 0xffff, .draw_index_loc = p->body[3] & 0xffff,
                          .draw_index_enable = p->body[3] & S_2C3_DRAW_INDEX_ENABLE(1), .initiator = p->body[8] };
   uint32_t count = p->body[4];
   if (p->body[3] & S_2C3_COUNT_INDIRECT_ENABLE(1)) {
      uint32_t n;
      cp_prefetch(cp, CP_LO_HI(p->body[5] & ~3u, p->body[6]), 4);
      if (!vm_read(cp->env->vm, VM_CP, CP_LO_HI(p->body[5] & ~3u, p->body[6]), &n, 4))
         return;
      count = n < count ? n : count;
   }
   for (uint32_t i = 0; i < count && !model_failed(cp->report); i++, in.va += p->body[7])
      draw_from_memory(cp, p, &in, is_indexed, i);
}

void cp_draw_indirect_multi(struct cp *cp, const struct cp_packet *p)
{
   indirect_multi(cp, p, false);
}

void cp_draw_index_indirect_multi(struct cp *cp, const struct cp_packet *p)
{
   indirect_multi(cp, p, true);
}

/* --- what draws use --- */

void cp_num_instances(struct cp *cp, const struct cp_packet *p)
{
   cp->num_instances = p->body[0] ? p->body[0] : 1;
   cp->instances_set = true;
}

void cp_index_base(struct cp *cp, const struct cp_packet *p)
{
   cp->index_base = CP_LO_HI(p->body[0], p->body[1] & 0xffff);
}

void cp_index_buffer_size(struct cp *cp, const struct cp_packet *p)
{
   cp->index_max = p->body[0];
}

void cp_set_base(struct cp *cp, const struct cp_packet *p)
{
   const unsigned index = p->body[0] & 15;
   if (index > 3)
      cp_bad(cp, p, "unknown base");
   else
      cp->base[index] = CP_LO_HI(p->body[1] & ~7u, p->body[2] & 0xffff);
}

/* --- dispatch --- */

static void dispatch(struct cp *cp, uint32_t x, uint32_t y, uint32_t z, uint32_t initiator)
{
   const struct msg_dispatch d = { .groups = { x, y, z }, .initiator = initiator };
   model_where(cp->report)->draw++;
   if (cp->config.trace)
      fprintf(stderr, "tgsiamd-model: draw %u: dispatch of %u x %u x %u\n", model_where(cp->report)->draw, x, y, z);
   if (!cp->config.pipeline)
      cp->env->stats->dispatches++;
   if (!(initiator & S_00B800_COMPUTE_SHADER_EN(1)))
      model_violation(cp->report, CHECK_STATE, "dispatch without COMPUTE_SHADER_EN");
   cp_check_state(cp, CP_WORK_DISPATCH);
   if (cp->config.pipeline && x && y && z)
      pipeline_dispatch(cp->config.pipeline, cp->env, &d);
}

void cp_dispatch_direct(struct cp *cp, const struct cp_packet *p)
{
   dispatch(cp, p->body[0], p->body[1], p->body[2], p->body[3]);
}

/* Graphics ring: offset from the base; compute ring: an address. */
void cp_dispatch_indirect(struct cp *cp, const struct cp_packet *p)
{
   uint32_t dim[3];
   if (p->count != (cp->compute ? 3 : 2)) {
      cp_bad(cp, p, "wrong length");
      return;
   }
   const uint64_t va = cp->compute ? CP_LO_HI(p->body[0], p->body[1]) : argument_base(cp, p) + p->body[0];
   cp_prefetch(cp, va, sizeof(dim));
   if (!model_failed(cp->report) && vm_read(cp->env->vm, VM_CP, va, dim, sizeof(dim)))
      dispatch(cp, dim[0], dim[1], dim[2], p->body[p->count - 1]);
}

/* --- streamout --- */

/* Body: control, destination of the filled size, offset or source address.
 * Sizes are in dwords, with DATA_TYPE in bytes. */
void cp_strmout_buffer_update(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t control = p->body[0];
   const unsigned buffer = (control >> 8) & 3, source = (control >> 1) & 3;
   const unsigned shift = control & STRMOUT_DATA_TYPE(1) ? 2 : 0;
   struct pipeline *pl = cp->config.pipeline;
   if (control & STRMOUT_STORE_BUFFER_FILLED_SIZE) {
      const uint32_t filled = (pl ? pipeline_so_filled(pl, buffer) : 0) << shift;
      if (!vm_write(cp->env->vm, VM_CP, CP_LO_HI(p->body[1], p->body[2]), &filled, 4))
         return;
      cache_write_bytes(cp->env->cache, CACHE_CP, CP_LO_HI(p->body[1], p->body[2]), 4);
   }
   uint32_t value;
   switch (source) {
   case STRMOUT_OFFSET_FROM_PACKET:
      value = p->body[3];
      break;
   case STRMOUT_OFFSET_FROM_MEM:
      cache_read_bytes(cp->env->cache, cp->report, CACHE_L2_CLIENT, CP_LO_HI(p->body[3], p->body[4]), 4);
      if (!vm_read(cp->env->vm, VM_CP, CP_LO_HI(p->body[3], p->body[4]), &value, 4))
         return;
      break;
   default: /* from the VGT's own filled size, or none: nothing changes */
      return;
   }
   if (pl)
      pipeline_so_set_filled(pl, buffer, value >> shift);
}
