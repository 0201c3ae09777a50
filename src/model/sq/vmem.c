/* SPDX-License-Identifier: MIT */
/* MUBUF, MTBUF and MIMG: gathers the operands of one instruction for the
 * texture addresser and brings its results into the registers. */
#include "cache/cache.h"
#include "ta/ta.h"
#include "vm/undef.h"
#include "wave.h"

#define ALIGNED __attribute__((aligned(64)))

/* Results start as the registers' old contents, so that a load of half a
 * register leaves the other half alone. */
static void result_begin(const struct sq_wave *w, const struct sq_inst *i, uint32_t (*result)[64])
{
   memcpy(result, w->vgpr[i->dst], i->dst_dw * 256);
}
static void result_end(struct sq_wave *w, const struct sq_inst *i, uint32_t (*result)[64], uint64_t exec)
{
   if (exec == ~0ull)
      memcpy(w->vgpr[i->dst], result, i->dst_dw * 256);
   else
      sq_blend(w->vgpr[i->dst], result[0], sq_exec_words(w, exec), i->dst_dw);
   sq_define(w, i->dst, i->dst_dw, exec);
}

static void to_lds(struct sq_wave *w, const struct sq_inst *i, uint32_t (*result)[64], uint64_t exec)
{
   uint32_t base = (w->sgpr[ISA_M0] & 0xffff) + (uint32_t)i->isa.offset;
   sq_need_sgpr(w, i, ISA_M0, 1, "LDS address");
   for (unsigned l = 0; l < 64; l++) {
      uint32_t at = base + l * 4;
      if (!(exec >> l & 1))
         continue;
      if (at + 4 > w->lds_size) {
         sq_place(w, i, l);
         model_violation(w->env->report, CHECK_RANGE, "LDS address 0x%x, the group has 0x%x bytes", at, w->lds_size);
         continue;
      }
      memcpy(w->sq->lds + at, &result[0][l], 4);
      w->sq->lds_def[at / 8] |= 0xf << (at & 7 & 4);
   }
}

/* Outputs of a stage before the rasterizer, on their way to the next one: a
 * store of undefined values is judged by who uses them. undef[n]: the lanes whose
 * n-th dword is undefined. Pixel and compute waves have no next stage, and may
 * run in several threads. */
static bool follows_undef(const struct sq_wave *w, const struct sq_inst *i, uint64_t exec, uint64_t undef[4])
{
   const unsigned stage = w->init->stage, op = i->isa.op;
   uint64_t any = 0;

   if (!w->env->undef || (stage != SQ_LSHS && stage != SQ_ESGS && stage != SQ_VS))
      return false;
   memset(undef, 0, 4 * sizeof(undef[0]));
   if (op >= ISA_BUFFER_LOAD_DWORD && op <= ISA_BUFFER_LOAD_DWORDX4)
      return w->env->undef->count && !i->isa.lds;
   if (stage != SQ_LSHS || op < ISA_BUFFER_STORE_DWORD || op > ISA_BUFFER_STORE_DWORDX4)
      return false;
   for (unsigned n = 0; n < i->src[3].dw; n++)
      any |= undef[n] = exec & ~w->vdef[i->src[3].reg + n];
   return any || w->env->undef->count;
}

static void h_buffer(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t result[8][64] ALIGNED;
   const struct isa_inst *isa = &i->isa;
   uint64_t exec = sq_exec(w), undef[4];
   struct ta_buffer_op op = {.inst = isa, .exec = exec};

   sq_need_sgpr(w, i, i->src[1].reg, 4, "buffer descriptor");
   memcpy(op.rsrc, &w->sgpr[i->src[1].reg], 16);
   if (i->src[2].kind) {
      sq_need_src(w, i, 2, 0, "buffer offset");
      op.soffset = sq_src32(w, &i->src[2]);
   }
   if (exec) {
      if (follows_undef(w, i, exec, undef))
         op.undef = undef;
      if (isa->idxen || isa->offen) {
         unsigned v = i->src[0].reg;
         sq_need_vgpr(w, i, v, isa->idxen + isa->offen, exec, "buffer address");
         if (isa->idxen)
            op.vindex = w->vgpr[v++];
         if (isa->offen)
            op.voffset = w->vgpr[v];
      }
      if (i->src[3].kind) {
         if (!op.undef)
            sq_need_src(w, i, 3, exec, "buffer store");
         for (unsigned n = 0; n < i->src[3].dw && n < 5; n++)
            op.data[n] = w->vgpr[i->src[3].reg + n];
      }
      if (isa->lds) {
         op.num_result = 1;
         op.result = result;
         memset(result, 0, 256);
      } else if (i->dst_dw) {
         result_begin(w, i, result);
         op.result = result;
         op.num_result = i->dst_dw;
      }
      if (w->init->scratch_size && w->scratch_def) {
         op.scratch_offset = w->init->scratch_offset;
         op.scratch_size = w->init->scratch_size;
         op.scratch_def = w->scratch_def;
         op.scratch_undef = &w->scratch_undef;
         w->scratch_undef = 0;
      }
      sq_place(w, i, -1);
      sq_fp_host(w);
      ta_buffer(w->env, &op);
      if (isa->lds)
         to_lds(w, i, result, exec);
      else if (i->dst_dw)
         result_end(w, i, result, exec);
      for (unsigned n = 0; op.undef && n < i->dst_dw && n < 4; n++)
         w->vdef[i->dst + n] &= ~undef[n];
      if (op.scratch_size && w->scratch_undef)
         for (unsigned n = 0; n < i->dst_dw; n++)
            w->vdef[i->dst + n] &= ~w->scratch_undef;
   }
   sq_issue_vm(w, i);
}

