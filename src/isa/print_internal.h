/* SPDX-License-Identifier: MIT */
/* Output buffer of the printer and its parts. */
#ifndef TGSIAMD_ISA_PRINT_INTERNAL_H
#define TGSIAMD_ISA_PRINT_INTERNAL_H

#include "layout.h"

struct printer {
   enum tgsiamd_gfx gfx;
   const struct isa_inst *inst;
   const struct isa_op_info *info;
   char *buf;
   size_t size, len; /* len counts on beyond size, as snprintf does */
   bool first;       /* no operand printed yet */
};

void isa_puts(struct printer *p, const char *text);
void isa_printf(struct printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Comma and space, or the space behind the mnemonic. */
void isa_separator(struct printer *p);
/* A register or constant of `dw` dwords read as `type`. */
void isa_print_operand(struct printer *p, unsigned operand, unsigned dw, enum isa_type type);
void isa_print_waitcnt(struct printer *p);
void isa_print_hwreg(struct printer *p);
void isa_print_sendmsg(struct printer *p);
void isa_print_delay(struct printer *p);
void isa_print_swizzle(struct printer *p);
void isa_print_buffer_format(struct printer *p);
/* Name of a unified format (GFX10+), NULL when reserved. */
const char *isa_buffer_format_name(enum tgsiamd_gfx gfx, unsigned format);

/* dst and src[n] as plain operands, with the separator before them. */
void isa_print_dst(struct printer *p);
void isa_print_src(struct printer *p, unsigned n);
void isa_print_attr(struct printer *p);
/* ".l" or ".h" behind a 16-bit VGPR operand (isa_is_half) where LLVM shows it. */
void isa_print_half(struct printer *p, unsigned operand, unsigned index);

/* "_e32", "_e64", "_sdwa", "_dpp", "_e64_dpp" or nothing. */
const char *isa_valu_suffix(const struct printer *p);

/* Everything behind the mnemonic, by encoding. */
void isa_print_valu(struct printer *p);
void isa_print_ds(struct printer *p);
void isa_print_smem(struct printer *p);
void isa_print_buffer(struct printer *p);
void isa_print_image(struct printer *p);
void isa_print_flat(struct printer *p);
void isa_print_vopd(struct printer *p);
void isa_print_ldsdir(struct printer *p);
void isa_print_exp(struct printer *p);

#endif
