/* SPDX-License-Identifier: MIT */
/* Machine IR: isa_inst with virtual registers.
 *
 * A register is a number. Below MIR_VIRT it is an operand as in isa.h (physical
 * register, inline constant, ISA_LITERAL, ISA_NONE). From MIR_VIRT on it names
 * a unit: one virtual dword. Units of a vector are a group: neighbours that the
 * allocator places side by side. Each unit has its own life, so a vector is
 * built by writing its units one by one and a component is read in place.
 *
 * Blocks stand in the order of the code. There are two flow graphs over them:
 * the logical one (where lanes can go) rules VGPRs, whose writes leave inactive
 * lanes alone; the linear one (where the wave can go: fall through and
 * branches) rules SGPRs. */
#ifndef TGSIAMD_MIR_H
#define TGSIAMD_MIR_H

#include "ir/ir.h"
#include "tgsiamd/isa.h"

#define MIR_VIRT 0x10000u
typedef uint32_t mir_reg;

enum mir_pseudo {
   MIR_COPY = ISA_OP_COUNT, /* def[0] <- src[0], one dword */
   MIR_UNDEF,               /* def[0] gets any value */
   MIR_INPUT,               /* def[0] is in its fixed register when the wave starts */
   MIR_MARK,                /* a place in the code, makes nothing */
};

struct mir_block;

struct mir_inst {
   /* What every pass looks at comes first. */
   struct mir_inst *next, *prev;
   mir_reg def[2], src[4];
   uint8_t def_n[2], src_n[4]; /* dwords */
   bool keep_enc;           /* encoding must not change (literal, DPP) */
   bool block_only;         /* nobody in other blocks reads the result */
   bool side_effect;        /* stays though nothing reads its results */
   uint8_t flags;           /* scratch space of the running pass */
   struct isa_inst i;       /* op, encoding, modifiers; operands are above */
   uint32_t pos;            /* number in program order, kept by passes that need it */
   struct mir_block *block;
   struct mir_block *target; /* branches */
};

#define MIR_MAX_EARLY 256

struct mir_block {
   uint32_t index;
   struct mir_inst *first, *last;
   struct mir_inst *tail;   /* first instruction of control flow at the end, or NULL */
   uint32_t num_branches;   /* instructions with a target */
   struct mir_block **lpreds, **lsuccs; /* logical */
   uint32_t num_lpreds, num_lsuccs, max_lpreds, max_lsuccs;
   struct mir_block **xpreds, **xsuccs; /* linear, by mir_linear_edges */
   uint32_t num_xpreds, num_xsuccs, max_xpreds, max_xsuccs;
   /* Linear edge to `early_target` on which no lane is active: these units are
    * not made yet there, and need no register before. */
   struct mir_block *early_target;
   uint32_t *early_units, num_early, max_early;
   uint32_t loop_depth;
   uint32_t first_pos, last_pos;
   uint32_t offset;         /* bytes, when laid out */
};

enum mir_file { MIR_SGPR, MIR_VGPR };

struct mir_unit {
   uint8_t file;            /* enum mir_file */
   uint8_t index, size;     /* place in its group */
   uint8_t align;           /* of the group's first register */
   bool fixed;              /* stays in the register it has before allocation */
   bool no_spill;           /* made by spilling itself */
   bool everywhere;         /* alive in the whole program: lanes hold spilled SGPRs */
   uint16_t phys;           /* register number, MIR_NO_PHYS before allocation */
};
#define MIR_NO_PHYS 0xffff

/* Where spilled SGPRs are (ra_lanes.c). */
struct mir_lanes {
   uint32_t used;           /* the next slot; 0: there is none yet */
   uint32_t num_vgprs;
   mir_reg through;         /* VGPR for lanes that are in memory; 0: none */
};

