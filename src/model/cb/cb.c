/* SPDX-License-Identifier: MIT */
/* Colour block state: CB_COLORn_BASE .. DCC_BASE, CB_TARGET_MASK,
 * CB_SHADER_MASK, SPI_SHADER_COL_FORMAT, CB_BLENDn_CONTROL, CB_COLOR_CONTROL. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "cb_internal.h"

struct cb *cb_create(void) { return calloc(1, sizeof(struct cb)); }
void cb_destroy(struct cb *cb) { free(cb); }

/* Half-precision exports to 8-bit targets, by table. */
static uint8_t half_to_unorm8[65536], half_to_srgb8[65536];
static pthread_once_t lut_once = PTHREAD_ONCE_INIT;

static void init_luts(void)
{
   const struct fmt *unorm = fmt_color(1, 0), *srgb = fmt_color(1, 6);
   for (unsigned i = 0; i < 65536; i++) {
      uint32_t v[4] = { fmt_f2u(fmt_half_to_float(i)) };
      unorm->pack(unorm, v, &half_to_unorm8[i], false);
      srgb->pack(srgb, v, &half_to_srgb8[i], false);
   }
}

/* COMP_SWAP: which of R, G, B, A each component of memory holds. */
static const uint8_t swaps[4][4][4] = {
   /* components 1 */ { { 0 }, { 1 }, { 2 }, { 3 } },
   /* 2 */ { { 0, 1 }, { 0, 3 }, { 1, 0 }, { 3, 0 } },
   /* 3 */ { { 0, 1, 2 }, { 0, 1, 3 }, { 2, 1, 0 }, { 3, 1, 0 } },
   /* 4 */ { { 0, 1, 2, 3 }, { 2, 1, 0, 3 }, { 3, 2, 1, 0 }, { 3, 0, 1, 2 } },
};

#define REG(name) reg_ctx(env->regs, R_##name + i * 0x3c)

/* Fields of FMASK hold a fragment or, with fewer fragments than samples, that
 * it is unknown; they are 1, 2 or 4 bits wide. */
static unsigned fmask_sample_bits(unsigned samples_log2, unsigned frags_log2)
{
   unsigned values = (1u << frags_log2) + (frags_log2 < samples_log2);
   return values <= 2 ? 1 : values <= 4 ? 2 : 4;
}

