/* SPDX-License-Identifier: MIT */
/* Resources that are chosen per lane, handles, the kinds of MEMORY, lanes that
 * look at each other, and the atomics that are loops: compute programs on the
 * model's sequencer. What must come out is computed here. */
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "compute_harness.h"
#include "target_textures.h"

/* TEMP[0].x: number of the thread, .y: its byte offset, .z: number & 3, .w: number / 4. */
#define HEAD                                                                                       \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                   \
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"                  \
   "DCL BUFFER[0..3]\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], INPUT\nDCL MEMORY[2], GLOBAL\n"        \
   "DCL MEMORY[3], PRIVATE\nDCL CONST[0][0..15]\nDCL CONST[1][0..15]\nDCL CONST[2][0..15]\n"       \
   "DCL CONST[3][0..15]\nDCL SAMP[0..3]\nDCL IMAGE[0..2], BUFFER, PIPE_FORMAT_R32_UINT, WR\n"      \
   "DCL SVIEW[2], 2D, FLOAT\nDCL SVIEW[3], 2D_MSAA, FLOAT\nDCL TEMP[0..7]\nDCL ADDR[0..1]\n"       \
   "IMM[0] UINT32 {4, 128, 3, 2}\nIMM[1] UINT32 {0, 1, 5, 2048}\nIMM[2] UINT32 {2052, 2056, 16, 15}\n" \
   "IMM[3] UINT32 {135168, 8, 63, 1065353216}\nIMM[4] INT32 {-1, 7, 16, 6}\n"                                       \
   "IMM[5] UINT32 {60, 12, 1024, 64}\n"                                                            \
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n" \
   "AND TEMP[0].z, TEMP[0].xxxx, IMM[0].zzzz\nUSHR TEMP[0].w, TEMP[0].xxxx, IMM[0].wwww\n"
#define RESULT(r) "STORE BUFFER[0].x, TEMP[0].yyyy, " r "\nEND\n"
#define ALL (THREADS * GROUPS)
#define FOR_ALL(i) for (uint32_t i = 0; i < ALL; i++)

static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

static bool want_lane_5(uint32_t *w) { FOR_ALL(i) w[i] = (i & ~63u) + 5; return true; }
static bool want_first(uint32_t *w) { FOR_ALL(i) w[i] = (i & ~63u) + 1; return true; }
static bool want_ballot(uint32_t *w) { FOR_ALL(i) w[i] = 0x22222222u + 0x22222222u; return true; }
static bool want_all_ones(uint32_t *w) { FOR_ALL(i) w[i] = ~0u; return true; }

static bool
want_wrap(uint32_t *w)
{
   /* From a big number: to 0, then round and round; 256 times in all. */
   w[512] = 255 % 4;
   w[513] = 3 - 255 % 4;
   return true;
}

static bool want_float_sum(uint32_t *w) { w[514] = bits(ALL); return true; }
/* 128 wraps from 0 end at 0 again; the program adds 3 then. */
static bool want_shared_sum(uint32_t *w) { FOR_ALL(i) w[i] = bits(THREADS) + 3; return true; }

static bool
want_private(uint32_t *w)
{
   FOR_ALL(i) w[i] = i + 5 + (i ^ 3);
   return true;
}

static bool want_private_bounds(uint32_t *w) { FOR_ALL(i) w[i] = i; return true; }
static bool want_input(uint32_t *w) { FOR_ALL(i) w[i] = compute_input(2) + compute_input(i & 3); return true; }

static bool
want_global(uint32_t *w)
{
   FOR_ALL(i) w[256 + i] = compute_initial(i) + 1;
   return true;
}

static bool
want_image_sums(uint32_t *w)
{
   FOR_ALL(i) {
      const uint32_t at = 256 * (1 + (i & 1)) + i;
      w[i] = compute_initial(at) + 256;
      w[at] = compute_initial(at) + i;
   }
   return true;
}

static bool want_buffer_sizes(uint32_t *w) { FOR_ALL(i) w[i] = WORDS * 4 - (i & 3) * 1024; return true; }

static bool
want_buffers(uint32_t *w)
{
   FOR_ALL(i) w[i] = compute_initial(i);
   /* BUFFER[1 + (i & 1)] gets i at word i / 4 + 64 * (i & 1). */
   FOR_ALL(i) w[256 * (1 + (i & 1)) + i / 4 + 64 * (i & 1)] = 0;
   FOR_ALL(i) {
      uint32_t at = 256 * (1 + (i & 1)) + i / 4 + 64 * (i & 1);
      w[at] = i > w[at] ? i : w[at];
   }
   return true;
}

