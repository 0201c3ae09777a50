/* SPDX-License-Identifier: MIT */
/* Meshes of the demo and the few matrices it needs. */
#ifndef DEMO_MESH_H
#define DEMO_MESH_H

#include <stdint.h>

struct vertex {
   float pos[3], normal[3], uv[2];
};

struct mesh {
   struct vertex *vertices;
   uint16_t *indices; /* triangles */
   unsigned num_vertices, num_indices;
};

/* Each returns a mesh to be freed with mesh_free; sizes in world units. */
struct mesh mesh_grid(float half_size, unsigned cells, float uv_repeat);
struct mesh mesh_sphere(float radius, unsigned slices, unsigned stacks);
struct mesh mesh_torus_knot(float radius, float tube, unsigned rings, unsigned sides);
struct mesh mesh_cube(float half_size);
void mesh_free(struct mesh *m);

/* Column-major 4x4 matrices, as glUniformMatrix4fv takes them. */
struct mat4 { float m[16]; };
struct mat4 mat4_mul(struct mat4 a, struct mat4 b);
struct mat4 mat4_translate(float x, float y, float z);
struct mat4 mat4_rotate(float radians, float x, float y, float z);
struct mat4 mat4_scale(float x, float y, float z);
struct mat4 mat4_perspective(float fovy, float aspect, float znear, float zfar);
struct mat4 mat4_look_at(const float eye[3], const float center[3]);

#endif
