#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs piglit (Debian's package) on a driver and compares with the expectation
files.

A list is a file with one test a line ('#' starts a comment). Expectations stand
beside it: NAME-DRIVER-fails.txt, -skips.txt and -flakes.txt; each line is a
test, then '#' and the reason. A test that fails without being listed, and one
that is listed in -fails but passes, are both reported and make the run fail."""

import argparse
import bz2
import json
import os
import shutil
import subprocess
import sys
import tempfile

PROFILES = ['sanity', 'quick_gl', 'quick_shader', 'cl']
LIST_PROFILES = ['quick_gl', 'quick_shader']
BAD = ('fail', 'crash', 'timeout', 'incomplete', 'dmesg-fail', 'warn', 'dmesg-warn')


def parse_args():
    parser = argparse.ArgumentParser(prog='./tgsiamd piglit', description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--root', default=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                        help=argparse.SUPPRESS)
    parser.add_argument('--driver', default='tgsiamd', help='tgsiamd, radeonsi, softpipe or llvmpipe')
    parser.add_argument('--hw', action='store_true', help='on a real GPU instead of the model')
    parser.add_argument('--list', default='piglit-profiles/smoke.txt', metavar='FILE or PROFILE',
                        help='file of test names, or a profile: ' + ' '.join(PROFILES))
    parser.add_argument('--out', metavar='DIR', help="folder for piglit's results (default: a temporary one)")
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='tests at a time')
    parser.add_argument('--timeout', type=int, default=120, help='seconds for one test')
    parser.add_argument('--summary', metavar='FILE', help='write the counts as JSON')
    return parser.parse_args()


def read_names(path):
    """{test: reason} of a list; {} when there is no such file."""
    names = {}
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                name, _, reason = line.partition('#')
                if name.strip():
                    names[name.strip()] = reason.strip()
    return names


def profile_tests(profile):
    out = subprocess.run(['piglit', 'print-cmd', profile], capture_output=True, text=True)
    return {line.split(' ::: ')[0] for line in out.stdout.splitlines() if ' ::: ' in line}


def run_profile(args, profile, tests, out):
    """Runs one profile; {test: (result, output)}."""
    command = ['piglit', 'run', '-p', 'surfaceless_egl', '--overwrite', '--timeout', str(args.timeout),
               '-j', str(args.jobs), '-x', '^glx@']
    if tests is not None:
        with open(out + '.list', 'w') as f:
            f.write('\n'.join(sorted(tests)) + '\n')
        command += ['--test-list', out + '.list']
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', PIGLIT_PLATFORM='surfaceless_egl',
               MESA_SHADER_CACHE_DISABLE='true', PIGLIT_NO_FAST_SKIP='true')
    # Piglit itself runs without the model below it, only its tests have it:
    # the driver's variables go through `tgsiamd run`.
    run = subprocess.run([os.path.join(args.root, 'tgsiamd'), 'run', '--driver', args.driver]
                         + (['--hw'] if args.hw else []) + command + [profile, out], env=env)
    path = os.path.join(out, 'results.json')
    if os.path.exists(path + '.bz2'):
        data = json.loads(bz2.open(path + '.bz2', 'rt').read())
    elif os.path.exists(path):
        data = json.load(open(path))
    else:
        sys.exit(f'piglit left no results in {out} (exit status {run.returncode})')
    return {name: (t['result'], t.get('out', '') + t.get('err', '')) for name, t in data['tests'].items()}


def run_all(args, out):
    if args.list in PROFILES:
        return run_profile(args, args.list, None, os.path.join(out, args.list))
    wanted = read_names(args.list)
    if not wanted:
        sys.exit(f'{args.list} names no test; it is no profile either ({" ".join(PROFILES)})')
    results = {}
    for profile in LIST_PROFILES:
        tests = set(wanted) & profile_tests(profile)
        if tests:
            results.update(run_profile(args, profile, tests, os.path.join(out, profile)))
    for name in sorted(set(wanted) - set(results)):
        results[name] = ('incomplete', "this test is in none of piglit's profiles\n")
    return results


def expectations(args):
    name = os.path.splitext(os.path.basename(args.list))[0]
    base = os.path.join(args.root, 'piglit-profiles', f'{name}-{args.driver}-')
    return [read_names(base + kind + '.txt') for kind in ('fails', 'skips', 'flakes')]


def judge(results, fails, skips, flakes):
    """Sorts tests into what the summary shows."""
    groups = {k: [] for k in ('passed', 'skipped', 'known', 'new fail', 'unexpected pass', 'not skipped')}
    for name, (result, _) in sorted(results.items()):
        if name in flakes:
            groups['passed' if result == 'pass' else 'known'].append(name)
        elif result == 'pass':
            groups['unexpected pass' if name in fails else 'not skipped' if name in skips else 'passed'].append(name)
        elif result == 'skip':
            groups['skipped'].append(name)
        elif name in fails:
            groups['known'].append(name)
        else:
            groups['new fail'].append(name)
    return groups


def main():
    args = parse_args()
    temporary = None if args.out else tempfile.mkdtemp(prefix='tgsiamd-piglit-')
    out = os.path.abspath(args.out or temporary)
    os.makedirs(out, exist_ok=True)
    results = run_all(args, out)
    groups = judge(results, *expectations(args))

    for name in groups['new fail']:
        result, output = results[name]
        print(f'\n{result}: {name}')
        print('\n'.join('   ' + line for line in output.splitlines()[-12:]))
    for name in groups['unexpected pass'] + groups['not skipped']:
        print(f'passes but the expectation file says otherwise: {name}')

    kinds = {}
    for result, _ in results.values():
        kinds[result] = kinds.get(result, 0) + 1
    failed = len(groups['new fail']) + len(groups['unexpected pass']) + len(groups['not skipped'])
    counts = {'passed': len(groups['passed']), 'failed': failed,
              'skipped': len(groups['skipped']), 'known': len(groups['known'])}
    print(f"\n{args.driver}, {args.list}: " + ', '.join(f'{n} {k}' for k, n in sorted(kinds.items())))
    print(f"as expected: {counts['passed']} pass, {counts['known']} known failures; "
          f"not as expected: {failed}; skipped: {counts['skipped']}")
    if args.summary:
        os.makedirs(os.path.dirname(args.summary), exist_ok=True)
        with open(args.summary, 'w') as f:
            json.dump(counts, f)
    if temporary:
        shutil.rmtree(temporary, ignore_errors=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
