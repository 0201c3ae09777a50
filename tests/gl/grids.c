/* SPDX-License-Identifier: MIT */
/* Compute grids between draws, where a driver may wait for too little: a grid that
 * samples what is still bound for drawing, a target that a grid has yet to read, a
 * buffer that a grid wrote, copied; and slices of 3D textures as 2D images. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../src/tools/surfaceless.h"

#define SIZE 64

static unsigned failures;

/* Groups of 8x8 threads; p is the thread's place. */
static GLuint
create_grid(const char *declarations, const char *body)
{
   char text[2000], log[1000] = "";
   const char *texts[1] = {text};
   GLuint p = glCreateProgram(), s = glCreateShader(GL_COMPUTE_SHADER);

   snprintf(text, sizeof(text),
            "#version 330\n#extension GL_ARB_compute_shader : require\n"
            "#extension GL_ARB_shader_storage_buffer_object : require\n"
            "#extension GL_ARB_shader_image_load_store : require\n"
            "#extension GL_ARB_shading_language_420pack : require\n"
            "#extension GL_ARB_shading_language_packing : require\n"
            "layout(local_size_x = 8, local_size_y = 8) in;\n%s\n"
            "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n%s }\n",
            declarations, body);
   glShaderSource(s, 1, texts, NULL);
   glCompileShader(s);
   glGetShaderInfoLog(s, sizeof(log), NULL, log);
   printf("%s", log);
   glAttachShader(p, s);
   glLinkProgram(p);
   return p;
}

static void
run_grid(GLuint program)
{
   glUseProgram(program);
   glDispatchCompute(SIZE / 8, SIZE / 8, 1);
}

static void
expect(const unsigned *got, unsigned first, unsigned step, const char *what)
{
   GLenum error = glGetError();

   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      if (got[i] != first + i * step || error) {
         printf("%s: word %u is %08x, expected %08x; GL error 0x%x\n", what, i, got[i], first + i * step, error);
         failures++;
         return;
      }
   }
}

static GLuint
create_buffer(GLuint unit)
{
   GLuint buf;

   glGenBuffers(1, &buf);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buf);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 4 * SIZE * SIZE, NULL, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, unit, buf);
   return buf;
}

static void
expect_buffer(GLuint buf, unsigned first, unsigned step, const char *what)
{
   unsigned words[SIZE * SIZE];

   glBindBuffer(GL_COPY_READ_BUFFER, buf);
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof(words), words);
   expect(words, first, step, what);
}

/* No feedback loop, as a grid draws nothing; and no barrier, as nothing is written
 * by shaders. Then the target is cleared while the grid may still read it. */
static void
test_target(void)
{
   GLuint tex, fbo, buf[2] = {create_buffer(0), create_buffer(1)};
   GLuint program = create_grid("uniform sampler2D tex; uniform int first;\n"
                                "layout(std430, binding = 0) buffer A { uint a[]; };\n"
                                "layout(std430, binding = 1) buffer B { uint b[]; };\n",
                                "uint c = packUnorm4x8(texelFetch(tex, p, 0));\n"
                                "if (first == 1) a[p.y * 64 + p.x] = c; else b[p.y * 64 + p.x] = c;\n");

   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_2D, tex);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tex, 0);
   for (unsigned i = 0; i < 2; i++) {
      glClearColor(i, 1, 0, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      glUseProgram(program);
      glUniform1i(glGetUniformLocation(program, "first"), !i);
      run_grid(program);
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   expect_buffer(buf[0], 0xff00ff00, 0, "a bound target, sampled");
   expect_buffer(buf[1], 0xff00ffff, 0, "a bound target, sampled once more");
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void
test_copy(void)
{
   GLuint src = create_buffer(0), dst = create_buffer(1);
   GLuint program = create_grid("layout(std430, binding = 0) buffer A { uint a[]; };\n"
                                "layout(std430, binding = 1) buffer B { uint b[]; };\n",
                                "int i = p.y * 64 + p.x; b[i] = 1u; a[i] = 7u + uint(i);\n");

   run_grid(program);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glBindBuffer(GL_COPY_READ_BUFFER, src);
   glBindBuffer(GL_COPY_WRITE_BUFFER, dst);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 4 * SIZE * SIZE);
   expect_buffer(dst, 7, 1, "a copy of what a grid wrote over what it wrote");
}

static void
test_slices(void)
{
   static unsigned words[5][SIZE * SIZE];
   GLuint tex, program = create_grid("layout(r32ui) uniform uimage2D img; uniform int slice;\n",
                                     "imageStore(img, p, uvec4(1000 * slice + p.y * 64 + p.x));\n");
   GLuint reader = create_grid("layout(r32ui) uniform uimage2D img;\n"
                               "layout(std430, binding = 0) buffer A { uint a[]; };\n",
                               "a[p.y * 64 + p.x] = imageLoad(img, p).x + imageAtomicAdd(img, p, 1u);\n");
   GLuint buf = create_buffer(0);

   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_3D, tex);
   glTexImage3D(GL_TEXTURE_3D, 0, GL_R32UI, SIZE, SIZE, 5, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
   for (unsigned i = 0; i < 5; i++) {
      glBindImageTexture(0, tex, 0, GL_FALSE, i, GL_READ_WRITE, GL_R32UI);
      glUseProgram(program);
      glUniform1i(glGetUniformLocation(program, "slice"), i);
      run_grid(program);
   }
   glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
   glBindImageTexture(0, tex, 0, GL_FALSE, 3, GL_READ_WRITE, GL_R32UI);
   run_grid(reader);
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
   expect_buffer(buf, 6000, 2, "slice 3, loaded");
   glGetTexImage(GL_TEXTURE_3D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
   for (unsigned i = 0; i < 5; i++)
      expect(words[i], 1000 * i + (i == 3), 1, "a slice, stored");
}

int
main(void)
{
   if (!surfaceless_context(surfaceless_display(), NULL) ||
       !strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_compute_shader")) {
      printf("no context with compute shaders\n");
      return 1;
   }
   test_target();
   test_copy();
   test_slices();
   return failures ? 1 : 0;
}
