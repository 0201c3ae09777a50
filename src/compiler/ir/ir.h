/* SPDX-License-Identifier: MIT */
/* The IR: scalar SSA over 32-bit lanes with structured control flow.
 *
 * Values. Every instruction makes at most one value; an ir_val is the pointer
 * to the instruction that makes it. A value is a 32-bit scalar, a bool (one bit
 * per lane), or a vector of up to 16 dwords; vectors exist only as operands and
 * results of memory, texture and 64-bit operations and are taken apart with
 * `extract`. Floats and integers share the 32-bit type; the operation tells.
 *
 * Variables. A front end need not build SSA: it reads and writes variables
 * (load_var/store_var, one dword each; arrays with a computed index), and the
 * pass ir_mem2reg makes phis of them. Bools cannot live in variables: use
 * ir_b2i (0 / ~0) and ir_i2b.
 *
 * Control flow. Blocks stand in program order. Only structured code can be
 * built: ir_if/ir_else/ir_endif, ir_loop/ir_break/ir_continue/ir_endloop.
 * Every `if` owns a then block, an else block (maybe empty) and a merge block;
 * every loop owns a header (predecessors: the block before, and the latch), a
 * latch (all continues and the end of the body go there; it only jumps to the
 * header) and an exit block (all breaks go there). Code after a break is
 * unreachable and is dropped.
 *
 * Float mode: 32-bit denormals are flushed, 16/64-bit ones kept; IEEE mode off,
 * DX10 clamp on. */
#ifndef TGSIAMD_IR_H
#define TGSIAMD_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "tgsiamd/compiler.h"
#include "ir_arena.h"
#include "ir_ops.h"

enum ir_op {
#define X(name, text, srcs, result, flags) IR_##name,
   IR_OPS(X)
#undef X
   IR_OP_COUNT
};

enum ir_type { IR_TYPE_NONE, IR_TYPE_B32, IR_TYPE_BOOL };

struct ir_op_info {
   const char *name;
   uint8_t num_src;  /* IR_VARIADIC: any */
   char result;      /* 'N' 'S' 'B' 'V' */
   uint32_t flags;   /* IR_F_* */
};
#define IR_VARIADIC 0xff
extern const struct ir_op_info ir_op_infos[IR_OP_COUNT];

/* Values that are there when the wave starts. */
enum ir_sysval {
   /* VS */
   IR_SV_VERTEX_ID,       /* without base vertex */
   IR_SV_INSTANCE_ID,     /* without start instance */
   IR_SV_BASE_VERTEX, IR_SV_START_INSTANCE, IR_SV_DRAW_ID, /* uniform */
   /* PS: barycentrics i, j; order of SPI_PS_INPUT_ADDR */
   IR_SV_PERSP_SAMPLE_I, IR_SV_PERSP_SAMPLE_J,
   IR_SV_PERSP_CENTER_I, IR_SV_PERSP_CENTER_J,
   IR_SV_PERSP_CENTROID_I, IR_SV_PERSP_CENTROID_J,
   IR_SV_PERSP_PULL_I, IR_SV_PERSP_PULL_J, IR_SV_PERSP_PULL_W, /* i/w, j/w, 1/w */
   IR_SV_LINEAR_SAMPLE_I, IR_SV_LINEAR_SAMPLE_J,
   IR_SV_LINEAR_CENTER_I, IR_SV_LINEAR_CENTER_J,
   IR_SV_LINEAR_CENTROID_I, IR_SV_LINEAR_CENTROID_J,
   IR_SV_LINE_STIPPLE,
   IR_SV_POS_X, IR_SV_POS_Y, IR_SV_POS_Z, IR_SV_POS_W, /* window coordinates; W is w, not 1/w */
   IR_SV_FRONT_FACE,      /* nonzero (sign of a float: front > 0); compare as integer != 0 */
   IR_SV_ANCILLARY,       /* bits 8..11 sample id, 16..26 layer */
   IR_SV_SAMPLE_COVERAGE,
   IR_SV_POS_FIXED_PT,    /* y << 16 | x */
   /* CS */
   IR_SV_THREAD_ID_X, IR_SV_THREAD_ID_Y, IR_SV_THREAD_ID_Z,
   IR_SV_BLOCK_ID_X, IR_SV_BLOCK_ID_Y, IR_SV_BLOCK_ID_Z,       /* uniform from here */
   IR_SV_GRID_SIZE_X, IR_SV_GRID_SIZE_Y, IR_SV_GRID_SIZE_Z,
   IR_SV_BLOCK_SIZE_X, IR_SV_BLOCK_SIZE_Y, IR_SV_BLOCK_SIZE_Z,
   /* PS, uniform */
   IR_SV_PRIM_MASK,
   /* VS with streamout, uniform */
   IR_SV_SO_CONFIG, IR_SV_SO_WRITE_INDEX,
   IR_SV_SO_OFFSET_0, IR_SV_SO_OFFSET_1, IR_SV_SO_OFFSET_2, IR_SV_SO_OFFSET_3,
   /* Merged ES-GS. Uniform: s2 offset in the GSVS ring, s3 counts and numbers of
    * the wave. Per lane: places of the primitive's vertices in LDS, two 16-bit
    * numbers (dwords) each. */
   IR_SV_GSVS_OFFSET, IR_SV_WAVE_INFO,
   IR_SV_GS_VTX01, IR_SV_GS_VTX23, IR_SV_GS_VTX45, IR_SV_PRIM_ID, IR_SV_GS_INVOCATION_ID,
   IR_SV_LANE_ID,         /* number of the lane in its wave */
   /* Every stage: 1 in lanes that are live (not helper or killed), else 0. */
   IR_SV_LIVE_LANE,
   IR_SV_COUNT
};
extern const char *const ir_sysval_names[IR_SV_COUNT];

