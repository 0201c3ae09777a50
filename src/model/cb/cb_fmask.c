/* SPDX-License-Identifier: MIT */
/* EQAA: targets with fewer fragments than samples (CB_COLORn_ATTRIB). FMASK says
 * for each sample which fragment it shows, or that its colour is unknown. The
 * first samples, as many as there are fragments, are anchors: they are never
 * unknown. How hardware picks the fragment that has to go is not documented;
 * here one goes that no anchor shows. */
#include <string.h>
#include "cb_internal.h"

static uint8_t *fmask_ptr(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   return vm_ptr(env->vm, VM_CB, t->fmask_base + surf_offset(t->fmask, 0, x, y, z, 0), t->fmask_bytes, true);
}

bool cb_fmask_load(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                   uint8_t map[16])
{
   const unsigned frags = 1u << t->frags_log2;
   if (!t->fmask) { /* only the anchors exist */
      for (unsigned s = 0; s < 16; s++)
         map[s] = s < frags ? s : CB_UNKNOWN;
      return true;
   }
   const uint8_t *p = fmask_ptr(env, t, x, y, z);
   uint64_t v = 0;
   if (!p)
      return false;
   memcpy(&v, p, t->fmask_bytes);
   for (unsigned s = 0; s < 16; s++) {
      const unsigned f = s < 1u << t->samples_log2 ? v >> (s * t->fmask_bits) & ((1u << t->fmask_bits) - 1) : frags;
      map[s] = f < frags ? f : CB_UNKNOWN;
   }
   return true;
}

static void fmask_store(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                        const uint8_t map[16])
{
   uint8_t *p = t->fmask ? fmask_ptr(env, t, x, y, z) : NULL;
   const uint64_t unknown = (1u << t->fmask_bits) - 1;
   uint64_t v = 0;
   if (!p)
      return;
   for (unsigned s = 0; s < 1u << t->samples_log2; s++)
      v |= (map[s] == CB_UNKNOWN ? unknown : map[s]) << (s * t->fmask_bits);
   memcpy(p, &v, t->fmask_bytes);
}

/* Samples of a pixel that get one and the same colour. */
struct group { unsigned samples; uint8_t value[16]; };

static void add_to_groups(struct group *g, unsigned *num, unsigned samples, const uint8_t value[16])
{
   for (unsigned i = 0; i < *num; i++)
      if (!memcmp(g[i].value, value, 16)) {
         g[i].samples |= samples;
         return;
      }
   g[*num].samples = samples;
   memcpy(g[(*num)++].value, value, 16);
}

/* A fragment that no sample shows, else for anchors one that no anchor shows. */
static unsigned free_fragment(const struct cb_target *t, uint8_t map[16], bool for_anchor)
{
   const unsigned frags = 1u << t->frags_log2, samples = 1u << t->samples_log2;
   for (unsigned anchors_only = 0; anchors_only <= for_anchor; anchors_only++)
      for (unsigned f = 0; f < frags; f++) {
         unsigned users = 0;
         for (unsigned s = 0; s < (anchors_only ? frags : samples); s++)
            users += map[s] == f;
         if (users)
            continue;
         for (unsigned s = 0; s < samples; s++)
            if (map[s] == f)
               map[s] = CB_UNKNOWN;
         return f;
      }
   return CB_UNKNOWN;
}

static unsigned blend_groups(const struct cb *cb, const struct model_env *env, struct cb_target *t, uint32_t x,
                             uint32_t y, uint32_t z, uint8_t map[16], unsigned cover, const uint32_t color[4],
                             const uint32_t color1[4], struct group g[9])
{
   unsigned num = 0;
   for (unsigned f = 0; f <= 1u << t->frags_log2; f++) {
      const bool unknown = f == 1u << t->frags_log2;
      uint8_t value[16] = { 0 };
      unsigned samples = 0;
      for (unsigned m = cover; m; m &= m - 1)
         if (map[__builtin_ctz(m)] == (unknown ? CB_UNKNOWN : f))
            samples |= m & -m;
      if (!samples || (unknown && t->reads_dst)) /* what mixes with the unknown stays unknown */
         continue;
      const void *p = unknown ? NULL : cb_ptr(env, t, x, y, z, f);
      if (p)
         memcpy(value, p, t->fmt->bytes);
      cb_write_element(cb, t, value, color, color1);
      add_to_groups(g, &num, samples, value);
   }
   return num;
}

void cb_fmask_write(const struct cb *cb, const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y,
                    uint32_t z, unsigned cover, const uint32_t color[4], const uint32_t color1[4])
{
   const unsigned anchors = (1u << (1u << t->frags_log2)) - 1;
   struct group g[9];
   uint8_t map[16];
   if (!t->fmask)
      cover &= anchors;
   if (!cover || !cb_fmask_load(env, t, x, y, z, map))
      return;
   const unsigned num = blend_groups(cb, env, t, x, y, z, map, cover, color, color1, g);
   for (unsigned m = cover; m; m &= m - 1)
      map[__builtin_ctz(m)] = CB_UNKNOWN;
   for (unsigned pass = 0; pass < 2; pass++) /* groups with anchors first */
      for (unsigned i = 0; i < num; i++) {
         const bool for_anchor = g[i].samples & anchors;
         if (for_anchor == pass)
            continue;
         const unsigned f = t->fmask ? free_fragment(t, map, for_anchor) : CB_UNKNOWN;
         for (unsigned m = g[i].samples; m; m &= m - 1) {
            const unsigned s = __builtin_ctz(m), to = t->fmask ? f : s;
            void *p = to != CB_UNKNOWN ? cb_ptr(env, t, x, y, z, to) : NULL;
            if (p)
               memcpy(p, g[i].value, t->fmt->bytes);
            map[s] = to;
         }
      }
   fmask_store(env, t, x, y, z, map);
}
