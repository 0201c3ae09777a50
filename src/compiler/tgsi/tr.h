/* SPDX-License-Identifier: MIT */
/* The TGSI front end, inside. A program is scanned once into flat tables
 * (scan.c), then translated instruction by instruction (translate.c) through
 * the table of opcodes (ops.c). Registers that a program can write are IR
 * variables; the IR's own pass makes SSA of them. */
#ifndef TGSIAMD_TGSI_TR_H
#define TGSIAMD_TGSI_TR_H

#include "pipe/p_defines.h"
#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_parse.h"
#include "tgsi/tgsi_strings.h"
#include "util/bitscan.h"
#include "util/macros.h"

#include "ir/ir.h"
#include "ir/ir_builder.h"
#include "check.h"

#define TR_MAX_IO 80
#define TR_MAX_SYSVALS 64
#define TR_MAX_ARRAYS 1024
#define TR_MAX_CALL_DEPTH 16
#define TR_MAX_RESOURCES 8 /* operands of an instruction that choose a resource */
#define TR_MAX_INLINED (1u << 18) /* instructions after CAL was expanded */

struct tr_io_decl {
   bool declared;
   uint8_t semantic, interp, location;
   uint8_t streams; /* of outputs: 2 bits a component */
   uint16_t index;
};

struct tr_array_decl {
   uint32_t first, last;
   bool declared;
   bool indirect; /* some operand addresses it */
};

/* What the declarations and a walk over the instructions tell. */
struct tr_scan {
   enum pipe_shader_type processor;
   struct tgsi_full_instruction *insts;
   uint32_t num_insts, max_insts;
   uint32_t (*imms)[4];
   uint32_t num_imms, max_imms;
   uint32_t num_regs[TGSI_FILE_COUNT];  /* highest declared register + 1 */
   uint8_t *declared[TGSI_FILE_COUNT];  /* per register, of TEMP, OUT, ADDR */
   uint8_t *written[TGSI_FILE_COUNT];   /* write mask per register, likewise */
   struct tr_io_decl inputs[TR_MAX_IO], outputs[TR_MAX_IO];
   struct tr_io_decl sysvals[TR_MAX_SYSVALS];
   struct tr_array_decl *arrays[TGSI_FILE_COUNT]; /* by ArrayID; [0]: whole file; NULL: the file has none */
   uint8_t sview_target[PIPE_MAX_SHADER_SAMPLER_VIEWS];
   uint8_t memory_types[8]; /* TGSI_MEMORY_TYPE_* of MEMORY[n]; TYPE_COUNT: none */
   uint32_t hw_atomic_buffers; /* declared */
   uint32_t props[TGSI_PROPERTY_COUNT];
   uint8_t *const_mask[PIPE_MAX_CONSTANT_BUFFERS]; /* channels read directly, per register */
   uint32_t num_consts[PIPE_MAX_CONSTANT_BUFFERS];
};

/* A register file held in variables. */
struct tr_file {
   uint32_t num;
   struct tr_reg {
      uint32_t var[4];  /* TR_NO_VAR: never written */
      uint16_t array;   /* index into arrays + 1; 0: a register of its own */
   } *regs;
   uint32_t num_arrays;
   struct tr_array {
      uint32_t id, first, length;
      uint32_t var[4];
   } *arrays;
};
#define TR_NO_VAR UINT32_MAX

enum tr_flow_kind { TR_FLOW_IF, TR_FLOW_LOOP, TR_FLOW_SWITCH, TR_FLOW_CALL };

/* An open construct of the TGSI program. */
struct tr_flow {
   enum tr_flow_kind kind;
   bool has_else;
   /* SWITCH */
   ir_val selector;
   uint32_t active_var; /* 0 or ~0: the lane runs the statements at this point */
   bool body_open;      /* an `if (active)` is open */
   /* Set where a statement inside must leave more than one construct. */
   uint32_t continue_var; /* SWITCH: CONT of the loop around it */
   bool uses_continue;
};

struct tr_op;
struct tr_uniform;

/* Which value a register holds at some instruction: copies followed to where
 * they come from. Equal places with a `def` hold the same value. */
