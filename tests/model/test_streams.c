/* SPDX-License-Identifier: MIT */
/* Hand-made streams on the model: what they do, and what bad ones are told. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "amdgfxregs.h"
#include "sid.h"
#include "tgsiamd/model.h"

#include "check.h"

#define BASE 0x100000000ull
#define DATA (BASE + 0x10000)
#define SIZE 0x20000

static struct tgsiamd_model *model;
static struct tgsiamd_model_vm *vm;
static uint32_t *mem;      /* BASE: streams, DATA: data */
static char said[4096];    /* what the last submission wrote on stderr */

static uint32_t *data(void) { return mem + (DATA - BASE) / 4; }

static int run(const uint32_t *stream, unsigned dwords, enum tgsiamd_model_ip ip)
{
   memcpy(mem, stream, 4 * dwords);
   const struct tgsiamd_model_ib ib = { BASE, dwords, 0 };
   char name[] = "/tmp/model-stderr-XXXXXX";
   const int file = mkstemp(name), saved = dup(2);
   unlink(name);
   fflush(stderr);
   dup2(file, 2);
   const int r = tgsiamd_model_submit(model, vm, ip, &ib, 1, NULL, 0);
   fflush(stderr);
   dup2(saved, 2);
   const ssize_t n = pread(file, said, sizeof(said) - 1, 0);
   said[n > 0 ? n : 0] = 0;
   close(file);
   close(saved);
   return r;
}
#define RUN(ip, ...) run((const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, ip)
#define GFX(...) RUN(TGSIAMD_MODEL_GFX, __VA_ARGS__)
#define SAID(text) CHECK(strstr(said, text), "stderr has no '%s': %s", text, said)
#define LO(va) (uint32_t)(va)
#define HI(va) (uint32_t)((va) >> 32)

static void test_vm(void)
{
   CHECK(tgsiamd_model_vm_map(vm, BASE + 0x1000, 0x1000, mem, 7, 2) == -EINVAL, "overlap");
   CHECK(tgsiamd_model_vm_map(vm, 0x1000800, 0x1000, mem, 7, 2) == -EINVAL, "not aligned");
   CHECK(tgsiamd_model_vm_map(vm, 0x1000000, 0, mem, 7, 2) == -EINVAL, "empty");
   CHECK(tgsiamd_model_vm_map(vm, 0x1000000, 0x1000, NULL, 7, 2) == -EINVAL, "no memory");
   /* An address with its sign extended is the same address. */
   CHECK(tgsiamd_model_vm_map(vm, 0xffff800000200000ull, 0x4000, mem, 3, 2) == 0, "high range");
   /* A hole in the middle leaves both ends. */
   CHECK(tgsiamd_model_vm_unmap(vm, 0xffff800000201000ull, 0x1000) == 0, "split");
   CHECK(tgsiamd_model_vm_map(vm, 0xffff800000202000ull, 0x1000, mem, 3, 2) == -EINVAL, "tail is still there");
   CHECK(tgsiamd_model_vm_map(vm, 0xffff800000201000ull, 0x1000, mem, 3, 3) == 0, "hole is free");
   CHECK(tgsiamd_model_vm_unmap(vm, 0xffff800000200000ull, 0x4000) == 0, "all");
}

