#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the lists of piglit-profiles/: every Nth test in name order, nothing
chosen by its result.

usage: pick.py LIST > piglit-profiles/LIST.txt
       pick.py --check LIST FILE    whether FILE is what the first form prints

smoke: OpenGL up to 2.1, tests that draw into a framebuffer object.
control: everything but glx@, which needs an X server."""

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
# name: (heading, which tests, step in each profile)
LISTS = {
    'smoke': (
        '# OpenGL up to 2.1: every 9th such test of quick_gl that needs no window, every 36th\n'
        '# of quick_shader, in name order. Made by tests/piglit/pick.py; nothing is chosen by its result.',
        lambda name, command: GL21.match(name) and '-fbo' in command.split(),
        {'quick_gl': 9, 'quick_shader': 36}),
    'control': (
        '# Every 40th test of quick_gl and of quick_shader in name order, without glx@, which needs\n'
        '# an X server. Made by tests/piglit/pick.py; nothing is chosen by its result.',
        lambda name, command: not name.startswith('glx@'),
        {'quick_gl': 40, 'quick_shader': 40}),
}


def pick(which):
    heading, wanted, steps = LISTS[which]
    lines = [heading]
    for profile, step in steps.items():
        out = subprocess.run(['piglit', 'print-cmd', profile], capture_output=True, text=True, check=True).stdout
        tests = (line.split(' ::: ') for line in out.splitlines() if ' ::: ' in line)
        lines += sorted(name for name, command in tests if wanted(name, command))[::step]
    return '\n'.join(lines) + '\n'


def main():
    args = sys.argv[1:]
    if len(args) == 1 and args[0] in LISTS:
        sys.stdout.write(pick(args[0]))
        return 0
    if len(args) == 3 and args[0] == '--check' and args[1] in LISTS:
        with open(args[2]) as f:
            same = f.read() == pick(args[1])
        print(f"{args[2]} is {'' if same else 'not '}what pick.py {args[1]} prints")
        return 0 if same else 1
    print(__doc__)
    return 0 if args == ['--help'] else 2


if __name__ == '__main__':
    sys.exit(main())