/* Kinds of number that dclass asks for (v_cmp_class_f64's mask). */
enum ir_class { IR_CLASS_ZERO = 3 << 5, IR_CLASS_POS_INF = 1 << 9 };

/* Descriptor lists of abi.h. */
enum ir_list { IR_LIST_BUFFERS, IR_LIST_TEXTURES, IR_LIST_IMAGES, IR_LIST_INTERNAL, IR_LIST_VERTEX,
               /* of the geometry shader in a merged program */
               IR_LIST_GS_BUFFERS, IR_LIST_GS_TEXTURES, IR_LIST_GS_IMAGES };

/* Texture operation. Sources, in this order, those absent left out:
 *   T# (8 dwords; V# of 4 for buffer textures), S# (4; not for FETCH, RESINFO),
 *   offset (packed x | y << 8 | z << 16, 6-bit signed each),
 *   bias, compare (z), derivatives (dx.. then dy.., ndim scalars each),
 *   coordinates (ncoord scalars: see below), lod.
 * Use ir_tex_begin/ir_tex_src/ir_tex_end which keep that order and the flags.
 * Coordinates are what the hardware takes: cube already as (sc/|ma|+1.5,
 * tc/|ma|+1.5, face id [+ 8 * layer as float]); array layer rounded with
 * frndne; RECT not normalised (S# says so); FETCH integer coordinates, then
 * the mip level as lod or the sample index as last coordinate. */
enum ir_tex_op { IR_TEX_SAMPLE, IR_TEX_FETCH, IR_TEX_GATHER4, IR_TEX_RESINFO, IR_TEX_LOD };
enum ir_tex_dim { IR_DIM_1D, IR_DIM_2D, IR_DIM_3D, IR_DIM_CUBE, IR_DIM_1D_ARRAY, IR_DIM_2D_ARRAY,
                  IR_DIM_2D_MSAA, IR_DIM_2D_MSAA_ARRAY, IR_DIM_BUFFER };
#define IR_TEX_SRC_OFFSET  (1u << 0)
#define IR_TEX_SRC_BIAS    (1u << 1)
#define IR_TEX_SRC_COMPARE (1u << 2)
#define IR_TEX_SRC_DERIVS  (1u << 3)
#define IR_TEX_SRC_COORDS  (1u << 4)
#define IR_TEX_SRC_LOD     (1u << 5)
struct ir_tex {
   uint8_t op;        /* enum ir_tex_op */
   uint8_t dim;       /* enum ir_tex_dim */
   uint8_t srcs;      /* IR_TEX_SRC_* present */
   uint8_t lod_zero;  /* sample level 0 without derivatives (_lz) */
   uint8_t dmask;     /* components wanted; result has popcount(dmask) dwords.
                       * GATHER4: the one component to gather, result 4 dwords.
                       * With compare: SAMPLE 1 dword (dmask 1). */
   uint8_t num_derivs;/* scalars in all: 2 * ndim */
   uint8_t num_coords;
   uint8_t has_sampler;
   /* IMG_*: sources are T# (V# of buffer images), coordinates, data (a vector
    * for stores; value, then compare, for atomics) */
   uint8_t glc;
   uint8_t atomic;    /* enum ir_atomic */
   uint8_t format;    /* stores to buffers: as in struct ir_mem */
};

