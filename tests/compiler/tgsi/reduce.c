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
   return starts(line, "IF ") || starts(line, "UIF ") || starts(line, "BGNLOOP") || starts(line, "SWITCH ") ||
          starts(line, "BGNSUB");
}

static bool
closes(const char *line)
{
   return starts(line, "ENDIF") || starts(line, "ENDLOOP") || starts(line, "ENDSWITCH") || starts(line, "ENDSUB");
}

/* Lines that cannot go alone: without them the rest is no program, or ends never. */
static bool
is_kept(const char *line)
{
   static const char *const words[] = { "VERT", "DCL", "IMM", "END", "ELSE", "BRK", "CONT", "CASE", "DEFAULT", "RET", "PROPERTY" };
   const char *reg = strstr(line, "TEMP[");

   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
      if (starts(line, words[i]))
         return true;
   }
   const int number = reg ? atoi(reg + 5) : 0;
   /* First values of arrays: what nobody wrote may be anything. */
   if (number >= 32 && reg < strchr(line, ',') && strstr(line, ", IN["))
      return true;
   return closes(line) || (!opens(line) && number >= 8 && number < 16); /* conditions, loop counters */
}

/* What ends a loop: without it the rest never ends. */
static bool
is_guard(const struct lines *l, unsigned i)
{
   return i && starts(l->text[i - 1], "USGE TEMP[8].x") && starts(l->text[i], "UIF ");
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

/* An IF without ELSE goes and leaves what was in it. */
static bool
unwrap(struct lines *l, unsigned i, char *shorter, bool (*fails)(const char *text, void *ctx), void *ctx)
{
   const unsigned end = extent(l, i);
   char *first = l->text[i], *last = l->text[end];

   if (!starts(first, "IF ") && !starts(first, "UIF "))
      return false;
   for (unsigned k = i + 1, depth = 0; k < end; k++) {
      depth += opens(l->text[k]);
      depth -= closes(l->text[k]);
      if (!depth && (starts(l->text[k], "ELSE") || starts(l->text[k], "RET")))
         return false;
   }
   memmove(&l->text[i], &l->text[i + 1], (end - i - 1) * sizeof(l->text[0]));
   memmove(&l->text[end - 1], &l->text[end + 1], (l->num - end - 1) * sizeof(l->text[0]));
   l->num -= 2;
   join(l, 0, 0, shorter);
   if (fails(shorter, ctx))
      return true;
   memmove(&l->text[end + 1], &l->text[end - 1], (l->num - end + 1) * sizeof(l->text[0]));
   memmove(&l->text[i + 1], &l->text[i], (end - i - 1) * sizeof(l->text[0]));
   l->text[i] = first;
   l->text[end] = last;
   l->num += 2;
   return false;
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
         if (is_guard(l, i) || !fails(shorter, ctx)) {
            changed |= unwrap(l, i, shorter, fails, ctx);
            continue;
         }
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