static void derive_meta(const struct model_env *env, struct cb_target *t, const struct surf_desc *d, uint32_t info,
                        uint32_t attrib)
{
   unsigned i = t->index;
   bool pa = G_028C74_PIPE_ALIGNED(attrib), ra = G_028C74_RB_ALIGNED(attrib);
   bool compression = G_028C70_COMPRESSION(info), fast_clear = G_028C70_FAST_CLEAR(info);

   t->clear_word[0] = REG(028C8C_CB_COLOR0_CLEAR_WORD0);
   t->clear_word[1] = REG(028C90_CB_COLOR0_CLEAR_WORD1);
   if (G_028C70_DCC_ENABLE(info)) {
      unsigned w, h, z;
      t->dcc = surf_meta_get(env->addrlib, SURF_META_DCC, d, pa, ra);
      t->dcc_va = (uint64_t)REG(028C94_CB_COLOR0_DCC_BASE) << 8 |
                  (uint64_t)(REG(028C98_CB_COLOR0_DCC_BASE_EXT) & 0xff) << 40;
      if (!t->dcc)
         model_violation(env->report, CHECK_STATE, "CB_COLOR%u: DCC_ENABLE with a layout that has no DCC", i);
      else {
         surf_meta_block(t->dcc, &w, &h, &z);
         t->dcc_w = w;
         t->dcc_h = h;
         t->dcc_d = z;
      }
   }
   t->touch_w = t->dcc ? t->dcc_w : 3;
   t->touch_h = t->dcc ? t->dcc_h : 3;
   t->touch_d = t->dcc ? t->dcc_d : 0;
   if (compression || fast_clear) { /* CMASK: 8x8 pixels */
      t->touch_w = t->touch_w < 3 ? t->touch_w : 3;
      t->touch_h = t->touch_h < 3 ? t->touch_h : 3;
      t->touch_d = 0;
   }
   if (!compression && !fast_clear)
      return;

   /* CMASK and FMASK follow FMASK's swizzle mode. */
   unsigned fmask_bits_log2 = t->samples_log2 + 31 - __builtin_clz(t->fmask_bits);
   fmask_bits_log2 = fmask_bits_log2 < 3 ? 3 : fmask_bits_log2;
   struct surf_desc fd = {
      .swizzle_mode = G_028C74_FMASK_SW_MODE(attrib), .bytes_log2 = fmask_bits_log2 - 3,
      .resource_type = 1, .num_levels = 1, .is_fmask = true, .width = d->width, .height = d->height, .depth = d->depth,
   };
   struct surf_desc cd = fd;
   if (!t->samples_log2) {
      cd.is_fmask = false;
      cd.swizzle_mode = d->swizzle_mode;
      cd.bytes_log2 = d->bytes_log2;
      if (G_028C74_FMASK_SW_MODE(attrib))
         cd.swizzle_mode = G_028C74_FMASK_SW_MODE(attrib);
   }
   t->cmask = surf_meta_get(env->addrlib, SURF_META_CMASK, &cd, true, true);
   t->cmask_va = (uint64_t)REG(028C7C_CB_COLOR0_CMASK) << 8 | (uint64_t)(REG(028C80_CB_COLOR0_CMASK_BASE_EXT) & 0xff) << 40;
   if (!t->cmask)
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u: CMASK with FMASK_SW_MODE %u, which has none", i,
                      cd.swizzle_mode);
   if (!compression)
      return;
   uint64_t fva = (uint64_t)REG(028C84_CB_COLOR0_FMASK) << 8 |
                  (uint64_t)(REG(028C88_CB_COLOR0_FMASK_BASE_EXT) & 0xff) << 40;
   t->fmask_base = surf_split_base(fd.swizzle_mode, fva, &fd.pipe_bank_xor);
   /* FMASK's pitch follows from its size: registers do not hold one. */
   for (unsigned pitch = 0; pitch < 2; pitch++) {
      t->fmask = surf_layout_get(env->addrlib, &fd);
      if (!t->fmask)
         break;
      if (!t->fmask->epitch_mismatch)
         break;
      fd.epitch = (t->fmask->level[0].row_pitch >> t->fmask->block_log2 << t->fmask->bw_log2) - 1;
   }
   t->fmask_bytes = 1u << fd.bytes_log2;
   if (!t->fmask)
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u: COMPRESSION with FMASK_SW_MODE %u, which has no FMASK", i,
                      fd.swizzle_mode);
}

static void derive_blend(struct cb *cb, const struct model_env *env, struct cb_target *t)
{
   uint32_t b = reg_ctx(env->regs, R_028780_CB_BLEND0_CONTROL + t->index * 4);
   t->blend = (struct cb_blend) {
      .enable = G_028780_ENABLE(b) && !t->blend_bypass && !t->is_int,
      .separate_alpha = G_028780_SEPARATE_ALPHA_BLEND(b),
      .src = G_028780_COLOR_SRCBLEND(b), .dst = G_028780_COLOR_DESTBLEND(b), .func = G_028780_COLOR_COMB_FCN(b),
      .src_a = G_028780_ALPHA_SRCBLEND(b), .dst_a = G_028780_ALPHA_DESTBLEND(b), .func_a = G_028780_ALPHA_COMB_FCN(b),
   };
   if (!t->blend.separate_alpha) {
      t->blend.src_a = t->blend.src;
      t->blend.dst_a = t->blend.dst;
      t->blend.func_a = t->blend.func;
   }
   if (t->blend.enable) {
      uint8_t f[4] = { t->blend.src, t->blend.dst, t->blend.src_a, t->blend.dst_a };
      for (unsigned i = 0; i < 4; i++) {
         if (f[i] >= 15 && f[i] <= 18)
            cb->dual_source = true;
         if (f[i] == 11 || f[i] == 12 || f[i] > 20)
            model_violation(env->report, CHECK_STATE, "CB_BLEND%u_CONTROL: factor %u", t->index, f[i]);
      }
      if (t->blend.func > 4 || t->blend.func_a > 4)
         model_violation(env->report, CHECK_STATE, "CB_BLEND%u_CONTROL: combination function %u, %u", t->index,
                         t->blend.func, t->blend.func_a);
   }
   t->rop = cb->rop3 != 0xcc && !t->blend.enable && !G_028780_DISABLE_ROP3(b) && t->number_type != 7 &&
            t->number_type != 6;
}

