/* SPDX-License-Identifier: MIT */
/* Hands the parser longer and longer beginnings of the text, line by line, each
 * closed with END: the first that it refuses ends in the bad line. */
#include "tgsi_locate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_text.h"

#define MAX_TOKENS 65536
#define MAX_INDEX  32767u
#define END_LINE   "\nEND\n"

static const char *const processors[] = { "VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP" };
static const char *const directives[] = { "DCL", "IMM", "PROPERTY" };

static bool
is_one_of(const char *word, const char *const *list, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!strcasecmp(word, list[i]))
         return true;
   }
   return false;
}

static bool
is_opcode(const char *word)
{
   for (unsigned op = 0; op < TGSI_OPCODE_LAST; op++) {
      const char *name = tgsi_get_opcode_name(op);
      if (name && !strcasecmp(word, name))
         return true;
   }
   return false;
}

/* The first word of a line, behind "12:". */
static void
first_word(const char *line, size_t length, char *word, size_t size)
{
   size_t i = 0, n = 0;
   while (i < length && (isspace((unsigned char)line[i]) || isdigit((unsigned char)line[i]) || line[i] == ':'))
      i++;
   while (i < length && (isalnum((unsigned char)line[i]) || line[i] == '_') && n + 1 < size)
      word[n++] = line[i++];
   word[n] = '\0';
}

static void
explain(const char *line, size_t length, unsigned number, char *why, size_t why_size)
{
   char word[40], base[40];
   first_word(line, length, word, sizeof(word));
   strcpy(base, word);
   char *suffix = strchr(base, '_'); /* MOV_SAT */
   if (suffix)
      *suffix = '\0';

   if (number == 1 && !is_one_of(word, processors, 6))
      snprintf(why, why_size, "the first line must name a processor (VERT, FRAG, GEOM, TESS_CTRL, TESS_EVAL, COMP)");
   else if (!word[0])
      snprintf(why, why_size, "this is no declaration, immediate, property or instruction");
   else if (is_one_of(word, directives, 3) || is_opcode(word) || is_opcode(base))
      snprintf(why, why_size, "what follows %s is malformed", word);
   else
      snprintf(why, why_size, "there is no opcode '%s'", word);
}

unsigned
tgsi_locate_index(const char *text, char *why, size_t why_size)
{
   unsigned line = 1;

   for (bool inside = false; *text; text++) {
      if (*text == '\n')
         line++;
      if (*text == '[' || *text == '\n' || *text == ']')
         inside = *text == '[';
      if (inside && isdigit((unsigned char)*text)) {
         char *end;
         unsigned long index = strtoul(text, &end, 10);
         if (index > MAX_INDEX) {
            snprintf(why, why_size, "index %.*s is beyond the limit of %u", (int)(end - text), text, MAX_INDEX);
            return line;
         }
         text = end - 1;
      }
   }
   return 0;
}

unsigned
tgsi_locate_error(const char *text, char *why, size_t why_size)
{
   size_t size = strlen(text);
   char *part = malloc(size + sizeof(END_LINE));
   struct tgsi_token *tokens = malloc(MAX_TOKENS * sizeof(*tokens));
   unsigned number = 0, found = 0;

   snprintf(why, why_size, "it has more than %u tokens, or no END", MAX_TOKENS);
   for (const char *line = text; part && tokens && *line && !found; number++) {
      size_t length = strcspn(line, "\n");
      size_t end = line - text + length;
      bool blank = strspn(line, " \t\r") >= length;

      memcpy(part, text, end);
      strcpy(part + end, END_LINE);
      if (!blank && !tgsi_text_translate(part, tokens, MAX_TOKENS)) {
         found = number + 1;
         explain(line, length, found, why, why_size);
      }
      line += length + (line[length] == '\n');
   }
   free(part);
   free(tokens);
   return found;
}