struct tr_place {
   unsigned file, chan;
   int index;
   uint32_t def;                             /* instruction that wrote it, or where the block begins */
};
#define TR_NO_DEF UINT32_MAX                 /* nobody knows */

/* An operand that chooses a resource by a computed index or a handle. */
struct tr_choice {
   const void *operand;                      /* what holds the index or handle */
   unsigned num;                             /* dwords: 1, handles 2 */
   struct tr_place place[2];
   ir_val value[2];                          /* in this round, uniform */
};

/* Instructions run once per distinct choice of resources (waterfall.c). */
struct tr_waterfall {
   unsigned num, num_now;
   struct tr_choice choices[TR_MAX_RESOURCES]; /* of the current instruction */
   struct tr_choice now[TR_MAX_RESOURCES];   /* what the round has chosen */
   bool capture;            /* results go to `result` and not to the destination */
   ir_val match;            /* lanes of this round, where all lanes run */
   uint32_t result[4];
};

struct tr {
   struct ir_shader *sh;
   enum tgsiamd_stage stage; /* of the tokens; sh->stage is GS for both halves of a merged program */
   struct ir_builder b;
   struct tr_scan *scan;
   const struct tgsi_full_instruction *inst;
   const struct tr_op *op;
   uint32_t pc;             /* of inst */
   uint32_t num_translated;
   uint32_t call_depth;
   struct tr_file temps, outputs, addrs, inputs; /* inputs: only those addressed indirectly */
   uint8_t input_slot[TR_MAX_IO]; /* PS: attribute number */
   struct tr_flow flow[IR_MAX_NESTING];
   uint32_t depth;
   uint32_t return_var;     /* ~0 in lanes that have returned */
   bool need_return_var;
   struct {
      ir_val ring;          /* V# */
      ir_val base[4];       /* of the lane's first vertex in it, bytes, by stream */
      ir_val wave;          /* number of the wave, for messages */
      uint32_t emitted_var[4]; /* vertices so far */
   } gs;
   uint32_t imms_at;        /* of the immediates in the shader's table, dwords */
   bool imms_in_table;
   bool legacy_math;        /* 0 * anything = 0 */
   struct tr_uniform *uniform;
   struct tr_waterfall waterfall;
};

typedef void (*tr_handler)(struct tr *t);

/* One row per opcode. What `op` and `arg` mean is the handler's. */
struct tr_op {
   tr_handler handler;
   uint16_t op;
   uint8_t arg;
};
extern const struct tr_op tr_ops[TGSI_OPCODE_LAST];

