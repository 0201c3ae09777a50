/* SPDX-License-Identifier: MIT */
/* State of draws and dispatches that contradicts itself, its shaders or its
 * memory, or that nobody set; packets, registers and addresses that are wrong. */
#include "bench.h"

#include <string.h>

/* What most plants below need: the state, one change, a draw. */
#define DRAW_WITH(b, change) \
   do {                      \
      draw_state(b);         \
      change;                \
      draw(b);               \
   } while (0)

#define PAINT 0x7e0402f2 /* v_mov_b32 v2, 1.0 */

/* ---- state that is missing ---- */

static void no_state(struct bench *b, bool bad)
{
   if (!bad)
      draw_state(b);
   EMIT(b, PKT3(PKT3_NUM_INSTANCES, 0, 0), 1);
   EMIT(b, PKT3(PKT3_DRAW_INDEX_AUTO, 1, 0), 0, V_0287F0_DI_SRC_SEL_AUTO_INDEX);
}

static void no_program(struct bench *b, bool bad)
{
   if (bad)
      EMIT(b, PKT3(PKT3_DISPATCH_DIRECT, 3, 0), 0, 1, 1, S_00B800_COMPUTE_SHADER_EN(1));
   else
      DISPATCH(b, 0xbf800000);
}

static void user_sgpr_not_written(struct bench *b, bool bad)
{
   draw_state(b);
   /* s0 comes from SPI_SHADER_USER_DATA_PS_0 then, and s1 is PRIM_MASK */
   shader_ps(b, PROGRAM(b, 0xbefc0001 /* s_mov_b32 m0, s1 */, 0x7e040200 /* v_mov_b32 v2, s0 */,
                        0xc400180f, 0x02020202 /* exp mrt0 v2, v2, v2, v2 done vm */));
   SET_SH(b, R_00B02C_SPI_SHADER_PGM_RSRC2_PS, S_00B02C_USER_SGPR(1));
   if (!bad)
      SET_SH(b, R_00B030_SPI_SHADER_USER_DATA_PS_0, 0x3f800000);
   draw(b);
}

/* Patches of one point: a program for LS-HS whose s[8:11] is a V# of DATA, one
 * after the tessellator, whose s[0:3] is the same. Factors lie at DATA + 0x1000. */
static void draw_patches(struct bench *b, uint64_t hs, uint64_t tes)
{
   static const float levels[2] = { 64, 0 }; /* most, least */
   uint32_t bits[2];
   const uint32_t v[4] = { LO(DATA), HI(DATA), 0x2000, S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) |
                           S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32) };

   memcpy(bits, levels, sizeof(bits));
   draw_state(b);
   shader_vs(b, tes);
   SET_SH(b, R_00B12C_SPI_SHADER_PGM_RSRC2_VS, S_00B12C_USER_SGPR(4));
   SET_SH(b, R_00B128_SPI_SHADER_PGM_RSRC1_VS, S_00B128_VGPRS(1) | S_00B128_SGPRS(1) | S_00B128_FLOAT_MODE(0xc0) |
          S_00B128_DX10_CLAMP(1) | S_00B128_VGPR_COMP_CNT(3));
   EMIT(b, PKT3(PKT3_SET_SH_REG, 4, 0), SH(R_00B130_SPI_SHADER_USER_DATA_VS_0), v[0], v[1], v[2], v[3]);
   EMIT(b, PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B410_SPI_SHADER_PGM_LO_LS), LO(hs >> 8), HI(hs >> 8));
   EMIT(b, PKT3(PKT3_SET_SH_REG, 2, 0), SH(R_00B428_SPI_SHADER_PGM_RSRC1_HS),
        S_00B428_VGPRS(1) | S_00B428_SGPRS(1) | S_00B428_FLOAT_MODE(0xc0) | S_00B428_DX10_CLAMP(1),
        S_00B42C_USER_SGPR(4));
   EMIT(b, PKT3(PKT3_SET_SH_REG, 4, 0), SH(R_00B430_SPI_SHADER_USER_DATA_LS_0), v[0], v[1], v[2], v[3]);
   SET_CTX(b, R_028B54_VGT_SHADER_STAGES_EN, S_028B54_LS_EN(V_028B54_LS_STAGE_ON) | S_028B54_HS_EN(1) |
           S_028B54_VS_EN(V_028B54_VS_STAGE_DS));
   SET_CTX(b, R_028B58_VGT_LS_HS_CONFIG, S_028B58_NUM_PATCHES(1) | S_028B58_HS_NUM_INPUT_CP(1) |
           S_028B58_HS_NUM_OUTPUT_CP(1));
   SET_CTX(b, R_028B6C_VGT_TF_PARAM, S_028B6C_TYPE(V_028B6C_TESS_TRIANGLE) |
           S_028B6C_TOPOLOGY(V_028B6C_OUTPUT_TRIANGLE_CW));
   EMIT(b, PKT3(PKT3_SET_CONTEXT_REG, 2, 0), CTX(R_028A18_VGT_HOS_MAX_TESS_LEVEL), bits[0], bits[1]);
   SET_UC(b, R_030938_VGT_TF_RING_SIZE, 0x400);
   EMIT(b, PKT3(PKT3_SET_UCONFIG_REG, 2, 0), UC(R_030940_VGT_TF_MEMORY_BASE), LO((DATA + 0x1000) >> 8),
        HI((DATA + 0x1000) >> 8));
   SET_UC(b, R_030908_VGT_PRIMITIVE_TYPE, V_008958_DI_PT_PATCH);
   draw(b);
}

