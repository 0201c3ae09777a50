/* SPDX-License-Identifier: MIT */
/* Liveness of units: backward over the logical graph for VGPRs and the linear
 * graph for SGPRs (see mir.h), then as sorted ranges of positions. */
#include <stdlib.h>

#include "ra.h"

#define WORD(i) ((i) / 64)
#define BIT(i)  (1ull << ((i) % 64))

struct state {
   struct mir_program *p;
   uint32_t words;
   uint64_t *in, *use, *def; /* [block][word] */
   uint64_t *vgprs;          /* which units are VGPRs */
};

static bool
reads_def(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info && (info->flags & ISA_READS_DST);
}

/* Scalar loads may be replayed after a translation fault on GPUs that retry
 * (XNACK): the result must not stand where the address was. */
static bool
keeps_sources(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info && info->unit == ISA_UNIT_SMEM;
}

static void
block_sets(struct state *s, struct mir_block *b)
{
   uint64_t *use = s->use + (size_t)b->index * s->words, *def = s->def + (size_t)b->index * s->words;
   mir_foreach_inst(b, inst) {
      for (unsigned i = 0; i < 6; i++) {
         bool is_def = i >= 4;
         mir_reg r = is_def ? inst->def[i - 4] : inst->src[i];
         unsigned n = is_def ? inst->def_n[i - 4] : inst->src_n[i];
         if (!mir_is_virt(r))
            continue;
         for (unsigned k = 0; k < n; k++) {
            uint32_t u = mir_unit_id(r) + k;
            if ((!is_def || reads_def(inst)) && !(def[WORD(u)] & BIT(u)))
               use[WORD(u)] |= BIT(u);
            if (is_def)
               def[WORD(u)] |= BIT(u);
         }
      }
   }
}

static void
live_out(const struct state *s, const struct mir_block *b, uint64_t *out)
{
   memset(out, 0, s->words * sizeof(*out));
   for (uint32_t i = 0; i < b->num_lsuccs; i++) {
      const uint64_t *in = s->in + (size_t)b->lsuccs[i]->index * s->words;
      for (uint32_t w = 0; w < s->words; w++)
         out[w] |= in[w] & s->vgprs[w];
   }
   for (uint32_t i = 0; i < b->num_xsuccs; i++) {
      const uint64_t *in = s->in + (size_t)b->xsuccs[i]->index * s->words;
      bool kept[MIR_MAX_EARLY], early = b->num_early && b->xsuccs[i] == b->early_target;
      /* What the edge's units add is taken back, unless it was there before. */
      for (uint32_t k = 0; early && k < b->num_early; k++) {
         uint32_t u = b->early_units[k];
         kept[k] = out[WORD(u)] >> (u % 64) & 1;
      }
      for (uint32_t w = 0; w < s->words; w++)
         out[w] |= in[w] & ~s->vgprs[w];
      for (uint32_t k = 0; early && k < b->num_early; k++) {
         if (!kept[k])
            out[WORD(b->early_units[k])] &= ~BIT(b->early_units[k]);
      }
   }
}

static void
solve(struct state *s)
{
   uint64_t *out = calloc(s->words + 1, sizeof(*out));
   bool changed = out != NULL;
   while (changed) {
      changed = false;
      for (uint32_t i = s->p->num_blocks; i-- > 0;) {
         uint64_t *in = s->in + (size_t)i * s->words;
         const uint64_t *use = s->use + (size_t)i * s->words, *def = s->def + (size_t)i * s->words;
         live_out(s, s->p->blocks[i], out);
         for (uint32_t w = 0; w < s->words; w++) {
            uint64_t v = use[w] | (out[w] & ~def[w]);
            changed |= v != in[w];
            in[w] = v;
         }
      }
   }
   free(out);
}

/* Ranges are collected from the end of the program and turned around later. */
static void
add_range(struct ra_life *l, uint32_t start, uint32_t end)
{
   if (l->num && l->ranges[l->num - 1].start == end) {
      l->ranges[l->num - 1].start = start;
      return;
   }
   if (l->num == l->max) {
      l->max = l->max ? l->max * 2 : 2;
      l->ranges = realloc(l->ranges, l->max * sizeof(*l->ranges));
   }
   l->ranges[l->num++] = (struct ra_range){ start, end };
}

/* A part of a scalar load that nobody reads is written when the rest is: who
 * took its register before would have to wait for the load. It is held until
 * the first read of the rest, which waits anyway. */
static uint32_t
unread_until(const struct mir_inst *load, const uint32_t *first_read, uint32_t at, uint32_t block_end)
{
   uint32_t until = block_end;
   for (unsigned k = 0; k < load->def_n[0]; k++) {
      uint32_t read = first_read[mir_unit_id(load->def[0]) + k];
      if (read > at && read < until)
         until = read;
   }
   return until;
}

