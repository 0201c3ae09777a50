/* SPDX-License-Identifier: MIT */
#include "programs.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "tgsiamd/isa.h"

static uint32_t state = 1;

void rnd_seed(uint32_t seed) { state = seed * 2654435761u | 1; }
uint32_t rnd(void)
{
   state ^= state << 13;
   state ^= state >> 17;
   state ^= state << 5;
   return state;
}

struct code { uint32_t *at, *start; };
#define V ISA_VGPR

static void put(struct code *c, struct isa_inst *i)
{
   const char *why = "";
   const unsigned n = isa_encode(TGSIAMD_GFX9, i, c->at, &why);
   if (!n) {
      fprintf(stderr, "%s: %s\n", isa_op_infos[i->op].name, why);
      abort();
   }
   c->at += n;
}

/* Sources that are ISA_LITERAL take `literal`. */
static void alu(struct code *c, enum isa_op op, unsigned dst, unsigned a, unsigned b, uint32_t literal)
{
   struct isa_inst i;
   isa_inst_init(&i, op);
   i.dst = dst;
   i.src[0] = a;
   if (b != ISA_NONE)
      i.src[1] = b;
   i.literal = literal;
   put(c, &i);
}

static void sopp(struct code *c, enum isa_op op, uint16_t imm)
{
   struct isa_inst i;
   isa_inst_init(&i, op);
   i.imm = imm;
   put(c, &i);
}

static void wait(struct code *c) { sopp(c, ISA_S_WAITCNT, 0); }

/* A branch to be aimed later; it is one dword. */
static uint32_t *branch(struct code *c, enum isa_op op)
{
   uint32_t *at = c->at;
   sopp(c, op, 0);
   return at;
}
static void aim(uint32_t *at, const uint32_t *to) { *at = (*at & 0xffff0000u) | (uint16_t)(to - at - 1); }

static void buffer(struct code *c, enum isa_op op, unsigned dst, unsigned data, unsigned address, unsigned srsrc, bool idx)
{
   struct isa_inst i;
   isa_inst_init(&i, op);
   i.dst = dst;
   i.src[0] = address;
   i.src[1] = srsrc;
   i.src[2] = ISA_INT_0;
   i.src[3] = data;
   i.offen = !idx;
   i.idxen = idx;
   i.glc = dst != ISA_NONE && data != ISA_NONE;
   put(c, &i);
}

static void send(struct code *c, unsigned target, unsigned first, unsigned en, bool done)
{
   struct isa_inst i;
   isa_inst_init(&i, ISA_EXP);
   for (unsigned n = 0; n < 4; n++)
      i.src[n] = V(first + n);
   i.exp_target = target;
   i.exp_en = en;
   i.exp_done = done;
   i.exp_vm = done;
   put(c, &i);
}

#define DOES_LOAD 0x80000000u
#define DOES_PEEK 0x40000000u /* loads what other programs store */
enum { HASH = 6, FACTOR = 7, COLOR = 8, T0 = 13, T1 = 14, T2 = 15, EMPTY = 30 };
enum { S_SAVED = 20, S_LOOP = 22, S_T = 24, S_DEAD = 26 };

static void stir(struct code *c, unsigned with)
{
   alu(c, ISA_V_XOR_B32, V(HASH), with, V(HASH), 0);
   alu(c, ISA_V_MUL_LO_U32, V(HASH), V(HASH), V(FACTOR), 0);
}

static void address(struct code *c, uint32_t mask)
{
   alu(c, ISA_V_AND_B32, V(T0), ISA_LITERAL, V(HASH), mask & ~3u);
}