struct ir_mem {
   uint32_t offset;   /* bytes, added */
   uint8_t comps;     /* stores: dwords of data */
   uint8_t glc, slc;
   uint8_t atomic;    /* enum ir_atomic */
   uint8_t format;    /* LOAD_FMT: DATA_FORMAT | NUM_FORMAT << 4; 0: that of the V# */
};
enum ir_atomic { IR_ATOMIC_ADD, IR_ATOMIC_SWAP, IR_ATOMIC_CMPSWAP, IR_ATOMIC_UMIN, IR_ATOMIC_UMAX,
                 IR_ATOMIC_IMIN, IR_ATOMIC_IMAX, IR_ATOMIC_AND, IR_ATOMIC_OR, IR_ATOMIC_XOR,
                 IR_ATOMIC_INC_WRAP, IR_ATOMIC_DEC_WRAP, /* past data: to 0; below 0: to data */
                 IR_ATOMIC_FADD /* LDS */ };

struct ir_io { uint8_t slot; uint8_t chan; };       /* INTERP: attribute number, channel */
struct ir_exp { uint8_t target, en; bool compr, done, vm; };

struct ir_block;
typedef struct ir_inst *ir_val;

struct ir_inst {
   uint16_t op;          /* enum ir_op */
   uint8_t type;         /* enum ir_type of the result */
   uint8_t comps;        /* dwords of the result; 0: none; bools have 1 */
   uint16_t num_src;
   bool divergent;       /* set by ir_divergence */
   uint8_t pass_flags;   /* scratch space of the running pass */
   uint32_t id;          /* value number, unique, dense up to sh->num_ids */
   uint32_t imm;
   union {
      uint32_t words[3]; /* all of what follows; 0 where an operation has none of it */
      struct ir_tex tex;
      struct ir_mem mem;
      struct ir_io io;
      struct ir_exp exp;
   };
   uint32_t uses;        /* as ir_opt_dce counted them, see ir_uses() */
   struct ir_block *block; /* NULL: removed; `next` is then what stands for the value */
   struct ir_inst *prev, *next;
   ir_val src[];
};

enum ir_term {
   IR_TERM_NONE,     /* still being built */
   IR_TERM_JUMP,     /* succ[0] */
   IR_TERM_IF,       /* cond ? succ[0] : succ[1]; merge */
   IR_TERM_BREAK,    /* succ[0] = loop->exit */
   IR_TERM_CONTINUE, /* succ[0] = loop->latch */
   IR_TERM_END,
};

struct ir_loop {
   struct ir_block *header, *latch, *exit;
   struct ir_loop *parent;
   uint32_t depth;       /* 1: outermost */
   bool divergent;       /* lanes leave or skip it at different times (ir_divergence) */
   bool continues;       /* some lane reaches the latch by a continue (isel) */
};

struct ir_block {
   uint32_t index;       /* in sh->blocks */
   struct ir_inst *first, *last;
   uint8_t term;         /* enum ir_term */
   bool divergent_cond;  /* of IR_TERM_IF, set by ir_divergence */
   ir_val cond;
   struct ir_block *succ[2];
   struct ir_block *merge;
   struct ir_block **preds; /* in the order that phi sources have */
   uint32_t num_preds, max_preds;
   struct ir_loop *loop; /* innermost; header and latch belong to it, exit does not */
   struct ir_block *idom, *dom_jump; /* the second is further up, to get there fast */
   uint32_t dom_depth;
   uint32_t dom_pre, dom_size; /* preorder number in the dominator tree, blocks in the subtree */
   bool reachable;
};

/* A variable: `length` dwords (1: scalar; more: array). */
struct ir_var {
   uint32_t length;
   const char *name;
   /* While its program is built (ir_vars.c): what it holds in block `known_in`
    * - 1; the number of the store that is still to be built there, and the next
    * variable that has one, + 1. */
   ir_val now;
   uint32_t known_in, store_id, next;
   bool stored;
};

/* One output register of the shader, semantic as in TGSI. */
struct ir_output {
   uint8_t semantic, index, mask;
   uint8_t streams; /* of geometry shaders: 2 bits a component */
};

/* Values from `id` on are of TGSI instruction `pc`. */
struct ir_origin { uint32_t id, pc; };

struct ir_shader {
   enum tgsiamd_stage stage;
   enum tgsiamd_gfx gfx;
   const struct tgsiamd_key *key;
   uint32_t options;

   struct ir_block **blocks;
   uint32_t num_blocks, max_blocks;
   uint32_t num_ids;
   bool made[IR_OP_COUNT];  /* operations that have ever been in the program */
   bool loops;              /* there have been any: else one walk forward sees all that there is */
   uint32_t count, num_live; /* of ir_opt_dce: its runs, instructions that it left */
   struct ir_var *vars;
   uint32_t num_vars, max_vars;
   struct ir_output outputs[80];
   uint32_t num_outputs;

