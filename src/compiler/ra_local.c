/* SPDX-License-Identifier: MIT */
/* Lives inside one block: of a unit that is written there before it is read, and
 * whose life has no hole, one walk over the program finds the only range. The others
 * are for ra_live.c. */
#include "ra.h"

static inline void
read_units(struct ra_local *l, mir_reg r, unsigned n, uint32_t block, uint32_t end)
{
   for (uint32_t u = mir_unit_id(r), last = u + n; u < last; u++) {
      if (l->home[u] == block)
         l->range[u].end = end;
      else
         l->home[u] = RA_NOT_LOCAL;
   }
}

static inline void
write_units(struct ra_local *l, mir_reg r, unsigned n, uint32_t block, uint32_t start)
{
   for (uint32_t u = mir_unit_id(r), last = u + n; u < last; u++) {
      if (!l->home[u]) {
         l->home[u] = block;
         l->range[u] = (struct ra_range){ start, start + 1 };
      } else if (l->home[u] == block && l->range[u].end == start) {
         l->range[u].end = start + 1;
      } else {
         l->home[u] = RA_NOT_LOCAL;
      }
   }
}

static inline void
add_inst(struct mir_program *p, struct ra_local *l, const struct mir_inst *inst, uint32_t b)
{
   const struct isa_op_info *info = mir_info(inst);
   const uint32_t keeps = info && info->unit == ISA_UNIT_SMEM, pos = 2 * inst->pos;
   for (unsigned k = 0; k < 4; k++) {
      if (mir_is_virt(inst->src[k]))
         read_units(l, inst->src[k], inst->src_n[k], b + 1, pos + 1 + keeps);
   }
   for (unsigned k = 0; k < 2; k++) {
      const mir_reg r = inst->def[k];
      if (!mir_is_virt(r))
         continue;
      l->defines[b] |= 1u << p->units[mir_unit_id(r)].file;
      if (info && (info->flags & ISA_READS_DST))
         read_units(l, r, inst->def_n[k], b + 1, pos + 2);
      else
         write_units(l, r, inst->def_n[k], b + 1, pos + 1);
      if (keeps && !k && inst->def_n[k] > 4)
         l->wide[l->num_wide++] = r;
   }
}

/* How long a part of a wide scalar load is held that nobody reads depends on the rest. */
static void
look_at_wide(struct mir_program *p, struct ra_local *l)
{
   for (uint32_t i = 0; i < l->num_wide; i++) {
      const struct mir_unit *unit = mir_unit(p, l->wide[i]);
      uint32_t first = mir_unit_id(l->wide[i]) - unit->index, end = first + unit->size, u = first;
      while (u < end && l->home[u] != RA_NOT_LOCAL && (!l->home[u] || l->range[u].end > l->range[u].start + 1))
         u++;
      for (u = u < end ? first : end; u < end; u++)
         l->home[u] = RA_NOT_LOCAL;
   }
}

uint32_t
ra_local_find(struct mir_program *p, struct ir_arena *mem, struct ra_local *l)
{
   uint32_t pos = 0;
   l->home = ir_temp(p->sh, (p->num_units + 1) * sizeof(*l->home));
   l->defines = ir_temp(p->sh, p->num_blocks + 1);
   l->range = ir_arena_alloc(mem, (p->num_units + 1) * sizeof(*l->range));
   l->wide = ir_temp_any(p->sh, (p->num_insts + 1) * sizeof(*l->wide));
   l->num_wide = 0;
   mir_foreach_block(p, b) {
      b->first_pos = pos;
      mir_foreach_inst(b, inst) {
         inst->pos = pos++;
         add_inst(p, l, inst, b->index);
      }
      b->last_pos = b->first ? pos - 1 : pos;
      pos = b->last_pos + 1; /* an empty block has a place of its own */
   }
   look_at_wide(p, l);
   return pos;
}
