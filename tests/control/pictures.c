/* SPDX-License-Identifier: MIT */
/* Small GL pictures, each through another part of the GPU; prints a hash of the
 * pixels of each, so that runs of one driver with other internals (AMD_DEBUG)
 * can be compared bit for bit. Nothing here depends on a driver.
 *
 * usage: pictures   (EGL surfaceless) */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/tools/surfaceless.h"

#define SIZE 96
#define GLSL "#version 430 compatibility\n"

static const char plain_vs[] =
   GLSL "out vec4 color;"
   "void main() { gl_Position = gl_Vertex; color = gl_Color; gl_TexCoord[0] = gl_MultiTexCoord0; }";
static const char color_fs[] = GLSL "in vec4 color; void main() { gl_FragColor = color; }";

static bool
fail(const char *what, const char *why)
{
   fprintf(stderr, "pictures: %s: %s\n", what, why);
   return false;
}

static void
create_context(void)
{
   if (!surfaceless_context(surfaceless_display(), NULL)) {
      fail("EGL", "no context");
      exit(1);
   }
   fprintf(stderr, "%s, OpenGL %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
}

static void
add_shader(GLuint program, GLenum stage, const char *text)
{
   GLuint shader = glCreateShader(stage);
   GLint ok;
   char log[1000];
   glShaderSource(shader, 1, &text, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fail("shader", log);
      exit(1);
   }
   glAttachShader(program, shader);
}

static void
link_program(GLuint program)
{
   GLint ok;
   char log[1000];
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fail("program", log);
      exit(1);
   }
   glUseProgram(program);
}

static GLuint
use(const char *vs, const char *tcs, const char *tes, const char *gs, const char *fs)
{
   GLuint program = glCreateProgram();
   add_shader(program, GL_VERTEX_SHADER, vs);
   if (tcs)
      add_shader(program, GL_TESS_CONTROL_SHADER, tcs);
   if (tes)
      add_shader(program, GL_TESS_EVALUATION_SHADER, tes);
   if (gs)
      add_shader(program, GL_GEOMETRY_SHADER, gs);
   add_shader(program, GL_FRAGMENT_SHADER, fs);
   link_program(program);
   return program;
}

static GLuint
texture(GLenum format, int size, int levels)
{
   GLuint tex;
   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_2D, tex);
   glTexStorage2D(GL_TEXTURE_2D, levels, format, size, size);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, levels > 1 ? GL_LINEAR : GL_NEAREST);
   return tex;
}

/* A framebuffer of a colour texture and depth and stencil, cleared. Depth is
 * float: radeonsi keeps 24 bits as float where HTILE can be sampled. */
static GLuint
target(GLenum format, GLuint *color, GLuint *depth)
{
   GLuint fbo, d;
   *color = texture(format, SIZE, 1);
   d = texture(GL_DEPTH32F_STENCIL8, SIZE, 1);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *color, 0);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D, d, 0);
   glViewport(0, 0, SIZE, SIZE);
   glClearColor(0.1f, 0.3f, 0.6f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   if (depth)
      *depth = d;
   return fbo;
}

/* Overlapping triangles of all depths, from a fixed sequence. */
static void
triangles(int count)
{
   uint32_t seed = 12345;
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 3 * count; i++) {
      float v[7];
      for (int k = 0; k < 7; k++) {
         seed = seed * 1664525 + 1013904223;
         v[k] = (seed >> 8) / 16777216.0f;
      }
      glColor4f(v[3], v[4], v[5], 0.3f + 0.6f * v[6]);
      glTexCoord2f(3 * v[0], 3 * v[1]);
      glVertex4f(2.2f * v[0] - 1.1f, 2.2f * v[1] - 1.1f, 2 * v[2] - 1, 1);
   }
   glEnd();
}

static void
quad(float x0, float y0, float x1, float y1)
{
   glBegin(GL_TRIANGLE_STRIP);
   for (int i = 0; i < 4; i++) {
      float x = i & 1 ? x1 : x0, y = i & 2 ? y1 : y0;
      glColor4f(x * 0.5f + 0.5f, y * 0.5f + 0.5f, 0.5f, 0.7f);
      glTexCoord2f(x * 0.5f + 0.5f, y * 0.5f + 0.5f);
      glVertex4f(x, y, 0, 1);
   }
   glEnd();
}

static void
picture_blend(void)
{
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   use(plain_vs, NULL, NULL, NULL, color_fs);
   triangles(40);
}

static void
picture_depth_stencil(void)
{
   glEnable(GL_DEPTH_TEST);
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 0, 0xff);
   glStencilOp(GL_KEEP, GL_INCR, GL_INVERT);
   use(plain_vs, NULL, NULL, NULL, color_fs);
   triangles(60);
   glDisable(GL_DEPTH_TEST);
   glStencilFunc(GL_LEQUAL, 2, 0xff);
   glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
   quad(-0.7f, -0.7f, 0.7f, 0.7f);
}

