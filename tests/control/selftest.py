#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stock radeonsi's own random tests (AMD_TEST) on the model: copies and
blits between random images, compared by the CPU. They never end by themselves.

usage: selftest.py --shim LIB --test NAME --seconds N PROGRAM
PROGRAM is any that makes a GL context."""

import argparse
import os
import re
import subprocess
import sys


# Random bits are no depth: the graphics blit writes them through the viewport's
# depth range, which clamps.
CLAMPED = re.compile(r'format = +z32_float[^,]*, BLITs: GFX = +[1-9]')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--shim', required=True)
    parser.add_argument('--test', required=True)
    parser.add_argument('--seconds', type=float, required=True)
    parser.add_argument('program')
    args = parser.parse_args()
    env = dict(os.environ, LD_PRELOAD=args.shim, MESA_LOADER_DRIVER_OVERRIDE='radeonsi', EGL_PLATFORM='surfaceless',
               MESA_SHADER_CACHE_DISABLE='true', AMD_TEST=args.test, TGSIAMD_GPU='raven', TGSIAMD_MODEL='')
    env.pop('LIBGL_DRIVERS_PATH', None)
    try:
        run = subprocess.run(['stdbuf', '-oL', args.program, '--out', os.devnull], env=env, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=args.seconds)
        output = run.stdout
        print(f'ended by itself with status {run.returncode}')
    except subprocess.TimeoutExpired as e:
        output = e.stdout or b''
    lines = output.decode(errors='replace').splitlines()
    passed = [l for l in lines if re.search(r' pass \[\d+/\d+\]$', l)]
    failed = [l for l in lines if re.search(r' fail \[\d+/\d+\]$', l) and not CLAMPED.search(l)]
    violations = [l for l in lines if l.startswith('tgsiamd-model:')]
    for line in failed + violations:
        print(line)
    print(f'{args.test}: {len(passed)} passed, {len(failed)} failed, {len(violations)} violations')
    if not passed:
        print('\n'.join(lines[-20:]))
    return 0 if passed and not failed and not violations else 1


sys.exit(main())
