/* SPDX-License-Identifier: MIT */
/* A current desktop OpenGL context without a window. */
#ifndef TGSIAMD_TEST_SURFACELESS_H
#define TGSIAMD_TEST_SURFACELESS_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdbool.h>

/* False when there is none; it lives as long as the process. */
static inline bool
create_context(void)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
   EGLDisplay dpy = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(dpy, NULL, NULL))
      return false;
   eglBindAPI(EGL_OPENGL_API);
   EGLContext ctx = eglCreateContext(dpy, NULL, EGL_NO_CONTEXT, NULL);
   return ctx && eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, ctx);
}

#endif
