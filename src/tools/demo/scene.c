/* SPDX-License-Identifier: MIT */
/* A tiled floor that fades into the sky, a copper torus knot, a planet, crates
 * and two glass spheres: per-pixel lighting, depth test, mip-mapped textures,
 * and a blended layer drawn last. GLSL 1.20, OpenGL 2.1. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "scene.h"
#include "mesh.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum mesh_id { MESH_FLOOR, MESH_KNOT, MESH_PLANET, MESH_CUBE, MESH_GLASS, NUM_MESHES };
enum texture_id { TEX_TILES, TEX_COPPER, TEX_PLANET, TEX_CRATE, TEX_WHITE, NUM_TEXTURES };

struct gpu_mesh {
   GLuint vertices, indices;
   unsigned num_indices;
};

struct scene {
   GLuint program;
   GLint u_mvp, u_model, u_eye, u_color, u_shine, u_fresnel;
   GLuint sky_program;
   struct gpu_mesh meshes[NUM_MESHES];
   GLuint textures[NUM_TEXTURES];
};

struct object {
   enum mesh_id mesh;
   enum texture_id texture;
   float color[4];
   float shine;    /* strength of the highlight */
   float pos[3], scale;
   float spin[4];  /* radians a second, axis */
};

static const struct object solids[] = {
   { MESH_FLOOR, TEX_TILES, { 1, 1, 1, 1 }, 0.15f, { 0, 0, 0 }, 1, { 0, 0, 1, 0 } },
   { MESH_KNOT, TEX_COPPER, { 1, 1, 1, 1 }, 0.9f, { 0, 2.1f, -1 }, 1, { 0.7f, 0.2f, 1, 0 } },
   { MESH_PLANET, TEX_PLANET, { 1, 1, 1, 1 }, 0.25f, { -3.4f, 1.3f, -0.5f }, 1, { 0.4f, 0, 1, 0 } },
   { MESH_CUBE, TEX_CRATE, { 1, 1, 1, 1 }, 0.1f, { 3.3f, 0.75f, -1.2f }, 0.75f, { 0.06f, 0, 1, 0 } },
   { MESH_CUBE, TEX_CRATE, { 0.9f, 1, 0.9f, 1 }, 0.1f, { 4.6f, 0.6f, 0.2f }, 0.6f, { 0.3f, 0, 1, 0 } },
   { MESH_CUBE, TEX_CRATE, { 1, 0.95f, 0.85f, 1 }, 0.1f, { 3.5f, 2.0f, -1.3f }, 0.5f, { 0.5f, 0, 1, 0 } },
   { MESH_CUBE, TEX_CRATE, { 0.9f, 0.9f, 1, 1 }, 0.1f, { -5.2f, 0.8f, -5 }, 0.8f, { 0.2f, 0, 1, 0 } },
   { MESH_PLANET, TEX_TILES, { 0.7f, 0.9f, 1, 1 }, 0.6f, { 6.0f, 1.1f, -6 }, 0.8f, { 0.4f, 1, 1, 0 } },
};

static const struct object glass[] = {
   { MESH_GLASS, TEX_WHITE, { 0.45f, 0.75f, 0.95f, 0.25f }, 1.0f, { 1.9f, 0.9f, 1.6f }, 0.9f, { 0, 0, 1, 0 } },
   { MESH_GLASS, TEX_WHITE, { 0.95f, 0.55f, 0.5f, 0.25f }, 1.0f, { -1.5f, 0.7f, 2.0f }, 0.7f, { 0, 0, 1, 0 } },
};

static const char vs_text[] =
   "#version 120\n"
   "attribute vec3 position; attribute vec3 normal; attribute vec2 uv;\n"
   "uniform mat4 mvp; uniform mat4 model;\n"
   "varying vec3 world; varying vec3 n; varying vec2 tc;\n"
   "void main() {\n"
   "   vec4 w = model * vec4(position, 1.0);\n"
   "   world = w.xyz;\n"
   "   n = (model * vec4(normal, 0.0)).xyz;\n"
   "   tc = uv;\n"
   "   gl_Position = mvp * vec4(position, 1.0);\n"
   "}\n";