static void
block_ranges(struct state *s, struct ra_lives *lives, struct mir_block *b, uint64_t *live, uint32_t *end,
             uint32_t *first_read)
{
   uint32_t block_start = 2 * b->first_pos, block_end = 2 * b->last_pos + 2;
   live_out(s, b, live);
   for (uint32_t u = 0; u < s->p->num_units; u++) {
      if (live[WORD(u)] == 0) {
         u |= 63;
         continue;
      }
      if (live[WORD(u)] & BIT(u))
         end[u] = block_end;
   }
   for (struct mir_inst *inst = b->last; inst; inst = inst->prev) {
      for (unsigned i = 0; i < 2; i++) {
         for (unsigned k = 0; mir_is_virt(inst->def[i]) && k < inst->def_n[i]; k++) {
            uint32_t u = mir_unit_id(inst->def[i]) + k, at = 2 * inst->pos + 1;
            bool is_live = live[WORD(u)] & BIT(u);
            if (reads_def(inst)) {
               if (!is_live) {
                  live[WORD(u)] |= BIT(u);
                  end[u] = at + 1;
               }
               continue;
            }
            uint32_t until = is_live ? end[u]
                             : keeps_sources(inst) && inst->def_n[0] > 4 ? unread_until(inst, first_read, at, block_end)
                             : at + 1;
            add_range(&lives->unit[u], at, until);
            live[WORD(u)] &= ~BIT(u);
         }
      }
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned k = 0; mir_is_virt(inst->src[i]) && k < inst->src_n[i]; k++) {
            uint32_t u = mir_unit_id(inst->src[i]) + k;
            first_read[u] = 2 * inst->pos + 1;
            if (!(live[WORD(u)] & BIT(u))) {
               live[WORD(u)] |= BIT(u);
               end[u] = 2 * inst->pos + (keeps_sources(inst) ? 2 : 1);
            }
         }
      }
   }
   for (uint32_t u = 0; u < s->p->num_units; u++) {
      if (live[WORD(u)] == 0) {
         u |= 63;
         continue;
      }
      if (live[WORD(u)] & BIT(u))
         add_range(&lives->unit[u], block_start, end[u]);
   }
}

static void
turn_around(struct ra_life *l)
{
   for (uint32_t i = 0, k = l->num; i + 1 < k; i++) {
      struct ra_range t = l->ranges[i];
      l->ranges[i] = l->ranges[--k];
      l->ranges[k] = t;
   }
}

bool
ra_lives_find(struct mir_program *p, struct ra_lives *lives)
{
   struct state s = { .p = p, .words = WORD(p->num_units) + 1 };
   size_t n = (size_t)p->num_blocks * s.words + 1;
   uint32_t pos = 0;
   memset(lives, 0, sizeof(*lives));
   mir_foreach_block(p, b) {
      b->first_pos = pos;
      mir_foreach_inst(b, inst)
         inst->pos = pos++;
      b->last_pos = b->first ? pos - 1 : pos;
      pos = b->last_pos + 1; /* an empty block has a place of its own */
   }
   lives->num_pos = pos;
   lives->num_units = p->num_units;
   lives->unit = calloc(p->num_units + 1, sizeof(*lives->unit));
   s.in = calloc(n, sizeof(uint64_t));
   s.use = calloc(n, sizeof(uint64_t));
   s.def = calloc(n, sizeof(uint64_t));
   s.vgprs = calloc(s.words, sizeof(uint64_t));
   uint64_t *live = calloc(s.words, sizeof(uint64_t));
   uint32_t *end = calloc(p->num_units + 1, sizeof(*end)), *first_read = calloc(p->num_units + 1, sizeof(*first_read));
   bool ok = lives->unit && s.in && s.use && s.def && s.vgprs && live && end && first_read;
   if (ok) {
      for (uint32_t u = 0; u < p->num_units; u++) {
         if (p->units[u].file == MIR_VGPR)
            s.vgprs[WORD(u)] |= BIT(u);
      }
      mir_foreach_block(p, b)
         block_sets(&s, b);
      solve(&s);
      for (uint32_t i = p->num_blocks; i-- > 0;)
         block_ranges(&s, lives, p->blocks[i], live, end, first_read);
      for (uint32_t u = 0; u < p->num_units; u++) {
         turn_around(&lives->unit[u]);
         if (p->units[u].everywhere) {
            lives->unit[u].num = 0;
            add_range(&lives->unit[u], 0, 2 * pos + 2);
         }
      }
   }
   free(s.in);
   free(s.use);
   free(s.def);
   free(s.vgprs);
   free(live);
   free(end);
   free(first_read);
   return ok;
}

void
ra_lives_free(struct ra_lives *lives)
{
   for (uint32_t u = 0; lives->unit && u < lives->num_units; u++)
      free(lives->unit[u].ranges);
   free(lives->unit);
   lives->unit = NULL;
}

bool
ra_overlap(const struct ra_life *a, const struct ra_life *b)
{
   uint32_t i = 0, k = 0;
   while (i < a->num && k < b->num) {
      if (a->ranges[i].end <= b->ranges[k].start)
         i++;
      else if (b->ranges[k].end <= a->ranges[i].start)
         k++;
      else
         return true;
   }
   return false;
}

void
ra_merge(struct ra_life *a, const struct ra_life *b)
{
   uint32_t n = 0, i = 0, k = 0;
   if (!b->num)
      return;
   struct ra_range *r = malloc((a->num + b->num) * sizeof(*r));
   while (i < a->num || k < b->num) {
      struct ra_range next = k == b->num || (i < a->num && a->ranges[i].start < b->ranges[k].start)
                                ? a->ranges[i++] : b->ranges[k++];
      if (n && r[n - 1].end == next.start)
         r[n - 1].end = next.end;
      else
         r[n++] = next;
   }
   free(a->ranges);
   a->ranges = r;
   a->num = n;
   a->max = n;
}
