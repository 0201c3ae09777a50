/* SPDX-License-Identifier: MIT */
/* Shaders: TGSI as Gallium gave it, and its compiled variants by key. */
#ifndef TGSIAMD_SHADER_H
#define TGSIAMD_SHADER_H

#include "pipe/p_state.h"
#include "tgsi/tgsi_scan.h"
#include "util/simple_mtx.h"
#include "tgsiamd/compiler.h"
#include "tgsiamd/winsys.h"

struct nir_shader;
struct tgsiamd_context;

struct tgsiamd_variant {
   struct tgsiamd_variant *next;
   struct tgsiamd_key key;
   struct tgsiamd_bo *bo;        /* machine code; NULL when it could not be compiled */
   struct tgsiamd_shader_info info;
   struct tgsiamd_variant *copy; /* GS: the copy shader */
   uint32_t vs_id;               /* GS: the vertex shader in front */
};

struct tgsiamd_shader {
   enum tgsiamd_stage stage;
   uint32_t id;                  /* never used twice */
   const struct tgsi_token *tokens;
   struct tgsiamd_shader *stippled; /* PS: the version with polygon stipple, made when needed */
   struct tgsi_shader_info scan;
   struct pipe_stream_output_info so;
   simple_mtx_t lock;            /* variants: a shader may be used by several contexts */
   uint32_t lds_bytes;           /* compute: shared memory declared outside the program */
   uint32_t private_bytes;       /* compute: PRIVATE memory of an invocation */
   uint32_t input_bytes;         /* compute: arguments, MEMORY INPUT */
   struct tgsiamd_variant *variants;
};

/* shader.c */
void *tgsiamd_create_shader(struct tgsiamd_context *ctx, enum tgsiamd_stage stage,
                            const struct pipe_shader_state *state);
void tgsiamd_delete_shader(struct tgsiamd_context *ctx, struct tgsiamd_shader *shader);
/* The variant for a key, compiled when it is new. NULL without memory. */
struct tgsiamd_variant *tgsiamd_get_variant(struct tgsiamd_context *ctx, struct tgsiamd_shader *shader,
                                            const struct tgsiamd_key *key);

/* Fills a variant from what the compiler made, and frees that. */
void tgsiamd_variant_take(struct tgsiamd_context *ctx, const struct tgsiamd_shader *shader,
                          struct tgsiamd_variant *v, struct tgsiamd_shader_binary *bin, bool copy);

/* nir_prepare.c */
void tgsiamd_prepare_nir(struct nir_shader *nir);

/* gs.c */
/* The same for a geometry shader behind a vertex shader. */
struct tgsiamd_variant *tgsiamd_get_gs_variant(struct tgsiamd_context *ctx, struct tgsiamd_shader *gs,
                                               struct tgsiamd_shader *vs, const struct tgsiamd_key *key);

/* shader_key.c */
/* The last shader in front of the rasterizer. */
const struct tgsiamd_shader *tgsiamd_last_shader(const struct tgsiamd_context *ctx);
/* Chooses the variants for the bound state; false when a shader is missing or
 * cannot be compiled: then nothing can be drawn. */
bool tgsiamd_update_shaders(struct tgsiamd_context *ctx);

#endif