static const char fs_text[] =
   "#version 120\n"
   "uniform sampler2D tex; uniform vec3 eye; uniform vec4 color;\n"
   "uniform float shine; uniform float fresnel;\n"
   "varying vec3 world; varying vec3 n; varying vec2 tc;\n"
   "void main() {\n"
   "   vec3 light = normalize(vec3(0.5, 0.9, 0.6));\n"
   "   vec3 N = normalize(n), V = normalize(eye - world);\n"
   "   if (!gl_FrontFacing) N = -N;\n"
   "   float diffuse = max(dot(N, light), 0.0);\n"
   "   float spec = pow(max(dot(N, normalize(light + V)), 0.0), 48.0) * shine;\n"
   "   vec4 base = texture2D(tex, tc) * color;\n"
   "   vec3 lit = base.rgb * (0.35 + 0.75 * diffuse) + vec3(spec);\n"
   "   float rim = pow(1.0 - max(dot(N, V), 0.0), 3.0) * fresnel;\n"
   "   float fog = 1.0 - exp(-0.0022 * dot(eye - world, eye - world));\n"
   "   vec3 sky = vec3(0.70, 0.78, 0.88);\n"
   "   gl_FragColor = vec4(mix(lit + vec3(rim), sky, fog), clamp(base.a + rim + spec, 0.0, 1.0));\n"
   "}\n";

static const char sky_vs_text[] =
   "#version 120\n"
   "attribute vec3 position; varying float height;\n"
   "void main() { height = position.y; gl_Position = vec4(position.xy, 0.0, 1.0); }\n";

static const char sky_fs_text[] =
   "#version 120\n"
   "varying float height;\n"
   "void main() {\n"
   "   vec3 top = vec3(0.16, 0.32, 0.62), horizon = vec3(0.70, 0.78, 0.88);\n"
   "   gl_FragColor = vec4(mix(horizon, top, clamp(height * 1.1 - 0.15, 0.0, 1.0)), 1.0);\n"
   "}\n";

static GLuint
compile_stage(GLenum stage, const char *text)
{
   GLuint shader = glCreateShader(stage);
   GLint ok = 0;
   glShaderSource(shader, 1, &text, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[1024] = "";
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fprintf(stderr, "demo: a shader does not compile: %s\n", log);
   }
   return shader;
}

static GLuint
link_program(const char *vs, const char *fs)
{
   GLuint program = glCreateProgram();
   GLint ok = 0;
   glAttachShader(program, compile_stage(GL_VERTEX_SHADER, vs));
   glAttachShader(program, compile_stage(GL_FRAGMENT_SHADER, fs));
   glBindAttribLocation(program, 0, "position");
   glBindAttribLocation(program, 1, "normal");
   glBindAttribLocation(program, 2, "uv");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      char log[1024] = "";
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fprintf(stderr, "demo: a program does not link: %s\n", log);
      return 0;
   }
   return program;
}

/* Smooth value noise in 0..1 that repeats every `period` cells. */
static float
noise_cell(unsigned x, unsigned y, unsigned period)
{
   unsigned h = (x % period) * 374761393u + (y % period) * 668265263u + period * 97u;
   h = (h ^ (h >> 13)) * 1274126177u;
   return ((h ^ (h >> 16)) & 0xffff) / 65535.0f;
}

static float
noise(float u, float v, unsigned period)
{
   float x = u * period, y = v * period;
   unsigned ix = x, iy = y;
   float fx = x - ix, fy = y - iy;
   fx = fx * fx * (3 - 2 * fx);
   fy = fy * fy * (3 - 2 * fy);
   float a = noise_cell(ix, iy, period), b = noise_cell(ix + 1, iy, period);
   float c = noise_cell(ix, iy + 1, period), d = noise_cell(ix + 1, iy + 1, period);
   return (a + (b - a) * fx) * (1 - fy) + (c + (d - c) * fx) * fy;
}

static float
turbulence(float u, float v)
{
   float sum = 0, gain = 0.5f;
   for (unsigned period = 4; period <= 64; period *= 2, gain *= 0.5f)
      sum += noise(u, v, period) * gain;
   return sum;
}

/* Dark and light colour of each procedural texture. */
static const float palette[NUM_TEXTURES][2][3] = {
   [TEX_TILES] = { { 0.42f, 0.42f, 0.38f }, { 0.72f, 0.72f, 0.68f } },
   [TEX_COPPER] = { { 0.72f, 0.38f, 0.22f }, { 0.92f, 0.60f, 0.38f } },
   [TEX_PLANET] = { { 0.30f, 0.36f, 0.62f }, { 0.88f, 0.84f, 0.74f } },
   [TEX_CRATE] = { { 0.45f, 0.30f, 0.17f }, { 0.70f, 0.52f, 0.33f } },
   [TEX_WHITE] = { { 1, 1, 1 }, { 1, 1, 1 } },
};

