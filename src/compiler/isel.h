/* SPDX-License-Identifier: MIT */
/* Instruction selection: what its files share. */
#ifndef TGSIAMD_ISEL_H
#define TGSIAMD_ISEL_H

#include "ir/ir_analysis.h"
#include "ir/ir_builder.h"
#include "passes.h"
#include "mir.h"
#include "target.h"

/* Where an IR value lives. */
struct isel_val {
   mir_reg reg;           /* first unit; ISA_NONE: nothing was emitted */
   uint8_t n;
   bool sgpr;             /* bank that was decided for it */
   bool scalar_bool;      /* compare of SGPRs: emitted anew at each use, into SCC */
   uint16_t clashes;      /* vector instructions that read another SGPR as well */
   struct mir_inst *inst; /* VALU instruction that made it, for clamp and omod */
};

/* A source on its way into an instruction. */
struct opnd {
   mir_reg r;
   uint32_t lit;          /* when r is ISA_LITERAL */
   bool neg, abs;
   uint16_t clashes;      /* as of the value */
};

struct isel_frame {
   bool is_loop, divergent;
   /* if */
   struct ir_block *else_block, *merge;
   bool else_empty, in_else, escapes;
   mir_reg save, mask;
   struct mir_block *else_head, *merge_head;
   /* loop */
   struct ir_loop *loop;
   mir_reg active, cont;
   struct mir_block *header, *latch, *exit;
   /* Branches to the latch with no lane left of the round, before values of
    * its phis were made */
   struct { struct mir_block *block; uint32_t ir_block; } early[32];
   unsigned num_early;
};

#define ISEL_ADDRESSES 4
struct isel_address { struct opnd v[4]; unsigned n; mir_reg reg; };

struct isel {
   struct ir_shader *sh;
   struct mir_program *p;
   const struct compiler_target *t;
   struct mir_block *block;        /* being filled */
   struct isel_val *vals;          /* by value id */
   uint32_t *uses;                 /* IR uses by value id */
   mir_reg *phi_in;                /* by value id: the units that predecessors write */
   struct mir_block **first, **last; /* MIR blocks of an IR block */
   uint32_t *pred_of;              /* by IR block: its places among the predecessors of its two successors */
   struct mir_block *kill_exit;
   uint8_t ps_vgpr[32];            /* first VGPR of each SPI_PS_INPUT_ADDR bit */
   mir_reg exact;                  /* lanes that are live: not helper, not killed */
   bool wqm, track_exact, exact_at_end, ended;
   const struct ir_inst *last_look, *last_kill; /* at quads' other lanes; NULL: none */
   struct { uint32_t value; mir_reg reg; } literals[8]; /* in SGPRs, of this block */
   unsigned num_literals;
   struct mir_block *literals_of;
   struct { mir_reg sgpr, vgpr; unsigned n; } copies[8]; /* of this block, for the lanes that are active */
   unsigned num_copies;
   struct mir_block *copies_of;
   struct { uint32_t id; mir_reg reg; } masks[8]; /* of scalar bools, of this block */
   unsigned num_masks;
   struct mir_block *masks_of;
   struct { ir_val v; mir_reg reg; } shared[4]; /* constants and scalars in VGPRs, of this block */
   unsigned num_shared;
   struct mir_block *shared_of;
   ir_val scc;                     /* the compare that scc_inst made */
   struct mir_inst *scc_inst;
   ir_val m0;                      /* what a message left in M0, in this block */
   struct mir_block *m0_of;
   struct isel_address addresses[ISEL_ADDRESSES]; /* of this block */
   unsigned num_addresses, next_address;
   struct mir_block *addresses_of;
   unsigned depth;
   struct isel_frame frames[IR_MAX_NESTING]; /* the last: of any content beyond `depth` */
};

