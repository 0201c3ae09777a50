/* SPDX-License-Identifier: MIT */
/* Wave launch and the main loop; groups of waves take turns at barriers. */
#include <stdlib.h>
#include "cache/cache.h"
#include "wave.h"

struct sq *sq_create(void)
{
   struct sq *sq = calloc(1, sizeof(struct sq));
   if (sq)
      sq->common = calloc(1, sizeof(*sq->common));
   if (!sq || !sq->common) {
      free(sq);
      return NULL;
   }
   sq->budget = SQ_BUDGET;
   return sq;
}

struct sq *sq_create_twin(struct sq *of)
{
   struct sq *sq = calloc(1, sizeof(struct sq));
   if (!sq)
      return NULL;
   sq->common = of->common;
   sq->twin = true;
   sq->budget = SQ_BUDGET;
   return sq;
}

void sq_destroy(struct sq *sq)
{
   if (!sq)
      return;
   if (!sq->twin) {
      sq_programs_free(sq);
      free(sq->common);
   }
   for (unsigned n = 0; n < SQ_MAX_WAVES; n++) {
      if (sq->waves[n])
         free(sq->waves[n]->scratch_def);
      free(sq->waves[n]);
   }
   free(sq);
}

void sq_invalidate(struct sq *sq)
{
   sq->common->generation++;
}

void sq_set_order(struct sq *sq, sq_order order, void *ctx)
{
   sq->order = order;
   sq->order_ctx = ctx;
}

void sq_set_ahead(struct sq *sq, unsigned budget)
{
   sq->ahead = true;
   sq->budget = budget;
}

void sq_set_budget(struct sq *sq, unsigned budget) { sq->budget = budget; }

#if defined(__x86_64__)
#define FP_DEFAULT 0x1f80
#else
#define FP_DEFAULT 0
#endif

uint32_t sq_fp_begin(void)
{
   const uint32_t control = sq_fp_get();
   sq_fp_set(FP_DEFAULT);
   return control;
}

void sq_fp_end(uint32_t control) { sq_fp_set(control); }

/* In place of the handler of such an instruction. */
void sq_order_then(struct sq_wave *w, const struct sq_inst *i)
{
   const struct sq *sq = w->sq;
   if (sq->order && !sq->order(sq->order_ctx)) {
      w->state = SQ_DONE;
      return;
   }
   i->ordered(w, i);
}

/* ---- MODE ---- */

void sq_mode_changed(struct sq_wave *w)
{
   uint32_t m = w->mode;
#if defined(__x86_64__)
   /* MODE rounds: nearest, up, down, zero. MXCSR: nearest, down, up, zero. */
   static const uint32_t round[4] = {0x0000, 0x4000, 0x2000, 0x6000};
   const uint32_t base = FP_DEFAULT, daz = 0x0040, ftz = 0x8000;
   uint32_t flush32 = (SQ_MODE_DENORM32(m) & 1 ? 0 : daz) | (SQ_MODE_DENORM32(m) & 2 ? 0 : ftz);
   uint32_t flush64 = (SQ_MODE_DENORM64(m) & 1 ? 0 : daz) | (SQ_MODE_DENORM64(m) & 2 ? 0 : ftz);
   uint32_t flush_all = daz | ftz;
#else
   static const uint32_t round[4] = {0, 1u << 22, 2u << 22, 3u << 22};
   const uint32_t base = 0, flush_all = 1u << 24;
   uint32_t flush32 = SQ_MODE_DENORM32(m) == 3 ? 0 : flush_all;
   uint32_t flush64 = SQ_MODE_DENORM64(m) == 3 ? 0 : flush_all;
#endif
   w->slow = (w->slow & ~SQ_SLOW_VSKIP) | (m & SQ_MODE_VSKIP ? SQ_SLOW_VSKIP : 0);
   w->fp_control[SQ_FP_HOST] = base;
   w->fp_control[SQ_FP_F32] = base | flush32 | round[SQ_MODE_ROUND32(m)];
   w->fp_control[SQ_FP_MAD] = base | flush_all | round[SQ_MODE_ROUND32(m)];
   w->fp_control[SQ_FP_TRANS] = base | flush_all;
   w->fp_control[SQ_FP_F64] = base | flush64 | round[SQ_MODE_ROUND64(m)];
}

