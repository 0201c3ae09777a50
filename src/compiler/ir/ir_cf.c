/* SPDX-License-Identifier: MIT */
/* Structured control flow of the builder, and the facts about the flow graph
 * that passes want: reachability and dominators. */
#include <stdlib.h>

#include "ir_analysis.h"
#include "ir_builder.h"

static void
place(struct ir_builder *b, struct ir_block *block)
{
   struct ir_shader *sh = b->sh;
   if (sh->num_blocks == sh->max_blocks) {
      uint32_t max = sh->max_blocks ? sh->max_blocks * 2 : 16;
      struct ir_block **blocks = ir_alloc(sh, max * sizeof(*blocks));
      if (sh->num_blocks)
         memcpy(blocks, sh->blocks, sh->num_blocks * sizeof(*blocks));
      sh->blocks = blocks;
      sh->max_blocks = max;
   }
   block->index = sh->num_blocks;
   sh->blocks[sh->num_blocks++] = block;
   b->block = block;
}

static void
add_edge(struct ir_shader *sh, struct ir_block *from, unsigned slot, struct ir_block *to)
{
   from->succ[slot] = to;
   if (to->num_preds == to->max_preds) {
      uint32_t max = to->max_preds ? to->max_preds * 2 : 2;
      struct ir_block **preds = ir_alloc(sh, max * sizeof(*preds));
      if (to->num_preds)
         memcpy(preds, to->preds, to->num_preds * sizeof(*preds));
      to->preds = preds;
      to->max_preds = max;
   }
   to->preds[to->num_preds++] = from;
}

static void
jump(struct ir_builder *b, struct ir_block *to)
{
   ir_flush_vars(b);
   b->block->term = IR_TERM_JUMP;
   add_edge(b->sh, b->block, 0, to);
}

void
ir_builder_init(struct ir_builder *b, struct ir_shader *sh)
{
   memset(b, 0, sizeof(*b));
   b->sh = sh;
   b->stack = ir_alloc(sh, IR_MAX_NESTING * sizeof(*b->stack));
   place(b, ir_block_create(sh, NULL));
}

void
ir_builder_finish(struct ir_builder *b)
{
   if (b->depth)
      ir_error(b->sh, "control flow is not closed at the end of the program");
   while (b->depth) {
      if (b->stack[b->depth - 1].loop)
         ir_endloop(b);
      else
         ir_endif(b);
   }
   b->block->term = IR_TERM_END;
   ir_cleanup_cfg(b->sh);
}

void
ir_if(struct ir_builder *b, ir_val cond)
{
   struct ir_shader *sh = b->sh;
   if (b->depth == IR_MAX_NESTING) {
      ir_error(sh, "control flow is nested deeper than %u", IR_MAX_NESTING);
      return;
   }
   ir_flush_vars(b);
   struct ir_block *then_block = ir_block_create(sh, b->loop);
   struct ir_block *else_block = ir_block_create(sh, b->loop);
   struct ir_block *merge = ir_block_create(sh, b->loop);
   b->block->term = IR_TERM_IF;
   b->block->cond = cond;
   b->block->merge = merge;
   add_edge(sh, b->block, 0, then_block);
   add_edge(sh, b->block, 1, else_block);
   b->stack[b->depth].then_end_merge = merge;
   b->stack[b->depth].else_block = else_block;
   b->stack[b->depth].loop = NULL;
   b->stack[b->depth++].has_else = false;
   place(b, then_block);
}

void
ir_else(struct ir_builder *b)
{
   if (!b->depth || b->stack[b->depth - 1].loop || b->stack[b->depth - 1].has_else) {
      ir_error(b->sh, "ELSE without IF");
      return;
   }
   b->stack[b->depth - 1].has_else = true;
   jump(b, b->stack[b->depth - 1].then_end_merge);
   place(b, b->stack[b->depth - 1].else_block);
}

void
ir_endif(struct ir_builder *b)
{
   if (!b->depth || b->stack[b->depth - 1].loop) {
      ir_error(b->sh, "ENDIF without IF");
      return;
   }
   if (!b->stack[b->depth - 1].has_else)
      ir_else(b);
   b->depth--;
   jump(b, b->stack[b->depth].then_end_merge);
   place(b, b->stack[b->depth].then_end_merge);
}

void
ir_loop(struct ir_builder *b)
{
   struct ir_shader *sh = b->sh;
   if (b->depth == IR_MAX_NESTING) {
      ir_error(sh, "control flow is nested deeper than %u", IR_MAX_NESTING);
      return;
   }
   struct ir_loop *loop = ir_alloc(sh, sizeof(*loop));
   b->sh->loops = true;
   loop->parent = b->loop;
   loop->depth = b->loop ? b->loop->depth + 1 : 1;
   loop->header = ir_block_create(sh, loop);
   loop->latch = ir_block_create(sh, loop);
   loop->exit = ir_block_create(sh, b->loop);
   jump(b, loop->header);
   place(b, loop->header);
   b->loop = loop;
   b->stack[b->depth].loop = loop;
   b->stack[b->depth++].has_else = false;
}

static void
leave(struct ir_builder *b, enum ir_term term, const char *name)
{
   if (!b->loop) {
      ir_error(b->sh, "%s outside of a loop", name);
      return;
   }
   ir_flush_vars(b);
   b->block->term = term;
   add_edge(b->sh, b->block, 0, term == IR_TERM_BREAK ? b->loop->exit : b->loop->latch);
   /* Whatever follows up to the end of the construct cannot be reached. */
   place(b, ir_block_create(b->sh, b->loop));
}