static bool
want_buffer_loads(uint32_t *w)
{
   FOR_ALL(i) w[i] = i & 3 ? compute_initial(256 * (i & 3) + i / 4 + 128) : compute_initial(i / 4 + 640);
   return true;
}

static bool
want_buffer_atomics(uint32_t *w)
{
   FOR_ALL(i) w[256 * (1 + (i & 1)) + 2]++;
   return true;
}

static bool want_consts(uint32_t *w) { FOR_ALL(i) w[i] = compute_const(i & 3, 13); return true; }
static bool want_const_elements(uint32_t *w) { FOR_ALL(i) w[i] = compute_const(i & 3, 4 * (i / 4 & 15) + 2); return true; }
static bool want_const_sums(uint32_t *w) { FOR_ALL(i) w[i] = compute_const(i & 3, 1) + compute_const(i / 4 & 3, 6); return true; }
/* Of buffer 1 + (i & 1): word i / 4 + 64 becomes word i / 4 + word i / 4 + 1; then
 * the same of the other buffer, from word 128 on. */
static bool
want_rounds(uint32_t *w)
{
   FOR_ALL(i) {
      for (unsigned k = 0; k < 2; k++) {
         const uint32_t *in = &w[256 * (1 + ((i + k) & 1)) + i / 4];
         w[256 * (1 + ((i + k) & 1)) + i / 4 + 128 * k + 128] = compute_initial(in - w) + compute_initial(in - w + 1);
      }
   }
   return true;
}

static bool
want_branches(uint32_t *w)
{
   FOR_ALL(i) w[i] = (compute_const(i & 3, 1) & 1) + 2 * (compute_const(i & 3, 5) == compute_const(i / 4 & 3, 5));
   return true;
}

/* Structures of 4 words at words 4 * (i / 4): each thread of four reads and writes
 * its own, component by component, some of them twice. */
static bool
want_structures(uint32_t *w)
{
   for (uint32_t s = 0; s < ALL / 4; s++) {
      uint32_t a = compute_initial(4 * s + 256), b = compute_initial(4 * s + 257), c = compute_initial(4 * s + 258);
      w[4 * s] = a;
      w[4 * s + 1] = a + c;
      w[4 * s + 2] = b;
      w[4 * s + 3] = compute_initial(4 * s + 259);
   }
   return true;
}

/* Word i - 1 of thread 0 is none; word i is one. */
static bool want_word_before(uint32_t *w) { FOR_ALL(i) w[i] = (i ? compute_initial(256 + i - 1) : 0) * 3 + compute_initial(256 + i); return true; }

static bool want_shared_rows(uint32_t *w) { FOR_ALL(i) w[i] = (i & ~127u) / 128 * 3 + 5 * (127 - i % 128) + 7; return true; }

static bool want_texels(uint32_t *w) { FOR_ALL(i) w[i] = compute_texel(i & 1, i); return true; }
static bool want_texel_1(uint32_t *w) { FOR_ALL(i) w[i] = compute_texel(1, i); return true; }
static bool want_images(uint32_t *w) { FOR_ALL(i) w[i] = compute_initial(256 * (1 + (i & 1)) + i); return true; }
static bool want_image_stores(uint32_t *w) { FOR_ALL(i) w[256 * (1 + (i & 1)) + i] = i; return true; }
/* The format stands in the program; the V# says one of 32 bits. */
static bool
want_typed_stores(uint32_t *w)
{
   FOR_ALL(i) {
      w[256 + i] = i | 0xffff0000;
      w[512 + i] = i & 1 ? 0xffff00ff : 0xc0003c00;
   }
   return true;
}

static bool want_image_atomics(uint32_t *w) { w[514] = bits(128); w[515] = 128 % 5; w[516] = bits(ALL); return true; }

/* Everything outside of the texture, and levels that it does not have, are 0. */
static bool
want_sample_i(uint32_t *w)
{
   FOR_ALL(i) {
      bool inside = i / 4 < TEX_WIDTH;
      w[i] = inside ? bits(compute_texel_2d(i / 4, 2, i & 3)) : 0;
   }
   return true;
}

static bool want_nothing(uint32_t *w) { FOR_ALL(i) w[i] = 0; return true; }
static bool want_view_info(uint32_t *w) { FOR_ALL(i) w[i] = TEX_WIDTH + 256 * TEX_HEIGHT + 65536 * 1; return true; }
static bool want_view_info_level(uint32_t *w) { FOR_ALL(i) w[i] = 65536 * 1; return true; }
static bool want_sample_info(uint32_t *w) { FOR_ALL(i) w[i] = 4 + 16 * 0 + 256 * COMPUTE_FB_SAMPLES; return true; }

