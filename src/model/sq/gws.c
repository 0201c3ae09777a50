/* SPDX-License-Identifier: MIT */
/* Global wave sync (ds_gws_*): 64 counters that waves use as semaphores and
 * barriers; and ordered counts in GDS (ds_ordered_count). M0 bits 21:16 are the
 * base of the resource's number, the instruction's offset is added. */
#include "wave.h"

static struct sq_gws *resource(struct sq_wave *w, const struct sq_inst *i)
{
   sq_need_sgpr(w, i, ISA_M0, 1, "GWS resource");
   return &w->sq->common->gws[((w->sgpr[ISA_M0] >> 16) + (uint32_t)i->isa.offset) & 63];
}
/* The first active lane's. */
static uint32_t value(struct sq_wave *w, const struct sq_inst *i)
{
   uint64_t exec = sq_exec(w);
   unsigned lane = exec ? (unsigned)__builtin_ctzll(exec) : 0;
   sq_need_vgpr(w, i, i->src[0].reg, 1, 1ull << lane, "GWS count");
   return w->vgpr[i->src[0].reg][lane];
}
static void done(struct sq_wave *w, const struct sq_inst *i)
{
   w->gws_queued = false;
   sq_issue_lgkm(w, i, true);
   sq_issue_exp(w, i);
}
static void ask_again(struct sq_wave *w, const struct sq_inst *i, struct sq_gws *r)
{
   if (!w->gws_queued)
      r->waiting++;
   w->gws_queued = true;
   w->next = i;
   w->state = SQ_ASK;
}

static void h_init(struct sq_wave *w, const struct sq_inst *i)
{
   *resource(w, i) = (struct sq_gws){.counter = value(w, i)};
   done(w, i);
}
static void h_sema_v(struct sq_wave *w, const struct sq_inst *i)
{
   resource(w, i)->counter++;
   done(w, i);
}
static void h_sema_br(struct sq_wave *w, const struct sq_inst *i)
{
   resource(w, i)->counter += value(w, i);
   done(w, i);
}
/* Lets the whole queue go; without one it has no effect. */
static void h_sema_release_all(struct sq_wave *w, const struct sq_inst *i)
{
   struct sq_gws *r = resource(w, i);
   r->counter = r->waiting;
   done(w, i);
}
static void h_sema_p(struct sq_wave *w, const struct sq_inst *i)
{
   struct sq_gws *r = resource(w, i);
   if (!r->counter) {
      ask_again(w, i, r);
      return;
   }
   r->counter--;
   if (w->gws_queued)
      r->waiting--;
   done(w, i);
}
/* The wave that finds 0 opens the barrier and sets the count of the next one. */
static void h_barrier(struct sq_wave *w, const struct sq_inst *i)
{
   struct sq_gws *r = resource(w, i);
   if (w->gws_queued) {
      if (r->flag == w->gws_flag) {
         ask_again(w, i, r);
         return;
      }
      r->waiting--;
   } else if (r->counter) {
      r->counter--;
      w->gws_flag = r->flag;
      ask_again(w, i, r);
      return;
   } else {
      r->flag = !r->flag;
      r->counter = value(w, i);
   }
   done(w, i);
}

void sq_gws_stuck(struct sq *sq, unsigned num_waves)
{
   for (unsigned n = 0; n < num_waves; n++) {
      struct sq_wave *w = sq->waves[n];
      if (w->state != SQ_ASK)
         continue;
      sq_place(w, w->next, -1);
      model_fail(w->env->report, 62 /* ETIME */, CHECK_HANG, "the wave waits for a GWS resource that no other wave gives");
      return;
   }
}

/* M0: GDS address in the upper half, the wave's turn in the lower. Offset 0 is
 * the counter's byte offset; offset 1: release, done, and from bit 4 the
 * operation, 0 adds, 1 swaps. Waves run one after the other in their order, so
 * that it is always the wave's turn. The value is the first active lane's. */
static void h_ordered_count(struct sq_wave *w, const struct sq_inst *i)
{
   uint64_t exec = sq_exec(w);
   uint32_t old, now, in = exec ? value(w, i) : 0;
   sq_need_sgpr(w, i, ISA_M0, 1, "GDS address");
   uint32_t at = (w->sgpr[ISA_M0] >> 16) + ((uint32_t)i->isa.offset & 0xfc), op = (uint32_t)i->isa.offset >> 12 & 3;
   sq_place(w, i, -1);
   if (at + 4 > SQ_LDS_BYTES) {
      model_violation(w->env->report, CHECK_RANGE, "GDS address 0x%x; there are 0x%x", at, SQ_LDS_BYTES);
   } else if (op > 1) {
      model_violation(w->env->report, CHECK_INSTRUCTION, "ordered count of operation %u", op);
   } else if (exec) {
      memcpy(&old, w->sq->common->gds + at, 4);
      now = op ? in : old + in;
      memcpy(w->sq->common->gds + at, &now, 4);
      for (unsigned l = 0; l < SQ_LANES; l++)
         if (exec >> l & 1)
            w->vgpr[i->dst][l] = old;
      sq_define(w, i->dst, 1, exec);
   }
   done(w, i);
}

bool sq_decode_gws(struct sq_inst *i)
{
   switch (i->isa.op) {
   case ISA_DS_GWS_INIT: i->fn = h_init; break;
   case ISA_DS_GWS_SEMA_V: i->fn = h_sema_v; break;
   case ISA_DS_GWS_SEMA_BR: i->fn = h_sema_br; break;
   case ISA_DS_GWS_SEMA_P: i->fn = h_sema_p; break;
   case ISA_DS_GWS_SEMA_RELEASE_ALL: i->fn = h_sema_release_all; break;
   case ISA_DS_GWS_BARRIER: i->fn = h_barrier; break;
   case ISA_DS_ORDERED_COUNT: i->fn = h_ordered_count; break;
   default: return false;
   }
   return true;
}
