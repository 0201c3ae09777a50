/* SPDX-License-Identifier: MIT */
/* Views of textures as render targets. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

struct pipe_surface *
tgsiamd_create_surface(struct pipe_context *pctx, struct pipe_resource *res,
                       const struct pipe_surface *templ)
{
   struct tgsiamd_surface *surf = CALLOC_STRUCT(tgsiamd_surface);
   unsigned level = templ->u.tex.level;

   if (!surf)
      return NULL;
   surf->base = *templ;
   pipe_reference_init(&surf->base.reference, 1);
   surf->base.texture = NULL;
   pipe_resource_reference(&surf->base.texture, res);
   surf->base.context = pctx;
   surf->width0 = res->width0;
   surf->height0 = res->height0;
   if (util_format_get_blockwidth(templ->format) != util_format_get_blockwidth(res->format)) {
      /* A block of the resource is one texel of the view. */
      surf->width0 = util_format_get_nblocksx(res->format, res->width0);
      surf->height0 = util_format_get_nblocksy(res->format, res->height0);
   }
   surf->base.width = u_minify(surf->width0, level);
   surf->base.height = u_minify(surf->height0, level);

   if (!util_format_is_depth_or_stencil(templ->format) &&
       !tgsiamd_color_format(templ->format, &surf->color)) {
      tgsiamd_error("cannot render to %s", util_format_name(templ->format));
      pipe_resource_reference(&surf->base.texture, NULL);
      FREE(surf);
      return NULL;
   }
   return &surf->base;
}

void
tgsiamd_surface_destroy(struct pipe_context *pctx, struct pipe_surface *surf)
{
   pipe_resource_reference(&surf->texture, NULL);
   FREE(surf);
}
