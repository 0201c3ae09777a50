/* SPDX-License-Identifier: MIT */
/* PM4 packets that write registers. */
#include "cp_internal.h"

#include "amdgfxregs.h"
#include "sid.h"

enum bank { BANK_CONTEXT, BANK_SH, BANK_UCONFIG, BANK_NONE };

/* Where a register belongs, and its bit in both words of CONTEXT_CONTROL. */
static enum bank bank_of(uint32_t addr, uint32_t *enable)
{
   if (addr >= SI_CONTEXT_REG_OFFSET && addr < SI_CONTEXT_REG_END) {
      *enable = CC1_SHADOW_PER_CONTEXT_STATE(1);
      return BANK_CONTEXT;
   }
   if (addr >= SI_SH_REG_OFFSET && addr < SI_SH_REG_END) {
      *enable = addr < R_00B800_COMPUTE_DISPATCH_INITIATOR ? CC1_SHADOW_GFX_SH_REGS(1) : CC1_SHADOW_CS_SH_REGS(1);
      return BANK_SH;
   }
   if (addr >= CIK_UCONFIG_REG_OFFSET && addr < CIK_UCONFIG_REG_END) {
      *enable = CC1_SHADOW_GLOBAL_UCONFIG(1);
      return BANK_UCONFIG;
   }
   *enable = 0;
   return BANK_NONE;
}

/* A register, and its copy in memory when shadowing is on. */
static void write_reg(struct cp *cp, uint32_t addr, uint32_t value)
{
   static const uint32_t first[3] = { SI_CONTEXT_REG_OFFSET, SI_SH_REG_OFFSET, CIK_UCONFIG_REG_OFFSET };
   uint32_t enable;

   regs_write(cp->config.regs, cp->report, addr, value);
   if (!cp->shadow_enable)
      return;
   const enum bank bank = bank_of(addr, &enable);
   if (!(cp->shadow_enable & enable) || !cp->shadow_base[bank])
      return;
   const uint64_t va = cp->shadow_base[bank] + addr - first[bank];
   vm_write(cp->env->vm, VM_CP, va, &value, 4);
   cache_write_bytes(cp->env->cache, CACHE_PFP, va, 4);
}

static void write_run(struct cp *cp, const struct cp_packet *p, uint32_t base, uint32_t end)
{
   uint32_t addr = base + 4 * (p->body[0] & 0xffff);
   if (addr + 4 * (p->count - 1) > end) {
      cp_bad(cp, p, "registers beyond the end of their range");
      return;
   }
   for (unsigned i = 1; i < p->count; i++, addr += 4)
      write_reg(cp, addr, p->body[i]);
}

void cp_set_config_reg(struct cp *cp, const struct cp_packet *p)
{
   write_run(cp, p, SI_CONFIG_REG_OFFSET, SI_CONFIG_REG_END);
}

void cp_set_context_reg(struct cp *cp, const struct cp_packet *p)
{
   write_run(cp, p, SI_CONTEXT_REG_OFFSET, SI_CONTEXT_REG_END);
}

void cp_set_sh_reg(struct cp *cp, const struct cp_packet *p)
{
   write_run(cp, p, SI_SH_REG_OFFSET, SI_SH_REG_END);
}

/* Index 3: the kernel's CU mask is ANDed in; all CUs are enabled here. */
void cp_set_sh_reg_index(struct cp *cp, const struct cp_packet *p)
{
   write_run(cp, p, SI_SH_REG_OFFSET, SI_SH_REG_END);
}

void cp_set_uconfig_reg(struct cp *cp, const struct cp_packet *p)
{
   write_run(cp, p, CIK_UCONFIG_REG_OFFSET, CIK_UCONFIG_REG_END);
}

/* The index tells the firmware which register it is, so that it can apply its
 * own rules; it must agree with the address. */
void cp_set_uconfig_reg_index(struct cp *cp, const struct cp_packet *p)
{
   static const struct { unsigned index; uint32_t addr; } known[] = {
      { 1, R_030908_VGT_PRIMITIVE_TYPE },
      { 2, R_03090C_VGT_INDEX_TYPE },
      { 4, R_030960_IA_MULTI_VGT_PARAM },
   };
   const unsigned index = p->body[0] >> 28;
   const uint32_t addr = CIK_UCONFIG_REG_OFFSET + 4 * (p->body[0] & 0xffff);
   for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
      if (known[i].index == index && known[i].addr == addr) {
         write_run(cp, p, CIK_UCONFIG_REG_OFFSET, CIK_UCONFIG_REG_END);
         return;
      }
   }
   cp_bad(cp, p, "index does not belong to the register");
}

/* LOAD_*_REG: base, then pairs of first register and count; values lie at the
 * base plus the register's offset in its bank. It also says where shadows go.
 * Nothing is loaded while CONTEXT_CONTROL has it off. Ranges go over addresses
 * where no register is: zeros do no harm there. */
