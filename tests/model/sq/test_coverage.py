#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every opcode of the GPU is executed by the sequencer and stands in a vector of
one of the tests in this folder. An argument prints the table."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import EXEC, check, finish  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def vectors():
    """Opcode -> tests that have it."""
    found = {}
    for name in sorted(os.listdir(HERE)):
        if not re.fullmatch(r'test_\w+\.py', name) or name in ('test_coverage.py', 'test_fuzz.py', 'test_exec.py'):
            continue
        p = subprocess.run([sys.executable, os.path.join(HERE, name)], capture_output=True, text=True,
                           env=dict(os.environ, TGSIAMD_SQ_LIST='1'))
        check('list of ' + name, p.returncode, 0, p.stderr[-400:])
        for word in p.stdout.split():
            found.setdefault(re.sub(r'_(e32|e64|sdwa|dpp)$', '', word), []).append(name[5:-3])
    return found


def main():
    rows = [line.split() for line in subprocess.run([EXEC, '--opcodes'], capture_output=True, text=True).stdout.splitlines()]
    found = vectors()
    check('opcodes', len(rows) > 1000, True)
    for name, enc, number, executed in rows:
        check('%s is executed' % name, executed, 'executed')
        check('%s has a vector' % name, name in found, True)
        if len(sys.argv) > 1:
            print('%-8s %4s %-32s %-9s %s' % (enc, number, name, executed, ' '.join(found.get(name, []))))
    finish(2 * len(rows))


if __name__ == '__main__':
    main()
