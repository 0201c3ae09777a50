/* SPDX-License-Identifier: MIT */
/* State of the command processor, and the packets' handlers. */
#ifndef MODEL_CP_INTERNAL_H
#define MODEL_CP_INTERNAL_H

#include "cache/cache.h"
#include "cp.h"
#include "obs/report.h"
#include "pipeline.h"
#include "regs/regs_write.h"
#include "vm/vm.h"

struct cp_packet {
   uint32_t header;
   unsigned op;
   unsigned count;         /* dwords of the body */
   const uint32_t *body;
   uint64_t va;            /* of the header */
};

struct cp {
   struct cp_config config;
   const struct model_env *env;
   struct model_report *report;
   bool compute;           /* compute ring: no graphics packets */

   /* set by packets */
   uint64_t index_base;
   uint32_t index_max;
   uint32_t num_instances;
   uint64_t base[4];       /* SET_BASE: 1 is the base of indirect arguments */
   bool predicating, predicate, predicate_value;
   bool stats_on;          /* PIPELINESTAT_START / _STOP */
   uint64_t stats[11], stats_start[11];
   bool so_stopped;        /* by the same events, but streamout counts before the first of them */
   uint64_t so_stop[4][2], so_skipped[4][2];

   bool state_checked[3];  /* by enum cp_work: complete in this submission */
   bool instances_set;

   /* CONTEXT_CONTROL's enables as it has them, and where the values of each bank
    * lie (LOAD_*_REG): context registers, SH, UCONFIG */
   uint32_t load_enable, shadow_enable;
   uint64_t shadow_base[3];

   uint64_t uses_checked[2], uses_serial; /* cp_uses.c */

   /* position in the current buffer */
   uint32_t skip;          /* COND_EXEC: dwords left to skip */
   bool chained;           /* the next buffer replaces this one */
   uint64_t next_va;
   uint32_t next_dwords;
   unsigned depth;
   uint64_t packets_run;   /* since the submission began */
   uint32_t *copy;         /* buffer for IBs that cross mappings */
   uint32_t copy_max;
};

#define CP_LO_HI(lo, hi) ((uint64_t)(lo) | (uint64_t)(hi) << 32)

typedef void (*cp_handler)(struct cp *cp, const struct cp_packet *p);

/* cp.c */
void cp_call(struct cp *cp, uint64_t va, uint32_t dwords);
void cp_bad(struct cp *cp, const struct cp_packet *p, const char *why);

/* One group of packets a file. */
#define CP_HANDLERS(X)                                                                             \
   /* cp_regs.c */                                                                                 \
   X(set_config_reg) X(set_context_reg) X(set_sh_reg) X(set_sh_reg_index) X(set_uconfig_reg)       \
   X(set_uconfig_reg_index) X(load_context_reg) X(load_sh_reg) X(load_uconfig_reg)                 \
   X(load_context_reg_index) X(load_sh_reg_index) X(context_reg_rmw) X(clear_state)                \
   X(context_control)                                                                              \
   /* cp_draw.c */                                                                                 \
   X(draw_index_2) X(draw_index_auto) X(draw_index_offset_2) X(draw_indirect)                      \
   X(draw_index_indirect) X(draw_indirect_multi) X(draw_index_indirect_multi) X(num_instances)     \
   X(index_base) X(index_buffer_size) X(set_base) X(dispatch_direct) X(dispatch_indirect)          \
   X(strmout_buffer_update)                                                                        \
   /* cp_mem.c */                                                                                  \
   X(write_data) X(copy_data) X(dma_data) X(atomic_mem)                                            \
   /* cp_sync.c */                                                                                 \
   X(event_write) X(release_mem) X(acquire_mem) X(surface_sync) X(wait_reg_mem) X(cond_write)      \
   X(pfp_sync_me) X(rewind)                                                                        \
   /* cp_flow.c */                                                                                 \
   X(nop) X(indirect_buffer) X(cond_exec) X(set_predication)
#define CP_DECLARE(name) void cp_##name(struct cp *cp, const struct cp_packet *p);
CP_HANDLERS(CP_DECLARE)

/* cp_mem.c: for the cache checks, memory that the packet parser itself reads:
 * on the graphics ring the PFP, which is ahead of the ME. */
void cp_prefetch(struct cp *cp, uint64_t va, uint64_t size);

/* cp_state.c: reports registers that a draw or dispatch uses and that this
 * submission never set. */
enum cp_work { CP_WORK_DRAW, CP_WORK_INDEXED, CP_WORK_DISPATCH, CP_WORK_COUNT };
void cp_check_state(struct cp *cp, enum cp_work work);
bool cp_reg_written(const struct regs *r, uint32_t addr);
/* cp_uses.c: the same for registers that only some states use. */
void cp_check_uses(struct cp *cp, bool compute);

/* cp_trace.c: one packet in words on stderr, before it runs. */
void cp_trace(const struct cp *cp, const struct cp_packet *p, const char *name);

/* cp_sync.c: compares as WAIT_REG_MEM's FUNCTION field says. */
bool cp_compare(unsigned function, uint32_t value, uint32_t ref);

#endif
