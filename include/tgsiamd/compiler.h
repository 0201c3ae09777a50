/* SPDX-License-Identifier: MIT */
/* The compiler: TGSI tokens to machine code. A pure function: same tokens, key
 * and GPU give the same bytes in any thread. Knows no pipe_context. */
#ifndef TGSIAMD_COMPILER_H
#define TGSIAMD_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tgsiamd/abi.h"
#include "tgsiamd/hw.h"

struct tgsi_token;

enum tgsiamd_stage { TGSIAMD_VS, TGSIAMD_PS, TGSIAMD_CS, TGSIAMD_GS, TGSIAMD_TCS, TGSIAMD_TES };

/* What the last vertex stage writes to streamout buffers. Zero: nothing. */
struct tgsiamd_so_output {
   uint8_t semantic, index; /* TGSI_SEMANTIC_* of the output register */
   uint8_t start, num;      /* components */
   uint8_t buffer, stream;
   uint16_t offset;   /* dwords from the vertex' start */
};
struct tgsiamd_streamout {
   uint8_t num_outputs;
   uint8_t buffers;   /* mask of buffers with an output; their offsets are SGPRs */
   uint16_t stride[4]; /* dwords a vertex */
   uint16_t pad;
   struct tgsiamd_so_output outputs[64];
};

/* A vertex element whose format stands in the instruction (MTBUF), so that
 * elements of one buffer share a V#. */
struct tgsiamd_vertex_fetch {
   uint8_t format;    /* DATA_FORMAT | NUM_FORMAT << 4; 0: the element's own V# has it */
   uint8_t desc;      /* element in whose place the V# stands */
   uint16_t offset;   /* bytes, below 4096 */
   uint16_t sel;      /* as DST_SEL of a V#: what each component is, 3 bits: 0, 1, 4..7 x..w of the data */
};

#define TGSIAMD_FBFETCH_MSAA    1u
#define TGSIAMD_FBFETCH_LAYERED 2u

/* What of the pipeline's state the code depends on. Zero-initialise: it is
 * compared with memcmp. */
struct tgsiamd_key {
   struct {
      /* Per vertex element. 0: per vertex; n: advances every n instances. */
      uint32_t divisor[TGSIAMD_MAX_VERTEX_ELEMENTS];
      /* Elements whose 2-bit alpha the hardware reads as unsigned though the
       * format is 1: snorm, 2: sscaled, 3: sint. 4, 5: three integer channels of
       * 8 or 16 bits, of which the V# describes only the first. */
      uint8_t fix_alpha[TGSIAMD_MAX_VERTEX_ELEMENTS];
      struct tgsiamd_vertex_fetch fetch[TGSIAMD_MAX_VERTEX_ELEMENTS];
      uint32_t kill_outputs[2];  /* param slots no pixel shader reads: bit = TGSI output register */
      uint8_t clip_distances;    /* mask of clip/cull distances that rasterizer state enables */
      uint8_t export_prim_id;    /* the pixel shader reads it and no geometry shader makes one */
      uint8_t no_base_vertex;    /* BASEVERTEX is 0: the draw has no indices */
      uint8_t gs_turned;         /* GS: every second primitive with adjacency comes turned by one corner */
      struct tgsiamd_streamout so;
   } vs;
   struct {
      /* SPI_SHADER_COL_FORMAT nibble per colour buffer: V_028714_SPI_SHADER_*. 0: not written. */
      uint32_t col_format;
      uint8_t color_is_int8;  /* mask: clamp to the range of 8-bit integers */
      uint8_t color_is_int10;
      uint8_t write_all_cbufs; /* number of colour buffers that gl_FragColor goes to */
      uint8_t alpha_to_one;
      uint8_t clamp_color;
      uint8_t sample_shading; /* interpolate per sample */
      uint8_t flatshade;      /* colours (TGSI_INTERPOLATE_COLOR) are flat */
      uint8_t fbfetch;        /* TGSIAMD_FBFETCH_*: what FBFETCH reads from */
   } ps;
   struct {
      uint32_t private_bytes; /* of PRIVATE memory, per invocation */
   } cs;
};

/* A parameter export of the last vertex stage, or an input of the pixel shader. */
struct tgsiamd_io {
   uint8_t semantic;  /* TGSI_SEMANTIC_* */
   uint8_t index;
   uint8_t slot;      /* VS: PARAM number, 0xff: not exported as a parameter. PS: attribute number */
   uint8_t interp;    /* PS: TGSI_INTERPOLATE_* (after the key's flatshade) */
   uint8_t mask;      /* components written (VS) or read (PS) */
   uint8_t pad[3];
};

