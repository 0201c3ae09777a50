/* SPDX-License-Identifier: MIT */
/* Textures: layout by ac_surface (addrlib) and memory. Our own surfaces carry
 * no DCC, CMASK, FMASK or HTILE yet. */
#include "context.h"

#include "drm-uapi/drm_fourcc.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static bool
wants_linear(struct tgsiamd_screen *screen, const struct pipe_resource *templ)
{
   if (util_format_is_depth_or_stencil(templ->format))
      return false;
   if (templ->usage == PIPE_USAGE_STAGING ||
       (templ->bind & (PIPE_BIND_LINEAR | PIPE_BIND_CURSOR)))
      return true;
   /* The blocks of 1D images are linear in any case. */
   if (templ->target == PIPE_TEXTURE_1D || templ->target == PIPE_TEXTURE_1D_ARRAY)
      return true;
   return (screen->debug & DBG_LINEAR) && !util_format_is_compressed(templ->format) &&
          templ->target != PIPE_TEXTURE_3D;
}

bool
tgsiamd_texture_layout(struct tgsiamd_screen *screen, struct tgsiamd_texture *tex, bool linear)
{
   const struct pipe_resource *res = &tex->r.base;
   const struct util_format_description *desc = util_format_description(res->format);
   struct radeon_surf *surf = &tex->surf;
   struct ac_surf_config config = {
      .info = {
         .width = res->width0,
         .height = res->height0,
         .depth = res->depth0,
         .samples = MAX2(1, res->nr_samples),
         .storage_samples = MAX2(1, res->nr_storage_samples),
         .levels = res->last_level + 1,
         .num_channels = util_format_get_nr_components(res->format),
         .array_size = res->array_size,
      },
      .is_1d = res->target == PIPE_TEXTURE_1D || res->target == PIPE_TEXTURE_1D_ARRAY,
      .is_3d = res->target == PIPE_TEXTURE_3D,
      .is_cube = res->target == PIPE_TEXTURE_CUBE, /* six layers whatever array_size says */
   };

   surf->blk_w = util_format_get_blockwidth(res->format);
   surf->blk_h = util_format_get_blockheight(res->format);
   /* Stencil has a plane of its own. */
   surf->bpe = tex->is_depth ? util_format_get_blocksize(res->format) == 2 ? 2 : 4
                             : util_format_get_blocksize(res->format);
   surf->flags = RADEON_SURF_DISABLE_DCC | RADEON_SURF_NO_FMASK | RADEON_SURF_NO_HTILE;
   surf->modifier = DRM_FORMAT_MOD_INVALID;
   if (tex->is_depth) {
      surf->flags |= RADEON_SURF_ZBUFFER;
      if (util_format_has_stencil(desc))
         surf->flags |= RADEON_SURF_SBUFFER;
   } else if (!(res->bind & PIPE_BIND_RENDER_TARGET) && util_format_is_compressed(res->format)) {
      surf->flags |= RADEON_SURF_NO_RENDER_TARGET;
   }
   if (res->bind & PIPE_BIND_SCANOUT)
      surf->flags |= RADEON_SURF_SCANOUT;
   if (res->bind & PIPE_BIND_SHARED)
      surf->flags |= RADEON_SURF_SHAREABLE;

   return !ac_compute_surface(screen->addrlib, screen->info, &config,
                              linear ? RADEON_SURF_MODE_LINEAR_ALIGNED : RADEON_SURF_MODE_2D, surf);
}

static void
print_layout(const struct tgsiamd_texture *tex)
{
   const struct pipe_resource *res = &tex->r.base;
   const struct radeon_surf *surf = &tex->surf;

   tgsiamd_error("texture %ux%ux%u, %u layers, %u levels, %s: swizzle mode %u, epitch %u, "
                 "%llu bytes, first tail level %u",
                 res->width0, res->height0, res->depth0, res->array_size, res->last_level + 1,
                 util_format_short_name(res->format), surf->u.gfx9.swizzle_mode,
                 surf->u.gfx9.epitch, (unsigned long long)surf->total_size,
                 surf->first_mip_tail_level);
}

struct pipe_resource *
tgsiamd_texture_create(struct tgsiamd_screen *screen, const struct pipe_resource *templ)
{
   struct tgsiamd_texture *tex = CALLOC_STRUCT(tgsiamd_texture);
   struct tgsiamd_resource *r = &tex->r;

   if (!tex)
      return NULL;
   r->base = *templ;
   r->base.screen = &screen->base;
   r->base.next = NULL;
   pipe_reference_init(&r->base.reference, 1);
   /* Stencil alone is only sampled: one plane like a colour. */
   tex->is_depth = util_format_is_depth_or_stencil(templ->format) && templ->format != PIPE_FORMAT_S8_UINT;
   if (!tgsiamd_texture_layout(screen, tex, wants_linear(screen, templ))) {
      tgsiamd_error("no layout for a texture of format %s", util_format_short_name(templ->format));
      FREE(tex);
      return NULL;
   }
   if (screen->debug & DBG_TEX)
      print_layout(tex);

   r->domain = templ->usage == PIPE_USAGE_STAGING ? TGSIAMD_GTT : TGSIAMD_VRAM;
   if (tex->surf.is_linear || tex->is_depth || util_format_is_compressed(templ->format) ||
       !screen->info->has_dedicated_vram)
      r->bo_flags |= TGSIAMD_BO_CPU_ACCESS;
   if (templ->bind & (PIPE_BIND_SHARED | PIPE_BIND_SCANOUT))
      r->bo_flags |= TGSIAMD_BO_SHAREABLE;
   if (!tgsiamd_resource_alloc(screen, r, tex->surf.total_size, 1u << tex->surf.alignment_log2)) {
      FREE(tex);
      return NULL;
   }
   return &r->base;
}

unsigned
tgsiamd_texture_linear_stride(const struct tgsiamd_texture *tex, unsigned level)
{
   return tex->surf.u.gfx9.pitch[level] * tex->surf.bpe;
}

uint64_t
tgsiamd_texture_linear_offset(const struct tgsiamd_texture *tex, unsigned level,
                              const struct pipe_box *box)
{
   const struct gfx9_surf_layout *layout = &tex->surf.u.gfx9;

   return tex->offset + layout->offset[level] + box->z * layout->surf_slice_size +
          ((uint64_t)(box->y / tex->surf.blk_h) * layout->pitch[level] + box->x / tex->surf.blk_w) *
             tex->surf.bpe;
}
