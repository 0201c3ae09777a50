/* SPDX-License-Identifier: MIT */
/* Depth/stencil state: DB_DEPTH_CONTROL, DB_STENCIL_CONTROL. */
#include "context.h"

#include "amdgfxregs.h"

static uint32_t
translate_stencil_op(unsigned op)
{
   static const uint8_t ops[] = {
      [PIPE_STENCIL_OP_KEEP] = V_02842C_STENCIL_KEEP,
      [PIPE_STENCIL_OP_ZERO] = V_02842C_STENCIL_ZERO,
      [PIPE_STENCIL_OP_REPLACE] = V_02842C_STENCIL_REPLACE_TEST,
      [PIPE_STENCIL_OP_INCR] = V_02842C_STENCIL_ADD_CLAMP,
      [PIPE_STENCIL_OP_DECR] = V_02842C_STENCIL_SUB_CLAMP,
      [PIPE_STENCIL_OP_INCR_WRAP] = V_02842C_STENCIL_ADD_WRAP,
      [PIPE_STENCIL_OP_DECR_WRAP] = V_02842C_STENCIL_SUB_WRAP,
      [PIPE_STENCIL_OP_INVERT] = V_02842C_STENCIL_INVERT,
   };

   return ops[op];
}

static bool
stencil_writes(const struct pipe_stencil_state *s)
{
   return s->enabled && s->writemask &&
          (s->fail_op || s->zfail_op || s->zpass_op); /* KEEP is 0 */
}

static void *
create_dsa_state(struct pipe_context *pctx, const struct pipe_depth_stencil_alpha_state *state)
{
   struct tgsiamd_dsa *dsa = CALLOC_STRUCT(tgsiamd_dsa);
   const struct pipe_stencil_state *front = &state->stencil[0], *back = &state->stencil[1];

   if (!dsa)
      return NULL;
   dsa->db_depth_control = S_028800_Z_ENABLE(state->depth_enabled) |
                           S_028800_Z_WRITE_ENABLE(state->depth_enabled && state->depth_writemask) |
                           S_028800_ZFUNC(state->depth_func) |
                           S_028800_DEPTH_BOUNDS_ENABLE(state->depth_bounds_test);
   if (front->enabled) {
      dsa->db_depth_control |= S_028800_STENCIL_ENABLE(1) | S_028800_STENCILFUNC(front->func);
      dsa->db_stencil_control = S_02842C_STENCILFAIL(translate_stencil_op(front->fail_op)) |
                                S_02842C_STENCILZPASS(translate_stencil_op(front->zpass_op)) |
                                S_02842C_STENCILZFAIL(translate_stencil_op(front->zfail_op));
      if (back->enabled) {
         dsa->db_depth_control |= S_028800_BACKFACE_ENABLE(1) | S_028800_STENCILFUNC_BF(back->func);
         dsa->db_stencil_control |= S_02842C_STENCILFAIL_BF(translate_stencil_op(back->fail_op)) |
                                    S_02842C_STENCILZPASS_BF(translate_stencil_op(back->zpass_op)) |
                                    S_02842C_STENCILZFAIL_BF(translate_stencil_op(back->zfail_op));
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      dsa->value_mask[i] = state->stencil[i].valuemask;
      dsa->write_mask[i] = state->stencil[i].writemask;
   }
   dsa->depth_bounds_test = state->depth_bounds_test;
   dsa->depth_bounds[0] = state->depth_bounds_min;
   dsa->depth_bounds[1] = state->depth_bounds_max;
   dsa->writes = (state->depth_enabled && state->depth_writemask) || stencil_writes(front) ||
                 stencil_writes(back);
   return dsa;
}

static void
bind_dsa_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->dsa != state) {
      ctx->dsa = state;
      ctx->dirty |= DIRTY_DSA;
   }
}

static void
delete_dsa_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->dsa == state)
      ctx->dsa = NULL;
   FREE(state);
}

static void
set_stencil_ref(struct pipe_context *pctx, const struct pipe_stencil_ref ref)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->stencil_ref = ref;
   ctx->dirty |= DIRTY_STENCIL_REF;
}

void
tgsiamd_init_state_dsa(struct tgsiamd_context *ctx)
{
   ctx->base.create_depth_stencil_alpha_state = create_dsa_state;
   ctx->base.bind_depth_stencil_alpha_state = bind_dsa_state;
   ctx->base.delete_depth_stencil_alpha_state = delete_dsa_state;
   ctx->base.set_stencil_ref = set_stencil_ref;
}
