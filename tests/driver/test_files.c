/* SPDX-License-Identifier: MIT */
/* Register files that no frontend uses with this driver, in all stages at once:
 * atomic counters (HWATOMIC, set_hw_atomic_buffers), and immediates by an index of
 * each lane. Vertex and geometry shader are one program with one table. 16 points
 * are drawn, one on each pixel of a row. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "pipe/p_context.h"
#include "pipe/p_screen.h"
#include "tgsi/tgsi_text.h"
#include "tgsiamd/tgsiamd_public.h"
#include "util/macros.h"
#include "util/u_inlines.h"

#define N 16

static struct pipe_screen *screen;
static struct pipe_context *ctx;
static unsigned failures;

#define CHECK(cond, ...) \
   do { \
      if (!(cond)) { \
         printf(__VA_ARGS__); \
         failures++; \
      } \
   } while (0)

/* ADDR[0].x: number of the point. %s: what is done with it. */
#define VERTEX_TEXT \
   "VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\nDCL TEMP[0..1]\nDCL ADDR[0]\n" \
   "DCL HWATOMIC[0][0..15]\nIMM[0] FLT32 {0.125, -0.9375, 0.0, 1.0}\nIMM[1] UINT32 {1, 2, 3, 0}\n%s" \
   "UARL ADDR[0].x, SV[0].xxxx\nU2F TEMP[0].x, SV[0].xxxx\nMAD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx, IMM[0].yyyy\n" \
   "MOV OUT[0].yzw, IMM[0].zzzw\nMOV OUT[1].x, SV[0].xxxx\n%sEND\n"
#define GEOMETRY_TEXT \
   "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n" \
   "PROPERTY GS_INVOCATIONS 1\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL IN[][2], GENERIC[1]\nDCL OUT[0], POSITION\n" \
   "DCL OUT[1], GENERIC[0]\nDCL OUT[2], GENERIC[1]\nDCL TEMP[0..1]\nDCL ADDR[0]\nDCL HWATOMIC[3][0..15]\n" \
   "IMM[0] UINT32 {0, 2, 3, 0}\n%s" \
   "UARL ADDR[0].x, IN[0][1].xxxx\nMOV OUT[0], IN[0][0]\nMOV OUT[1].x, IN[0][1]\nMOV OUT[2].xy, IN[0][2]\n%s" \
   "EMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n"
#define PIXEL_TEXT \
   "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL ADDR[0]\n" \
   "DCL HWATOMIC[0][0..15]\nIMM[0] UINT32 {3, 0, 0, 0}\nIMM[1] FLT32 {1.0, 0.0, 0.0, 0.0}\n%s" \
   "UARL ADDR[0].x, IN[0].xxxx\nMOV OUT[0].xy, IN[1]\nMOV OUT[0].z, IMM[0].yyyy\nMOV OUT[0].w, IMM[1].xxxx\n%sEND\n"

static void
translate(const char *text, const char *decls, const char *body, struct tgsi_token *tokens, unsigned size)
{
   static char whole[8000];

   snprintf(whole, sizeof(whole), text, decls, body);
   CHECK(tgsi_text_translate(whole, tokens, size), "no TGSI:\n%s\n", whole);
}

static void *
create(void *(*create_state)(struct pipe_context *, const struct pipe_shader_state *), const char *text, const char *decls,
       const char *body)
{
   static struct tgsi_token tokens[4000];
   const struct pipe_shader_state state = {.type = PIPE_SHADER_IR_TGSI, .tokens = tokens};

   translate(text, decls, body, tokens, ARRAY_SIZE(tokens));
   return create_state(ctx, &state);
}

