/* SPDX-License-Identifier: MIT */
/* A program that asks for what the driver does not have gets OpenGL's errors,
 * and everything else goes on: a picture drawn afterwards is right. The errors
 * are those of the OpenGL specification. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../src/tools/surfaceless.h"

static int failures;

static void
expect(GLenum wanted, const char *what)
{
   GLenum error = glGetError();
   if (error != wanted) {
      printf("%s: GL error 0x%x, expected 0x%x\n", what, error, wanted);
      failures++;
   }
}

static bool
has_extension(const char *name)
{
   const char *all = (const char *)glGetString(GL_EXTENSIONS);
   size_t n = strlen(name);
   for (const char *at = all; at && (at = strstr(at, name)); at += n) {
      if (at[n] == ' ' || !at[n])
         return true;
   }
   return false;
}

/* Shaders and formats of extensions that are not there. */
static void
ask_for_too_much(void)
{
   if (!has_extension("GL_ARB_tessellation_shader")) {
      if (glCreateShader(GL_TESS_CONTROL_SHADER))
         failures++;
      expect(GL_INVALID_ENUM, "a tessellation shader");
   }
   GLuint tex;
   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_2D, tex);
   if (!has_extension("GL_KHR_texture_compression_astc_ldr")) {
      static const char block[16];
      glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_ASTC_4x4_KHR, 4, 4, 0, sizeof(block), block);
      expect(GL_INVALID_ENUM, "an ASTC texture");
   }
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1 << 20, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   expect(GL_INVALID_VALUE, "a texture larger than any");
   glDeleteTextures(1, &tex);

   GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
   const char *text = "#version 990\nvoid main() {}\n";
   GLint ok = 1;
   glShaderSource(shader, 1, &text, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   expect(GL_NO_ERROR, "a shader of an unknown version");
   if (ok) {
      printf("a shader of GLSL 9.90 compiles\n");
      failures++;
   }
   glDeleteShader(shader);
}

/* Clear and a scissored clear: the left half red, the right half green. */
static void
draw_and_check(void)
{
   GLuint fbo, rb;
   unsigned char px[8];
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 64, 64);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
   glViewport(0, 0, 64, 64);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glColor4f(0, 1, 0, 1);
   glRectf(0, -1, 1, 1);
   glReadPixels(31, 32, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, px);
   expect(GL_NO_ERROR, "a draw after all the errors");
   if (memcmp(px, "\xff\0\0\xff\0\xff\0\xff", 8)) {
      printf("the picture is wrong after the errors\n");
      failures++;
   }
}

int
main(void)
{
   if (!surfaceless_context(surfaceless_display(), NULL)) {
      printf("no context\n");
      return 1;
   }
   printf("%s\n", glGetString(GL_RENDERER));
   ask_for_too_much();
   draw_and_check();
   return failures ? 1 : 0;
}
