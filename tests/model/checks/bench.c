/* SPDX-License-Identifier: MIT */
/* See bench.h. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../check.h"

static char said[65536];   /* what the submission wrote on stderr */

/* ---- streams ---- */

void emit(struct bench *b, const uint32_t *dwords, unsigned num)
{
   memcpy(b->mem + b->dwords, dwords, 4 * num);
   b->dwords += num;
}

uint64_t program(struct bench *b, const uint32_t *code, unsigned dwords)
{
   const uint64_t va = CODE + 1024 * b->programs++;
   uint32_t *p = b->mem + (va - BASE) / 4;
   memcpy(p, code, 4 * dwords);
   p[dwords] = 0xbf810000; /* s_endpgm */
   return va;
}

void dispatch(struct bench *b, uint64_t pc, unsigned threads, unsigned lds)
{
   EMIT(b, PKT3(PKT3_SET_SH_REG, 3, 0), SH(R_00B81C_COMPUTE_NUM_THREAD_X), threads, 1, 1,
        PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B830_COMPUTE_PGM_LO), LO(pc >> 8), HI(pc >> 8),
        PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B848_COMPUTE_PGM_RSRC1),
        S_00B848_VGPRS(1) | S_00B848_SGPRS(1) | S_00B848_FLOAT_MODE(0xc0) | S_00B848_DX10_CLAMP(1),
        S_00B84C_USER_SGPR(8) | S_00B84C_LDS_SIZE(lds) | S_00B84C_SCRATCH_EN(b->scratch),
        PKT3(PKT3_SET_SH_REG, 8, 0), SH(R_00B900_COMPUTE_USER_DATA_0), LO(DATA), HI(DATA), 4096, 0x00024fac, LO(DATA),
        HI(DATA), LO(TARGET), HI(TARGET));
   SET_SH(b, R_00B854_COMPUTE_RESOURCE_LIMITS, 0);
   SET_SH(b, R_00B858_COMPUTE_STATIC_THREAD_MGMT_SE0, 0xffffffff);
   EMIT(b, PKT3(PKT3_DISPATCH_DIRECT, 3, 0), 1, 1, 1,
        S_00B800_COMPUTE_SHADER_EN(1) | S_00B800_FORCE_START_AT_000(1));
}

uint32_t *image(struct bench *b)
{
   const uint32_t t[8] = { LO(TARGET >> 8), HI(TARGET >> 8) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32) |
                           S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_UINT),
                           S_008F18_WIDTH(63) | S_008F18_HEIGHT(63),
                           S_008F1C_DST_SEL_X(V_008F1C_SQ_SEL_X) | S_008F1C_TYPE(V_008F1C_SQ_RSRC_IMG_2D),
                           S_008F20_PITCH(63) };
   uint32_t *at = b->mem + (DATA - BASE + 256) / 4;
   memcpy(at, t, sizeof(t));
   return at;
}

void event(struct bench *b, unsigned type, unsigned index)
{
   EMIT(b, PKT3(PKT3_EVENT_WRITE, 0, 0), EVENT_TYPE(type) | EVENT_INDEX(index));
}

void acquire(struct bench *b, uint32_t coher_cntl)
{
   EMIT(b, PKT3(PKT3_ACQUIRE_MEM, 5, 0), coher_cntl, 0xffffffff, 0xffffff, 0, 0, 10);
}

void wait_and_invalidate(struct bench *b)
{
   event(b, V_028A90_PS_PARTIAL_FLUSH, 4);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, S_0301F0_TCL1_ACTION_ENA(1) | S_0301F0_SH_KCACHE_ACTION_ENA(1) | S_0301F0_SH_ICACHE_ACTION_ENA(1));
   EMIT(b, PKT3(PKT3_PFP_SYNC_ME, 0, 0), 0);
}

void release_and_wait(struct bench *b, uint32_t event_and_actions, bool wait)
{
   static uint32_t number;
   const uint64_t fence = DATA + 0xff00;
   EMIT(b, PKT3(PKT3_RELEASE_MEM, 6, 0), event_and_actions | EVENT_INDEX(5),
        EOP_DATA_SEL(EOP_DATA_SEL_VALUE_32BIT), LO(fence), HI(fence), ++number, 0, 0);
   if (wait)
      EMIT(b, PKT3(PKT3_WAIT_REG_MEM, 5, 0), WAIT_REG_MEM_EQUAL | WAIT_REG_MEM_MEM_SPACE(1), LO(fence), HI(fence),
           number, 0xffffffff, 4);
}

