/* SPDX-License-Identifier: MIT */
/* Arguments of test programs: --help, and words that are none, print what there is. */
#ifndef TGSIAMD_TEST_ARGS_H
#define TGSIAMD_TEST_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct args {
   int argc;
   char **argv;
   const char *usage; /* "[seed [count]]", and on further lines what they mean */
};

static inline void
args_usage(const struct args *a, FILE *f)
{
   const char *slash = strrchr(a->argv[0], '/');
   fprintf(f, "usage: %s %s\n", slash ? slash + 1 : a->argv[0], a->usage);
   exit(f == stdout ? 0 : 2);
}

/* At most `most` of them, or anything with -1. */
static inline struct args
args_begin(int argc, char **argv, int most, const char *usage)
{
   const struct args a = { argc, argv, usage };

   if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
      args_usage(&a, stdout);
   if (most >= 0 && argc > most + 1)
      args_usage(&a, stderr);
   return a;
}

/* The nth, from 1 on; `otherwise` when there is none. */
static inline uint64_t
args_number(const struct args *a, int n, uint64_t otherwise)
{
   char *end;

   if (n >= a->argc)
      return otherwise;
   const uint64_t value = strtoull(a->argv[n], &end, 0);
   if (end == a->argv[n] || *end || a->argv[n][0] == '-')
      args_usage(a, stderr);
   return value;
}

/* Is the nth there? It can only be this word. */
static inline bool
args_word(const struct args *a, int n, const char *word)
{
   if (n < a->argc && strcmp(a->argv[n], word))
      args_usage(a, stderr);
   return n < a->argc;
}

#endif
