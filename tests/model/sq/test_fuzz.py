#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs of random bits: whatever they do, the sequencer reports and ends."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import EXEC, check, finish  # noqa: E402

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 120
# first bits of each encoding and how many there are
ENCODINGS = [(0b10, 2), (0b1011, 4), (0b101111101, 9), (0b101111110, 9), (0b101111111, 9), (0b110000, 6),
             (0b0, 1), (0b0111110, 7), (0b0111111, 7), (0b110100, 6), (0b110100111, 9), (0b110101, 6), (0b110110, 6),
             (0b111000, 6), (0b111010, 6), (0b111100, 6), (0b110111, 6), (0b110001, 6)]


def dword():
    prefix, bits = rng.choice(ENCODINGS)
    v = prefix << (32 - bits) | rng.getrandbits(32 - bits)
    # neither ends nor long jumps: there is more to run
    return 0xbf800000 if v >> 23 == 0b101111111 and v >> 16 & 0x7f < 10 else v


def number():
    return rng.choice([0, 4, 0x200000, 0xffffffff, rng.getrandbits(32)])


def main():
    for run in range(RUNS):
        code = []
        for _ in range(24):
            code.append(dword())
            if rng.random() < 0.5:
                code.append(rng.getrandbits(32) & rng.choice([0x000f0fff, 0xffffffff]))
        job = {'gpu': 'gfx900', 'code': ['%08x' % c for c in code], 'exec': '%016x' % rng.getrandbits(64),
               'm0': '%08x' % number(), 'sgpr': {str(n): '%08x' % number() for n in range(102)},
               'vgpr': {str(n): ['%08x' % number() for _ in range(64)] for n in range(0, 256, 13)},
               'memory': {'0x200000': '11' * 256}}
        p = subprocess.run([EXEC, '-'], input=json.dumps(job), capture_output=True, text=True, timeout=60)
        check('run %d ends' % run, p.returncode in (0, 1), True, '%d %s' % (p.returncode, p.stderr[-300:]))
        if p.returncode in (0, 1):
            check('run %d prints its state' % run, 'violations' in json.loads(p.stdout), True)
    finish(2 * RUNS)


if __name__ == '__main__':
    main()
