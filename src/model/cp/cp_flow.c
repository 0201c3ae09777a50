/* SPDX-License-Identifier: MIT */
/* PM4 packets that steer the stream: nested and chained buffers, conditional
 * execution, predication. */
#include "cp_internal.h"

#include <stdlib.h>

#include "amdgfxregs.h"
#include "sid.h"

void cp_nop(struct cp *cp, const struct cp_packet *p)
{
   (void)cp;
   (void)p;
}

void cp_indirect_buffer(struct cp *cp, const struct cp_packet *p)
{
   const uint64_t va = CP_LO_HI(p->body[0], p->body[1] & 0xffff);
   const uint32_t control = p->body[2], dwords = G_3F2_IB_SIZE(control);
   if (!dwords)
      return;
   if (G_3F2_CHAIN(control)) {
      cp->chained = true;
      cp->next_va = va;
      cp->next_dwords = dwords;
   } else {
      /* `copy` belongs to the buffer that is being run. */
      uint32_t *copy = cp->copy;
      const uint32_t copy_max = cp->copy_max;
      cp->copy = NULL;
      cp->copy_max = 0;
      cp_call(cp, va, dwords);
      if (copy) {
         free(cp->copy);
         cp->copy = copy;
         cp->copy_max = copy_max;
      }
   }
}

/* Body: address, (control,) dwords to execute only when *address is not 0. */
void cp_cond_exec(struct cp *cp, const struct cp_packet *p)
{
   uint32_t value = 0;
   cp_prefetch(cp, CP_LO_HI(p->body[0] & ~3u, p->body[1]), 4);
   if (vm_read(cp->env->vm, VM_CP, CP_LO_HI(p->body[0] & ~3u, p->body[1]), &value, 4) && !value)
      cp->skip = p->body[p->count - 1] & 0x3fff;
}

/* ZPASS: pairs of begin and end counts per render backend, bit 63 when written. */
static bool predicate_zpass(struct cp *cp, uint64_t va)
{
   uint64_t sum = 0;
   for (unsigned rb = 0; rb < cp->config.num_rb; rb++) {
      uint64_t v[2];
      if (!vm_read(cp->env->vm, VM_CP, va + 16 * rb, v, sizeof(v)))
         return false;
      if (!(v[0] >> 63) || !(v[1] >> 63))
         model_violation(cp->report, CHECK_STATE,
                         "SET_PREDICATION on an occlusion count that was never written (RB %u at 0x%llx)", rb,
                         (unsigned long long)va);
      sum += v[1] - v[0];
   }
   return sum != 0;
}

/* PRIMCOUNT: SAMPLE_STREAMOUTSTATS (needed, written) before and after; true without overflow. */
static bool predicate_primcount(struct cp *cp, uint64_t va)
{
   uint64_t v[4];
   if (!vm_read(cp->env->vm, VM_CP, va, v, sizeof(v)))
      return false;
   return v[2] - v[0] == v[3] - v[1];
}

void cp_set_predication(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t control = p->body[0];
   const unsigned op = (control >> 16) & 7;
   const uint64_t va = CP_LO_HI(p->body[1], p->count > 2 ? p->body[2] : 0);
   bool value;
   switch (op) {
   case PREDICATION_OP_CLEAR:
      cp->predicating = false;
      return;
   case PREDICATION_OP_ZPASS:
      value = predicate_zpass(cp, va);
      break;
   case PREDICATION_OP_PRIMCOUNT:
      value = predicate_primcount(cp, va);
      break;
   case PREDICATION_OP_BOOL64: {
      uint64_t v = 0;
      vm_read(cp->env->vm, VM_CP, va, &v, sizeof(v));
      value = v != 0;
      break;
   }
   default:
      cp_bad(cp, p, "unknown predication operation");
      return;
   }
   /* CONTINUE joins the results of several queries: something visible in any
    * of them, no overflow in all of them. */
   if (cp->predicating && (control & PREDICATION_CONTINUE))
      value = op == PREDICATION_OP_PRIMCOUNT ? cp->predicate_value && value : cp->predicate_value || value;
   cp->predicate_value = value;
   cp->predicate = value == ((control & PREDICATION_DRAW_VISIBLE) != 0);
   cp->predicating = true;
}
