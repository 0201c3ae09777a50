/* SPDX-License-Identifier: MIT */
/* GL_AMD_framebuffer_multisample_advanced: coverage with more samples than
 * depth or colour have, against a picture with as many of each. Two triangles
 * that intersect; a pixel seldom shows more than two surfaces, so what fewer
 * fragments lose is known: nothing with four, one sample of a few pixels with
 * two. Places of samples differ between 8 and 16, so only the size of the
 * difference is looked at there. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/tools/surfaceless.h"

#define DIM 64

typedef void (*storage_fn)(GLenum target, GLsizei samples, GLsizei storage_samples, GLenum format, GLsizei w, GLsizei h);
static storage_fn storage;
typedef GLubyte picture[DIM * DIM][4];

static void triangle(const GLfloat v[3][3], const GLubyte color[3])
{
   glColor3ubv(color);
   glBegin(GL_TRIANGLES);
   for (unsigned i = 0; i < 3; i++)
      glVertex3fv(v[i]);
   glEnd();
}

/* False, and a line, when the driver does not take it. */
static int render(const int samples[3], picture out)
{
   static const GLfloat a[3][3] = { { -0.8f, -0.7f, 0 }, { 0.9f, -0.3f, 0 }, { -0.1f, 0.9f, 0 } };
   static const GLfloat b[3][3] = { { -0.3f, -0.9f, 0.5f }, { 0.95f, 0.8f, -0.5f }, { 0.2f, -0.8f, 0.5f } };
   static const GLubyte green[3] = { 0, 255, 0 }, blue[3] = { 0, 0, 255 };
   GLuint fb[2], rb[3];
   glGenFramebuffers(2, fb);
   glGenRenderbuffers(3, rb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
   storage(GL_RENDERBUFFER, samples[0], samples[2], GL_RGBA8, DIM, DIM);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
   storage(GL_RENDERBUFFER, samples[1], samples[1], GL_DEPTH_COMPONENT24, DIM, DIM);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb[1]);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      printf("%d samples, depth %d, colour %d: incomplete\n", samples[0], samples[1], samples[2]);
      return 0;
   }
   glViewport(0, 0, DIM, DIM);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   triangle(a, green);
   triangle(b, blue);
   glBindRenderbuffer(GL_RENDERBUFFER, rb[2]);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, DIM, DIM);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, fb[1]);
   glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[2]);
   glBlitFramebuffer(0, 0, DIM, DIM, 0, 0, DIM, DIM, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, fb[1]);
   glReadPixels(0, 0, DIM, DIM, GL_RGBA, GL_UNSIGNED_BYTE, out);
   glDeleteFramebuffers(2, fb);
   glDeleteRenderbuffers(3, rb);
   return glGetError() == GL_NO_ERROR;
}

int main(void)
{
   /* samples, of depth, of colour; what it is compared with; pixels that may
    * differ, and by how much */
   static const struct { int n[3], with[3]; unsigned pixels, by; } cases[] = {
      { { 8, 8, 4 }, { 8, 8, 8 }, 0, 0 },   { { 8, 8, 2 }, { 8, 8, 8 }, 8, 64 },   { { 8, 4, 4 }, { 8, 8, 8 }, 16, 64 },
      { { 8, 4, 2 }, { 8, 8, 8 }, 24, 64 }, { { 4, 4, 2 }, { 4, 4, 4 }, 8, 86 },   { { 16, 8, 8 }, { 8, 8, 8 }, 400, 64 },
      { { 16, 8, 4 }, { 8, 8, 8 }, 400, 64 },
   };
   static picture got, want;
   int failures = 0;
   if (!surfaceless_context(surfaceless_display(), NULL))
      return 1;
   storage = (storage_fn)eglGetProcAddress("glRenderbufferStorageMultisampleAdvancedAMD");
   if (!storage || !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_AMD_framebuffer_multisample_advanced")) {
      printf("the extension is missing\n");
      return 1;
   }
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      unsigned pixels = 0, by = 0;
      if (!render(cases[k].with, want) || !render(cases[k].n, got))
         return 1;
      for (unsigned i = 0; i < DIM * DIM; i++) {
         unsigned most = 0;
         for (unsigned c = 0; c < 4; c++) {
            const unsigned d = (unsigned)abs(got[i][c] - want[i][c]);
            most = d > most ? d : most;
         }
         pixels += most > 0;
         by = most > by ? most : by;
      }
      const int ok = pixels <= cases[k].pixels && by <= cases[k].by;
      printf("%s %2d samples, depth %d, colour %d: %u pixels differ, by %u at most\n", ok ? "ok  " : "FAIL", cases[k].n[0],
             cases[k].n[1], cases[k].n[2], pixels, by);
      failures += !ok;
   }
   return failures != 0;
}