static void test_data_packets(void)
{
   memset(data(), 0, 256);
   int r = GFX(PKT3(PKT3_WRITE_DATA, 4, 0), S_370_DST_SEL(V_370_MEM), LO(DATA), HI(DATA), 0x11, 0x22,
               PKT3(PKT3_DMA_DATA, 5, 0), 2u << 29, 0xabcdef01, 0, LO(DATA + 16), HI(DATA), 16,
               PKT3(PKT3_DMA_DATA, 5, 0), 0, LO(DATA), HI(DATA), LO(DATA + 64), HI(DATA), 8,
               PKT3(PKT3_COPY_DATA, 4, 0), 5 | 5 << 8, 0x77, 0, LO(DATA + 72), HI(DATA),
               PKT3(PKT3_RELEASE_MEM, 6, 0), V_028A90_BOTTOM_OF_PIPE_TS | EVENT_INDEX(5),
               EOP_DATA_SEL(EOP_DATA_SEL_VALUE_32BIT), LO(DATA + 80), HI(DATA), 0x99, 0, 0,
               PKT2_NOP_PAD, PKT3_NOP_PAD, PKT3(PKT3_NOP, 1, 0), 0xdeadbeef, 0xdeadbeef);
   CHECK(r == 0, "%d: %s", r, said);
   const uint32_t *d = data();
   CHECK(d[0] == 0x11 && d[1] == 0x22, "WRITE_DATA");
   CHECK(d[4] == 0xabcdef01 && d[7] == 0xabcdef01 && d[8] == 0, "DMA_DATA fill");
   CHECK(d[16] == 0x11 && d[17] == 0x22, "DMA_DATA copy");
   CHECK(d[18] == 0x77, "COPY_DATA");
   CHECK(d[20] == 0x99, "RELEASE_MEM");
}

static void test_flow(void)
{
   memset(data(), 0, 256);
   /* a nested buffer at DATA + 0x1000 that chains to one at DATA + 0x2000 */
   uint32_t *n = data() + 0x400, *c = data() + 0x800;
   const uint32_t nested[] = { PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), LO(DATA), HI(DATA), 1,
                               PKT3(PKT3_INDIRECT_BUFFER_CIK, 2, 0), LO(DATA + 0x2000), HI(DATA),
                               5 | S_3F2_CHAIN(1) | S_3F2_VALID(1) };
   const uint32_t chained[] = { PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), LO(DATA + 4), HI(DATA), 2 };
   memcpy(n, nested, sizeof(nested));
   memcpy(c, chained, sizeof(chained));
   int r = GFX(PKT3(PKT3_INDIRECT_BUFFER_CIK, 2, 0), LO(DATA + 0x1000), HI(DATA), 9 | S_3F2_VALID(1),
               PKT3(PKT3_COND_EXEC, 3, 0), LO(DATA + 12), HI(DATA), 0, 5,
               PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), LO(DATA + 8), HI(DATA), 3,
               PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), LO(DATA + 16), HI(DATA), 4);
   CHECK(r == 0, "%d: %s", r, said);
   CHECK(data()[0] == 1 && data()[1] == 2, "nested and chained");
   CHECK(data()[2] == 0 && data()[4] == 4, "COND_EXEC skips one packet");
   /* A buffer that chains to itself never ends. */
   r = GFX(PKT3(PKT3_INDIRECT_BUFFER_CIK, 2, 0), LO(BASE), HI(BASE), 4 | S_3F2_CHAIN(1) | S_3F2_VALID(1));
   CHECK(r == -ETIME, "%d", r);
   SAID("hang");
}

static void test_bad_packets(void)
{
   const uint64_t before = tgsiamd_model_violations(model);
   CHECK(GFX(0xc0ffee00) == -EINVAL, "an opcode that does not exist");
   SAID("unknown packet");
   CHECK(GFX(PKT3_NOP_PAD, PKT3(0xee, 0, 0), 0) == -EINVAL, "another");
   SAID("packet at 0x100000004");
   CHECK(GFX(0x12345678) == -EINVAL, "type 0");
   SAID("packet type 0");
   CHECK(GFX(PKT3(PKT3_WRITE_DATA, 30, 0), 0) == -EINVAL, "beyond the end");
   SAID("WRITE_DATA");
   SAID("beyond the end of its buffer");
   CHECK(GFX(PKT3(PKT3_NUM_INSTANCES, 1, 0), 1, 1) == -EINVAL, "wrong length");
   CHECK(GFX(PKT3(PKT3_EVENT_WRITE, 0, 0), 63) == -EINVAL, "unknown event");
   CHECK(RUN(TGSIAMD_MODEL_COMPUTE, PKT3(PKT3_DRAW_INDEX_AUTO, 1, 0), 3, 2) == -EINVAL, "draw on a compute ring");
   CHECK(RUN(TGSIAMD_MODEL_SDMA, 0x000000ff) == -EINVAL, "SDMA opcode");
   SAID("SDMA");
   CHECK(tgsiamd_model_violations(model) == before + 8, "each counts");
   /* The next submission is not harmed. */
   CHECK(GFX(PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), LO(DATA), HI(DATA), 0x55) == 0, "after");
   CHECK(data()[0] == 0x55, "after");
}

