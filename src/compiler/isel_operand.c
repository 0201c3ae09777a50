/* SPDX-License-Identifier: MIT */
/* Instruction selection: operands. Constants become inline constants or
 * literals; values move between SGPRs and VGPRs where an instruction wants it;
 * at most one SGPR or literal goes into a VALU instruction (Vega ISA, 6.2
 * "Operands"). VALU instructions that have a short form are made in their VOP3
 * form here; post_ra shortens them. */
#include "isel.h"

struct mir_inst *
isel_emit(struct isel *s, unsigned op, mir_reg def, unsigned def_n)
{
   struct mir_inst *inst = mir_inst_create(s->p, op);
   inst->def[0] = def;
   inst->def_n[0] = def == ISA_NONE ? 0 : def_n;
   mir_append(s->block, inst);
   if (def == ISA_EXEC || (mir_info(inst) && (mir_info(inst)->flags & ISA_WRITES_EXEC)))
      s->num_copies = 0; /* other lanes have not got them */
   return inst;
}

struct opnd
isel_imm(uint32_t value)
{
   struct opnd o = { .r = ISA_LITERAL, .lit = value };
   uint16_t inl;
   if (isa_inline_constant(TGSIAMD_GFX9, value, &inl))
      o.r = inl;
   return o;
}

struct opnd
isel_opnd_any(struct isel *s, ir_val v, bool float_mods)
{
   bool neg = false, abs = false;
   while (float_mods && (v->op == IR_FNEG || v->op == IR_FABS)) {
      if (v->op == IR_FABS)
         abs = true;
      else if (!abs)
         neg = !neg;
      v = v->src[0];
   }
   if (v->op == IR_CONST || v->op == IR_UNDEF) {
      uint32_t bits = v->op == IR_CONST ? v->imm : 0;
      if (abs)
         bits &= 0x7fffffff;
      if (neg)
         bits ^= 0x80000000;
      return isel_imm(bits);
   }
   struct opnd o = { .r = s->vals[v->id].reg, .neg = neg, .abs = abs, .clashes = s->vals[v->id].clashes };
   if (o.r == ISA_NONE)
      ir_error(s->sh, "internal: value %%%u (%s) was not selected", v->id, ir_info(v)->name);
   return o;
}

struct mir_inst *
isel_salu(struct isel *s, unsigned op, mir_reg def, unsigned n, struct opnd a, struct opnd b)
{
   if (a.r == ISA_LITERAL && b.r == ISA_LITERAL && a.lit != b.lit) {
      mir_reg tmp = mir_new_reg(s->p, MIR_SGPR, 1);
      isel_set_src(isel_emit(s, ISA_S_MOV_B32, tmp, 1), 0, b, 1);
      b = isel_reg(tmp);
   }
   struct mir_inst *inst = isel_emit(s, op, def, n);
   const struct isa_op_info *info = &isa_op_infos[op];
   isel_set_src(inst, 0, a, info->src_dw[0] ? info->src_dw[0] : 1);
   if (b.r != ISA_NONE)
      isel_set_src(inst, 1, b, info->src_dw[1] ? info->src_dw[1] : 1);
   return inst;
}

void
isel_copy(struct isel *s, mir_reg dst, struct opnd src)
{
   struct mir_inst *inst = isel_emit(s, MIR_COPY, dst, 1);
   isel_set_src(inst, 0, src, 1);
}

mir_reg
isel_to_vgpr(struct isel *s, struct opnd o)
{
   if (!o.neg && !o.abs && mir_reg_is_vgpr(s->p, o.r))
      return o.r;
   mir_reg r = mir_new_reg(s->p, MIR_VGPR, 1);
   if (o.neg || o.abs) {
      uint32_t mask = o.neg && o.abs ? 0x80000000u : o.neg ? 0x80000000u : 0x7fffffffu;
      unsigned op = o.neg ? (o.abs ? ISA_V_OR_B32 : ISA_V_XOR_B32) : ISA_V_AND_B32;
      struct opnd src[2] = { isel_imm(mask), isel_reg(o.r) };
      isel_valu(s, op, r, src, 2);
   } else {
      isel_copy(s, r, o);
   }
   return r;
}

