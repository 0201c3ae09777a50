#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scheduling must not take registers that nothing gains by: many computations
that stand one behind the other need as many VGPRs as one, whatever the order.
Programs of several kinds with and without the scheduler: at most SLACK more
VGPRs, and none spilled where the program's own order spills none.

usage: pressure.py TGSIAMD-COMPILE"""

import re
import subprocess
import sys

SLACK, COUNTS = 24, (8, 32)


def each(*lines):
    return lambda n: [line.replace('@', str(i * 2 % 256)) for i in range(n) for line in lines]


KINDS = {
    'integer divisions': each('UDIV TEMP[0], TEMP[0].wxyz, CONST[0][@]'),
    '64-bit divisions': each('U64DIV TEMP[0], TEMP[0].zwxy, CONST[0][@]'),
    'divisions of doubles': each('DDIV TEMP[0], TEMP[0].zwxy, CONST[0][@]'),
    'roots of doubles': each('DSQRT TEMP[1], CONST[0][@]', 'DMAD TEMP[0], TEMP[0], TEMP[1], TEMP[0].zwxy'),
    'squares': each('MUL TEMP[1], CONST[0][@], CONST[0][@]', 'MUL TEMP[1], TEMP[1], TEMP[1]', 'ADD TEMP[0], TEMP[0], TEMP[1]'),
    'functions': each('RCP TEMP[1].x, CONST[0][@].xxxx', 'RSQ TEMP[1].y, CONST[0][@].yyyy',
                      'EX2 TEMP[1].z, CONST[0][@].zzzz', 'MAD TEMP[0], TEMP[0].yzwx, TEMP[1].xyzx, TEMP[0]'),
    'directions': each('DP3 TEMP[1].x, CONST[0][@], CONST[0][@]', 'RSQ TEMP[1].x, TEMP[1].xxxx',
                       'MUL TEMP[1].xyz, CONST[0][@], TEMP[1].xxxx', 'DP3 TEMP[2].x, IN[1], TEMP[1]',
                       'POW TEMP[2].x, TEMP[2].xxxx, CONST[0][@].wwww', 'MAD TEMP[0], CONST[0][@], TEMP[2].xxxx, TEMP[0]'),
}
HEAD = ['FRAG', 'DCL IN[0], GENERIC[0], PERSPECTIVE', 'DCL IN[1], GENERIC[1], PERSPECTIVE', 'DCL OUT[0], COLOR',
        'DCL CONST[0][0..255]', 'DCL TEMP[0..2]', 'MOV TEMP[0], IN[0]']


def registers(program, text, *options):
    """VGPRs and spilled VGPRs; None when it does not compile."""
    run = subprocess.run([program, '--stats', *options, '-'], input=text, capture_output=True, text=True)
    found = re.search(r' VGPRs (\d+) .* vgpr_spills (\d+)', run.stdout)
    if run.returncode or not found:
        print(run.stderr)
        return None
    return int(found.group(1)), int(found.group(2))


def main():
    failed = 0
    for kind, body in KINDS.items():
        for count in COUNTS:
            text = '\n'.join(HEAD + body(count) + ['MOV OUT[0], TEMP[0]', 'END', ''])
            own, ours = registers(sys.argv[1], text, '--no-sched'), registers(sys.argv[1], text)
            good = own and ours and ours[0] <= own[0] + SLACK and (not ours[1] or own[1])
            failed += not good
            print(f'{kind}, {count}: (VGPRs, spilled) {ours}, without the scheduler {own}{"" if good else "  FAILED"}')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
