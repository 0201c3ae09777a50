/* SPDX-License-Identifier: MIT */
/* Parametric surfaces: every mesh but the cube is a (u, v) grid of points from
 * which positions and normals follow. */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>

typedef void (*surface_fn)(float u, float v, const float *param, struct vertex *out);

static struct mesh
mesh_alloc(unsigned num_vertices, unsigned num_indices)
{
   struct mesh m = {
      .vertices = calloc(num_vertices, sizeof(struct vertex)),
      .indices = calloc(num_indices, sizeof(uint16_t)),
      .num_vertices = num_vertices,
      .num_indices = num_indices,
   };
   if (!m.vertices || !m.indices)
      abort(); /* a few hundred kilobytes; a demo has nothing better to do */
   return m;
}

static struct mesh
mesh_from_surface(surface_fn fn, const float *param, unsigned nu, unsigned nv)
{
   struct mesh m = mesh_alloc((nu + 1) * (nv + 1), nu * nv * 6);
   for (unsigned j = 0; j <= nv; j++)
      for (unsigned i = 0; i <= nu; i++)
         fn((float)i / nu, (float)j / nv, param, &m.vertices[j * (nu + 1) + i]);

   uint16_t *idx = m.indices;
   for (unsigned j = 0; j < nv; j++) {
      for (unsigned i = 0; i < nu; i++) {
         uint16_t a = j * (nu + 1) + i, b = a + 1, c = a + nu + 1, d = c + 1;
         uint16_t quad[6] = { a, b, d, a, d, c };
         for (unsigned k = 0; k < 6; k++)
            *idx++ = quad[k];
      }
   }
   return m;
}

static void
grid_point(float u, float v, const float *param, struct vertex *out)
{
   float half = param[0], repeat = param[1];
   *out = (struct vertex){
      .pos = { (2 * u - 1) * half, 0, (1 - 2 * v) * half },
      .normal = { 0, 1, 0 },
      .uv = { u * repeat, v * repeat },
   };
}

struct mesh
mesh_grid(float half_size, unsigned cells, float uv_repeat)
{
   return mesh_from_surface(grid_point, (float[]){ half_size, uv_repeat }, cells, cells);
}

static void
sphere_point(float u, float v, const float *param, struct vertex *out)
{
   float lon = u * 2 * (float)M_PI, lat = (v - 0.5f) * (float)M_PI;
   float n[3] = { cosf(lat) * sinf(lon), sinf(lat), cosf(lat) * cosf(lon) };
   *out = (struct vertex){ .uv = { u, v } };
   for (int i = 0; i < 3; i++) {
      out->normal[i] = n[i];
      out->pos[i] = n[i] * param[0];
   }
}

struct mesh
mesh_sphere(float radius, unsigned slices, unsigned stacks)
{
   return mesh_from_surface(sphere_point, &radius, slices, stacks);
}

static void
knot_center(float t, float radius, float c[3])
{
   float a = t * 2 * (float)M_PI;
   float r = radius * (0.65f + 0.35f * cosf(3 * a));
   c[0] = r * cosf(2 * a);
   c[1] = r * sinf(2 * a);
   c[2] = radius * 0.45f * sinf(3 * a);
}

static void
normalize3(float v[3])
{
   float len = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
   for (int i = 0; i < 3; i++)
      v[i] /= len;
}

static void
cross3(const float a[3], const float b[3], float out[3])
{
   out[0] = a[1] * b[2] - a[2] * b[1];
   out[1] = a[2] * b[0] - a[0] * b[2];
   out[2] = a[0] * b[1] - a[1] * b[0];
}

static void
knot_point(float u, float v, const float *param, struct vertex *out)
{
   const float step = 1e-3f;
   float c[3], ahead[3], tangent[3], side[3], up[3];
   knot_center(v, param[0], c);
   knot_center(v + step, param[0], ahead);
   for (int i = 0; i < 3; i++) {
      tangent[i] = ahead[i] - c[i];
      up[i] = ahead[i] + c[i];
   }
   normalize3(tangent);
   cross3(tangent, up, side);
   normalize3(side);
   cross3(side, tangent, up);

   float a = u * 2 * (float)M_PI;
   *out = (struct vertex){ .uv = { u * 2, v * 24 } };
   for (int i = 0; i < 3; i++) {
      out->normal[i] = cosf(a) * up[i] + sinf(a) * side[i];
      out->pos[i] = c[i] + param[1] * out->normal[i];
   }
}