/* What the depth buffer holds, through a texture. */
static void
picture_depth_texture(void)
{
   GLuint color, depth;
   GLint fbo;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &fbo);
   target(GL_RGBA8, &color, &depth);
   glEnable(GL_DEPTH_TEST);
   use(plain_vs, NULL, NULL, NULL, color_fs);
   triangles(60);
   glDisable(GL_DEPTH_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glBindTexture(GL_TEXTURE_2D, depth);
   use(plain_vs, NULL, NULL, NULL,
       GLSL "uniform sampler2D s; void main() { float d = texture2D(s, gl_TexCoord[0].xy).x;"
            "gl_FragColor = vec4(d, fract(d * 256.0), fract(d * 65536.0), 1); }");
   quad(-1, -1, 1, 1);
}

/* A target that is only partly drawn, sampled while its clear may be a note. */
static void
picture_fast_clear(void)
{
   GLuint color;
   GLint fbo;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &fbo);
   target(GL_RGBA8, &color, NULL);
   use(plain_vs, NULL, NULL, NULL, color_fs);
   quad(-0.5f, -0.3f, 0.2f, 0.9f);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glBindTexture(GL_TEXTURE_2D, color);
   use(plain_vs, NULL, NULL, NULL,
       GLSL "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, gl_TexCoord[0].xy * 1.2).brga; }");
   quad(-1, -1, 0.9f, 1);
}

static void
picture_mipmap(void)
{
   static uint8_t texels[128][128][4];
   for (int y = 0; y < 128; y++)
      for (int x = 0; x < 128; x++)
         memcpy(texels[y][x], (uint8_t[]){ x * y, x ^ y, (x * 7 + y * 3) & 255, 255 }, 4);
   texture(GL_SRGB8_ALPHA8, 128, 8);
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY, 8);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 128, 128, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   use(plain_vs, NULL, NULL, NULL,
       GLSL "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, gl_TexCoord[0].xy); }");
   triangles(30);
}

static void
picture_msaa(void)
{
   GLuint fbo, buffers[2];
   GLint resolved;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &resolved);
   glGenFramebuffers(1, &fbo);
   glGenRenderbuffers(2, buffers);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   for (int i = 0; i < 2; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, i ? GL_DEPTH32F_STENCIL8 : GL_RGBA8, SIZE, SIZE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, i ? GL_DEPTH_STENCIL_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                GL_RENDERBUFFER, buffers[i]);
   }
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   use(plain_vs, NULL, NULL, NULL, color_fs);
   triangles(40);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, resolved);
}

static void
picture_geometry(void)
{
   use(plain_vs, NULL, NULL,
       GLSL "layout(triangles) in; layout(triangle_strip, max_vertices = 12) out;"
            "in vec4 color[]; out vec4 gs_color;"
            "void main() { for (int n = 0; n < 4; n++) { for (int i = 0; i < 3; i++) {"
            "gl_Position = vec4(gl_in[i].gl_Position.xy * 0.4 + vec2(n & 1, n >> 1) - 0.5, gl_in[i].gl_Position.z, 1);"
            "gs_color = color[(i + n) % 3] * (n == gl_PrimitiveIDIn % 4 ? 1.0 : 0.5); EmitVertex(); }"
            "EndPrimitive(); } }",
       GLSL "in vec4 gs_color; void main() { gl_FragColor = gs_color; }");
   glEnable(GL_DEPTH_TEST);
   triangles(12);
}

static void
picture_tessellation(void)
{
   use(plain_vs,
       GLSL "layout(vertices = 3) out; in vec4 color[]; out vec4 tc_color[];"
            "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
            "tc_color[gl_InvocationID] = color[gl_InvocationID]; gl_TessLevelInner[0] = 4.5;"
            "gl_TessLevelOuter[0] = 2.0; gl_TessLevelOuter[1] = 3.7; gl_TessLevelOuter[2] = 5.4; }",
       GLSL "layout(triangles, fractional_odd_spacing, ccw) in; in vec4 tc_color[]; out vec4 color;"
            "void main() { vec3 t = gl_TessCoord; gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position"
            "+ t.z * gl_in[2].gl_Position; color = fract(4.0 * (t.x * tc_color[0] + t.y * tc_color[1] + t.z * tc_color[2])); }",
       NULL, color_fs);
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glBegin(GL_PATCHES);
   for (int i = 0; i < 6; i++) {
      glColor4f(i % 2, i / 3 * 0.5f, 1 - i / 6.0f, 1);
      glVertex4f((i * 5 % 7) / 3.0f - 1, (i * 3 % 5) / 2.0f - 1, 0, 1);
   }
   glEnd();
}

