/* SPDX-License-Identifier: MIT */
/* tgsiamd-shaderdb: links the shaders of shader_test files and draws with each
 * program once, for `./tgsiamd bench compile`. Says which could be done; with
 * --stats also the numbers that the driver reports for every program that it
 * compiles (KHR_debug, the lines that Mesa's shader-db reads). --repeat N does
 * each N times, every time with a new program: for measurements. --times says
 * what the median of these took in CPU time of all threads, without the part
 * that has no driver in it (glCompileShader). --values gives uniforms values and
 * samplers a texture, for draws that are executed. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../surfaceless.h"
#include "shader_test.h"

#define SIZE 16
#define MAX_ATTRIBUTES 16
#define ATTRIBUTE_BYTES 32 /* 4 doubles */

static const GLenum gl_stages[TEST_STAGES] = {
   GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
   GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER, GL_COMPUTE_SHADER,
};

static void GLAPIENTRY
message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text, const void *data)
{
   (void)source, (void)type, (void)id, (void)severity, (void)length, (void)data;
   if (!strncmp(text, "Shader Stats:", 13))
      printf("   %s\n", text);
}

static bool
create_context(bool debug)
{
   const EGLint attributes[] = { debug ? EGL_CONTEXT_FLAGS_KHR : EGL_NONE, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR, EGL_NONE };
   if (!surfaceless_context(surfaceless_display(), attributes))
      return false;
   if (debug) {
      glEnable(GL_DEBUG_OUTPUT);
      glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
      glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
      glDebugMessageCallback(message, NULL);
   }
   return true;
}