/* A literal in a register. SGPRs are kept for the rest of the block. */
static mir_reg
literal_to_reg(struct isel *s, struct opnd o, enum mir_file file)
{
   bool keep = file == MIR_SGPR && !o.neg && !o.abs;
   if (s->literals_of != s->block) {
      s->literals_of = s->block;
      s->num_literals = 0;
   }
   for (unsigned i = 0; keep && i < s->num_literals; i++) {
      if (s->literals[i].value == o.lit)
         return s->literals[i].reg;
   }
   mir_reg r = mir_new_reg(s->p, file, 1);
   struct mir_inst *move = isel_emit(s, file == MIR_SGPR ? ISA_S_MOV_B32 : ISA_V_MOV_B32, r, 1);
   isel_set_src(move, 0, o, 1);
   move->block_only = true;
   if (keep && s->num_literals < 8) {
      s->literals[s->num_literals].value = o.lit;
      s->literals[s->num_literals++].reg = r;
   }
   return r;
}

/* The copy of SGPRs in VGPRs, or ISA_NONE. */
static mir_reg
find_copy(const struct isel *s, mir_reg sgpr, unsigned dw)
{
   for (unsigned i = 0; i < s->num_copies && s->copies_of == s->block; i++) {
      if (s->copies[i].sgpr == sgpr && s->copies[i].n == dw)
         return s->copies[i].vgpr;
   }
   return ISA_NONE;
}

/* VGPRs with the value of SGPRs, kept for what follows in the block if more
 * instructions have no room for these. */
static mir_reg
copy_to_vgpr(struct isel *s, const struct opnd *o, unsigned dw)
{
   mir_reg v = find_copy(s, o->r, dw);
   if (v != ISA_NONE)
      return v;
   v = mir_new_reg(s->p, MIR_VGPR, dw);
   for (unsigned i = 0; i < dw; i++)
      isel_copy(s, v + i, isel_reg(o->r + i));
   if (s->copies_of != s->block)
      s->num_copies = 0;
   s->copies_of = s->block;
   if (o->clashes > 1 && s->num_copies < sizeof(s->copies) / sizeof(s->copies[0])) {
      s->copies[s->num_copies].sgpr = o->r;
      s->copies[s->num_copies].n = dw;
      s->copies[s->num_copies++].vgpr = v;
   }
   return v;
}

/* The SGPR among the sources that stays one: a copy of it would serve the fewest
 * instructions. ISA_NONE: there is none. */
static mir_reg
stays_sgpr(const struct isel *s, const struct opnd *src, unsigned n, unsigned dw)
{
   mir_reg best = ISA_NONE;
   uint32_t least = 0;
   for (unsigned i = 0; i < n; i++) {
      if (src[i].r == ISA_LITERAL || src[i].r == best || !mir_reg_is_sgpr(s->p, src[i].r))
         continue;
      uint32_t serves = find_copy(s, src[i].r, dw) != ISA_NONE ? UINT32_MAX : src[i].clashes;
      if (best == ISA_NONE || serves < least) {
         best = src[i].r;
         least = serves;
      }
   }
   return best;
}

mir_reg
isel_free_bus(struct isel *s, struct opnd *src, unsigned n, unsigned dw, mir_reg bus)
{
   if (bus == ISA_NONE)
      bus = stays_sgpr(s, src, n, dw);
   for (unsigned i = 0; i < n; i++) {
      if (src[i].r != ISA_LITERAL && src[i].r != bus && mir_reg_is_sgpr(s->p, src[i].r))
         src[i].r = copy_to_vgpr(s, &src[i], dw); /* modifiers stay */
   }
   return bus;
}

/* Makes the sources fit for `op`; true when the short form is needed (literal). */
static bool
legalize(struct isel *s, unsigned op, struct opnd *src, unsigned n)
{
   const struct isa_op_info *info = &isa_op_infos[op];
   bool is_short = info->enc == ISA_ENC_VOP1 || info->enc == ISA_ENC_VOP2;
   bool mods = false;
   mir_reg bus = ISA_NONE;
   for (unsigned i = 0; i < n; i++) {
      mods |= src[i].neg || src[i].abs;
      if (src[i].r == ISA_LITERAL)
         continue;
      if (i == 2 && info->src_type[2] == ISA_TYPE_MASK)
         bus = src[i].r; /* the mask cannot move: it has the bus */
   }
   bus = isel_free_bus(s, src, n, 1, bus);
   bool literal_ok = is_short && !mods && n <= 2 && bus == ISA_NONE && !info->dst2_dw; /* its short form wants VCC */
   bool use_literal = false;
   for (unsigned i = 0; i < n; i++) {
      if (src[i].r != ISA_LITERAL)
         continue;
      if (literal_ok && i == 0 && (n == 1 || mir_reg_is_vgpr(s->p, src[1].r))) {
         use_literal = true;
         continue;
      }
      if (bus == ISA_NONE) {
         bus = literal_to_reg(s, src[i], MIR_SGPR);
         src[i].r = bus;
         literal_ok = false;
      } else {
         src[i].r = literal_to_reg(s, src[i], MIR_VGPR);
      }
   }
   return use_literal;
}

