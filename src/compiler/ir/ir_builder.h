/* SPDX-License-Identifier: MIT */
/* Building IR. The builder appends to its current block, or inserts before
 * `before` when that is set (passes). */
#ifndef TGSIAMD_IR_BUILDER_H
#define TGSIAMD_IR_BUILDER_H

#include "ir.h"

#define IR_MAX_NESTING 128

/* An open `if` or loop. */
struct ir_nesting {
   struct ir_block *then_end_merge, *else_block; /* if */
   struct ir_loop *loop;                         /* loop */
   bool has_else;
};

struct ir_known;

struct ir_builder {
   struct ir_shader *sh;
   struct ir_block *block;
   struct ir_inst *before;
   struct ir_known *known;   /* ir_vars.c; NULL: everything is built as it is asked for */
   struct ir_nesting *stack; /* IR_MAX_NESTING; passes, which build no control flow, have none */
   uint32_t depth;
   bool gs_half;   /* lists are those of the geometry shader in a merged program */
   struct ir_loop *loop;
};

/* Starts at the entry block, which it makes. */
void ir_builder_init(struct ir_builder *b, struct ir_shader *sh);
/* From here on constants, system values and what variables hold are not built
 * again where the block being built has them (ir_vars.c). */
void ir_builder_remember(struct ir_builder *b);
/* The block being built is about to end. */
void ir_flush_vars(struct ir_builder *b);
/* For passes: inserts before `inst`. */
static inline struct ir_builder
ir_builder_before(struct ir_shader *sh, struct ir_inst *inst)
{
   return (struct ir_builder){ .sh = sh, .block = inst->block, .before = inst };
}
/* For passes: inserts at the end of `block` (before its terminator). */
static inline struct ir_builder
ir_builder_at_end(struct ir_shader *sh, struct ir_block *block)
{
   return (struct ir_builder){ .sh = sh, .block = block };
}
/* Ends the program: must stand outside of all control flow. */
void ir_builder_finish(struct ir_builder *b);

/* An instruction of no block yet, its sources unset; the shader owns it. */
struct ir_inst *ir_inst_create(struct ir_shader *sh, enum ir_op op, unsigned comps, unsigned num_src);
/* Puts it where the builder is. */
void ir_insert(struct ir_builder *b, struct ir_inst *inst);
/* Takes it out of its block; nothing may read it any more. */
void ir_remove(struct ir_inst *inst);
/* Removes the instruction; who still has it finds `by` with ir_now(). */
static inline void
ir_replace(struct ir_inst *inst, ir_val by)
{
   ir_remove(inst);
   inst->next = by;
}
/* What stands for the value since replacements. */
static inline ir_val
ir_now(ir_val v)
{
   while (!v->block)
      v = v->next;
   return v;
}
/* A block that has no place in the program yet; `loop`: the innermost one that it is in, or NULL. */
struct ir_block *ir_block_create(struct ir_shader *sh, struct ir_loop *loop);

/* Any fixed-arity operation with a scalar or bool result. */
ir_val ir_op0(struct ir_builder *b, enum ir_op op, uint32_t imm);
ir_val ir_op1(struct ir_builder *b, enum ir_op op, ir_val x);
ir_val ir_op2(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y);
ir_val ir_op3(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y, ir_val z);
/* The same with 64-bit (2 dwords) result: dadd... */
ir_val ir_op64(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y, ir_val z);

/* Constants, values that are there at the start, and vectors of n scalars. */
ir_val ir_imm(struct ir_builder *b, uint32_t bits);
ir_val ir_immf(struct ir_builder *b, float f);
ir_val ir_undef(struct ir_builder *b, unsigned comps);
ir_val ir_sysval(struct ir_builder *b, enum ir_sysval sv);
ir_val ir_vec(struct ir_builder *b, unsigned n, const ir_val *comps);
/* Component of a vector; the value itself when it is a scalar and i is 0. */
ir_val ir_extract(struct ir_builder *b, ir_val vec, unsigned i);
ir_val ir_select(struct ir_builder *b, ir_val cond, ir_val x, ir_val y);
ir_val ir_b2i(struct ir_builder *b, ir_val cond);              /* ~0 or 0 */
ir_val ir_b2f(struct ir_builder *b, ir_val cond);              /* 1.0 or 0.0 */
ir_val ir_i2b(struct ir_builder *b, ir_val x);                 /* x != 0 */
/* Operations with an immediate: ddx, quad_perm, cvt_ubyte. */
ir_val ir_op1_imm(struct ir_builder *b, enum ir_op op, ir_val x, uint32_t imm);

