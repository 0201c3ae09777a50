/* SPDX-License-Identifier: MIT */
/* Compute shaders: state object, COMPUTE_* registers, dispatch packets. They
 * run on the graphics queue, in order with draws. */
#include "context.h"

#include "nir.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "amdgfxregs.h"
#include "sid.h"

#define DISPATCH_DWORDS 96

static void *
create_compute_state(struct pipe_context *pctx, const struct pipe_compute_state *state)
{
   struct pipe_shader_state shader = { .type = state->ir_type };

   switch (state->ir_type) {
   case PIPE_SHADER_IR_TGSI:
      shader.tokens = state->prog;
      break;
   case PIPE_SHADER_IR_NIR:
      shader.ir.nir = (void *)state->prog;
      break;
   default:
      tgsiamd_error("compute programs come as TGSI or NIR");
      return NULL;
   }
   struct tgsiamd_shader *cs = tgsiamd_create_shader(tgsiamd_context(pctx), TGSIAMD_CS, &shader);
   if (cs) {
      cs->lds_bytes = state->req_local_mem;
      cs->private_bytes = state->req_private_mem;
      cs->input_bytes = state->req_input_mem;
   }
   return cs;
}

static void
bind_compute_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->compute == state)
      return;
   ctx->compute = state;
   ctx->cs_variant = NULL;
}

static void
delete_compute_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (!state)
      return;
   if (ctx->compute == state)
      ctx->compute = NULL;
   tgsiamd_delete_shader(ctx, state);
}

static bool
update_variant(struct tgsiamd_context *ctx)
{
   if (!ctx->compute)
      return false;
   if (!ctx->cs_variant) {
      struct tgsiamd_key key;

      memset(&key, 0, sizeof(key));
      key.cs.private_bytes = ctx->compute->private_bytes;
      ctx->cs_variant = tgsiamd_get_variant(ctx, ctx->compute, &key);
      ctx->stage[TGSIAMD_CS].dirty_lists = ~0u;
   }
   return ctx->cs_variant && ctx->cs_variant->bo;
}

/* Threads of the grid's last block in a direction. */
static unsigned
last_block(const struct pipe_grid_info *grid, unsigned i)
{
   return grid->last_block[i] ? grid->last_block[i] : grid->block[i];
}

/* The number that TIDIG_COMP_CNT wants: ids beyond x that arrive in VGPRs. */
static unsigned
thread_id_vgprs(const struct tgsiamd_shader_info *info)
{
   return info->uses_thread_id[2] ? 2 : info->uses_thread_id[1] ? 1 : 0;
}

/* Buffers that programs reach by addresses. TGSI's are 32 bits: they count in a
 * window of 4 GiB, the one in which the first such buffer lies. */
static void
set_global_binding(struct pipe_context *pctx, unsigned first, unsigned count, struct pipe_resource **resources,
                   uint32_t **handles)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct util_dynarray *list = &ctx->globals;
   const unsigned old = util_dynarray_num_elements(list, struct pipe_resource *);

   if (first + count > old) {
      if (!util_dynarray_grow(list, struct pipe_resource *, first + count - old))
         return;
      memset(util_dynarray_element(list, struct pipe_resource *, old), 0,
             (first + count - old) * sizeof(struct pipe_resource *));
   }
   for (unsigned i = 0; i < count; i++) {
      struct pipe_resource **slot = util_dynarray_element(list, struct pipe_resource *, first + i);
      struct tgsiamd_resource *res = resources ? tgsiamd_resource(resources[i]) : NULL;

      pipe_resource_reference(slot, &res->base);
      if (!res)
         continue;
      if (!ctx->global_base)
         ctx->global_base = res->va & ~(uint64_t)UINT32_MAX;
      *handles[i] = util_cpu_to_le32(res->va - ctx->global_base + util_le32_to_cpu(*handles[i]));
      util_range_add(&res->base, &res->valid_range, 0, res->base.width0);
      res->pinned = true;
   }
   ctx->stage[TGSIAMD_CS].dirty_lists |= 1u << LIST_INTERNAL;
}

