/* SPDX-License-Identifier: MIT */
/* Text to IR: one statement a line, `;` starts a comment. Values are %NUMBER
 * in any order of numbers; phis cannot be written (use variables). */
#include <ctype.h>
#include <stdlib.h>

#include "ir_builder.h"
#include "ir_text.h"

#define MAX_COMPS  16u
#define MAX_VALUES (1u << 20)
#define MAX_ARRAY  65536u

struct parser {
   struct ir_shader *sh;
   struct ir_builder b;
   const char *p;      /* rest of the line */
   unsigned line;
   ir_val *values;     /* by written number */
   uint32_t num_values;
   char word[64];
};

static void
skip_space(struct parser *s)
{
   while (*s->p == ' ' || *s->p == '\t' || *s->p == ',')
      s->p++;
}

/* Next word of letters, digits, dots and underscores; false at the line's end. */
static bool
next_word(struct parser *s)
{
   unsigned n = 0;
   skip_space(s);
   while ((isalnum((unsigned char)*s->p) || *s->p == '_' || *s->p == '.' || *s->p == '-') && n < sizeof(s->word) - 1)
      s->word[n++] = *s->p++;
   s->word[n] = 0;
   return n > 0;
}

static bool
next_number(struct parser *s, uint32_t *value)
{
   char *end;
   skip_space(s);
   if (strncmp(s->p, "0x", 2) && memchr(s->p, '.', strcspn(s->p, " \t\n;}"))) {
      float f = strtof(s->p, &end);
      memcpy(value, &f, 4);
   } else {
      *value = strtoll(s->p, &end, 0);
   }
   if (end == s->p) {
      ir_error(s->sh, "line %u: number expected", s->line);
      return false;
   }
   s->p = end;
   return true;
}

static ir_val
next_value(struct parser *s)
{
   skip_space(s);
   if (*s->p != '%')
      return NULL;
   unsigned long n = strtoul(s->p + 1, (char **)&s->p, 10);
   if (n >= s->num_values || !s->values[n]) {
      ir_error(s->sh, "line %u: %%%lu is not defined", s->line, n);
      return NULL;
   }
   return s->values[n];
}

static int
word_index(struct parser *s, const char *const *words, unsigned n, const char *what)
{
   if (next_word(s)) {
      for (unsigned i = 0; i < n; i++) {
         if (words[i] && !strcmp(words[i], s->word))
            return i;
      }
   }
   ir_error(s->sh, "line %u: unknown %s `%s'", s->line, what, s->word);
   return 0;
}

/* Numbers in braces, of which those left out are 0, each up to its limit. */
static void
braces(struct parser *s, uint32_t *v, const uint32_t *limits, unsigned max)
{
   unsigned n = 0;
   skip_space(s);
   if (*s->p != '{')
      return;
   s->p++;
   while (n < max && next_number(s, &v[n])) {
      if (v[n] > limits[n]) {
         ir_error(s->sh, "line %u: %u in braces is beyond %u", s->line, v[n], limits[n]);
         v[n] = 0;
      }
      n++;
      skip_space(s);
      if (*s->p == '}')
         break;
   }
   if (*s->p == '}')
      s->p++;
}

/* The number of an operation that has one. */
static uint32_t
immediate_limit(unsigned op)
{
   switch (op) {
   case IR_DDX: case IR_DDY: return 1;
   case IR_CVT_UBYTE: return 3;
   case IR_QUAD_PERM: return 0xff;
   case IR_DCLASS: return 0x3ff;
   case IR_LOAD_ATTRIB: return TGSIAMD_MAX_VERTEX_ELEMENTS - 1;
   case IR_SENDMSG: return 0xffff;
   default: return UINT32_MAX;
   }
}

