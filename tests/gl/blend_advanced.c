/* SPDX-License-Identifier: MIT */
/* KHR_blend_equation_advanced: rectangles of one colour over another with each
 * equation, one sample and four, against the formulas of the specification. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "../../src/tools/surfaceless.h"

#define SIZE 32

static float multiply(float s, float d) { return s * d; }
static float screen(float s, float d) { return s + d - s * d; }
static float overlay(float s, float d) { return d <= 0.5f ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d); }
static float darken(float s, float d) { return fminf(s, d); }
static float lighten(float s, float d) { return fmaxf(s, d); }
static float dodge(float s, float d) { return d <= 0 ? 0 : s < 1 ? fminf(1, d / (1 - s)) : 1; }
static float burn(float s, float d) { return d >= 1 ? 1 : s > 0 ? 1 - fminf(1, (1 - d) / s) : 0; }
static float hard(float s, float d) { return s <= 0.5f ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d); }
static float difference(float s, float d) { return fabsf(d - s); }
static float exclusion(float s, float d) { return s + d - 2 * s * d; }

static float
soft(float s, float d)
{
   if (s <= 0.5f)
      return d - (1 - 2 * s) * d * (1 - d);
   if (d <= 0.25f)
      return d + (2 * s - 1) * d * ((16 * d - 12) * d + 3);
   return d + (2 * s - 1) * (sqrtf(d) - d);
}

static const struct {
   GLenum equation;
   float (*f)(float s, float d);
   const char *name;
} equations[] = {
   {GL_MULTIPLY_KHR, multiply, "multiply"},      {GL_SCREEN_KHR, screen, "screen"},
   {GL_OVERLAY_KHR, overlay, "overlay"},         {GL_DARKEN_KHR, darken, "darken"},
   {GL_LIGHTEN_KHR, lighten, "lighten"},         {GL_COLORDODGE_KHR, dodge, "colordodge"},
   {GL_COLORBURN_KHR, burn, "colorburn"},        {GL_HARDLIGHT_KHR, hard, "hardlight"},
   {GL_SOFTLIGHT_KHR, soft, "softlight"},        {GL_DIFFERENCE_KHR, difference, "difference"},
   {GL_EXCLUSION_KHR, exclusion, "exclusion"},
};
#define NUM_EQUATIONS (sizeof(equations) / sizeof(equations[0]))

/* Not premultiplied. */
static const float dst[4] = {0.2f, 0.6f, 1.0f, 0.8f};
static const float src[4] = {0.75f, 0.25f, 0.5f, 0.5f};

static GLuint
shader(GLenum stage, const char *text)
{
   char log[1000];
   GLint ok = 0;
   GLuint s = glCreateShader(stage);
   glShaderSource(s, 1, &text, NULL);
   glCompileShader(s);
   glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      glGetShaderInfoLog(s, sizeof(log), NULL, log);
      printf("%s\n", log);
   }
   return s;
}

static GLuint
create_program(void)
{
   GLuint p = glCreateProgram();
   glAttachShader(p, shader(GL_VERTEX_SHADER,
      "#version 330\n"
      "void main() {\n"
      "   gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);\n"
      "}\n"));
   glAttachShader(p, shader(GL_FRAGMENT_SHADER,
      "#version 330\n"
      "#extension GL_KHR_blend_equation_advanced : require\n"
      "layout(blend_support_all_equations) out;\n"
      "uniform vec4 color;\n"
      "layout(location = 0) out vec4 result;\n"
      "void main() { result = color; }\n"));
   glLinkProgram(p);
   return p;
}

static GLuint
create_framebuffer(unsigned samples)
{
   GLuint fbo, rb;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   if (samples > 1)
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, SIZE, SIZE);
   else
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
   return fbo;
}

static unsigned
check(unsigned samples, unsigned e, GLuint fbo, GLuint resolved)
{
   unsigned char px[4];
   unsigned failures = 0;
   const float s_only = src[3] * (1 - dst[3]), d_only = dst[3] * (1 - src[3]), both = src[3] * dst[3];

   glBindFramebuffer(GL_READ_FRAMEBUFFER, fbo);
   if (samples > 1) {
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved);
   }
   glReadPixels(SIZE / 2, SIZE / 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
   for (unsigned c = 0; c < 4; c++) {
      float want = c == 3 ? s_only + d_only + both
                          : equations[e].f(src[c], dst[c]) * both + src[c] * s_only + dst[c] * d_only;
      if (fabsf(px[c] - want * 255) > 2) {
         printf("%s, %u samples, component %u: %u, expected %.1f\n", equations[e].name, samples, c, px[c], want * 255);
         failures++;
      }
   }
   return failures;
}

int
main(void)
{
   unsigned failures = 0;

   if (!surfaceless_context(surfaceless_display(), NULL)) {
      printf("no context\n");
      return 1;
   }
   GLuint program = create_program();
   GLint color = glGetUniformLocation(program, "color");
   glUseProgram(program);
   glViewport(0, 0, SIZE, SIZE);
   GLuint resolved = create_framebuffer(1);
   for (unsigned samples = 1; samples <= 4; samples *= 4) {
      GLuint fbo = create_framebuffer(samples);
      for (unsigned e = 0; e < NUM_EQUATIONS; e++) {
         glBindFramebuffer(GL_FRAMEBUFFER, fbo);
         glClearColor(dst[0] * dst[3], dst[1] * dst[3], dst[2] * dst[3], dst[3]);
         glClear(GL_COLOR_BUFFER_BIT);
         glBlendBarrierKHR();
         glEnable(GL_BLEND);
         glBlendEquation(equations[e].equation);
         glUniform4f(color, src[0] * src[3], src[1] * src[3], src[2] * src[3], src[3]);
         glDrawArrays(GL_TRIANGLES, 0, 3);
         glDisable(GL_BLEND);
         failures += check(samples, e, fbo, resolved);
      }
   }
   GLenum error = glGetError();
   if (error)
      printf("GL error 0x%x\n", error);
   return failures || error ? 1 : 0;
}