static bool
want_sample_pos(uint32_t *w)
{
   FOR_ALL(i) w[i] = bits(compute_sample_pos(4, i & 3, 0) * 64 + compute_sample_pos(COMPUTE_FB_SAMPLES, i & 3, 1));
   return true;
}

/* Each thread has its own word i and a neighbour's number. */
static bool want_all_atomics(uint32_t *w)
{
   FOR_ALL(i) {
      uint32_t v = compute_initial(i);
      v = v & 0xfffff00f;
      v = v | i;
      v = v ^ 128;
      v = v < 2052 ? v : 2052;
      v = (int32_t)v < -1 ? v : ~0u;
      v = (int32_t)v > 7 ? v : 7;
      w[i] = (v == 7 ? 16 : v) + 1;
   }
   return true;
}
static bool want_bytes(uint32_t *w) { FOR_ALL(i) w[i] = (WORDS - 256) * 4; return true; }

/* Sample i & 3 of pixel (i / 4 & 15, i / 64), by the FMASK of unit 8. */
static bool
want_samples(uint32_t *w)
{
   FOR_ALL(i) {
      struct place p = { .x = i / 4 & 15, .y = i / 64, .sample = i & 3 };
      p.sample = target_fragment(&p);
      w[i] = bits(texel(&p, 2));
   }
   return true;
}

/* Odd threads use unit 8 + group, even ones unit 9 - group: 9 has no FMASK. */
static bool
want_samples_of_two(uint32_t *w)
{
   FOR_ALL(i) {
      struct place p = { .x = i / 4 & 15, .y = i / 64, .sample = i & 3 };
      p.sample = (i & 1) != i / THREADS ? target_fragment(&p) : p.sample;
      w[i] = bits(texel(&p, 0));
   }
   return true;
}

