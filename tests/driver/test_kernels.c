/* SPDX-License-Identifier: MIT */
/* The driver as a compute front end sees it: programs as TGSI with arguments,
 * buffers by address, blocks cut off at the grid's end, system values of lanes, as much
 * memory of its own as a lane can have. And programs that cannot be: they are reported,
 * left out, and the context lives on.
 *
 * usage: test_kernels [--little-memory]   (on a GPU without room for the largest scratch ring) */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "tgsi/tgsi_text.h"
#include "tgsiamd/tgsiamd_public.h"
#include "util/macros.h"
#include "util/u_inlines.h"

#define BLOCK 64
#define HEAD \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n" \
   "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL MEMORY[0], GLOBAL\nDCL MEMORY[1], INPUT\nDCL TEMP[0..3]\n" \
   "IMM[0] UINT32 {0, 64, 2, 3}\n"

static struct pipe_screen *screen;
static struct pipe_context *ctx;
static unsigned failures;
static char message[1000], stats[1000];

#define CHECK(cond, ...) \
   do { \
      if (!(cond)) { \
         printf(__VA_ARGS__); \
         failures++; \
      } \
   } while (0)

static void
on_message(void *data, unsigned *id, enum util_debug_type type, const char *fmt, va_list args)
{
   if (type == UTIL_DEBUG_TYPE_ERROR || type == UTIL_DEBUG_TYPE_OUT_OF_MEMORY)
      vsnprintf(message, sizeof(message), fmt, args);
   else if (type == UTIL_DEBUG_TYPE_SHADER_INFO)
      vsnprintf(stats, sizeof(stats), fmt, args);
}

static void *
create_kernel(const char *text, unsigned input_bytes)
{
   struct tgsi_token tokens[1000];
   const struct pipe_compute_state state = {
      .ir_type = PIPE_SHADER_IR_TGSI, .prog = tokens, .req_input_mem = input_bytes,
   };

   if (!tgsi_text_translate(text, tokens, ARRAY_SIZE(tokens))) {
      printf("no TGSI:\n%s\n", text);
      failures++;
      return NULL;
   }
   return ctx->create_compute_state(ctx, &state);
}

static struct pipe_resource *
create_buffer(unsigned dwords, const uint32_t *data)
{
   struct pipe_resource *buf = pipe_buffer_create(screen, PIPE_BIND_GLOBAL, PIPE_USAGE_DEFAULT, dwords * 4);
   if (data)
      pipe_buffer_write(ctx, buf, 0, dwords * 4, data);
   return buf;
}

static void
launch(void *kernel, unsigned blocks, unsigned last_block, const uint32_t *input)
{
   const struct pipe_grid_info grid = {
      .input = input, .work_dim = 1, .block = {BLOCK, 1, 1}, .last_block = {last_block}, .grid = {blocks, 1, 1},
   };

   ctx->bind_compute_state(ctx, kernel);
   ctx->launch_grid(ctx, &grid);
   ctx->bind_compute_state(ctx, NULL);
   ctx->memory_barrier(ctx, PIPE_BARRIER_GLOBAL_BUFFER);
}

/* out[i] = in[i + 2] * factor + block, with an argument that has an offset in it
 * already; the last block has 10 threads. */
