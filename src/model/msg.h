/* SPDX-License-Identifier: MIT */
/* Plain structs that blocks of the model pass to each other. Blocks never
 * include each other's headers except where this file or gpu.c says; gpu.c
 * wires them. */
#ifndef MODEL_MSG_H
#define MODEL_MSG_H

#include <stdbool.h>
#include <stdint.h>

struct isa_inst;
struct model_report;
struct regs;
struct tgsiamd_model_vm;
struct model_stats;
struct model_cache;
struct model_undef;
struct dump;
struct stats_file;

/* A pixel whose history is wanted. */
struct model_watch { int x, y; };

/* What every block is given at each piece of work. */
struct model_env {
   struct tgsiamd_model_vm *vm;
   const struct regs *regs;
   struct model_report *report;
   struct model_stats *stats;
   const struct tgsiamd_chip *chip;
   struct model_cache *cache; /* NULL: caches are not checked */
   struct model_undef *undef; /* NULL: undefined values are not followed through memory */
   void *addrlib;             /* ADDR_HANDLE, made by surf from GB_ADDR_CONFIG */
   uint64_t work_end;         /* model_work() at which the submission counts as hung; 0 never */
   const struct model_watch *watch; /* NULL: no pixel is watched */
   struct dump *dump;         /* NULL: no draw is dumped */
   struct stats_file *stats_file; /* NULL: statistics of single draws are not wanted */
};

/* Unit of model_stats.slot_cycles: divisible by every number of waves a SIMD
 * can hold. */
#define MODEL_SLOT_UNIT 2520

/* Counters; single writer per run, added up at exit as an array of uint64_t. */
struct model_stats {
   uint64_t submissions, packets, draws, dispatches;
   uint64_t indices, vertices, primitives, prims_culled, prims_clipped, raster_quads, quads, pixels_shaded;
   uint64_t samples_killed_z, samples_written;
   uint64_t waves[8];         /* by enum sq_stage */
   uint64_t lanes[8];
   uint64_t instructions, inst_salu, inst_valu, inst_smem, inst_vmem, inst_lds, inst_exp, inst_branch;
   uint64_t stage_instructions[8]; /* by enum sq_stage */
   uint64_t valu_lanes;       /* active lanes over all VALU instructions */
   uint64_t valu_slow;        /* of these, instructions below the full rate */
   uint64_t exports[4];       /* colour, depth, position, parameter */
   uint64_t lds_conflicts;    /* clocks lost to bank conflicts */
   uint64_t read[9], written[9]; /* bytes by enum vm_client */
   /* estimated time in clocks (sq/timing.c) */
   uint64_t busy[10];         /* of each unit, by enum isa_unit */
   uint64_t wave_cycles[8];   /* from launch to end, summed, by enum sq_stage */
   uint64_t cycles;           /* of all draws, one after the other */
   uint64_t slot_cycles;      /* wave clocks / waves that fit a SIMD, in 1/MODEL_SLOT_UNIT */
};

/* How much a run has done, in steps of any kind: what never ends is ended by it,
 * at the same step every time. */
static inline uint64_t model_work(const struct model_stats *s)
{
   return s->instructions + s->indices + s->raster_quads + s->primitives + s->packets + (s->read[0] + s->read[1] + s->written[0] + s->written[1]) / 64;
}

/* CP -> VGT */
struct msg_draw {
   bool indexed;              /* otherwise indices count up from 0 */
   uint8_t index_size;        /* 1, 2, 4 bytes */
   uint64_t index_va;
   uint32_t max_indices;      /* of the index buffer; beyond: index 0 */
   uint32_t num_indices;      /* per instance */
   uint32_t num_instances;
   uint32_t first_index;      /* added to positions, not to indices */
   bool from_streamout;       /* count already resolved */
};

/* CP -> SPI */
struct msg_dispatch {
   uint32_t groups[3];        /* or threads, when the initiator says so */
   uint32_t initiator;        /* COMPUTE_DISPATCH_INITIATOR */
};

/* Stages as the SQ sees them on GFX9 (hardware stages). */
enum sq_stage { SQ_VS, SQ_PS, SQ_CS, SQ_LSHS, SQ_ESGS, SQ_STAGE_COUNT };

