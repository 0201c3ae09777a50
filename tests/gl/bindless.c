/* SPDX-License-Identifier: MIT */
/* Handles of ARB_bindless_texture where a driver may go wrong: two contexts that
 * share one, a sampler's border colour in the other context, a buffer texture whose
 * contents are thrown away while the GPU reads them, a texture that is rendered to
 * between two reads, and handles that go and come while work is under way. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../src/tools/surfaceless.h"

#define SIZE 16

static EGLDisplay dpy;
static EGLContext contexts[2];
static GLuint program[2]; /* 2D, buffer */
static GLuint fbo[2];
static unsigned failures;

static bool
create_contexts(void)
{
   dpy = surfaceless_display();
   if (!dpy)
      return false;
   for (unsigned i = 0; i < 2; i++)
      contexts[i] = eglCreateContext(dpy, NULL, i ? contexts[0] : EGL_NO_CONTEXT, NULL);
   return contexts[0] && contexts[1];
}

static GLuint
create_program(const char *fetch)
{
   static const char vs[] =
      "#version 330\n"
      "void main() {\n"
      "   gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);\n"
      "}\n";
   char fs[1000], log[1000] = "";
   const char *texts[2] = {vs, fs};
   GLuint p = glCreateProgram();

   snprintf(fs, sizeof(fs),
            "#version 330\n#extension GL_ARB_bindless_texture : require\n"
            "layout(bindless_sampler) uniform %s;\nout vec4 color;\nvoid main() { color = %s; }\n",
            *fetch == 'b' ? "samplerBuffer tex" : "sampler2D tex", fetch + 1);
   for (unsigned i = 0; i < 2; i++) {
      GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
      glShaderSource(s, 1, &texts[i], NULL);
      glCompileShader(s);
      glGetShaderInfoLog(s, sizeof(log), NULL, log);
      printf("%s", log);
      glAttachShader(p, s);
   }
   glLinkProgram(p);
   return p;
}

static void
use_context(unsigned i)
{
   eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[i]);
   if (!fbo[i]) {
      GLuint rb;
      glGenFramebuffers(1, &fbo[i]);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[i]);
      glGenRenderbuffers(1, &rb);
      glBindRenderbuffer(GL_RENDERBUFFER, rb);
      glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
      glViewport(0, 0, SIZE, SIZE);
   }
}

static void
draw(GLuint p, GLuint64 handle)
{
   glUseProgram(p);
   glUniformHandleui64ARB(glGetUniformLocation(p, "tex"), handle);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
expect(unsigned rgba, const char *what)
{
   GLubyte px[4];
   GLenum error;

   glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
   error = glGetError();
   unsigned got = (unsigned)px[0] << 24 | px[1] << 16 | px[2] << 8 | px[3];
   if (got != rgba || error) {
      printf("%s: %08x, expected %08x; GL error 0x%x\n", what, got, rgba, error);
      failures++;
   }
}

static GLuint
create_texture(unsigned rgba)
{
   GLubyte texels[SIZE * SIZE][4];
   GLuint tex;

   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      for (unsigned c = 0; c < 4; c++)
         texels[i][c] = rgba >> (24 - 8 * c);
   }
   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_2D, tex);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   return tex;
}

/* Coordinates of the 2D program are beyond the texture: a border is seen. */
static void
test_contexts(void)
{
   const GLfloat border[4] = {1, 1, 1, 0}, other[4] = {0, 0, 0, 1}; /* there are only four */
   GLuint tex = create_texture(0xff0000ff), sampler[2];
   GLuint64 handle[2];

   glGenSamplers(2, sampler);
   for (unsigned i = 0; i < 2; i++) {
      glSamplerParameteri(sampler[i], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glSamplerParameteri(sampler[i], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glSamplerParameteri(sampler[i], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
   }
   glSamplerParameterfv(sampler[0], GL_TEXTURE_BORDER_COLOR, other);
   glSamplerParameterfv(sampler[1], GL_TEXTURE_BORDER_COLOR, border);
   for (unsigned i = 0; i < 2; i++)
      handle[i] = glGetTextureSamplerHandleARB(tex, sampler[i]);
   glMakeTextureHandleResidentARB(handle[1]);
   draw(program[0], handle[1]);
   expect(0xffffff00, "border colour, first context");
   glFlush();
   use_context(1);
   glMakeTextureHandleResidentARB(handle[1]);
   draw(program[0], handle[1]);
   expect(0xffffff00, "border colour, second context");
   glMakeTextureHandleNonResidentARB(handle[1]);
   use_context(0);
   glMakeTextureHandleNonResidentARB(handle[1]);
}

static void
test_buffer(void)
{
   static const GLubyte colors[2][4] = {{0, 255, 0, 255}, {0, 0, 255, 255}};
   GLuint buf, tex;

   glGenBuffers(1, &buf);
   glBindBuffer(GL_TEXTURE_BUFFER, buf);
   glBufferData(GL_TEXTURE_BUFFER, 4, colors[0], GL_DYNAMIC_DRAW);
   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_BUFFER, tex);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8, buf);
   GLuint64 handle = glGetTextureHandleARB(tex);
   glMakeTextureHandleResidentARB(handle);
   for (unsigned i = 0; i < 4; i++) {
      draw(program[1], handle);
      if (i % 2)
         expect(i == 1 ? 0x0000ffff : 0x00ff00ff, "a buffer with new contents");
      void *map = glMapBufferRange(GL_TEXTURE_BUFFER, 0, 4, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
      memcpy(map, colors[i == 0], 4);
      glUnmapBuffer(GL_TEXTURE_BUFFER);
      if (i == 1)
         glFlush();
   }
   glMakeTextureHandleNonResidentARB(handle);
}

static void
test_rendered(void)
{
   GLuint target, tex = create_texture(0x000000ff);
   GLuint64 handle;

   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   handle = glGetTextureHandleARB(tex);
   glMakeTextureHandleResidentARB(handle);
   glGenFramebuffers(1, &target);
   for (unsigned i = 0; i < 3; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, target);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tex, 0);
      glClearColor(i == 0, i == 1, i == 2, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      glBindFramebuffer(GL_FRAMEBUFFER, fbo[0]);
      draw(program[0], handle);
      expect(0xff000000u >> (8 * i) | 0xff, "a texture that was rendered to");
   }
   glMakeTextureHandleNonResidentARB(handle);
   glDeleteTextures(1, &tex);
}

/* Slots of handles that are gone may be used again, but not too early. */
static void
test_many(void)
{
   for (unsigned i = 0; i < 300; i++) {
      GLuint tex = create_texture(i << 24 | (~i & 0xff) << 16 | 0x80ff);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      GLuint64 handle = glGetTextureHandleARB(tex);
      glMakeTextureHandleResidentARB(handle);
      draw(program[0], handle);
      if (i % 37 == 0)
         expect(i << 24 | (~i & 0xff) << 16 | 0x80ff, "one of many");
      if (i % 50 == 0)
         glFlush();
      glDeleteTextures(1, &tex);
   }
   expect(299u << 24 | (~299u & 0xff) << 16 | 0x80ff, "the last of many");
}

int
main(void)
{
   if (!create_contexts()) {
      printf("no contexts\n");
      return 1;
   }
   use_context(0);
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_bindless_texture")) {
      printf("no bindless textures\n");
      return 1;
   }
   program[0] = create_program("2texture(tex, vec2(1.5, 0.5))");
   program[1] = create_program("btexelFetch(tex, 0)");
   test_contexts();
   test_buffer();
   test_rendered();
   test_many();
   return failures ? 1 : 0;
}
