#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stock radeonsi draws the same pictures, bit for bit, whatever AMD_DEBUG
changes inside: shaders in one piece instead of parts, no compression of colour
or depth. The switched-off parts are then the model's to blame, or its proof.

usage: same_pictures.py --root DIR --build DIR PICTURES DEMO"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile

SWITCHES = ['mono', 'nongg', 'nodcc', 'nohyperz']


def run(args, switch, command):
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', TGSIAMD_BUILD=args.build, TGSIAMD_GPU='raven',
               MESA_SHADER_CACHE_DISABLE='true', EGL_PLATFORM='surfaceless', AMD_DEBUG=switch)
    done = subprocess.run([os.path.join(args.root, 'tgsiamd'), 'run', '--driver', 'radeonsi'] + command,
                          env=env, capture_output=True, text=True, timeout=300)
    complaints = [line for line in done.stderr.splitlines() if line.startswith(('tgsiamd-model:', 'pictures:'))]
    if done.returncode or complaints:
        sys.exit(f'AMD_DEBUG={switch} {command[0]}: exit status {done.returncode}\n{done.stderr}')
    return done.stdout


def pictures(args, switch, folder):
    """{name of a picture: hash}"""
    found = dict(line.split() for line in run(args, switch, [args.pictures]).splitlines())
    png = os.path.join(folder, 'demo.png')
    run(args, switch, [args.demo, '--size', '512x384', '--out', png])
    with open(png, 'rb') as f:
        found['demo'] = hashlib.sha256(f.read()).hexdigest()[:16]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--root', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('pictures')
    parser.add_argument('demo')
    args = parser.parse_args()
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        plain = pictures(args, '', folder)
        for switch in SWITCHES:
            other = pictures(args, switch, folder)
            wrong = sorted(name for name in plain if other.get(name) != plain[name])
            print(f'AMD_DEBUG={switch}: {len(plain)} pictures, different: {" ".join(wrong) or "none"}')
            different += len(wrong)
    return 1 if different or len(plain) < 13 else 0


if __name__ == '__main__':
    sys.exit(main())