struct mir_program {
   struct ir_shader *sh;    /* arena, error, info */
   const struct compiler_target *target;
   struct mir_block **blocks;
   uint32_t num_blocks, max_blocks;
   struct mir_unit *units;
   uint32_t num_units, max_units;
   uint32_t num_insts;
   uint32_t num_sgprs, num_vgprs; /* after allocation; SGPRs without VCC */
   bool uses_vcc;
   uint32_t num_user_sgprs;      /* that the wave starts with; the system's SGPRs follow */
   mir_reg inputs[512];          /* units of SGPRs, VGPRs (from 256) that hold inputs; 0: none */
   struct ra_lives *lives;       /* of all units, while nobody changes the code; or NULL */
   struct mir_inst *inputs_end;  /* inputs are defined before it */
   struct mir_inst *entry_end;   /* what all of the program has is made of them before it, and stays there */
   uint32_t scratch_dwords;      /* per lane */
   struct mir_lanes lanes;
   mir_reg scratch_desc, scratch_offset; /* V# of the ring, the wave's offset; 0: not needed yet */
   struct {
      mir_reg desc;              /* V# of the table of constants; 0: nobody needs it */
      struct mir_inst *pc, *add; /* what finds it: the place of `pc`, the distance to the table */
   } table;
   struct tgsiamd_shader_stats stats;
};

static inline bool mir_is_virt(mir_reg r) { return r >= MIR_VIRT; }
static inline bool mir_is_sgpr_number(mir_reg r) { return r < ISA_VCC; }
static inline uint32_t mir_unit_id(mir_reg r) { return r - MIR_VIRT; }
static inline struct mir_unit *mir_unit(struct mir_program *p, mir_reg r) { return &p->units[r - MIR_VIRT]; }

/* All of it lives in the shader's arena. mir_block_create: the block is no part
 * of the code yet. */
struct mir_program *mir_create(struct ir_shader *sh);
struct mir_block *mir_block_create(struct mir_program *p);
/* Appends the block to the code. */
void mir_block_place(struct mir_program *p, struct mir_block *b);
/* The way of the lanes; VGPRs live along it. */
void mir_logical_edge(struct mir_program *p, struct mir_block *from, struct mir_block *to);
/* Finds the linear edges anew from branches and order. */
void mir_linear_edges(struct mir_program *p);
/* Notes a unit of the edge from `b` to `target` on which no lane is active (early_units). */
void mir_early_unit(struct mir_program *p, struct mir_block *b, struct mir_block *target, uint32_t unit);
/* First unit of a new group of n dwords. */
mir_reg mir_new_reg(struct mir_program *p, enum mir_file file, unsigned n);
mir_reg mir_new_reg_aligned(struct mir_program *p, enum mir_file file, unsigned n, unsigned align);

/* An instruction without operands (op: ISA_* or MIR_*), and where to put it. */
struct mir_inst *mir_inst_create(struct mir_program *p, unsigned op);
void mir_append(struct mir_block *b, struct mir_inst *inst);
void mir_insert_before(struct mir_inst *at, struct mir_inst *inst);
void mir_insert_after(struct mir_inst *at, struct mir_inst *inst);
void mir_remove(struct mir_inst *inst);
/* The instruction, which is part of the code, is a branch from now on. */
static inline void
mir_set_target(struct mir_inst *inst, struct mir_block *target)
{
   inst->block->num_branches += !inst->target;
   inst->target = target;
}
/* First instruction of the block with a target, NULL when there is none. */
struct mir_inst *mir_first_branch(const struct mir_block *b);
/* The op's fixed properties; NULL for pseudo operations. */
static inline const struct isa_op_info *
mir_info(const struct mir_inst *inst)
{
   return inst->i.op < ISA_OP_COUNT ? &isa_op_infos[inst->i.op] : NULL;
}
/* VGPR or SGPR, virtual or physical? */
static inline bool
mir_reg_is_vgpr(const struct mir_program *p, mir_reg r)
{
   return mir_is_virt(r) ? p->units[r - MIR_VIRT].file == MIR_VGPR : isa_is_vgpr(r);
}
static inline bool
mir_reg_is_sgpr(const struct mir_program *p, mir_reg r)
{
   return mir_is_virt(r) ? p->units[r - MIR_VIRT].file == MIR_SGPR : r < ISA_INT_0;
}

