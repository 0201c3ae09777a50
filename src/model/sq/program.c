/* SPDX-License-Identifier: MIT */
/* Programs decoded from memory and kept: a program is an entry address and the
 * straight runs of instructions that were reached from it. After an
 * instruction cache invalidate a program's code is compared with memory before
 * it is used again. */
#include <stdlib.h>
#include "vm/vm.h"
#include "wave.h"

#define MAX_INSTS (1u << 17) /* kept in all before everything is dropped */

struct run {
   struct run *next;
   uint64_t pc;
   uint32_t *code;     /* copy of the dwords */
   unsigned dwords, num;
   struct sq_inst *insts;
};

struct sq_program {
   struct sq_program *next;
   uint64_t pc;
   const void *vm;
   uint32_t generation;
   uint32_t hash;               /* of the code up to the first s_endpgm */
   unsigned max_sgpr, max_vgpr; /* highest named, plus 1 */
   struct run *runs;
   /* instructions by address: open addressing, a power of two */
   struct sq_inst **table;
   unsigned table_size, table_used;
};

/* ---- pseudo instructions ---- */

static void h_goto(struct sq_wave *w, const struct sq_inst *i)
{
   w->next = i->target;
}
/* A run so long that it was not decoded to its end goes on behind the last instruction. */
static void h_further(struct sq_wave *w, const struct sq_inst *i)
{
   const uint64_t pc = i[-1].pc;
   uint64_t avail = 0;
   const uint32_t *code = vm_probe(w->env->vm, VM_SQ_INST, pc, false, &avail);
   struct isa_inst last;
   w->next = sq_program_at(w, pc + 4 * (code ? isa_decode(SQ_GFX, code, avail < 20 ? avail / 4 : 5, &last) : 0));
}
static void h_illegal(struct sq_wave *w, const struct sq_inst *i)
{
   uint64_t avail;
   uint32_t hex[2] = {0};
   const uint32_t *code = vm_probe(w->env->vm, VM_SQ_INST, i->pc, false, &avail);
   if (code)
      memcpy(hex, code, avail >= 8 ? 8 : 4);
   struct model_where *where = model_where(w->env->report);
   where->shader_va = w->init->pc;
   where->pc = i->pc;
   where->lane = -1;
   where->disasm[0] = 0;
   model_fail(w->env->report, 22 /* EINVAL */, CHECK_INSTRUCTION, "no instruction: %08x %08x", hex[0], hex[1]);
   w->state = SQ_DONE;
}
static void h_fetch_fault(struct sq_wave *w, const struct sq_inst *i)
{
   struct model_where *where = model_where(w->env->report);
   where->shader_va = w->init->pc;
   where->pc = i->pc;
   where->lane = -1;
   where->disasm[0] = 0;
   model_fail(w->env->report, 14 /* EFAULT */, CHECK_VM, "program runs into unmapped memory");
   w->state = SQ_DONE;
}
static void h_gap(struct sq_wave *w, const struct sq_inst *i)
{
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_MODEL, "instruction is not modelled");
}

/* ---- operands ---- */

static uint32_t float_constant(unsigned operand, unsigned bits, uint32_t *hi)
{
   static const uint32_t f32[9] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                   0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
   static const uint32_t f64[9] = {0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000, 0x40000000,
                                   0xc0000000, 0x40100000, 0xc0100000, 0x3fc45f30};
   static const uint16_t f16[9] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
   unsigned n = operand - ISA_F_0_5;
   *hi = 0;
   if (bits == 16)
      return f16[n];
   if (bits == 32)
      return f32[n];
   *hi = f64[n];
   return n == 8 ? 0x6dc9c882 : 0;
}