/* v3 of the LS-HS program is undefined: it goes to DATA, from where the next program
 * loads and perhaps exports it. The factors are in v[4:7] or, with a bad one, v[3:6]. */
static void patches(struct bench *b, bool bad_factor, bool export)
{
   const uint64_t hs = PROGRAM(b, 0xbefe0181 /* s_mov_b64 exec, 1 */, 0xb00c1000 /* s_movk_i32 s12, 0x1000 */,
                               0x7e0802f2 /* v_mov_b32 v4, 1.0 */, 0x7e0a02f2 /* v_mov_b32 v5, 1.0 */,
                               0x7e0c02f2 /* v_mov_b32 v6, 1.0 */, 0x7e0e02f2 /* v_mov_b32 v7, 1.0 */,
                               0xe07c4000, bad_factor ? 0x0c020300 /* buffer_store_dwordx4 v[3:6], off, s[8:11], s12 glc */
                                                      : 0x0c020400 /* the same with v[4:7] */,
                               0xe0704000, 0x80020300 /* buffer_store_dword v3, off, s[8:11], 0 glc */,
                               0xbf8c0f70 /* s_waitcnt vmcnt(0) */);
   const uint64_t tes = PROGRAM(b, 0xe0504000, 0x80000400 /* buffer_load_dword v4, off, s[0:3], 0 glc */,
                                0x7e040280 /* v_mov_b32 v2, 0 */, 0x7e0602f2 /* v_mov_b32 v3, 1.0 */,
                                0xbf8c0f70 /* s_waitcnt vmcnt(0) */,
                                export ? 0x7e0a0304 /* v_mov_b32 v5, v4 */ : 0x7e0a02f2 /* v_mov_b32 v5, 1.0 */,
                                0xc40008cf, 0x03020100 /* exp pos0 v0, v1, v2, v3 done */,
                                0xc400020f, 0x05050505 /* exp param0 v5, v5, v5, v5 */);
   draw_patches(b, hs, tes);
}

static void output_not_written(struct bench *b, bool bad) { patches(b, false, bad); }
static void factor_not_written(struct bench *b, bool bad) { patches(b, bad, false); }

static void no_scratch_size(struct bench *b, bool bad)
{
   b->scratch = true;
   if (!bad)
      SET_SH(b, R_00B860_COMPUTE_TMPRING_SIZE, S_00B860_WAVES(1) | S_00B860_WAVESIZE(1));
   DISPATCH(b, 0xbf800000 /* s_nop 0 */);
}

static void no_index_type(struct bench *b, bool bad)
{
   draw_state(b);
   if (!bad)
      SET_UC(b, R_03090C_VGT_INDEX_TYPE, V_028A7C_VGT_INDEX_32);
   EMIT(b, PKT3(PKT3_DRAW_INDEX_2, 4, 0), 3, LO(DATA), HI(DATA), 3, V_0287F0_DI_SRC_SEL_DMA);
}

/* ---- pixel exports ---- */

static void export_no_format(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_ps(b, bad ? PROGRAM(b, PAINT, 0xc400001f, 0x02020202 /* exp mrt1 v2, v2, v2, v2 */,
                                           0xc400180f, 0x02020202 /* exp mrt0 v2, v2, v2, v2 done vm */)
                                 : PROGRAM(b, PAINT, 0xc400180f, 0x02020202)));
}

static void format_no_export(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_028714_SPI_SHADER_COL_FORMAT, bad ? 0x99 : 0x9));
}

static void mask_no_format(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_02823C_CB_SHADER_MASK, bad ? 0xff : 0xf));
}

