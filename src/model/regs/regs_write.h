/* SPDX-License-Identifier: MIT */
/* Writing registers: only the CP does it. */
#ifndef MODEL_REGS_WRITE_H
#define MODEL_REGS_WRITE_H

#include "regs.h"

struct model_report;

struct reg_info {
   uint32_t addr;        /* byte address */
   uint32_t mask;        /* bits that belong to fields; ~0 when fields are not known */
   const char *name;
};

/* NULL when the generation has no register at this byte address. */
const struct reg_info *regs_find(uint32_t addr);

/* Power-up state: what the kernel driver programs before user space runs. */
void regs_init(struct regs *r, uint32_t gb_addr_config);
/* A new submission knows nothing of what earlier ones wrote: values stay,
 * written bits go, except those of registers that the kernel sets. */
void regs_begin_submission(struct regs *r);
/* Loads the golden context state of CLEAR_STATE. */
void regs_clear_state(struct regs *r);
/* Writes a register; an unknown one or a set reserved bit is a violation. */
void regs_write(struct regs *r, struct model_report *report, uint32_t addr, uint32_t value);
/* Reads a register for COPY_DATA and WAIT_REG_MEM; false when it is unknown. */
bool regs_read(const struct regs *r, uint32_t addr, uint32_t *value);

#endif
