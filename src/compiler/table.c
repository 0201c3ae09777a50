/* SPDX-License-Identifier: MIT */
/* The table of constants that a program reads with a computed index. It lies
 * behind the code, which may be anywhere: S_GETPC_B64 gives the address of the
 * instruction behind it (Vega ISA, 12.3 "SOP1"). What lies outside reads as 0,
 * as in any buffer (8.1.5, range checking). */
#include "amdgfxregs.h"

#include "mir.h"

static struct mir_inst *
put(struct mir_program *p, unsigned op, mir_reg def, unsigned n)
{
   struct mir_inst *inst = mir_inst_create(p, op);
   inst->def[0] = def;
   inst->def_n[0] = n;
   mir_insert_before(p->entry_end, inst);
   return inst;
}

static void
set(struct mir_inst *inst, unsigned i, mir_reg r)
{
   inst->src[i] = r;
   inst->src_n[i] = 1;
}

static struct mir_inst *
put_literal(struct mir_program *p, unsigned op, mir_reg def, mir_reg src, uint32_t literal)
{
   struct mir_inst *inst = put(p, op, def, 1);
   if (src != ISA_NONE)
      set(inst, 0, src);
   set(inst, src != ISA_NONE, ISA_LITERAL);
   inst->i.literal = literal;
   return inst;
}

mir_reg
mir_table(struct mir_program *p)
{
   if (p->table.desc)
      return p->table.desc;
   const uint32_t format =
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_DST_SEL_Y(V_008F0C_SQ_SEL_Y) |
      S_008F0C_DST_SEL_Z(V_008F0C_SQ_SEL_Z) | S_008F0C_DST_SEL_W(V_008F0C_SQ_SEL_W) |
      S_008F0C_NUM_FORMAT(V_008F0C_BUF_NUM_FORMAT_UINT) | S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32);
   const mir_reg pc = mir_new_reg(p, MIR_SGPR, 2), high = mir_new_reg(p, MIR_SGPR, 1);
   const mir_reg desc = mir_new_reg(p, MIR_SGPR, 4);

   p->table.pc = put(p, ISA_S_GETPC_B64, pc, 2);
   p->table.add = put_literal(p, ISA_S_ADD_U32, desc, pc, 0);
   struct mir_inst *carry = put(p, ISA_S_ADDC_U32, high, 1);
   set(carry, 0, pc + 1);
   set(carry, 1, ISA_INT_0);
   /* Bits 47:32 of the address; a stride of 0 counts bytes. */
   put_literal(p, ISA_S_AND_B32, desc + 1, high, 0xffff);
   put_literal(p, ISA_S_MOV_B32, desc + 2, ISA_NONE, p->sh->num_table * 4);
   put_literal(p, ISA_S_MOV_B32, desc + 3, ISA_NONE, format);
   return p->table.desc = desc;
}

void
mir_place_table(struct mir_program *p, uint32_t at)
{
   if (p->table.desc)
      p->table.add->i.literal = 4 * (at - (p->table.pc->pos + 1));
}