static void too_many_components(struct bench *b, bool bad)
{
   draw_state(b);
   SET_CTX(b, R_028714_SPI_SHADER_COL_FORMAT, V_028714_SPI_SHADER_32_GR);
   shader_ps(b, PROGRAM(b, PAINT, bad ? 0xc400180f : 0xc4001803, 0x02020202 /* exp mrt0 ... done vm */));
   draw(b);
}

static void mrtz_no_format(struct bench *b, bool bad)
{
   draw_state(b);
   SET_CTX(b, R_028710_SPI_SHADER_Z_FORMAT, bad ? 0 : V_028710_SPI_SHADER_32_R);
   shader_ps(b, PROGRAM(b, PAINT, 0xc4000081, 0x00000002 /* exp mrtz v2, off, off, off */,
                        0xc400180f, 0x02020202 /* exp mrt0 v2, v2, v2, v2 done vm */));
   draw(b);
}

static void no_last_export(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_ps(b, PROGRAM(b, PAINT, bad ? 0xc400000f : 0xc400180f, 0x02020202 /* exp mrt0 (done vm) */)));
}

/* ---- inputs ---- */

static void input_beyond(struct bench *b, bool bad)
{
   draw_state(b);
   shader_ps(b, PROGRAM(b, 0xbefc0000 /* s_mov_b32 m0, s0 */, 0xbf800000 /* s_nop 0 */,
                        bad ? 0xd4080400 : 0xd4080000 /* v_interp_p1_f32 v2, v0, attr1.x or attr0.x */,
                        0xd4090001 | (bad ? 0x400 : 0) /* v_interp_p2_f32 */,
                        0xc400180f, 0x02020202 /* exp mrt0 v2, v2, v2, v2 done vm */));
   draw(b);
}

static void parameter_beyond(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_028644_SPI_PS_INPUT_CNTL_0, S_028644_OFFSET(bad ? 1 : 0)));
}

static void ena_without_addr(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_0286CC_SPI_PS_INPUT_ENA,
                        S_0286CC_PERSP_CENTER_ENA(1) | S_0286CC_POS_X_FLOAT_ENA(bad)));
}

/* ---- vertex exports ---- */

#define VS_BODY                                                                                                  \
   0x26020081, 0x24020282, 0x680202c1, 0x7e020b01, 0x26040082, 0x24040481, 0x680404c1, 0x7e040b02, 0x7e0602f0, \
      0x7e0802f2 /* as draw_state()'s */
#define EXP_POS0   0xc40008cf, 0x04030201 /* exp pos0 v1, v2, v3, v4 done */
#define EXP_PARAM0 0xc400020f, 0x04030201 /* exp param0 v1, v2, v3, v4 */

static void too_many_parameters(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_vs(b, bad ? PROGRAM(b, VS_BODY, EXP_POS0, EXP_PARAM0, 0xc400021f, 0x04030201 /* exp param1 */)
                                 : PROGRAM(b, VS_BODY, EXP_POS0, EXP_PARAM0)));
}

static void parameter_missing(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_vs(b, bad ? PROGRAM(b, VS_BODY, EXP_POS0) : PROGRAM(b, VS_BODY, EXP_POS0, EXP_PARAM0)));
}

static void position_no_format(struct bench *b, bool bad)
{
   draw_state(b);
   SET_CTX(b, R_02870C_SPI_SHADER_POS_FORMAT, bad ? 0x4 : 0x44);
   shader_vs(b, PROGRAM(b, VS_BODY, 0xc40000cf, 0x04030201 /* exp pos0 */, 0xc40008df, 0x04030201 /* exp pos1 done */,
                        EXP_PARAM0));
   draw(b);
}

static void clip_without_export(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_VS_OUT_CCDIST0_VEC_ENA(bad)));
}

static void no_done(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_vs(b, PROGRAM(b, VS_BODY, bad ? 0xc40000cf : 0xc40008cf, 0x04030201 /* exp pos0 (done) */,
                                     EXP_PARAM0)));
}

static void no_position(struct bench *b, bool bad)
{
   DRAW_WITH(b, shader_vs(b, bad ? PROGRAM(b, VS_BODY, EXP_PARAM0) : PROGRAM(b, VS_BODY, EXP_POS0, EXP_PARAM0)));
}

/* ---- surfaces ---- */

static void target_beyond_buffer(struct bench *b, bool bad)
{
   draw_state(b);
   SET_CTX(b, R_028C60_CB_COLOR0_BASE, LO((bad ? BASE + SIZE - 0x2000 : TARGET) >> 8));
   SET_CTX(b, R_028244_PA_SC_GENERIC_SCISSOR_BR, S_028244_BR_X(64) | S_028244_BR_Y(16)); /* what is there */
   draw(b);
}