static void derive_target(struct cb *cb, const struct model_env *env, unsigned i, uint32_t mask)
{
   struct cb_target *t = &cb->t[i];
   uint32_t info = REG(028C70_CB_COLOR0_INFO), attrib = REG(028C74_CB_COLOR0_ATTRIB);
   uint32_t attrib2 = REG(028C68_CB_COLOR0_ATTRIB2), view = REG(028C6C_CB_COLOR0_VIEW);
   unsigned format = G_028C70_FORMAT_GFX6(info);
   memset(t, 0, sizeof(*t));
   t->index = i;
   /* Exports and their formats have no holes: the n-th one belongs to the n-th
    * target that CB_SHADER_MASK names. */
   uint32_t shader_mask = reg_ctx(env->regs, R_02823C_CB_SHADER_MASK);
   for (unsigned n = 0; n < i; n++)
      t->export += (shader_mask >> (4 * n) & 0xf) != 0;
   t->export_fmt = reg_ctx(env->regs, R_028714_SPI_SHADER_COL_FORMAT) >> (4 * t->export) & 0xf;
   if (format == 0)
      return;
   t->number_type = G_028C70_NUMBER_TYPE(info);
   t->fmt = fmt_color(format, t->number_type);
   if (!t->fmt || !t->fmt->pack || t->fmt->bytes == 12) {
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u_INFO: format %u with number type %u", i, format,
                      t->number_type);
      return;
   }
   unsigned n = t->fmt->num_comp;
   memcpy(t->swap, swaps[n - 1][G_028C70_COMP_SWAP(info)], 4);
   t->alpha_on_msb = G_028C70_COMP_SWAP(info) <= 1;
   t->mask = mask;
   for (unsigned c = 0; c < n; c++) {
      t->mem_mask |= (mask >> t->swap[c] & 1) << c;
      t->dst_has_alpha |= t->swap[c] == 3;
   }
   t->full_mask = t->mem_mask == (1u << n) - 1;
   t->truncate = G_028C70_ROUND_MODE(info);
   t->blend_clamp = G_028C70_BLEND_CLAMP(info);
   t->blend_bypass = G_028C70_BLEND_BYPASS(info);
   t->force_dst_alpha_1 = G_028C74_FORCE_DST_ALPHA_1_GFX6(attrib);
   t->is_int = t->fmt->is_int;
   t->clamp_signed = t->number_type == 1;
   t->samples_log2 = G_028C74_NUM_SAMPLES(attrib);
   t->frags_log2 = G_028C74_NUM_FRAGMENTS_GFX6(attrib);
   t->level = G_028C6C_MIP_LEVEL_GFX9(view);
   t->slice_start = G_028C6C_SLICE_START(view);
   t->slice_max = G_028C6C_SLICE_MAX_GFX6(view);
   unsigned max_mip = G_028C68_MAX_MIP(attrib2), type = G_028C74_RESOURCE_TYPE(attrib);
   if (t->frags_log2 > t->samples_log2 || t->frags_log2 > 3 || t->samples_log2 > 4) {
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u_ATTRIB: 2^%u samples with 2^%u fragments", i,
                      t->samples_log2, t->frags_log2);
      return;
   }
   t->eqaa = t->frags_log2 < t->samples_log2;
   t->fmask_bits = fmask_sample_bits(t->samples_log2, t->frags_log2);
   if (t->level > max_mip || t->slice_max < t->slice_start) {
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u_VIEW 0x%08x: level beyond MAX_MIP %u, or no slice", i, view,
                      max_mip);
      return;
   }

   struct surf_desc d = {
      .swizzle_mode = G_028C74_COLOR_SW_MODE(attrib), .bytes_log2 = 31 - __builtin_clz(t->fmt->bytes),
      .samples_log2 = t->frags_log2, .resource_type = type, .num_levels = max_mip + 1,
      .width = G_028C68_MIP0_WIDTH(attrib2) + 1, .height = G_028C68_MIP0_HEIGHT(attrib2) + 1,
      .depth = G_028C74_MIP0_DEPTH(attrib) + 1,
      .epitch = reg_ctx(env->regs, R_0287A0_CB_MRT0_EPITCH + i * 4) & 0xffff,
   };
   uint64_t va = (uint64_t)REG(028C60_CB_COLOR0_BASE) << 8 | (uint64_t)(REG(028C64_CB_COLOR0_BASE_EXT) & 0xff) << 40;
   t->base = surf_split_base(d.swizzle_mode, va, &d.pipe_bank_xor);
   t->l = surf_layout_get(env->addrlib, &d);
   if (!t->l) {
      model_violation(env->report, CHECK_STATE,
                      "CB_COLOR%u: no such layout (SW_MODE %u, %u bytes, %ux%ux%u, %u levels, %u samples)", i,
                      d.swizzle_mode, t->fmt->bytes, d.width, d.height, d.depth, d.num_levels, 1u << t->samples_log2);
      return;
   }
   if (t->l->epitch_mismatch)
      model_violation(env->report, CHECK_STATE, "CB_MRT%u_EPITCH %u does not follow from size and levels", i, d.epitch);
   t->width = t->l->level[t->level].width;
   t->height = t->l->level[t->level].height;
   t->bound = true;
   derive_meta(env, t, &d, info, attrib);
   derive_blend(cb, env, t);
   t->enabled = t->mem_mask != 0;
   if (t->enabled && cb->mode == CB_NORMAL && t->export_fmt)
      cb_check_rbplus(env, t);
   t->reads_dst = t->blend.enable || t->rop || !t->full_mask;
   if (t->enabled && cb->mode == CB_NORMAL && t->export_fmt && t->export_fmt != 9 && t->export_fmt > 3 &&
       (t->export_fmt >= 7) != t->is_int)
      model_violation(env->report, CHECK_STATE, "SPI_SHADER_COL_FORMAT %u of target %u does not fit number type %u",
                      t->export_fmt, i, t->number_type);
   if (t->fmt->bits[0] == 8 && n <= 4 && t->fmt->bytes == n && t->export_fmt == 4 && !t->blend.enable && !t->rop &&
       (t->number_type == 0 || t->number_type == 6)) {
      pthread_once(&lut_once, init_luts);
      t->half_lut = t->number_type == 6 ? half_to_srgb8 : half_to_unorm8;
      t->half_lut_alpha = half_to_unorm8;
   }
}

