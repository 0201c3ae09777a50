/* SPDX-License-Identifier: MIT */
/* PM4 writer. Dwords go out between cs_begin(n) and cs_end(): writing more than
 * the n announced, or outside of a section, is an assertion, so no packet can
 * run past the room that was reserved. */
#ifndef TGSIAMD_PM4_H
#define TGSIAMD_PM4_H

#include <assert.h>
#include <string.h>
#include <stdbool.h>
#include <stdint.h>

#include "tgsiamd/ib.h"
#include "shadow.h"

struct tgsiamd_cs {
   struct tgsiamd_ib_space *ib;
   uint32_t limit;  /* cdw that the open section may reach; 0: no section is open */
   struct tgsiamd_shadow shadow;
   bool context_written; /* a context register since the user last cleared this */
};

static inline void
cs_begin(struct tgsiamd_cs *cs, uint32_t dwords)
{
   assert(!cs->limit && "sections do not nest");
   assert(cs->ib->cdw + dwords <= cs->ib->max_dw && "no room was reserved");
   cs->limit = cs->ib->cdw + dwords;
}

static inline void
cs_end(struct tgsiamd_cs *cs)
{
   assert(cs->ib->cdw <= cs->limit);
   cs->limit = 0;
}

static inline void
cs_emit(struct tgsiamd_cs *cs, uint32_t value)
{
   assert(cs->ib->cdw < cs->limit && "more than the section announced");
   cs->ib->buf[cs->ib->cdw++] = value;
}

static inline void
cs_emit_array(struct tgsiamd_cs *cs, const uint32_t *values, uint32_t count)
{
   assert(cs->ib->cdw + count <= cs->limit && "more than the section announced");
   memcpy(cs->ib->buf + cs->ib->cdw, values, count * 4);
   cs->ib->cdw += count;
}

/* SET_CONTEXT_REG, SET_SH_REG, SET_UCONFIG_REG of `count` registers from byte
 * address `reg` on; nothing is written when the shadow has the same values.
 * At most 2 + count dwords. */
void cs_set_regs(struct tgsiamd_cs *cs, uint32_t reg, uint32_t count, const uint32_t *values);

static inline void
cs_set_reg(struct tgsiamd_cs *cs, uint32_t reg, uint32_t value)
{
   cs_set_regs(cs, reg, 1, &value);
}

/* SET_UCONFIG_REG_INDEX: registers that the CP wants written with an index. */
void cs_set_uconfig_reg_index(struct tgsiamd_cs *cs, uint32_t reg, uint32_t index, uint32_t value);

#endif
