/* SPDX-License-Identifier: MIT */
/* What the files of TA share: decoded descriptors and texel access. */
#ifndef MODEL_TA_INTERNAL_H
#define MODEL_TA_INTERNAL_H

#include "../msg.h"
#include "../obs/report.h"
#include "../regs/regs.h"
#include "../surf/fmt.h"
#include "../surf/surf.h"
#include "../vm/vm.h"
#include "ta.h"
#include "tgsiamd/isa.h"

/* SQ_RSRC_IMG_TYPE */
enum { IMG_1D = 8, IMG_2D, IMG_3D, IMG_CUBE, IMG_1D_ARRAY, IMG_2D_ARRAY, IMG_2D_MSAA, IMG_2D_MSAA_ARRAY };

/* How texels are read. */
enum tex_path { TEX_ZERO, TEX_RGBA8, TEX_FMT, TEX_BLOCK, TEX_FMASK };

/* A decoded T#. */
struct ta_tex {
   uint32_t key[8];
   void *addrlib;
   unsigned epoch;            /* of surf: an address may come back */
   bool used;
   bool bad;                  /* refused: reads give 0 */
   const char *missing;       /* name of a format that the model does not have */
   const char *complaint;     /* CHECK_DESCRIPTOR text, once an instruction uses it */
   enum tex_path path;
   uint8_t type, dims;        /* dims: coordinates that are filtered */
   bool array, cube, msaa;
   const struct fmt *fmt;
   const float *lut;          /* TEX_RGBA8: value of each byte; alpha is linear */
   const struct surf_layout *l;
   uint64_t base;             /* without pipe/bank XOR */
   uint32_t width, height, depth; /* texels of level 0 */
   uint32_t first_layer, last_layer;
   uint8_t base_level, last_level, samples_log2;
   uint8_t step;              /* elements of the layout per texel: 3 for 96 bits */
   float min_lod;             /* absolute level */
   uint8_t sel[4];            /* SQ_SEL_* */
   uint8_t bc_swizzle[4];
   const struct surf_meta *dcc, *htile;
   uint64_t meta_va;
   bool alpha_is_on_msb;
};

/* A decoded S#. */
struct ta_samp {
   uint8_t clamp[3], compare, max_aniso_log2;
   uint8_t mag, min, zfilter, mip; /* SQ_TEX_*_FILTER */
   bool unnormalized, trunc_coord, cube_wrap;
   uint8_t reduce;            /* SQ_IMG_FILTER_MODE_*: blend, minimum, maximum */
   float min_lod, max_lod, bias;
   uint8_t border_type;
   uint16_t border_ptr;
};

/* One instruction at work. */
struct ta_ctx {
   const struct model_env *env;
   const struct ta_tex *t;
   struct ta_samp s;
   const uint8_t *host;       /* of t->base; NULL: unmapped */
   uint64_t avail;
   uint64_t meta_probe;       /* last metadata item looked at, and its verdict */
   int meta_code;
   bool faulted;
   bool prt;                  /* base is reserved without memory: no address is taken for granted */
   bool absent;               /* a texel of this lane has no memory (PRT) */
   uint32_t border[4];        /* memory order, raw */
};

const struct ta_tex *ta_tex_get(const struct model_env *env, const uint32_t rsrc[8]);
void ta_samp_decode(const uint32_t w[4], struct ta_samp *s);
/* Complains once about the descriptor; false when nothing can be read. */
bool ta_ctx_init(struct ta_ctx *c, const struct model_env *env, const uint32_t rsrc[8]);
void ta_border_init(struct ta_ctx *c);

/* Host pointer of an element, also across mappings; NULL after a fault. */
void *ta_slow_ptr(struct ta_ctx *c, uint64_t offset, unsigned bytes, bool write);
static inline const uint8_t *ta_texel_ptr(struct ta_ctx *c, unsigned level, uint32_t x, uint32_t y,
                                          uint32_t z, uint32_t sample)
{
   const struct ta_tex *t = c->t;
   uint64_t off = surf_offset(t->l, level, x, y, z, sample);
   if (__builtin_expect(off + t->fmt->bytes <= c->avail, 1))
      return c->host + off;
   return ta_slow_ptr(c, off, t->fmt->bytes, false);
}
/* One texel in memory order, four raw dwords. */
void ta_fetch(struct ta_ctx *c, unsigned level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
              uint32_t out[4]);

static inline uint32_t ta_level_size(uint32_t size, unsigned level)
{
   return level < 32 && size >> level ? size >> level : 1;
}
/* DST_SEL: memory order to shader order. */
static inline uint32_t ta_select(const struct ta_tex *t, unsigned c, const uint32_t texel[4])
{
   uint8_t s = t->sel[c];
   return s >= 4 ? texel[s - 4] : s == 1 ? (t->fmt && t->fmt->is_int ? 1 : 0x3f800000) : 0;
}

/* What an image opcode takes and does; ta_ops.c. */
enum ta_kind { TA_SAMPLE, TA_GATHER, TA_GET_LOD, TA_LOAD, TA_STORE, TA_ATOMIC, TA_RESINFO, TA_LOAD_PCK, TA_STORE_PCK };
struct ta_image_info {
   uint8_t kind;
   bool offset, bias, compare, derivs, lod, lz, clamp, mip;
   uint8_t atomic;
   bool sign;                 /* packed loads: bytes and halves are sign extended */
};
const struct ta_image_info *ta_image_info(unsigned op);

/* Atomics, on host memory. Returns the old value. */
enum ta_atomic {
   ATOMIC_NONE, ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_ADD, ATOMIC_SUB, ATOMIC_SMIN, ATOMIC_UMIN,
   ATOMIC_SMAX, ATOMIC_UMAX, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC,
};
uint32_t ta_atomic32(enum ta_atomic op, void *p, uint32_t data, uint32_t cmp);
uint64_t ta_atomic64(enum ta_atomic op, void *p, uint64_t data, uint64_t cmp);

void ta_sample(struct ta_ctx *c, const struct ta_image_op *op, const struct ta_image_info *info);

/* ta_move.c: loads and stores for all lanes at once; false: not of that kind. */
bool ta_load_plain(struct ta_ctx *c, const struct ta_image_op *op, bool mip);
bool ta_store_plain(struct ta_ctx *c, const struct ta_image_op *op, bool mip);
/* Number of coordinates in the address of this image and DA bit. */
unsigned ta_num_coords(const struct ta_tex *t, bool da);
/* Packs shader-order channels by dmask (and D16) into op->result, and behind
 * them whether texels were absent (TFE). */
void ta_write_result(struct ta_ctx *c, const struct ta_image_op *op, unsigned lane, const uint32_t value[4],
                     unsigned dmask);
/* Address registers of an instruction with A16: halves unpacked into `regs`. */
void ta_unpack_a16(const struct ta_tex *t, const struct ta_image_info *info, const struct ta_image_op *op,
                   uint32_t regs[16][64], struct ta_image_op *out);

#endif
