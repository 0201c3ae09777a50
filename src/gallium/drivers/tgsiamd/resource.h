/* SPDX-License-Identifier: MIT */
/* Resources: buffers and textures, and views of textures as render targets. */
#ifndef TGSIAMD_RESOURCE_H
#define TGSIAMD_RESOURCE_H

#include "ac_surface.h"
#include "pipe/p_state.h"
#include "util/u_range.h"
#include "util/u_transfer.h"
#include "tgsiamd/winsys.h"
#include "format.h"

struct tgsiamd_context;
struct tgsiamd_screen;

struct tgsiamd_resource {
   struct pipe_resource base;
   struct tgsiamd_bo *bo;
   uint64_t va;                     /* of the first byte */
   enum tgsiamd_domain domain;
   uint32_t bo_flags;
   bool shared;                     /* other processes or APIs see the memory */
   bool pinned;                     /* a bindless handle or a kernel holds its address */
   struct util_range valid_range;   /* buffers: bytes that hold defined data */
};

struct tgsiamd_texture {
   struct tgsiamd_resource r;
   struct radeon_surf surf;
   uint64_t offset;                 /* of the image in the buffer (imports) */
   bool is_depth;                   /* has a depth or stencil plane */
};

struct tgsiamd_surface {
   struct pipe_surface base;
   struct tgsiamd_color_format color; /* unless it is depth/stencil */
   uint16_t width0, height0;        /* of level 0 in units of the view's format */
};

/* A mapped range. For textures the caller sees `staging` memory or the image itself. */
struct tgsiamd_transfer {
   struct pipe_transfer base;
   struct pipe_resource *staging;   /* linear copy, NULL when mapped directly */
   uint32_t staging_offset;
   void *cpu_copy;                  /* tiled textures accessed by the CPU */
   struct pipe_transfer *resolved;  /* multisampled: the mapping of `staging` */
};

static inline struct tgsiamd_resource *
tgsiamd_resource(struct pipe_resource *res)
{
   return (struct tgsiamd_resource *)res;
}

static inline struct tgsiamd_texture *
tgsiamd_texture(struct pipe_resource *res)
{
   return (struct tgsiamd_texture *)res;
}

static inline struct tgsiamd_surface *
tgsiamd_surface(struct pipe_surface *surf)
{
   return (struct tgsiamd_surface *)surf;
}

/* resource.c */
void tgsiamd_init_context_resource(struct tgsiamd_context *ctx);
bool tgsiamd_resource_alloc(struct tgsiamd_screen *screen, struct tgsiamd_resource *res,
                            uint64_t size, uint32_t align);
/* True when the GPU or unsubmitted commands of `ctx` use the resource that way. */
bool tgsiamd_resource_busy(struct tgsiamd_context *ctx, struct tgsiamd_resource *res, uint32_t usage);
/* Submits what uses it and waits; false when `dontblock` and it is busy. */
bool tgsiamd_resource_sync(struct tgsiamd_context *ctx, struct tgsiamd_resource *res, uint32_t usage,
                           bool dontblock);

/* buffer.c */
struct pipe_resource *tgsiamd_buffer_create(struct tgsiamd_screen *screen,
                                            const struct pipe_resource *templ);
void *tgsiamd_buffer_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                         unsigned usage, const struct pipe_box *box, struct pipe_transfer **out);
void tgsiamd_buffer_unmap(struct pipe_context *pctx, struct pipe_transfer *ptransfer);
void tgsiamd_buffer_flush_region(struct pipe_context *pctx, struct pipe_transfer *ptransfer,
                                 const struct pipe_box *box);
void tgsiamd_buffer_subdata(struct pipe_context *pctx, struct pipe_resource *pres, unsigned usage,
                            unsigned offset, unsigned size, const void *data);
/* Gives the buffer new memory when the old is busy. */
void tgsiamd_buffer_invalidate(struct tgsiamd_context *ctx, struct tgsiamd_resource *res);

/* cpdma.c */
void tgsiamd_copy_buffer(struct tgsiamd_context *ctx, struct tgsiamd_resource *dst,
                         struct tgsiamd_resource *src, uint64_t dst_offset, uint64_t src_offset,
                         uint64_t size);
void tgsiamd_clear_buffer(struct pipe_context *pctx, struct pipe_resource *dst, unsigned offset,
                          unsigned size, const void *value, int value_size);

/* texture.c */
struct pipe_resource *tgsiamd_texture_create(struct tgsiamd_screen *screen,
                                             const struct pipe_resource *templ);
/* Computes the layout; `linear` forces it. */
bool tgsiamd_texture_layout(struct tgsiamd_screen *screen, struct tgsiamd_texture *tex, bool linear);
/* Byte offset of a box's first element in a linear texture. */
uint64_t tgsiamd_texture_linear_offset(const struct tgsiamd_texture *tex, unsigned level,
                                       const struct pipe_box *box);
unsigned tgsiamd_texture_linear_stride(const struct tgsiamd_texture *tex, unsigned level);

/* texture_transfer.c */
void *tgsiamd_texture_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                          unsigned usage, const struct pipe_box *box, struct pipe_transfer **out);
void tgsiamd_texture_unmap(struct pipe_context *pctx, struct pipe_transfer *ptransfer);

/* texture_tile.c: copies between a linear image in CPU memory and a tiled
 * texture that is mapped; (x, y, z) and sizes in texels of the resource. */
void tgsiamd_tile_copy(struct tgsiamd_screen *screen, struct tgsiamd_texture *tex, uint8_t *map,
                       unsigned level, const struct pipe_box *box, uint8_t *linear,
                       unsigned stride, uint64_t layer_stride, bool to_tiled);

/* texture_share.c */
void tgsiamd_init_screen_share(struct tgsiamd_screen *screen);

/* surface.c */
struct pipe_surface *tgsiamd_create_surface(struct pipe_context *pctx, struct pipe_resource *res,
                                            const struct pipe_surface *templ);
void tgsiamd_surface_destroy(struct pipe_context *pctx, struct pipe_surface *surf);

#endif