/* ---- draws ---- */

/* One triangle over everything: x and y from the bits of the vertex number. */
static const uint32_t vs[] = {
   0x26020081, /* v_and_b32 v1, 1, v0 */
   0x24020282, /* v_lshlrev_b32 v1, 2, v1 */
   0x680202c1, /* v_add_u32 v1, -1, v1 */
   0x7e020b01, /* v_cvt_f32_i32 v1, v1 */
   0x26040082, /* v_and_b32 v2, 2, v0 */
   0x24040481, /* v_lshlrev_b32 v2, 1, v2 */
   0x680404c1, /* v_add_u32 v2, -1, v2 */
   0x7e040b02, /* v_cvt_f32_i32 v2, v2 */
   0x7e0602f0, /* v_mov_b32 v3, 0.5 */
   0x7e0802f2, /* v_mov_b32 v4, 1.0 */
   0xc40008cf, 0x04030201, /* exp pos0 v1, v2, v3, v4 done */
   0xc400020f, 0x04030201, /* exp param0 v1, v2, v3, v4 */
};
static const uint32_t ps[] = {
   0xbefc0000, /* s_mov_b32 m0, s0 */
   0xbf800000, /* s_nop 0 */
   0xd4080000, /* v_interp_p1_f32 v2, v0, attr0.x */
   0xd4090001, /* v_interp_p2_f32 v2, v1, attr0.x */
   0xc400180f, 0x02020202, /* exp mrt0 v2, v2, v2, v2 done vm */
};

void shader_vs(struct bench *b, uint64_t pc)
{
   EMIT(b, PKT3(PKT3_SET_SH_REG, 4, 0), SH(R_00B120_SPI_SHADER_PGM_LO_VS), LO(pc >> 8), HI(pc >> 8),
        S_00B128_VGPRS(1) | S_00B128_SGPRS(1) | S_00B128_FLOAT_MODE(0xc0) | S_00B128_DX10_CLAMP(1), 0);
}

void shader_ps(struct bench *b, uint64_t pc)
{
   EMIT(b, PKT3(PKT3_SET_SH_REG, 4, 0), SH(R_00B020_SPI_SHADER_PGM_LO_PS), LO(pc >> 8), HI(pc >> 8),
        S_00B028_VGPRS(1) | S_00B028_SGPRS(1) | S_00B028_FLOAT_MODE(0xc0) | S_00B028_DX10_CLAMP(1), 0);
}

static void viewport(struct bench *b)
{
   const float v[6] = { 32, 32, 32, 32, 0.5f, 0.5f };
   uint32_t bits[6];
   memcpy(bits, v, sizeof(v));
   EMIT(b, PKT3(PKT3_SET_CONTEXT_REG, 6, 0), CTX(R_02843C_PA_CL_VPORT_XSCALE), bits[0], bits[1], bits[2], bits[3],
        bits[4], bits[5]);
   SET_CTX(b, R_028818_PA_CL_VTE_CNTL,
           S_028818_VPORT_X_SCALE_ENA(1) | S_028818_VPORT_X_OFFSET_ENA(1) | S_028818_VPORT_Y_SCALE_ENA(1) |
              S_028818_VPORT_Y_OFFSET_ENA(1) | S_028818_VPORT_Z_SCALE_ENA(1) | S_028818_VPORT_Z_OFFSET_ENA(1) |
              S_028818_VTX_W0_FMT(1));
}

