#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Meson's test suites one after the other and prints, as the last line,
`N passed, N failed, N skipped`.

A Meson test counts as one, except those that run piglit: they leave a
summary in BUILD/piglit/NAME.json and every piglit test in it counts. Known
failures (expectation files in piglit-profiles/) are counted apart."""

import argparse
import json
import os
import subprocess
import sys
import time

SUITES = ['isa', 'compiler', 'model', 'gl', 'control', 'piglit']


def parse_args():
    parser = argparse.ArgumentParser(prog='./tgsiamd test', description=__doc__.split('\n\n')[0])
    parser.add_argument('--root', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('suites', nargs='*', metavar='SUITE', help='one of: ' + ' '.join(SUITES))
    args = parser.parse_args()
    unknown = [s for s in args.suites if s not in SUITES]
    if unknown:
        parser.error(f"there is no suite '{unknown[0]}'; they are: {' '.join(SUITES)}")
    return args


def existing_suites(build):
    out = subprocess.run(['meson', 'introspect', '--tests', build], capture_output=True, text=True, check=True)
    suites = set()
    for test in json.loads(out.stdout):
        suites.update(s.split(':')[-1] for s in test['suite'] if s.startswith('tgsiamd'))
    return suites


def run_suite(build, suite):
    """Returns a list of (test name, result) that really ran."""
    log = f'suite-{suite}'
    # meson exits non-zero when a test fails; the log tells which.
    # Time limits are for idle machines; this one may be shared. What the demo's
    # comparisons print is wanted even when they pass.
    verbose = ['--verbose'] if suite == 'gl' else ['--print-errorlogs']
    run = subprocess.run(['meson', 'test', '-C', build, '--no-rebuild', *verbose,
                          '--timeout-multiplier', '4', '--suite', f'tgsiamd:{suite}', '--logbase', log])
    results = []
    path = os.path.join(build, 'meson-logs', log + '.json')
    try:
        with open(path) as f:
            for line in f:
                test = json.loads(line)
                results.append((test['name'].split(' / ')[-1], test['result']))
    except OSError:
        pass
    if not results or (run.returncode and all(r in ('OK', 'SKIP') for _, r in results)):
        results.append((f'suite {suite}', 'ERROR'))
    return results


def count(build, results, started):
    total = {'passed': 0, 'failed': 0, 'skipped': 0, 'known': 0}
    for name, result in results:
        summary = os.path.join(build, 'piglit', name + '.json')
        if name.startswith('piglit-') and os.path.exists(summary) and os.path.getmtime(summary) >= started:
            with open(summary) as f:
                counts = json.load(f)
            for key in total:
                total[key] += counts[key]
            if result not in ('OK', 'EXPECTEDFAIL') and not counts['failed']:
                total['failed'] += 1
        elif result in ('OK', 'EXPECTEDFAIL'):
            total['passed'] += 1
        elif result == 'SKIP':
            total['skipped'] += 1
        else:
            total['failed'] += 1
    return total


def main():
    args = parse_args()
    started = time.time()
    present = existing_suites(args.build)
    totals = []
    for suite in args.suites or [s for s in SUITES if s in present]:
        if suite not in present:
            print(f'suite {suite}: this checkout has no such tests')
            totals.append((suite, {'passed': 0, 'failed': 1, 'skipped': 0, 'known': 0}, 0))
            continue
        print(f'--- {suite}', flush=True)
        begin = time.time()
        totals.append((suite, count(args.build, run_suite(args.build, suite), started), time.time() - begin))

    print()
    for suite, t, seconds in totals:
        print(f"{suite:10} {t['passed']:6} passed {t['failed']:4} failed {t['skipped']:4} skipped "
              f"{t['known']:4} known failures  {seconds:6.0f} s")
    failed = sum(t['failed'] for _, t, _ in totals)
    print(f"{sum(t['passed'] for _, t, _ in totals)} passed, {failed} failed, "
          f"{sum(t['skipped'] for _, t, _ in totals)} skipped", flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
