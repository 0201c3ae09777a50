#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints every Nth test, in name order, of the piglit tests for OpenGL up to
2.1 that draw into a framebuffer object: under surfaceless EGL piglit has no
window and aborts without -fbo. This is how piglit-profiles/smoke.txt was made:
nothing is chosen by its result."""

import re
import subprocess
import sys

GL21 = re.compile(
    r'^(spec@!opengl (1|2)\.|spec@glsl-1\.(10|20)@|spec@arb_(vertex|fragment)_program|'
    r'spec@arb_(multitexture|texture_(cube_map@|env_|border_clamp|rectangle|mirrored_repeat)|depth_texture|shadow|'
    r'occlusion_query@|point_(sprite|parameters)|vertex_buffer_object|pixel_buffer_object|draw_buffers@|'
    r'window_pos|transpose|shader_objects|imaging|texture_non_power)|'
    r'spec@ext_(blend|fog_coord|secondary_color|stencil|texture_(3d|lod_bias|env|swizzle)|'
    r'framebuffer_(object|blit)|draw_range|multi_draw|packed_depth_stencil|texture_srgb)|shaders@)')
EVERY = {'quick_gl': 9, 'quick_shader': 36}


def main():
    if len(sys.argv) > 1:
        print(f'usage: pick.py > piglit-profiles/smoke.txt\n{__doc__}')
        return 0 if sys.argv[1] == '--help' else 2
    print('# OpenGL up to 2.1: every 9th such test of quick_gl that needs no window, every 36th\n'
          '# of quick_shader, in name order. Made by tests/piglit/pick.py; nothing is chosen by its result.')
    for profile, step in EVERY.items():
        out = subprocess.run(['piglit', 'print-cmd', profile], capture_output=True, text=True, check=True).stdout
        tests = (line.split(' ::: ') for line in out.splitlines() if ' ::: ' in line)
        names = sorted(name for name, command in tests if GL21.match(name) and '-fbo' in command.split())
        print('\n'.join(names[::step]))
    return 0


if __name__ == '__main__':
    sys.exit(main())
