/* SPDX-License-Identifier: MIT */
/* tgsiamd-workload: one kind of drawing over and over, without a window system
 * (EGL surfaceless), for `./tgsiamd bench`. Prints how many items it did and in
 * how many seconds; items are pixels, texels or draws. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../surfaceless.h"

#define SIZE    1024
#define TEXTURE 512

struct workload {
   const char *name, *item;
   const char *fragment;
   double per_draw;     /* items */
   bool degenerate;     /* all vertices at one place: no pixel */
};

static const char vertex[] =
   "#version 120\n"
   "attribute vec2 position;\n"
   "uniform vec2 scale;\n"
   "varying vec2 at;\n"
   "void main() { at = position * 0.5 + 0.5; gl_Position = vec4(position * scale, 0.0, 1.0); }\n";

static const struct workload workloads[] = {
   { "fill", "pixels", "#version 120\nvarying vec2 at;\nvoid main() { gl_FragColor = vec4(at, 0.5, 1.0); }\n",
     (double)SIZE * SIZE, false },
   { "bilinear", "texels",
     "#version 120\nvarying vec2 at;\nuniform sampler2D image;\nvoid main() { gl_FragColor = texture2D(image, at); }\n",
     (double)SIZE * SIZE, false },
   { "empty", "draws", "#version 120\nvarying vec2 at;\nvoid main() { gl_FragColor = vec4(at, 0.5, 1.0); }\n", 1, true },
};

static bool create_framebuffer(void)
{
   GLuint fbo, color;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   glViewport(0, 0, SIZE, SIZE);
   return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool compile(GLuint program, GLenum stage, const char *text)
{
   GLuint shader = glCreateShader(stage);
   GLint ok;
   glShaderSource(shader, 1, &text, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   glAttachShader(program, shader);
   return ok;
}

static bool create_scene(const struct workload *w)
{
   static const float corners[8] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   static unsigned char image[TEXTURE * TEXTURE * 4];
   GLuint program = glCreateProgram(), buffer, texture;
   GLint ok;

   if (!compile(program, GL_VERTEX_SHADER, vertex) || !compile(program, GL_FRAGMENT_SHADER, w->fragment))
      return false;
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok)
      return false;
   glUseProgram(program);
   glUniform2f(glGetUniformLocation(program, "scale"), !w->degenerate, !w->degenerate);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   for (unsigned i = 0; i < sizeof(image); i++)
      image[i] = (unsigned char)(i * 2654435761u >> 24);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE, TEXTURE, 0, GL_RGBA, GL_UNSIGNED_BYTE, image);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   return true;
}

static void draw(unsigned num)
{
   for (unsigned i = 0; i < num; i++)
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glFinish();
}

int main(int argc, char **argv)
{
   const struct workload *w = NULL;
   struct timespec start, end;
   unsigned num = argc == 3 ? (unsigned)atoi(argv[2]) : 0;

   for (unsigned i = 0; argc == 3 && i < sizeof(workloads) / sizeof(workloads[0]); i++)
      if (!strcmp(argv[1], workloads[i].name))
         w = &workloads[i];
   if (!w || !num) {
      fprintf(argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr,
              "usage: tgsiamd-workload fill|bilinear|empty DRAWS\n"
              "  fill      a quad of %dx%d pixels with an interpolated colour\n"
              "  bilinear  the same with a %dx%d RGBA8 texture, linear filter\n"
              "  empty     a quad without area\n", SIZE, SIZE, TEXTURE, TEXTURE);
      return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
   }
   if (!surfaceless_context(surfaceless_display(), NULL) || !create_framebuffer() || !create_scene(w)) {
      fputs("workload: no OpenGL context with a framebuffer, or a shader does not compile\n", stderr);
      return 1;
   }
   draw(1); /* compiles, allocates */
   clock_gettime(CLOCK_MONOTONIC, &start);
   draw(num);
   clock_gettime(CLOCK_MONOTONIC, &end);
   if (glGetError()) {
      fputs("workload: OpenGL reports an error\n", stderr);
      return 1;
   }
   printf("%.0f %s in %.6f s\n", num * w->per_draw, w->item,
          (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9);
   return 0;
}
