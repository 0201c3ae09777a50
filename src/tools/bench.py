#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Benchmarks beside a named peer: ratios first, medians of several runs taken
in turn, since the machine's speed may drift."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

WHAT = {'demo': 'the demo on the model: tgsiamd against the stock radeonsi'}


def run_demo(root, driver, picture):
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', TGSIAMD_MODEL='report', MESA_SHADER_CACHE_DISABLE='true')
    run = subprocess.run([os.path.join(root, 'tgsiamd'), 'demo', '--driver', driver, '--out', picture],
                         env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f'the demo fails on {driver}:\n{run.stdout}{run.stderr}')
    seconds = float(re.search(r'([0-9.]+) s$', run.stdout, re.M).group(1))
    instructions = re.search(r'instructions:?\s+(\d+)', run.stderr)
    return seconds, int(instructions.group(1)) if instructions else 0


def bench_demo(root, runs):
    drivers = ['tgsiamd', 'radeonsi']
    results = {d: [] for d in drivers}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            for driver in drivers:
                results[driver].append(run_demo(root, driver, os.path.join(folder, 'demo.png')))
    median = {d: statistics.median(s for s, _ in results[d]) for d in drivers}
    issued = {d: results[d][-1][1] for d in drivers}
    print(f"wall time, tgsiamd / radeonsi:            {median['tgsiamd'] / median['radeonsi']:.3f}")
    if all(issued.values()):
        print(f"instructions issued, tgsiamd / radeonsi:  {issued['tgsiamd'] / issued['radeonsi']:.3f}")
    for d in drivers:
        times = sorted(s for s, _ in results[d])
        print(f'{d:9} median {median[d]:.2f} s (min {times[0]:.2f}, max {times[-1]:.2f}), {issued[d]} instructions')


def main():
    parser = argparse.ArgumentParser(prog='./tgsiamd bench', description=__doc__)
    parser.add_argument('--root', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('what', nargs='*', metavar='WHAT',
                        help='; '.join(f'{name}: {text}' for name, text in WHAT.items()))
    args = parser.parse_args()
    unknown = [w for w in args.what if w not in WHAT]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'; there is: {' '.join(WHAT)}")
    bench_demo(args.root, args.runs)


if __name__ == '__main__':
    main()