void draw_state(struct bench *b)
{
   EMIT(b, PKT3(PKT3_CONTEXT_CONTROL, 1, 0), 0x80000000, 0x80000000, PKT3(PKT3_CLEAR_STATE, 0, 0), 0);
   shader_vs(b, program(b, vs, sizeof(vs) / 4));
   shader_ps(b, program(b, ps, sizeof(ps) / 4));
   viewport(b);
   SET_CTX(b, R_028240_PA_SC_GENERIC_SCISSOR_TL, S_028240_WINDOW_OFFSET_DISABLE(1));
   SET_CTX(b, R_028244_PA_SC_GENERIC_SCISSOR_BR, S_028244_BR_X(64) | S_028244_BR_Y(64));
   SET_CTX(b, R_028250_PA_SC_VPORT_SCISSOR_0_TL, S_028250_WINDOW_OFFSET_DISABLE(1));
   SET_CTX(b, R_028254_PA_SC_VPORT_SCISSOR_0_BR, S_028254_BR_X(64) | S_028254_BR_Y(64));
   SET_CTX(b, R_0286C4_SPI_VS_OUT_CONFIG, S_0286C4_VS_EXPORT_COUNT(0));
   SET_CTX(b, R_0286CC_SPI_PS_INPUT_ENA, S_0286CC_PERSP_CENTER_ENA(1));
   SET_CTX(b, R_0286D0_SPI_PS_INPUT_ADDR, S_0286D0_PERSP_CENTER_ENA(1));
   SET_CTX(b, R_0286D8_SPI_PS_IN_CONTROL, S_0286D8_NUM_INTERP(1));
   SET_CTX(b, R_028644_SPI_PS_INPUT_CNTL_0, S_028644_OFFSET(0));
   SET_CTX(b, R_02870C_SPI_SHADER_POS_FORMAT, S_02870C_POS0_EXPORT_FORMAT(V_02870C_SPI_SHADER_4COMP));
   SET_CTX(b, R_028714_SPI_SHADER_COL_FORMAT, S_028714_COL0_EXPORT_FORMAT(V_028714_SPI_SHADER_32_ABGR));
   SET_CTX(b, R_028238_CB_TARGET_MASK, 0xf);
   SET_CTX(b, R_02823C_CB_SHADER_MASK, 0xf);
   SET_CTX(b, R_028808_CB_COLOR_CONTROL, S_028808_MODE(V_028808_CB_NORMAL) | S_028808_ROP3(0xcc));
   SET_CTX(b, R_028C60_CB_COLOR0_BASE, LO(TARGET >> 8));
   SET_CTX(b, R_028C64_CB_COLOR0_BASE_EXT, HI(TARGET >> 8));
   SET_CTX(b, R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(63) | S_028C68_MIP0_HEIGHT(63));
   SET_CTX(b, R_028C6C_CB_COLOR0_VIEW, 0);
   SET_CTX(b, R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(V_028C70_COLOR_8_8_8_8));
   SET_CTX(b, R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1));
   SET_CTX(b, R_0287A0_CB_MRT0_EPITCH, S_0287A0_EPITCH(63));
   SET_UC(b, R_030920_VGT_MAX_VTX_INDX, ~0u);
   SET_UC(b, R_030924_VGT_MIN_VTX_INDX, 0);
   SET_UC(b, R_030928_VGT_INDX_OFFSET, 0);
   SET_UC(b, R_030908_VGT_PRIMITIVE_TYPE, V_008958_DI_PT_TRILIST);
   SET_UC(b, R_030960_IA_MULTI_VGT_PARAM, S_030960_PRIMGROUP_SIZE(127));
   EMIT(b, PKT3(PKT3_NUM_INSTANCES, 0, 0), 1);
}

void draw(struct bench *b)
{
   EMIT(b, PKT3(PKT3_DRAW_INDEX_AUTO, 1, 0), 3, V_0287F0_DI_SRC_SEL_AUTO_INDEX);
}

/* ---- running ---- */

static int submit(struct bench *b, enum tgsiamd_model_ip ip)
{
   const struct tgsiamd_model_ib ib = { BASE, b->dwords, 0 };
   char name[] = "/tmp/model-checks-XXXXXX";
   const int file = mkstemp(name), saved = dup(2);
   unlink(name);
   fflush(stderr);
   dup2(file, 2);
   const int r = tgsiamd_model_submit(b->model, b->vm, ip, &ib, 1, b->bos, b->num_bos);
   fflush(stderr);
   dup2(saved, 2);
   const ssize_t n = pread(file, said, sizeof(said) - 1, 0);
   said[n > 0 ? n : 0] = 0;
   close(file);
   close(saved);
   return r;
}