struct mesh
mesh_torus_knot(float radius, float tube, unsigned rings, unsigned sides)
{
   return mesh_from_surface(knot_point, (float[]){ radius, tube }, sides, rings);
}

struct mesh
mesh_cube(float h)
{
   struct mesh m = mesh_alloc(24, 36);
   for (unsigned face = 0; face < 6; face++) {
      unsigned axis = face / 2, ua = (axis + 1) % 3, va = (axis + 2) % 3;
      float sign = face % 2 ? -1 : 1;
      for (unsigned k = 0; k < 4; k++) {
         float u = k == 1 || k == 2, v = k >= 2;
         struct vertex *p = &m.vertices[face * 4 + k];
         p->normal[axis] = sign;
         p->pos[axis] = sign * h;
         p->pos[ua] = (2 * u - 1) * h * sign;
         p->pos[va] = (2 * v - 1) * h;
         p->uv[0] = u;
         p->uv[1] = v;
      }
      static const uint16_t order[6] = { 0, 1, 2, 0, 2, 3 };
      for (unsigned k = 0; k < 6; k++)
         m.indices[face * 6 + k] = face * 4 + order[k];
   }
   return m;
}

void
mesh_free(struct mesh *m)
{
   free(m->vertices);
   free(m->indices);
}

struct mat4
mat4_mul(struct mat4 a, struct mat4 b)
{
   struct mat4 r;
   for (int col = 0; col < 4; col++) {
      for (int row = 0; row < 4; row++) {
         float sum = 0;
         for (int k = 0; k < 4; k++)
            sum += a.m[k * 4 + row] * b.m[col * 4 + k];
         r.m[col * 4 + row] = sum;
      }
   }
   return r;
}

static const struct mat4 identity = { { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 } };

struct mat4
mat4_translate(float x, float y, float z)
{
   struct mat4 r = identity;
   r.m[12] = x;
   r.m[13] = y;
   r.m[14] = z;
   return r;
}

struct mat4
mat4_scale(float x, float y, float z)
{
   struct mat4 r = identity;
   r.m[0] = x;
   r.m[5] = y;
   r.m[10] = z;
   return r;
}

struct mat4
mat4_rotate(float radians, float x, float y, float z)
{
   float axis[3] = { x, y, z }, s = sinf(radians), c = cosf(radians);
   normalize3(axis);
   struct mat4 r = identity;
   for (int col = 0; col < 3; col++)
      for (int row = 0; row < 3; row++)
         r.m[col * 4 + row] = axis[row] * axis[col] * (1 - c) + (row == col ? c : 0);
   r.m[1] += axis[2] * s;
   r.m[2] -= axis[1] * s;
   r.m[4] -= axis[2] * s;
   r.m[6] += axis[0] * s;
   r.m[8] += axis[1] * s;
   r.m[9] -= axis[0] * s;
   return r;
}

struct mat4
mat4_perspective(float fovy, float aspect, float znear, float zfar)
{
   float f = 1 / tanf(fovy / 2);
   return (struct mat4){ {
      f / aspect, 0, 0, 0,
      0, f, 0, 0,
      0, 0, (zfar + znear) / (znear - zfar), -1,
      0, 0, 2 * zfar * znear / (znear - zfar), 0,
   } };
}

struct mat4
mat4_look_at(const float eye[3], const float center[3])
{
   float forward[3], side[3], up[3] = { 0, 1, 0 };
   for (int i = 0; i < 3; i++)
      forward[i] = center[i] - eye[i];
   normalize3(forward);
   cross3(forward, up, side);
   normalize3(side);
   cross3(side, forward, up);
   struct mat4 r = identity;
   for (int i = 0; i < 3; i++) {
      r.m[i * 4 + 0] = side[i];
      r.m[i * 4 + 1] = up[i];
      r.m[i * 4 + 2] = -forward[i];
   }
   return mat4_mul(r, mat4_translate(-eye[0], -eye[1], -eye[2]));
}
