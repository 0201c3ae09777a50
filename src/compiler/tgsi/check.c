/* SPDX-License-Identifier: MIT */
/* Structure check of a TGSI token stream (p_shader_tokens.h).
 *
 * Mesa's parser trusts the lengths and counts in a stream and asserts on what
 * it does not know. This walk reads the same tokens without trusting them, so
 * that the translator may use the parser on anything a caller hands in. Only
 * the total length (the header's BodySize) has to be true. The NrTokens of
 * declarations and instructions is not compared: Mesa's own builders disagree
 * about whether the first token counts, and nothing reads it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "pipe/p_defines.h"
#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_parse.h"
#include "tgsi/tgsi_strings.h"

#include "check.h"

struct walk {
   const uint32_t *tokens;
   uint32_t pos;      /* next token to read */
   uint32_t limit;    /* end of the statement */
   char *err;
   size_t err_size;
};

#define FAIL(w, ...)                                                           \
   do {                                                                        \
      snprintf((w)->err, (w)->err_size, __VA_ARGS__);                          \
      return false;                                                            \
   } while (0)

static bool
next(struct walk *w, void *token)
{
   if (w->pos >= w->limit)
      return false;
   memcpy(token, &w->tokens[w->pos++], 4);
   return true;
}

static bool
check_declaration(struct walk *w, uint32_t raw)
{
   struct tgsi_declaration decl;
   struct tgsi_declaration_range range;
   uint32_t skip;

   memcpy(&decl, &raw, 4);
   if (decl.File == TGSI_FILE_NULL || decl.File >= TGSI_FILE_COUNT)
      FAIL(w, "declaration of unknown register file %u", decl.File);
   if (!next(w, &range))
      FAIL(w, "declaration without a register range");
   if (range.First > range.Last)
      FAIL(w, "declaration of registers %u to %u", range.First, range.Last);
   if (range.Last >= TGSIAMD_TGSI_MAX_REGISTER)
      FAIL(w, "register %s[%u] is beyond the limit of %u",
           tgsi_file_name(decl.File), range.Last, TGSIAMD_TGSI_MAX_REGISTER);

   unsigned extra = decl.Dimension + decl.Interpolate + decl.Semantic +
                    (decl.File == TGSI_FILE_IMAGE) +
                    (decl.File == TGSI_FILE_SAMPLER_VIEW) + decl.Array;
   for (unsigned i = 0; i < extra; i++) {
      if (!next(w, &skip))
         FAIL(w, "truncated declaration of %s[%u]", tgsi_file_name(decl.File), range.First);
      if (i == decl.Dimension && decl.Interpolate) {
         struct tgsi_declaration_interp interp;
         memcpy(&interp, &skip, 4);
         if (interp.Interpolate >= TGSI_INTERPOLATE_COUNT ||
             interp.Location >= TGSI_INTERPOLATE_LOC_COUNT)
            FAIL(w, "unknown interpolation of %s[%u]", tgsi_file_name(decl.File), range.First);
      }
      if (i == decl.Dimension + decl.Interpolate && decl.Semantic) {
         struct tgsi_declaration_semantic sem;
         memcpy(&sem, &skip, 4);
         if (sem.Name >= TGSI_SEMANTIC_COUNT)
            FAIL(w, "unknown semantic %u of %s[%u]", sem.Name, tgsi_file_name(decl.File),
                 range.First);
      }
   }
   return true;
}

/* A source or destination: the register and what its bits say that follows. */
static bool
check_operand(struct walk *w, bool is_src, const char *opname)
{
   union {
      uint32_t raw;
      struct tgsi_src_register src;
      struct tgsi_dst_register dst;
      struct tgsi_ind_register ind;
      struct tgsi_dimension dim;
   } t;

   if (!next(w, &t.raw))
      FAIL(w, "%s: missing operand", opname);
   unsigned file = is_src ? t.src.File : t.dst.File;
   bool indirect = is_src ? t.src.Indirect : t.dst.Indirect;
   bool dimension = is_src ? t.src.Dimension : t.dst.Dimension;
   if (file >= TGSI_FILE_COUNT)
      FAIL(w, "%s: unknown register file %u", opname, file);

   for (unsigned level = 0; level < 2; level++) {
      if (indirect) {
         if (!next(w, &t.raw))
            FAIL(w, "%s: truncated indirect operand", opname);
         if (t.ind.File != TGSI_FILE_ADDRESS && t.ind.File != TGSI_FILE_TEMPORARY &&
             t.ind.File != TGSI_FILE_IMMEDIATE && t.ind.File != TGSI_FILE_CONSTANT &&
             t.ind.File != TGSI_FILE_INPUT && t.ind.File != TGSI_FILE_SYSTEM_VALUE)
            FAIL(w, "%s: address from register file %u", opname, t.ind.File);
      }
      if (level == 1 || !dimension)
         break;
      if (!next(w, &t.raw))
         FAIL(w, "%s: truncated two-dimensional operand", opname);
      if (t.dim.Dimension)
         FAIL(w, "%s: operand of three dimensions", opname);
      indirect = t.dim.Indirect;
   }
   return true;
}

