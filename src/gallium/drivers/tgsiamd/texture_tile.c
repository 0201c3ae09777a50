/* SPDX-License-Identifier: MIT */
/* The CPU's way into tiled textures: addresses come from addrlib, an element at
 * a time. Used where the 3D engine cannot copy: depth/stencil planes and
 * block-compressed formats. */
#include "context.h"

#include "addrlib/inc/addrinterface.h"
#include "util/u_math.h"

struct plane {
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_INPUT in;
   ADDR_HANDLE handle;
   uint8_t *base;
   unsigned bpe;
};

static void
plane_init(struct plane *p, struct tgsiamd_screen *screen, struct tgsiamd_texture *tex, uint8_t *map,
           unsigned level, bool stencil)
{
   const struct pipe_resource *res = &tex->r.base;
   const struct gfx9_surf_layout *layout = &tex->surf.u.gfx9;

   memset(p, 0, sizeof(*p));
   p->handle = (ADDR_HANDLE)ac_addrlib_get_handle(screen->addrlib);
   p->bpe = stencil ? 1 : tex->surf.bpe;
   p->base = map + tex->offset + (stencil ? layout->zs.stencil_offset : 0);
   p->in.size = sizeof(p->in);
   p->in.swizzleMode = stencil ? layout->zs.stencil_swizzle_mode : layout->swizzle_mode;
   p->in.resourceType = (AddrResourceType)layout->resource_type;
   p->in.bpp = p->bpe * 8;
   p->in.unalignedWidth = util_format_get_nblocksx(res->format, res->width0);
   p->in.unalignedHeight = util_format_get_nblocksy(res->format, res->height0);
   p->in.numSlices = res->target == PIPE_TEXTURE_3D ? res->depth0 : res->array_size;
   p->in.numMipLevels = res->last_level + 1;
   p->in.numSamples = p->in.numFrags = 1;
   p->in.pitchInElement = (stencil ? layout->zs.stencil_epitch : layout->epitch) + 1;
   p->in.mipId = level;
   p->in.flags.color = !tex->is_depth;
   p->in.flags.depth = tex->is_depth && !stencil;
   p->in.flags.stencil = stencil;
   p->in.flags.texture = 1;
}

static uint8_t *
plane_at(struct plane *p, unsigned x, unsigned y, unsigned z)
{
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_OUTPUT out = {.size = sizeof(out)};

   p->in.x = x;
   p->in.y = y;
   p->in.slice = z;
   if (Addr2ComputeSurfaceAddrFromCoord(p->handle, &p->in, &out) != ADDR_OK)
      return NULL;
   return p->base + out.addr;
}

/* Plain formats and single planes. */
static void
copy_elements(struct plane *p, const struct pipe_box *box, uint8_t *linear, unsigned stride,
              uint64_t layer_stride, bool to_tiled)
{
   for (int z = 0; z < box->depth; z++) {
      for (int y = 0; y < box->height; y++) {
         uint8_t *line = linear + z * layer_stride + (uint64_t)y * stride;

         for (int x = 0; x < box->width; x++, line += p->bpe) {
            uint8_t *tiled = plane_at(p, box->x + x, box->y + y, box->z + z);
            if (!tiled)
               return;
            if (to_tiled)
               memcpy(tiled, line, p->bpe);
            else
               memcpy(line, tiled, p->bpe);
         }
      }
   }
}

/* Depth and stencil in one element: the stencil byte lies at `s_byte` of it. */
static void
copy_depth_stencil(struct plane *z_plane, struct plane *s_plane, unsigned elem, unsigned s_byte,
                   const struct pipe_box *box, uint8_t *linear, unsigned stride,
                   uint64_t layer_stride, bool to_tiled)
{
   for (int z = 0; z < box->depth; z++) {
      for (int y = 0; y < box->height; y++) {
         uint8_t *line = linear + z * layer_stride + (uint64_t)y * stride;

         for (int x = 0; x < box->width; x++, line += elem) {
            uint8_t *depth = plane_at(z_plane, box->x + x, box->y + y, box->z + z);
            uint8_t *stencil = plane_at(s_plane, box->x + x, box->y + y, box->z + z);
            unsigned depth_bytes = s_byte == 3 ? 3 : 4;

            if (!depth || !stencil)
               return;
            if (to_tiled) {
               memcpy(depth, line, depth_bytes);
               *stencil = line[s_byte];
            } else {
               if (elem == 8)
                  memset(line + 4, 0, 4);
               memcpy(line, depth, depth_bytes);
               line[s_byte] = *stencil;
            }
         }
      }
   }
}

void
tgsiamd_tile_copy(struct tgsiamd_screen *screen, struct tgsiamd_texture *tex, uint8_t *map,
                  unsigned level, const struct pipe_box *texels, uint8_t *linear, unsigned stride,
                  uint64_t layer_stride, bool to_tiled)
{
   const struct util_format_description *desc = util_format_description(tex->r.base.format);
   struct pipe_box box = *texels;
   struct plane color, stencil;

   box.x /= desc->block.width;
   box.y /= desc->block.height;
   box.width = DIV_ROUND_UP(box.width, desc->block.width);
   box.height = DIV_ROUND_UP(box.height, desc->block.height);

   plane_init(&color, screen, tex, map, level, false);
   if (tex->is_depth && util_format_has_stencil(desc)) {
      unsigned elem = desc->block.bits / 8;

      plane_init(&stencil, screen, tex, map, level, true);
      copy_depth_stencil(&color, &stencil, elem, elem == 8 ? 4 : 3, &box, linear, stride,
                         layer_stride, to_tiled);
   } else {
      copy_elements(&color, &box, linear, stride, layer_stride, to_tiled);
   }
}