static void
parse_attributes(struct parser *s, struct ir_inst *inst)
{
   static const uint32_t io[] = { 255, 3 }, memory[] = { UINT32_MAX, 255 }, format[] = { 4095, 255 },
                         atomic[] = { UINT32_MAX, IR_ATOMIC_FADD }, export[] = { 63, 15, 1, 1, 1 },
                         tex[] = { 15, 63, 1, 6, 4, 1, 1, IR_ATOMIC_FADD, 255 };
   uint32_t v[9] = {0};
   switch (inst->op) {
   case IR_CONST: case IR_LOAD_VAR: case IR_STORE_VAR: case IR_LOAD_ARRAY: case IR_STORE_ARRAY:
   case IR_EXTRACT: case IR_CVT_UBYTE: case IR_DDX: case IR_DDY: case IR_QUAD_PERM: case IR_LOAD_ATTRIB:
   case IR_DCLASS: case IR_SENDMSG:
      if (next_number(s, &inst->imm) && inst->imm > immediate_limit(inst->op))
         ir_error(s->sh, "line %u: %s takes a number up to %u", s->line, ir_info(inst)->name, immediate_limit(inst->op));
      break;
   case IR_SYSVAL:
      inst->imm = word_index(s, ir_sysval_names, IR_SV_COUNT, "system value");
      break;
   case IR_LOAD_DESC:
      inst->imm = word_index(s, ir_list_names, 8, "list");
      break;
   case IR_INTERP: case IR_INTERP_MOV: case IR_STORE_OUTPUT:
      braces(s, v, io, 2);
      inst->io.slot = v[0];
      inst->io.chan = v[1];
      if (inst->op == IR_STORE_OUTPUT && v[0] < s->sh->num_outputs)
         s->sh->outputs[v[0]].mask |= 1u << v[1];
      break;
   case IR_LOAD_CONST: case IR_LOAD_BUF: case IR_LOAD_FMT: case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH:
   case IR_STORE_BUF: case IR_ATOMIC_BUF:
   case IR_LOAD_LDS: case IR_STORE_LDS: case IR_ATOMIC_LDS:
      braces(s, v, inst->op == IR_LOAD_FMT ? format :
             inst->op == IR_ATOMIC_BUF || inst->op == IR_ATOMIC_LDS ? atomic : memory, 2);
      inst->mem.offset = v[0];
      if (inst->op == IR_STORE_BUF || inst->op == IR_STORE_LDS)
         inst->mem.comps = v[1];
      if (inst->op == IR_LOAD_FMT)
         inst->mem.format = v[1];
      if (inst->op == IR_ATOMIC_BUF || inst->op == IR_ATOMIC_LDS)
         inst->mem.atomic = v[1];
      skip_space(s);
      if (!strncmp(s->p, "glc", 3)) {
         inst->mem.glc = true;
         s->p += 3;
      }
      break;
   case IR_EXPORT:
      braces(s, v, export, 5);
      inst->exp.target = v[0];
      inst->exp.en = v[1];
      inst->exp.compr = v[2];
      inst->exp.done = v[3];
      inst->exp.vm = v[4];
      break;
   case IR_TEX: case IR_IMG_LOAD: case IR_IMG_STORE: case IR_IMG_ATOMIC:
      inst->tex.op = word_index(s, ir_tex_op_names, 5, "texture operation");
      inst->tex.dim = word_index(s, ir_tex_dim_names, 9, "texture target");
      braces(s, v, tex, 9);
      inst->tex.dmask = v[0];
      inst->tex.srcs = v[1];
      inst->tex.lod_zero = v[2];
      inst->tex.num_derivs = v[3];
      inst->tex.num_coords = v[4];
      inst->tex.has_sampler = v[5];
      inst->tex.glc = v[6];
      inst->tex.atomic = v[7];
      inst->tex.format = v[8];
      break;
   default:
      break;
   }
}

static void
define(struct parser *s, uint32_t n, ir_val v)
{
   if (n >= s->num_values) {
      uint32_t num = (n + 64) * 2;
      ir_val *values = ir_alloc(s->sh, num * sizeof(*values));
      if (s->num_values)
         memcpy(values, s->values, s->num_values * sizeof(*values));
      s->values = values;
      s->num_values = num;
   }
   s->values[n] = v;
}

