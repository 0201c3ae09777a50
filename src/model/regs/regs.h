/* SPDX-License-Identifier: MIT */
/* Register banks of the graphics block with a written bit for each register.
 * Numbers are byte addresses as in amdgfxregs.h (R_028000_...). */
#ifndef MODEL_REGS_H
#define MODEL_REGS_H

#include <stdbool.h>
#include <stdint.h>

#define REGS_SH_BASE       0xb000
#define REGS_CONTEXT_BASE  0x28000
#define REGS_UCONFIG_BASE  0x30000
#define REGS_CONFIG_BASE   0x8000
#define REGS_SH_COUNT      0x400
#define REGS_CONTEXT_COUNT 0x400
#define REGS_UCONFIG_COUNT 0x4000
#define REGS_CONFIG_COUNT  0xc00

struct regs {
   uint32_t sh[REGS_SH_COUNT];
   uint32_t context[REGS_CONTEXT_COUNT];
   uint32_t uconfig[REGS_UCONFIG_COUNT];
   uint32_t config[REGS_CONFIG_COUNT];
   uint8_t sh_written[REGS_SH_COUNT], context_written[REGS_CONTEXT_COUNT];
   uint8_t uconfig_written[REGS_UCONFIG_COUNT], config_written[REGS_CONFIG_COUNT];
   /* Counts writes to each bank that changed a value: lets blocks cache what
    * they derive from registers. */
   uint64_t context_serial, sh_serial, uconfig_serial;
};

/* Read a register by its byte address (R_...). */
static inline uint32_t reg_ctx(const struct regs *r, uint32_t reg) { return r->context[(reg - REGS_CONTEXT_BASE) / 4]; }
static inline uint32_t reg_sh(const struct regs *r, uint32_t reg) { return r->sh[(reg - REGS_SH_BASE) / 4]; }
static inline uint32_t reg_uc(const struct regs *r, uint32_t reg) { return r->uconfig[(reg - REGS_UCONFIG_BASE) / 4]; }
static inline float reg_ctx_f(const struct regs *r, uint32_t reg)
{
   union { uint32_t u; float f; } v = { .u = reg_ctx(r, reg) };
   return v.f;
}

#endif