static void test_bad_addresses(void)
{
   CHECK(GFX(PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), 0x1000, 0x77, 1) == -EFAULT, "unmapped");
   SAID("CP writes");
   SAID("0x7700001000");
   CHECK(GFX(PKT3(PKT3_DMA_DATA, 5, 0), 0, LO(DATA), HI(DATA), LO(BASE + SIZE - 16), HI(BASE), 64) == -EFAULT,
         "copy beyond the end");
   CHECK(GFX(PKT3(PKT3_INDIRECT_BUFFER_CIK, 2, 0), 0x2000, 0x55, 4 | S_3F2_VALID(1)) == -EFAULT, "buffer");
   const struct tgsiamd_model_ib ib = { 0x5000000000ull, 16, 0 };
   CHECK(tgsiamd_model_submit(model, vm, TGSIAMD_MODEL_GFX, &ib, 1, NULL, 0) == -EFAULT, "stream");
   /* a read-only mapping */
   CHECK(tgsiamd_model_vm_map(vm, 0x300000000ull, 0x1000, mem, TGSIAMD_MODEL_READ, 9) == 0, "map");
   CHECK(GFX(PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM), 0, 3, 1) == -EFAULT, "read only");
   SAID("does not allow");
   tgsiamd_model_vm_unmap(vm, 0x300000000ull, 0x1000);
}

static void test_bo_list(void)
{
   const uint64_t before = tgsiamd_model_violations(model);
   const uint32_t other[] = { 4711 }, right[] = { 1, 4711 };
   const uint32_t stream[] = { PKT3(PKT3_NOP, 0, 0), 0 };
   memcpy(mem, stream, sizeof(stream));
   const struct tgsiamd_model_ib ib = { BASE, 2, 0 };
   tgsiamd_model_submit(model, vm, TGSIAMD_MODEL_GFX, &ib, 1, right, 2);
   CHECK(tgsiamd_model_violations(model) == before, "buffer 1 is listed");
   tgsiamd_model_submit(model, vm, TGSIAMD_MODEL_GFX, &ib, 1, other, 1);
   CHECK(tgsiamd_model_violations(model) == before + 1, "buffer 1 is not listed");
}

static void test_registers(void)
{
   const uint64_t before = tgsiamd_model_violations(model);
   CHECK(GFX(PKT3(PKT3_SET_CONTEXT_REG, 1, 0), (R_028000_DB_RENDER_CONTROL - SI_CONTEXT_REG_OFFSET) / 4, 0) == 0,
         "known");
   CHECK(tgsiamd_model_violations(model) == before, "known");
   CHECK(GFX(PKT3(PKT3_SET_CONTEXT_REG, 1, 0), 0x3fe, 1) == 0, "unknown");
   SAID("0x28ff8, which is no register");
   CHECK(GFX(PKT3(PKT3_SET_CONTEXT_REG, 1, 0), (R_028238_CB_TARGET_MASK - SI_CONTEXT_REG_OFFSET) / 4 + 0x2000, 1) ==
         -EINVAL, "outside the bank");
   CHECK(GFX(PKT3(PKT3_SET_UCONFIG_REG, 1, 0), (R_030908_VGT_PRIMITIVE_TYPE - CIK_UCONFIG_REG_OFFSET) / 4,
             0xffff0004) == 0, "reserved");
   SAID("VGT_PRIMITIVE_TYPE");
   SAID("reserved bits 0xffff0000");
}