/* Parameters of one primitive for interpolation: [attribute][channel] of
 * P0, P10 = v1 - v0, P20 = v2 - v0, as bits of floats. */
typedef const uint32_t msg_prim_attrs[4][3];

/* SPI -> SQ: a wave as it starts. */
struct sq_wave_init {
   enum sq_stage stage;
   uint64_t pc;               /* byte address of the first instruction */
   uint32_t rsrc1, rsrc2;     /* SPI_SHADER_PGM_RSRC1/2_* or COMPUTE_PGM_RSRC1/2 */
   unsigned num_sgprs;        /* initialised SGPRs, from s0 */
   uint32_t sgpr[64];
   uint64_t sgpr_undef;       /* of these, user data that the submission never wrote */
   unsigned num_vgprs;        /* initialised VGPRs, from v0 */
   uint32_t vgpr[32][64];
   uint64_t exec;
   uint32_t m0;
   bool watched;              /* env->watch is among its pixels */
   /* pixel waves */
   msg_prim_attrs *quad_attrs[16];  /* per quad (lanes 4q..4q+3), [attribute] */
   unsigned num_attrs;
   uint64_t scratch_va;       /* FLAT_SCRATCH / ring base for this stage, 0 none */
   uint32_t scratch_size;     /* bytes per wave */
   uint32_t scratch_offset;   /* of this wave in the ring */
};

/* SQ -> SPI: what a wave sends out. Called in program order of the wave. */
struct sq_sink {
   void *ctx;
   /* EXP. `src` are the four source registers (NULL when not enabled by en);
    * `en` as encoded; compr: src[0], src[1] hold packed halves. */
   void (*export)(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                  bool done, bool vm, uint64_t exec, const uint32_t *const src[4]);
   /* S_SENDMSG: simm16, M0 and EXEC */
   void (*message)(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec);
};

/* SQ -> TA: an image instruction of one wave. */
struct ta_image_op {
   const struct isa_inst *inst;
   uint32_t rsrc[8], samp[4];
   const uint32_t *addr[16];  /* address VGPRs in order, 64 lanes each */
   unsigned num_addr;
   const uint32_t *data[5];   /* stores, atomics */
   uint64_t exec;
   uint32_t (*result)[64];    /* loads: dwords of the destination in order */
   unsigned num_result;       /* from isa_dst_dwords */
};

/* SQ -> TA: a MUBUF or MTBUF instruction. */
struct ta_buffer_op {
   const struct isa_inst *inst;
   uint32_t rsrc[4];
   const uint32_t *vindex, *voffset; /* NULL when IDXEN/OFFEN is 0 */
   uint32_t soffset;
   const uint32_t *data[5];
   uint64_t exec;
   uint32_t (*result)[64];    /* loads and atomics with glc */
   unsigned num_result;
   /* the wave's scratch, for V#s that add the thread's number; a bit for each
    * dword says whether it was stored to. Size 0: not known. */
   uint32_t scratch_offset, scratch_size;
   uint8_t *scratch_def;
   uint64_t *scratch_undef;   /* lanes that loaded what they never stored */
   /* Dwords that follow undefined values through memory (env->undef), NULL: they
    * do not; lanes that are undefined, in for stores, out for loads. */
   uint64_t *undef;
};

/* DB, PS -> CB: up to 16 quads of one pixel wave, in order. Lane 4q + i is
 * pixel (x[q] + (i & 1), y[q] + (i >> 1)). */
struct msg_ps_quads {
   unsigned num_quads;
   int16_t x[16], y[16];
   uint16_t layer[16];
   uint16_t coverage[64];     /* per lane, bit s: sample s passed everything */
   /* raw export dwords per colour target: [4][64], NULL when not exported */
   const uint32_t (*color[8])[64];
   uint8_t color_en[8];
   bool color_compr[8];
   bool from_db;              /* color[0] is not the shader's: depth as a float, stencil as an integer */
};

/* CP -> the world: what an event or release makes visible. */
struct msg_surface_sync { uint32_t coher_cntl; uint64_t base, size; };

#endif
