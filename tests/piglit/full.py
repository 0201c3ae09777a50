#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the summary of a whole piglit run of the stock radeonsi against the
records of a real Raven: what agrees, and every test that does not, with its
reason from REASONS (one test a line, then '#' and the reason).

usage: full.py --reasons FILE --date DATE [--again FOLDER...] -- RESULTS... > docs/control-full.md
RESULTS are piglit's folders, one a profile; what is in the --again folders takes
their place. --disagree prints the tests that disagree without a reason instead."""

import argparse
import bz2
import glob
import json
import os
import sys

import record
from run import profile_tests, read_names

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def single(name, test):
    """The tests of a process that ran many (--process-isolation false), as if alone."""
    if '-report-subtests' not in test.get('command', ''):
        return {name: test}
    # What the process printed is not known to belong to one of them.
    return {f'{name}@{sub}'.lower(): dict(test, result=result, subtests={}, out='', err='')
            for sub, result in test['subtests'].items() if sub != '__type__'}


def load(folder):
    """{test: piglit's dictionary} of a finished run, or of one under way."""
    return {name: test for group, tests in read(folder).items() for name, test in single(group, tests).items()
            if test['result'] != 'incomplete'}


def load_profile(profile, folder):
    """Only what the profile has: processes that run many tests take whole
    folders, with the few that quick_shader leaves out."""
    names = {name.lower() for name in profile_tests(profile) if not name.startswith('glx@')}
    results = {name: test for name, test in load(folder).items() if name.lower() in names}
    results.update((name, {'result': 'notrun'}) for name in names - {name.lower() for name in results})
    return results


def read(folder):
    for path, opened in ((folder + '/results.json.bz2', bz2.open), (folder + '/results.json', open)):
        if os.path.exists(path):
            with opened(path, 'rt') as f:
                return json.load(f)['tests']
    tests = {}
    for path in glob.glob(folder + '/tests/*.json'):
        try:
            with open(path) as f:
                tests.update(json.load(f))
        except ValueError:
            pass   # just being written
    return tests


def table(rows):
    head, *body = rows
    return '\n'.join(['| ' + ' | '.join(map(str, r)) + ' |' for r in [head, ['---'] * len(head)] + body])


def judge(chip, tests):
    """(agree, {test: verdict} of those that do not, how many say nothing)"""
    verdicts = {name: chip.verdict(name, test) for name, test in tests.items()}
    return (sum(v == record.AGREES for v in verdicts.values()),
            {name: v for name, v in verdicts.items() if v not in (None, record.AGREES)},
            sum(v is None for v in verdicts.values()))


def show_open(different, reasons, tests):
    for name, verdict in sorted(different.items()):
        if name not in reasons:
            print(f"{tests[name]['result']}\t{name}\t{verdict}")


def summary(args, runs, tests, different, agree, mute):
    kinds = sorted({t['result'] for t in tests.values()})
    rows = [['profile', 'tests'] + kinds]
    for profile, results in runs.items():
        rows.append([f'`{profile}`', len(results)]
                    + [sum(t['result'] == kind for t in results.values()) for kind in kinds])
    percent = 100 * len(different) / (agree + len(different))
    print(f"""# The whole of piglit on the control

Debian's stock radeonsi on the model, no `AMD_DEBUG`, `piglit run -p gbm -x ^glx@`, run of {args.date};
most of quick_shader with `--process-isolation false`, many tests a process, the rest one a process. Made by `tests/piglit/full.py` from piglit's results and `{os.path.relpath(args.reasons, ROOT)}`.

{table(rows)}

{args.again_count} of these are from a second run of what disagreed: alone in its process, with more time than the first run's
90 s beside other work, and with the model as it had become.

{agree + len(different)} tests ran and say something about the hardware: {agree} agree with Mesa's record of a real Raven
(`src/amd/ci/radeonsi-raven-*.txt`), {len(different)} ({percent:.2f}%) do not. The other {mute} skip, here or there, or are
flaky there. Where the tree's other record of a Raven (`src/gallium/drivers/radeonsi/ci/gfx9-raven-fail.csv`, whose run
was on GBM as well) says what happens here, the table says so.

## What does not agree
""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--reasons', required=True)
    parser.add_argument('--date', default='')
    parser.add_argument('--again', nargs='*', default=[])
    parser.add_argument('--disagree', action='store_true')
    parser.add_argument('results', nargs='+')
    args = parser.parse_args()
    runs = {}
    for folder in args.results:
        profile = os.path.basename(folder.rstrip('/')).removeprefix('full_')
        runs[profile] = load_profile(profile, folder)
    again = {name: test for folder in args.again for name, test in load(folder).items()}
    args.again_count = len(again)
    for results in runs.values():
        results.update((name, test) for name, test in again.items() if name in results)
    tests = {name: test for results in runs.values() for name, test in results.items()}
    reasons = read_names(args.reasons)
    agree, different, mute = judge(record.Record(ROOT, 'radeonsi-raven'), tests)
    if args.disagree:
        return show_open(different, reasons, tests)
    second = judge(record.Second(ROOT), tests)[1]
    summary(args, runs, tests, different, agree, mute)
    rows = [['test', 'here', 'the other Raven', 'why']]
    for name in sorted(different, key=lambda n: (reasons.get(n, ''), n)):
        rows.append([f'`{name}`', tests[name]['result'], 'differs' if name in second else 'the same',
                     reasons.get(name, '**not known**')])
    print(table(rows))
    return 0


if __name__ == '__main__':
    sys.exit(main())