/* Shadows of registers in memory (CONTEXT_CONTROL, LOAD_CONTEXT_REG). */
static void test_shadows(void)
{
   const uint32_t reg = (R_028414_CB_BLEND_RED - SI_CONTEXT_REG_OFFSET) / 4;
   const uint64_t shadow = DATA + 0x1000, read = DATA + 0x800;
   uint32_t *const copy = data() + 0x1000 / 4 + reg, *const out = data() + 0x800 / 4;
#define CONTROL(load, shadows) PKT3(PKT3_CONTEXT_CONTROL, 1, 0), load, shadows
#define LOAD PKT3(PKT3_LOAD_CONTEXT_REG, 3, 0), LO(shadow), HI(shadow), reg, 2
#define SET(value) PKT3(PKT3_SET_CONTEXT_REG, 1, 0), reg, value
#define READ(n) PKT3(PKT3_COPY_DATA, 4, 0), COPY_DATA_SRC_SEL(COPY_DATA_REG) | COPY_DATA_DST_SEL(COPY_DATA_DST_MEM), \
                R_028414_CB_BLEND_RED / 4, 0, LO(read + 4 * (n)), HI(read)
#define CONTEXT CC0_LOAD_PER_CONTEXT_STATE(1)

   copy[0] = 5, copy[1] = 6;
   int r = GFX(CONTROL(CC0_UPDATE_LOAD_ENABLES(1) | CONTEXT, CC1_UPDATE_SHADOW_ENABLES(1) | CONTEXT), LOAD, READ(0),
               SET(7), READ(1));
   CHECK(r == 0 && !said[0], "%d: %s", r, said);
   CHECK(out[0] == 5 && out[1] == 7 && copy[0] == 7 && copy[1] == 6, "loaded %u, set %u, shadow %u %u", out[0], out[1],
         copy[0], copy[1]);
   r = GFX(SET(8), CONTROL(CC0_UPDATE_LOAD_ENABLES(1), CC1_UPDATE_SHADOW_ENABLES(1)), LOAD, READ(0), SET(9), READ(1));
   CHECK(r == 0 && !said[0], "%d: %s", r, said);
   CHECK(out[0] == 8 && out[1] == 9 && copy[0] == 7, "nothing loaded %u, set %u, no shadow %u", out[0], out[1], copy[0]);
#undef CONTEXT
#undef READ
#undef SET
#undef LOAD
#undef CONTROL
}

static void test_waits(void)
{
   data()[0] = 5;
   CHECK(GFX(PKT3(PKT3_WAIT_REG_MEM, 5, 0), WAIT_REG_MEM_EQUAL | WAIT_REG_MEM_MEM_SPACE(1), LO(DATA), HI(DATA), 5,
             0xffffffff, 4) == 0, "met");
   CHECK(GFX(PKT3(PKT3_WAIT_REG_MEM, 5, 0), WAIT_REG_MEM_EQUAL | WAIT_REG_MEM_MEM_SPACE(1), LO(DATA), HI(DATA), 6,
             0xffffffff, 4) == -ETIME, "never");
   SAID("WAIT_REG_MEM never ends");
   SAID("holds 0x5");
}

static void test_sdma(void)
{
   uint32_t *d = data();
   memset(d, 0, 512);
   d[0] = 0x1234;
   d[1] = 0x5678;
   int r = RUN(TGSIAMD_MODEL_SDMA, CIK_SDMA_PACKET(CIK_SDMA_OPCODE_NOP, 0, 2), 0xdead, 0xbeef,
               CIK_SDMA_PACKET(CIK_SDMA_OPCODE_COPY, CIK_SDMA_COPY_SUB_OPCODE_LINEAR, 0), 8 - 1, 0, LO(DATA), HI(DATA),
               LO(DATA + 64), HI(DATA),
               CIK_SDMA_PACKET(CIK_SDMA_PACKET_CONSTANT_FILL, 0, 0x8000), LO(DATA + 128), HI(DATA), 0xabab, 16 - 4,
               CIK_SDMA_PACKET(CIK_SDMA_OPCODE_WRITE, SDMA_WRITE_SUB_OPCODE_LINEAR, 0), LO(DATA + 192), HI(DATA), 1,
               0x77, 0x88, CIK_SDMA_PACKET(CIK_SDMA_PACKET_FENCE, 0, 0), LO(DATA + 256), HI(DATA), 0x99);
   CHECK(r == 0, "%d: %s", r, said);
   CHECK(d[16] == 0x1234 && d[17] == 0x5678 && d[18] == 0, "copy");
   CHECK(d[32] == 0xabab && d[35] == 0xabab && d[36] == 0, "fill");
   CHECK(d[48] == 0x77 && d[49] == 0x88 && d[64] == 0x99, "write and fence");
   CHECK(RUN(TGSIAMD_MODEL_SDMA, CIK_SDMA_PACKET(CIK_SDMA_OPCODE_COPY, 0, 0), 3, 0, LO(DATA), HI(DATA), 0x1000, 9) ==
         -EFAULT, "unmapped destination");
   SAID("SDMA writes");
}

