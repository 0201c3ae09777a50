/* SPDX-License-Identifier: MIT */
/* The rules of the IR, checked. Runs after every pass under
 * TGSIAMD_COMPILE_VALIDATE; reads only, allocates only its own memory. */
#include <stdarg.h>
#include <stdlib.h>

#include "ir_analysis.h"

struct checker {
   const struct ir_shader *sh;
   const struct ir_inst **defs; /* by id, NULL until its block is reached */
   uint32_t *order;             /* position in program order, from 1 */
   char *why;
   size_t why_size;
   bool ok;
};

static void __attribute__((format(printf, 2, 3)))
fail(struct checker *c, const char *fmt, ...)
{
   if (!c->ok)
      return;
   c->ok = false;
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(c->why, c->why_size, fmt, ap);
   va_end(ap);
}

/* Type that source n must have; IR_TYPE_NONE: any. */
static enum ir_type
source_type(const struct ir_inst *inst, unsigned n)
{
   switch (inst->op) {
   case IR_SELECT:
      return n == 0 ? IR_TYPE_BOOL : IR_TYPE_B32;
   case IR_BAND: case IR_BOR: case IR_BXOR: case IR_BNOT: case IR_KILL_IF: case IR_BALLOT: case IR_FIRST_LANE:
      return IR_TYPE_BOOL;
   case IR_PHI:
      return inst->type;
   default:
      return IR_TYPE_B32;
   }
}

/* Dwords that source n must have; 0: any. */
static unsigned
source_comps(const struct ir_inst *inst, unsigned n)
{
   switch (inst->op) {
   case IR_EXTRACT:
      return 0;
   case IR_LOAD_CONST: case IR_LOAD_BUF: case IR_LOAD_FMT: case IR_ATOMIC_BUF:
      return n == 0 ? 4 : 1;
   case IR_LOAD_DESC_AT:
      return 2;
   case IR_STORE_LDS:
      return n == 1 ? inst->mem.comps : 1;
   case IR_STORE_BUF:
      return n == 0 ? 4 : n == 2 ? inst->mem.comps : 1;
   case IR_TEX: case IR_IMG_LOAD: case IR_IMG_STORE: case IR_IMG_ATOMIC:
      if (n == 0)
         return inst->tex.dim == IR_DIM_BUFFER ? 4 : 8;
      if (n == 1 && inst->tex.has_sampler)
         return 4;
      return inst->op == IR_TEX ? 1 : 0;
   case IR_DADD: case IR_DMUL: case IR_DFMA: case IR_DDIV_FIXUP: case IR_DMIN: case IR_DMAX: case IR_DRCP: case IR_DRSQ:
   case IR_DCLASS: case IR_DFLOOR: case IR_DCEIL: case IR_DTRUNC: case IR_DRNDNE: case IR_DFRACT:
   case IR_DLT: case IR_DGE: case IR_DEQ: case IR_DNE: case IR_D2F: case IR_D2I: case IR_D2U:
   case IR_DFREXP_MANT: case IR_DFREXP_EXP:
   case IR_IADD64: case IR_ISUB64: case IR_ILT64: case IR_IGE64: case IR_ULT64: case IR_UGE64: case IR_IEQ64: case IR_INE64:
   case IR_UDIV64: case IR_UMOD64: case IR_IDIV64: case IR_IMOD64:
      return 2;
   case IR_UMAD64:
      return n == 2 ? 2 : 1;
   case IR_DLDEXP: case IR_SHL64: case IR_LSHR64: case IR_ASHR64:
      return n == 0 ? 2 : 1;
   default:
      return 1;
   }
}