/* How far the texture is between its two colours at (u, v). */
static float
shade(enum texture_id id, float u, float v)
{
   float t = turbulence(u, v);
   switch (id) {
   case TEX_TILES: {
      bool odd = (u < 0.5f) != (v < 0.5f);
      float x = fmodf(u * 2, 1), y = fmodf(v * 2, 1);
      float base = x < 0.03f || y < 0.03f ? 0 : odd ? 0.43f : 1;
      return base + 0.6f * (t - 0.5f);
   }
   case TEX_PLANET:
      return 0.5f + 0.5f * sinf((v * 10 + t * 2.5f) * (float)M_PI);
   case TEX_CRATE: {
      float edge = fminf(fminf(u, 1 - u), fminf(v, 1 - v));
      if (edge < 0.09f)
         return 0.15f + 0.3f * t;
      return fmodf(u * 6, 1) < 0.06f ? 0.2f : 0.45f + 0.6f * (t - 0.25f);
   }
   default:
      return t;
   }
}

static void
texel(enum texture_id id, float u, float v, float rgb[3])
{
   float t = fminf(fmaxf(shade(id, u, v), 0), 1);
   for (int i = 0; i < 3; i++)
      rgb[i] = palette[id][0][i] + (palette[id][1][i] - palette[id][0][i]) * t;
}

static GLuint
create_texture(enum texture_id id)
{
   const int size = id == TEX_WHITE ? 4 : 256;
   GLubyte *data = malloc((size_t)size * size * 4);
   for (int y = 0; y < size; y++) {
      for (int x = 0; x < size; x++) {
         float rgb[3];
         texel(id, (x + 0.5f) / size, (y + 0.5f) / size, rgb);
         for (int i = 0; i < 3; i++)
            data[(y * size + x) * 4 + i] = 255 * fminf(fmaxf(rgb[i], 0), 1) + 0.5f;
         data[(y * size + x) * 4 + 3] = 255;
      }
   }
   GLuint tex;
   glGenTextures(1, &tex);
   glBindTexture(GL_TEXTURE_2D, tex);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, data);
   glGenerateMipmap(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
   free(data);
   return tex;
}

static struct gpu_mesh
upload_mesh(struct mesh m)
{
   struct gpu_mesh g = { .num_indices = m.num_indices };
   glGenBuffers(1, &g.vertices);
   glBindBuffer(GL_ARRAY_BUFFER, g.vertices);
   glBufferData(GL_ARRAY_BUFFER, m.num_vertices * sizeof(struct vertex), m.vertices, GL_STATIC_DRAW);
   glGenBuffers(1, &g.indices);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g.indices);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, m.num_indices * sizeof(uint16_t), m.indices, GL_STATIC_DRAW);
   mesh_free(&m);
   return g;
}

struct scene *
scene_create(void)
{
   struct scene *s = calloc(1, sizeof(*s));
   if (!s)
      return NULL;
   s->program = link_program(vs_text, fs_text);
   s->sky_program = link_program(sky_vs_text, sky_fs_text);
   if (!s->program || !s->sky_program) {
      free(s);
      return NULL;
   }
   s->u_mvp = glGetUniformLocation(s->program, "mvp");
   s->u_model = glGetUniformLocation(s->program, "model");
   s->u_eye = glGetUniformLocation(s->program, "eye");
   s->u_color = glGetUniformLocation(s->program, "color");
   s->u_shine = glGetUniformLocation(s->program, "shine");
   s->u_fresnel = glGetUniformLocation(s->program, "fresnel");

   s->meshes[MESH_FLOOR] = upload_mesh(mesh_grid(40, 16, 20));
   s->meshes[MESH_KNOT] = upload_mesh(mesh_torus_knot(1.35f, 0.3f, 160, 16));
   s->meshes[MESH_PLANET] = upload_mesh(mesh_sphere(1.2f, 32, 20));
   s->meshes[MESH_CUBE] = upload_mesh(mesh_cube(1));
   s->meshes[MESH_GLASS] = upload_mesh(mesh_sphere(1, 32, 20));
   for (unsigned i = 0; i < NUM_TEXTURES; i++)
      s->textures[i] = create_texture(i);
   return s;
}