static int run(const struct plant *p, bool bad, const char *options, uint64_t *violations)
{
   struct bench b = { 0 };
   b.model = tgsiamd_model_create(tgsiamd_chip_by_name("raven"), options);
   b.vm = tgsiamd_model_vm_create(b.model);
   b.mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(tgsiamd_model_vm_map(b.vm, BASE, SIZE, b.mem, 7, 1) == 0, "%s: map", p->name);
   p->build(&b, bad);
   const int r = submit(&b, p->ip);
   *violations = tgsiamd_model_violations(b.model);
   tgsiamd_model_vm_destroy(b.vm);
   tgsiamd_model_destroy(b.model);
   munmap(b.mem, SIZE);
   return r;
}

/* Every line is of this check. */
static bool only(const char *check)
{
   char head[64];
   snprintf(head, sizeof(head), "tgsiamd-model: %s: ", check);
   for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
      if (strncmp(line, head, strlen(head)) && strncmp(line, "tgsiamd-model:   ", 17))
         return false;
      if (!strchr(line, '\n'))
         return false;
   }
   return true;
}

/* What programs do wrong is said with program and instruction. */
static bool is_of_program(const char *check)
{
   static const char *const names[] = { "waitcnt", "hazard", "uninit", "exec", "range", "descriptor" };
   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      if (!strcmp(check, names[i]))
         return true;
   }
   return false;
}

/* The same mistake twice is one line, and a count at the end. */
static void check_once(const struct plant *p)
{
   struct bench b = { 0 };
   char *text = NULL;
   size_t size;
   b.model = tgsiamd_model_create(tgsiamd_chip_by_name("raven"), "");
   b.vm = tgsiamd_model_vm_create(b.model);
   b.mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   tgsiamd_model_vm_map(b.vm, BASE, SIZE, b.mem, 7, 1);
   p->build(&b, true);
   submit(&b, p->ip);
   const uint64_t first = tgsiamd_model_violations(b.model);
   submit(&b, p->ip);
   CHECK(tgsiamd_model_violations(b.model) == 2 * first, "%s: counted", p->name);
   CHECK(!said[0], "%s: said twice: %s", p->name, said);
   FILE *f = open_memstream(&text, &size);
   tgsiamd_model_report(b.model, f);
   fclose(f);
   char count[64];
   snprintf(count, sizeof(count), "    %s %llu\n", p->check, (unsigned long long)(2 * first));
   CHECK(strstr(text, count), "%s: no '%s' in the report: %s", p->name, count, text);
   free(text);
   tgsiamd_model_vm_destroy(b.vm);
   tgsiamd_model_destroy(b.model);
   munmap(b.mem, SIZE);
}

int run_plants(const struct plant *plants, unsigned num)
{
   char off[64], options[96];
   uint64_t violations;
   for (const struct plant *p = plants; p < plants + num; p++) {
      CHECK(run(p, false, "hang-ms=20", &violations) == 0 && violations == 0, "%s, done right: %s", p->name, said);
      const int r = run(p, true, "hang-ms=20", &violations);
      CHECK(r == p->result, "%s: result %d, expected %d", p->name, r, p->result);
      CHECK(violations > 0, "%s: not reported", p->name);
      CHECK(only(p->check), "%s: reported by another check than %s: %s", p->name, p->check, said);
      CHECK(strstr(said, p->text), "%s: no '%s' in: %s", p->name, p->text, said);
      CHECK(strstr(said, "[submission 1, "), "%s: no place in: %s", p->name, said);
      if (is_of_program(p->check) && !p->fixed_function)
         CHECK(strstr(said, ", shader ") && strstr(said, "+0x"), "%s: no program in: %s", p->name, said);
      snprintf(off, sizeof(off), "no-check=%s", p->check);
      snprintf(options, sizeof(options), "hang-ms=20,%s", off);
      run(p, true, options, &violations);
      CHECK(violations == 0 && !said[0], "%s with %s: %s", p->name, off, said);
   }
   for (unsigned i = 0; i < num; i++) {
      if (!plants[i].result)
         check_once(&plants[i]);
   }
   printf("%u plants, %u checks, %u failures\n", num, checks, failures);
   return failures != 0;
}
