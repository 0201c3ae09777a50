/* SPDX-License-Identifier: MIT */
/* Rendering contexts: sequence numbers, priority, reset state. */
#include "fence.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdrm/amdgpu_drm.h>

uint32_t shim_reset_counter;

struct shim_ctx *ctx_get(struct shim_file *file, uint32_t id)
{
   return id && id < file->max_ctxs ? file->ctxs[id] : NULL;
}

void ctx_unref(struct shim_ctx *ctx)
{
   if (--ctx->refs == 0)
      free(ctx);
}

struct shim_entity *ctx_entity(struct shim_ctx *ctx, uint32_t ip, uint32_t ring)
{
   static uint32_t last;
   struct shim_entity *e = &ctx->entities[ip][ring];
   const uint64_t pid = (uint64_t)getpid(); /* a forked child's is its own */
   if (e->owner >> 32 != pid)
      e->owner = pid << 32 | ++last;
   return e;
}

static bool priority_valid(int32_t p)
{
   switch (p) {
   case AMDGPU_CTX_PRIORITY_UNSET:
   case AMDGPU_CTX_PRIORITY_VERY_LOW:
   case AMDGPU_CTX_PRIORITY_LOW:
   case AMDGPU_CTX_PRIORITY_NORMAL:
   case AMDGPU_CTX_PRIORITY_HIGH:
   case AMDGPU_CTX_PRIORITY_VERY_HIGH:
      return true;
   default:
      return false;
   }
}

static int alloc_locked(struct shim_file *file, int32_t priority, union drm_amdgpu_ctx *c)
{
   if (priority > AMDGPU_CTX_PRIORITY_NORMAL && geteuid() != 0)
      return -EACCES;
   const unsigned id = shim_slot((void ***)&file->ctxs, &file->max_ctxs);
   struct shim_ctx *ctx = id ? calloc(1, sizeof(*ctx)) : NULL;
   if (!ctx)
      return -ENOMEM;
   ctx->refs = 1;
   ctx->priority = priority;
   ctx->resets_at_creation = ctx->queried_hangs = shim_reset_counter;
   file->ctxs[id] = ctx;
   memset(c, 0, sizeof(*c));
   c->out.alloc.ctx_id = id;
   return 0;
}

static int query_state2(const struct shim_ctx *ctx, union drm_amdgpu_ctx *c)
{
   memset(c, 0, sizeof(*c));
   if (ctx->resets_at_creation != shim_reset_counter)
      c->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
   if (ctx->guilty)
      c->out.state.flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
   return 0;
}

static int query_state(struct shim_ctx *ctx, union drm_amdgpu_ctx *c)
{
   memset(c, 0, sizeof(*c));
   c->out.state.hangs = ctx->hangs;
   if (ctx->queried_hangs != shim_reset_counter)
      c->out.state.reset_status = ctx->guilty ? AMDGPU_CTX_GUILTY_RESET : AMDGPU_CTX_INNOCENT_RESET;
   ctx->queried_hangs = shim_reset_counter;
   return 0;
}

int ioctl_ctx(struct shim_file *file, void *arg)
{
   union drm_amdgpu_ctx *c = arg;
   const struct drm_amdgpu_ctx_in in = c->in;
   int r = -EINVAL;
   pthread_mutex_lock(&shim_lock);
   struct shim_ctx *ctx = ctx_get(file, in.ctx_id);
   switch (in.op) {
   case AMDGPU_CTX_OP_ALLOC_CTX:
      /* Old programs leave garbage in the priority. */
      if (!in.flags)
         r = alloc_locked(file, priority_valid(in.priority) ? in.priority : AMDGPU_CTX_PRIORITY_NORMAL, c);
      break;
   case AMDGPU_CTX_OP_FREE_CTX:
      if (ctx && !in.flags) {
         file->ctxs[in.ctx_id] = NULL;
         ctx_unref(ctx);
         r = 0;
      }
      break;
   case AMDGPU_CTX_OP_QUERY_STATE:
      if (ctx && !in.flags)
         r = query_state(ctx, c);
      break;
   case AMDGPU_CTX_OP_QUERY_STATE2:
      if (ctx && !in.flags)
         r = query_state2(ctx, c);
      break;
   case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
      if (ctx && !in.flags) {
         memset(c, 0, sizeof(*c));
         c->out.pstate.flags = AMDGPU_CTX_STABLE_PSTATE_NONE;
         r = 0;
      }
      break;
   case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
      /* Clocks do not change what the model does. */
      if (ctx && (in.flags & AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK) <= AMDGPU_CTX_STABLE_PSTATE_PEAK)
         r = 0;
      break;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

void ctx_free_all(struct shim_file *file)
{
   for (unsigned i = 1; i < file->max_ctxs; i++) {
      if (file->ctxs[i])
         ctx_unref(file->ctxs[i]);
   }
   free(file->ctxs);
   file->ctxs = NULL;
   file->max_ctxs = 0;
}

/* Priorities order nothing in a GPU that runs one submission at a time. The
 * kernel lets only the display server (DRM master) override them. */
int ioctl_sched(struct shim_file *file, void *arg)
{
   (void)file;
   (void)arg;
   return -EACCES;
}

int ioctl_vm(struct shim_file *file, void *arg)
{
   (void)file;
   union drm_amdgpu_vm *vm = arg;
   const uint32_t op = vm->in.op;
   if (op != AMDGPU_VM_OP_RESERVE_VMID && op != AMDGPU_VM_OP_UNRESERVE_VMID)
      return -EINVAL;
   memset(vm, 0, sizeof(*vm));
   return 0;
}