static void
test_global(void)
{
   enum { BLOCKS = 4, N = BLOCKS * BLOCK, LAST = 10 };
   static const char text[] = HEAD
      "LOAD TEMP[0].xyz, MEMORY[1], IMM[0].xxxx\n"
      "UMAD TEMP[1].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\n"
      "SHL TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\n"
      "UADD TEMP[2].xy, TEMP[0].xyyy, TEMP[1].xxxx\n"
      "LOAD TEMP[3].x, MEMORY[0], TEMP[2].yyyy\n"
      "UMAD TEMP[3].x, TEMP[3].xxxx, TEMP[0].zzzz, SV[1].xxxx\n"
      "STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[3].xxxx\n"
      "END\n";
   uint32_t in[N + 2], zero[N] = {0}, out[N], input[3] = {0, 8, 7};
   uint32_t *handles[2] = {&input[0], &input[1]};
   void *kernel = create_kernel(text, sizeof(input));

   for (unsigned i = 0; i < N + 2; i++)
      in[i] = i * 1000003u;
   struct pipe_resource *bufs[2] = {create_buffer(N, zero), create_buffer(N + 2, in)};
   ctx->set_global_binding(ctx, 0, 2, bufs, handles);
   stats[0] = 0;
   launch(kernel, BLOCKS, LAST, input);
   ctx->set_global_binding(ctx, 0, 2, NULL, NULL);
   pipe_buffer_read(ctx, bufs[0], 0, sizeof(out), out);
   for (unsigned i = 0; i < N; i++) {
      uint32_t want = i < N - BLOCK + LAST ? in[i + 2] * 7 + i / BLOCK : 0;
      CHECK(out[i] == want, "global: out[%u] is 0x%x, expected 0x%x\n", i, out[i], want);
   }
   CHECK(strstr(stats, "Shader Stats: SGPRS: ") && strstr(stats, "(CS, W64)"), "no statistics: %s\n", stats);
   ctx->delete_compute_state(ctx, kernel);
   for (unsigned i = 0; i < 2; i++)
      pipe_resource_reference(&bufs[i], NULL);
}

/* Masks of lanes, both halves, at 64 bytes a lane. */
static void
test_lanes(void)
{
   static const char *const names[] = {"EQ", "GE", "GT", "LE", "LT"};
   char text[2000] = HEAD;
   uint32_t out[BLOCK][16], input[1] = {0}, *handles[1] = {input};
   struct pipe_resource *buf = create_buffer(BLOCK * 16, NULL);

   strcat(text, "DCL SV[2], SUBGROUP_INVOCATION\nDCL SV[3], SUBGROUP_SIZE\n");
   for (unsigned m = 0; m < ARRAY_SIZE(names); m++)
      sprintf(text + strlen(text), "DCL SV[%u], SUBGROUP_%s_MASK\n", m + 4, names[m]);
   strcat(text, "IMM[1] UINT32 {6, 8, 0, 0}\nLOAD TEMP[0].x, MEMORY[1], IMM[0].xxxx\n"
                "SHL TEMP[1].x, SV[0].xxxx, IMM[1].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n");
   for (unsigned m = 0; m < ARRAY_SIZE(names); m++)
      sprintf(text + strlen(text), "STORE MEMORY[0].xy, TEMP[0].xxxx, SV[%u].xyyy\n"
                                   "UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n", m + 4);
   strcat(text, "MOV TEMP[1].x, SV[2].xxxx\nMOV TEMP[1].y, SV[3].xxxx\n"
                "STORE MEMORY[0].xy, TEMP[0].xxxx, TEMP[1].xyyy\nEND\n");
   void *kernel = create_kernel(text, sizeof(input));

   ctx->set_global_binding(ctx, 0, 1, &buf, handles);
   launch(kernel, 1, 0, input);
   ctx->set_global_binding(ctx, 0, 1, NULL, NULL);
   pipe_buffer_read(ctx, buf, 0, sizeof(out), out);
   for (unsigned lane = 0; lane < BLOCK; lane++) {
      const uint64_t eq = 1ull << lane, lt = eq - 1;
      const uint64_t want[6] = {eq, ~lt, ~lt & ~eq, lt | eq, lt, lane | 64ull << 32};
      for (unsigned m = 0; m < ARRAY_SIZE(want); m++) {
         uint64_t got = out[lane][2 * m] | (uint64_t)out[lane][2 * m + 1] << 32;
         CHECK(got == want[m], "lane %u, value %u: 0x%llx, expected 0x%llx\n", lane, m, (long long)got,
               (long long)want[m]);
      }
   }
   ctx->delete_compute_state(ctx, kernel);
   pipe_resource_reference(&buf, NULL);
}