/* One of the things a program does, for the lanes in EXEC. */
static void act(struct code *c, uint32_t what)
{
   struct isa_inst i;
   switch (what) {
   case 0: {
      alu(c, ISA_S_MOV_B32, S_LOOP, ISA_INT(3 + rnd() % 12), ISA_NONE, 0);
      uint32_t *top = c->at;
      stir(c, S_LOOP);
      alu(c, ISA_S_SUB_U32, S_LOOP, S_LOOP, ISA_INT(1), 0);
      alu(c, ISA_S_CMP_LG_U32, ISA_NONE, S_LOOP, ISA_INT_0, 0);
      aim(branch(c, ISA_S_CBRANCH_SCC1), top);
      break;
   }
   case DOES_LOAD:
      address(c, 0xffff);
      buffer(c, ISA_BUFFER_LOAD_DWORD, V(T1), ISA_NONE, V(T0), S_CONST, false);
      wait(c);
      stir(c, V(T1));
      break;
   case DOES_PEEK:
      address(c, 0xffff);
      buffer(c, ISA_BUFFER_LOAD_DWORD, V(T1), ISA_NONE, V(T0), S_STORE, false);
      wait(c);
      stir(c, V(T1));
      break;
   case DOES_STORE:
      address(c, 0xffff);
      buffer(c, ISA_BUFFER_STORE_DWORD, ISA_NONE, V(HASH), V(T0), S_STORE, false);
      break;
   case DOES_ATOMIC:
      address(c, 0xff);
      alu(c, ISA_V_MOV_B32, V(T2), V(HASH), ISA_NONE, 0);
      buffer(c, ISA_BUFFER_ATOMIC_ADD, V(T2), V(T2), V(T0), S_STORE, false);
      wait(c);
      stir(c, V(T2));
      break;
   case DOES_TARGET:
      address(c, 0xfffff);
      buffer(c, ISA_BUFFER_LOAD_DWORD, V(T1), ISA_NONE, V(T0), S_TARGET, false);
      wait(c);
      stir(c, V(T1));
      break;
   case DOES_CLOCK:
      isa_inst_init(&i, ISA_S_MEMTIME);
      i.dst = S_T;
      put(c, &i);
      wait(c);
      stir(c, S_T);
      break;
   case DOES_GDS:
      alu(c, ISA_S_MOV_B32, ISA_M0, ISA_LITERAL, ISA_NONE, 0x1000);
      sopp(c, ISA_S_NOP, 4);
      address(c, 0x3f);
      isa_inst_init(&i, ISA_DS_ADD_RTN_U32);
      i.dst = V(T2);
      i.src[0] = V(T0);
      i.src[1] = V(HASH);
      i.gds = true;
      put(c, &i);
      wait(c);
      stir(c, V(T2));
      break;
   case DOES_UNINIT:
      alu(c, ISA_V_MUL_LO_U32, V(HASH), V(EMPTY), V(FACTOR), 0);
      break;
   case DOES_WAITCNT:
      address(c, 0xffff);
      buffer(c, ISA_BUFFER_LOAD_DWORD, V(T1), ISA_NONE, V(T0), S_CONST, false);
      stir(c, V(T1));
      wait(c);
      break;
   case DOES_FAULT:
      address(c, 0xffff);
      buffer(c, ISA_BUFFER_LOAD_DWORD, V(T1), ISA_NONE, V(T0), S_NOWHERE, false);
      wait(c);
      break;
   case DOES_KILL:
      alu(c, ISA_S_OR_B64, S_DEAD, S_DEAD, ISA_EXEC, 0);
      break;
   }
}

/* Does it in lanes whose hash has `bits` zeros. */
static void guarded(struct code *c, uint32_t what, unsigned bits)
{
   struct isa_inst i;
   isa_inst_init(&i, ISA_V_BFE_U32);
   i.dst = V(T0);
   i.src[0] = V(HASH);
   i.src[1] = ISA_INT(3);
   i.src[2] = ISA_INT(bits);
   put(c, &i);
   isa_inst_init(&i, ISA_V_CMP_EQ_U32);
   i.dst = ISA_VCC;
   i.src[0] = ISA_INT_0;
   i.src[1] = V(T0);
   put(c, &i);
   alu(c, ISA_S_AND_SAVEEXEC_B64, S_SAVED, ISA_VCC, ISA_NONE, 0);
   uint32_t *over = branch(c, ISA_S_CBRANCH_EXECZ);
   act(c, what);
   aim(over, c->at);
   alu(c, ISA_S_MOV_B64, ISA_EXEC, S_SAVED, ISA_NONE, 0);
}

unsigned program_vertex(uint32_t *code, uint32_t does)
{
   struct code c = { code, code };
   buffer(&c, ISA_BUFFER_LOAD_DWORDX4, V(COLOR), ISA_NONE, V(0), S_CONST, true);
   alu(&c, ISA_V_MOV_B32, V(FACTOR), ISA_LITERAL, ISA_NONE, 0x9e3779b1);
   alu(&c, ISA_V_MUL_LO_U32, V(HASH), V(0), V(FACTOR), 0);
   wait(&c);
   if (does & DOES_TARGET)
      act(&c, DOES_TARGET);
   if (does & DOES_ATOMIC)
      act(&c, DOES_ATOMIC);
   if (does & DOES_STORE)
      act(&c, DOES_STORE);
   if (does & DOES_CLOCK)
      act(&c, DOES_CLOCK);
   if (does & DOES_UNINIT)
      guarded(&c, DOES_UNINIT, 3);
   send(&c, 12, COLOR, 15, true);
   alu(&c, ISA_V_CVT_F32_UBYTE0, V(COLOR), V(HASH), ISA_NONE, 0);
   send(&c, 32, COLOR, 15, false);
   sopp(&c, ISA_S_ENDPGM, 0);
   return (unsigned)(c.at - c.start);
}

static void interp(struct code *c, enum isa_op op, unsigned src)
{
   struct isa_inst i;
   isa_inst_init(&i, op);
   i.dst = V(5);
   i.src[0] = V(src);
   i.attr = 0;
   i.chan = 0;
   put(c, &i);
}