/* The row of pixels that the points leave. */
static void
draw_points(void *vs, void *gs, void *ps, float row[N][4])
{
   const struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D, .format = PIPE_FORMAT_R32G32B32A32_FLOAT, .width0 = N, .height0 = 1, .depth0 = 1,
      .array_size = 1, .bind = PIPE_BIND_RENDER_TARGET,
   };
   const struct pipe_blend_state blend_state = {.rt[0].colormask = PIPE_MASK_RGBA};
   const struct pipe_depth_stencil_alpha_state dsa_state = {0};
   const struct pipe_rasterizer_state rs_state = {
      .half_pixel_center = 1, .depth_clip_near = 1, .depth_clip_far = 1, .point_size = 1,
   };
   const struct pipe_viewport_state viewport = {.scale = {N / 2, 0.5f, 0.5f}, .translate = {N / 2, 0.5f, 0.5f}};
   const union pipe_color_union red = {.f = {-1, -1, -1, -1}};
   const struct pipe_draw_info info = {.mode = PIPE_PRIM_POINTS, .instance_count = 1, .max_index = ~0u};
   const struct pipe_draw_start_count_bias draw = {.count = N};
   struct pipe_resource *tex = screen->resource_create(screen, &templ);
   struct pipe_surface surf_templ = {.format = templ.format};
   struct pipe_surface *surf = ctx->create_surface(ctx, tex, &surf_templ);
   const struct pipe_framebuffer_state fb = {.width = N, .height = 1, .nr_cbufs = 1, .cbufs = {surf}}, no_fb = {0};
   void *blend = ctx->create_blend_state(ctx, &blend_state), *dsa = ctx->create_depth_stencil_alpha_state(ctx, &dsa_state);
   void *rs = ctx->create_rasterizer_state(ctx, &rs_state), *velems = ctx->create_vertex_elements_state(ctx, 0, NULL);
   struct pipe_transfer *transfer;

   ctx->set_framebuffer_state(ctx, &fb);
   ctx->set_viewport_states(ctx, 0, 1, &viewport);
   ctx->bind_blend_state(ctx, blend);
   ctx->bind_depth_stencil_alpha_state(ctx, dsa);
   ctx->bind_rasterizer_state(ctx, rs);
   ctx->bind_vertex_elements_state(ctx, velems);
   ctx->bind_vs_state(ctx, vs);
   ctx->bind_gs_state(ctx, gs);
   ctx->bind_fs_state(ctx, ps);
   ctx->clear_render_target(ctx, surf, &red, 0, 0, N, 1, false);
   ctx->draw_vbo(ctx, &info, 0, NULL, &draw, 1);
   void *map = pipe_texture_map(ctx, tex, 0, 0, PIPE_MAP_READ, 0, 0, N, 1, &transfer);
   memcpy(row, map, N * 16);
   pipe_texture_unmap(ctx, transfer);

   ctx->bind_fs_state(ctx, NULL);
   ctx->bind_gs_state(ctx, NULL);
   ctx->bind_vs_state(ctx, NULL);
   ctx->delete_fs_state(ctx, ps);
   if (gs)
      ctx->delete_gs_state(ctx, gs);
   ctx->delete_vs_state(ctx, vs);
   ctx->set_framebuffer_state(ctx, &no_fb);
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

/* Immediates `first` and on: `base` + i in component i % 4 of the ith. */
static const char *
table(unsigned first, unsigned base, char *text)
{
   char *p = text;

   for (unsigned i = 0; i < N; i++) {
      p += sprintf(p, "IMM[%u] FLT32 {", first + i);
      for (unsigned c = 0; c < 4; c++)
         p += sprintf(p, "%u.0%s", c == i % 4 ? base + i : 0, c < 3 ? ", " : "}\n");
   }
   return text;
}

/* The sum of four components of the immediate at the point's number. */
#define AT_POINT(offset) \
   "ADD TEMP[0].xy, IMM[ADDR[0].x+" offset "], IMM[ADDR[0].x+" offset "].zwzw\nADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\n"

static void
test_tables(bool with_geometry)
{
   static char vs_table[2000], gs_table[2000], ps_table[2000];
   float row[N][4];
   void *vs = create(ctx->create_vs_state, VERTEX_TEXT, table(2, 100, vs_table), AT_POINT("2") "MOV OUT[2].xy, TEMP[0].xxxx\n");
   void *gs = NULL;
   void *ps = create(ctx->create_fs_state, PIXEL_TEXT, table(2, 300, ps_table), AT_POINT("2") "MOV OUT[0].z, TEMP[0].xxxx\n");

   if (with_geometry)
      gs = create(ctx->create_gs_state, GEOMETRY_TEXT, table(1, 200, gs_table), AT_POINT("1") "MOV OUT[2].y, TEMP[0].xxxx\n");
   draw_points(vs, gs, ps, row);
   for (unsigned i = 0; i < N; i++) {
      const float want[3] = {100 + i, with_geometry ? 200 + i : 100 + i, 300 + i};
      for (unsigned c = 0; c < 3; c++)
         CHECK(row[i][c] == want[c], "%s geometry shader: pixel %u, component %u: %g, expected %g\n",
               with_geometry ? "with a" : "without", i, c, row[i][c], want[c]);
   }
}

/* Counter i of the buffer bound at 0 lies at dword 4 + i, of that at 3 at dword 24 + i: the
 * vertex shader counts 1 at i, the geometry shader 2 at 15 - i, the pixel shader 3 at
 * the same place as the vertex shader, a kernel afterwards 5 at 1 for each of 64 threads. */