/* Units of the physical registers that the wave starts with. */
mir_reg mir_input(struct mir_program *p, unsigned phys, enum mir_file file, unsigned count);
/* SGPRs that streamout puts between user data and the scratch offset. */
unsigned mir_streamout_sgprs(const struct ir_shader *sh);
/* Register of a user SGPR. */
static inline unsigned
mir_user_sgpr(const struct ir_shader *sh, unsigned n)
{
   return sh->stage == TGSIAMD_GS ? TGSIAMD_SGPR_MERGED_BASE + n : n;
}
/* user_sgprs.c: as many as the stage has; fewer when the program reads fewer, which moves the system's. */
unsigned mir_max_user_sgprs(const struct ir_shader *sh);
void mir_fit_user_sgprs(struct mir_program *p);
/* scratch.c: makes scratch_desc and scratch_offset. */
void mir_scratch_setup(struct mir_program *p);
/* Access of one dword at `offset` (VGPR or ISA_NONE) + imm of the lane's memory,
 * inserted before `at`, or at the end of `b` when that is NULL. */
void mir_scratch_load(struct mir_program *p, struct mir_block *b, struct mir_inst *at, mir_reg def, mir_reg offset, uint32_t imm);
void mir_scratch_store(struct mir_program *p, struct mir_block *b, struct mir_inst *at, mir_reg value, mir_reg offset, uint32_t imm);

/* table.c: V# of the table of constants behind the code, made at the entry. */
mir_reg mir_table(struct mir_program *p);
/* The distance to it, when all places are known. */
void mir_place_table(struct mir_program *p, uint32_t at);

/* As text, with registers as far as they are known. */
void mir_print(const struct mir_program *p, FILE *out);
void mir_print_inst(const struct mir_program *p, const struct mir_inst *inst, FILE *out);

#define mir_foreach_block(p, b) \
   for (uint32_t b##_i = 0; b##_i < (p)->num_blocks; b##_i++) \
      for (struct mir_block *b = (p)->blocks[b##_i], *b##_once = b; b##_once; b##_once = NULL)
#define mir_foreach_inst(b, i) for (struct mir_inst *i = (b)->first; i; i = i->next)
/* From the block's first branch on: those with a target are all among them. */
#define mir_foreach_branch(b, i) \
   for (struct mir_inst *i = mir_first_branch(b); i; i = i->next) \
      if (i->target)
#define mir_foreach_inst_safe(b, i) \
   for (struct mir_inst *i = (b)->first, *i##_next = i ? i->next : NULL; i; \
        i = i##_next, i##_next = i ? i->next : NULL)

/* Passes, in order; each in the file of its name. */
struct mir_program *isel(struct ir_shader *sh);
void mir_opt_dce(struct mir_program *p);
void mir_merge_descriptors(struct mir_program *p);
void sched_list(struct mir_program *p);
void ra_coalesce(struct mir_program *p);
/* Whether every read finds in its register what it wants; else `why` says which. */
bool ra_check(const struct mir_program *p, char *why, size_t size);
void fold_literals(struct mir_block *b); /* SGPRs of one reader into it, when registers are assigned */
void post_ra(struct mir_program *p);     /* copies to moves, short encodings, branch clean-up */
/* Operands, registers by now, into the fields that are encoded. */
void mir_set_operands(struct mir_inst *inst);
void wait_insert(struct mir_program *p);
void hazard_insert(struct mir_program *p);
/* Islands for branches beyond `reach` dwords, when all places are known; false: there
 * are no such branches, else places are to be found anew. */
bool mir_add_islands(struct mir_program *p, int64_t reach);
/* Code of the program with padding; malloc'd, *dwords of it; NULL on error. */
uint32_t *encode_program(struct mir_program *p, uint32_t *dwords);

#endif