/* The error names program, instruction and reason; nothing is written; what comes
 * afterwards works. */
static void
test_error(void)
{
   static const char bad[] = HEAD "MOV TEMP[0], IMM[0]\nCAL :1\nEND\n";
   static const char good[] = HEAD
      "LOAD TEMP[0].x, MEMORY[1], IMM[0].xxxx\nSTORE MEMORY[0].x, TEMP[0].xxxx, IMM[0].wwww\nEND\n";
   uint32_t data[1] = {99}, input[1] = {0}, *handles[1] = {input};
   struct pipe_resource *buf = create_buffer(1, data);
   void *kernels[2] = {create_kernel(bad, sizeof(input)), create_kernel(good, sizeof(input))};

   ctx->set_global_binding(ctx, 0, 1, &buf, handles);
   for (unsigned i = 0; i < 2; i++) {
      message[0] = 0;
      launch(kernels[i], 1, 0, input);
      pipe_buffer_read(ctx, buf, 0, sizeof(data), data);
      CHECK(data[0] == (i ? 3 : 99), "program %u left %u\n", i, data[0]);
      if (i)
         CHECK(!message[0], "a good program: %s\n", message);
      else
         CHECK(strstr(message, "compute shader ") && strstr(message, "TGSI instruction 1: CAL: "), "no error: %s\n",
               message);
   }
   CHECK(ctx->get_device_reset_status(ctx) == PIPE_NO_RESET, "the context is lost\n");
   ctx->set_global_binding(ctx, 0, 1, NULL, NULL);
   for (unsigned i = 0; i < 2; i++)
      ctx->delete_compute_state(ctx, kernels[i]);
   pipe_resource_reference(&buf, NULL);
}

static uint64_t
free_kilobytes(void)
{
   struct pipe_memory_info info;

   screen->query_memory_info(screen, &info);
   return (uint64_t)info.avail_device_memory + info.avail_staging_memory;
}

/* An array of as many vectors as there are: every lane writes one of its own, the last
 * one among them, then the one that is as far from the end, and reads the first again.
 * The ring of scratch memory must not have room for all waves that can run: that would
 * be gigabytes. Without even the least that it needs nothing is written, and said so;
 * what needs less works. */
static void
test_scratch(bool little)
{
   enum { BLOCKS = 40, N = BLOCKS * BLOCK, MOST_KILOBYTES = 260 << 10 };
   static const char text[] = HEAD
      "DCL TEMP[4..8194], ARRAY(1)\nDCL ADDR[0..1]\nIMM[1] UINT32 {130, 8190, 1, 0}\n"
      "LOAD TEMP[0].x, MEMORY[1], IMM[0].xxxx\n"
      "UMAD TEMP[1], SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\n"
      "UMAD TEMP[1].y, TEMP[1].yyyy, IMM[0].zzzz, IMM[0].wwww\n"
      "UMUL TEMP[2].x, SV[0].xxxx, IMM[1].xxxx\nUADD TEMP[2].y, IMM[1].yyyy, -TEMP[2].xxxx\n"
      "UARL ADDR[0].x, TEMP[2].xxxx\nUARL ADDR[1].x, TEMP[2].yyyy\n"
      "MOV TEMP[ADDR[0].x+4](1), TEMP[1]\nMOV TEMP[ADDR[1].x+4](1), IMM[1].yxyx\n"
      "MOV TEMP[3], TEMP[ADDR[0].x+4](1)\n"
      "UADD TEMP[3].xy, TEMP[3].xyyy, TEMP[3].zwww\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[3].yyyy\n"
      "SHL TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nUADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
      "STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[3].xxxx\nEND\n";
   static uint32_t zero[N], out[N];
   uint32_t input[1] = {0}, *handles[1] = {input};
   struct pipe_resource *buf = create_buffer(N, zero);
   void *kernel = create_kernel(text, sizeof(input));
   const uint64_t before = free_kilobytes();

   ctx->set_global_binding(ctx, 0, 1, &buf, handles);
   stats[0] = message[0] = 0;
   launch(kernel, BLOCKS, 0, input);
   pipe_buffer_read(ctx, buf, 0, sizeof(out), out);
   for (unsigned i = 0; i < N; i++) {
      const uint32_t want = little ? 0 : i * 3 + i * 2 + 3;
      CHECK(out[i] == want, "scratch: out[%u] is %u, expected %u\n", i, out[i], want);
   }
   CHECK(strstr(stats, " PrivMem VGPRs: 32764 "), "no 32764 dwords a lane: %s\n", stats);
   CHECK(before - free_kilobytes() < MOST_KILOBYTES, "scratch takes %llu kilobytes\n",
         (long long)(before - free_kilobytes()));
   CHECK(little ? !!strstr(message, "no memory for scratch") : !message[0], "scratch: message '%s'\n", message);
   CHECK(ctx->get_device_reset_status(ctx) == PIPE_NO_RESET, "the context is lost\n");
   ctx->set_global_binding(ctx, 0, 1, NULL, NULL);
   ctx->delete_compute_state(ctx, kernel);
   pipe_resource_reference(&buf, NULL);
}