static void
check_inst(struct checker *c, const struct ir_block *b, const struct ir_inst *inst)
{
   const struct ir_op_info *info = ir_info(inst);
   if (inst->block != b)
      fail(c, "%%%u (%s) does not know its block b%u", inst->id, info->name, b->index);
   if (info->num_src != IR_VARIADIC && info->num_src != inst->num_src)
      fail(c, "%%%u: %s with %u sources", inst->id, info->name, inst->num_src);
   if (info->result == 'N' ? inst->comps != 0 : info->result == 'V' ? inst->comps < 1 || inst->comps > 16 : inst->comps != 1)
      fail(c, "%%%u: %s with a result of %u dwords", inst->id, info->name, inst->comps);
   if (inst->op == IR_PHI && inst->num_src != b->num_preds)
      fail(c, "%%%u: phi of %u sources in b%u of %u predecessors", inst->id, inst->num_src, b->index, b->num_preds);
   if (inst->op == IR_PHI && inst->prev && inst->prev->op != IR_PHI)
      fail(c, "%%%u: phi after another instruction", inst->id);
   if (inst->op == IR_EXTRACT && inst->num_src && inst->src[0] && inst->imm >= inst->src[0]->comps)
      fail(c, "%%%u: component %u of a vector of %u", inst->id, inst->imm, inst->src[0]->comps);
   if (inst->op == IR_VEC && inst->num_src != inst->comps)
      fail(c, "%%%u: vec.%u of %u scalars", inst->id, inst->comps, inst->num_src);
   if ((inst->op == IR_LOAD_VAR || inst->op == IR_STORE_VAR) &&
       (inst->imm >= c->sh->num_vars || c->sh->vars[inst->imm].length != 1))
      fail(c, "%%%u: variable %u does not exist or is an array", inst->id, inst->imm);
   if ((inst->op == IR_LOAD_ARRAY || inst->op == IR_STORE_ARRAY) && inst->imm >= c->sh->num_vars)
      fail(c, "%%%u: variable %u does not exist", inst->id, inst->imm);
   if (inst->op == IR_STORE_BUF && (inst->mem.comps < 1 || inst->mem.comps > 4))
      fail(c, "%%%u: %s of %u dwords", inst->id, info->name, inst->mem.comps);
   if (inst->op == IR_STORE_OUTPUT && (inst->io.slot >= c->sh->num_outputs || inst->io.chan > 3))
      fail(c, "%%%u: output %u does not exist", inst->id, inst->io.slot);
   if (inst->op == IR_SYSVAL && inst->imm >= IR_SV_COUNT)
      fail(c, "%%%u: system value %u does not exist", inst->id, inst->imm);
   for (unsigned i = 0; c->ok && i < inst->num_src; i++) {
      const struct ir_inst *src = inst->src[i];
      if (!src) {
         fail(c, "%%%u: %s without source %u", inst->id, info->name, i);
         return;
      }
      if (src->id >= c->sh->num_ids || c->defs[src->id] != src) {
         fail(c, "%%%u: source %%%u is not in the program", inst->id, src->id);
         return;
      }
      if (source_type(inst, i) != IR_TYPE_NONE && src->type != source_type(inst, i))
         fail(c, "%%%u: source %u of %s has the wrong type", inst->id, i, info->name);
      unsigned comps = source_comps(inst, i);
      if (comps && src->comps != comps)
         fail(c, "%%%u: source %u of %s has %u dwords, not %u", inst->id, i, info->name, src->comps, comps);
      if (inst->op == IR_PHI) {
         if (!ir_dominates(src->block, b->preds[i]))
            fail(c, "%%%u: source %%%u does not reach the end of b%u", inst->id, src->id, b->preds[i]->index);
      } else if (src->block == b ? c->order[src->id] >= c->order[inst->id] : !ir_dominates(src->block, b)) {
         fail(c, "%%%u: source %%%u does not dominate its use", inst->id, src->id);
      }
   }
}

static void
check_block(struct checker *c, const struct ir_block *b)
{
   unsigned want = b->term == IR_TERM_IF ? 2 : b->term == IR_TERM_END ? 0 : 1;
   if (b->term == IR_TERM_NONE)
      fail(c, "b%u has no terminator", b->index);
   for (unsigned i = 0; i < want; i++) {
      const struct ir_block *s = b->succ[i];
      bool found = false;
      if (!s) {
         fail(c, "b%u has no successor %u", b->index, i);
         return;
      }
      for (uint32_t k = 0; k < s->num_preds; k++)
         found |= s->preds[k] == b;
      if (!found)
         fail(c, "b%u is no predecessor of its successor b%u", b->index, s->index);
   }
   if (b->term == IR_TERM_IF) {
      if (!b->cond || b->cond->type != IR_TYPE_BOOL)
         fail(c, "b%u branches on something that is no bool", b->index);
      else if (c->defs[b->cond->id] != b->cond || (b->cond->block != b && !ir_dominates(b->cond->block, b)))
         fail(c, "b%u branches on %%%u, which does not reach it", b->index, b->cond->id);
   }
   ir_foreach_inst(b, inst) {
      if (c->ok)
         check_inst(c, b, inst);
   }
}

bool
ir_validate(const struct ir_shader *sh, char *why, size_t why_size)
{
   struct checker c = { sh, calloc(sh->num_ids + 1, sizeof(*c.defs)), calloc(sh->num_ids + 1, sizeof(*c.order)),
                        why, why_size, true };
   if (!c.defs || !c.order) {
      fail(&c, "out of memory");
      goto out;
   }
   ir_dominators((struct ir_shader *)sh); /* fills analysis fields only */
   uint32_t pos = 0;
   ir_foreach_block(sh, b) {
      if (!b->reachable)
         continue;
      ir_foreach_inst(b, inst) {
         if (c.defs[inst->id])
            fail(&c, "%%%u is defined twice", inst->id);
         c.defs[inst->id] = inst;
         c.order[inst->id] = ++pos;
      }
   }
   ir_foreach_block(sh, b) {
      if (b->reachable && c.ok)
         check_block(&c, b);
   }
out:
   free(c.defs);
   free(c.order);
   return c.ok;
}