/* Puts them on the submission's list; false when one is not in the window. */
static bool
use_globals(struct tgsiamd_context *ctx)
{
   if (!(ctx->cs_variant->info.internal & (1u << TGSIAMD_INTERNAL_GLOBAL)))
      return true;
   util_dynarray_foreach(&ctx->globals, struct pipe_resource *, slot) {
      struct tgsiamd_resource *res = tgsiamd_resource(*slot);

      if (!res)
         continue;
      if (res->va < ctx->global_base || res->va + res->base.width0 - ctx->global_base > UINT32_MAX) {
         tgsiamd_error("a global buffer is too far from the first one for 32-bit addresses");
         return false;
      }
      tgsiamd_use(ctx, res, TGSIAMD_READ | TGSIAMD_WRITE);
   }
   return true;
}

/* A kernel's arguments, as MEMORY INPUT reads them. */
static bool
upload_input(struct tgsiamd_context *ctx, const struct pipe_grid_info *grid)
{
   const unsigned bytes = ctx->compute->input_bytes;

   if (!(ctx->cs_variant->info.internal & (1u << TGSIAMD_INTERNAL_CS_INPUT)))
      return true;
   pipe_resource_reference(&ctx->cs_input, NULL);
   if (grid->input && bytes)
      u_upload_data(ctx->base.const_uploader, 0, bytes, 64, grid->input, &ctx->cs_input_offset, &ctx->cs_input);
   ctx->stage[TGSIAMD_CS].dirty_lists |= 1u << LIST_INTERNAL;
   return ctx->cs_input || !grid->input || !bytes;
}

static void
emit_program(struct tgsiamd_context *ctx, const struct pipe_grid_info *grid)
{
   const struct tgsiamd_variant *v = ctx->cs_variant;
   const struct tgsiamd_shader_info *info = &v->info;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t lds = MAX2(info->lds_bytes, ctx->compute->lds_bytes);
   uint32_t all_cus[2] = {0xffffffff, 0xffffffff};
   uint32_t start[3] = {0};
   uint32_t address[2] = {v->bo->va >> 8, S_00B834_DATA(v->bo->va >> 40)};
   uint32_t rsrc[2] = {
      S_00B848_VGPRS((MAX2(info->num_vgprs, 1) - 1) / 4) | S_00B848_SGPRS((MAX2(info->num_sgprs, 1) - 1) / 8) |
         S_00B848_FLOAT_MODE(info->float_mode) | S_00B848_DX10_CLAMP(info->dx10_clamp) |
         S_00B848_IEEE_MODE(info->ieee_mode),
      S_00B84C_USER_SGPR(info->num_user_sgprs) | S_00B84C_SCRATCH_EN(info->scratch_bytes_per_wave > 0) |
         S_00B84C_TGID_X_EN(1) | S_00B84C_TGID_Y_EN(1) | S_00B84C_TGID_Z_EN(1) |
         S_00B84C_TIDIG_COMP_CNT(thread_id_vgprs(info)) | S_00B84C_LDS_SIZE(DIV_ROUND_UP(lds, 512)),
   };
   uint32_t threads[3] = {
      S_00B81C_NUM_THREAD_FULL(grid->block[0]) | S_00B81C_NUM_THREAD_PARTIAL(last_block(grid, 0)),
      S_00B820_NUM_THREAD_FULL(grid->block[1]) | S_00B820_NUM_THREAD_PARTIAL(last_block(grid, 1)),
      S_00B824_NUM_THREAD_FULL(grid->block[2]) | S_00B824_NUM_THREAD_PARTIAL(last_block(grid, 2)),
   };

   cs_set_regs(cs, R_00B810_COMPUTE_START_X, 3, start);
   cs_set_regs(cs, R_00B81C_COMPUTE_NUM_THREAD_X, 3, threads);
   cs_set_regs(cs, R_00B830_COMPUTE_PGM_LO, 2, address);
   cs_set_regs(cs, R_00B848_COMPUTE_PGM_RSRC1, 2, rsrc);
   cs_set_reg(cs, R_00B854_COMPUTE_RESOURCE_LIMITS, 0);
   cs_set_regs(cs, R_00B858_COMPUTE_STATIC_THREAD_MGMT_SE0, 2, all_cus);
   cs_set_regs(cs, R_00B864_COMPUTE_STATIC_THREAD_MGMT_SE2, 2, all_cus);
   cs_set_reg(cs, R_00B860_COMPUTE_TMPRING_SIZE,
              S_00B860_WAVES(ctx->cs_scratch.waves) | S_00B860_WAVESIZE(ctx->cs_scratch.wave_bytes >> 10));
   tgsiamd_stream_use(ctx->stream, v->bo, TGSIAMD_READ);
   if (ctx->cs_scratch.bo)
      tgsiamd_stream_use(ctx->stream, ctx->cs_scratch.bo, TGSIAMD_READ | TGSIAMD_WRITE);
}

