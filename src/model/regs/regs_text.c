/* SPDX-License-Identifier: MIT */
/* Names of registers, fields and values, for traces and dumps. */
#include "regs_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct reg_value { const char *name; uint32_t value; };
struct reg_field { const char *name; uint8_t shift, bits; uint16_t first_value, num_values; };
struct reg_text { uint32_t addr; const char *name; uint16_t first_field, num_fields; };

#include "regs_gfx9_text.h"

static int by_addr(const void *key, const void *row)
{
   const uint32_t a = *(const uint32_t *)key, b = ((const struct reg_text *)row)->addr;
   return a < b ? -1 : a > b;
}

static const char *value_name(const struct reg_field *f, uint32_t v)
{
   for (unsigned i = 0; i < f->num_values; i++)
      if (reg_values[f->first_value + i].value == v)
         return reg_values[f->first_value + i].name;
   return NULL;
}

static void print_float(FILE *out, uint32_t value)
{
   float f;
   memcpy(&f, &value, 4);
   if (isfinite(f) && fabsf(f) >= 1e-6f && fabsf(f) <= 1e7f)
      fprintf(out, " (%g)", f);
}

void regs_print(FILE *out, uint32_t addr, uint32_t value)
{
   const struct reg_text *t = bsearch(&addr, reg_texts, sizeof(reg_texts) / sizeof(reg_texts[0]), sizeof(*t), by_addr);
   if (!t) {
      fprintf(out, "0x%05x 0x%08x (no register)", addr, value);
      return;
   }
   fprintf(out, "%s 0x%08x", t->name, value);
   if (!t->num_fields || (t->num_fields == 1 && reg_fields[t->first_field].bits == 32))
      print_float(out, value);
   for (unsigned i = 0; i < t->num_fields; i++) {
      const struct reg_field *f = &reg_fields[t->first_field + i];
      if (f->bits == 32)
         continue;
      const uint32_t v = value >> f->shift & ((1u << f->bits) - 1);
      const char *name = value_name(f, v);
      if (name)
         fprintf(out, " %s=%s", f->name, name);
      else if (v)
         fprintf(out, v > 4096 ? " %s=0x%x" : " %s=%u", f->name, v);
   }
}