static void resolve(const struct isa_inst *isa, unsigned n, struct sq_src *s)
{
   const struct isa_op_info *info = &isa_op_infos[isa->op];
   unsigned code = isa->src[n], type = info->src_type[n];
   s->reg = code;
   s->dw = isa_src_dwords(SQ_GFX, isa, n);
   if (s->dw == 0)
      s->dw = 1;
   unsigned bits = s->dw == 2 ? 64 : type >= ISA_TYPE_F16 && type <= ISA_TYPE_PK16 ? 16 : 32;
   /* v_mad_mix reads a constant as half where it reads a half */
   if (info->enc == ISA_ENC_VOP3P && type == ISA_TYPE_F && isa->op_sel_hi >> n & 1)
      bits = 16;
   if (isa_is_vgpr(code)) {
      s->kind = SQ_SRC_VGPR;
      s->reg = code - 256;
   } else if (code < 128) {
      s->kind = SQ_SRC_SGPR;
   } else if (code <= 208) {
      int32_t v = code <= 192 ? (int)code - 128 : 192 - (int)code;
      s->kind = SQ_SRC_CONST;
      s->c[0] = (uint32_t)v;
      s->c[1] = (uint32_t)(v >> 31);
   } else if (code >= ISA_F_0_5 && code <= ISA_F_INV_2PI) {
      s->kind = SQ_SRC_CONST;
      s->c[0] = float_constant(code, bits, &s->c[1]);
   } else if (code == ISA_LITERAL) {
      s->kind = SQ_SRC_CONST;
      s->c[0] = isa->literal;
      /* 64 bits: high half of a double, sign-extended for signed integers */
      if (s->dw == 2 && type == ISA_TYPE_F) {
         s->c[1] = isa->literal;
         s->c[0] = 0;
      } else {
         s->c[1] = type == ISA_TYPE_I ? (uint32_t)((int32_t)isa->literal >> 31) : 0;
      }
   } else {
      s->kind = SQ_SRC_SPECIAL;
   }
}

uint64_t sq_special(const struct sq_wave *w, const struct sq_src *s)
{
   switch (s->reg) {
   case ISA_VCCZ: return sq_vcc(w) == 0;
   case ISA_EXECZ: return sq_exec(w) == 0;
   case ISA_SCC: return w->scc;
   /* apertures: SH_MEM_BASES as hw_read() gives it */
   case ISA_SHARED_BASE: return s->dw == 2 ? 1ull << 48 : 1u << 16;
   case ISA_SHARED_LIMIT: return s->dw == 2 ? (1ull << 48) | 0xffffffff : (1u << 16) | 0xffff;
   case ISA_PRIVATE_BASE: return s->dw == 2 ? 2ull << 48 : 2u << 16;
   case ISA_PRIVATE_LIMIT: return s->dw == 2 ? (2ull << 48) | 0xffffffff : (2u << 16) | 0xffff;
   case ISA_LDS_DIRECT: {
      uint32_t v = 0, at = w->sgpr[ISA_M0] & 0xffff;
      if (at + 4 <= w->lds_size)
         memcpy(&v, w->sq->lds + at, 4);
      return v;
   }
   }
   return 0;
}

static void add_range(struct sq_program *p, struct sq_inst *i, unsigned code, unsigned num, bool write)
{
   if (num == 0 || (code >= 128 && code < 256) || code == ISA_NONE)
      return;
   i->ranges[i->num_ranges++] = (struct sq_range){code, num, write};
   if (code >= 256 && code - 256 + num > p->max_vgpr)
      p->max_vgpr = code - 256 + num;
   if (code < ISA_FLAT_SCRATCH && code + num > p->max_sgpr)
      p->max_sgpr = code + num;
}

/* An export reads only the sources that it enables (two halves of one register
 * when compressed); what the fields of the others hold means nothing. */
static bool reads_source(const struct isa_inst *isa, unsigned n)
{
   if (isa->enc != ISA_ENC_EXP)
      return true;
   return isa->exp_compr ? n < 2 && isa->exp_en >> (2 * n) & 3 : isa->exp_en >> n & 1;
}

static void finish_inst(struct sq_program *p, struct sq_inst *i)
{
   struct isa_inst *isa = &i->isa;
   const struct isa_op_info *info = &isa_op_infos[isa->op];
   i->unit = info->unit;
   i->counters = info->counters;
   i->fp = SQ_FP_NONE;
   i->dst_dw = isa->dst == ISA_NONE ? 0 : isa_dst_dwords(SQ_GFX, isa);
   i->dst = isa->dst == ISA_NONE ? 0 : isa_is_vgpr(isa->dst) ? isa->dst - 256 : isa->dst;
   i->dst2 = isa->dst2 == ISA_NONE ? 0 : isa->dst2;
   bool interp = isa->op == ISA_V_INTERP_MOV_F32; /* its source is no register */
   if (isa->dst != ISA_NONE)
      add_range(p, i, isa->dst, i->dst_dw, true);
   if (isa->dst2 != ISA_NONE)
      add_range(p, i, isa->dst2, 2, true);
   for (unsigned n = 0; n < 4 && !interp; n++) {
      if (isa->src[n] == ISA_NONE)
         continue;
      resolve(isa, n, &i->src[n]);
      if (reads_source(isa, n))
         add_range(p, i, isa->src[n], i->src[n].dw, false);
   }
   if (info->flags & ISA_READS_DST && isa->dst != ISA_NONE)
      add_range(p, i, isa->dst, i->dst_dw, false);

   if (!sq_decode_valu(i) && !sq_decode_sop(i) && !sq_decode_flow(i) && !sq_decode_lane(i) &&
       !sq_decode_interp(i) && !sq_decode_smem(i) && !sq_decode_vmem(i) && !sq_decode_flat(i) &&
       !sq_decode_gws(i) && !sq_decode_ds(i) && !sq_decode_export(i))
      i->fn = h_gap;
}