/* Pages stay where they are while a stream runs. */
static void find_memory(struct cb *cb, const struct model_env *env)
{
   for (unsigned i = 0; i < cb->num; i++) {
      struct cb_target *t = &cb->t[i];
      t->touched = 0;
      t->avail = 0;
      t->host = t->bound ? vm_probe(env->vm, VM_CB, t->base, true, &t->avail) : NULL;
      if (!t->host)
         t->avail = 0;
      else if (t->avail < t->l->size)
         model_violation(env->report, CHECK_SURFACE,
                         "colour target %u at 0x%llx has %llu bytes, its buffer ends after %llu", i,
                         (unsigned long long)t->base, (unsigned long long)t->l->size, (unsigned long long)t->avail);
   }
}

static void derive(struct cb *cb, const struct model_env *env)
{
   if (cb->valid && cb->regs == env->regs && cb->serial == env->regs->context_serial)
      return;
   cb->valid = true;
   cb->regs = env->regs;
   cb->serial = env->regs->context_serial;
   uint32_t control = reg_ctx(env->regs, R_028808_CB_COLOR_CONTROL);
   uint32_t target_mask = reg_ctx(env->regs, R_028238_CB_TARGET_MASK);
   uint32_t shader_mask = reg_ctx(env->regs, R_02823C_CB_SHADER_MASK);
   cb->mode = G_028808_MODE(control);
   cb->rop3 = G_028808_ROP3(control);
   cb->dual_source = false;
   cb->second_fmt = reg_ctx(env->regs, R_028714_SPI_SHADER_COL_FORMAT) >> 4 & 0xf;
   cb->num = 0;
   for (unsigned i = 0; i < 4; i++)
      cb->blend_const[i] = reg_ctx_f(env->regs, R_028414_CB_BLEND_RED + 4 * i);
   if (cb->mode == CB_DISABLE)
      return;
   if (cb->mode > CB_DCC_DECOMPRESS || cb->mode == CB_DECOMPRESS)
      model_violation(env->report, CHECK_STATE, "CB_COLOR_CONTROL.MODE %u", cb->mode);
   uint32_t mask = cb->mode == CB_NORMAL ? target_mask & shader_mask : target_mask;
   for (unsigned i = 0; i < 8; i++) {
      uint32_t m = mask >> (4 * i) & 0xf;
      cb->t[i].enabled = cb->t[i].bound = false;
      if (!m && !(cb->mode == CB_RESOLVE && i < 2))
         continue;
      derive_target(cb, env, i, m);
      if (cb->t[i].enabled || cb->t[i].bound)
         cb->num = i + 1;
   }
}

void cb_begin_draw(struct cb *cb, const struct model_env *env)
{
   derive(cb, env);
   find_memory(cb, env);
}