/* isel_operand.c */
struct mir_inst *isel_emit(struct isel *s, unsigned op, mir_reg def, unsigned def_n);
struct mir_inst *isel_salu(struct isel *s, unsigned op, mir_reg def, unsigned n, struct opnd a, struct opnd b);
struct mir_inst *isel_valu(struct isel *s, unsigned op, mir_reg def, struct opnd *src, unsigned n);
struct opnd isel_opnd_any(struct isel *s, ir_val v, bool float_mods);
/* Inline, like isel_set_src(): putting a struct together for a call takes as long as the rest. */
static inline void
isel_opnd_to(struct isel *s, ir_val v, bool float_mods, struct opnd *o)
{
   mir_reg r = s->vals[v->id].reg;
   if (r == ISA_NONE || v->op == IR_CONST || v->op == IR_UNDEF || (float_mods && (v->op == IR_FNEG || v->op == IR_FABS))) {
      *o = isel_opnd_any(s, v, float_mods);
      return;
   }
   o->r = r;
   o->lit = 0;
   o->neg = o->abs = false;
   o->clashes = s->vals[v->id].clashes;
}
static inline struct opnd
isel_opnd(struct isel *s, ir_val v, bool float_mods)
{
   struct opnd o;
   isel_opnd_to(s, v, float_mods, &o);
   return o;
}
struct opnd isel_imm(uint32_t value);
static inline void
isel_set_src(struct mir_inst *inst, unsigned i, struct opnd o, unsigned n)
{
   inst->src[i] = o.r;
   inst->src_n[i] = n;
   if (o.r == ISA_LITERAL)
      inst->i.literal = o.lit;
   inst->i.neg |= o.neg << i;
   inst->i.abs |= o.abs << i;
}
mir_reg isel_to_vgpr(struct isel *s, struct opnd o);
/* Sources of `dw` dwords: one SGPR (or vector of them) has the bus, the others move to
 * VGPRs. `bus`: the one that cannot move, or ISA_NONE. Returns the one that has it. */
mir_reg isel_free_bus(struct isel *s, struct opnd *src, unsigned n, unsigned dw, mir_reg bus);
mir_reg isel_to_sgpr(struct isel *s, ir_val v);          /* v uniform; all its dwords */
mir_reg isel_neighbours(struct isel *s, const ir_val *v, unsigned n);
mir_reg isel_mask(struct isel *s, ir_val v);             /* bool as lane mask */
void isel_scc(struct isel *s, ir_val v);                 /* scalar bool to SCC */
void isel_copy(struct isel *s, mir_reg dst, struct opnd src);
/* isel_alu.c */
void isel_alu(struct isel *s, struct ir_inst *inst);
static inline struct opnd isel_reg(mir_reg r) { return (struct opnd){ .r = r }; }
static inline mir_reg isel_def(struct isel *s, ir_val v, mir_reg r)
{
   s->vals[v->id].reg = r;
   return r;
}
/* New register for the value in its bank. */
mir_reg isel_new_def(struct isel *s, ir_val v);

/* isel_64.c */
bool isel_64(struct isel *s, struct ir_inst *inst);    /* false: no such operation */

static inline bool isel_is_true(ir_val v)
{
   return v->op == IR_IEQ && v->src[0]->op == IR_CONST && v->src[1]->op == IR_CONST && v->src[0]->imm == v->src[1]->imm;
}

/* isel_lds.c: LDS, barriers, images */
bool isel_shared(struct isel *s, struct ir_inst *inst);  /* false: none of them */

/* isel_mem.c */
unsigned isel_buffer_atomic(enum ir_atomic op);          /* MUBUF opcode */
bool isel_memory(struct isel *s, struct ir_inst *inst);
/* The format of an MTBUF instruction, as in struct ir_mem. */
static inline void isel_typed(struct mir_inst *m, unsigned format)
{
   m->i.dfmt = format & 0xf;
   m->i.nfmt = format >> 4;
}
/* isel_tex.c */
bool isel_is_array(enum ir_tex_dim dim);                 /* the DA bit */
void isel_tex(struct isel *s, struct ir_inst *inst);
struct opnd isel_part(struct isel *s, ir_val v, unsigned c);
/* A constant or scalar in a VGPR, for several users of this block that only read it. */
mir_reg isel_shared_vgpr(struct isel *s, ir_val v);
mir_reg isel_data_vector(struct isel *s, ir_val v, unsigned n);
/* isel_io.c */
void isel_inputs(struct isel *s);                        /* finds what the wave starts with */
mir_reg isel_input_sgpr(struct isel *s, unsigned n, unsigned count);
mir_reg isel_input_vgpr(struct isel *s, unsigned n);
bool isel_io(struct isel *s, struct ir_inst *inst);
/* isel_cf.c */
void isel_start(struct isel *s);
bool isel_begin_block(struct isel *s, struct ir_block *b); /* false: emit nothing for it */
void isel_end_block(struct isel *s, struct ir_block *b);
/* Before copies of the latch's phis: v is one's SGPR source. */
void isel_early_undefs(struct isel *s, struct ir_block *latch, ir_val v);
/* b is begun (inst NULL), or inst of it selected. */
void isel_leave_quads(struct isel *s, const struct ir_block *b, const struct ir_inst *inst);
void isel_kill(struct isel *s, ir_val cond);
void isel_exact_begin(struct isel *s, mir_reg *save);    /* memory writes of pixel shaders */
void isel_exact_end(struct isel *s, mir_reg save);

#endif