/* Variables: a new one of one dword, or of `length`; names (may be NULL) are for prints and stay the caller's. */
uint32_t ir_var(struct ir_shader *sh, const char *name);
uint32_t ir_var_array(struct ir_shader *sh, unsigned length, const char *name);
ir_val ir_load_var(struct ir_builder *b, uint32_t var);
void ir_store_var(struct ir_builder *b, uint32_t var, ir_val value);
/* Out-of-range reads give any element, out-of-range writes do nothing or write any element. */
ir_val ir_load_array(struct ir_builder *b, uint32_t var, ir_val index);
void ir_store_array(struct ir_builder *b, uint32_t var, ir_val index, ir_val value);

/* Memory. `offset` may be NULL (0); imm bytes are added. Results of n dwords. */
ir_val ir_load_desc(struct ir_builder *b, enum ir_list list, unsigned comps, ir_val offset, uint32_t imm);
/* The same at an address (2 dwords) and `imm` bytes behind it; where a list lies. */
ir_val ir_load_desc_at(struct ir_builder *b, ir_val address, unsigned comps, uint32_t imm);
ir_val ir_table(struct ir_builder *b);
ir_val ir_list_address(struct ir_builder *b, enum ir_list list);
/* Lanes where cond holds, 2 dwords; value of one lane. */
ir_val ir_ballot(struct ir_builder *b, ir_val cond);
ir_val ir_read_lane(struct ir_builder *b, ir_val value, ir_val lane);
/* The clock that TGSI's CLOCK reads, 2 dwords. */
ir_val ir_clock(struct ir_builder *b);
/* n dwords of a constant buffer whose descriptor is there. */
ir_val ir_load_const(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, unsigned n);
/* Dword of constant buffer `buf`: loads the descriptor too. */
ir_val ir_load_ubo(struct ir_builder *b, unsigned buf, ir_val offset, uint32_t imm, unsigned n);
/* n dwords of a buffer; a typed element with n components; stores and atomics
 * (`compare` only for CMPSWAP; the result is what was there). */
ir_val ir_load_buf(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, unsigned n);
ir_val ir_load_fmt(struct ir_builder *b, ir_val desc, ir_val index, unsigned n);
void ir_store_buf(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, ir_val data, unsigned n);
ir_val ir_atomic_buf(struct ir_builder *b, enum ir_atomic op, ir_val desc, ir_val offset, uint32_t imm,
                     ir_val data, ir_val compare);

/* Images. `n` coordinates, integers; a load gives the components of dmask, a
 * store takes a vector of 4. */
ir_val ir_img_load(struct ir_builder *b, enum ir_tex_dim dim, ir_val desc, const ir_val *coords, unsigned n,
                   unsigned dmask, bool glc);
void ir_img_store(struct ir_builder *b, enum ir_tex_dim dim, ir_val desc, const ir_val *coords, unsigned n,
                  ir_val data, unsigned format, bool glc);
ir_val ir_img_atomic(struct ir_builder *b, enum ir_tex_dim dim, enum ir_atomic op, ir_val desc,
                     const ir_val *coords, unsigned n, ir_val data, ir_val compare);

/* Memory that the work group shares. */
ir_val ir_load_lds(struct ir_builder *b, ir_val offset, unsigned n);
void ir_store_lds(struct ir_builder *b, ir_val offset, uint32_t imm, ir_val data, unsigned n);
ir_val ir_atomic_lds(struct ir_builder *b, enum ir_atomic op, ir_val offset, ir_val data, ir_val compare);

/* VS input: all 4 dwords of a vertex element, after the key's corrections. */
ir_val ir_load_attrib(struct ir_builder *b, unsigned element);
/* PS input: attribute slot and channel. `i`, `j` are barycentric sysvals. */
ir_val ir_interp(struct ir_builder *b, unsigned slot, unsigned chan, ir_val i, ir_val j);
/* What the primitive's first vertex has there (P0). */
ir_val ir_interp_mov(struct ir_builder *b, unsigned slot, unsigned chan);
/* Lanes where cond holds go on as helpers, without effects. */
void ir_kill_if(struct ir_builder *b, ir_val cond);

