/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "reduce.h"

#define MAX_LINES 4096

struct lines { char *text[MAX_LINES]; unsigned num; };

static bool
starts(const char *line, const char *word)
{
   line += strspn(line, " ");
   return !strncmp(line, word, strlen(word));
}

static bool
opens(const char *line)
{
   return starts(line, "IF ") || starts(line, "UIF ") || starts(line, "BGNLOOP") || starts(line, "SWITCH ");
}

static bool
closes(const char *line)
{
   return starts(line, "ENDIF") || starts(line, "ENDLOOP") || starts(line, "ENDSWITCH");
}

/* Lines that cannot go alone: without them the rest is no program, or ends never. */
static bool
is_kept(const char *line)
{
   static const char *const words[] = { "VERT", "DCL", "IMM", "END", "ELSE", "BRK", "CONT", "CASE", "DEFAULT", "RET", "BGNSUB", "CAL", "PROPERTY" };
   const char *reg = strstr(line, "TEMP[");

   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
      if (starts(line, words[i]))
         return true;
   }
   const int number = reg ? atoi(reg + 5) : 0;
   return closes(line) || (!opens(line) && number >= 8 && number < 16); /* conditions, loop counters */
}

/* Last line of what begins at i. */
static unsigned
extent(const struct lines *l, unsigned i)
{
   unsigned depth = 0;

   if (!opens(l->text[i]))
      return i;
   for (unsigned k = i; k < l->num; k++) {
      depth += opens(l->text[k]);
      depth -= closes(l->text[k]);
      if (!depth)
         return k;
   }
   return i;
}

static void
join(const struct lines *l, unsigned from, unsigned to, char *out)
{
   for (unsigned i = 0; i < l->num; i++) {
      if (i >= from && i < to)
         continue;
      out = stpcpy(out, l->text[i]);
      out = stpcpy(out, "\n");
   }
   *out = 0;
}

void
reduce_program(char *text, bool (*fails)(const char *text, void *ctx), void *ctx)
{
   struct lines *l = calloc(1, sizeof(*l));
   char *copy = strdup(text), *shorter = malloc(strlen(text) + 2), *save;
   bool changed = true;

   for (char *p = strtok_r(copy, "\n", &save); p && l->num < MAX_LINES; p = strtok_r(NULL, "\n", &save))
      l->text[l->num++] = p;
   while (changed) {
      changed = false;
      for (unsigned i = 0; i < l->num; i++) {
         const unsigned end = extent(l, i) + 1;
         if (is_kept(l->text[i]))
            continue;
         join(l, i, end, shorter);
         if (!fails(shorter, ctx))
            continue;
         memmove(&l->text[i], &l->text[end], (l->num - end) * sizeof(l->text[0]));
         l->num -= end - i;
         changed = true;
         i--;
      }
   }
   join(l, 0, 0, text);
   free(shorter);
   free(copy);
   free(l);
}
