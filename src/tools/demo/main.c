/* SPDX-License-Identifier: MIT */
/* tgsiamd-demo: renders the scene without a window system (EGL surfaceless)
 * and writes it as a PNG. Runs on any EGL driver. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "../png_file.h"
#include "../surfaceless.h"
#include "scene.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct options {
   const char *out;
   int width, height, frames;
   float seconds;
};

static void
usage(FILE *f)
{
   fputs("usage: tgsiamd-demo [--out FILE.png] [--size WxH] [--time SECONDS] [--frames N]\n"
         "Renders the demo scene through EGL (surfaceless) and writes a PNG.\n"
         "  --out FILE.png   picture to write (demo.png)\n"
         "  --size WxH       size in pixels (1024x768)\n"
         "  --time SECONDS   moment of the animation to show (1.0)\n"
         "  --frames N       render N frames a tenth of a second apart, keep the last (1)\n", f);
}

/* 0: go on, 1: exit with success, 2: exit with failure */
static int
parse_options(int argc, char **argv, struct options *o)
{
   static const struct option longs[] = {
      { "out", required_argument, NULL, 'o' },  { "size", required_argument, NULL, 's' },
      { "time", required_argument, NULL, 't' }, { "frames", required_argument, NULL, 'n' },
      { "help", no_argument, NULL, 'h' },       { 0 },
   };
   int c;
   while ((c = getopt_long(argc, argv, "o:s:t:n:h", longs, NULL)) != -1) {
      switch (c) {
      case 'o': o->out = optarg; break;
      case 's':
         if (sscanf(optarg, "%dx%d", &o->width, &o->height) != 2 || o->width < 1 || o->height < 1 ||
             o->width > 16384 || o->height > 16384) {
            fprintf(stderr, "demo: --size takes WxH with 1 to 16384 pixels a side, not '%s'\n", optarg);
            return 2;
         }
         break;
      case 't': o->seconds = strtof(optarg, NULL); break;
      case 'n': o->frames = atoi(optarg); break;
      case 'h': usage(stdout); return 1;
      default: usage(stderr); return 2;
      }
   }
   if (optind != argc || o->frames < 1) {
      usage(stderr);
      return 2;
   }
   return 0;
}

static bool
create_context(void)
{
   EGLDisplay dpy = surfaceless_display();
   if (!dpy) {
      fprintf(stderr, "demo: EGL finds no surfaceless display (error 0x%x); is Mesa's libEGL installed?\n",
              eglGetError());
      return false;
   }
   if (!surfaceless_context(dpy, NULL)) {
      fprintf(stderr, "demo: no OpenGL context (EGL error 0x%x)\n", eglGetError());
      return false;
   }
   return true;
}

static bool
create_framebuffer(int w, int h)
{
   GLuint fbo, color, depth;
   glGenFramebuffers(1, &fbo);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glGenRenderbuffers(1, &color);
   glBindRenderbuffer(GL_RENDERBUFFER, color);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, w, h);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
   glGenRenderbuffers(1, &depth);
   glBindRenderbuffer(GL_RENDERBUFFER, depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, w, h);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
   GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
   if (status != GL_FRAMEBUFFER_COMPLETE) {
      fprintf(stderr, "demo: the %dx%d framebuffer is not complete (0x%x)\n", w, h, status);
      return false;
   }
   return true;
}

static bool
render(const struct options *o)
{
   printf("GL_RENDERER: %s\nGL_VERSION:  %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
   struct scene *scene = create_framebuffer(o->width, o->height) ? scene_create() : NULL;
   if (!scene)
      return false;
   struct timespec start, end;
   clock_gettime(CLOCK_MONOTONIC, &start);
   for (int i = 0; i < o->frames; i++)
      scene_draw(scene, o->width, o->height, o->seconds + 0.1f * i);

   unsigned char *pixels = malloc((size_t)o->width * o->height * 4);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glReadPixels(0, 0, o->width, o->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   clock_gettime(CLOCK_MONOTONIC, &end);
   GLenum error = glGetError();
   if (error)
      fprintf(stderr, "demo: OpenGL reports error 0x%x\n", error);
   double seconds = (end.tv_sec - start.tv_sec) + (end.tv_nsec - start.tv_nsec) * 1e-9;
   printf("%d frame%s of %dx%d, %u triangles each, %.2f s\n", o->frames, o->frames > 1 ? "s" : "",
          o->width, o->height, scene_triangles(scene), seconds);

   bool ok = !error && png_file_write(o->out, o->width, o->height, pixels, true);
   if (ok)
      printf("wrote %s\n", o->out);
   free(pixels);
   scene_destroy(scene);
   return ok;
}

int
main(int argc, char **argv)
{
   struct options o = { .out = "demo.png", .width = 1024, .height = 768, .frames = 1, .seconds = 1 };
   int stop = parse_options(argc, argv, &o);
   if (stop)
      return stop - 1;
   if (!create_context() || !render(&o))
      return 1;
   eglTerminate(eglGetCurrentDisplay());
   return 0;
}
