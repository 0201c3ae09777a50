/* SPDX-License-Identifier: MIT */
/* TGSI register files that live in IR variables.
 *
 * A register is four scalar variables. Registers that some operand addresses
 * indirectly stand together in array variables, one per channel, so that one
 * computed index serves all channels. Scalars that are written anywhere start
 * as 0: a program that reads what only some lanes wrote then gives the same
 * picture everywhere. */
#include "tr.h"

static void
init_array(struct tr *t, struct tr_file *f, const char *name, uint32_t id, uint32_t first,
           uint32_t length)
{
   struct tr_array *a = &f->arrays[f->num_arrays++];

   a->id = id;
   a->first = first;
   a->length = length;
   for (unsigned c = 0; c < 4; c++)
      a->var[c] = ir_var_array(t->sh, MAX2(length, 2), name); /* 1 would be a scalar */
   for (uint32_t i = first; i < first + length; i++)
      f->regs[i].array = f->num_arrays;
}

void
tr_file_init(struct tr *t, struct tr_file *f, unsigned file)
{
   const struct tr_scan *s = t->scan;
   const struct tr_array_decl *arrays = s->arrays[file];
   const char *name = tgsi_file_name(file);

   f->num = s->num_regs[file];
   f->regs = ir_alloc(t->sh, (f->num + 1) * sizeof(*f->regs));
   if (arrays)
      f->arrays = ir_alloc(t->sh, TR_MAX_ARRAYS * sizeof(*f->arrays));
   if (arrays && arrays[0].indirect) {
      if (f->num)
         init_array(t, f, name, 0, 0, f->num);
   } else if (arrays) {
      for (unsigned id = 1; id < TR_MAX_ARRAYS; id++) {
         const struct tr_array_decl *a = &arrays[id];
         if (!a->indirect || !a->declared)
            continue;
         bool overlaps = false;
         for (uint32_t i = a->first; i <= a->last; i++)
            overlaps |= f->regs[i].array != 0;
         if (overlaps) {
            tr_error(t, "array %u of %s overlaps another", id, name);
            return;
         }
         init_array(t, f, name, id, a->first, a->last - a->first + 1);
      }
   }

   for (uint32_t i = 0; i < f->num; i++) {
      for (unsigned c = 0; c < 4; c++) {
         f->regs[i].var[c] = TR_NO_VAR;
         if (f->regs[i].array || !(s->written[file][i] & (1u << c)))
            continue;
         f->regs[i].var[c] = ir_var(t->sh, name);
         ir_store_var(B(t), f->regs[i].var[c], ir_imm(B(t), 0));
      }
   }
}

void
tr_regs_init(struct tr *t)
{
   tr_file_init(t, &t->temps, TGSI_FILE_TEMPORARY);
   tr_file_init(t, &t->outputs, TGSI_FILE_OUTPUT);
   tr_file_init(t, &t->addrs, TGSI_FILE_ADDRESS);
}

/* The array that an indirect operand addresses. */
static const struct tr_array *
find_array(struct tr *t, const struct tr_file *f, unsigned file, int index, unsigned id)
{
   for (uint32_t i = 0; i < f->num_arrays; i++) {
      if (f->arrays[i].id == id || f->arrays[i].id == 0)
         return &f->arrays[i];
   }
   tr_error(t, "%s[ADDR%+d] addresses no declared array", tgsi_file_name(file), index);
   return NULL;
}

static bool
check_index(struct tr *t, const struct tr_file *f, unsigned file, int index)
{
   if (index < 0 || (uint32_t)index >= f->num || !t->scan->declared[file][index]) {
      tr_error(t, "%s[%d] is not declared", tgsi_file_name(file), index);
      return false;
   }
   return true;
}

static ir_val
array_index(struct tr *t, const struct tr_array *a, int index, ir_val addr)
{
   int base = index - (int)a->first;
   return base ? ir_iadd(B(t), addr, ir_imm(B(t), base)) : addr;
}

ir_val
tr_file_load(struct tr *t, const struct tr_file *f, unsigned file, int index, ir_val addr,
             unsigned array_id, unsigned chan)
{
   if (addr) {
      const struct tr_array *a = find_array(t, f, file, index, array_id);
      if (!a)
         return ir_imm(B(t), 0);
      return ir_load_array(B(t), a->var[chan], array_index(t, a, index, addr));
   }
   if (!check_index(t, f, file, index))
      return ir_imm(B(t), 0);

   const struct tr_reg *r = &f->regs[index];
   if (r->array) {
      const struct tr_array *a = &f->arrays[r->array - 1];
      return ir_load_array(B(t), a->var[chan], ir_imm(B(t), index - a->first));
   }
   return r->var[chan] == TR_NO_VAR ? ir_imm(B(t), 0) : ir_load_var(B(t), r->var[chan]);
}

void
tr_file_store(struct tr *t, struct tr_file *f, unsigned file, int index, ir_val addr,
              unsigned array_id, unsigned chan, ir_val value)
{
   if (addr) {
      const struct tr_array *a = find_array(t, f, file, index, array_id);
      if (a)
         ir_store_array(B(t), a->var[chan], array_index(t, a, index, addr), value);
      return;
   }
   if (!check_index(t, f, file, index))
      return;

   const struct tr_reg *r = &f->regs[index];
   if (r->array) {
      const struct tr_array *a = &f->arrays[r->array - 1];
      ir_store_array(B(t), a->var[chan], ir_imm(B(t), index - a->first), value);
   } else if (r->var[chan] != TR_NO_VAR) {
      ir_store_var(B(t), r->var[chan], value);
   }
}
