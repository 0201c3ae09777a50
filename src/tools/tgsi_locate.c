/* SPDX-License-Identifier: MIT */
/* Hands the parser beginnings of the text, each closed with END: the shortest
 * that it refuses ends in the bad line. */
#include "tgsi_locate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tgsi/tgsi_info.h"
#include "tgsi/tgsi_strings.h"
#include "tgsi/tgsi_text.h"

#define MAX_INDEX  16383u /* of what the compiler takes; beyond, names of registers collide in the parser's check */
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

static void
fill(const char **names, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (!names[i])
         names[i] = "(no name)"; /* no word of a text is like that */
   }
}

void
tgsi_fill_names(void)
{
   fill(tgsi_semantic_names, TGSI_SEMANTIC_COUNT);
   fill(tgsi_return_type_names, TGSI_RETURN_TYPE_COUNT);
   fill(tgsi_texture_names, TGSI_TEXTURE_COUNT);
   fill(tgsi_property_names, TGSI_PROPERTY_COUNT);
   fill(tgsi_interpolate_names, TGSI_INTERPOLATE_COUNT);
   fill(tgsi_interpolate_locations, TGSI_INTERPOLATE_LOC_COUNT);
   fill(tgsi_primitive_names, PIPE_PRIM_MAX);
}

unsigned
tgsi_locate_index(const char *text, char *why, size_t why_size)
{
   unsigned line = 1;
   unsigned long first = 0; /* of the range before "..", in the same brackets */
   bool dots = false;

   for (bool inside = false; *text; text++) {
      if (*text == '\n')
         line++;
      if (*text == '[' || *text == '\n' || *text == ']') {
         inside = *text == '[';
         first = 0;
         dots = false;
      }
      dots |= text[0] == '.' && text[1] == '.';
      if (inside && isdigit((unsigned char)*text)) {
         char *end;
         unsigned long index = strtoul(text, &end, 10);
         if (index > MAX_INDEX) {
            snprintf(why, why_size, "index %.*s is beyond the limit of %u", (int)(end - text), text, MAX_INDEX);
            return line;
         }
         if (dots && index < first) {
            snprintf(why, why_size, "the range %lu..%lu ends before it begins", first, index);
            return line;
         }
         first = index;
         text = end - 1;
      }
   }
   return 0;
}

/* Whether the parser takes the first lines of a text. */
static bool
parses(const char *text, size_t bytes, char *part, struct tgsi_token *tokens, unsigned max_tokens)
{
   memcpy(part, text, bytes);
   strcpy(part + bytes, END_LINE);
   return tgsi_text_translate(part, tokens, max_tokens);
}

unsigned
tgsi_locate_error(const char *text, char *why, size_t why_size)
{
   const size_t size = strlen(text);
   const unsigned max_tokens = size + 1024; /* a token has no less text than a character */
   char *part = malloc(size + sizeof(END_LINE));
   struct tgsi_token *tokens = malloc(max_tokens * sizeof(*tokens));
   size_t *ends = malloc((size + 2) * sizeof(*ends)); /* of the first n lines, without the last \n */
   unsigned num = 0, found = 0;

   snprintf(why, why_size, part && tokens && ends ? "the program has no END" : "out of memory");
   for (const char *line = text; ends && *line; line += line[0] == '\n') {
      line += strcspn(line, "\n");
      ends[++num] = line - text;
   }
   if (part && tokens && num && !parses(text, ends[num], part, tokens, max_tokens)) {
      unsigned good = 0;
      for (found = num; found - good > 1;) {
         const unsigned middle = good + (found - good) / 2;
         /* blanks are no program yet, but no error either */
         const bool blank = strspn(text, " \t\r\n") >= ends[middle];
         if (blank || parses(text, ends[middle], part, tokens, max_tokens))
            good = middle;
         else
            found = middle;
      }
      const size_t start = found > 1 ? ends[found - 1] + 1 : 0;
      explain(text + start, ends[found] - start, found, why, why_size);
   }
   free(part);
   free(tokens);
   free(ends);
   return found;
}