static void outside_target(struct bench *b, bool bad)
{
   draw_state(b);
   SET_CTX(b, R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(63) | S_028C68_MIP0_HEIGHT(bad ? 31 : 63));
   draw(b);
}

/* A depth buffer behind the colours: 64x64 floats, linear as they are. */
static void depth_state(struct bench *b, unsigned height)
{
   const uint64_t z = TARGET + 0x8000;
   draw_state(b);
   SET_CTX(b, R_028038_DB_Z_INFO, S_028038_FORMAT(V_028040_Z_32_FLOAT) | S_028038_SW_MODE(4) /* 4 KB, for depth */);
   SET_CTX(b, R_028068_DB_Z_INFO2, S_028068_EPITCH(63));
   SET_CTX(b, R_02801C_DB_DEPTH_SIZE, S_02801C_X_MAX(63) | S_02801C_Y_MAX(height - 1));
   SET_CTX(b, R_028040_DB_Z_READ_BASE, LO(z >> 8));
   SET_CTX(b, R_028044_DB_Z_READ_BASE_HI, HI(z >> 8));
   SET_CTX(b, R_028050_DB_Z_WRITE_BASE, LO(z >> 8));
   SET_CTX(b, R_028054_DB_Z_WRITE_BASE_HI, HI(z >> 8));
   SET_CTX(b, R_028800_DB_DEPTH_CONTROL,
           S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(1) | S_028800_ZFUNC(V_028800_FRAG_ALWAYS));
   SET_CTX(b, R_02880C_DB_SHADER_CONTROL, S_02880C_Z_ORDER(V_02880C_EARLY_Z_THEN_LATE_Z));
}

static void outside_depth(struct bench *b, bool bad)
{
   depth_state(b, bad ? 32 : 64);
   draw(b);
}

static void compute_user_sgprs(struct bench *b, bool bad)
{
   const uint64_t pc = PROGRAM(b, 0xbf800000 /* s_nop 0 */);
   dispatch(b, pc, 64, 0);
   for (unsigned i = 8; i < 16; i++)
      SET_SH(b, R_00B900_COMPUTE_USER_DATA_0 + 4 * i, 0);
   SET_SH(b, R_00B84C_COMPUTE_PGM_RSRC2, S_00B84C_USER_SGPR(bad ? 17 : 16));
   EMIT(b, PKT3(PKT3_DISPATCH_DIRECT, 3, 0), 1, 1, 1,
        S_00B800_COMPUTE_SHADER_EN(1) | S_00B800_FORCE_START_AT_000(1));
}

static void wrong_pitch(struct bench *b, bool bad)
{
   DRAW_WITH(b, SET_CTX(b, R_0287A0_CB_MRT0_EPITCH, S_0287A0_EPITCH(bad ? 31 : 63)));
}

/* ---- packets, registers, addresses ---- */

static void unknown_packet(struct bench *b, bool bad)
{
   EMIT(b, PKT3(bad ? 0xee : PKT3_NOP, 0, 0), 0);
}

static void unknown_register(struct bench *b, bool bad)
{
   EMIT(b, PKT3(PKT3_SET_CONTEXT_REG, 1, 0), bad ? 0x3fe : CTX(R_028238_CB_TARGET_MASK), 1);
}

static void reserved_bits(struct bench *b, bool bad)
{
   SET_UC(b, R_030908_VGT_PRIMITIVE_TYPE, bad ? 0x10004 : 4);
}

static void unmapped(struct bench *b, bool bad)
{
   const uint64_t va = bad ? UNMAPPED : DATA;
   EMIT(b, PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1), LO(va), HI(va), 1);
}

static void after_unmap(struct bench *b, bool bad)
{
   const uint64_t va = UNMAPPED;
   tgsiamd_model_vm_map(b->vm, va, 0x1000, b->mem + SIZE / 8, 7, 77);
   if (bad)
      tgsiamd_model_vm_unmap(b->vm, va, 0x1000);
   EMIT(b, PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1), LO(va), HI(va), 1);
}

static void not_listed(struct bench *b, bool bad)
{
   static const uint32_t listed[] = { 1, 77 };
   b->bos = listed;
   b->num_bos = bad ? 1 : 2;
   tgsiamd_model_vm_map(b->vm, UNMAPPED, 0x1000, b->mem + SIZE / 8, 7, 77);
   EMIT(b, PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1), LO(UNMAPPED), HI(UNMAPPED), 1);
}

