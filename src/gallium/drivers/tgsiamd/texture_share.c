/* SPDX-License-Identifier: MIT */
/* Textures that cross a border: handles with stride, offset, modifier, and the
 * tiling that amdgpu keeps with a buffer. */
#include "context.h"

#include "drm-uapi/drm_fourcc.h"
#include "frontend/winsys_handle.h"
#include "util/u_memory.h"

static bool
translate_type(unsigned type, enum tgsiamd_handle *out)
{
   switch (type) {
   case WINSYS_HANDLE_TYPE_FD:
      *out = TGSIAMD_HANDLE_DMABUF;
      return true;
   case WINSYS_HANDLE_TYPE_SHARED:
      *out = TGSIAMD_HANDLE_FLINK;
      return true;
   case WINSYS_HANDLE_TYPE_KMS:
      *out = TGSIAMD_HANDLE_KMS;
      return true;
   default:
      return false;
   }
}

static struct pipe_resource *
resource_from_handle(struct pipe_screen *pscreen, const struct pipe_resource *templ,
                     struct winsys_handle *whandle, unsigned usage)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   struct tgsiamd_texture *tex;
   struct tgsiamd_bo_metadata md;
   enum tgsiamd_handle type;
   enum radeon_surf_mode mode = RADEON_SURF_MODE_LINEAR_ALIGNED;

   if (templ->target == PIPE_BUFFER || !translate_type(whandle->type, &type) ||
       (whandle->modifier != DRM_FORMAT_MOD_INVALID && whandle->modifier != DRM_FORMAT_MOD_LINEAR))
      return NULL;
   tex = CALLOC_STRUCT(tgsiamd_texture);
   if (!tex)
      return NULL;
   tex->r.bo = tgsiamd_bo_import(screen->dev, type, whandle->handle);
   if (!tex->r.bo) {
      FREE(tex);
      return NULL;
   }
   tex->r.base = *templ;
   tex->r.base.screen = pscreen;
   tex->r.base.next = NULL;
   pipe_reference_init(&tex->r.base.reference, 1);
   tex->r.va = tex->r.bo->va;
   tex->r.domain = tex->r.bo->domain;
   tex->r.shared = true;
   tex->is_depth = util_format_is_depth_or_stencil(templ->format) && templ->format != PIPE_FORMAT_S8_UINT;

   if (whandle->modifier != DRM_FORMAT_MOD_LINEAR && tgsiamd_bo_get_metadata(tex->r.bo, &md)) {
      ac_surface_set_bo_metadata(screen->info, &tex->surf, md.tiling, &mode);
      tex->surf.flags = 0;
   }
   if (!tgsiamd_texture_layout(screen, tex, mode == RADEON_SURF_MODE_LINEAR_ALIGNED) ||
       !ac_surface_override_offset_stride(screen->info, &tex->surf, 1, whandle->offset,
                                          whandle->stride / tex->surf.bpe)) {
      tgsiamd_bo_reference(&tex->r.bo, NULL);
      FREE(tex);
      return NULL;
   }
   tex->offset = whandle->offset;
   return &tex->r.base;
}

static bool
resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pctx, struct pipe_resource *pres,
                    struct winsys_handle *whandle, unsigned usage)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   struct tgsiamd_resource *res = tgsiamd_resource(pres);
   enum tgsiamd_handle type;
   uint32_t handle;

   if (!translate_type(whandle->type, &type))
      return false;
   if (pres->target == PIPE_BUFFER) {
      whandle->offset = whandle->stride = 0;
      whandle->modifier = DRM_FORMAT_MOD_INVALID;
   } else {
      struct tgsiamd_texture *tex = tgsiamd_texture(pres);
      struct tgsiamd_bo_metadata md = {0};

      if (!res->shared) {
         ac_surface_get_bo_metadata(screen->info, &tex->surf, &md.tiling);
         tgsiamd_bo_set_metadata(res->bo, &md);
      }
      whandle->offset = tex->offset;
      whandle->stride = (tex->surf.u.gfx9.epitch + 1) * tex->surf.bpe;
      whandle->modifier = tex->surf.is_linear ? DRM_FORMAT_MOD_LINEAR : DRM_FORMAT_MOD_INVALID;
   }
   if (tgsiamd_bo_export(res->bo, type, &handle))
      return false;
   res->shared = true;
   whandle->handle = handle;
   return true;
}

static bool
resource_get_param(struct pipe_screen *pscreen, struct pipe_context *pctx, struct pipe_resource *pres,
                   unsigned plane, unsigned layer, unsigned level, enum pipe_resource_param param,
                   unsigned usage, uint64_t *value)
{
   struct tgsiamd_texture *tex = tgsiamd_texture(pres);
   struct winsys_handle whandle = {0};

   switch (param) {
   case PIPE_RESOURCE_PARAM_NPLANES:
      *value = 1;
      return true;
   case PIPE_RESOURCE_PARAM_STRIDE:
      *value = pres->target == PIPE_BUFFER ? 0 : (tex->surf.u.gfx9.epitch + 1) * tex->surf.bpe;
      return true;
   case PIPE_RESOURCE_PARAM_OFFSET:
      *value = pres->target == PIPE_BUFFER ? 0 : tex->offset;
      return true;
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = pres->target != PIPE_BUFFER && tex->surf.is_linear ? DRM_FORMAT_MOD_LINEAR
                                                                 : DRM_FORMAT_MOD_INVALID;
      return true;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_SHARED:
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS:
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD:
      whandle.type = param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_SHARED ? WINSYS_HANDLE_TYPE_SHARED
                     : param == PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS  ? WINSYS_HANDLE_TYPE_KMS
                                                                     : WINSYS_HANDLE_TYPE_FD;
      if (!resource_get_handle(pscreen, pctx, pres, &whandle, usage))
         return false;
      *value = whandle.handle;
      return true;
   default:
      return false;
   }
}

void
tgsiamd_init_screen_share(struct tgsiamd_screen *screen)
{
   screen->base.resource_from_handle = resource_from_handle;
   screen->base.resource_get_handle = resource_get_handle;
   screen->base.resource_get_param = resource_get_param;
}