/* scan.c. False when an error was recorded. */
bool tr_scan_tokens(struct tr *t, const struct tgsi_token *tokens);
/* Facts that the driver asks for: resources, properties. */
void tr_scan_info(struct tr *t);
const char *tr_opname(const struct tr *t);
/* Records "OPCODE: ..." as the error. */
void tr_error(struct tr *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* regs.c */
void tr_file_init(struct tr *t, struct tr_file *f, unsigned file);
void tr_regs_init(struct tr *t);
ir_val tr_file_load(struct tr *t, const struct tr_file *f, unsigned file, int index, ir_val addr,
                    unsigned array_id, unsigned chan);
void tr_file_store(struct tr *t, struct tr_file *f, unsigned file, int index, ir_val addr,
                   unsigned array_id, unsigned chan, ir_val value);

/* operand.c: sources and destinations of the current instruction */
ir_val tr_src(struct tr *t, unsigned n, unsigned chan);          /* modifiers by the opcode's type */
ir_val tr_src_as(struct tr *t, unsigned n, unsigned chan, enum tgsi_opcode_type type);
ir_val tr_src_raw(struct tr *t, unsigned n, unsigned chan);      /* no modifiers */
ir_val tr_src64(struct tr *t, unsigned n, unsigned pair);        /* vector of 2 dwords */
ir_val tr_address(struct tr *t, const struct tgsi_ind_register *ind);
ir_val tr_fetch(struct tr *t, unsigned file, int index, unsigned chan); /* direct register */
bool tr_src_immediate(struct tr *t, unsigned n, unsigned chan, uint32_t *value);
static inline unsigned
tr_swizzle(const struct tgsi_full_src_register *src, unsigned chan)
{
   const struct tgsi_src_register r = src->Register;
   return chan < 2 ? (chan ? r.SwizzleY : r.SwizzleX) : chan == 2 ? r.SwizzleZ : r.SwizzleW;
}
static inline unsigned tr_mask(const struct tr *t) { return t->inst->Dst[0].Register.WriteMask; }
/* Stores those of vals[4] that are in the write mask; saturates. */
void tr_dst(struct tr *t, ir_val vals[4]);
void tr_dst_n(struct tr *t, unsigned n, ir_val vals[4]);
void tr_dst_all(struct tr *t, ir_val value);                     /* replicated */
void tr_dst64(struct tr *t, ir_val pairs[2]);                    /* 64-bit results */

/* io.c */
void tr_io_init(struct tr *t);
ir_val tr_input(struct tr *t, int index, unsigned chan);
ir_val tr_subgroup_sysval(struct tr *t, unsigned semantic, unsigned chan); /* lanes.c */
ir_val tr_sysval(struct tr *t, int index, unsigned chan);
ir_val tr_sysval_at(struct tr *t, int index, ir_val addr, unsigned chan); /* index + addr */
/* PS: an attribute at another place than its declaration says. */
ir_val tr_interp_at(struct tr *t, int index, unsigned chan, enum tgsi_interpolate_loc loc);
ir_val tr_interp_ij(struct tr *t, int index, unsigned chan, ir_val i, ir_val j);
void tr_outputs_flush(struct tr *t);

/* gs.c: IN[vertex][index] of a geometry shader */
ir_val tr_gs_input(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan);

/* translate.c: false when an error was recorded */
bool tr_check_tokens(struct ir_shader *sh, const struct tgsi_token *tokens, enum tgsiamd_stage *stage);

/* flow.c */
void tr_body(struct tr *t, uint32_t first, bool is_call);
ir_val tr_true(struct tr *t);

/* mem.c */
ir_val tr_const(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan);
ir_val tr_immediate_at(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan);
ir_val tr_uniform_index(struct tr *t, int base, const struct tgsi_ind_register *ind, unsigned limit);
/* The buffer behind BUFFER[n]: a V#. */
ir_val tr_buffer_desc(struct tr *t, int index, bool indirect, const struct tgsi_ind_register *ind);

/* uniform.c: is a value the same for all lanes at the current instruction? */
bool tr_index_uniform(struct tr *t, const struct tgsi_ind_register *ind);
bool tr_handle_uniform(struct tr *t, const struct tgsi_full_src_register *src);
bool tr_dst_handle_uniform(struct tr *t);

/* waterfall.c: the current instruction, once per distinct resource that lanes
 * choose; maybe some behind it, of which t->pc is then the last. */
void tr_run(struct tr *t);
/* Channel x of source n of an instruction that is control flow, likewise. */
ir_val tr_src_each(struct tr *t, unsigned n, enum tgsi_opcode_type type);
bool tr_looks_at_neighbours(const struct tr *t);
void tr_find_choices(struct tr *t);
/* The uniform value of an operand in this round; NULL: not one that differs. */
ir_val tr_chosen_index(struct tr *t, const struct tgsi_ind_register *ind);
/* Is it a handle (source n; the destination of STORE)? Its 2 dwords, uniform. */
bool tr_is_handle(const struct tr *t, unsigned n);
bool tr_dst_is_handle(const struct tr *t);
ir_val tr_handle(struct tr *t, unsigned n);
ir_val tr_dst_handle(struct tr *t);
/* waterfall_run.c */
struct tr_place tr_trace(const struct tr *t, unsigned file, int index, unsigned chan);
bool tr_same_choice(const struct tr_choice *x, const struct tr_choice *y);
bool tr_splits_blocks(unsigned opcode);
uint32_t tr_last_of_round(struct tr *t);     /* the last instruction that goes into the current one's round */
/* With waterfall.capture: results, instead of writing them. */
void tr_capture(struct tr *t, ir_val vals[4]);

#define B(t) (&(t)->b)

#endif