bool sq_modelled(unsigned op)
{
   struct sq_program p = {0};
   struct sq_inst i = {0};
   isa_inst_init(&i.isa, op);
   finish_inst(&p, &i);
   return i.fn != h_gap;
}

static bool ends_run(const struct isa_inst *isa)
{
   return isa_op_infos[isa->op].flags & ISA_ENDS_PROGRAM || isa->op == ISA_S_BRANCH || isa->op == ISA_S_SETPC_B64 ||
          isa->op == ISA_S_SWAPPC_B64 || isa->op == ISA_S_CALL_B64;
}

/* Other waves can see it, or its result depends on their order. */
static bool order_matters(const struct isa_inst *isa)
{
   const struct isa_op_info *info = &isa_op_infos[isa->op];
   switch (isa->op) {
   case ISA_S_MEMTIME: case ISA_S_MEMREALTIME: case ISA_S_ICACHE_INV: case ISA_BUFFER_WBINVL1: case ISA_BUFFER_WBINVL1_VOL:
   case ISA_S_DCACHE_INV: case ISA_S_DCACHE_INV_VOL: case ISA_S_DCACHE_WB: case ISA_S_DCACHE_WB_VOL:
      return true;
   }
   if (info->unit == ISA_UNIT_SMEM || info->unit == ISA_UNIT_VMEM || info->unit == ISA_UNIT_FLAT)
      return info->flags & (ISA_STORES | ISA_ATOMIC);
   return info->unit == ISA_UNIT_GDS || isa->gds;
}

/* ---- table ---- */

static struct sq_inst *find(const struct sq_program *p, uint64_t pc)
{
   if (!p->table_size)
      return NULL;
   for (unsigned h = (pc >> 2) * 2654435761u;; h++) {
      struct sq_inst *i = p->table[h & (p->table_size - 1)];
      if (!i || i->pc == pc)
         return i;
   }
}
static void insert_raw(struct sq_program *p, struct sq_inst *i)
{
   unsigned h = (i->pc >> 2) * 2654435761u;
   while (p->table[h & (p->table_size - 1)])
      h++;
   p->table[h & (p->table_size - 1)] = i;
   p->table_used++;
}
static bool insert(struct sq_program *p, struct sq_inst *i)
{
   if (p->table_used * 2 >= p->table_size) {
      unsigned old_size = p->table_size;
      struct sq_inst **old = p->table;
      p->table_size = old_size ? old_size * 2 : 256;
      p->table = calloc(p->table_size, sizeof(*p->table));
      if (!p->table)
         return false;
      p->table_used = 0;
      for (unsigned n = 0; n < old_size; n++)
         if (old[n])
            insert_raw(p, old[n]);
      free(old);
   }
   insert_raw(p, i);
   return true;
}

/* ---- runs ---- */

/* Decodes from pc to an instruction that never falls through. */
static struct sq_inst *decode_run(struct sq *sq, struct sq_program *p, const struct model_env *env, uint64_t pc)
{
   struct run *run = calloc(1, sizeof(*run));
   unsigned cap = 64, num = 0;
   struct sq_inst *insts = calloc(cap, sizeof(*insts));
   uint64_t avail = 0, at = pc;
   const uint8_t *code = vm_probe(env->vm, VM_SQ_INST, pc, false, &avail);
   bool end = false;

