/* SPDX-License-Identifier: MIT */
/* SSA construction for scalar variables, after Braun et al. 2013: a read looks
 * for the value in its block, else in the predecessors, and a join gets a phi.
 * Blocks are in reverse postorder, so only loop headers are read before all
 * their predecessors are done; those get phis that are filled when the latch
 * is done. Phis that turn out to merge one value are removed at the end. */
#include <stdlib.h>

#include "passes.h"

struct state {
   struct ir_shader *sh;
   uint32_t num_vars;
   ir_val *current;     /* [block][var] */
   bool *done;          /* block filled */
   ir_val undef;
   struct pending { struct ir_inst *phi; uint32_t var; } *pending;
   uint32_t num_pending, max_pending;
   struct ir_inst **phis;
   uint32_t num_phis, max_phis;
};

static ir_val read_var(struct state *s, struct ir_block *b, uint32_t var);

static struct ir_inst *
new_phi(struct state *s, struct ir_block *b)
{
   struct ir_inst *phi = ir_inst_create(s->sh, IR_PHI, 1, b->num_preds);
   struct ir_builder at = ir_builder_at_end(s->sh, b);
   at.before = b->first;
   ir_insert(&at, phi);
   if (s->num_phis == s->max_phis) {
      s->max_phis = s->max_phis ? s->max_phis * 2 : 64;
      s->phis = realloc(s->phis, s->max_phis * sizeof(*s->phis));
   }
   s->phis[s->num_phis++] = phi;
   return phi;
}

static ir_val
undef_value(struct state *s)
{
   if (!s->undef) {
      struct ir_block *entry = s->sh->blocks[0];
      struct ir_builder at = ir_builder_at_end(s->sh, entry);
      at.before = entry->first;
      s->undef = ir_undef(&at, 1);
   }
   return s->undef;
}

static void
fill_phi(struct state *s, struct ir_inst *phi, uint32_t var)
{
   for (uint32_t i = 0; i < phi->block->num_preds; i++)
      phi->src[i] = read_var(s, phi->block->preds[i], var);
}

static ir_val
read_var(struct state *s, struct ir_block *b, uint32_t var)
{
   ir_val *slot = &s->current[(size_t)b->index * s->num_vars + var];
   if (*slot)
      return *slot;
   if (b->num_preds == 0)
      return *slot = undef_value(s);
   bool sealed = true;
   for (uint32_t i = 0; i < b->num_preds; i++)
      sealed &= s->done[b->preds[i]->index];
   if (sealed && b->num_preds == 1) {
      ir_val v = read_var(s, b->preds[0], var);
      return s->current[(size_t)b->index * s->num_vars + var] = v;
   }
   struct ir_inst *phi = new_phi(s, b);
   *slot = phi;
   if (sealed) {
      fill_phi(s, phi, var);
   } else {
      if (s->num_pending == s->max_pending) {
         s->max_pending = s->max_pending ? s->max_pending * 2 : 64;
         s->pending = realloc(s->pending, s->max_pending * sizeof(*s->pending));
      }
      s->pending[s->num_pending++] = (struct pending){ phi, var };
   }
   return phi;
}

static void
seal_header(struct state *s, struct ir_block *header)
{
   uint32_t kept = 0;
   /* Filling may add pending phis of outer headers: take this one's first. */
   for (uint32_t i = 0; i < s->num_pending; i++) {
      struct pending p = s->pending[i];
      if (p.phi->block == header)
         fill_phi(s, p.phi, p.var);
      else
         s->pending[kept++] = p;
   }
   s->num_pending = kept;
}

/* Phis of one value (and themselves) vanish; removing one can make another so. */
static void
remove_trivial_phis(struct state *s)
{
   bool progress = true;
   while (progress) {
      progress = false;
      for (uint32_t i = 0; i < s->num_phis; i++) {
         struct ir_inst *phi = s->phis[i];
         ir_val same = NULL;
         bool trivial = true;
         if (!phi->block)
            continue;
         for (unsigned k = 0; k < phi->num_src && trivial; k++) {
            ir_val v = ir_now(phi->src[k]);
            if (v == phi || v == same)
               continue;
            trivial = same == NULL;
            same = v;
         }
         if (!trivial)
            continue;
         ir_replace(phi, same ? same : undef_value(s));
         progress = true;
      }
   }
}

static void
convert_block(struct state *s, struct ir_block *b)
{
   ir_foreach_inst_safe(b, inst) {
      if (inst->op == IR_LOAD_VAR) {
         ir_replace(inst, read_var(s, b, inst->imm));
      } else if (inst->op == IR_STORE_VAR) {
         /* A load's value is known by now, or is one of a later block
          * (impossible: it would not dominate). */
         ir_val v = ir_now(inst->src[0]);
         s->current[(size_t)b->index * s->num_vars + inst->imm] = v;
         ir_remove(inst);
      }
   }
}

void
ir_mem2reg(struct ir_shader *sh)
{
   struct state s = { .sh = sh, .num_vars = sh->num_vars };
   s.current = calloc((size_t)sh->num_blocks * sh->num_vars + 1, sizeof(*s.current));
   s.done = calloc(sh->num_blocks, 1);
   if (!s.current || !s.done) {
      ir_error(sh, "out of memory");
      goto out;
   }
   ir_foreach_block(sh, b) {
      if (b->reachable)
         convert_block(&s, b);
      s.done[b->index] = true;
      if (b->loop && b->loop->latch == b && b->reachable)
         seal_header(&s, b->loop->header);
   }
   undef_value(&s);
   remove_trivial_phis(&s);
   ir_update_uses(sh);
out:
   free(s.current);
   free(s.done);
   free(s.pending);
   free(s.phis);
}