/* Outputs: declare once, store once per channel outside of control flow, at
 * the end (keep outputs in variables until then). Returns the slot. */
unsigned ir_output(struct ir_shader *sh, unsigned semantic, unsigned index);
void ir_store_output(struct ir_builder *b, unsigned slot, unsigned chan, ir_val value);

/* Textures: fill, then ir_tex. NULL: absent. */
struct ir_tex_args {
   enum ir_tex_op op;
   enum ir_tex_dim dim;
   unsigned dmask;
   bool lod_zero;
   ir_val resource, sampler;
   ir_val offset, bias, compare, lod;
   ir_val derivs[6];
   unsigned num_derivs;
   ir_val coords[4];
   unsigned num_coords;
};
/* The result: as many dwords as dmask has bits (GATHER4: 4, compare: 1). */
ir_val ir_tex(struct ir_builder *b, const struct ir_tex_args *args);

/* Control flow, properly nested and at most IR_MAX_NESTING deep; break and continue mean the innermost loop. */
void ir_if(struct ir_builder *b, ir_val cond);
void ir_else(struct ir_builder *b);
void ir_endif(struct ir_builder *b);
void ir_loop(struct ir_builder *b);
void ir_break(struct ir_builder *b);
void ir_continue(struct ir_builder *b);
void ir_endloop(struct ir_builder *b);

/* Short names for what front ends write most. */
#define IR_BUILD1(fn, op) \
   static inline ir_val ir_##fn(struct ir_builder *b, ir_val x) { return ir_op1(b, IR_##op, x); }
#define IR_BUILD2(fn, op) \
   static inline ir_val ir_##fn(struct ir_builder *b, ir_val x, ir_val y) { return ir_op2(b, IR_##op, x, y); }
#define IR_BUILD3(fn, op) \
   static inline ir_val ir_##fn(struct ir_builder *b, ir_val x, ir_val y, ir_val z) { return ir_op3(b, IR_##op, x, y, z); }
IR_BUILD2(fadd, FADD) IR_BUILD2(fmul, FMUL) IR_BUILD3(fmad, FMAD) IR_BUILD3(ffma, FFMA)
IR_BUILD2(fmin, FMIN) IR_BUILD2(fmax, FMAX) IR_BUILD1(fneg, FNEG) IR_BUILD1(fabs, FABS)
IR_BUILD1(fsat, FSAT) IR_BUILD1(frcp, FRCP) IR_BUILD1(frsq, FRSQ) IR_BUILD1(fsqrt, FSQRT)
IR_BUILD1(fexp2, FEXP2) IR_BUILD1(flog2, FLOG2) IR_BUILD1(ffloor, FFLOOR) IR_BUILD1(fceil, FCEIL)
IR_BUILD1(ftrunc, FTRUNC) IR_BUILD1(frndne, FRNDNE) IR_BUILD1(ffract, FFRACT)
IR_BUILD2(flt, FLT) IR_BUILD2(fge, FGE) IR_BUILD2(feq, FEQ) IR_BUILD2(fne, FNE)
IR_BUILD2(ilt, ILT) IR_BUILD2(ige, IGE) IR_BUILD2(ult, ULT) IR_BUILD2(uge, UGE)
IR_BUILD2(ieq, IEQ) IR_BUILD2(ine, INE)
IR_BUILD2(band, BAND) IR_BUILD2(bor, BOR) IR_BUILD1(bnot, BNOT)
IR_BUILD1(f2i, F2I) IR_BUILD1(f2u, F2U) IR_BUILD1(i2f, I2F) IR_BUILD1(u2f, U2F)
IR_BUILD2(iadd, IADD) IR_BUILD2(isub, ISUB) IR_BUILD1(ineg, INEG) IR_BUILD2(imul, IMUL)
IR_BUILD2(iand, IAND) IR_BUILD2(ior, IOR) IR_BUILD2(ixor, IXOR) IR_BUILD1(inot, INOT)
IR_BUILD2(shl, SHL) IR_BUILD2(lshr, LSHR) IR_BUILD2(ashr, ASHR)
IR_BUILD2(imin, IMIN) IR_BUILD2(imax, IMAX) IR_BUILD2(umin, UMIN) IR_BUILD2(umax, UMAX)

#endif
