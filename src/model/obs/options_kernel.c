/* SPDX-License-Identifier: MIT */
/* The options of TGSIAMD_MODEL that concern the kernel's face: the model only
 * reads them, the preload library acts on them. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

bool model_options_number(const char *text, size_t n, uint64_t max, uint64_t *out)
{
   uint64_t v = 0;
   for (size_t i = 0; i < n; i++) {
      if (text[i] < '0' || text[i] > '9' || v > (max - (uint64_t)(text[i] - '0')) / 10)
         return false;
      v = v * 10 + (uint64_t)(text[i] - '0');
   }
   *out = v;
   return n > 0;
}

/* "ENOMEM" or a number; 0 when it is neither. */
static int errno_of(const char *text, size_t n)
{
   char word[24];
   if (!n || n >= sizeof(word))
      return 0;
   memcpy(word, text, n);
   word[n] = 0;
   for (int e = 1; e < 4096; e++) {
      const char *name = strerrorname_np(e);
      if (name && strcmp(name, word) == 0)
         return e;
   }
   char *end;
   const long e = strtol(word, &end, 10);
   return *end == 0 && e > 0 && e < 4096 ? (int)e : 0;
}

/* NAME:N:ERRNO */
static bool fail_ioctl(struct tgsiamd_model_kernel_options *k, const char *text, size_t n)
{
   const char *end = text + n, *first = memchr(text, ':', n);
   const char *second = first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;
   if (!second || k->num_fails == TGSIAMD_MODEL_MAX_FAILS || (size_t)(first - text) >= sizeof(k->fails[0].name))
      return false;
   struct tgsiamd_model_fail *f = &k->fails[k->num_fails];
   uint64_t at = 0;
   memcpy(f->name, text, (size_t)(first - text));
   const bool numeric = model_options_number(first + 1, (size_t)(second - first - 1), UINT32_MAX, &at);
   f->at = (unsigned)at;
   f->error = errno_of(second + 1, (size_t)(end - second - 1));
   if (!f->name[0] || !f->at || !numeric || !f->error)
      return false;
   k->num_fails++;
   return true;
}

static bool number(const char *text, size_t n, uint64_t *out)
{
   return model_options_number(text, n, UINT64_MAX, out);
}

static bool size(const char *text, size_t n, uint64_t *out)
{
   unsigned shift = 0;
   if (!n)
      return false;
   switch (text[n - 1]) {
   case 'k': case 'K': shift = 10; break;
   case 'm': case 'M': shift = 20; break;
   case 'g': case 'G': shift = 30; break;
   }
   if (!number(text, n - (shift != 0), out) || *out > (1ull << 40) >> shift)
      return false;
   *out <<= shift;
   return *out >= 4096;
}

bool model_options_kernel(struct tgsiamd_model_kernel_options *k, const char *w, size_t n)
{
#define STARTS(text) (n >= sizeof(text) - 1 && memcmp(w, text, sizeof(text) - 1) == 0)
#define REST(text) w + sizeof(text) - 1, n - (sizeof(text) - 1)
   uint64_t v;
   if (n == 5 && memcmp(w, "async", 5) == 0) {
      k->async = true;
      return true;
   }
   if (n == 5 && memcmp(w, "delay", 5) == 0) {
      k->async = k->delay = true;
      k->seed = 1;
      return true;
   }
   if (STARTS("delay=")) {
      if (!number(REST("delay="), &v))
         return false;
      k->async = k->delay = true;
      k->seed = v;
      return true;
   }
   if (STARTS("reset-at=")) {
      if (!number(REST("reset-at="), &v) || !v)
         return false;
      k->reset_at = v;
      return true;
   }
   if (STARTS("fail-ioctl="))
      return fail_ioctl(k, REST("fail-ioctl="));
   if (STARTS("vram="))
      return size(REST("vram="), &k->vram);
   return false;
#undef STARTS
#undef REST
}