static const struct compute_program programs[] = {
   { "atomics one by one", HEAD "IMM[6] UINT32 {4294963215, 1, 0, 0}\nATOMAND TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[6].xxxx\n"
     "ATOMOR TEMP[1].x, BUFFER[0], TEMP[0].yyyy, TEMP[0].xxxx\nATOMXOR TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[0].yyyy\n"
     "ATOMUMIN TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[2].xxxx\nATOMIMIN TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[4].xxxx\n"
     "ATOMIMAX TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[4].yyyy\nATOMCAS TEMP[1].x, BUFFER[0], TEMP[0].yyyy, IMM[4].yyyy, IMM[4].zzzz\n"
     "ATOMXCHG TEMP[1].x, BUFFER[0], TEMP[0].yyyy, TEMP[1].xxxx\nUSEQ TEMP[2].x, TEMP[1].xxxx, IMM[4].yyyy\n"
     "UCMP TEMP[1].x, TEMP[2].xxxx, IMM[4].zzzz, TEMP[1].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n"
     RESULT("TEMP[1].xxxx"), want_all_atomics },
   { "bytes of a buffer", HEAD "NOP\nRESQ TEMP[1].x, BUFFER[1]\n" RESULT("TEMP[1].xxxx"), want_bytes },
   { "value of another lane", HEAD "READ_INVOC TEMP[1].x, TEMP[0].xxxx, IMM[1].zzzz\n" RESULT("TEMP[1].xxxx"), want_lane_5 },
   { "value of the first lane", HEAD "UADD TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nREAD_FIRST TEMP[1].x, TEMP[1].xxxx\n"
     RESULT("TEMP[1].xxxx"), want_first },
   { "ballot", HEAD "USEQ TEMP[1].x, TEMP[0].zzzz, IMM[1].yyyy\nBALLOT TEMP[2].xy, TEMP[1].xxxx\n"
     "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].yyyy\n" RESULT("TEMP[2].xxxx"), want_ballot },
   { "clock", HEAD "CLOCK TEMP[1].xy\nLOAD TEMP[2].x, BUFFER[0], TEMP[0].yyyy\nMEMBAR IMM[1].yyyy\nCLOCK TEMP[2].xy\n"
     "U64SLT TEMP[3].x, TEMP[1], TEMP[2]\n" RESULT("TEMP[3].xxxx"), want_all_ones },
   { "increment and decrement with wrapping",
     HEAD "ATOMINC_WRAP TEMP[1].x, BUFFER[0], IMM[1].wwww, IMM[0].zzzz\n"
          "ATOMDEC_WRAP TEMP[1].x, BUFFER[0], IMM[2].xxxx, IMM[0].zzzz\nEND\n", want_wrap },
   { "float addition in a buffer", HEAD "ATOMFADD TEMP[1].x, BUFFER[0], IMM[2].yyyy, IMM[3].wwww\nEND\n", want_float_sum },
   { "float addition in a buffer, by handle of lanes",
     HEAD "UARL ADDR[0].x, IMM[1].xxxx\nATOMFADD TEMP[1].x, BUFFER[ADDR[0].x], IMM[2].yyyy, IMM[3].wwww\nEND\n", want_float_sum },
   { "float addition and wrapping in shared memory",
     HEAD "USEQ TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\nUIF TEMP[1].xxxx\n  STORE MEMORY[0].x, IMM[2].zzzz, IMM[1].xxxx\n"
          "  STORE MEMORY[0].x, IMM[5].xxxx, IMM[1].xxxx\nENDIF\nBARRIER\n"
          "ATOMFADD TEMP[1].x, MEMORY[0], IMM[2].zzzz, IMM[3].wwww\nATOMINC_WRAP TEMP[1].x, MEMORY[0], IMM[5].xxxx, IMM[0].zzzz\n"
          "BARRIER\nLOAD TEMP[1].x, MEMORY[0], IMM[2].zzzz\nLOAD TEMP[2].x, MEMORY[0], IMM[5].xxxx\n"
          "AND TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz\nUSEQ TEMP[3].x, TEMP[2].xxxx, IMM[1].xxxx\nUIF TEMP[3].xxxx\n"
          "  UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nENDIF\n" RESULT("TEMP[1].xxxx"), want_shared_sum },
   { "private memory",
     HEAD "STORE MEMORY[3].x, IMM[1].xxxx, TEMP[0].xxxx\nXOR TEMP[1].y, TEMP[0].xxxx, IMM[0].zzzz\n"
          "STORE MEMORY[3].xy, IMM[2].zzzz, TEMP[1].yyyy\nATOMUADD TEMP[2].x, MEMORY[3], IMM[1].xxxx, IMM[1].zzzz\n"
          "LOAD TEMP[3].x, MEMORY[3], IMM[1].xxxx\nLOAD TEMP[4].xy, MEMORY[3], IMM[2].zzzz\n"
          "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].yyyy\n" RESULT("TEMP[3].xxxx"), want_private, 64 },
   { "private memory ends", HEAD "STORE MEMORY[3].x, IMM[5].zzzz, TEMP[0].xxxx\nLOAD TEMP[1].x, MEMORY[3], IMM[5].xxxx\n"
     RESULT("TEMP[1].xxxx"), want_private_bounds, 64 },
   { "kernel arguments", HEAD "LOAD TEMP[1].x, MEMORY[1], IMM[3].yyyy\nUMUL TEMP[2].x, TEMP[0].zzzz, IMM[0].xxxx\n"
     "LOAD TEMP[2].x, MEMORY[1], TEMP[2].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[2].xxxx\n" RESULT("TEMP[1].xxxx"), want_input },
   { "global memory", HEAD "UADD TEMP[1].x, TEMP[0].yyyy, IMM[3].xxxx\nLOAD TEMP[2].x, MEMORY[2], TEMP[1].xxxx\n"
     "UADD TEMP[2].x, TEMP[2].xxxx, IMM[1].yyyy\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[5].zzzz\n"
     "STORE MEMORY[2].x, TEMP[1].xxxx, TEMP[2].xxxx\nEND\n", want_global },
   { "stores to buffers that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\n"
          "UMUL TEMP[2].x, TEMP[1].xxxx, IMM[5].wwww\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[0].wwww\nUMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\n"
          "STORE BUFFER[ADDR[0].x+1].x, TEMP[2].xxxx, IMM[1].xxxx\nMEMBAR IMM[1].yyyy\n"
          "ATOMUMAX TEMP[3].x, BUFFER[ADDR[0].x+1], TEMP[2].xxxx, TEMP[0].xxxx\nEND\n", want_buffers },
   { "loads of buffers that differ",
     HEAD "UARL ADDR[0].x, TEMP[0].zzzz\nUADD TEMP[1].x, TEMP[0].wwww, IMM[0].yyyy\nUMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
          "USEQ TEMP[2].x, TEMP[0].zzzz, IMM[1].xxxx\nAND TEMP[2].x, TEMP[2].xxxx, IMM[1].wwww\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
          "LOAD TEMP[3].x, BUFFER[ADDR[0].x], TEMP[1].xxxx\n" RESULT("TEMP[3].xxxx"), want_buffer_loads },
   { "atomics of buffers that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\n"
          "ATOMUADD TEMP[3].x, BUFFER[ADDR[0].x+1], IMM[3].yyyy, IMM[1].yyyy\nEND\n", want_buffer_atomics },
   { "constant buffers that differ", HEAD "UARL ADDR[0].x, TEMP[0].zzzz\nMOV TEMP[1].x, CONST[ADDR[0].x][3].yyyy\n"
     RESULT("TEMP[1].xxxx"), want_consts },
   { "elements of constant buffers that differ",
     HEAD "UARL ADDR[0].x, TEMP[0].zzzz\nAND TEMP[1].x, TEMP[0].wwww, IMM[2].wwww\nUARL ADDR[0].y, TEMP[1].xxxx\n"
          "MOV TEMP[1].x, CONST[ADDR[0].x][ADDR[0].y].zzzz\n" RESULT("TEMP[1].xxxx"), want_const_elements },
   { "two constant buffers that differ",
     HEAD "UARL ADDR[0].x, TEMP[0].zzzz\nAND TEMP[1].x, TEMP[0].wwww, IMM[0].zzzz\nUARL ADDR[1].x, TEMP[1].xxxx\n"
          "UADD TEMP[1].x, CONST[ADDR[0].x][0].yyyy, CONST[ADDR[1].x][1].zzzz\n" RESULT("TEMP[1].xxxx"), want_const_sums },
   { "constant buffer of a loop's counter",
     HEAD "MOV TEMP[1].xy, IMM[1].xxxx\nBGNLOOP\n  USEQ TEMP[2].x, TEMP[1].xxxx, IMM[0].xxxx\n  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n"
          "  UARL ADDR[0].x, TEMP[1].xxxx\n  USEQ TEMP[2].x, TEMP[1].xxxx, TEMP[0].zzzz\n  UIF TEMP[2].xxxx\n"
          "    MOV TEMP[1].y, CONST[ADDR[0].x][3].yyyy\n  ENDIF\n  UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nENDLOOP\n"
     RESULT("TEMP[1].yyyy"), want_consts },
   { "three accesses, then three of another buffer",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUMUL TEMP[2].x, TEMP[0].wwww, IMM[0].xxxx\nUADD TEMP[2].y, TEMP[2].xxxx, IMM[0].xxxx\n"
          "UADD TEMP[2].z, TEMP[2].xxxx, IMM[6].xxxx\nUADD TEMP[2].w, TEMP[2].xxxx, IMM[6].yyyy\nIMM[6] UINT32 {512, 1024, 0, 0}\n"
          "UARL ADDR[0].x, TEMP[1].xxxx\nLOAD TEMP[3].x, BUFFER[ADDR[0].x+1], TEMP[2].xxxx\n"
          "UARL ADDR[0].x, TEMP[1].xxxx\nLOAD TEMP[4].x, BUFFER[ADDR[0].x+1], TEMP[2].yyyy\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].xxxx\n"
          "UARL ADDR[1].x, TEMP[1].xxxx\nSTORE BUFFER[ADDR[1].x+1].x, TEMP[2].zzzz, TEMP[3].xxxx\n"
          "XOR TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n"
          "UARL ADDR[0].x, TEMP[1].xxxx\nLOAD TEMP[3].x, BUFFER[ADDR[0].x+1], TEMP[2].xxxx\n"
          "LOAD TEMP[4].x, BUFFER[ADDR[0].x+1], TEMP[2].yyyy\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].xxxx\n"
          "STORE BUFFER[ADDR[0].x+1].x, TEMP[2].wwww, TEMP[3].xxxx\nEND\n", want_rounds },
   { "branches on constant buffers that differ",
     HEAD "MOV TEMP[1], IMM[1].xxxx\nUARL ADDR[0].x, TEMP[0].zzzz\nAND TEMP[2].x, TEMP[0].wwww, IMM[0].zzzz\nUARL ADDR[1].x, TEMP[2].xxxx\n"
          "AND TEMP[3].x, CONST[ADDR[0].x][0].yyyy, IMM[1].yyyy\nUIF CONST[ADDR[0].x][0].yyyy\n  MOV TEMP[1].x, TEMP[3].xxxx\nENDIF\n"
          "SWITCH CONST[ADDR[0].x][1].yyyy\nDEFAULT\n  BRK\nCASE CONST[ADDR[1].x][1].yyyy\n  MOV TEMP[1].y, IMM[0].wwww\n  BRK\nENDSWITCH\n"
          "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n" RESULT("TEMP[1].xxxx"), want_branches },
   { "components of structures",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[6].xxxx\nIMM[6] INT32 {-4, -8, 1020, 0}\nUMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
          "UADD TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\nUADD TEMP[1].z, TEMP[1].xxxx, IMM[3].yyyy\nUADD TEMP[1].w, TEMP[1].xxxx, IMM[5].yyyy\n"
          "LOAD TEMP[2].x, BUFFER[1], TEMP[1].zzzz\nLOAD TEMP[2].y, BUFFER[1], TEMP[1].xxxx\nMOV TEMP[3].x, TEMP[2].yyyy\n"
          "LOAD TEMP[6].x, BUFFER[1], TEMP[1].xxxx\nMOV TEMP[3].y, TEMP[6].xxxx\nUADD TEMP[4].x, TEMP[6].xxxx, TEMP[2].xxxx\n"
          "STORE BUFFER[0].x, TEMP[1].yyyy, TEMP[2].xxxx\nSTORE BUFFER[0].x, TEMP[1].zzzz, TEMP[3].xxxx\n"
          "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[3].yyyy\nSTORE BUFFER[0].x, TEMP[1].yyyy, TEMP[4].xxxx\n"
          "LOAD TEMP[5].x, BUFFER[1], TEMP[1].wwww\nSTORE BUFFER[0].x, TEMP[1].wwww, TEMP[5].xxxx\nEND\n", want_structures },
   { "the word before the first",
     HEAD "UADD TEMP[1].x, TEMP[0].yyyy, IMM[6].xxxx\nIMM[6] INT32 {-4, 0, 0, 0}\n"
          "LOAD TEMP[2].x, BUFFER[1], TEMP[1].xxxx\nLOAD TEMP[4].x, BUFFER[1], TEMP[0].yyyy\nUMAD TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz, TEMP[4].xxxx\n"
     RESULT("TEMP[2].xxxx"), want_word_before },
   { "rows of shared memory",
     HEAD "SHL TEMP[1].x, SV[0].xxxx, IMM[0].zzzz\nUADD TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\nUMUL TEMP[2].x, SV[1].xxxx, IMM[0].zzzz\n"
          "UMAD TEMP[2].y, SV[0].xxxx, IMM[1].zzzz, IMM[4].yyyy\nSTORE MEMORY[0].x, TEMP[1].yyyy, TEMP[2].yyyy\n"
          "STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[2].xxxx\nBARRIER\nINEG TEMP[1].z, TEMP[1].xxxx\nUADD TEMP[1].z, TEMP[1].zzzz, IMM[6].xxxx\nIMM[6] UINT32 {1016, 1020, 0, 0}\n"
          "UADD TEMP[1].w, TEMP[1].zzzz, IMM[0].xxxx\nLOAD TEMP[3].x, MEMORY[0], TEMP[1].zzzz\nLOAD TEMP[4].x, MEMORY[0], TEMP[1].wwww\n"
          "UADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].xxxx\n" RESULT("TEMP[3].xxxx"), want_shared_rows },
   { "textures that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2], TEMP[0].xxxx\n"
          "TXF TEMP[3].x, TEMP[2], SAMP[ADDR[0].x], BUFFER\n" RESULT("TEMP[3].xxxx"), want_texels },
   { "handle of a texture", HEAD "SAMP2HND TEMP[1].xy, SAMP[1], BUFFER\nMOV TEMP[2], TEMP[0].xxxx\n"
     "TXF TEMP[3].x, TEMP[2], TEMP[1], BUFFER\n" RESULT("TEMP[3].xxxx"), want_texel_1 },
   { "handles of textures that differ",
     HEAD "SAMP2HND TEMP[1].xy, SAMP[1], BUFFER\nSAMP2HND TEMP[4].xy, SAMP[0], BUFFER\nAND TEMP[2].x, TEMP[0].xxxx, IMM[1].yyyy\n"
          "UIF TEMP[2].xxxx\nELSE\n  MOV TEMP[1].xy, TEMP[4]\nENDIF\nMOV TEMP[2], TEMP[0].xxxx\n"
          "TXF TEMP[3].x, TEMP[2], TEMP[1], BUFFER\n" RESULT("TEMP[3].xxxx"), want_texels },
   { "images that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2], TEMP[0].xxxx\n"
          "LOAD TEMP[3].x, IMAGE[ADDR[0].x], TEMP[2], BUFFER, PIPE_FORMAT_R32_UINT\n" RESULT("TEMP[3].xxxx"), want_images },
   { "stores to images that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2], TEMP[0].xxxx\n"
          "STORE IMAGE[ADDR[0].x], TEMP[2], TEMP[0].xxxx, BUFFER, PIPE_FORMAT_R32_UINT\nEND\n", want_image_stores },
   { "atomics and sizes of images that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2], TEMP[0].xxxx\n"
          "ATOMUADD TEMP[3].x, IMAGE[ADDR[0].x], TEMP[2], TEMP[0].xxxx, BUFFER, PIPE_FORMAT_R32_UINT\n"
          "RESQ TEMP[4].x, IMAGE[ADDR[0].x], BUFFER, PIPE_FORMAT_R32_UINT\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].xxxx\n" RESULT("TEMP[3].xxxx"),
     want_image_sums },
   { "sizes of buffers that differ",
     HEAD "UARL ADDR[0].x, TEMP[0].zzzz\nRESQ TEMP[4].x, BUFFER[ADDR[0].x]\n" RESULT("TEMP[4].xxxx"), want_buffer_sizes },
   { "stores with a format",
     HEAD "IMM[6] FLT32 {1.0, 0.0, 2.0, -2.0}\nMOV TEMP[2], TEMP[0].xxxx\nMOV TEMP[3], TEMP[0].xxxx\nMOV TEMP[3].y, IMM[4].xxxx\n"
          "STORE IMAGE[0], TEMP[2], TEMP[3], BUFFER, PIPE_FORMAT_R16G16_SINT\nAND TEMP[4].x, TEMP[0].xxxx, IMM[1].yyyy\nUIF TEMP[4].xxxx\n"
          "  STORE IMAGE[1], TEMP[2], IMM[6].xyxz, BUFFER, PIPE_FORMAT_R8G8B8A8_UNORM\nELSE\n"
          "  STORE IMAGE[1], TEMP[2], IMM[6].xwxz, BUFFER, PIPE_FORMAT_R16G16_FLOAT\nENDIF\nEND\n", want_typed_stores },
   { "handles of images that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nIMG2HND TEMP[3].xy, IMAGE[0]\nUIF TEMP[1].xxxx\n  IMG2HND TEMP[3].xy, IMAGE[1]\nENDIF\n"
          "MOV TEMP[2], TEMP[0].xxxx\nLOAD TEMP[4].x, TEMP[3], TEMP[2], BUFFER, PIPE_FORMAT_R32_UINT\n" RESULT("TEMP[4].xxxx"), want_images },
   { "stores by handles of images that differ",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\nIMG2HND TEMP[3].xy, IMAGE[0]\nUIF TEMP[1].xxxx\n  IMG2HND TEMP[3].xy, IMAGE[1]\nENDIF\n"
          "MOV TEMP[2], TEMP[0].xxxx\nSTORE TEMP[3], TEMP[2], TEMP[0].xxxx, BUFFER, PIPE_FORMAT_R32_UINT\nEND\n", want_image_stores },
   { "atomics of images",
     HEAD "UADD TEMP[1].x, IMM[1].xxxx, IMM[0].wwww\nAND TEMP[2].x, TEMP[0].xxxx, IMM[1].yyyy\nUIF TEMP[2].xxxx\n"
          "  ATOMFADD TEMP[3].x, IMAGE[1], TEMP[1], IMM[3].wwww, BUFFER, PIPE_FORMAT_R32_UINT\n"
          "  UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n"
          "  ATOMINC_WRAP TEMP[3].x, IMAGE[1], TEMP[1], IMM[0].xxxx, BUFFER, PIPE_FORMAT_R32_UINT\nENDIF\n"
          "IMG2HND TEMP[4].xy, IMAGE[1]\nMOV TEMP[5], IMM[0].xxxx\n"
          "ATOMFADD TEMP[3].x, TEMP[4], TEMP[5], IMM[3].wwww, BUFFER, PIPE_FORMAT_R32_UINT\nEND\n", want_image_atomics },
   { "SAMPLE_I and its bounds, swizzles of the view",
     HEAD "MOV TEMP[1].x, TEMP[0].wwww\nMOV TEMP[1].y, IMM[0].wwww\nMOV TEMP[1].zw, IMM[1].xxxx\n"
          "SAMPLE_I TEMP[2], TEMP[1], SVIEW[2].wzyx\nUSEQ TEMP[3].x, TEMP[0].zzzz, IMM[1].xxxx\nUCMP TEMP[4].x, TEMP[3].xxxx, TEMP[2].wwww, TEMP[2].zzzz\n"
          "USEQ TEMP[3].x, TEMP[0].zzzz, IMM[0].wwww\nUCMP TEMP[4].x, TEMP[3].xxxx, TEMP[2].yyyy, TEMP[4].xxxx\n"
          "USEQ TEMP[3].x, TEMP[0].zzzz, IMM[0].zzzz\nUCMP TEMP[4].x, TEMP[3].xxxx, TEMP[2].xxxx, TEMP[4].xxxx\n"
     RESULT("TEMP[4].xxxx"), want_sample_i },
   { "SAMPLE_I of a level that there is not", HEAD "MOV TEMP[1].xyz, IMM[1].yyyy\nMOV TEMP[1].w, IMM[0].zzzz\n"
     "SAMPLE_I TEMP[2], TEMP[1], SVIEW[2]\n" RESULT("TEMP[2].wwww"), want_nothing },
   { "SAMPLE_I above the texture", HEAD "MOV TEMP[1], IMM[1].xxxx\nMOV TEMP[1].y, IMM[4].xxxx\n"
     "SAMPLE_I TEMP[2], TEMP[1], SVIEW[2]\n" RESULT("TEMP[2].wwww"), want_nothing },
   { "SVIEWINFO", HEAD "SVIEWINFO TEMP[1], IMM[1].xxxx, SVIEW[2]\nSHL TEMP[1].y, TEMP[1].yyyy, IMM[3].yyyy\nSHL TEMP[1].z, TEMP[1].zzzz, IMM[5].yyyy\n"
     "SHL TEMP[1].w, TEMP[1].wwww, IMM[2].zzzz\nOR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\nOR TEMP[1].x, TEMP[1].xxxx, TEMP[1].zzzz\n"
     "OR TEMP[1].x, TEMP[1].xxxx, TEMP[1].wwww\n" RESULT("TEMP[1].xxxx"), want_view_info },
   { "SVIEWINFO of a level that there is not", HEAD "SVIEWINFO TEMP[1], IMM[0].zzzz, SVIEW[2]\nSHL TEMP[1].y, TEMP[1].yyyy, IMM[3].yyyy\nSHL TEMP[1].z, TEMP[1].zzzz, IMM[5].yyyy\n"
     "SHL TEMP[1].w, TEMP[1].wwww, IMM[2].zzzz\nOR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\nOR TEMP[1].x, TEMP[1].xxxx, TEMP[1].zzzz\n"
     "OR TEMP[1].x, TEMP[1].xxxx, TEMP[1].wwww\n" RESULT("TEMP[1].xxxx"), want_view_info_level },
   { "samples of a compressed texture",
     HEAD "DCL SAMP[8]\nAND TEMP[1].x, TEMP[0].wwww, IMM[2].wwww\nUSHR TEMP[1].y, TEMP[0].wwww, IMM[0].xxxx\nMOV TEMP[1].z, IMM[1].xxxx\n"
          "MOV TEMP[1].w, TEMP[0].zzzz\nTXF TEMP[2], TEMP[1], SAMP[8], 2D_MSAA\n" RESULT("TEMP[2].zzzz"), want_samples },
   { "samples of textures of which one is compressed",
     HEAD "DCL SAMP[8]\nDCL SAMP[9]\nUARL ADDR[0].x, SV[1].xxxx\nXOR TEMP[3].x, SV[1].xxxx, IMM[1].yyyy\nUARL ADDR[1].x, TEMP[3].xxxx\n"
          "AND TEMP[1].x, TEMP[0].wwww, IMM[2].wwww\nUSHR TEMP[1].y, TEMP[0].wwww, IMM[0].xxxx\nMOV TEMP[1].w, TEMP[0].zzzz\n"
          "AND TEMP[3].x, TEMP[0].xxxx, IMM[1].yyyy\nUIF TEMP[3].xxxx\n  TXF TEMP[2], TEMP[1], SAMP[ADDR[0].x+8], 2D_MSAA\nELSE\n"
          "  TXF TEMP[2], TEMP[1], SAMP[ADDR[1].x+8], 2D_MSAA\nENDIF\n" RESULT("TEMP[2].xxxx"), want_samples_of_two },
   { "SAMPLE_INFO", HEAD "SAMPLE_INFO TEMP[1], SVIEW[3], IMM[1].xxxx\nSAMPLE_INFO TEMP[2].x, SVIEW[2], IMM[1].xxxx\nSAMPLE_INFO TEMP[3].x, TEMP[0], IMM[1].xxxx\n"
     "SHL TEMP[3].x, TEMP[3].xxxx, IMM[3].yyyy\nSHL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n"
     "UADD TEMP[1].x, TEMP[1].xxxx, TEMP[2].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\n" RESULT("TEMP[1].xxxx"), want_sample_info },
   { "SAMPLE_POS", HEAD "IMM[6] FLT32 {64.0, 0.0, 0.0, 0.0}\nSAMPLE_POS TEMP[1], SVIEW[3], TEMP[0].zzzz\nSAMPLE_POS TEMP[2].x, TEMP[0].yyyy, TEMP[0].zzzz\n"
     "SAMPLE_POS TEMP[3].x, SVIEW[2], TEMP[0].zzzz\nMAD TEMP[1].x, TEMP[1].xxxx, IMM[6].xxxx, TEMP[2].xxxx\nADD TEMP[1].x, TEMP[1].xxxx, TEMP[3].xxxx\n"
     RESULT("TEMP[1].xxxx"), want_sample_pos },
};

int
main(int argc, char **argv)
{
   target_unit(8, "2D_MSAA", true);
   target_unit(9, "2D_MSAA", false);

   return compute_main(programs, ARRAY_SIZE(programs), argc, argv);
}