struct mir_inst *
isel_valu(struct isel *s, unsigned op, mir_reg def, struct opnd *src, unsigned n)
{
   const struct isa_op_info *info = &isa_op_infos[op];
   bool fits = true; /* as they are: no literal, no SGPR */
   for (unsigned i = 0; i < n; i++) {
      /* Neg and abs where the operation has none. */
      if ((src[i].neg || src[i].abs) && !(info->flags & ISA_FLOAT_MODS) && op != ISA_V_CNDMASK_B32)
         src[i] = isel_reg(isel_to_vgpr(s, src[i]));
      fits &= src[i].r != ISA_LITERAL && !mir_reg_is_sgpr(s->p, src[i].r);
   }
   bool is_short = !fits && legalize(s, op, src, n);
   struct mir_inst *inst = isel_emit(s, op, def, info->dst_dw ? info->dst_dw : 1);
   for (unsigned i = 0; i < n; i++)
      isel_set_src(inst, i, src[i], info->src_dw[i] ? info->src_dw[i] : 1);
   if (is_short)
      inst->keep_enc = true;
   else if (info->enc == ISA_ENC_VOP1 || info->enc == ISA_ENC_VOP2 || info->enc == ISA_ENC_VOPC)
      inst->i.enc = ISA_ENC_VOP3;
   return inst;
}

/* Where scalars stand side by side in one vector already, fit to be read as a
 * vector themselves; ISA_NONE when they do not. */
mir_reg
isel_neighbours(struct isel *s, const ir_val *v, unsigned n)
{
   mir_reg r = s->vals[v[0]->id].reg;
   for (unsigned i = 0; i < n; i++) {
      if (v[i]->op == IR_CONST || v[i]->op == IR_UNDEF || !mir_is_virt(r) || s->vals[v[i]->id].reg != r + i)
         return ISA_NONE;
   }
   const struct mir_unit *u = mir_unit(s->p, r);
   const unsigned align = u->file == MIR_VGPR ? 1 : n == 2 ? 2 : 4;
   return u->fixed || u->index + n > u->size || u->index % align ? ISA_NONE : r;
}

mir_reg
isel_new_def(struct isel *s, ir_val v)
{
   bool sgpr = s->vals[v->id].sgpr || v->type == IR_TYPE_BOOL;
   unsigned n = v->type == IR_TYPE_BOOL ? 2 : v->comps;
   return isel_def(s, v, mir_new_reg(s->p, sgpr ? MIR_SGPR : MIR_VGPR, n));
}

mir_reg
isel_to_sgpr(struct isel *s, ir_val v)
{
   if (v->op == IR_CONST || v->op == IR_UNDEF) {
      mir_reg r = mir_new_reg(s->p, MIR_SGPR, v->comps);
      for (unsigned i = 0; i < v->comps; i++)
         isel_copy(s, r + i, isel_imm(v->op == IR_CONST ? v->imm : 0));
      return r;
   }
   struct isel_val *val = &s->vals[v->id];
   if (mir_reg_is_sgpr(s->p, val->reg))
      return val->reg;
   if (v->divergent) {
      ir_error(s->sh, "descriptor or scalar operand that differs between lanes (%s)", ir_info(v)->name);
      return mir_new_reg(s->p, MIR_SGPR, v->comps);
   }
   mir_reg r = mir_new_reg(s->p, MIR_SGPR, v->comps);
   for (unsigned i = 0; i < v->comps; i++) {
      struct mir_inst *inst = isel_emit(s, ISA_V_READFIRSTLANE_B32, r + i, 1);
      isel_set_src(inst, 0, isel_reg(val->reg + i), 1);
   }
   return r;
}