/* ---- launch ---- */

static uint64_t whole_quads(uint64_t v)
{
   v |= v >> 1 & 0x5555555555555555ull;
   v |= v >> 2 & 0x1111111111111111ull;
   return (v & 0x1111111111111111ull) * 15;
}

static struct sq_wave *wave_get(struct sq *sq, unsigned n)
{
   if (!sq->waves[n]) {
      sq->waves[n] = aligned_alloc(64, (sizeof(struct sq_wave) + 63) & ~(size_t)63);
      if (sq->waves[n])
         memset(sq->waves[n], 0, sizeof(struct sq_wave));
   }
   return sq->waves[n];
}

/* `used`: vector registers that the wave before may have touched. */
static void clear_waits(struct sq_wave *w, unsigned used)
{
   if (w->vm_issued)
      sq_zero(w->v_vm, used);
   if (w->lgkm_issued) {
      sq_zero(w->v_lgkm, used);
      sq_zero(w->s_lgkm, sizeof(w->s_lgkm) / 4);
   }
   if (w->exp_issued)
      sq_zero(w->v_exp, used);
   w->vm_issued = w->vm_done = w->lgkm_issued = w->lgkm_done = w->exp_issued = w->exp_done = 0;
   w->lgkm_smem = 0;
}

/* Nothing of the wave's scratch is stored to yet. */
static void scratch_start(struct sq_wave *w, uint32_t bytes)
{
   const uint32_t size = bytes / 32 + 8;
   if (size > w->scratch_max) {
      free(w->scratch_def);
      w->scratch_def = malloc(size);
      w->scratch_max = w->scratch_def ? size : 0;
   }
   if (w->scratch_def)
      memset(w->scratch_def, 0, size);
}

static bool wave_start(struct sq *sq, const struct model_env *env, const struct sq_wave_init *init, unsigned index,
                       const struct sq_sink *sink, unsigned lds_bytes)
{
   struct sq_wave *w = wave_get(sq, index);
   if (!w)
      return false;
   unsigned used = w->slow & SQ_SLOW_RANGE ? SQ_VGPRS : w->alloc_vgprs;
   clear_waits(w, used);
   w->sq = sq;
   w->env = env;
   w->init = init;
   w->sink = sink;
   w->index = index;
   w->lds_size = lds_bytes;
   w->alloc_vgprs = ((init->rsrc1 & 63) + 1) * 4;
   w->alloc_sgprs = ((init->rsrc1 >> 6 & 15) + 1) * 8;
   if (w->alloc_sgprs > ISA_FLAT_SCRATCH)
      w->alloc_sgprs = ISA_FLAT_SCRATCH;
   w->mode = (init->rsrc1 >> 12 & 0xff) | (init->rsrc1 >> 21 & 1) << 8 | (init->rsrc1 >> 23 & 1) << 9;
   w->idx_on = false;
   w->trapsts = w->priority = 0;
   w->gws_queued = false;
   w->written = NULL;
   w->state = SQ_RUN;
   w->slow = 0;
   w->budget = sq->budget;
   w->jump_to = NULL;
   w->time = 0;
   w->scc = w->scc_def = false;
   sq_mode_changed(w);

   used = used > w->alloc_vgprs ? used : w->alloc_vgprs;
   sq_zero(w->sdef, sizeof(w->sdef) / 4);
   sq_zero(w->sgpr, sizeof(w->sgpr) / 4);
   for (unsigned n = 0; n < init->num_sgprs && n < 64; n++)
      sq_set_s32(w, n, init->sgpr[n], init->sgpr_undef >> n & 1 ? 0 : ~0u);
   sq_set_s64(w, ISA_EXEC, init->exec, ~0ull);
   sq_set_s32(w, ISA_M0, init->m0, init->stage == SQ_PS || init->stage == SQ_ESGS ? ~0u : 0);
   if (init->scratch_size)
      scratch_start(w, init->scratch_size);
   if (init->scratch_va)
      sq_set_s64(w, ISA_FLAT_SCRATCH, init->scratch_va, ~0ull);

   /* Helper lanes of a pixel wave have inputs as well. */
   uint64_t lanes = init->stage == SQ_PS ? whole_quads(init->exec) : init->exec;
   sq_zero(w->vdef, used * 2);
   unsigned given = init->num_vgprs < 32 ? init->num_vgprs : 32;
   sq_copy(w->vgpr[0], init->vgpr[0], given);
   if (w->alloc_vgprs > given)
      sq_zero(w->vgpr[given], (w->alloc_vgprs - given) * SQ_LANES);
   for (unsigned n = 0; n < given; n++)
      w->vdef[n] = lanes;
   w->one_primitive = init->quad_attrs[0] != NULL;
   for (unsigned q = 1; q < 16; q++)
      w->one_primitive &= !init->quad_attrs[q] || init->quad_attrs[q] == init->quad_attrs[0];
   w->program = sq_program_get(sq, env, init->pc);
   if (!w->program)
      return false;
   w->next = sq_program_at(w, init->pc);
   if (sq_program_max_sgpr(w->program) > w->alloc_sgprs || sq_program_max_vgpr(w->program) > w->alloc_vgprs)
      w->slow |= SQ_SLOW_RANGE;
   if (model_traces_waves(env->report) && (!env->watch || init->stage != SQ_PS || init->watched))
      w->slow |= SQ_SLOW_TRACE;
   return w->next != NULL;
}

