/* SPDX-License-Identifier: MIT */
/* IR to text. ir_parse.c reads the same syntax. */
#include <stdlib.h>

#include "ir.h"
#include "ir_text.h"

const char *const ir_tex_op_names[] = { "sample", "fetch", "gather4", "resinfo", "lod" };
const char *const ir_tex_dim_names[] = { "1d", "2d", "3d", "cube", "1da", "2da", "2dms", "2dmsa", "buf" };
const char *const ir_list_names[] = { "buffers", "textures", "images", "internal", "vertex",
                                      "gs_buffers", "gs_textures", "gs_images" };
const char *const ir_stage_names[] = { "vs", "ps", "cs", "gs", "tcs", "tes" };

static void
print_attributes(const struct ir_inst *inst, FILE *out)
{
   switch (inst->op) {
   case IR_CONST: {
      float f;
      memcpy(&f, &inst->imm, 4);
      fprintf(out, " 0x%x", inst->imm);
      if (inst->imm > 255 && inst->imm < 0xffffff00)
         fprintf(out, " ; %g", f);
      break;
   }
   case IR_SYSVAL:
      fprintf(out, " %s", ir_sysval_names[inst->imm]);
      break;
   case IR_LOAD_DESC:
      fprintf(out, " %s", ir_list_names[inst->imm]);
      break;
   case IR_LOAD_VAR: case IR_STORE_VAR: case IR_LOAD_ARRAY: case IR_STORE_ARRAY:
   case IR_EXTRACT: case IR_CVT_UBYTE: case IR_DDX: case IR_DDY: case IR_QUAD_PERM: case IR_LOAD_ATTRIB:
   case IR_DCLASS: case IR_SENDMSG:
      fprintf(out, " %u", inst->imm);
      break;
   case IR_INTERP: case IR_INTERP_MOV: case IR_STORE_OUTPUT:
      fprintf(out, " {%u %u}", inst->io.slot, inst->io.chan);
      break;
   case IR_LOAD_FMT:
      fprintf(out, inst->mem.format ? " {%u %u}" : " {%u}", inst->mem.offset, inst->mem.format);
      break;
   case IR_LOAD_CONST: case IR_LOAD_BUF: case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH:
      fprintf(out, " {%u}", inst->mem.offset);
      break;
   case IR_LOAD_LDS:
      fprintf(out, " {%u}", inst->mem.offset);
      break;
   case IR_STORE_BUF: case IR_STORE_LDS:
      fprintf(out, " {%u %u}", inst->mem.offset, inst->mem.comps);
      break;
   case IR_ATOMIC_BUF: case IR_ATOMIC_LDS:
      fprintf(out, " {%u %u}", inst->mem.offset, inst->mem.atomic);
      break;
   case IR_EXPORT:
      fprintf(out, " {%u %u %u %u %u}", inst->exp.target, inst->exp.en, inst->exp.compr,
              inst->exp.done, inst->exp.vm);
      break;
   case IR_TEX: case IR_IMG_LOAD: case IR_IMG_STORE: case IR_IMG_ATOMIC:
      fprintf(out, " %s %s {%u %u %u %u %u %u", ir_tex_op_names[inst->tex.op], ir_tex_dim_names[inst->tex.dim],
              inst->tex.dmask, inst->tex.srcs, inst->tex.lod_zero, inst->tex.num_derivs,
              inst->tex.num_coords, inst->tex.has_sampler);
      if (inst->op != IR_TEX)
         fprintf(out, " %u %u", inst->tex.glc, inst->tex.atomic);
      if (inst->op == IR_IMG_STORE && inst->tex.format)
         fprintf(out, " %u", inst->tex.format);
      fputc('}', out);
      break;
   default:
      break;
   }
   if ((inst->op == IR_LOAD_BUF || inst->op == IR_STORE_BUF) && inst->mem.glc)
      fputs(" glc", out);
}

void
ir_print_inst(const struct ir_inst *inst, FILE *out)
{
   const struct ir_op_info *info = ir_info(inst);
   if (inst->comps)
      fprintf(out, "%%%u = ", inst->id);
   fputs(info->name, out);
   if (info->result == 'V')
      fprintf(out, ".%u", inst->comps);
   for (unsigned i = 0; i < inst->num_src; i++) {
      if (inst->op == IR_PHI && inst->block && i < inst->block->num_preds)
         fprintf(out, "%s b%u:", i ? "," : "", inst->block->preds[i]->index);
      else if (i)
         fputc(',', out);
      if (inst->src[i])
         fprintf(out, " %%%u", inst->src[i]->id);
      else
         fputs(" (null)", out);
   }
   print_attributes(inst, out);
   if (inst->comps && inst->divergent)
      fputs(" ; divergent", out);
   fputc('\n', out);
}

/* What keyword stands before a block. */
enum role { ROLE_NONE, ROLE_ELSE, ROLE_ENDIF, ROLE_LOOP, ROLE_ENDLOOP };

static void
indent(FILE *out, int depth)
{
   for (int i = 0; i < depth; i++)
      fputs("  ", out);
}

void
ir_print(const struct ir_shader *sh, FILE *out)
{
   uint8_t *roles = calloc(sh->num_blocks + 1, 1);
   int depth = 1;
   if (!roles)
      return;
   fprintf(out, "%s\n", ir_stage_names[sh->stage]);
   for (uint32_t i = 0; i < sh->num_vars; i++) {
      if (sh->vars[i].length)
         fprintf(out, "var %u %u\n", i, sh->vars[i].length);
   }
   for (uint32_t i = 0; i < sh->num_table; i++)
      fprintf(out, "table 0x%x\n", sh->table[i]);
   for (uint32_t i = 0; i < sh->num_outputs; i++)
      fprintf(out, "output %u %u\n", sh->outputs[i].semantic, sh->outputs[i].index);
   ir_foreach_block(sh, b) {
      if (b->term == IR_TERM_IF) {
         roles[b->succ[1]->index] = ROLE_ELSE;
         roles[b->merge->index] = ROLE_ENDIF;
      }
      if (b->loop && b->loop->header == b) {
         roles[b->index] = ROLE_LOOP;
         roles[b->loop->exit->index] = ROLE_ENDLOOP;
      }
   }
   ir_foreach_block(sh, b) {
      static const char *const words[] = { NULL, "else", "endif", "loop", "endloop" };
      uint8_t role = roles[b->index];
      if (role == ROLE_ELSE || role == ROLE_ENDIF || role == ROLE_ENDLOOP)
         depth--;
      if (role) {
         indent(out, depth);
         fprintf(out, "%s\n", words[role]);
      }
      if (role == ROLE_ELSE || role == ROLE_LOOP)
         depth++;
      ir_foreach_inst(b, inst) {
         indent(out, depth);
         ir_print_inst(inst, out);
      }
      indent(out, depth);
      if (b->term == IR_TERM_IF) {
         fprintf(out, "if %%%u%s\n", b->cond->id, b->divergent_cond ? " ; divergent" : "");
         depth++;
      } else if (b->term == IR_TERM_BREAK) {
         fprintf(out, "break\n");
      } else if (b->term == IR_TERM_CONTINUE) {
         fprintf(out, "continue\n");
      } else {
         fprintf(out, "; b%u%s\n", b->index, b->reachable ? "" : " unreachable");
      }
   }
   free(roles);
}