#define SH(reg) ((reg) - SI_SH_REG_OFFSET) / 4

/* A program that branches to itself, and one in memory that is no program. */
static void test_programs(void)
{
   uint32_t *code = data() + 0x1000 / 4;
   code[0] = 0xbf82ffff; /* s_branch -1 */
   code[1] = 0xbf810000; /* s_endpgm */
#define DISPATCH(pc, num)                                                                                    \
   RUN(TGSIAMD_MODEL_COMPUTE, PKT3(PKT3_SET_SH_REG, 3, 0), SH(R_00B81C_COMPUTE_NUM_THREAD_X), num, 1, 1,      \
       PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B830_COMPUTE_PGM_LO), LO((pc) >> 8), HI((pc) >> 8),                \
       PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B848_COMPUTE_PGM_RSRC1), 0, 0,                                     \
       PKT3(PKT3_SET_SH_REG, 1, 0), SH(R_00B854_COMPUTE_RESOURCE_LIMITS), 0,                                  \
       PKT3(PKT3_SET_SH_REG, 1, 0), SH(R_00B858_COMPUTE_STATIC_THREAD_MGMT_SE0), 0xffffffff,                  \
       PKT3(PKT3_DISPATCH_DIRECT, 3, 0), 1, 1, 1, S_00B800_COMPUTE_SHADER_EN(1) | S_00B800_FORCE_START_AT_000(1))
   CHECK(DISPATCH(DATA + 0x1000, 1) == -ETIME, "an endless program");
   SAID("hang");
   SAID("s_branch");
   code[0] = 0xbf810000;
   CHECK(DISPATCH(DATA + 0x1000, 1) == 0, "an empty one: %s", said);
   CHECK(said[0] == 0, "is clean: %s", said);
   code[0] = 0xffffffff;
   CHECK(DISPATCH(DATA + 0x1000, 1) == -EINVAL, "no instruction");
   SAID("instruction");
   CHECK(DISPATCH(0x900000000000ull & 0xffffffffff00ull, 1) == -EFAULT, "unmapped code");
   SAID("unmapped memory");
}

static void test_missing_state(void)
{
   const uint64_t before = tgsiamd_model_violations(model);
   CHECK(GFX(PKT3(PKT3_DISPATCH_DIRECT, 3, 0), 0, 1, 1, S_00B800_COMPUTE_SHADER_EN(1)) == 0, "nothing to do");
   SAID("dispatch, but the submission never set COMPUTE_PGM_LO");
   CHECK(GFX(PKT3(PKT3_DRAW_INDEX_AUTO, 1, 0), 0, 2) == 0, "nothing to draw");
   SAID("draw, but the submission never set");
   CHECK(tgsiamd_model_violations(model) > before + 20, "one each");
}

int main(void)
{
   model = tgsiamd_model_create(tgsiamd_chip_by_name("raven"), "hang-ms=20");
   if (!model)
      return 1;
   vm = tgsiamd_model_vm_create(model);
   mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(tgsiamd_model_vm_map(vm, BASE, SIZE, mem, 7, 1) == 0, "map");
   CHECK(!tgsiamd_model_create(tgsiamd_chip_by_name("raven"), "no-such-option"), "unknown option");
   test_vm();
   test_data_packets();
   test_flow();
   test_bad_packets();
   test_bad_addresses();
   test_bo_list();
   test_registers();
   test_shadows();
   test_waits();
   test_sdma();
   test_programs();
   test_missing_state();
   tgsiamd_model_vm_destroy(vm);
   tgsiamd_model_destroy(model);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