static void fence_never(struct bench *b, bool bad)
{
   EMIT(b, PKT3(PKT3_WAIT_REG_MEM, 5, 0), WAIT_REG_MEM_EQUAL | WAIT_REG_MEM_MEM_SPACE(1), LO(DATA), HI(DATA),
        bad ? 1 : 0, 0xffffffff, 4);
}

static void user_sgprs_beyond(struct bench *b, bool bad)
{
   draw_state(b);
   for (unsigned i = 0; i < 32; i++)
      SET_SH(b, R_00B030_SPI_SHADER_USER_DATA_PS_0 + 4 * i, 0);
   shader_ps(b, PROGRAM(b, PAINT, 0xc400180f, 0x02020202 /* exp mrt0 v2, v2, v2, v2 done vm */));
   SET_SH(b, R_00B028_SPI_SHADER_PGM_RSRC1_PS, S_00B028_VGPRS(1) | S_00B028_SGPRS(5));
   /* the sixth bit stands apart */
   SET_SH(b, R_00B02C_SPI_SHADER_PGM_RSRC2_PS, S_00B02C_USER_SGPR(bad ? 1 : 0) | S_00B02C_USER_SGPR_MSB_GFX9(1));
   draw(b);
}

static const struct plant plants[] = {
   { "nothing set before a draw", "state", "the submission never set", no_state },
   { "nothing set before a dispatch", "state", "COMPUTE_PGM_LO", no_program },
   { "scratch without its size", "state", "COMPUTE_TMPRING_SIZE", no_scratch_size },
   { "indices without their size", "state", "VGT_INDEX_TYPE", no_index_type },
   { "user SGPR that nobody wrote", "uninit", "undefined value as export", user_sgpr_not_written },
   { "tessellation output that nobody wrote", "uninit", "undefined value as export", output_not_written },
   { "tessellation factor that nobody wrote", "uninit", "undefined value as tessellation factor 0", factor_not_written,
     .fixed_function = true },
   { "colour export without a format", "state", "exports to MRT1", export_no_format },
   { "format without a colour export", "state", "does not export to MRT1", format_no_export },
   { "CB_SHADER_MASK without a format", "state", "CB_SHADER_MASK", mask_no_format },
   { "components beyond the format", "state", "exports components 0xf to MRT0", too_many_components },
   { "MRTZ without a format", "state", "exports to MRTZ", mrtz_no_format },
   { "no last export", "state", "without its last export", no_last_export },
   { "attribute beyond NUM_INTERP", "state", "attribute 1 is interpolated", input_beyond },
   { "input beyond the parameters", "state", "takes parameter 1", parameter_beyond },
   { "SPI_PS_INPUT_ENA without ADDR", "state", "SPI_PS_INPUT_ADDR", ena_without_addr },
   { "parameter beyond VS_EXPORT_COUNT", "state", "exports parameter 1", too_many_parameters },
   { "parameter that is not exported", "state", "does not export", parameter_missing },
   { "position without a format", "state", "exports position 1", position_no_format },
   { "clip distances without an export", "state", "takes 2 positions", clip_without_export },
   { "last position without DONE", "state", "without DONE", no_done },
   { "no position", "state", "without a position", no_position },
   { "target beyond its buffer", "surface", "its buffer ends after 8192", target_beyond_buffer },
   { "pixels outside of the target", "surface", "outside of colour target 0", outside_target },
   { "pixels outside of the depth buffer", "surface", "outside of the depth surface (64x32)", outside_depth },
   { "more than 16 user SGPRs of a dispatch", "register", "there are 16 registers", compute_user_sgprs },
   { "pitch that is none", "state", "EPITCH 31", wrong_pitch },
   { "unknown packet", "packet", "unknown packet", unknown_packet, -22 },
   { "unknown register", "register", "no register", unknown_register },
   { "reserved bits of a register", "register", "reserved bits 0x00010000", reserved_bits },
   { "unmapped address", "vm", "unmapped address 0x700000000", unmapped, -14 },
   { "buffer used after it was unmapped", "vm", "buffer 77 was there until it was unmapped", after_unmap, -14 },
   { "buffer that is not listed", "bo-list", "buffer 77", not_listed },
   { "fence that never signals", "hang", "WAIT_REG_MEM never ends", fence_never, -62 },
   { "more than 32 user SGPRs", "register", "USER_SGPR is 33", user_sgprs_beyond },
};

int main(void)
{
   return run_plants(plants, sizeof(plants) / sizeof(plants[0]));
}
