#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders the demo with two drivers, compares the pictures and asks the model
for a clean report."""

import argparse
import os
import re
import subprocess
import sys


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--root', required=True)
    parser.add_argument('--build', required=True)
    parser.add_argument('--within', type=int, required=True, help='of 255, per channel')
    parser.add_argument('--percent', type=float, required=True, help='of pixels that must be that near')
    parser.add_argument('drivers', nargs=2, help='the one under test, then the witness')
    return parser.parse_args()


def render(args, driver, path):
    """Runs the demo; exits when it fails or when the model has a complaint."""
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', TGSIAMD_BUILD=args.build,
               TGSIAMD_MODEL='report', MESA_SHADER_CACHE_DISABLE='true')
    run = subprocess.run([os.path.join(args.root, 'tgsiamd'), 'demo', '--driver', driver, '--out', path],
                         env=env, capture_output=True, text=True, timeout=300)
    print(run.stdout + run.stderr)
    if run.returncode:
        sys.exit(f'the demo fails on {driver} (exit status {run.returncode})')
    renderer = re.search(r'GL_RENDERER: (.*)', run.stdout).group(1)
    wanted = {'radeonsi': 'AMD', 'tgsiamd': 'tgsiamd'}.get(driver, driver)
    if wanted not in renderer:
        sys.exit(f'{driver} was asked for, but GL_RENDERER is {renderer}')
    if driver in ('tgsiamd', 'radeonsi'):
        violations = re.search(r'violations:?\s+(\d+)', run.stderr)
        if not violations:
            sys.exit(f'the model printed no report for {driver}')
        if int(violations.group(1)):
            sys.exit(f'{driver}: {violations.group(1)} violations')


def main():
    args = parse_args()
    out = os.path.join(args.build, 'pictures')
    os.makedirs(out, exist_ok=True)
    base = os.path.join(out, '-'.join(args.drivers))
    pictures = [f'{base}-{i}.png' for i in (1, 2)]
    for driver, path in zip(args.drivers, pictures):
        render(args, driver, path)
    compare = subprocess.run([os.path.join(args.build, 'src/tools/demo/tgsiamd-pngdiff'),
                              '--within', str(args.within), '--percent', str(args.percent),
                              '--out', base + '-difference.png'] + pictures)
    print(f'the difference as a picture: {base}-difference.png')
    return compare.returncode


if __name__ == '__main__':
    sys.exit(main())