static void
parse_inst(struct parser *s, int64_t result)
{
   unsigned comps = 1, op;
   if (!next_word(s)) {
      ir_error(s->sh, "line %u: operation expected", s->line);
      return;
   }
   char *dot = strchr(s->word, '.');
   if (dot) {
      comps = atoi(dot + 1);
      *dot = 0;
   }
   for (op = 0; op < IR_OP_COUNT; op++) {
      if (!strcmp(ir_op_infos[op].name, s->word))
         break;
   }
   if (op == IR_OP_COUNT || op == IR_PHI) {
      ir_error(s->sh, "line %u: unknown operation `%s'", s->line, s->word);
      return;
   }
   if (comps > MAX_COMPS) {
      ir_error(s->sh, "line %u: more than %u components", s->line, MAX_COMPS);
      return;
   }
   ir_val src[24];
   unsigned n = 0;
   while (n < 24 && (src[n] = next_value(s)))
      n++;
   if (s->sh->error)
      return;
   if (ir_op_infos[op].result == 'N')
      comps = 0;
   struct ir_inst *inst = ir_inst_create(s->sh, op, comps, n);
   memcpy(inst->src, src, n * sizeof(*src));
   parse_attributes(s, inst);
   ir_insert(&s->b, inst);
   if (result >= 0)
      define(s, result, inst);
}

static void
parse_line(struct parser *s)
{
   struct ir_shader *sh = s->sh;
   uint32_t a = 0, n = 0;
   skip_space(s);
   if (*s->p == '%') {
      unsigned long result = strtoul(s->p + 1, (char **)&s->p, 10);
      skip_space(s);
      if (result >= MAX_VALUES)
         ir_error(sh, "line %u: values are numbered up to %u", s->line, MAX_VALUES - 1);
      else if (*s->p++ != '=')
         ir_error(sh, "line %u: = expected", s->line);
      else
         parse_inst(s, result);
      return;
   }
   const char *start = s->p;
   if (!next_word(s))
      return;
   if (!strcmp(s->word, "var")) {
      if (!next_number(s, &a) || !next_number(s, &n))
         return;
      if (n && n <= MAX_ARRAY)
         ir_var_array(sh, n, NULL);
      else
         ir_error(sh, "line %u: a variable has 1 to %u elements", s->line, MAX_ARRAY);
   } else if (!strcmp(s->word, "output")) {
      if (next_number(s, &a) && next_number(s, &n))
         ir_output(sh, a, n);
   } else if (!strcmp(s->word, "table")) {
      while (!sh->error && strspn(s->p, " ,0123456789.-") && next_number(s, &a))
         ir_add_to_table(sh, &a, 1);
   } else if (!strcmp(s->word, "if")) {
      ir_val cond = next_value(s);
      if (cond)
         ir_if(&s->b, cond);
      else
         ir_error(sh, "line %u: condition expected", s->line);
   } else if (!strcmp(s->word, "else")) {
      ir_else(&s->b);
   } else if (!strcmp(s->word, "endif")) {
      ir_endif(&s->b);
   } else if (!strcmp(s->word, "loop")) {
      ir_loop(&s->b);
   } else if (!strcmp(s->word, "endloop")) {
      ir_endloop(&s->b);
   } else if (!strcmp(s->word, "break")) {
      ir_break(&s->b);
   } else if (!strcmp(s->word, "continue")) {
      ir_continue(&s->b);
   } else {
      s->p = start;
      parse_inst(s, -1);
   }
}

struct ir_shader *
ir_parse(enum tgsiamd_gfx gfx, const struct tgsiamd_key *key, uint32_t options,
         const char *text, char *why, size_t why_size)
{
   struct parser s;
   memset(&s, 0, sizeof(s));
   s.sh = ir_shader_create(TGSIAMD_VS, gfx, key, options);
   if (!s.sh)
      return NULL;
   ir_builder_init(&s.b, s.sh);
   bool have_stage = false;
   while (*text && !s.sh->error) {
      size_t len = strcspn(text, "\n"), code = strcspn(text, ";\n");
      char *line = ir_alloc(s.sh, code + 1);
      memcpy(line, text, code);
      s.line++;
      s.p = line;
      skip_space(&s);
      if (*s.p && !have_stage) {
         s.sh->stage = word_index(&s, ir_stage_names, 6, "stage");
         have_stage = true;
      } else if (*s.p) {
         parse_line(&s);
         skip_space(&s);
         if (*s.p && !s.sh->error)
            ir_error(s.sh, "line %u: `%s' was not expected", s.line, s.p);
      }
      text += len + (text[len] == '\n');
   }
   if (!s.sh->error)
      ir_builder_finish(&s.b);
   if (!s.sh->error && !ir_validate(s.sh, why, why_size))
      ir_error(s.sh, "%s", why);
   if (s.sh->error) {
      snprintf(why, why_size, "%s", s.sh->error);
      ir_shader_destroy(s.sh);
      return NULL;
   }
   return s.sh;
}