struct tgsiamd_shader_info {
   uint32_t num_sgprs, num_vgprs;  /* used, before granules; SGPRs include VCC */
   uint32_t num_user_sgprs;
   uint32_t scratch_bytes_per_wave; /* multiple of 1024; 0: none */
   uint32_t lds_bytes;
   uint32_t float_mode;            /* RSRC1.FLOAT_MODE */
   bool dx10_clamp, ieee_mode;
   uint32_t num_io;
   struct tgsiamd_io io[64];
   /* VS */
   uint32_t num_param_exports, num_pos_exports;
   uint8_t so_buffers;             /* streamout buffers written: RSRC2.SO_BASEn_EN */
   uint32_t vgpr_comp_cnt;         /* RSRC1.VGPR_COMP_CNT */
   bool writes_psize, writes_edgeflag, writes_layer, writes_viewport;
   uint8_t clip_dist_mask, cull_dist_mask; /* which of the 8 exported distances */
   bool uses_base_vertex, uses_start_instance, uses_draw_id;
   /* GS: VGPR_COMP_CNT is ES_VGPR_COMP_CNT; GS_VGPR_COMP_CNT is 3 */
   uint32_t gs_input_prim, gs_output_prim; /* enum pipe_prim_type */
   uint32_t gs_max_vertices, gs_invocations;
   uint32_t gs_vertex_dwords[4];   /* VGT_GS_VERT_ITEMSIZE of each stream; [0] is not 0 in the copy shader as well */
   uint32_t esgs_item_dwords;      /* VGT_ESGS_RING_ITEMSIZE: one vertex in LDS */
   struct { uint32_t const_buffers, samplers, images, shader_buffers, hw_atomic_buffers; } gs_resources;
   /* PS */
   uint32_t spi_ps_input_ena, spi_ps_input_addr; /* R_0286CC, R_0286D0 */
   uint32_t z_format;              /* R_028710 SPI_SHADER_Z_FORMAT */
   uint32_t col_format_written;    /* R_028714: the formats of the colours written, without holes */
   uint32_t cb_shader_mask;        /* R_02823C */
   bool writes_z, writes_stencil, writes_samplemask;
   bool uses_kill, uses_fbfetch;
   bool writes_memory, early_z_forced;
   bool pos_fragcoord_integer;     /* pixel centres at integers */
   /* CS */
   uint32_t block_size[3];
   bool uses_grid_size, uses_block_size, uses_thread_id[3], uses_block_id[3];
   /* resources used: for dirty tracking */
   uint32_t const_buffers, samplers, images, shader_buffers, hw_atomic_buffers;
   uint32_t internal; /* entries of the INTERNAL list (TGSIAMD_INTERNAL_*) that are read besides scratch, streamout and rings */
};

/* Numbers for --stats and shader-db. */
struct tgsiamd_shader_stats {
   uint32_t instructions, salu, valu, smem, vmem, lds, exports, branches, waits, nops;
   uint32_t code_bytes, sgpr_spills, vgpr_spills, max_waves, est_cycles;
   uint32_t private_dwords; /* of a lane in scratch memory but for what is spilled: arrays, PRIVATE memory */
   bool divergent_loop; /* lanes may leave a loop at different times */
};

/* CPU time of one pass, all its runs together. */
struct tgsiamd_pass_time { const char *pass; uint64_t ns; };
#define TGSIAMD_MAX_PASS_TIMES 48

struct tgsiamd_shader_binary {
   uint32_t *code;      /* ends with the padding the instruction prefetcher needs */
   uint32_t code_dwords;
   struct tgsiamd_shader_info info;
   struct tgsiamd_shader_stats stats;
   char *error;         /* NULL on success: one sentence that names what is not possible */
   char *dump;          /* IR and disassembly when options asked for it */
   struct tgsiamd_pass_time *times; /* NULL or TGSIAMD_MAX_PASS_TIMES, the rest with pass NULL */
};

#define TGSIAMD_COMPILE_DUMP_TGSI  (1u << 0)
#define TGSIAMD_COMPILE_DUMP_IR    (1u << 1)
#define TGSIAMD_COMPILE_DUMP_ASM   (1u << 2)
#define TGSIAMD_COMPILE_NO_OPT     (1u << 3)
#define TGSIAMD_COMPILE_NO_SCHED   (1u << 4)
#define TGSIAMD_COMPILE_WAIT_ALL   (1u << 5) /* full s_waitcnt after every memory instruction */
#define TGSIAMD_COMPILE_SPILL_ALL  (1u << 6)
#define TGSIAMD_COMPILE_VALIDATE   (1u << 7) /* run the IR validator after every pass */
#define TGSIAMD_COMPILE_TIMES      (1u << 8) /* measure every pass: ->times */
#define TGSIAMD_COMPILE_SHORT_BRANCHES (1u << 9) /* reach 256 dwords or a 16th of the code: tests far ones */

/* Compiles. Always returns a binary (NULL only without memory) to be freed
 * with tgsiamd_shader_binary_free; look at ->error first. */
struct tgsiamd_shader_binary *
tgsiamd_compile(enum tgsiamd_gfx gfx, const struct tgsi_token *tokens,
                const struct tgsiamd_key *key, uint32_t options);
/* Vertex and geometry shader: out[0] is both in one program for the merged
 * ES-GS stage, out[1] the copy shader, which runs as the hardware's vertex stage
 * and reads what was emitted from the GSVS ring. Their resource masks: info's own
 * are the vertex shader's, gs_resources the geometry shader's. Of key->vs, what is
 * about outputs (clip distances, streamout) goes to the copy shader. False only
 * without memory; an error is in either ->error. */
bool tgsiamd_compile_gs(enum tgsiamd_gfx gfx, const struct tgsi_token *vs_tokens,
                        const struct tgsi_token *gs_tokens, const struct tgsiamd_key *key,
                        uint32_t options, struct tgsiamd_shader_binary *out[2]);
void tgsiamd_shader_binary_free(struct tgsiamd_shader_binary *bin);

#endif