static bool
check_instruction(struct walk *w, uint32_t raw)
{
   struct tgsi_instruction inst;
   uint32_t skip;

   memcpy(&inst, &raw, 4);
   if (inst.Opcode >= TGSI_OPCODE_LAST)
      FAIL(w, "unknown opcode %u", inst.Opcode);

   const struct tgsi_opcode_info *info = tgsi_get_opcode_info(inst.Opcode);
   if (info->opcode != inst.Opcode)
      FAIL(w, "unknown opcode %u", inst.Opcode);
   const char *name = tgsi_get_opcode_name(inst.Opcode);

   if (inst.NumDstRegs > TGSI_FULL_MAX_DST_REGISTERS ||
       inst.NumSrcRegs > TGSI_FULL_MAX_SRC_REGISTERS ||
       inst.NumDstRegs != info->num_dst || inst.NumSrcRegs != info->num_src)
      FAIL(w, "%s with %u destinations and %u sources", name, inst.NumDstRegs, inst.NumSrcRegs);

   if (inst.Label && !next(w, &skip))
      FAIL(w, "%s: missing label", name);
   if (inst.Texture) {
      union {
         uint32_t raw;
         struct tgsi_instruction_texture tex;
         struct tgsi_texture_offset offset;
      } t;
      if (!next(w, &t.raw))
         FAIL(w, "%s: missing texture", name);
      if (t.tex.Texture >= TGSI_TEXTURE_COUNT)
         FAIL(w, "%s: unknown texture target %u", name, t.tex.Texture);
      unsigned num_offsets = t.tex.NumOffsets;
      if (num_offsets > TGSI_FULL_MAX_TEX_OFFSETS)
         FAIL(w, "%s with %u texel offsets", name, num_offsets);
      for (unsigned i = 0; i < num_offsets; i++) {
         if (!next(w, &t.raw))
            FAIL(w, "%s: missing texel offset", name);
      }
   }
   if (inst.Memory) {
      struct tgsi_instruction_memory mem;
      if (!next(w, &mem))
         FAIL(w, "%s: missing memory qualifier", name);
      if (mem.Texture >= TGSI_TEXTURE_COUNT || mem.Format >= PIPE_FORMAT_COUNT)
         FAIL(w, "%s: unknown image target or format", name);
   }
   for (unsigned i = 0; i < inst.NumDstRegs; i++) {
      if (!check_operand(w, false, name))
         return false;
   }
   for (unsigned i = 0; i < inst.NumSrcRegs; i++) {
      if (!check_operand(w, true, name))
         return false;
   }
   return true;
}

static bool
check_statement(struct walk *w, uint32_t raw)
{
   struct tgsi_token token;
   struct tgsi_immediate imm;
   struct tgsi_property prop;

   memcpy(&token, &raw, 4);
   switch (token.Type) {
   case TGSI_TOKEN_TYPE_DECLARATION:
      return check_declaration(w, raw);
   case TGSI_TOKEN_TYPE_IMMEDIATE:
      memcpy(&imm, &raw, 4);
      if (imm.NrTokens < 1 || imm.NrTokens > 5)
         FAIL(w, "immediate of %d values", (int)imm.NrTokens - 1);
      if (imm.DataType > TGSI_IMM_INT64)
         FAIL(w, "immediate of unknown type %u", imm.DataType);
      w->pos += imm.NrTokens - 1;
      return true;
   case TGSI_TOKEN_TYPE_INSTRUCTION:
      return check_instruction(w, raw);
   case TGSI_TOKEN_TYPE_PROPERTY:
      memcpy(&prop, &raw, 4);
      if (prop.NrTokens < 1 || prop.NrTokens > 9)
         FAIL(w, "property of %d values", (int)prop.NrTokens - 1);
      if (prop.PropertyName >= TGSI_PROPERTY_COUNT)
         FAIL(w, "unknown property %u", prop.PropertyName);
      w->pos += prop.NrTokens - 1;
      return true;
   default:
      FAIL(w, "unknown token type %u", token.Type);
   }
}

bool
tgsiamd_tgsi_check(const struct tgsi_token *tokens, char *err, size_t err_size)
{
   struct tgsi_header header;
   struct tgsi_processor proc;

   memcpy(&header, tokens, 4);
   if (header.HeaderSize != 2) {
      snprintf(err, err_size, "TGSI header of %u tokens", header.HeaderSize);
      return false;
   }
   memcpy(&proc, &tokens[1], 4);
   if (proc.Processor >= PIPE_SHADER_TYPES) {
      snprintf(err, err_size, "unknown shader type %u", proc.Processor);
      return false;
   }

   char what[160];
   struct walk w = {
      .tokens = (const uint32_t *)tokens, .pos = 2, .err = what, .err_size = sizeof(what),
   };
   const uint32_t end = 2 + header.BodySize;
   while (w.pos < end) {
      const uint32_t start = w.pos;
      uint32_t raw;
      w.limit = end;
      next(&w, &raw);
      if (!check_statement(&w, raw)) {
         snprintf(err, err_size, "token %" PRIu32 ": %s", start, what);
         return false;
      }
      if (w.pos > end) {
         snprintf(err, err_size, "token %" PRIu32 ": the stream ends inside a statement", start);
         return false;
      }
   }
   return true;
}
