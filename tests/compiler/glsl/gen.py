#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the shader_tests beside it: programs of the sizes and kinds that games
and desktops run, for `./tgsiamd bench compile`. Run it again after a change."""

import os

HERE = os.path.dirname(os.path.abspath(__file__))

VERTEX = '''#version 130
in vec4 position; in vec3 normal; in vec3 tangent; in vec2 uv; in vec4 colour;
uniform mat4 model, view, projection; uniform mat3 normal_matrix; uniform vec4 uv_transform;
out vec3 world; out vec3 n; out vec3 t; out vec3 b; out vec2 st; out vec4 tint; out vec4 shadow_at[2];
uniform mat4 shadow[2];
void main()
{
   vec4 w = model * position;
   world = w.xyz;
   n = normalize(normal_matrix * normal);
   t = normalize(normal_matrix * tangent);
   b = cross(n, t);
   st = uv * uv_transform.xy + uv_transform.zw;
   tint = colour;
   for (int i = 0; i < 2; i++)
      shadow_at[i] = shadow[i] * w;
   gl_Position = projection * (view * w);
}
'''
SIMPLE_VERTEX = '''#version 130
in vec4 position; in vec2 uv; uniform mat4 mvp; out vec2 st; out vec4 at;
void main() { gl_Position = mvp * position; at = position; st = uv; }
'''
SKIN_VERTEX = '''#version 130
in vec4 position; in vec3 normal; in vec4 weights; in ivec4 bones; in vec2 uv;
uniform vec4 palette[180]; uniform mat4 mvp; out vec2 st; out vec4 at;
void main()
{
   vec4 r0 = vec4(0.0), r1 = vec4(0.0), r2 = vec4(0.0);
   for (int i = 0; i < 4; i++) {
      r0 += weights[i] * palette[bones[i] * 3];
      r1 += weights[i] * palette[bones[i] * 3 + 1];
      r2 += weights[i] * palette[bones[i] * 3 + 2];
   }
   vec4 p = vec4(dot(r0, position), dot(r1, position), dot(r2, position), 1.0);
   at = vec4(dot(r0.xyz, normal), dot(r1.xyz, normal), dot(r2.xyz, normal), p.z);
   st = uv;
   gl_Position = mvp * p;
}
'''
INPUTS = '''#version 130
in vec3 world; in vec3 n; in vec3 t; in vec3 b; in vec2 st; in vec4 tint; in vec4 shadow_at[2];
out vec4 colour;
'''


def mad_chain(length):
    body = ''.join(f'   c = c * k[{i % 24}] + at.{"xyzw"[i % 4]}{"yzwx"[i % 4]}{"zwxy"[i % 4]}{"wxyz"[i % 4]};\n' for i in range(length))
    return SIMPLE_VERTEX, ('#version 130\nin vec2 st; in vec4 at; uniform vec4 k[24]; out vec4 colour;\n'
                           f'void main()\n{{\n   vec4 c = at;\n{body}   colour = c;\n}}\n')


def textures(count):
    declare = ''.join(f'uniform sampler2D map{i}; uniform vec4 place{i};\n' for i in range(count))
    body = ''.join(f'   c += texture(map{i}, st * place{i}.xy + place{i}.zw) * place{i}.{"xyzw"[i % 4]};\n' for i in range(count))
    return SIMPLE_VERTEX, ('#version 130\nin vec2 st; in vec4 at; out vec4 colour;\n' + declare +
                           f'void main()\n{{\n   vec4 c = vec4(0.0);\n{body}   colour = c;\n}}\n')


def blur(taps):
    return SIMPLE_VERTEX, ('#version 130\nin vec2 st; in vec4 at; out vec4 colour; uniform sampler2D image;\n'
                           f'uniform vec4 weights[{taps}]; uniform vec2 step;\n'
                           f'void main()\n{{\n   vec4 c = vec4(0.0);\n   for (int i = 0; i < {taps}; i++)\n'
                           '      c += texture(image, st + step * weights[i].xy) * weights[i].z;\n   colour = c;\n}\n')


def lights(count, unrolled):
    declare = (f'uniform vec4 light_position[{count}]; uniform vec4 light_colour[{count}]; uniform int num_lights;\n'
               'uniform vec3 eye; uniform sampler2D albedo, normals, gloss; uniform vec4 ambient;\n')
    bound = count if unrolled else 'num_lights'
    return VERTEX, INPUTS + declare + f'''
vec3 light(int i, vec3 p, vec3 nn, vec3 v, vec3 base, float rough)
{{
   vec3 l = light_position[i].xyz - p;
   float d2 = dot(l, l);
   l *= inversesqrt(d2);
   vec3 h = normalize(l + v);
   float nl = max(dot(nn, l), 0.0), nh = max(dot(nn, h), 0.0), nv = max(dot(nn, v), 0.001), vh = max(dot(v, h), 0.0);
   float a = rough * rough, a2 = a * a, q = nh * nh * (a2 - 1.0) + 1.0;
   float dist = a2 / (3.14159 * q * q);
   float k = (rough + 1.0) * (rough + 1.0) / 8.0;
   float geo = nl / (nl * (1.0 - k) + k) * nv / (nv * (1.0 - k) + k);
   vec3 f = base + (1.0 - base) * pow(1.0 - vh, 5.0);
   vec3 spec = f * dist * geo / (4.0 * nl * nv + 0.001);
   float fade = clamp(1.0 - d2 * light_position[i].w, 0.0, 1.0);
   return (base * 0.318 * (1.0 - f) + spec) * light_colour[i].rgb * nl * fade * fade;
}}
void main()
{{
   vec4 base = texture(albedo, st) * tint;
   vec3 m = texture(normals, st).xyz * 2.0 - 1.0;
   vec3 nn = normalize(m.x * t + m.y * b + m.z * n);
   vec3 v = normalize(eye - world);
   float rough = texture(gloss, st).x;
   vec3 sum = ambient.rgb * base.rgb;
   for (int i = 0; i < {bound}; i++)
      sum += light(i, world, nn, v, base.rgb, rough);
   colour = vec4(sum, base.a);
}}
'''


def shadows():
    return VERTEX, INPUTS + '''
uniform sampler2DShadow shadow_map[2]; uniform sampler2D albedo; uniform vec4 offsets[8]; uniform vec4 sun, sun_colour, fog;
float lit(sampler2DShadow map, vec4 at)
{
   float s = 0.0;
   vec3 p = at.xyz / at.w;
   for (int i = 0; i < 8; i++)
      s += texture(map, p + vec3(offsets[i].xy, 0.0));
   return s / 8.0;
}
void main()
{
   vec4 base = texture(albedo, st);
   if (base.a < 0.5)
      discard;
   float s = lit(shadow_map[0], shadow_at[0]);
   if (s > 0.0 && s < 1.0)
      s = min(s, lit(shadow_map[1], shadow_at[1]));
   vec3 c = base.rgb * sun_colour.rgb * max(dot(normalize(n), sun.xyz), 0.0) * s;
   float f = exp2(-fog.w * length(world));
   colour = vec4(mix(fog.rgb, c, f), base.a);
}
'''


def uber(features):
    """One branch on a uniform for each feature; 40 kB of text at 60 features."""
    declare = 'uniform sampler2D maps[8]; uniform int mode; uniform bool flags[%d]; uniform vec4 p[%d];\n' % (features, features)
    body = ''
    for i in range(features):
        a, c = 'xyzw'[i % 4], 'rgb'[i % 3]
        body += f'''
   /* feature {i}: blends map {i % 8} by its own rule and bends the normal with it */
   if (flags[{i}]) {{
      vec4 layer = texture(maps[{i % 8}], uv * p[{i}].xy + p[{i}].zw);
      float edge = smoothstep(p[{i}].x, p[{i}].y, layer.{a} + noise(uv * {i + 1}.0));
      if (mode == {i % 5})
         c.rgb = mix(c.rgb, layer.rgb * p[{i}].xyz, edge * layer.a);
      else if (mode == {(i + 1) % 5})
         c.{c} += max(layer.{c} - p[{i}].{a}, 0.0) * edge;
      else
         c = c * (1.0 - edge) + layer * edge * dot(nn, p[{i}].xyz);
      nn = normalize(nn + vec3(layer.xy * 2.0 - 1.0, 0.0) * edge * p[{i}].w);
      uv += nn.xy * p[{i}].{a} * 0.01;
   }}
'''
    return VERTEX, INPUTS + declare + f'''
float noise(vec2 at) {{ return fract(sin(dot(at, vec2(12.9898, 78.233))) * 43758.5453); }}
void main()
{{
   vec4 c = tint;
   vec3 nn = normalize(n);
   vec2 uv = st;
{body}
   colour = c;
}}
'''


def raymarch():
    return SIMPLE_VERTEX, '''#version 130
in vec2 st; in vec4 at; out vec4 colour; uniform float time; uniform vec4 balls[6];
float field(vec3 p)
{
   float d = p.y + 1.0;
   for (int i = 0; i < 6; i++)
      d = min(d, length(p - balls[i].xyz - vec3(sin(time + float(i)), 0.0, 0.0)) - balls[i].w);
   return d;
}
void main()
{
   vec3 o = vec3(0.0, 0.0, -4.0), d = normalize(vec3(st * 2.0 - 1.0, 1.5));
   float z = 0.0;
   for (int i = 0; i < 64; i++) {
      float r = field(o + d * z);
      if (r < 0.001 * z)
         break;
      z += r;
      if (z > 20.0)
         discard;
   }
   vec3 p = o + d * z, e = vec3(0.001, 0.0, 0.0);
   vec3 n = normalize(vec3(field(p + e.xyy) - field(p - e.xyy), field(p + e.yxy) - field(p - e.yxy),
                           field(p + e.yyx) - field(p - e.yyx)));
   colour = vec4(vec3(0.2) + max(dot(n, normalize(vec3(1.0, 2.0, -1.0))), 0.0), 1.0);
}
'''


def skinned():
    return SKIN_VERTEX, textures(2)[1]


def arrays():
    return SIMPLE_VERTEX, '''#version 130
in vec2 st; in vec4 at; out vec4 colour; uniform sampler2D image; uniform int radius;
void main()
{
   float v[9];
   for (int i = 0; i < 9; i++)
      v[i] = texture(image, st + vec2(i % 3, i / 3) * 0.01).x;
   for (int i = 0; i < 8; i++)
      for (int k = 0; k < 8 - i; k++) {
         float lo = min(v[k], v[k + 1]), hi = max(v[k], v[k + 1]);
         v[k] = lo;
         v[k + 1] = hi;
      }
   colour = vec4(v[4], v[clamp(radius, 0, 8)], v[0], 1.0);
}
'''


PROGRAMS = {
    'mad-020': mad_chain(20), 'mad-100': mad_chain(100), 'mad-350': mad_chain(350),
    'textures-01': textures(1), 'textures-04': textures(4), 'textures-08': textures(8), 'textures-16': textures(16),
    'blur-13': blur(13), 'blur-25': blur(25), 'lights-1': lights(1, True), 'lights-4': lights(4, True),
    'lights-8': lights(8, True), 'lights-loop': lights(16, False), 'shadows': shadows(),
    'uber-04': uber(4), 'uber-20': uber(20), 'uber-60': uber(60), 'raymarch': raymarch(), 'skinned': skinned(),
    'arrays': arrays(),
}


def main():
    for name, (vertex, fragment) in PROGRAMS.items():
        with open(os.path.join(HERE, name + '.shader_test'), 'w') as f:
            f.write(f'# SPDX-License-Identifier: MIT\n# Made by gen.py.\n[require]\nGLSL >= 1.30\n\n'
                    f'[vertex shader]\n{vertex}\n[fragment shader]\n{fragment}\n[test]\ndraw rect -1 -1 2 2\n')


if __name__ == '__main__':
    main()
