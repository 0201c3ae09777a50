#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs piglit (Debian's package) on a driver and compares with the expectation
files.

A list is a file with one test a line ('#' starts a comment). Expectations stand
beside it: NAME-DRIVER-fails.txt, -skips.txt and -flakes.txt; each line is a
test, then '#' and the reason. A test that fails without being listed, and one
that is listed in -fails but passes, are both reported and make the run fail.

With --record the expectation is what a real chip does, as Mesa's tree keeps it
(src/amd/ci/CHIP-fails.txt, -flakes, -skips), and NAME-DRIVER-fails.txt holds the
tests that disagree with it."""

import argparse
import bz2
import json
import os
import shutil
import subprocess
import sys
import tempfile

import record

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
    parser.add_argument('--record', metavar='CHIP', help="expect what Mesa's record says of it, as radeonsi-raven")
    parser.add_argument('--percent', type=float, default=99, help='with --record: so many must agree')
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


def platform(args):
    """Environment of piglit's window system: GBM has windows, so that tests
    without -fbo run, but it needs a DRM device below it."""
    if args.driver in ('softpipe', 'llvmpipe'):
        return {'PIGLIT_PLATFORM': 'surfaceless_egl'}
    return {'PIGLIT_PLATFORM': 'gbm', 'WAFFLE_GBM_DEVICE': os.environ.get('WAFFLE_GBM_DEVICE', '/dev/dri/renderD128')}


def run_profile(args, profile, tests, out):
    """Runs one profile; {test: piglit's dictionary}."""
    window = platform(args)
    command = ['piglit', 'run', '-p', window['PIGLIT_PLATFORM'], '--overwrite', '--timeout', str(args.timeout),
               '-j', str(args.jobs), '-x', '^glx@']
    if tests is not None:
        with open(out + '.list', 'w') as f:
            f.write('\n'.join(sorted(tests)) + '\n')
        command += ['--test-list', out + '.list']
    env = dict(os.environ, **window, TGSIAMD_NO_SETUP='1', PIGLIT_NO_FAST_SKIP='true')
    # Each run compiles all that it runs. A cache of its own for the control, as
    # the hardware had: program binaries are refused without one.
    if args.record:
        env.update(MESA_SHADER_CACHE_DISABLE='false', MESA_SHADER_CACHE_DIR=out + '.cache')
    else:
        env.update(MESA_SHADER_CACHE_DISABLE='true')
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
    return data['tests']


def run_all(args, out):
    if args.list in PROFILES:
        return run_profile(args, args.list, None, os.path.join(out, args.list))
    wanted = read_names(args.list)
    if not wanted:
        sys.exit(f'{args.list} names no test; it is no profile either ({" ".join(PROFILES)})')
    if args.record:
        wanted = [name for name in wanted if not args.record.skipped(name)]
    results = {}
    for profile in LIST_PROFILES:
        tests = set(wanted) & profile_tests(profile)
        if tests:
            results.update(run_profile(args, profile, tests, os.path.join(out, profile)))
    for name in sorted(set(wanted) - set(results)):
        results[name] = {'result': 'incomplete', 'out': "this test is in none of piglit's profiles\n"}
    return results


def expectations(args):
    name = os.path.splitext(os.path.basename(args.list))[0]
    base = os.path.join(args.root, 'piglit-profiles', f'{name}-{args.driver}-')
    return [read_names(base + kind + '.txt') for kind in ('fails', 'skips', 'flakes')]


def judge(results, fails, skips, flakes):
    """Sorts tests into what the summary shows."""
    groups = {k: [] for k in ('passed', 'skipped', 'known', 'new fail', 'unexpected pass', 'not skipped')}
    for name, test in sorted(results.items()):
        result = test['result']
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


def show(name, test, note=''):
    """A test that is not as it should be, with the end of its output."""
    print(f"\n{test['result']}{note}: {name}")
    output = (test.get('out', '') + test.get('err', '')).splitlines()
    print('\n'.join('   ' + line for line in output[-12:]))


def compare(args, results):
    """Against the expectation files; the counts."""
    groups = judge(results, *expectations(args))
    for name in groups['new fail']:
        show(name, results[name])
    for name in groups['unexpected pass'] + groups['not skipped']:
        print(f'passes but the expectation file says otherwise: {name}')
    counts = {'passed': len(groups['passed']),
              'failed': len(groups['new fail']) + len(groups['unexpected pass']) + len(groups['not skipped']),
              'skipped': len(groups['skipped']), 'known': len(groups['known'])}
    print(f"as expected: {counts['passed']} pass, {counts['known']} known failures; "
          f"not as expected: {counts['failed']}; skipped: {counts['skipped']}")
    return counts


def compare_with_record(args, results):
    """Against the record of a real chip; the counts."""
    reasons = expectations(args)[0]
    ran, agree, new = 0, 0, 0
    for name, test in sorted(results.items()):
        verdict = args.record.verdict(name, test)
        if verdict == record.AGREES:
            agree += 1
            if name in reasons:
                print(f'agrees with the record but is listed as disagreeing: {name}')
                new += 1
        elif verdict and name not in reasons:
            show(name, test, f' ({verdict})')
            new += 1
        ran += verdict is not None
    percent = 100 * agree / max(ran, 1)
    print(f'{ran} ran, {agree} agree with the record of the hardware: {percent:.2f}%; '
          f'{ran - agree} do not, {new} of these without a reason or listed although they agree; '
          f'{len(results) - ran} skip, flaky on the hardware or not run there')
    if percent < args.percent or not ran:
        print(f'fewer than {args.percent}% agree')
        new = max(new, 1)
    return {'passed': agree, 'failed': new, 'skipped': len(results) - ran, 'known': max(ran - agree - new, 0)}


def main():
    args = parse_args()
    if args.record:
        args.record = record.Record(args.root, args.record)
    temporary = None if args.out else tempfile.mkdtemp(prefix='tgsiamd-piglit-')
    out = os.path.abspath(args.out or temporary)
    os.makedirs(out, exist_ok=True)
    results = run_all(args, out)
    kinds = {}
    for test in results.values():
        kinds[test['result']] = kinds.get(test['result'], 0) + 1
    counts = compare_with_record(args, results) if args.record else compare(args, results)
    print(f"{args.driver}, {args.list}: " + ', '.join(f'{n} {k}' for k, n in sorted(kinds.items())))
    if args.summary:
        os.makedirs(os.path.dirname(args.summary), exist_ok=True)
        with open(args.summary, 'w') as f:
            json.dump(counts, f)
    if temporary:
        shutil.rmtree(temporary, ignore_errors=True)
    return 1 if counts['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
