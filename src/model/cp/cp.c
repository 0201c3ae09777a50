/* SPDX-License-Identifier: MIT */
/* Command processor front: fetches indirect buffers, splits them into PM4
 * packets and calls the handlers. */
#include "cp_internal.h"
#include "obs/work.h"

#include <errno.h>
#include <stdlib.h>

#include "sid.h"

/* A stream that executes this many packets chases its own tail. */
#define MAX_PACKETS (1ull << 24)
#define MAX_DEPTH 3 /* ring, IB1, IB2 */

enum { GFX = 1, COMPUTE = 2, PRED = 4 /* obeys predication */ };

struct packet_row {
   const char *name;
   cp_handler fn;
   uint16_t min, max;   /* dwords of the body; max 0: any */
   uint8_t flags;
};

static const struct packet_row rows[256] = {
#define ROW(op, handler, min, max, flags) [PKT3_##op] = { #op, cp_##handler, min, max, flags }
   ROW(NOP, nop, 0, 0, GFX | COMPUTE),
   ROW(SET_BASE, set_base, 3, 3, GFX | COMPUTE),
   ROW(CLEAR_STATE, clear_state, 1, 1, GFX),
   ROW(INDEX_BUFFER_SIZE, index_buffer_size, 1, 1, GFX),
   ROW(DISPATCH_DIRECT, dispatch_direct, 4, 4, GFX | COMPUTE | PRED),
   ROW(DISPATCH_INDIRECT, dispatch_indirect, 2, 3, GFX | COMPUTE | PRED),
   ROW(ATOMIC_MEM, atomic_mem, 8, 8, GFX | COMPUTE),
   ROW(SET_PREDICATION, set_predication, 2, 3, GFX),
   ROW(COND_EXEC, cond_exec, 3, 4, GFX | COMPUTE),
   ROW(DRAW_INDIRECT, draw_indirect, 4, 4, GFX | PRED),
   ROW(DRAW_INDEX_INDIRECT, draw_index_indirect, 4, 4, GFX | PRED),
   ROW(INDEX_BASE, index_base, 2, 2, GFX),
   ROW(DRAW_INDEX_2, draw_index_2, 5, 5, GFX | PRED),
   ROW(CONTEXT_CONTROL, context_control, 2, 2, GFX),
   ROW(DRAW_INDIRECT_MULTI, draw_indirect_multi, 9, 9, GFX | PRED),
   ROW(DRAW_INDEX_AUTO, draw_index_auto, 2, 2, GFX | PRED),
   ROW(NUM_INSTANCES, num_instances, 1, 1, GFX),
   ROW(STRMOUT_BUFFER_UPDATE, strmout_buffer_update, 5, 5, GFX),
   ROW(DRAW_INDEX_OFFSET_2, draw_index_offset_2, 4, 4, GFX | PRED),
   ROW(WRITE_DATA, write_data, 4, 0, GFX | COMPUTE),
   ROW(DRAW_INDEX_INDIRECT_MULTI, draw_index_indirect_multi, 9, 9, GFX | PRED),
   ROW(WAIT_REG_MEM, wait_reg_mem, 6, 6, GFX | COMPUTE),
   ROW(INDIRECT_BUFFER_CIK, indirect_buffer, 3, 3, GFX | COMPUTE),
   ROW(COPY_DATA, copy_data, 5, 5, GFX | COMPUTE),
   ROW(PFP_SYNC_ME, pfp_sync_me, 1, 1, GFX),
   ROW(SURFACE_SYNC, surface_sync, 4, 4, GFX),
   ROW(COND_WRITE, cond_write, 8, 8, GFX | COMPUTE),
   ROW(EVENT_WRITE, event_write, 1, 3, GFX | COMPUTE),
   ROW(RELEASE_MEM, release_mem, 6, 7, GFX | COMPUTE),
   ROW(DMA_DATA, dma_data, 6, 6, GFX | COMPUTE),
   ROW(CONTEXT_REG_RMW, context_reg_rmw, 3, 3, GFX),
   ROW(ACQUIRE_MEM, acquire_mem, 6, 6, GFX | COMPUTE),
   ROW(REWIND, rewind, 1, 1, GFX | COMPUTE),
   ROW(LOAD_UCONFIG_REG, load_uconfig_reg, 4, 0, GFX),
   ROW(LOAD_SH_REG, load_sh_reg, 4, 0, GFX | COMPUTE),
   ROW(LOAD_CONTEXT_REG, load_context_reg, 4, 0, GFX),
   ROW(LOAD_SH_REG_INDEX, load_sh_reg_index, 4, 4, GFX | COMPUTE),
   ROW(SET_CONFIG_REG, set_config_reg, 2, 0, GFX),
   ROW(SET_CONTEXT_REG, set_context_reg, 2, 0, GFX),
   ROW(SET_SH_REG, set_sh_reg, 2, 0, GFX | COMPUTE),
   ROW(SET_UCONFIG_REG, set_uconfig_reg, 2, 0, GFX | COMPUTE),
   ROW(SET_UCONFIG_REG_INDEX, set_uconfig_reg_index, 2, 0, GFX),
   ROW(SET_SH_REG_INDEX, set_sh_reg_index, 2, 0, GFX | COMPUTE),
   ROW(LOAD_CONTEXT_REG_INDEX, load_context_reg_index, 4, 4, GFX),
#undef ROW
};

struct cp *cp_create(const struct cp_config *config)
{
   struct cp *cp = calloc(1, sizeof(*cp));
   if (cp)
      cp->config = *config;
   return cp;
}

void cp_destroy(struct cp *cp)
{
   if (cp)
      free(cp->copy);
   free(cp);
}