static void
picture_compute(void)
{
   GLuint program = glCreateProgram(), tex = texture(GL_RGBA8, SIZE, 1);
   add_shader(program, GL_COMPUTE_SHADER,
              GLSL "layout(local_size_x = 8, local_size_y = 8) in; layout(rgba8) uniform image2D image; shared uint sum;"
                   "void main() { if (gl_LocalInvocationIndex == 0u) sum = 0u; barrier();"
                   "uvec2 p = gl_GlobalInvocationID.xy; atomicAdd(sum, (p.x * p.y) ^ p.x); barrier();"
                   "imageStore(image, ivec2(p), vec4(p, sum & 127u, 128) / 128.0); }");
   link_program(program);
   glBindImageTexture(0, tex, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
   glDispatchCompute(SIZE / 8, SIZE / 8, 1);
   glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
   use(plain_vs, NULL, NULL, NULL,
       GLSL "uniform sampler2D s; void main() { gl_FragColor = texture2D(s, gl_TexCoord[0].xy); }");
   quad(-1, -1, 1, 1);
}

/* Transform feedback: one pass's vertices are the next one's. */
static void
picture_feedback(void)
{
   GLuint buffer, program = use(plain_vs, NULL, NULL, NULL, color_fs);
   glTransformFeedbackVaryings(program, 2, (const char *[]){ "gl_Position", "color" }, GL_INTERLEAVED_ATTRIBS);
   link_program(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 20 * 3 * 32, NULL, GL_STATIC_DRAW);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_TRIANGLES);
   triangles(20);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glVertexPointer(4, GL_FLOAT, 32, NULL);
   glColorPointer(4, GL_FLOAT, 32, (void *)16);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
   glDrawArrays(GL_TRIANGLES, 0, 60);
   glDisableClientState(GL_VERTEX_ARRAY);
   glDisableClientState(GL_COLOR_ARRAY);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
}

/* What radeonsi puts into the parts around a shader: two-sided colour, flat
 * shading, stipple, alpha test. */
static void
picture_fixed_function(void)
{
   static GLubyte stipple[128];
   for (int i = 0; i < 128; i++)
      stipple[i] = i * 37 ^ 0x5a;
   glUseProgram(0);
   glPolygonStipple(stipple);
   glEnable(GL_POLYGON_STIPPLE);
   glEnable(GL_LIGHTING);
   glEnable(GL_LIGHT0);
   glEnable(GL_COLOR_MATERIAL);
   glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
   glNormal3f(0.3f, 0.2f, 0.9f);
   triangles(20);
   glDisable(GL_LIGHTING);
   glDisable(GL_POLYGON_STIPPLE);
   glShadeModel(GL_FLAT);
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 0.6f);
   triangles(10);
   glDisable(GL_ALPHA_TEST);
   glShadeModel(GL_SMOOTH);
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   triangles(10);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/* A float target with the extremes of blending. */
static void
picture_float_target(void)
{
   GLuint color;
   GLint fbo;
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &fbo);
   target(GL_RGBA16F, &color, NULL);
   glEnable(GL_BLEND);
   glBlendEquationSeparate(GL_FUNC_ADD, GL_MAX);
   glBlendFunc(GL_ONE, GL_ONE);
   use(plain_vs, NULL, NULL, NULL, GLSL "in vec4 color; void main() { gl_FragColor = color * 3.0 - 1.0; }");
   triangles(30);
   glDisable(GL_BLEND);
   glBlendEquation(GL_FUNC_ADD);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glBindTexture(GL_TEXTURE_2D, color);
   use(plain_vs, NULL, NULL, NULL,
       GLSL "uniform sampler2D s; void main() { gl_FragColor = fract(texture2D(s, gl_TexCoord[0].xy)); }");
   quad(-1, -1, 1, 1);
}

static const struct {
   const char *name;
   void (*draw)(void);
} pictures[] = {
   { "blend", picture_blend },
   { "depth-stencil", picture_depth_stencil },
   { "depth-texture", picture_depth_texture },
   { "fast-clear", picture_fast_clear },
   { "mipmap", picture_mipmap },
   { "msaa", picture_msaa },
   { "geometry", picture_geometry },
   { "tessellation", picture_tessellation },
   { "compute", picture_compute },
   { "feedback", picture_feedback },
   { "fixed-function", picture_fixed_function },
   { "float-target", picture_float_target },
};

/* The hash, and how many colours there are: an empty picture proves nothing. */
static bool
print(const char *name)
{
   static uint32_t pixels[SIZE * SIZE];
   static bool seen[4096];
   uint64_t hash = 0xcbf29ce484222325;
   unsigned colors = 0;
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   memset(seen, 0, sizeof(seen));
   for (int i = 0; i < SIZE * SIZE; i++) {
      bool *s = &seen[pixels[i] * 2654435761u >> 20];
      hash = (hash ^ pixels[i]) * 0x100000001b3;
      colors += !*s;
      *s = true;
   }
   printf("%s %016llx\n", name, (unsigned long long)hash);
   if (colors < 16)
      return fail(name, "hardly any colour");
   return !glGetError() || fail(name, "OpenGL reports an error");
}

int
main(void)
{
   bool ok = true;
   create_context();
   for (unsigned i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++) {
      GLuint color;
      target(GL_RGBA8, &color, NULL);
      glPushAttrib(GL_ENABLE_BIT);
      pictures[i].draw();
      glPopAttrib();
      ok &= print(pictures[i].name);
   }
   /* Drivers may still compile in threads, and exit() takes LLVM from them. */
   EGLDisplay dpy = eglGetCurrentDisplay();
   EGLContext ctx = eglGetCurrentContext();
   eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(dpy, ctx);
   eglTerminate(dpy);
   return !ok;
}