#define VERTEX_TEXT \
   "VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL TEMP[0]\nIMM[0] UINT32 {1, 2, 0, 0}\n" \
   "IMM[1] FLT32 {2.0, -1.0, 0.0, 1.0}\nAND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nAND TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n" \
   "USHR TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx\nU2F TEMP[0].xy, TEMP[0]\nMUL TEMP[0].xy, TEMP[0], IMM[1].xxxx\n" \
   "MAD OUT[0].xy, TEMP[0], IMM[1].xxxx, IMM[1].yyyy\nMOV OUT[0].zw, IMM[1].zzzw\nEND\n"
#define PIXEL_HEAD "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.0, 1.0, 0.0, 1.0}\n"

static struct pipe_shader_state
shader_state(const char *text, struct tgsi_token *tokens, unsigned size)
{
   const struct pipe_shader_state state = {.type = PIPE_SHADER_IR_TGSI, .tokens = tokens};

   CHECK(tgsi_text_translate(text, tokens, size), "no TGSI:\n%s\n", text);
   return state;
}

/* A draw with a pixel shader that cannot be leaves the picture alone, the next one
 * with a good shader does not. */
static void
test_draw_error(void)
{
   static const char *const pixel_texts[2] = {
      PIXEL_HEAD "MOV TEMP[0], IMM[0]\nCAL :1\nEND\n", PIXEL_HEAD "MOV OUT[0], IMM[0]\nEND\n",
   };
   const struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D, .format = PIPE_FORMAT_R8G8B8A8_UNORM, .width0 = 16, .height0 = 16, .depth0 = 1,
      .array_size = 1, .bind = PIPE_BIND_RENDER_TARGET | PIPE_BIND_SAMPLER_VIEW,
   };
   const struct pipe_blend_state blend_state = {.rt[0].colormask = PIPE_MASK_RGBA};
   const struct pipe_depth_stencil_alpha_state dsa_state = {0};
   const struct pipe_rasterizer_state rs_state = {.half_pixel_center = 1, .depth_clip_near = 1, .depth_clip_far = 1};
   const struct pipe_viewport_state viewport = {.scale = {8, 8, 0.5f}, .translate = {8, 8, 0.5f}};
   const union pipe_color_union red = {.f = {1, 0, 0, 1}};
   const struct pipe_draw_info info = {.mode = PIPE_PRIM_TRIANGLES, .instance_count = 1, .max_index = ~0u};
   const struct pipe_draw_start_count_bias draw = {.count = 3};
   struct tgsi_token tokens[1000];
   struct pipe_resource *tex = screen->resource_create(screen, &templ);
   struct pipe_surface surf_templ = {.format = templ.format};
   struct pipe_surface *surf = ctx->create_surface(ctx, tex, &surf_templ);
   const struct pipe_framebuffer_state fb = {.width = 16, .height = 16, .nr_cbufs = 1, .cbufs = {surf}};
   void *blend = ctx->create_blend_state(ctx, &blend_state), *dsa = ctx->create_depth_stencil_alpha_state(ctx, &dsa_state);
   void *rs = ctx->create_rasterizer_state(ctx, &rs_state), *velems = ctx->create_vertex_elements_state(ctx, 0, NULL);
   struct pipe_shader_state state = shader_state(VERTEX_TEXT, tokens, ARRAY_SIZE(tokens));
   void *vs = ctx->create_vs_state(ctx, &state), *ps[2];

   ctx->set_framebuffer_state(ctx, &fb);
   ctx->set_viewport_states(ctx, 0, 1, &viewport);
   ctx->bind_blend_state(ctx, blend);
   ctx->bind_depth_stencil_alpha_state(ctx, dsa);
   ctx->bind_rasterizer_state(ctx, rs);
   ctx->bind_vertex_elements_state(ctx, velems);
   ctx->bind_vs_state(ctx, vs);
   ctx->clear_render_target(ctx, surf, &red, 0, 0, 16, 16, false);
   for (unsigned i = 0; i < 2; i++) {
      struct pipe_transfer *transfer;
      uint32_t *map;

      state = shader_state(pixel_texts[i], tokens, ARRAY_SIZE(tokens));
      ps[i] = ctx->create_fs_state(ctx, &state);
      ctx->bind_fs_state(ctx, ps[i]);
      message[0] = 0;
      ctx->draw_vbo(ctx, &info, 0, NULL, &draw, 1);
      map = pipe_texture_map(ctx, tex, 0, 0, PIPE_MAP_READ, 0, 0, 16, 16, &transfer);
      CHECK(map && map[3] == (i ? 0xff00ff00 : 0xff0000ff), "draw %u left 0x%x\n", i, map ? map[3] : 0);
      pipe_texture_unmap(ctx, transfer);
      CHECK(i ? !message[0] : !!strstr(message, "TGSI instruction 1: CAL: "), "draw %u: message '%s'\n", i, message);
   }
   ctx->bind_fs_state(ctx, NULL);
   ctx->bind_vs_state(ctx, NULL);
   for (unsigned i = 0; i < 2; i++)
      ctx->delete_fs_state(ctx, ps[i]);
   ctx->delete_vs_state(ctx, vs);
   ctx->bind_blend_state(ctx, NULL);
   ctx->delete_blend_state(ctx, blend);
   ctx->bind_depth_stencil_alpha_state(ctx, NULL);
   ctx->delete_depth_stencil_alpha_state(ctx, dsa);
   ctx->bind_rasterizer_state(ctx, NULL);
   ctx->delete_rasterizer_state(ctx, rs);
   ctx->bind_vertex_elements_state(ctx, NULL);
   ctx->delete_vertex_elements_state(ctx, velems);
   pipe_surface_reference(&surf, NULL);
   pipe_resource_reference(&tex, NULL);
}

int
main(int argc, char **argv)
{
   const bool little = argc > 1 && !strcmp(argv[1], "--little-memory");
   const struct util_debug_callback callback = {.debug_message = on_message};
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

   screen = fd >= 0 ? tgsiamd_screen_create(fd, NULL) : NULL;
   ctx = screen ? screen->context_create(screen, NULL, 0) : NULL;
   if (!ctx) {
      printf("no context\n");
      return 1;
   }
   ctx->set_debug_callback(ctx, &callback);
   test_scratch(little);
   test_global();
   test_lanes();
   test_error();
   test_draw_error();
   ctx->destroy(ctx);
   screen->destroy(screen);
   return failures ? 1 : 0;
}
