/* SPDX-License-Identifier: MIT */
/* Planted mistakes: each plant is a stream that can be built right and wrong.
 * Right, it must be clean; wrong, it must be reported by its check and by no
 * other, with the place; wrong with that check off, it must be silent. */
#ifndef MODEL_CHECKS_BENCH_H
#define MODEL_CHECKS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "amdgfxregs.h"
#include "sid.h"
#include "tgsiamd/model.h"

#define BASE 0x100000000ull    /* the stream */
#define CODE (BASE + 0x8000)   /* programs, 1 KB each */
#define DATA (BASE + 0x10000)  /* 64 KB for whatever the plant wants */
#define TARGET (BASE + 0x20000) /* 64 KB: a surface */
#define SIZE 0x40000
#define UNMAPPED 0x700000000ull

struct bench {
   struct tgsiamd_model *model;
   struct tgsiamd_model_vm *vm;
   uint32_t *mem;              /* at BASE */
   unsigned dwords;            /* of the stream so far */
   unsigned programs;
   bool scratch;               /* dispatches have it: s8 is the wave's offset */
   const uint32_t *bos;        /* buffer list; NULL: no check */
   unsigned num_bos;
};

struct plant {
   const char *name;           /* of the mistake */
   const char *check;          /* no-check=... */
   const char *text;           /* part of the report */
   void (*build)(struct bench *b, bool bad);
   int result;                 /* of the wrong one: 0 or -errno */
   enum tgsiamd_model_ip ip;
   bool fixed_function;        /* no program makes the mistake */
};

/* Runs all; returns main's exit code. */
int run_plants(const struct plant *plants, unsigned num);

void emit(struct bench *b, const uint32_t *dwords, unsigned num);
#define EMIT(b, ...) emit(b, (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4)
#define LO(va) (uint32_t)(va)
#define HI(va) (uint32_t)((va) >> 32)
#define SH(reg) ((reg) - SI_SH_REG_OFFSET) / 4
#define CTX(reg) ((reg) - SI_CONTEXT_REG_OFFSET) / 4
#define UC(reg) ((reg) - CIK_UCONFIG_REG_OFFSET) / 4
#define SET_SH(b, reg, value) EMIT(b, PKT3(PKT3_SET_SH_REG, 1, 0), SH(reg), value)
#define SET_CTX(b, reg, value) EMIT(b, PKT3(PKT3_SET_CONTEXT_REG, 1, 0), CTX(reg), value)
#define SET_UC(b, reg, value) EMIT(b, PKT3(PKT3_SET_UCONFIG_REG, 1, 0), UC(reg), value)

/* Copies a program into memory; returns its address. s_endpgm is added. */
uint64_t program(struct bench *b, const uint32_t *code, unsigned dwords);
#define PROGRAM(b, ...) program(b, (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4)

/* One group of `threads`: s[0:3] is a V# of DATA (4 KB), s[4:5] the address of
 * DATA, s[6:7] that of TARGET; 16 SGPRs, 8 VGPRs, `lds` units of 512 bytes. */
void dispatch(struct bench *b, uint64_t pc, unsigned threads, unsigned lds);
/* A dispatch of a program that is written here. */
#define DISPATCH(b, ...) dispatch(b, PROGRAM(b, __VA_ARGS__), 64, 0)

/* Puts a T# of TARGET, 64x64 words, to DATA + 256 and gives it. */
uint32_t *image(struct bench *b);

/* All state of a draw that paints TARGET (RGBA8, 64x64, linear): a vertex shader
 * that makes one triangle over the whole target, a pixel shader that paints it. */
void draw_state(struct bench *b);
void draw(struct bench *b);
/* Other programs for it: 16 SGPRs (s0 of pixels: PRIM_MASK), 8 VGPRs. */
void shader_vs(struct bench *b, uint64_t pc);
void shader_ps(struct bench *b, uint64_t pc);

/* Wait for all shaders, and invalidate what they may hold. */
void wait_and_invalidate(struct bench *b);
void acquire(struct bench *b, uint32_t coher_cntl);
void event(struct bench *b, unsigned type, unsigned index);
/* End-of-pipe event with a fence at DATA + 0xff00 and a wait for it. */
void release_and_wait(struct bench *b, uint32_t event_and_actions, bool wait);

#endif