static void load_runs(struct cp *cp, const struct cp_packet *p, uint32_t base, uint32_t end)
{
   const uint64_t mem = CP_LO_HI(p->body[0], p->body[1]);
   uint32_t enable;
   cp->shadow_base[bank_of(base, &enable)] = mem;
   for (unsigned i = 2; i + 1 < p->count; i += 2) {
      bank_of(base + 4 * (p->body[i] & 0xffff), &enable);
      if (cp->load_enable & enable)
         cp_prefetch(cp, mem + 4 * (p->body[i] & 0xffff), 4 * (p->body[i + 1] & 0x3fff));
   }
   for (unsigned i = 2; i + 1 < p->count; i += 2) {
      const uint32_t first = p->body[i] & 0xffff, num = p->body[i + 1] & 0x3fff;
      for (uint32_t k = 0; k < num; k++) {
         uint32_t value;
         const uint32_t addr = base + 4 * (first + k);
         if (addr >= end) {
            cp_bad(cp, p, "registers beyond the end of their range");
            return;
         }
         bank_of(addr, &enable);
         if (!(cp->load_enable & enable))
            continue;
         if (!vm_read(cp->env->vm, VM_CP, mem + 4ull * (first + k), &value, 4))
            return;
         if (value || regs_find(addr))
            regs_write(cp->config.regs, cp->report, addr, value);
      }
   }
}

void cp_load_context_reg(struct cp *cp, const struct cp_packet *p)
{
   load_runs(cp, p, SI_CONTEXT_REG_OFFSET, SI_CONTEXT_REG_END);
}

void cp_load_sh_reg(struct cp *cp, const struct cp_packet *p)
{
   load_runs(cp, p, SI_SH_REG_OFFSET, SI_SH_REG_END);
}

void cp_load_uconfig_reg(struct cp *cp, const struct cp_packet *p)
{
   load_runs(cp, p, CIK_UCONFIG_REG_OFFSET, CIK_UCONFIG_REG_END);
}

/* LOAD_*_REG_INDEX: the address is that of the first value. */
static void load_index(struct cp *cp, const struct cp_packet *p, uint32_t base, uint32_t end)
{
   const uint64_t mem = CP_LO_HI(p->body[0] & ~3u, p->body[1]);
   const uint32_t first = p->body[2] & 0xffff, num = p->body[3] & 0x3fff;
   cp_prefetch(cp, mem, 4 * num);
   for (uint32_t k = 0; k < num; k++) {
      uint32_t value;
      const uint32_t addr = base + 4 * (first + k);
      if (addr >= end) {
         cp_bad(cp, p, "registers beyond the end of their range");
         return;
      }
      if (!vm_read(cp->env->vm, VM_CP, mem + 4ull * k, &value, 4))
         return;
      regs_write(cp->config.regs, cp->report, addr, value);
   }
}

void cp_load_context_reg_index(struct cp *cp, const struct cp_packet *p)
{
   load_index(cp, p, SI_CONTEXT_REG_OFFSET, SI_CONTEXT_REG_END);
}

void cp_load_sh_reg_index(struct cp *cp, const struct cp_packet *p)
{
   load_index(cp, p, SI_SH_REG_OFFSET, SI_SH_REG_END);
}

/* Body: register, mask, data. */
void cp_context_reg_rmw(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t addr = SI_CONTEXT_REG_OFFSET + 4 * (p->body[0] & 0xffff);
   uint32_t value = 0;
   if (!regs_read(cp->config.regs, addr, &value)) {
      cp_bad(cp, p, "no such register");
      return;
   }
   write_reg(cp, addr, (value & ~p->body[1]) | (p->body[2] & p->body[1]));
}

void cp_clear_state(struct cp *cp, const struct cp_packet *p)
{
   (void)p;
   regs_clear_state(cp->config.regs);
}

/* Turns loading from and shadowing to memory on and off, bank by bank. */
void cp_context_control(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t banks = CC0_LOAD_PER_CONTEXT_STATE(1) | CC0_LOAD_GLOBAL_UCONFIG(1) | CC0_LOAD_GFX_SH_REGS(1) |
                          CC0_LOAD_CS_SH_REGS(1);
   const uint32_t load = p->body[0], shadow = p->body[1];

   if (load & CC0_UPDATE_LOAD_ENABLES(1))
      cp->load_enable = load & banks;
   if (shadow & CC1_UPDATE_SHADOW_ENABLES(1)) {
      cp->shadow_enable = shadow & banks;
      if (shadow & CC1_SHADOW_GLOBAL_CONFIG(1))
         model_violation(cp->report, CHECK_MODEL, "CONTEXT_CONTROL: shadows of configuration registers (0x%08x)", shadow);
   }
}
