/* SPDX-License-Identifier: MIT */
/* The demo's scene: meshes, procedural textures and how they are drawn. */
#ifndef DEMO_SCENE_H
#define DEMO_SCENE_H

#include <stdbool.h>

struct scene;

/* Needs a current GL 2.1 context. NULL after printing why. */
struct scene *scene_create(void);
/* Draws one frame into the bound framebuffer of w x h pixels; `seconds` turns
 * the objects. */
void scene_draw(const struct scene *s, int w, int h, float seconds);
/* Triangles that one frame submits. */
unsigned scene_triangles(const struct scene *s);
void scene_destroy(struct scene *s);

#endif