void cp_begin_submission(struct cp *cp)
{
   cp->index_base = 0;
   cp->index_max = 0;
   cp->num_instances = 1;
   cp->instances_set = false;
   cp->state_checked[0] = cp->state_checked[1] = cp->state_checked[2] = false;
   cp->uses_checked[0] = cp->uses_checked[1] = cp->uses_serial = 0;
   cp->base[0] = cp->base[1] = cp->base[2] = cp->base[3] = 0;
   cp->predicating = false;
   cp->packets_run = 0;
   cp->depth = 0;
   cp->skip = 0;
   /* so the kernel leaves them after a change of context */
   cp->load_enable = ~0u;
   cp->shadow_enable = 0;
   cp->shadow_base[0] = cp->shadow_base[1] = cp->shadow_base[2] = 0;
}

void cp_bad(struct cp *cp, const struct cp_packet *p, const char *why)
{
   const char *name = rows[p->op].name;
   model_fail(cp->report, EINVAL, CHECK_PACKET, "%s (0x%02x, %u dwords): %s", name ? name : "packet", p->op, p->count,
              why);
}

static void run_packet(struct cp *cp, const struct cp_packet *p)
{
   const struct packet_row *row = &rows[p->op];
   model_where(cp->report)->packet_va = p->va;
   model_where(cp->report)->packet = row->name;
   cp->env->stats->packets++;
   if (model_work_check(cp->env))
      return;
   if (cp->config.trace)
      cp_trace(cp, p, row->name);
   if (!(row->flags & (cp->compute ? COMPUTE : GFX)))
      cp_bad(cp, p, "not a packet of the compute ring");
   else if (p->count < row->min || (row->max && p->count > row->max))
      cp_bad(cp, p, "wrong length");
   else if (!(p->header & 1) || !(row->flags & PRED) || !cp->predicating || cp->predicate)
      row->fn(cp, p);
}

/* The dwords of an indirect buffer; a copy when it crosses mappings. */
static const uint32_t *fetch(struct cp *cp, uint64_t va, uint32_t dwords)
{
   uint64_t avail;
   const uint64_t bytes = 4ull * dwords;
   if (va & 3) {
      model_fail(cp->report, EINVAL, CHECK_PACKET, "indirect buffer at 0x%llx is not dword aligned",
                 (unsigned long long)va);
      return NULL;
   }
   const uint32_t *p = vm_probe(cp->env->vm, VM_CP, va, false, &avail);
   if (p && avail >= bytes)
      return p;
   cp->packets_run += dwords / 16; /* copying is work as well: a loop of it must end */
   if (cp->copy_max < dwords) {
      uint32_t *copy = realloc(cp->copy, bytes);
      if (!copy) {
         model_fail(cp->report, ENOMEM, CHECK_MODEL, "no memory for an indirect buffer of %u dwords", dwords);
         return NULL;
      }
      cp->copy = copy;
      cp->copy_max = dwords;
   }
   return vm_read(cp->env->vm, VM_CP, va, cp->copy, bytes) ? cp->copy : NULL;
}

static void run_buffer(struct cp *cp, uint64_t va, uint32_t dwords)
{
   const uint32_t *ib = fetch(cp, va, dwords);
   if (!ib)
      return;
   for (uint32_t i = 0; i < dwords && !model_failed(cp->report) && !cp->chained;) {
      struct cp_packet p = { .header = ib[i], .va = va + 4ull * i, .body = ib + i + 1 };
      const unsigned type = PKT_TYPE_G(p.header);
      unsigned total = 1;
      if (++cp->packets_run > MAX_PACKETS) {
         model_fail(cp->report, ETIME, CHECK_HANG, "the stream never ends: %llu packets so far",
                    (unsigned long long)cp->packets_run);
         return;
      }
      if (type == 3) {
         p.op = PKT3_IT_OPCODE_G(p.header);
         p.count = PKT_COUNT_G(p.header) + 1;
         /* A NOP of the largest count is a header alone. */
         if (p.op == PKT3_NOP && p.count == 0x4000)
            p.count = 0;
         total = p.count + 1;
      } else if (type != 2) {
         model_where(cp->report)->packet_va = p.va;
         model_fail(cp->report, EINVAL, CHECK_PACKET, "packet type %u (header 0x%08x): only 2 and 3 are valid", type,
                    p.header);
         return;
      }
      if (type == 3 && !rows[p.op].fn) {
         model_where(cp->report)->packet_va = p.va;
         model_fail(cp->report, EINVAL, CHECK_PACKET, "unknown packet type 3 opcode 0x%02x (header 0x%08x)", p.op,
                    p.header);
         return;
      }
      if (total > dwords - i) {
         model_where(cp->report)->packet_va = p.va;
         cp_bad(cp, &p, "runs beyond the end of its buffer");
         return;
      }
      if (cp->skip)
         cp->skip -= total < cp->skip ? total : cp->skip;
      else if (type == 3)
         run_packet(cp, &p);
      i += total;
   }
}

void cp_call(struct cp *cp, uint64_t va, uint32_t dwords)
{
   if (cp->depth >= MAX_DEPTH) {
      model_fail(cp->report, EINVAL, CHECK_PACKET, "indirect buffers nested deeper than %u", MAX_DEPTH);
      return;
   }
   cp->depth++;
   for (;;) {
      cp->chained = false;
      run_buffer(cp, va, dwords);
      if (!cp->chained || model_failed(cp->report))
         break;
      va = cp->next_va;
      dwords = cp->next_dwords;
   }
   cp->chained = false;
   cp->depth--;
}

void cp_run(struct cp *cp, const struct model_env *env, bool compute, uint64_t va, uint32_t dwords)
{
   cp->env = env;
   cp->report = env->report;
   cp->compute = compute;
   cp->skip = 0;
   cp_call(cp, va, dwords);
}