static void
emit_dispatch(struct tgsiamd_context *ctx, const struct pipe_grid_info *grid)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t sizes = R_00B900_COMPUTE_USER_DATA_0 + TGSIAMD_SGPR_CS_GRID_SIZE * 4;
   uint32_t initiator = S_00B800_COMPUTE_SHADER_EN(1) | S_00B800_FORCE_START_AT_000(1) | S_00B800_ORDER_MODE(1);

   if (grid->last_block[0] || grid->last_block[1] || grid->last_block[2])
      initiator |= S_00B800_PARTIAL_TG_EN(1);
   cs_set_regs(cs, R_00B900_COMPUTE_USER_DATA_0 + TGSIAMD_SGPR_CS_BLOCK_SIZE * 4, 3, grid->block);
   if (grid->indirect) {
      struct tgsiamd_resource *args = tgsiamd_resource(grid->indirect);
      uint64_t va = args->va + grid->indirect_offset;

      for (unsigned i = 0; i < 3; i++) {
         pkt_copy_data(cs, COPY_DATA_SRC_MEM, va + 4 * i, COPY_DATA_REG, (sizes + 4 * i) / 4);
         shadow_forget(&cs->shadow, sizes + 4 * i);
      }
      pkt_set_base_indirect(cs, va);
      pkt_dispatch_indirect(cs, 0, initiator);
      tgsiamd_use(ctx, args, TGSIAMD_READ);
   } else {
      cs_set_regs(cs, sizes, 3, grid->grid);
      pkt_dispatch_direct(cs, grid->grid, initiator);
   }
   ctx->has_grids = true;
}

static void
launch_grid(struct pipe_context *pctx, const struct pipe_grid_info *grid)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (!grid->indirect && !(grid->grid[0] && grid->grid[1] && grid->grid[2]))
      return;
   if (grid->grid_base[0] || grid->grid_base[1] || grid->grid_base[2]) {
      tgsiamd_error("grids begin at block 0");
      return;
   }
   if (!tgsiamd_check_render_condition(ctx) || !update_variant(ctx))
      return;
   if (!upload_input(ctx, grid))
      return;
   if (!tgsiamd_update_scratch(ctx, &ctx->cs_scratch, ctx->cs_variant->info.scratch_bytes_per_wave))
      return;
   /* It may sample from render targets that are still bound: no loop, as it draws nothing. */
   tgsiamd_render_barrier(ctx, "a grid reads what was drawn");
   if (!tgsiamd_reserve(ctx, BARRIER_DWORDS + 16 + DISPATCH_DWORDS) || !tgsiamd_update_compute_descriptors(ctx) ||
       !use_globals(ctx))
      return;
   tgsiamd_emit_barriers(ctx);
   cs_begin(&ctx->cs, DISPATCH_DWORDS);
   emit_program(ctx, grid);
   emit_dispatch(ctx, grid);
   cs_end(&ctx->cs);
}

void
tgsiamd_finish_compute(struct tgsiamd_context *ctx)
{
   util_dynarray_foreach(&ctx->globals, struct pipe_resource *, slot)
      pipe_resource_reference(slot, NULL);
   util_dynarray_fini(&ctx->globals);
   pipe_resource_reference(&ctx->cs_input, NULL);
}

void
tgsiamd_init_compute(struct tgsiamd_context *ctx)
{
   util_dynarray_init(&ctx->globals, NULL);
   ctx->base.set_global_binding = set_global_binding;
   ctx->base.create_compute_state = create_compute_state;
   ctx->base.bind_compute_state = bind_compute_state;
   ctx->base.delete_compute_state = delete_compute_state;
   ctx->base.launch_grid = launch_grid;
}
