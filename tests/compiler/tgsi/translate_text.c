/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_parse.h"
#include "tgsi/tgsi_text.h"
#include "util/macros.h"
#include "translate_text.h"

#define MAX_ATOMICS 64

/* Written as ATOMUADD, which takes the same operands, and changed afterwards. */
static const struct { const char *name; unsigned opcode; } atomics[] = {
   { "ATOMUADD", TGSI_OPCODE_ATOMUADD }, { "ATOMFADD", TGSI_OPCODE_ATOMFADD },
   { "ATOMINC_WRAP", TGSI_OPCODE_ATOMINC_WRAP }, { "ATOMDEC_WRAP", TGSI_OPCODE_ATOMDEC_WRAP },
};

static unsigned
replace_names(char *text, unsigned opcodes[MAX_ATOMICS])
{
   unsigned num = 0;

   for (char *p = text; (p = strstr(p, "ATOM")) && num < MAX_ATOMICS; p += 4) {
      for (unsigned i = 0; i < ARRAY_SIZE(atomics); i++) {
         const size_t length = strlen(atomics[i].name);
         if (strncmp(p, atomics[i].name, length))
            continue;
         memset(p, ' ', length);
         memcpy(p, "ATOMUADD", 8);
         opcodes[num++] = atomics[i].opcode;
         break;
      }
   }
   return num;
}

bool
translate_text(const char *text, struct tgsi_token *tokens, unsigned num)
{
   unsigned opcodes[MAX_ATOMICS], seen = 0;
   char *copy = strdup(text);
   unsigned found = replace_names(copy, opcodes);
   bool ok = tgsi_text_translate(copy, tokens, num);

   free(copy);
   if (!ok || !found)
      return ok;
   struct tgsi_parse_context p;
   tgsi_parse_init(&p, tokens);
   while (!tgsi_parse_end_of_tokens(&p)) {
      const unsigned at = p.Position;
      tgsi_parse_token(&p);
      if (p.FullToken.Token.Type != TGSI_TOKEN_TYPE_INSTRUCTION || seen == found ||
          p.FullToken.FullInstruction.Instruction.Opcode != TGSI_OPCODE_ATOMUADD)
         continue;
      struct tgsi_instruction inst;
      memcpy(&inst, &tokens[at], sizeof(inst));
      inst.Opcode = opcodes[seen++];
      memcpy(&tokens[at], &inst, sizeof(inst));
   }
   tgsi_parse_free(&p);
   return seen == found;
}

void
log_opcodes(const struct tgsi_token *tokens)
{
   static bool seen[TGSI_OPCODE_LAST];
   const char *path = getenv("TGSIAMD_OPCODE_LOG");
   struct tgsi_parse_context p;
   FILE *f = path ? fopen(path, "a") : NULL;

   if (!f)
      return;
   tgsi_parse_init(&p, tokens);
   while (!tgsi_parse_end_of_tokens(&p)) {
      tgsi_parse_token(&p);
      const unsigned opcode = p.FullToken.FullInstruction.Instruction.Opcode;
      if (p.FullToken.Token.Type != TGSI_TOKEN_TYPE_INSTRUCTION || seen[opcode])
         continue;
      seen[opcode] = true;
      fprintf(f, "%s\n", tgsi_get_opcode_name(opcode));
   }
   tgsi_parse_free(&p);
   fclose(f);
}