/* ---- run ---- */

static void hang(struct sq_wave *w, const struct sq_inst *i)
{
   sq_place(w, i, -1);
   model_fail(w->env->report, 62 /* ETIME */, CHECK_HANG, "%u instructions and no end", w->sq->budget);
   w->state = SQ_DONE;
}

/* What MODE.VSKIP leaves out. */
static bool is_vector(const struct sq_inst *i)
{
   return i->unit == ISA_UNIT_VALU || i->unit == ISA_UNIT_VMEM || i->unit == ISA_UNIT_LDS || i->unit == ISA_UNIT_GDS ||
          i->unit == ISA_UNIT_FLAT || i->unit == ISA_UNIT_EXPORT;
}

static void wave_run(struct sq_wave *w)
{
   while (w->state == SQ_RUN) {
      const struct sq_inst *i = w->next;
      w->next = i + 1;
      if (__builtin_expect(--w->budget == 0, 0)) {
         hang(w, i);
         return;
      }
      if (__builtin_expect(w->slow, 0)) {
         if (w->slow & SQ_SLOW_VSKIP && is_vector(i))
            continue;
         sq_check_slow(w, i);
      }
      w->count[i->unit]++;
      w->busy[i->unit] += i->busy;
      w->time += i->cycles;
      if (i->unit == ISA_UNIT_VALU) {
         w->valu_lanes += (unsigned)__builtin_popcountll(sq_exec(w));
         w->valu_slow += i->busy > 4;
      }
      i->fn(w, i);
      if (__builtin_expect(w->slow & SQ_SLOW_TRACE, 0))
         sq_trace(w, i);
   }
}

