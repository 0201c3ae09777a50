/* SPDX-License-Identifier: MIT */
/* Desktop OpenGL without a window: how every program here starts that draws. */
#ifndef TGSIAMD_SURFACELESS_H
#define TGSIAMD_SURFACELESS_H

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <stdbool.h>
#include <stddef.h>

/* Initialised, with OpenGL as its API; EGL_NO_DISPLAY when there is none. */
static inline EGLDisplay
surfaceless_display(void)
{
   PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
   EGLDisplay dpy = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                                : EGL_NO_DISPLAY;
   return dpy && eglInitialize(dpy, NULL, NULL) && eglBindAPI(EGL_OPENGL_API) ? dpy : EGL_NO_DISPLAY;
}

/* Makes a context current, which lives as long as the process; `attributes` may be NULL. */
static inline bool
surfaceless_context(EGLDisplay dpy, const EGLint *attributes)
{
   EGLContext ctx = dpy ? eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes) : EGL_NO_CONTEXT;
   return ctx && eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, ctx);
}

#endif
