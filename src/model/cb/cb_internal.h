/* SPDX-License-Identifier: MIT */
/* State that CB derives from CB_COLORn_*, CB_BLENDn_CONTROL and friends. */
#ifndef MODEL_CB_INTERNAL_H
#define MODEL_CB_INTERNAL_H

#include "../msg.h"
#include "../obs/report.h"
#include "../regs/regs.h"
#include "../surf/fmt.h"
#include "../surf/surf.h"
#include "../vm/vm.h"
#include "cb.h"

/* CB_COLOR_CONTROL.MODE */
enum cb_mode {
   CB_DISABLE, CB_NORMAL, CB_ELIMINATE_FAST_CLEAR, CB_RESOLVE, CB_DECOMPRESS, CB_FMASK_DECOMPRESS,
   CB_DCC_DECOMPRESS,
};

struct cb_blend {
   bool enable, separate_alpha;
   uint8_t src, dst, func, src_a, dst_a, func_a;
};

struct cb_target {
   bool enabled;            /* memory is written */
   bool bound;              /* registers describe a surface */
   unsigned index;
   uint8_t mask;            /* RGBA that may be written */
   uint8_t export;          /* which export of the shader it takes */
   uint8_t export_fmt;      /* SPI_SHADER_EX_FORMAT */
   uint8_t number_type;
   const struct fmt *fmt;
   uint8_t swap[4];         /* memory component -> RGBA */
   uint8_t mem_mask;        /* memory components that are written */
   bool full_mask;          /* all components of memory */
   bool truncate;           /* ROUND_MODE */
   bool blend_clamp, blend_bypass, force_dst_alpha_1;
   bool dst_has_alpha;
   bool is_int, clamp_signed;
   struct cb_blend blend;
   bool rop, reads_dst;
   const uint8_t *half_lut; /* 8-bit targets: half to stored byte, no blending */
   const uint8_t *half_lut_alpha;

   uint64_t base;
   const struct surf_layout *l;
   uint8_t level, samples_log2, frags_log2;
   uint32_t width, height, slice_start, slice_max;

   const struct surf_meta *dcc, *cmask;
   uint64_t dcc_va, cmask_va;
   const struct surf_layout *fmask;
   uint64_t fmask_base;
   uint8_t fmask_bytes, fmask_bits; /* of a pixel, of a sample */
   bool eqaa;               /* fewer fragments than samples */
   uint8_t dcc_w, dcc_h, dcc_d; /* log2 of a key's block */
   uint32_t clear_word[2];
   bool alpha_on_msb;

   uint8_t *host;           /* of base, during one draw */
   uint64_t avail;
   uint8_t touch_w, touch_h, touch_d; /* log2 of what one touch covers */
   uint64_t touched;        /* the block touched last; 0 none */
   uint8_t solid[16];       /* the pixel of cb_solid_take(), repeated */
   bool solid_whole;        /* a tile is one piece of memory */
};

struct cb {
   uint64_t serial;
   const struct regs *regs;
   bool valid;
   enum cb_mode mode;
   uint8_t rop3;
   bool dual_source;
   uint8_t second_fmt;      /* export format of the second source */
   float blend_const[4];
   unsigned num;            /* targets to look at */
   struct cb_target t[8];
};

/* Host address of a pixel's sample; NULL after a fault. */
void *cb_slow_ptr(const struct model_env *env, struct cb_target *t, uint64_t off);
static inline void *cb_ptr(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                           unsigned frag)
{
   uint64_t off = surf_offset(t->l, t->level, x, y, z, frag);
   if (__builtin_expect(off + t->fmt->bytes <= t->avail, 1))
      return t->host + off;
   return cb_slow_ptr(env, t, off);
}

/* A pixel that the target does not have. */
void cb_outside(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y);
/* Exports of halves to four bytes a pixel, everything written (half_lut). */
void cb_write_rgba8(const struct model_env *env, struct cb_target *t, const struct msg_ps_quads *q,
                    const uint32_t (*src)[64]);

/* Blending in RGBA order. */
void cb_blend(const struct cb *cb, const struct cb_target *t, const float src[4], const float src1[4],
              const float dst[4], float out[4]);

/* Before anything reads or writes a pixel: give the memory behind compression
 * metadata real contents. */
void cb_touch_block(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z);
/* True once for a run of pixels of the same block. */
static inline bool cb_new_block(struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   uint64_t block = 1ull << 63 | (uint64_t)(z >> t->touch_d) << 32 | (y >> t->touch_h) << 16 | x >> t->touch_w;
   bool is_new = t->touched != block;
   t->touched = block;
   return is_new;
}
static inline void cb_touch(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   if (cb_new_block(t, x, y, z))
      cb_touch_block(env, t, x, y, z);
}
/* cb_rbplus.c: whether RB+ state fits the target and its blending. */
void cb_check_rbplus(const struct model_env *env, const struct cb_target *t);
/* cb_fmask.c: EQAA. Which fragment each sample shows, CB_UNKNOWN when none does. */
#define CB_UNKNOWN 0xff
bool cb_fmask_load(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                   uint8_t map[16]);
/* One colour for the samples of `cover`. */
void cb_fmask_write(const struct cb *cb, const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y,
                    uint32_t z, unsigned cover, const uint32_t color[4], const uint32_t color1[4]);
/* `color` is RGBA, raw as the number type wants it; blends with what p holds. */
void cb_write_element(const struct cb *cb, const struct cb_target *t, void *p, const uint32_t color[4],
                      const uint32_t color1[4]);
/* The modes other than normal. */
void cb_special(struct cb *cb, const struct model_env *env, const struct msg_ps_quads *q);

#endif