static void
bind_mesh(const struct gpu_mesh *g)
{
   const struct { GLint size; size_t offset; } attribs[] = {
      { 3, offsetof(struct vertex, pos) },
      { 3, offsetof(struct vertex, normal) },
      { 2, offsetof(struct vertex, uv) },
   };
   glBindBuffer(GL_ARRAY_BUFFER, g->vertices);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g->indices);
   for (unsigned i = 0; i < 3; i++) {
      glEnableVertexAttribArray(i);
      glVertexAttribPointer(i, attribs[i].size, GL_FLOAT, GL_FALSE, sizeof(struct vertex),
                            (const void *)attribs[i].offset);
   }
}

static void
draw_object(const struct scene *s, const struct object *o, struct mat4 view_proj, float seconds)
{
   struct mat4 model = mat4_mul(mat4_translate(o->pos[0], o->pos[1], o->pos[2]),
                                mat4_mul(mat4_rotate(o->spin[0] * seconds, o->spin[1], o->spin[2], o->spin[3]),
                                         mat4_scale(o->scale, o->scale, o->scale)));
   struct mat4 mvp = mat4_mul(view_proj, model);
   glUniformMatrix4fv(s->u_mvp, 1, GL_FALSE, mvp.m);
   glUniformMatrix4fv(s->u_model, 1, GL_FALSE, model.m);
   glUniform4fv(s->u_color, 1, o->color);
   glUniform1f(s->u_shine, o->shine);
   glBindTexture(GL_TEXTURE_2D, s->textures[o->texture]);
   bind_mesh(&s->meshes[o->mesh]);
   glDrawElements(GL_TRIANGLES, s->meshes[o->mesh].num_indices, GL_UNSIGNED_SHORT, NULL);
}

static void
draw_sky(const struct scene *s)
{
   static const float corners[4][3] = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } };
   glUseProgram(s->sky_program);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDisableVertexAttribArray(1);
   glDisableVertexAttribArray(2);
   glDrawArrays(GL_TRIANGLE_FAN, 0, 4);
}

void
scene_draw(const struct scene *s, int w, int h, float seconds)
{
   const float eye[3] = { 0.4f, 3.1f, 8.2f }, center[3] = { 0, 1.2f, -1 };
   struct mat4 view_proj = mat4_mul(mat4_perspective(0.85f, (float)w / h, 0.5f, 120), mat4_look_at(eye, center));

   glViewport(0, 0, w, h);
   glClearColor(0.7f, 0.78f, 0.88f, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_BLEND);
   draw_sky(s);

   glUseProgram(s->program);
   glUniform3fv(s->u_eye, 1, eye);
   glUniform1f(s->u_fresnel, 0);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LESS);
   for (unsigned i = 0; i < sizeof(solids) / sizeof(solids[0]); i++)
      draw_object(s, &solids[i], view_proj, seconds);

   /* The blended layer: inner side first, then outer, without depth writes. */
   glUniform1f(s->u_fresnel, 0.55f);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   glEnable(GL_CULL_FACE);
   glDepthMask(GL_FALSE);
   for (unsigned i = 0; i < sizeof(glass) / sizeof(glass[0]); i++) {
      glCullFace(GL_FRONT);
      draw_object(s, &glass[i], view_proj, seconds);
      glCullFace(GL_BACK);
      draw_object(s, &glass[i], view_proj, seconds);
   }
   glDepthMask(GL_TRUE);
   glDisable(GL_CULL_FACE);
   glDisable(GL_BLEND);
}

unsigned
scene_triangles(const struct scene *s)
{
   unsigned indices = 6;
   for (unsigned i = 0; i < sizeof(solids) / sizeof(solids[0]); i++)
      indices += s->meshes[solids[i].mesh].num_indices;
   for (unsigned i = 0; i < sizeof(glass) / sizeof(glass[0]); i++)
      indices += 2 * s->meshes[glass[i].mesh].num_indices;
   return indices / 3;
}

void
scene_destroy(struct scene *s)
{
   for (unsigned i = 0; i < NUM_MESHES; i++) {
      glDeleteBuffers(1, &s->meshes[i].vertices);
      glDeleteBuffers(1, &s->meshes[i].indices);
   }
   glDeleteTextures(NUM_TEXTURES, s->textures);
   glDeleteProgram(s->program);
   glDeleteProgram(s->sky_program);
   free(s);
}
