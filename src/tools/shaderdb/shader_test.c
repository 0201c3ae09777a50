/* SPDX-License-Identifier: MIT */
/* Sections of a shader_test: [require] gives the version of shaders that have
 * none, [STAGE shader] their text; a stage may come in several pieces, of which
 * the first is taken. */
#include "shader_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const headings[TEST_STAGES] = {
   "[vertex shader]", "[tessellation control shader]", "[tessellation evaluation shader]",
   "[geometry shader]", "[fragment shader]", "[compute shader]",
};

static char *
read_file(const char *path)
{
   FILE *f = fopen(path, "rb");
   char *text = NULL;
   long size;
   if (!f)
      return NULL;
   if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET) && (text = malloc(size + 1))) {
      size = fread(text, 1, size, f);
      text[size] = 0;
   }
   fclose(f);
   return text;
}

/* The text between `from` and `to`, with a version in front when it has none. */
static char *
section(const char *from, const char *to, unsigned version)
{
   size_t size = to - from, room = size + 32;
   char *text = malloc(room), *copy = malloc(size + 1);
   if (!text || !copy) {
      free(text);
      free(copy);
      return NULL;
   }
   memcpy(copy, from, size);
   copy[size] = 0;
   if (strstr(copy, "#version"))
      strcpy(text, copy);
   else
      snprintf(text, room, "#version %u\n%s", version, copy);
   free(copy);
   return text;
}

static void
requirement(struct shader_test *test, const char *line, unsigned *version)
{
   unsigned major, minor;
   if (sscanf(line, "GLSL >= %u.%u", &major, &minor) == 2)
      *version = major * 100 + minor;
   if (!strncmp(line, "GLSL ES", 7) || !strncmp(line, "GL ES", 5) || !strncmp(line, "SPIRV", 5))
      test->foreign = true;
   if (!strncmp(line, "GL CORE", 7))
      test->core = true;
}

static void
take(struct shader_test *test, unsigned stage, const char *from, const char *to, unsigned version)
{
   if (!test->text[stage])
      test->text[stage] = section(from, to, version);
   if (test->text[stage] && strstr(test->text[stage], " es\n"))
      test->foreign = true;
}

bool
shader_test_read(const char *path, struct shader_test *test)
{
   static const char passthrough[] = "[vertex shader passthrough]";
   char *all = read_file(path);
   unsigned version = 110, stage = TEST_STAGES;
   const char *start = NULL;
   memset(test, 0, sizeof(*test));
   if (!all)
      return false;
   for (const char *line = all, *next; *line; line = next) {
      next = strchr(line, '\n');
      next = next ? next + 1 : line + strlen(line);
      if (line[0] != '[') {
         if (!start)
            requirement(test, line, &version);
         continue;
      }
      if (stage < TEST_STAGES)
         take(test, stage, start, line, version);
      stage = TEST_STAGES;
      for (unsigned i = 0; i < TEST_STAGES; i++) {
         if (!strncmp(line, headings[i], strlen(headings[i])))
            stage = i;
      }
      start = strncmp(line, "[require]", 9) ? next : NULL;
      if (!strncmp(line, passthrough, sizeof(passthrough) - 1)) {
         const char *text = version >= 140 ? "in vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n"
                                           : "attribute vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n";
         take(test, TEST_VERTEX, text, text + strlen(text), version);
      } else if (stage == TEST_STAGES && (strstr(line, "program]") || strstr(line, "spirv"))) {
         test->foreign |= strstr(line, "program]") > line && strstr(line, "program]") < next;
         test->foreign |= strstr(line, "spirv") > line && strstr(line, "spirv") < next;
      }
      if (!strncmp(line, "[test]", 6))
         break;
   }
   if (stage < TEST_STAGES)
      take(test, stage, start, start + strlen(start), version);
   free(all);
   return true;
}

void
shader_test_free(struct shader_test *test)
{
   for (unsigned i = 0; i < TEST_STAGES; i++)
      free(test->text[i]);
}
