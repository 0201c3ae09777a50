/* SPDX-License-Identifier: MIT */
/* Machine IR to text, before and after register allocation. */
#include "mir.h"

static void
print_reg(const struct mir_program *p, mir_reg r, unsigned n, const struct mir_inst *inst, FILE *out)
{
   if (mir_is_virt(r)) {
      const struct mir_unit *u = &p->units[r - MIR_VIRT];
      char c = u->file == MIR_VGPR ? 'v' : 's';
      if (u->phys != MIR_NO_PHYS)
         fprintf(out, n > 1 ? "%c[%u:%u]" : "%c%u", c, u->phys, u->phys + n - 1);
      else
         fprintf(out, n > 1 ? "%%%c%u:%u" : "%%%c%u", c, r - MIR_VIRT, r - MIR_VIRT + n - 1);
      return;
   }
   if (isa_is_vgpr(r))
      fprintf(out, n > 1 ? "v[%u:%u]" : "v%u", r - 256, r - 256 + n - 1);
   else if (r < 102)
      fprintf(out, n > 1 ? "s[%u:%u]" : "s%u", r, r + n - 1);
   else if (r == ISA_VCC)
      fputs("vcc", out);
   else if (r == ISA_EXEC)
      fputs("exec", out);
   else if (r == ISA_M0)
      fputs("m0", out);
   else if (r == ISA_LITERAL)
      fprintf(out, "0x%x", inst->i.literal);
   else if (r >= 128 && r <= 192)
      fprintf(out, "%d", r - 128);
   else if (r > 192 && r <= 208)
      fprintf(out, "%d", 192 - (int)r);
   else if (r >= 240 && r <= 248) {
      static const char *const f[] = { "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "1/2pi" };
      fputs(f[r - 240], out);
   } else if (r == ISA_NONE)
      fputs("off", out);
   else
      fprintf(out, "#%u", r);
}

void
mir_print_inst(const struct mir_program *p, const struct mir_inst *inst, FILE *out)
{
   static const char *const pseudo[] = { "p_copy", "p_undef", "p_input", "p_mark" };
   const struct isa_op_info *info = mir_info(inst);
   bool first = true;
   fprintf(out, "   %s%s", info ? info->name : pseudo[inst->i.op - ISA_OP_COUNT],
           info && inst->i.enc == ISA_ENC_VOP3 && info->enc != ISA_ENC_VOP3 ? "_e64" : "");
   for (unsigned i = 0; i < 2; i++) {
      if (inst->def[i] == ISA_NONE)
         continue;
      fputs(first ? " " : ", ", out);
      print_reg(p, inst->def[i], inst->def_n[i], inst, out);
      first = false;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (inst->src[i] == ISA_NONE && inst->i.enc != ISA_ENC_EXP)
         continue;
      fputs(first ? " " : ", ", out);
      if (inst->i.neg >> i & 1)
         fputc('-', out);
      if (inst->i.abs >> i & 1)
         fputc('|', out);
      print_reg(p, inst->src[i], inst->src_n[i], inst, out);
      if (inst->i.abs >> i & 1)
         fputc('|', out);
      first = false;
   }
   if (inst->i.clamp)
      fputs(" clamp", out);
   if (inst->i.omod)
      fprintf(out, " omod:%u", inst->i.omod);
   if (inst->i.dmask)
      fprintf(out, " dmask:%x", inst->i.dmask);
   if (inst->i.offset)
      fprintf(out, " offset:%d", inst->i.offset);
   if (inst->i.enc == ISA_ENC_EXP && info)
      fprintf(out, " target:%u en:%x%s%s%s", inst->i.exp_target, inst->i.exp_en, inst->i.exp_compr ? " compr" : "",
              inst->i.exp_done ? " done" : "", inst->i.exp_vm ? " vm" : "");
   if (inst->i.enc == ISA_ENC_VINTRP && info)
      fprintf(out, " attr%u.%c", inst->i.attr, "xyzw"[inst->i.chan & 3]);
   if (inst->target)
      fprintf(out, " B%u", inst->target->index);
   fputc('\n', out);
}

void
mir_print(const struct mir_program *p, FILE *out)
{
   mir_foreach_block(p, b) {
      fprintf(out, "B%u:", b->index);
      for (uint32_t i = 0; i < b->num_lsuccs; i++)
         fprintf(out, "%s B%u", i ? "," : " ->", b->lsuccs[i]->index);
      fputc('\n', out);
      mir_foreach_inst(b, inst)
         mir_print_inst(p, inst, out);
   }
}
