/* SPDX-License-Identifier: MIT */
/* Checks an assignment without looking at lives: runs the program forward over
 * "which unit does each register hold", joins disagreements to "none", and
 * demands at each read that the register holds the unit that is read. VGPRs
 * follow the logical graph, SGPRs the linear one. */
#include <stdlib.h>

#include "mir.h"

#define REGS 512 /* SGPRs, then VGPRs from 256 */
#define NOT_REACHED 0xffffffffu
#define MIXED       0xfffffffeu

struct checker {
   const struct mir_program *p;
   uint32_t *in, *out; /* [block][REGS] */
   char *why;
   size_t size;
   bool report, ok;
};

static uint32_t
reg_index(const struct mir_program *p, uint32_t unit)
{
   return p->units[unit].phys + (p->units[unit].file == MIR_VGPR ? 256 : 0);
}

static void
run_block(struct checker *c, const struct mir_block *b, uint32_t *regs)
{
   mir_foreach_inst(b, inst) {
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned k = 0; mir_is_virt(inst->src[i]) && k < inst->src_n[i]; k++) {
            uint32_t u = mir_unit_id(inst->src[i]) + k, held;
            if (c->p->units[u].phys == MIR_NO_PHYS) {
               if (c->report && c->ok)
                  snprintf(c->why, c->size, "B%u: unit %u has no register", b->index, u), c->ok = false;
               continue;
            }
            held = regs[reg_index(c->p, u)];
            /* Scalar code may run on a path that no lane takes; its values are
             * garbage there and reach nothing. */
            bool excused = c->p->units[u].file == MIR_SGPR && (held == NOT_REACHED || held == MIXED);
            if (c->report && c->ok && held != u && !excused && !c->p->units[u].everywhere) {
               snprintf(c->why, c->size, "B%u: %s reads unit %u but its register holds unit %u", b->index,
                        mir_info(inst) ? mir_info(inst)->name : "pseudo", u, held);
               c->ok = false;
            }
         }
      }
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned k = 0; mir_is_virt(inst->def[i]) && k < inst->def_n[i]; k++) {
            uint32_t u = mir_unit_id(inst->def[i]) + k;
            if (c->p->units[u].phys != MIR_NO_PHYS)
               regs[reg_index(c->p, u)] = u;
         }
      }
   }
}

static void
join(uint32_t *to, const uint32_t *from, unsigned first, unsigned n)
{
   for (unsigned i = first; i < first + n; i++) {
      if (to[i] == NOT_REACHED)
         to[i] = from[i];
      else if (from[i] != NOT_REACHED && from[i] != to[i])
         to[i] = MIXED;
   }
}

bool
ra_check(const struct mir_program *p, char *why, size_t size)
{
   struct checker c = { .p = p, .why = why, .size = size, .ok = true };
   size_t bytes = (size_t)(p->num_blocks + 1) * REGS * sizeof(uint32_t);
   uint32_t regs[REGS];
   bool changed = true;
   c.out = malloc(bytes);
   if (!c.out)
      return true;
   memset(c.out, 0xff, bytes);
   for (unsigned round = 0; changed || !c.report; round++) {
      /* The last round, over settled states, reports. */
      c.report = !changed;
      changed = false;
      mir_foreach_block(p, b) {
         memset(regs, 0xff, sizeof(regs));
         for (uint32_t i = 0; i < b->num_xpreds; i++)
            join(regs, c.out + (size_t)b->xpreds[i]->index * REGS, 0, 256);
         for (uint32_t i = 0; i < b->num_lpreds; i++)
            join(regs, c.out + (size_t)b->lpreds[i]->index * REGS, 256, 256);
         run_block(&c, b, regs);
         uint32_t *out = c.out + (size_t)b->index * REGS;
         if (memcmp(out, regs, sizeof(regs))) {
            memcpy(out, regs, sizeof(regs));
            changed = !c.report;
         }
      }
   }
   free(c.out);
   return c.ok;
}
