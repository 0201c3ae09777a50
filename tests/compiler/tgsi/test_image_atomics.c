/* SPDX-License-Identifier: MIT */
/* Every atomic opcode on images of every target, named and by handle, in compute programs
 * on the model. A thread has a texel of its own; the value before comes back to the
 * program, the value behind is read where the layout says that the texel lies. */
#include <stdio.h>
#include <string.h>

#include "amdgfxregs.h"
#include "surf/surf.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "compute_harness.h"

#define THREADS_ALL (THREADS * GROUPS)
#define TEXTURE_AT  0x100000u

/* x, y, z are bits of the thread's number: so many of each. `to` is the component of the
 * address that z goes to, the sample of a multisample image is always component 3. */
static const struct target {
   const char *name;
   uint8_t type, x, y, z, samples, to;
   bool cube;
} targets[] = {
   { "1D", V_008F1C_SQ_RSRC_IMG_2D, 8, 0, 0, 0, 2 },
   { "2D", V_008F1C_SQ_RSRC_IMG_2D, 4, 4, 0, 0, 2 },
   { "RECT", V_008F1C_SQ_RSRC_IMG_2D, 5, 3, 0, 0, 2 },
   { "3D", V_008F1C_SQ_RSRC_IMG_3D, 3, 3, 2, 0, 2 },
   { "CUBE", V_008F1C_SQ_RSRC_IMG_CUBE, 3, 3, 2, 0, 2, true },
   { "1D_ARRAY", V_008F1C_SQ_RSRC_IMG_2D_ARRAY, 5, 0, 3, 0, 1 },
   { "2D_ARRAY", V_008F1C_SQ_RSRC_IMG_2D_ARRAY, 3, 3, 2, 0, 2 },
   { "CUBEARRAY", V_008F1C_SQ_RSRC_IMG_CUBE, 2, 2, 4, 0, 2, true },
   { "2D_MSAA", V_008F1C_SQ_RSRC_IMG_2D_MSAA, 3, 3, 0, 2, 2 },
   { "2D_ARRAY_MSAA", V_008F1C_SQ_RSRC_IMG_2D_MSAA_ARRAY, 2, 2, 2, 2, 2 },
};

union word { uint32_t u; int32_t i; float f; };
typedef uint32_t (*atomic_fn)(union word old, union word data, union word compare);

static uint32_t add(union word o, union word d, union word c) { return o.u + d.u; }
static uint32_t exchange(union word o, union word d, union word c) { return d.u; }
static uint32_t compare_and_swap(union word o, union word d, union word c) { return o.u == c.u ? d.u : o.u; }
static uint32_t and(union word o, union word d, union word c) { return o.u & d.u; }
static uint32_t or(union word o, union word d, union word c) { return o.u | d.u; }
static uint32_t xor(union word o, union word d, union word c) { return o.u ^ d.u; }
static uint32_t umin(union word o, union word d, union word c) { return MIN2(o.u, d.u); }
static uint32_t umax(union word o, union word d, union word c) { return MAX2(o.u, d.u); }
static uint32_t imin(union word o, union word d, union word c) { return MIN2(o.i, d.i); }
static uint32_t imax(union word o, union word d, union word c) { return MAX2(o.i, d.i); }
static uint32_t inc_wrap(union word o, union word d, union word c) { return o.u >= d.u ? 0 : o.u + 1; }
static uint32_t dec_wrap(union word o, union word d, union word c) { return !o.u || o.u > d.u ? d.u : o.u - 1; }
static uint32_t float_add(union word o, union word d, union word c)
{
   return (union word){ .f = o.f + d.f }.u;
}

static const struct op { const char *name; atomic_fn fn; bool floats, compares; } ops[] = {
   { "ATOMUADD", add }, { "ATOMXCHG", exchange }, { "ATOMCAS", compare_and_swap, .compares = true }, { "ATOMAND", and },
   { "ATOMOR", or }, { "ATOMXOR", xor }, { "ATOMUMIN", umin }, { "ATOMUMAX", umax }, { "ATOMIMIN", imin },
   { "ATOMIMAX", imax }, { "ATOMINC_WRAP", inc_wrap }, { "ATOMDEC_WRAP", dec_wrap }, { "ATOMFADD", float_add, .floats = true },
};

struct thread { uint32_t coords[4]; union word data, compare; uint32_t unused[2]; };
static struct thread threads[THREADS_ALL];
static union word before[THREADS_ALL], *texels[THREADS_ALL];
static const struct op *op;
static unsigned bad;

