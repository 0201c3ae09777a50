#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Benchmarks beside a named peer: ratios first, medians of several runs taken
in turn, since the machine's speed may drift."""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from bench_compile import WORST, bench_compile

WHAT = {'demo': 'the demo on the model: tgsiamd against the stock radeonsi',
        'model': "the model's speed: vector instructions, pixels, texels, empty draws, memory, piglit-profiles/smoke.txt; "
                 'softpipe beside it',
        'compile': "the compiler: back end time, registers, code, instructions issued; radeonsi's LLVM beside it"}

# A loop of plain vector arithmetic on tgsiamd-exec: two v_mac_f32 and one each
# of v_add_f32, v_mul_f32, v_max_f32, v_and_b32, v_lshlrev_b32, v_add_u32; then
# s_sub_u32, s_cmp_lg_u32 and the branch.
VALU_LOOP = ['2c060501', '2c080702', '02060901', '0a080701', '16060903', '26080701', '24060881', '68080701']
LOOP_END = ['80808100', 'bf078000', 'bf85fff5']


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


def build_folder(root):
    return os.environ.get('TGSIAMD_BUILD', os.path.join(root, 'build'))


def run_on(root, driver, command, **variables):
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', MESA_SHADER_CACHE_DISABLE='true', **variables)
    run = subprocess.run([os.path.join(root, 'tgsiamd'), 'run', '--driver', driver] + command,
                         env=env, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)} fails on {driver}:\n{run.stdout}{run.stderr}")
    return run.stdout


def wave_seconds(root, loops):
    """CPU time of tgsiamd-exec for a wave that goes round VALU_LOOP so often."""
    wave = {'gpu': 'gfx900', 'code': VALU_LOOP + LOOP_END + ['bf810000'], 'exec': 'f' * 16,
            'sgpr': {'0': f'{loops:08x}'}, 'vgpr': {str(n): ['3f800000'] * 64 for n in range(5)}}
    with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
        json.dump(wave, f)
        f.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run = subprocess.run([os.path.join(build_folder(root), 'src/tools/exec/tgsiamd-exec'), f.name],
                             capture_output=True, text=True)
    if run.returncode or json.loads(run.stdout).get('violations'):
        sys.exit(f'tgsiamd-exec fails:\n{run.stdout}{run.stderr}')
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def workload_rate(root, driver, name, draws):
    out = run_on(root, driver, [os.path.join(build_folder(root), 'src/tools/workload/tgsiamd-workload'), name, str(draws)])
    items, seconds = re.search(r'^(\d+) \w+ in ([0-9.]+) s$', out, re.M).groups()
    return int(items) / float(seconds)


def peak_memory(root, driver):
    """Resident memory of the demo at its highest, in MB."""
    demo = os.path.join(build_folder(root), 'src/tools/demo/tgsiamd-demo')
    with tempfile.TemporaryDirectory() as folder:
        measure = ('import resource, subprocess, sys; r = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL); '
                   'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r)')
        out = run_on(root, driver, ['/usr/bin/python3', '-c', measure, demo, '--out', os.path.join(folder, 'demo.png')])
    return int(out.split()[-1]) / 1024


def piglit_seconds(root, driver):
    start = time.monotonic()
    subprocess.run([os.path.join(root, 'tgsiamd'), 'piglit', '--driver', driver], capture_output=True,
                   env=dict(os.environ, TGSIAMD_NO_SETUP='1'))
    return time.monotonic() - start


def bench_model(root, runs):
    loops = 1 << 20
    median = statistics.median
    base, full = [], []
    for _ in range(runs):
        base.append(wave_seconds(root, 1))
        full.append(wave_seconds(root, loops))
    rate = loops * len(VALU_LOOP) * 64 / (median(full) - median(base))
    print(f'vector arithmetic (f32 and u32 mix): {rate / 1e9:7.2f} G lane operations/s')

    for name, draws, unit, scale in (('fill', 16, 'M pixels/s, full-screen quad', 1e6),
                                     ('bilinear', 8, 'M texels/s, bilinear 2D', 1e6)):
        rates = {d: [] for d in ('tgsiamd', 'softpipe')}
        for _ in range(runs):
            for d in rates:
                rates[d].append(workload_rate(root, d, name, draws))
        ours, theirs = median(rates['tgsiamd']), median(rates['softpipe'])
        print(f'{unit + ":":36} {ours / scale:7.2f}, softpipe {theirs / scale:.2f}: ratio {ours / theirs:.2f}')
    for d in ('tgsiamd', 'radeonsi'):
        cost = 1e6 / median(workload_rate(root, d, 'empty', 10000) for _ in range(runs))
        print(f"{'empty draw, ' + d + ':':36} {cost:7.2f} us")
    for d in ('tgsiamd', 'radeonsi'):
        print(f"{'peak memory of the demo, ' + d + ':':36} {peak_memory(root, d):7.0f} MB")
    seconds = {d: piglit_seconds(root, d) for d in ('tgsiamd', 'softpipe')}
    print(f"piglit-profiles/smoke.txt, tgsiamd:  {seconds['tgsiamd']:7.1f} s, softpipe {seconds['softpipe']:.1f} s: "
          f"ratio {seconds['tgsiamd'] / seconds['softpipe']:.2f}")


def main():
    parser = argparse.ArgumentParser(prog='./tgsiamd bench', description=__doc__)
    parser.add_argument('--root', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--quick', action='store_true', help='compile: every 200th program instead of every 20th, one run')
    parser.add_argument('--worst', type=int, default=WORST, metavar='N',
                        help='compile: print so many programs with the disassemblies of both (%(default)s)')
    parser.add_argument('what', nargs='*', metavar='WHAT',
                        help='; '.join(f'{name}: {text}' for name, text in WHAT.items()))
    args = parser.parse_args()
    unknown = [w for w in args.what if w not in WHAT]
    if unknown:
        parser.error(f"there is no benchmark '{unknown[0]}'; there is: {' '.join(WHAT)}")
    for what in args.what or ['demo']:
        if what == 'compile':
            bench_compile(args.root, build_folder(args.root), args.runs, args.quick, args.worst)
        else:
            {'demo': bench_demo, 'model': bench_model}[what](args.root, args.runs)


if __name__ == '__main__':
    main()