static bool
create_target(void)
{
   static const float positions[3][4] = { { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 } };
   static float vertices[3][MAX_ATTRIBUTES][2][4];
   GLuint fbo, color, buffer;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   glViewport(0, 0, SIZE, SIZE);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   for (unsigned i = 0; i < 3 * MAX_ATTRIBUTES * 2; i++)
      memcpy(vertices[i / (MAX_ATTRIBUTES * 2)][i / 2 % MAX_ATTRIBUTES][i % 2],
             positions[i / (MAX_ATTRIBUTES * 2)], sizeof(positions[0]));
   glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
   return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static double
cpu_seconds(clockid_t clock)
{
   struct timespec t;
   clock_gettime(clock, &t);
   return t.tv_sec + t.tv_nsec / 1e9;
}

static double compiling; /* seconds of this thread in glCompileShader */

/* NULL or why there is no program. */
static const char *
link_program(const struct shader_test *test, GLuint program)
{
   GLint ok;
   for (unsigned i = 0; i < TEST_STAGES; i++) {
      if (!test->text[i])
         continue;
      GLuint shader = glCreateShader(gl_stages[i]);
      if (!shader)
         return "no such stage";
      glShaderSource(shader, 1, (const GLchar *const *)&test->text[i], NULL);
      compiling -= cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
      glCompileShader(shader);
      compiling += cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      glAttachShader(program, shader);
      glDeleteShader(shader);
      if (!ok)
         return "does not compile";
   }
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   return ok ? NULL : "does not link";
}

/* Locations that one element of the type takes. */
static unsigned
count_columns(GLenum type)
{
   switch (type) {
   case GL_FLOAT_MAT2: case GL_FLOAT_MAT2x3: case GL_FLOAT_MAT2x4:
   case GL_DOUBLE_MAT2: case GL_DOUBLE_MAT2x3: case GL_DOUBLE_MAT2x4:
      return 2;
   case GL_FLOAT_MAT3: case GL_FLOAT_MAT3x2: case GL_FLOAT_MAT3x4:
   case GL_DOUBLE_MAT3: case GL_DOUBLE_MAT3x2: case GL_DOUBLE_MAT3x4:
      return 3;
   case GL_FLOAT_MAT4: case GL_FLOAT_MAT4x2: case GL_FLOAT_MAT4x3:
   case GL_DOUBLE_MAT4: case GL_DOUBLE_MAT4x2: case GL_DOUBLE_MAT4x3:
      return 4;
   default:
      return 1;
   }
}

static void
set_pointer(GLuint location, GLenum type)
{
   const GLsizei stride = MAX_ATTRIBUTES * ATTRIBUTE_BYTES;
   const void *offset = (const void *)(uintptr_t)(location * ATTRIBUTE_BYTES);
   switch (type) {
   case GL_INT: case GL_INT_VEC2: case GL_INT_VEC3: case GL_INT_VEC4:
      glVertexAttribIPointer(location, 4, GL_INT, stride, offset);
      break;
   case GL_UNSIGNED_INT: case GL_UNSIGNED_INT_VEC2: case GL_UNSIGNED_INT_VEC3: case GL_UNSIGNED_INT_VEC4:
      glVertexAttribIPointer(location, 4, GL_UNSIGNED_INT, stride, offset);
      break;
   case GL_DOUBLE: case GL_DOUBLE_VEC2: case GL_DOUBLE_VEC3: case GL_DOUBLE_VEC4:
   case GL_DOUBLE_MAT2: case GL_DOUBLE_MAT2x3: case GL_DOUBLE_MAT2x4:
   case GL_DOUBLE_MAT3: case GL_DOUBLE_MAT3x2: case GL_DOUBLE_MAT3x4:
   case GL_DOUBLE_MAT4: case GL_DOUBLE_MAT4x2: case GL_DOUBLE_MAT4x3:
      glVertexAttribLPointer(location, 4, GL_DOUBLE, stride, offset);
      break;
   default:
      glVertexAttribPointer(location, 4, GL_FLOAT, GL_FALSE, stride, offset);
      break;
   }
}

/* Those of fixed function, which have no location. */
static void
set_legacy(const char *name, bool enable)
{
   const GLsizei stride = MAX_ATTRIBUTES * ATTRIBUTE_BYTES;
   GLenum array = GL_VERTEX_ARRAY;
   unsigned unit = 0;
   if (!strcmp(name, "gl_Vertex")) {
      glVertexPointer(4, GL_FLOAT, stride, NULL);
   } else if (!strcmp(name, "gl_Normal")) {
      array = GL_NORMAL_ARRAY;
      glNormalPointer(GL_FLOAT, stride, (const void *)(1 * ATTRIBUTE_BYTES));
   } else if (!strcmp(name, "gl_Color")) {
      array = GL_COLOR_ARRAY;
      glColorPointer(4, GL_FLOAT, stride, (const void *)(2 * ATTRIBUTE_BYTES));
   } else if (sscanf(name, "gl_MultiTexCoord%u", &unit) == 1 && unit < 8) {
      array = GL_TEXTURE_COORD_ARRAY;
      glClientActiveTexture(GL_TEXTURE0 + unit);
      glTexCoordPointer(4, GL_FLOAT, stride, (const void *)(uintptr_t)((3 + unit) * ATTRIBUTE_BYTES));
   } else {
      return;
   }
   (enable ? glEnableClientState : glDisableClientState)(array);
}

/* Every attribute of the program has a place of its own in the buffer. */
static void
enable_attributes(GLuint program, bool enable)
{
   GLint count;
   glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
   for (GLint i = 0; i < count; i++) {
      char name[256];
      GLint size;
      GLenum type;
      glGetActiveAttrib(program, i, sizeof(name), NULL, &size, &type, name);
      GLint location = glGetAttribLocation(program, name);
      set_legacy(name, enable);
      for (GLuint n = location < 0 ? 0 : size * count_columns(type); n-- && location < MAX_ATTRIBUTES; location++) {
         set_pointer(location, type);
         (enable ? glEnableVertexAttribArray : glDisableVertexAttribArray)(location);
      }
   }
}

static const char *
draw(const struct shader_test *test, GLuint program)
{
   GLint prim = GL_TRIANGLES;
   while (glGetError())
      ;
   glUseProgram(program);
   if (test->text[TEST_COMPUTE]) {
      glDispatchCompute(1, 1, 1);
   } else {
      if (test->text[TEST_GEOMETRY])
         glGetProgramiv(program, GL_GEOMETRY_INPUT_TYPE, &prim);
      enable_attributes(program, true);
      glDrawArrays(prim, 0, 3);
      enable_attributes(program, false);
   }
   glUseProgram(0);
   return glGetError() ? "does not draw" : NULL;
}

/* Matrices that change nothing, four rounds for loops, conditions that hold:
 * so that programs do their work. Textures all come from unit 0. */
static void
set_uniforms(GLuint program)
{
   enum { MAX = 128 };
   GLfloat halves[4 * MAX];
   GLint ints[4 * MAX], count;
   for (unsigned i = 0; i < 4 * MAX; i++) {
      halves[i] = 0.5f;
      ints[i] = 4;
   }
   static const GLfloat identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
   static const GLfloat identity3[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
   glUseProgram(program);
   glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
   for (GLint i = 0; i < count; i++) {
      char name[256];
      GLint size;
      GLenum type;
      glGetActiveUniform(program, i, sizeof(name), NULL, &size, &type, name);
      GLint location = glGetUniformLocation(program, name), n = size < MAX ? size : MAX;
      if (location < 0)
         continue;
      switch (type) {
      case GL_FLOAT: glUniform1fv(location, n, halves); break;
      case GL_FLOAT_VEC2: glUniform2fv(location, n, halves); break;
      case GL_FLOAT_VEC3: glUniform3fv(location, n, halves); break;
      case GL_FLOAT_VEC4: glUniform4fv(location, n, halves); break;
      case GL_INT: case GL_BOOL: glUniform1iv(location, n, ints); break;
      case GL_INT_VEC2: case GL_BOOL_VEC2: glUniform2iv(location, n, ints); break;
      case GL_INT_VEC3: case GL_BOOL_VEC3: glUniform3iv(location, n, ints); break;
      case GL_INT_VEC4: case GL_BOOL_VEC4: glUniform4iv(location, n, ints); break;
      case GL_FLOAT_MAT3: glUniformMatrix3fv(location, 1, GL_FALSE, identity3); break;
      case GL_FLOAT_MAT4: glUniformMatrix4fv(location, 1, GL_FALSE, identity); break;
      default: break;
      }
   }
   glUseProgram(0);
}

static void
create_texture(void)
{
   static const GLubyte texels[4][4] = { { 255, 0, 0, 255 }, { 0, 255, 0, 128 }, { 0, 0, 255, 64 }, { 255, 255, 255, 0 } };
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

static unsigned repeat = 1;
static bool values, times;

static int
by_value(const void *x, const void *y)
{
   const double a = *(const double *)x, b = *(const double *)y;
   return a < b ? -1 : a > b;
}

static double
median(double *list, unsigned n)
{
   qsort(list, n, sizeof(*list), by_value);
   return (list[(n - 1) / 2] + list[n / 2]) / 2;
}

static void
run(const char *path)
{
   struct shader_test test;
   const char *why = NULL;
   printf("%s\n", path);
   fflush(stdout); /* a crash shows where */
   if (!shader_test_read(path, &test)) {
      printf("   cannot be read\n");
      return;
   }
   bool graphics = test.text[TEST_FRAGMENT] || test.text[TEST_VERTEX];
   if (test.foreign || !(graphics || test.text[TEST_COMPUTE]))
      why = "no GLSL program";
   else if (test.core || test.text[TEST_TESS_CONTROL] || test.text[TEST_TESS_EVAL])
      why = "needs more than this tool sets up";
   double start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), *took = calloc(repeat + 1, sizeof(*took));
   if (!took)
      abort();
   for (unsigned i = 0; i < repeat && !why; i++) {
      compiling = 0;
      GLuint program = glCreateProgram();
      why = link_program(&test, program);
      if (!why && values)
         set_uniforms(program);
      if (!why)
         why = draw(&test, program);
      glDeleteProgram(program);
      if (times)
         glFinish();
      double end = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
      took[i] = end - start - compiling;
      start = end;
   }
   if (times && !why && repeat)
      printf("   %.1f us\n", median(took, repeat) * 1e6);
   printf("   %s\n", why ? why : "ok");
   free(took);
   shader_test_free(&test);
}

int
main(int argc, char **argv)
{
   bool stats = false;
   int first = 1;
   for (; first < argc && !strncmp(argv[first], "--", 2) && strcmp(argv[first], "--help"); first++) {
      if (!strcmp(argv[first], "--stats"))
         stats = true;
      else if (!strcmp(argv[first], "--values"))
         values = true;
      else if (!strcmp(argv[first], "--times"))
         times = true;
      else if (!strcmp(argv[first], "--repeat") && first + 1 < argc)
         repeat = strtoul(argv[++first], NULL, 10);
      else
         break;
   }
   if (first == argc || !strncmp(argv[first], "--", 2)) {
      bool help = first < argc && !strcmp(argv[first], "--help");
      fprintf(help ? stdout : stderr,
              "usage: tgsiamd-shaderdb [--stats] [--times] [--values] [--repeat N] FILE.shader_test... (@LIST: names in a file)\n");
      return help ? 0 : 2;
   }
   if (!create_context(stats) || !create_target()) {
      fprintf(stderr, "tgsiamd-shaderdb: no OpenGL context\n");
      return 1;
   }
   if (values)
      create_texture();
   for (int i = first; i < argc; i++) {
      char line[4096];
      FILE *f;
      if (argv[i][0] != '@') {
         run(argv[i]);
      } else if (!(f = fopen(argv[i] + 1, "r"))) {
         perror(argv[i] + 1);
         return 1;
      } else {
         while (fgets(line, sizeof(line), f)) {
            line[strcspn(line, "\n")] = 0;
            if (line[0])
               run(line);
         }
         fclose(f);
      }
   }
   glFinish();
   return 0;
}
