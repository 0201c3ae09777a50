/* SPDX-License-Identifier: MIT */
/* Tables that encode, decode and print share. The generated ones come from
 * ops.csv and the tables beside it (gen_ops.py). */
#ifndef TGSIAMD_ISA_INTERNAL_H
#define TGSIAMD_ISA_INTERNAL_H

#include "tgsiamd/isa.h"

/* Modifiers that a VALU op takes in its VOP3 form (and, where the form has the
 * field, in SDWA and DPP). Bit n is source n. */
struct isa_op_mods {
   uint8_t neg, abs;
   uint8_t sext;       /* SDWA: sources that sign-extend instead of neg/abs */
   uint8_t op_sel;     /* bit 3: the destination */
   uint8_t omod, clamp;
   uint8_t sdwa_omod;  /* SDWA takes OMOD */
   uint8_t neg_hi;     /* VOP3P */
   uint8_t sdwa_clamp;
   uint8_t op_sel_hi;
};
extern const struct isa_op_mods isa_mod_sets[];
extern const uint8_t isa_mod_index[TGSIAMD_GFX_COUNT][ISA_OP_COUNT];

static inline const struct isa_op_mods *isa_mods(enum tgsiamd_gfx gfx, unsigned op)
{
   return &isa_mod_sets[isa_mod_index[gfx][op]];
}

/* Forms with an extra dword. */
#define ISA_FORMS_SDWA 1
#define ISA_FORMS_DPP16 2
#define ISA_FORMS_DPP8 4
#define ISA_FORMS_NO_VOP3 8
#define ISA_FORMS_DPP16_DECODED 16 /* the chip has no such form for 64 bits, but code of others names it */
extern const uint8_t isa_op_forms[TGSIAMD_GFX_COUNT][ISA_OP_COUNT];

/* Clocks by class (isa_op_infos[].latency_class); the first is no class: the issue. */
extern const uint16_t isa_latencies[TGSIAMD_GFX_COUNT][ISA_LATENCY_CLASSES];

/* Native encoding and name (offset in isa_names) per generation. */
extern const uint8_t isa_op_enc[TGSIAMD_GFX_COUNT][ISA_OP_COUNT];
extern const uint16_t isa_op_name[TGSIAMD_GFX_COUNT][ISA_OP_COUNT];
extern const char isa_names[];

struct isa_name_op {
   uint16_t name, op;
};
extern const struct isa_name_op isa_ops_by_name[]; /* sorted by name */
extern const unsigned isa_num_ops_by_name;

/* Opcode number -> op (ISA_OP_COUNT: none). */
struct isa_opcode_table {
   const uint16_t *ops;
   uint16_t num;
};
extern const struct isa_opcode_table isa_opcodes[TGSIAMD_GFX_COUNT][ISA_ENC_COUNT];

/* What a processor has other than its generation (struct isa_processor.set; 0: nothing). */
struct isa_set_op {
   uint16_t op, number;
   uint8_t enc;
};
struct isa_op_set {
   const struct isa_set_op *has;
   const uint16_t *lacks; /* ops */
   uint8_t num_has, num_lacks;
};
extern const struct isa_op_set isa_op_sets[];
extern const struct isa_processor isa_processor_rows[];
extern const unsigned isa_num_processors;

/* Op of a number in a set that is not 0; ISA_OP_COUNT when it says nothing about it. */
uint16_t isa_set_find(unsigned set, unsigned enc, unsigned number);
/* Number of inst->op in inst->enc; `number` is what the generation has. */
int isa_set_number(unsigned set, const struct isa_inst *inst, int number);
bool isa_set_lacks(unsigned set, unsigned op);

#endif
