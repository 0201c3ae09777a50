/* SPDX-License-Identifier: MIT */
/* What the parts of the list scheduler share: instructions of a region as nodes
 * of a graph (sched_deps.c), the registers that they take (sched_pressure.c), and
 * the choice of an order (sched_list.c). */
#ifndef TGSIAMD_SCHED_H
#define TGSIAMD_SCHED_H

#include "mir.h"

struct sched_node {
   struct mir_inst *inst;
   uint32_t height;           /* longest path of latencies to the end of the region */
   uint32_t preds, succs;     /* lists in sched.edges, index + 1 */
   uint32_t reads;            /* in sched.reads: units that may die here, each once */
   uint32_t need;
   uint32_t ready;            /* clock when what it reads is there, scalar loads aside */
   uint32_t smem_needed;      /* number of the last scalar load whose result it reads */
   uint16_t num_preds;        /* not placed yet */
   uint16_t num_reads;
   uint16_t seq;              /* place in the order that holds few registers */
   uint16_t room;             /* SGPRs that are to be free before, parts that nobody reads too */
   int16_t takes[2], relief[2]; /* registers by file: taken by results; freed by placing the node now */
   uint16_t latency, busy;    /* clocks to the result; until the wave's next instruction */
   bool is_smem, is_vmem, is_copy;
   bool after_smem;           /* a scalar load's result is needed for it */
   bool adds;                 /* the destination is a source as well */
};

struct sched_edge {
   uint32_t from, to, next_pred, next_succ;
   bool result;               /* the second wants what the first makes; else only the order counts */
};

/* A unit, or another resource that instructions wait for each other with. */
struct sched_res {
   uint32_t writer, readers;  /* the last writer, and those since; numbers of earlier regions count as none */
   uint32_t reader;           /* the last one that is counted below; a mark of who walks over the reads */
   uint32_t sum;              /* of the nodes of readers not placed yet, */
   uint16_t left;             /* and how many these are */
   uint8_t file;              /* of a unit */
   uint8_t place, weight;     /* of a unit: SGPRs of a group are free when nobody reads any of it, so the first counts for all */
   bool kept;                 /* read outside of the region */
};

/* Nodes whose predecessors are placed, by key, the largest last. */
struct sched_queue {
   struct sched_ready {
      uint64_t key;           /* the larger, the sooner, as far as that does not change */
      uint32_t node;
   } *ready;
   uint32_t num;
};

#define SCHED_MAX_REGION 4096
#define SCHED_MAX_OPERANDS 256 /* more dwords than an instruction reads and writes, and other resources */

/* Resources behind the units. */
enum { RES_SCC, RES_M0, RES_EXEC, RES_VCC, RES_MEM, RES_LDS, RES_EXPORT, NUM_RES };

struct sched {
   struct mir_program *p;
   struct sched_node *nodes;
   uint32_t n;
   struct sched_res *res;
   struct sched_edge *edges;
   uint32_t num_edges, max_edges;
   struct sched_reader { uint32_t node, next; } *readers;
   uint32_t num_readers, max_readers;
   uint32_t *reads, num_reads, max_reads;
   uint32_t first_node, first_reader; /* numbers used up by earlier regions */
   int come_in[2];            /* units by file that the region reads and does not make */
   bool exec_changes;         /* something in the region writes EXEC */
   uint32_t walks;            /* over the reads of a region, so far */
   int vgprs, sgprs;          /* alive now, of those that the region handles */
   struct sched_queue smem, others; /* scalar loads, by height first, and all else */
   bool by_height;            /* else by seq */
   bool careful, sgpr_full;
   uint16_t room;             /* for more SGPRs */
   uint32_t now;              /* clock, as estimated */
   uint32_t issue;            /* clocks from an instruction to the next */
   uint32_t smem_issued, smem_done; /* scalar loads begun and waited for */
   uint32_t smem_since, smem_due; /* clocks when those under way began, and will be there */
};

/* Adds edges from earlier nodes to this one, and fills what the instruction
 * tells of the node. */
void sched_add_node(struct sched *s, uint32_t node);
/* Before the next region. */
void sched_end_region(struct sched *s);
bool sched_ends_region(const struct mir_inst *inst);
static inline bool
sched_writes_exec(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return (info && (info->flags & ISA_WRITES_EXEC)) || (inst->def[0] & ~1u) == ISA_EXEC || (inst->def[1] & ~1u) == ISA_EXEC;
}
/* Control flow, waits, messages, and what has an effect that is no resource. */
static inline bool
sched_is_barrier(const struct mir_inst *inst)
{
   return (inst->side_effect || inst->i.op == MIR_INPUT) && sched_ends_region(inst);
}

/* sched_pressure.c: nothing is placed yet; numbers nodes in an order that holds
 * few registers, `order` being room for as many. Returns the most VGPRs alive in
 * that order. */
int sched_start(struct sched *s, uint32_t *order);
/* Keeps account of registers when the node is placed. */
void sched_place(struct sched *s, uint32_t node);

#endif