unsigned program_pixel(uint32_t *code, uint32_t does, unsigned loops)
{
   static const enum isa_op bytes[4] = { ISA_V_CVT_F32_UBYTE0, ISA_V_CVT_F32_UBYTE1, ISA_V_CVT_F32_UBYTE2,
                                         ISA_V_CVT_F32_UBYTE3 };
   static const uint32_t often[4] = { 0, 0, DOES_LOAD, DOES_PEEK };
   struct code c = { code, code };

   /* PRIM_MASK comes after the user data; v0, v1 barycentrics, v2, v3 position */
   alu(&c, ISA_S_MOV_B32, ISA_M0, USER_SGPRS, ISA_NONE, 0);
   alu(&c, ISA_S_MOV_B64, S_DEAD, ISA_INT_0, ISA_NONE, 0);
   alu(&c, ISA_V_MOV_B32, V(FACTOR), ISA_LITERAL, ISA_NONE, 0x9e3779b1);
   alu(&c, ISA_V_CVT_U32_F32, V(HASH), V(2), ISA_NONE, 0);
   alu(&c, ISA_V_CVT_U32_F32, V(4), V(3), ISA_NONE, 0);
   interp(&c, ISA_V_INTERP_P1_F32, 0);
   interp(&c, ISA_V_INTERP_P2_F32, 1);
   alu(&c, ISA_V_MUL_LO_U32, V(HASH), V(HASH), V(FACTOR), 0);
   stir(&c, V(4));
   stir(&c, V(5));
   for (unsigned n = 0; n < loops; n++)
      guarded(&c, often[rnd() % 4], rnd() % 4 ? rnd() % 3 : 8 + rnd() % 6);
   for (uint32_t left = does & ~DOES_DEPTH; left; left &= left - 1)
      guarded(&c, left & -left, (left & -left) & (DOES_UNINIT | DOES_WAITCNT) ? 9 + rnd() % 6 :
                                (left & -left) == DOES_FAULT ? 14 : 1 + rnd() % 14);
   guarded(&c, 0, 1);
   for (unsigned n = 0; n < 4; n++) {
      alu(&c, bytes[n], V(COLOR + n), V(HASH), ISA_NONE, 0);
      alu(&c, ISA_V_MUL_F32, V(COLOR + n), ISA_LITERAL, V(COLOR + n), 0x3b808081);
   }
   alu(&c, ISA_S_ANDN2_B64, ISA_EXEC, ISA_EXEC, S_DEAD, 0);
   if (does & DOES_DEPTH)
      send(&c, 8, COLOR, 1, false);
   send(&c, 0, COLOR, 15, true);
   sopp(&c, ISA_S_ENDPGM, 0);
   return (unsigned)(c.at - c.start);
}

unsigned program_fill(uint32_t *code, bool almost)
{
   struct code c = { code, code };
   struct isa_inst i;
   const unsigned kind = almost ? 1 + rnd() % 4 : 0;

   alu(&c, ISA_S_MOV_B32, ISA_M0, USER_SGPRS, ISA_NONE, 0);
   if (rnd() % 2) {
      alu(&c, ISA_S_MOV_B64, S_SAVED, ISA_EXEC, ISA_NONE, 0);
      alu(&c, ISA_S_WQM_B64, ISA_EXEC, ISA_EXEC, ISA_NONE, 0);
   }
   isa_inst_init(&i, ISA_S_LOAD_DWORD);
   i.dst = S_T;
   i.src[0] = S_CONST;
   i.offset = 4 * (rnd() % 256);
   put(&c, &i);
   interp(&c, ISA_V_INTERP_P1_F32, 0);
   interp(&c, ISA_V_INTERP_P2_F32, 1);
   wait(&c);
   alu(&c, ISA_V_CVT_F32_UBYTE0, V(COLOR + 1), S_T, ISA_NONE, 0);
   alu(&c, ISA_V_MUL_F32, V(COLOR + 1), ISA_LITERAL, V(COLOR + 1), 0x3b808081);
   alu(&c, ISA_V_MUL_F32, V(COLOR), ISA_LITERAL, V(5), 0x3b808081);
   alu(&c, ISA_V_MOV_B32, V(COLOR + 2), ISA_LITERAL, ISA_NONE, rnd());
   alu(&c, ISA_V_ADD_F32, V(COLOR + 3), V(COLOR), V(COLOR + 1), 0);
   switch (kind) {
   case 1: alu(&c, ISA_V_MUL_F32, V(COLOR + 2), ISA_LITERAL, V(2), 0x3b000000); break;
   case 2: alu(&c, ISA_V_MOV_B32, V(COLOR + 2), ISA_M0, ISA_NONE, 0); break;
   case 3:
      isa_inst_init(&i, ISA_V_MBCNT_LO_U32_B32);
      i.dst = V(COLOR + 2);
      i.src[0] = ISA_INT(-1);
      i.src[1] = ISA_INT_0;
      put(&c, &i);
      break;
   case 4: alu(&c, ISA_V_MOV_B32, V(COLOR + 2), ISA_EXEC, ISA_NONE, 0); break;
   }
   send(&c, 0, COLOR, 15, true);
   sopp(&c, ISA_S_ENDPGM, 0);
   return (unsigned)(c.at - c.start);
}