   while (!end && num < MAX_INSTS / 4) {
      if (num + 1 >= cap) {
         cap *= 2;
         insts = realloc(insts, cap * sizeof(*insts));
         memset(insts + num, 0, (cap - num) * sizeof(*insts));
      }
      struct sq_inst *i = &insts[num], *known = num ? find(p, at) : NULL;
      uint32_t dw[5] = {0};
      i->pc = at;
      i->run_start = num == 0;
      if (known) {
         i->fn = h_goto;
         i->target = known;
         i->pc = ~0ull; /* not to be found */
         num++;
         break;
      }
      unsigned left = code && avail > at - pc ? (avail - (at - pc)) / 4 : 0;
      if (!left) {
         i->fn = h_fetch_fault;
         num++;
         break;
      }
      memcpy(dw, code + (at - pc), (left < 5 ? left : 5) * 4);
      unsigned used = isa_decode(SQ_GFX, dw, left < 5 ? left : 5, &i->isa);
      if (!used) {
         i->fn = h_illegal;
         at += 4;
         end = true;
      } else {
         finish_inst(p, i);
         sq_timing_decode(i);
         sq_check_run(insts, num);
         if (order_matters(&i->isa)) {
            i->ordered = i->fn;
            i->fn = sq_order_then;
         }
         if (i->hazard_need) {
            i->checked = i->fn;
            i->fn = sq_hazard_then;
         }
         at += used * 4;
         end = ends_run(&i->isa);
      }
      num++;
   }
   if (num == MAX_INSTS / 4 && !end) {
      insts[num].fn = h_further;
      insts[num].pc = ~0ull; /* not to be found */
      num++;
   }
   run->pc = pc;
   run->dwords = (at - pc) / 4;
   run->code = malloc(at - pc + 4);
   if (code)
      memcpy(run->code, code, at - pc);
   run->insts = insts;
   run->num = num;
   run->next = p->runs;
   p->runs = run;
   sq->common->num_insts += num;
   for (unsigned n = 0; n < num; n++)
      if (insts[n].pc != ~0ull)
         insert(p, &insts[n]);
   return insts;
}

struct sq_inst *sq_program_at(struct sq_wave *w, uint64_t pc)
{
   struct sq_inst *i = find(w->program, pc);
   if (!i) {
      i = decode_run(w->sq, w->program, w->env, pc);
      if (w->program->max_sgpr > w->alloc_sgprs || w->program->max_vgpr > w->alloc_vgprs)
         w->slow |= SQ_SLOW_RANGE;
   }
   return i;
}

const struct sq_inst *sq_program_entry(const struct sq_program *p) { return find(p, p->pc); }
unsigned sq_program_max_sgpr(const struct sq_program *p) { return p->max_sgpr; }
unsigned sq_program_max_vgpr(const struct sq_program *p) { return p->max_vgpr; }

/* ---- programs ---- */

static void program_free(struct sq *sq, struct sq_program *p)
{
   while (p->runs) {
      struct run *r = p->runs;
      p->runs = r->next;
      sq->common->num_insts -= r->num;
      for (unsigned n = 0; n < r->num; n++)
         free(r->insts[n].text);
      free(r->insts);
      free(r->code);
      free(r);
   }
   free(p->table);
   free(p);
}

void sq_programs_free(struct sq *sq)
{
   for (unsigned n = 0; n < 256; n++) {
      while (sq->common->programs[n]) {
         struct sq_program *p = sq->common->programs[n];
         sq->common->programs[n] = p->next;
         program_free(sq, p);
      }
   }
}

static bool unchanged(const struct sq_program *p, const struct model_env *env)
{
   for (const struct run *r = p->runs; r; r = r->next) {
      uint64_t avail;
      const void *code = vm_probe(env->vm, VM_SQ_INST, r->pc, false, &avail);
      if (!code || avail < r->dwords * 4ull || memcmp(code, r->code, r->dwords * 4))
         return false;
   }
   return true;
}

/* A name for reports that is the same in every run. */
static uint32_t hash_code(const struct model_env *env, uint64_t pc)
{
   uint64_t avail = 0;
   const uint32_t *code = vm_probe(env->vm, VM_SQ_INST, pc, false, &avail);
   uint32_t h = 0x811c9dc5u;
   for (unsigned n = 0; code && n < MAX_INSTS && 4ull * n + 4 <= avail; n++) {
      h = (h ^ code[n]) * 0x01000193u;
      if (code[n] == 0xbf810000u) /* s_endpgm */
         break;
   }
   return h;
}

uint32_t sq_program_hash(const struct sq_program *p) { return p->hash; }

struct sq_program *sq_program_get(struct sq *sq, const struct model_env *env, uint64_t pc)
{
   struct sq_program **at = &sq->common->programs[(pc >> 8 ^ pc >> 16) & 255];
   for (struct sq_program **link = at; *link; link = &(*link)->next) {
      struct sq_program *p = *link;
      if (p->pc != pc || p->vm != env->vm)
         continue;
      if (p->generation == sq->common->generation)
         return p;
      if (unchanged(p, env)) {
         p->generation = sq->common->generation;
         return p;
      }
      *link = p->next;
      program_free(sq, p);
      break;
   }
   if (sq->common->num_insts > MAX_INSTS && !sq->common->running)
      sq_programs_free(sq);
   struct sq_program *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   p->pc = pc;
   p->vm = env->vm;
   p->hash = hash_code(env, pc);
   p->generation = sq->common->generation;
   p->next = *at;
   *at = p;
   return p;
}