/* Address registers that an image instruction reads, by the image's dimension
 * (T# word 3, TYPE): what stands before and after the coordinates, derivatives,
 * coordinates. */
enum { EXTRA_MASK = 7, DERIVATIVES = 8, LEVEL_ONLY = 16 };
static unsigned addresses_read(const struct sq_inst *i, const uint32_t *rsrc)
{
   static const uint8_t coords[8] = {1, 2, 3, 3, 2, 3, 3, 4}, derivatives[8] = {2, 4, 6, 4, 2, 4, 4, 4};
   unsigned type = rsrc[3] >> 28;
   if (i->param & LEVEL_ONLY || type < 8)
      return 1;
   unsigned n = coords[type - 8] + (i->param & EXTRA_MASK) + (i->param & DERIVATIVES ? derivatives[type - 8] : 0);
   if (i->isa.a16) /* pairs of halves; at least so many */
      n = (coords[type - 8] + (i->param & EXTRA_MASK) + 1) / 2 + (i->param & DERIVATIVES ? (derivatives[type - 8] / 2 + 1) / 2 * 2 : 0);
   return n < i->src[0].dw ? n : i->src[0].dw;
}
static unsigned address_shape(const char *name)
{
   unsigned shape = 0;
   if (strstr(name, "resinfo"))
      return LEVEL_ONLY;
   for (const char *p = strchr(name + 6, '_'); p; p = strchr(p + 1, '_')) {
      size_t n = strcspn(p + 1, "_");
      if ((n == 1 && p[1] == 'd') || (n == 2 && !strncmp(p + 1, "cd", 2)))
         shape |= DERIVATIVES;
      else if (n == 1 && strchr("oblc", p[1]))
         shape++; /* offset, bias, level, compare */
      else if (n == 2 && !strncmp(p + 1, "cl", 2))
         shape++; /* clamp */
      else if (n == 3 && !strncmp(p + 1, "mip", 3))
         shape++;
   }
   return shape;
}

static void h_image(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t result[8][64] ALIGNED;
   const struct isa_inst *isa = &i->isa;
   uint64_t exec = sq_exec(w);
   struct ta_image_op op = {.inst = isa, .exec = exec};
   unsigned rsrc = isa->r128 ? 4 : 8;

   sq_need_sgpr(w, i, i->src[1].reg, rsrc, "image descriptor");
   memcpy(op.rsrc, &w->sgpr[i->src[1].reg], rsrc * 4);
   if (i->src[2].kind) {
      sq_need_sgpr(w, i, i->src[2].reg, 4, "sampler descriptor");
      memcpy(op.samp, &w->sgpr[i->src[2].reg], 16);
   }
   if (exec) {
      /* How many registers the address has follows from the image's type,
       * which only TA sees: it may take as many as there are. */
      op.num_addr = i->src[0].reg + 16 <= 256 ? 16 : 256 - i->src[0].reg;
      sq_need_vgpr(w, i, i->src[0].reg, addresses_read(i, op.rsrc), exec, "image address");
      for (unsigned n = 0; n < op.num_addr; n++)
         op.addr[n] = w->vgpr[i->src[0].reg + n];
      if (i->src[3].kind) {
         sq_need_src(w, i, 3, exec, "image store");
         for (unsigned n = 0; n < i->src[3].dw && n < 5; n++)
            op.data[n] = w->vgpr[i->src[3].reg + n];
      }
      if (i->dst_dw) {
         result_begin(w, i, result);
         op.result = result;
         op.num_result = i->dst_dw;
      }
      sq_place(w, i, -1);
      sq_fp_host(w);
      ta_image(w->env, &op);
      if (i->dst_dw)
         result_end(w, i, result, exec);
   }
   sq_issue_vm(w, i);
}

/* One dword from LDS at M0 goes to memory; no lane takes part. */
static void h_store_lds(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t data[64], at = w->sgpr[ISA_M0] & 0xffff;
   struct isa_inst store = i->isa;
   struct ta_buffer_op op = {.inst = &store, .exec = 1, .data = {data}};
   sq_need_sgpr(w, i, i->src[1].reg, 4, "buffer descriptor");
   sq_need_sgpr(w, i, ISA_M0, 1, "LDS address");
   memcpy(op.rsrc, &w->sgpr[i->src[1].reg], 16);
   if (i->src[2].kind)
      op.soffset = sq_src32(w, &i->src[2]);
   if (at + 4 > w->lds_size) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_RANGE, "LDS address 0x%x, the group has 0x%x bytes", at, w->lds_size);
   } else {
      memcpy(data, w->sq->lds + at, 4);
      store.op = ISA_BUFFER_STORE_DWORD;
      store.lds = false;
      sq_place(w, i, -1);
      sq_fp_host(w);
      ta_buffer(w->env, &op);
   }
   sq_issue_vm(w, i);
}

static void h_wbinv(struct sq_wave *w, const struct sq_inst *i)
{
   cache_own_sync(w->env->cache, CACHE_INV_L1);
   sq_issue_vm(w, i);
}

bool sq_decode_vmem(struct sq_inst *i)
{
   switch (i->isa.enc) {
   case ISA_ENC_MUBUF:
      if (i->isa.op == ISA_BUFFER_WBINVL1 || i->isa.op == ISA_BUFFER_WBINVL1_VOL) {
         i->fn = h_wbinv;
         return true;
      }
      i->fn = i->isa.op == ISA_BUFFER_STORE_LDS_DWORD ? h_store_lds : h_buffer;
      return true;
   case ISA_ENC_MTBUF:
      i->fn = h_buffer;
      return true;
   case ISA_ENC_MIMG:
      i->fn = h_image;
      i->param = address_shape(isa_op_infos[i->isa.op].name);
      return true;
   }
   return false;
}