#define COUNT(counter, what) "ATOMUADD TEMP[0].x, HWATOMIC" counter ", IMM[1].xxxx, " what "\n"
#define KERNEL_TEXT \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL TEMP[0]\n" \
   "DCL HWATOMIC[3][0..15]\nIMM[0] UINT32 {5, 0, 0, 0}\nIMM[1] UINT32 {0, 0, 0, 0}\n%s%s" COUNT("[3][1]", "IMM[0].xxxx") "END\n"

static void
run_kernel(void)
{
   static struct tgsi_token tokens[1000];
   const struct pipe_compute_state state = {.ir_type = PIPE_SHADER_IR_TGSI, .prog = tokens};
   const struct pipe_grid_info grid = {.work_dim = 1, .block = {64, 1, 1}, .grid = {1, 1, 1}};

   translate(KERNEL_TEXT, "", "", tokens, ARRAY_SIZE(tokens));
   void *kernel = ctx->create_compute_state(ctx, &state);
   ctx->bind_compute_state(ctx, kernel);
   ctx->launch_grid(ctx, &grid);
   ctx->bind_compute_state(ctx, NULL);
   ctx->delete_compute_state(ctx, kernel);
}

static void
test_counters(bool with_geometry)
{
   enum { DWORDS = 48 };
   uint32_t start[DWORDS], got[DWORDS];
   struct pipe_shader_buffer buffers[4] = {{0}};
   float row[N][4];
   void *gs = NULL;

   for (unsigned i = 0; i < DWORDS; i++)
      start[i] = i * 1000;
   struct pipe_resource *buf = pipe_buffer_create(screen, PIPE_BIND_SHADER_BUFFER, PIPE_USAGE_DEFAULT, sizeof(start));
   pipe_buffer_write(ctx, buf, 0, sizeof(start), start);
   buffers[0] = (struct pipe_shader_buffer){buf, 16, 64};
   buffers[3] = (struct pipe_shader_buffer){buf, 96, 60}; /* the last counter is cut off */
   ctx->set_hw_atomic_buffers(ctx, 0, 4, buffers);
   void *vs = create(ctx->create_vs_state, VERTEX_TEXT, "", COUNT("[0][ADDR[0].x]", "IMM[1].xxxx") "MOV OUT[2].xy, IMM[0].zzzz\n");
   void *ps = create(ctx->create_fs_state, PIXEL_TEXT, "", COUNT("[0][ADDR[0].x]", "IMM[0].xxxx") "U2F OUT[0].x, TEMP[0].xxxx\n");
   if (with_geometry)
      gs = create(ctx->create_gs_state, GEOMETRY_TEXT, "IMM[1] UINT32 {15, 0, 0, 0}\nIMM[2] INT32 {-1, 0, 0, 0}\n",
                  "UMAD TEMP[1].x, IN[0][1].xxxx, IMM[2].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[1].xxxx\n"
                  COUNT("[3][ADDR[0].x]", "IMM[0].yyyy"));
   draw_points(vs, gs, ps, row);
   run_kernel();
   ctx->memory_barrier(ctx, PIPE_BARRIER_SHADER_BUFFER);
   ctx->set_hw_atomic_buffers(ctx, 0, 4, NULL);
   pipe_buffer_read(ctx, buf, 0, sizeof(got), got);
   for (unsigned i = 0; i < DWORDS; i++) {
      uint32_t want = start[i];
      if (i >= 4 && i < 20)
         want += 1 + 3;
      if (with_geometry && i >= 24 && i < 39)
         want += 2;
      if (i == 25)
         want += 64 * 5;
      CHECK(got[i] == want, "%s geometry shader: dword %u is %u, expected %u\n", with_geometry ? "with a" : "without", i, got[i], want);
   }
   /* The pixel shader found what the vertex shader had left. */
   for (unsigned i = 0; i < N; i++)
      CHECK(row[i][0] == start[4 + i] + 1, "pixel %u found %g\n", i, row[i][0]);
   pipe_resource_reference(&buf, NULL);
}

int
main(void)
{
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

   screen = fd >= 0 ? tgsiamd_screen_create(fd, NULL) : NULL;
   ctx = screen ? screen->context_create(screen, NULL, 0) : NULL;
   if (!ctx) {
      printf("no context\n");
      return 1;
   }
   for (unsigned i = 0; i < 2; i++) {
      test_tables(i);
      test_counters(i);
   }
   ctx->destroy(ctx);
   screen->destroy(screen);
   return failures ? 1 : 0;
}