/* The image, and where each thread's texel lies. */
static void
make_image(const struct target *t)
{
   uint64_t va;
   uint8_t *base = compute_own_memory(&va) + TEXTURE_AT;
   const unsigned slices = t->cube ? DIV_ROUND_UP(1u << t->z, 6) * 6 : 1u << t->z;
   struct surf_desc desc = {
      .swizzle_mode = t->samples ? 10 : 9, .bytes_log2 = 2, .samples_log2 = t->samples, .num_levels = 1,
      .resource_type = t->type == V_008F1C_SQ_RSRC_IMG_3D ? 2 : 1, .width = 1u << t->x, .height = 1u << t->y, .depth = slices,
   };
   const struct surf_layout *l;

   for (;; desc.epitch++) { /* the pitch that goes with the size */
      l = surf_layout_get(compute_addrlib(), &desc);
      if (l && !l->epitch_mismatch)
         break;
   }
   for (unsigned i = 0; i < THREADS_ALL; i++) {
      uint32_t *c = threads[i].coords, rest = i >> t->x;
      const uint32_t x = i & ((1u << t->x) - 1), y = rest & ((1u << t->y) - 1), z = (rest >> t->y) & ((1u << t->z) - 1);
      const uint32_t sample = rest >> (t->y + t->z);
      c[0] = x, c[1] = y, c[t->to] = z, c[3] = sample;
      texels[i] = (union word *)(base + surf_offset(l, 0, x, y, z, sample));
   }
   va += TEXTURE_AT;
   const uint32_t rsrc[8] = {
      va >> 8,
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_UINT),
      S_008F18_WIDTH(desc.width - 1) | S_008F18_HEIGHT(desc.height - 1),
      S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_W(1) | S_008F1C_LAST_LEVEL(t->samples) |
         S_008F1C_SW_MODE(desc.swizzle_mode) | S_008F1C_TYPE(t->type),
      S_008F20_DEPTH(slices - 1) | S_008F20_PITCH(desc.epitch),
      S_008F24_MAX_MIP(t->samples),
   };
   compute_own_unit(COMPUTE_OWN_UNITS, rsrc, (const uint32_t[4]){ 0 });
   compute_own_image(COMPUTE_OWN_UNITS);
}

/* Values on both sides of each other, of zero and of the sign. */
static void
prepare(void)
{
   uint64_t va;

   for (unsigned i = 0; i < THREADS_ALL; i++) {
      const uint32_t hash = i * 2654435761u;
      before[i].u = i % 5 ? hash : i % 3;
      threads[i].data.u = i % 7 ? hash ^ (i % 2 ? 0x80000010u : 0x11u) : i % 2;
      threads[i].compare.u = i % 2 ? before[i].u : before[i].u + 1;
      if (op->floats) {
         before[i].f = (int)(i % 31) - 15;
         threads[i].data.f = (int)(i % 13) * 0.25f - 1;
      }
      *texels[i] = before[i];
   }
   memcpy(compute_own_memory(&va), threads, sizeof(threads));
}

/* What came back, and what lies in the image; the next run starts afresh. */
static bool
want(uint32_t *words)
{
   for (unsigned i = 0; i < THREADS_ALL; i++) {
      const uint32_t after = op->fn(before[i], threads[i].data, threads[i].compare);
      if (texels[i]->u != after && !bad++)
         printf("thread %u: the image has 0x%08x, not 0x%08x\n", i, texels[i]->u, after);
      words[i] = before[i].u;
   }
   prepare();
   return true;
}

static void
check(const struct target *t, bool handle)
{
   const unsigned before_check = bad;
   char text[2048], name[64];

   snprintf(name, sizeof(name), "%s %s%s", op->name, t->name, handle ? " by handle" : "");
   snprintf(text, sizeof(text),
            "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
            "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL BUFFER[%u]\nDCL IMAGE[%u], %s, PIPE_FORMAT_R32_UINT, WR\n"
            "DCL TEMP[0..4]\nIMM[0] UINT32 {128, 4, 32, 16}\n"
            "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nUMUL TEMP[0].yz, TEMP[0].xxxx, IMM[0]\n"
            "LOAD TEMP[1], BUFFER[%u], TEMP[0].zzzz\nUADD TEMP[0].z, TEMP[0].zzzz, IMM[0].wwww\nLOAD TEMP[2].xy, BUFFER[%u], TEMP[0].zzzz\n"
            "IMG2HND TEMP[4].xy, IMAGE[%u]\n%s TEMP[3].x, %s, TEMP[1], %s, %s, PIPE_FORMAT_R32_UINT\n"
            "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[3].xxxx\nEND\n",
            COMPUTE_OWN_BUFFER, COMPUTE_OWN_IMAGE, t->name, COMPUTE_OWN_BUFFER, COMPUTE_OWN_BUFFER, COMPUTE_OWN_IMAGE, op->name,
            handle ? "TEMP[4]" : "IMAGE[3]", op->compares ? "TEMP[2].yyyy, TEMP[2].xxxx" : "TEMP[2].xxxx", t->name);
   const struct compute_program program = { name, text, want };
   prepare();
   bad += compute_check(&program, 1);
   if (bad != before_check)
      printf("%s is wrong\n", name);
}

int
main(void)
{
   unsigned ran = 0;

   for (unsigned t = 0; t < ARRAY_SIZE(targets); t++) {
      make_image(&targets[t]);
      for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
         op = &ops[o];
         check(&targets[t], false);
         check(&targets[t], true);
         ran += 2;
      }
   }
   printf("%u programs, %u wrong\n", ran, bad);
   return bad != 0;
}
