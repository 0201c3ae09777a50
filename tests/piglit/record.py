# SPDX-License-Identifier: MIT
"""What a real chip does in piglit: the lists in Mesa's own tree by which its CI
judges a board (src/amd/ci/CHIP-fails.txt, -flakes.txt, -skips.txt). Read where
Meson unpacks Mesa; they are not part of this repository."""

import glob
import os
import re
import sys

AGREES = 'agrees'
GOOD = ('pass', 'warn')   # piglit-runner, which wrote the record, counts a warning as a pass


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [line.strip() for line in f if line.strip() and not line.startswith('#')]


class Record:
    def __init__(self, root, chip):
        found = glob.glob(os.path.join(root, 'subprojects', 'mesa-*', 'src/amd/ci', chip + '-fails.txt'))
        if len(found) != 1:
            sys.exit(f"Mesa's record of {chip} is not below {root}/subprojects: './tgsiamd setup' unpacks it")
        base = found[0][:-len('fails.txt')]
        # Names are compared in lower case: piglit writes those of subtests so.
        self.fails = {}
        for line in lines(found[0]):
            name, _, result = line.rpartition(',')
            self.fails[name.lower()] = result.lower()
        # As the runner of the record does: expressions that match anywhere.
        self.flakes = [re.compile(line.lower()) for line in lines(base + 'flakes.txt')]
        self.skips = [re.compile(line.lower()) for line in lines(base + 'skips.txt')]

    def skipped(self, name):
        return any(skip.search(name.lower()) for skip in self.skips)

    def verdict(self, name, test):
        """AGREES, or what is different; None for a test that says nothing:
        skipped here or there, or flaky there. A failing test agrees when the
        same of its subtests fail. What the model reports is a difference, too."""
        low = name.lower()
        report = re.search(r'^tgsiamd-model: .*', test.get('err', '') + test.get('out', ''), re.MULTILINE)
        if report:
            return report[0]
        if test['result'] in ('skip', 'notrun') or self.skipped(name) or any(f.search(low) for f in self.flakes):
            return None
        here, there = test['result'] not in GOOD, low in self.fails
        if here != there:
            return 'the hardware passes' if here else f'the hardware: {self.fails[low]}'
        if not here:
            return AGREES
        mine = {f'{low}@{sub.lower()}' for sub, result in test.get('subtests', {}).items()
                if sub != '__type__' and result not in GOOD + ('skip', 'notrun')}
        theirs = {fail for fail in self.fails if fail.startswith(low + '@')}
        if mine != theirs:
            return 'the hardware fails in other subtests: ' + ', '.join(sorted(mine ^ theirs))
        return AGREES


class Second(Record):
    """The tree's other record of a Raven, by radeonsi's developers: only what
    fails, with GBM as the window system."""

    def __init__(self, root):
        super().__init__(root, 'radeonsi-raven')
        path, = glob.glob(os.path.join(root, 'subprojects', 'mesa-*', 'src/gallium/drivers/radeonsi/ci/gfx9-raven-fail.csv'))
        self.fails = {name.lower(): result.lower() for name, _, result in
                      (line.rpartition(',') for line in lines(path))}