   /* The front end fills: io[] of PS inputs (with attribute slots), resources
    * used, writes_* and uses_* flags; ps.* facts below. The rest is filled here. */
   struct tgsiamd_shader_info info;
   bool ps_color0_writes_all;
   bool loads_placed;       /* loads of constants stand where they should (opt_vectors) */
   uint32_t scratch_dwords; /* memory of a lane that arrays take (lower_arrays) */
   uint32_t *table, num_table; /* dwords behind the code (IR_TABLE) */

   struct ir_origin *origins; /* in order: for errors that are found late */
   uint32_t num_origins, max_origins, origins_end; /* number of values the front end made */
   uint32_t *first_ids, num_first_ids; /* numbers that values had before ir_renumber */

   char *error;          /* first error, NULL when none */
   struct ir_arena arena, temp;
};

/* Shader and memory. Everything is freed with the shader. */
struct ir_shader *ir_shader_create(enum tgsiamd_stage stage, enum tgsiamd_gfx gfx,
                                   const struct tgsiamd_key *key, uint32_t options);
void ir_shader_destroy(struct ir_shader *sh);
/* Zeroed memory that lives as long as the shader. */
static inline void *
ir_alloc(struct ir_shader *sh, size_t size)
{
   return memset(ir_arena_alloc(&sh->arena, size), 0, size);
}
/* Memory of the running pass, gone when it is over (ir_temp_done, which the one
 * who runs passes calls): with any content, or zeroed. */
static inline void *
ir_temp_any(struct ir_shader *sh, size_t size)
{
   return ir_arena_alloc(&sh->temp, size);
}
static inline void *
ir_temp(struct ir_shader *sh, size_t size)
{
   return memset(ir_temp_any(sh, size), 0, size);
}
/* A larger copy of an array of *max elements of `size` bytes, for *max of them then. */
void *ir_temp_grow(struct ir_shader *sh, const void *old, uint32_t *max, size_t size);
static inline void
ir_temp_done(struct ir_shader *sh)
{
   ir_arena_reset(&sh->temp);
}
/* Appends constants to the table behind the code; where they lie in it. */
uint32_t ir_add_to_table(struct ir_shader *sh, const uint32_t *dwords, uint32_t num);
/* Numbers values anew, in program order, without those that are gone. */
void ir_renumber(struct ir_shader *sh);
/* Records the first error; later ones are dropped. */
/* What is made from now on is made for TGSI instruction `pc`. */
void ir_origin(struct ir_shader *sh, uint32_t pc);
void ir_error(struct ir_shader *sh, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Text. ir_parse reads what ir_print writes, except phis. */
void ir_print(const struct ir_shader *sh, FILE *out);
void ir_print_inst(const struct ir_inst *inst, FILE *out);
struct ir_shader *ir_parse(enum tgsiamd_gfx gfx, const struct tgsiamd_key *key, uint32_t options,
                           const char *text, char *why, size_t why_size);
/* True when the shader keeps the rules; otherwise `why` says the first that it breaks. */
bool ir_validate(const struct ir_shader *sh, char *why, size_t why_size);

static inline const struct ir_op_info *ir_info(const struct ir_inst *inst) { return &ir_op_infos[inst->op]; }

#define ir_foreach_block(sh, b) \
   for (uint32_t b##_i = 0; b##_i < (sh)->num_blocks; b##_i++) \
      for (struct ir_block *b = (sh)->blocks[b##_i], *b##_once = b; b##_once; b##_once = NULL)
#define ir_foreach_inst(b, i) for (struct ir_inst *i = (b)->first; i; i = i->next)
#define ir_foreach_inst_safe(b, i) \
   for (struct ir_inst *i = (b)->first, *i##_next = i ? i->next : NULL; i; \
        i = i##_next, i##_next = i ? i->next : NULL)
#define ir_foreach_inst_reverse_safe(b, i) \
   for (struct ir_inst *i = (b)->last, *i##_prev = i ? i->prev : NULL; i; \
        i = i##_prev, i##_prev = i ? i->prev : NULL)

/* The TGSI front end (src/compiler/tgsi): tokens to a finished shader, NULL
 * only without memory; errors are in ->error. */
struct ir_shader *tgsi_to_ir(enum tgsiamd_gfx gfx, const struct tgsi_token *tokens,
                             const struct tgsiamd_key *key, uint32_t options);
/* Vertex and geometry shader to one program. sh->outputs (with masks) are what
 * the geometry shader emits, in the order of the GSVS ring. */
struct ir_shader *tgsi_to_ir_gs(enum tgsiamd_gfx gfx, const struct tgsi_token *vs_tokens,
                                const struct tgsi_token *gs_tokens, const struct tgsiamd_key *key,
                                uint32_t options);
/* The copy shader that goes with it (gs_copy.c). */
struct ir_shader *ir_gs_copy_shader(const struct ir_shader *gs);

#endif