void
ir_break(struct ir_builder *b)
{
   leave(b, IR_TERM_BREAK, "BRK");
}

void
ir_continue(struct ir_builder *b)
{
   leave(b, IR_TERM_CONTINUE, "CONT");
}

void
ir_endloop(struct ir_builder *b)
{
   if (!b->depth || !b->stack[b->depth - 1].loop) {
      ir_error(b->sh, "ENDLOOP without BGNLOOP");
      return;
   }
   struct ir_loop *loop = b->stack[--b->depth].loop;
   jump(b, loop->latch);
   place(b, loop->latch);
   jump(b, loop->header);
   b->loop = loop->parent;
   place(b, loop->exit);
}

static void
remove_pred(struct ir_block *block, struct ir_block *pred)
{
   for (uint32_t i = 0; i < block->num_preds; i++) {
      if (block->preds[i] != pred)
         continue;
      memmove(&block->preds[i], &block->preds[i + 1], (block->num_preds - i - 1) * sizeof(*block->preds));
      ir_foreach_inst(block, phi) {
         if (phi->op != IR_PHI)
            break;
         memmove(&phi->src[i], &phi->src[i + 1], (phi->num_src - i - 1) * sizeof(*phi->src));
         phi->num_src--;
      }
      block->num_preds--;
      return;
   }
}

void
ir_cleanup_cfg(struct ir_shader *sh)
{
   ir_foreach_block(sh, b)
      b->reachable = b->index == 0;
   /* Program order visits every block after its forward predecessors, and a
    * header is reached from before the loop or not at all. */
   ir_foreach_block(sh, b) {
      if (!b->reachable)
         continue;
      for (unsigned i = 0; i < 2; i++) {
         if (b->succ[i])
            b->succ[i]->reachable = true;
      }
   }
   ir_foreach_block(sh, b) {
      if (b->reachable)
         continue;
      for (unsigned i = 0; i < 2; i++) {
         if (b->succ[i])
            remove_pred(b->succ[i], b);
      }
      b->first = b->last = NULL;
   }
}

/* Below its dominator now; jumps of such lengths reach any depth in steps of its
 * logarithm. */
static void
hang_below(struct ir_block *b, struct ir_block *dom)
{
   const struct ir_block *jump = dom->dom_jump;
   b->idom = dom;
   b->dom_depth = dom->dom_depth + 1;
   b->dom_jump = dom->dom_depth - jump->dom_depth == jump->dom_depth - jump->dom_jump->dom_depth ? jump->dom_jump : dom;
}

/* Preorder numbers: a subtree is a range of them. A dominator stands before
 * what it dominates, so sizes add up backwards and numbers are given forwards. */
static void
number_tree(struct ir_shader *sh)
{
   ir_foreach_block(sh, b)
      b->dom_size = b->idom ? 1 : 0;
   for (uint32_t i = sh->num_blocks; i-- > 1;) {
      if (sh->blocks[i]->idom)
         sh->blocks[i]->idom->dom_size += sh->blocks[i]->dom_size;
   }
   uint32_t *next = malloc(sh->num_blocks * sizeof(*next)); /* for the next child */
   if (!next) {
      ir_error(sh, "out of memory");
      return;
   }
   ir_foreach_block(sh, b) {
      if (!b->idom)
         continue;
      b->dom_pre = 0;
      if (b->index) {
         b->dom_pre = next[b->idom->index];
         next[b->idom->index] += b->dom_size;
      }
      next[b->index] = b->dom_pre + 1;
   }
   free(next);
}

void
ir_dominators(struct ir_shader *sh)
{
   ir_foreach_block(sh, b)
      b->idom = NULL;
   sh->blocks[0]->idom = sh->blocks[0]->dom_jump = sh->blocks[0];
   sh->blocks[0]->dom_depth = 0;
   /* Reducible and in reverse postorder: one round settles it; back edges
    * never change a header's dominator. */
   ir_foreach_block(sh, b) {
      if (!b->reachable || b->index == 0)
         continue;
      struct ir_block *dom = NULL;
      for (uint32_t i = 0; i < b->num_preds; i++) {
         struct ir_block *p = b->preds[i];
         if (p->index >= b->index)
            continue;
         dom = dom ? ir_common_dominator(dom, p) : p;
      }
      hang_below(b, dom);
   }
   number_tree(sh);
}

bool
ir_dominates(const struct ir_block *a, const struct ir_block *b)
{
   return b->dom_pre - a->dom_pre < a->dom_size;
}

struct ir_block *
ir_common_dominator(struct ir_block *x, struct ir_block *y)
{
   if (x->dom_depth < y->dom_depth) {
      struct ir_block *t = x;
      x = y;
      y = t;
   }
   while (x->dom_depth > y->dom_depth)
      x = x->dom_jump->dom_depth >= y->dom_depth ? x->dom_jump : x->idom;
   while (x != y) {
      bool far = x->dom_jump != y->dom_jump;
      x = far ? x->dom_jump : x->idom;
      y = far ? y->dom_jump : y->idom;
   }
   return x;
}

bool
ir_loop_contains(const struct ir_loop *loop, const struct ir_block *block)
{
   for (const struct ir_loop *l = block->loop; l; l = l->parent) {
      if (l == loop)
         return true;
   }
   return false;
}
