/* SPDX-License-Identifier: MIT */
/* Scratch: memory of each lane, behind a swizzled V# (INTERNAL list) and the
 * wave's offset, an SGPR that the SPI loads behind the other system SGPRs.
 * Vega ISA, 8.1.5 "Buffer addressing", swizzled buffers. */
#include "mir.h"
#include "target.h"

unsigned
mir_streamout_sgprs(const struct ir_shader *sh)
{
   return sh->info.so_buffers ? 2 + __builtin_popcount(sh->info.so_buffers) : 0;
}

/* System SGPR of the scratch wave offset, by stage. */
static unsigned
offset_sgpr(const struct mir_program *p)
{
   switch (p->sh->stage) {
   case TGSIAMD_VS: return p->num_user_sgprs + mir_streamout_sgprs(p->sh);
   case TGSIAMD_PS: return p->num_user_sgprs + 1;
   case TGSIAMD_CS: return p->num_user_sgprs + 3;
   case TGSIAMD_GS: return 5;
   case TGSIAMD_TCS: case TGSIAMD_TES: break;
   }
   return 0;
}

void
mir_scratch_setup(struct mir_program *p)
{
   if (p->scratch_desc)
      return;
   mir_reg list = mir_input(p, mir_user_sgpr(p->sh, TGSIAMD_SGPR_INTERNAL), MIR_SGPR, 2);
   p->scratch_offset = mir_input(p, offset_sgpr(p), MIR_SGPR, 1);
   p->scratch_desc = mir_new_reg(p, MIR_SGPR, 4);
   for (unsigned i = 0; i < 4; i++)
      mir_unit(p, p->scratch_desc + i)->no_spill = true;
   struct mir_inst *m = mir_inst_create(p, ISA_S_LOAD_DWORDX4);
   m->def[0] = p->scratch_desc;
   m->def_n[0] = 4;
   m->src[0] = list;
   m->src_n[0] = 2;
   m->i.offset = TGSIAMD_INTERNAL_SCRATCH * 16;
   mir_insert_after(p->inputs_end, m); /* what else the entry makes may be spilled */
}

static void
put(struct mir_block *b, struct mir_inst *at, struct mir_inst *inst)
{
   if (at)
      mir_insert_before(at, inst);
   else
      mir_append(b, inst);
}

static void
address(struct mir_program *p, struct mir_block *b, struct mir_inst *at, struct mir_inst *m, mir_reg offset, uint32_t imm)
{
   if (imm > p->target->max_mubuf_offset) {
      /* The rest goes through a VGPR: scalar adds would touch SCC. */
      mir_reg sum = mir_new_reg(p, MIR_VGPR, 1);
      struct mir_inst *v = mir_inst_create(p, offset == ISA_NONE ? ISA_V_MOV_B32 : ISA_V_ADD_U32);
      mir_unit(p, sum)->no_spill = true;
      v->def[0] = sum;
      v->def_n[0] = 1;
      v->src[0] = ISA_LITERAL;
      v->src_n[0] = 1;
      v->i.literal = imm;
      v->keep_enc = true;
      if (offset != ISA_NONE) {
         v->src[1] = offset;
         v->src_n[1] = 1;
      }
      put(b, at, v);
      offset = sum;
      imm = 0;
   }
   if (offset != ISA_NONE) {
      m->src[0] = offset;
      m->src_n[0] = 1;
      m->i.offen = true;
   }
   m->src[1] = p->scratch_desc;
   m->src_n[1] = 4;
   m->src[2] = p->scratch_offset;
   m->src_n[2] = 1;
   m->i.offset = imm;
   put(b, at, m);
}

void
mir_scratch_load(struct mir_program *p, struct mir_block *b, struct mir_inst *at, mir_reg def, mir_reg offset, uint32_t imm)
{
   struct mir_inst *m = mir_inst_create(p, ISA_BUFFER_LOAD_DWORD);
   m->def[0] = def;
   m->def_n[0] = 1;
   address(p, b, at, m, offset, imm);
}

void
mir_scratch_store(struct mir_program *p, struct mir_block *b, struct mir_inst *at, mir_reg value, mir_reg offset, uint32_t imm)
{
   struct mir_inst *m = mir_inst_create(p, ISA_BUFFER_STORE_DWORD);
   m->src[3] = value;
   m->src_n[3] = 1;
   m->side_effect = true;
   address(p, b, at, m, offset, imm);
}