static void add_stats(struct sq_wave *w, unsigned num_waves)
{
   struct model_stats *s = w->env->stats;
   uint64_t *c = w->count, all = 0;
   for (unsigned n = 0; n <= ISA_UNIT_INTERNAL; n++)
      all += c[n];
   s->instructions += all;
   s->stage_instructions[w->init->stage] += all;
   for (unsigned n = 0; n <= ISA_UNIT_INTERNAL; n++)
      s->busy[n] += w->busy[n];
   s->valu_lanes += w->valu_lanes;
   s->valu_slow += w->valu_slow;
   sq_timing_end(w, num_waves);
   s->inst_salu += c[ISA_UNIT_SALU];
   s->inst_valu += c[ISA_UNIT_VALU];
   s->inst_smem += c[ISA_UNIT_SMEM];
   s->inst_vmem += c[ISA_UNIT_VMEM] + c[ISA_UNIT_FLAT];
   s->inst_lds += c[ISA_UNIT_LDS] + c[ISA_UNIT_GDS];
   s->inst_exp += c[ISA_UNIT_EXPORT];
   s->inst_branch += c[ISA_UNIT_BRANCH];
   memset(w->count, 0, sizeof(w->count));
   memset(w->busy, 0, sizeof(w->busy));
   w->valu_lanes = w->valu_slow = 0;
}

void sq_run(struct sq *sq, const struct model_env *env, const struct sq_wave_init *waves, unsigned num_waves,
            unsigned lds_bytes, const struct sq_sink *sink)
{
   sq_run_prepared(sq, env, waves, num_waves, lds_bytes, sink, NULL, NULL);
}

void sq_run_prepared(struct sq *sq, const struct model_env *env, const struct sq_wave_init *waves,
                     unsigned num_waves, unsigned lds_bytes, const struct sq_sink *sink,
                     void (*prepare)(struct sq_wave *w, void *ctx), void *ctx)
{
   uint32_t host = sq_fp_get();
   if (model_failed(env->report))
      return;
   if (num_waves > SQ_MAX_WAVES || lds_bytes > SQ_LDS_BYTES) {
      model_violation(env->report, CHECK_STATE, "group of %u waves and %u bytes of LDS, at most %u and %u", num_waves,
                      lds_bytes, SQ_MAX_WAVES, SQ_LDS_BYTES);
      return;
   }
   if (lds_bytes) {
      memset(sq->lds, 0, lds_bytes);
      memset(sq->lds_def, 0, (lds_bytes + 7) / 8);
   }
   if (!sq->ahead)
      cache_begin_waves(env->cache, waves[0].stage);
   cache_read_bytes(env->cache, env->report, CACHE_I, waves[0].pc, 64);
   for (unsigned n = 0; n < num_waves; n++)
      if (!wave_start(sq, env, &waves[n], n, sink, lds_bytes))
         return;
   for (unsigned n = 0; prepare && n < num_waves; n++)
      prepare(sq->waves[n], ctx);

   /* Each wave runs to its next barrier or end; a barrier opens when every
    * wave that has not ended is there. A wave that asks a GWS resource in vain
    * asks again when the others have run. */
   bool alive = true, asking = false;
   sq->common->running++;
   while (alive && !model_failed(env->report)) {
      bool moved = false, asks = false;
      alive = false;
      for (unsigned n = 0; n < num_waves && !model_failed(env->report); n++) {
         struct sq_wave *w = sq->waves[n];
         alive |= w->state != SQ_DONE;
         if (w->state == SQ_DONE || (w->state == SQ_BARRIER && asking))
            continue;
         unsigned budget = w->budget, again = w->state == SQ_ASK ? 1 : 0;
         w->state = SQ_RUN;
         w->fp_now = ~0u;
         wave_run(w);
         moved |= budget - w->budget > again || w->state != SQ_ASK;
         asks |= w->state == SQ_ASK;
      }
      if (num_waves > 1)
         sq_timing_barrier(sq->waves, num_waves);
      asking = asks;
      if (asks && !moved)
         sq_gws_stuck(sq, num_waves);
   }
   sq->common->running--;
   sq_fp_set(host);
   for (unsigned n = 0; n < num_waves; n++)
      add_stats(sq->waves[n], num_waves);
   struct model_where *where = model_where(env->report);
   where->pc = where->shader_va = 0;
   where->disasm[0] = 0;
   where->lane = -1;
}
