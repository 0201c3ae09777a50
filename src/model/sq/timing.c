/* SPDX-License-Identifier: MIT */
/* Estimated time: how long an instruction keeps its wave and its unit, and when
 * what it asked of memory is there. Counted in clocks of the shader engine, by
 * fixed rules, so that the same wave always takes the same time: two compilers
 * can be compared on it. Rates are those of the GCN documents: a SIMD takes 4
 * clocks for 64 lanes, quarter-rate operations 16, double precision on Raven
 * 64; a TA addresses 4 texels a clock, the vector L1 moves 64 bytes a clock,
 * LDS has 32 banks. Memory latency is the table's (isa_latency), as for
 * a hit in the L2; nothing queues. */
#include "wave.h"

#define LDS_BANKS 32
#define TA_LANES_PER_CLOCK 4
#define L1_BYTES_PER_CLOCK 64
#define EXPORT_LANES_PER_CLOCK 16
#define ISSUE 4

static unsigned dwords_moved(const struct sq_inst *i)
{
   unsigned n = i->dst_dw;
   for (unsigned s = 1; s < 4; s++)
      if (i->src[s].kind == SQ_SRC_VGPR && !n)
         n = i->src[s].dw;
   return n ? n : 1;
}

static unsigned vmem_clocks(const struct sq_inst *i)
{
   const unsigned data = dwords_moved(i) * 4 * SQ_LANES / L1_BYTES_PER_CLOCK;
   const unsigned address = i->isa.enc == ISA_ENC_MIMG ? SQ_LANES / TA_LANES_PER_CLOCK : ISSUE;
   return data > address ? data : address;
}

/* Registers that an export sends; compressed ones hold two components. */
static unsigned export_registers(const struct isa_inst *isa)
{
   const unsigned en = isa->exp_en;
   const unsigned n = isa->exp_compr ? !!(en & 3) + !!(en & 12) : (unsigned)__builtin_popcount(en & 15);
   return n ? n : 1;
}

void sq_timing_decode(struct sq_inst *i)
{
   const unsigned latency = isa_latency(SQ_GFX, i->isa.op);
   i->latency = latency;
   i->cycles = i->busy = ISSUE;
   switch (i->unit) {
   case ISA_UNIT_SALU:
   case ISA_UNIT_SMEM:
   case ISA_UNIT_BRANCH:
      i->busy = 1; /* one scalar unit a CU, shared by four SIMDs in turn */
      break;
   case ISA_UNIT_VALU:
      i->cycles = i->busy = latency > ISSUE ? latency : ISSUE;
      break;
   case ISA_UNIT_VMEM:
   case ISA_UNIT_FLAT:
      i->busy = vmem_clocks(i);
      break;
   case ISA_UNIT_LDS:
   case ISA_UNIT_GDS:
      i->busy = dwords_moved(i) * SQ_LANES / LDS_BANKS;
      break;
   case ISA_UNIT_EXPORT:
      i->busy = export_registers(&i->isa) * SQ_LANES / EXPORT_LANES_PER_CLOCK;
      break;
   case ISA_UNIT_INTERNAL:
      if (i->isa.op == ISA_S_NOP)
         i->cycles = ISSUE * (i->isa.imm % 16 + 1u);
      break;
   default:
      break;
   }
}

/* ---- outstanding work ---- */

void sq_timing_issue(struct sq_wave *w, const struct sq_inst *i, unsigned counter, uint32_t number)
{
   uint64_t *ready = &w->ready[counter][number % SQ_READY];
   const uint64_t before = w->ready[counter][(number - 1) % SQ_READY], at = w->time + i->latency + i->busy;
   *ready = number > 1 && before > at ? before : at; /* in order */
}

void sq_timing_wait(struct sq_wave *w, unsigned counter, uint32_t number)
{
   const uint64_t at = w->ready[counter][number % SQ_READY];
   if (number && at > w->time)
      w->time = at;
}

void sq_timing_barrier(struct sq_wave *const *waves, unsigned num)
{
   uint64_t last = 0;
   for (unsigned n = 0; n < num; n++)
      if (waves[n]->state == SQ_BARRIER && waves[n]->time > last)
         last = waves[n]->time;
   for (unsigned n = 0; n < num; n++)
      if (waves[n]->state == SQ_BARRIER)
         waves[n]->time = last;
}

/* ---- LDS banks ---- */

/* Extra clocks of one access: 32 lanes go at once, lanes that want different
 * dwords of one bank go one after the other. */
void sq_timing_lds(struct sq_wave *w, const struct sq_inst *i)
{
   const bool moves_lanes = i->isa.op == ISA_DS_SWIZZLE_B32 || i->isa.op == ISA_DS_PERMUTE_B32 ||
                            i->isa.op == ISA_DS_BPERMUTE_B32;
   if (i->isa.gds || moves_lanes || i->src[0].kind != SQ_SRC_VGPR)
      return;
   const uint32_t *addr = w->vgpr[i->src[0].reg];
   const uint64_t exec = sq_exec(w);
   for (unsigned half = 0; half < SQ_LANES; half += LDS_BANKS) {
      bool seen[LDS_BANKS];
      uint32_t last[LDS_BANKS];
      unsigned depth[LDS_BANKS] = {0}, most = 1;
      memset(seen, 0, sizeof(seen));
      for (unsigned l = half; l < half + LDS_BANKS; l++) {
         if (!(exec >> l & 1))
            continue;
         const unsigned dword = addr[l] / 4, bank = dword % LDS_BANKS;
         if (seen[bank] && last[bank] == dword)
            continue;
         seen[bank] = true;
         last[bank] = dword;
         if (++depth[bank] > most)
            most = depth[bank];
      }
      w->env->stats->lds_conflicts += most - 1;
      w->env->stats->busy[ISA_UNIT_LDS] += most - 1;
   }
}

/* ---- end of a wave ---- */

static unsigned waves_per_simd(const struct sq_wave *w, unsigned num_waves)
{
   const struct isa_limits *lim = isa_limits(SQ_GFX);
   unsigned most = lim->max_waves_per_simd;
   const unsigned by_vgprs = lim->phys_vgprs_per_simd / w->alloc_vgprs;
   const unsigned by_sgprs = lim->phys_sgprs_per_simd ? lim->phys_sgprs_per_simd / (w->alloc_sgprs + 6) : most;
   if (by_vgprs < most)
      most = by_vgprs;
   if (by_sgprs < most)
      most = by_sgprs;
   if (w->lds_size) {
      const unsigned groups = lim->lds_bytes_per_cu / w->lds_size;
      const unsigned by_lds = (groups * num_waves + lim->simds_per_cu - 1) / lim->simds_per_cu;
      if (by_lds < most)
         most = by_lds;
   }
   return most ? most : 1;
}

void sq_timing_end(const struct sq_wave *w, unsigned num_waves)
{
   struct model_stats *s = w->env->stats;
   s->wave_cycles[w->init->stage] += w->time;
   s->slot_cycles += w->time * MODEL_SLOT_UNIT / waves_per_simd(w, num_waves);
}
