#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The work of compiling must grow no faster than n log n. Programs of several
shapes, N and 4 N instructions long: each doubling may take LIMIT times as much.
(What takes more is looked at between 4 N and 16 N instructions as well.)

usage: scaling.py COMPILER [--table]   (--table: 100 to 100,000 instructions, by pass)

COMPILER is tgsiamd-compile-counted, which counts basic blocks (the table shows
millions); with tgsiamd-compile itself the table shows milliseconds."""

import subprocess
import sys
import tempfile

from flow_shapes import FLOW_SHAPES, head

# n log n gives 2.16 here, a quadratic pass 4.
N, LIMIT = 4000, 2.3


def mad(n):
    """One chain."""
    body = [f'MAD TEMP[0], TEMP[0], IN[1], CONST[0][{i % 256}]' for i in range(n)]
    return head() + ['DCL TEMP[0]', 'MOV TEMP[0], IN[0]'] + body + ['MOV OUT[0], TEMP[0]']


def wide(n):
    """64 values alive."""
    w = 16
    body = [f'MOV TEMP[{i}], IN[{i % 2}]' for i in range(w)]
    body += [f'MAD TEMP[{i % w}], TEMP[{(i * 7 + 3) % w}].yzwx, TEMP[{(i * 5 + 1) % w}], CONST[0][{i % 256}].xxyy'
             for i in range(n)]
    body += [f'ADD TEMP[0], TEMP[0], TEMP[{i}]' for i in range(1, w)]
    return head() + [f'DCL TEMP[0..{w - 1}]'] + body + ['MOV OUT[0], TEMP[0]']


def many(n):
    """Thousands of temporaries, each read once."""
    t = min(n // 2, 2000)
    body = [f'MOV TEMP[{t}], IN[0]']
    for k in range(0, n, 2 * t):
        body += [f'MUL TEMP[{i}].x, IN[0].{"xyzw"[i % 4] * 4}, CONST[0][{i % 256}].{"xyzw"[k % 4] * 4}' for i in range(t)]
        body += [f'ADD TEMP[{t}].x, TEMP[{t}].xxxx, TEMP[{i}].xxxx' for i in range(t)]
    return head() + [f'DCL TEMP[0..{t}]'] + body + [f'MOV OUT[0], TEMP[{t}]']


def textures(n):
    """16 samplers, one texture in four instructions."""
    declare = [f'DCL SAMP[{i}]' for i in range(16)] + [f'DCL SVIEW[{i}], 2D, FLOAT' for i in range(16)]
    body = ['MOV TEMP[0], IN[0]']
    for k in range(n // 4):
        body += [f'ADD TEMP[1], IN[0], CONST[0][{k % 256}]', f'TEX TEMP[1], TEMP[1], SAMP[{k % 16}], 2D',
                 'MAD TEMP[0], TEMP[1], IN[1], TEMP[0]', 'MUL TEMP[0], TEMP[0], TEMP[1].wwww']
    return head() + declare + ['DCL TEMP[0..1]'] + body + ['MOV OUT[0], TEMP[0]']


def loops(n):
    body = ['MOV TEMP[0], IN[0]']
    for k in range(n // 11):
        body += ['MOV TEMP[1].x, IMM[0].xxxx', 'BGNLOOP', 'USGE TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz',
                 'UIF TEMP[1].yyyy', 'BRK', 'ENDIF', f'MAD TEMP[0], TEMP[0], IN[1], CONST[0][{k % 256}]',
                 'MAD TEMP[2], TEMP[0].yzwx, IN[1], TEMP[0]', 'ADD TEMP[0], TEMP[0], TEMP[2]',
                 'UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy', 'ENDLOOP']
    return head() + ['DCL TEMP[0..2]', 'IMM[0] UINT32 {0, 1, 10, 0}'] + body + ['MOV OUT[0], TEMP[0]']


def if_trees(n):
    body, count = ['MOV TEMP[0], IN[0]'], 0

    def tree(depth):
        nonlocal count
        if not depth:
            body.extend(f'MAD TEMP[0], TEMP[0].yzwx, IN[1], CONST[0][{(count + j) % 256}]' for j in range(3))
            body.append('MUL TEMP[3], TEMP[0], TEMP[3]')
            count += 4
            return
        body.extend([f'FSLT TEMP[1].x, TEMP[0].xxxx, CONST[0][{count % 256}].{"xyzw"[depth % 4] * 4}', 'UIF TEMP[1].xxxx'])
        tree(depth - 1)
        body.append('ELSE')
        tree(depth - 1)
        body.append('ENDIF')
        count += 4

    while count < n:
        tree(3)
    return head() + ['DCL TEMP[0..3]'] + body + ['ADD OUT[0], TEMP[0], TEMP[3]']


def ifs(n):
    """One after the other, on what the last left."""
    body = ['MOV TEMP[0], IN[0]', 'MOV TEMP[2], IN[1]']
    for k in range(n // 7):
        body += [f'FSLT TEMP[1].x, TEMP[0].xxxx, CONST[0][{k % 256}].xxxx', 'UIF TEMP[1].xxxx',
                 'MUL TEMP[0], TEMP[0], TEMP[2]', 'RCP TEMP[0].x, TEMP[0].xxxx', 'EX2 TEMP[0].y, TEMP[0].yyyy', 'ENDIF',
                 'ADD TEMP[2], TEMP[2], TEMP[0].yzwx']
    return head() + ['DCL TEMP[0..2]'] + body + ['ADD OUT[0], TEMP[0], TEMP[2]']


def uniform_ifs(n):
    body = ['MOV TEMP[0], IN[0]']
    for k in range(n // 8):
        body += [f'UIF CONST[0][{k % 256}].xxxx', f'MAD TEMP[0], TEMP[0], IN[1], CONST[0][{k % 256}]',
                 'RCP TEMP[0].x, TEMP[0].xxxx', 'ELSE', f'MAD TEMP[0], TEMP[0].yzwx, IN[1], CONST[0][{k % 200}]',
                 'EX2 TEMP[0].y, TEMP[0].yyyy', 'ENDIF', 'ADD TEMP[0], TEMP[0], IN[1]']
    return head() + ['DCL TEMP[0..2]'] + body + ['MOV OUT[0], TEMP[0]']


def array(n, size):
    body = ['F2I TEMP[0].x, IN[0].xxxx', 'UARL ADDR[0].x, TEMP[0].xxxx', 'MOV TEMP[1], IN[0]']
    for k in range(n // 4):
        body += [f'MOV TEMP[{2 + k % size}](1), TEMP[1]', 'MOV TEMP[ADDR[0].x+2](1), IN[1]',
                 'MAD TEMP[1], TEMP[ADDR[0].x+3](1), IN[1], TEMP[1]', 'UARL ADDR[0].x, TEMP[1].xxxx']
    return head() + ['DCL TEMP[0..1]', f'DCL TEMP[2..{1 + size}], ARRAY(1)', 'DCL ADDR[0]'] + body + ['MOV OUT[0], TEMP[1]']


def spilled_textures(n):
    """All texels alive at once."""
    t = n // 4
    body = [f'TEX TEMP[{i}], {f"TEMP[{i - 1}]" if i else "IN[0]"}, SAMP[0], 2D' for i in range(t)]
    body += [f'MOV TEMP[{t}], IN[0]'] + [f'MAD TEMP[{t}], TEMP[{t}], TEMP[{i}].wzyx, TEMP[{t - 1 - i}]' for i in range(t)]
    return head() + ['DCL SAMP[0]', 'DCL SVIEW[0], 2D, FLOAT', f'DCL TEMP[0..{t}]'] + body + [f'MOV OUT[0], TEMP[{t}]']


def spilled_sums(n, first, more):
    """Vectors of integers that all live at once; each but the first is made of the one before."""
    t = n // 4
    body = [f'MOV TEMP[0], {first}']
    body += [f'UMAD TEMP[{i}], TEMP[{i - 1}].yzwx, IMM[0].wwww, {more(i)}' for i in range(1, t)]
    body += [f'MOV TEMP[{t}], IN[0]'] + [f'UMAD TEMP[{t}], TEMP[{t}].wxyz, TEMP[{t - 1 - i}], TEMP[{i}]' for i in range(t)]
    return head() + [f'DCL TEMP[0..{t}]', 'IMM[0] UINT32 {1, 2, 3, 5}'] + body + [f'MOV OUT[0], TEMP[{t}]']


def spilled_scalars(n):
    return spilled_sums(n, 'IN[1]', lambda i: 'IN[1]')


def spilled_uniforms(n):
    return spilled_sums(n, 'CONST[0][0]', lambda i: f'CONST[0][{i % 256}]')


def spilled_through_breaks(n):
    """Texels that live through as many breaks."""
    t = n // 8
    body = ['MOV TEMP[0], IN[0]'] + [f'TEX TEMP[{i}], TEMP[{i - 1}], SAMP[0], 2D' for i in range(1, t)] + ['BGNLOOP']
    for i in range(t):
        body += [f'FSLT TEMP[{t}].x, TEMP[{t}].yyyy, CONST[0][{i % 256}].xxxx', f'UIF TEMP[{t}].xxxx', 'BRK', 'ENDIF',
                 f'MAD TEMP[{t}], TEMP[{t}], IN[1], CONST[0][{i % 256}]']
    body += ['ENDLOOP'] + [f'MAD TEMP[{t}], TEMP[{t}], TEMP[{i}].wzyx, TEMP[{t - 1 - i}]' for i in range(t)]
    return head() + ['DCL SAMP[0]', 'DCL SVIEW[0], 2D, FLOAT', f'DCL TEMP[0..{t}]'] + body + [f'MOV OUT[0], TEMP[{t}]']


SHAPES = {'spilled textures': spilled_textures, 'spilled scalars': spilled_scalars, 'spilled uniforms': spilled_uniforms,
          'spilled through breaks': spilled_through_breaks,
          'mad chain': mad, 'wide': wide, 'many temporaries': many, 'textures': textures, 'loops': loops,
          'if trees': if_trees, 'ifs': ifs, 'uniform ifs': uniform_ifs,
          'array in registers': lambda n: array(n, 4), 'array in scratch': lambda n: array(n, 32), **FLOW_SHAPES}


def measure(compiler, lines, repeat=1):
    """{pass: work}; 'time_us' is all of it. Millions of blocks, or milliseconds."""
    with tempfile.NamedTemporaryFile('w', suffix='.tgsi') as f:
        f.write('\n'.join(lines if 'END' in lines else lines + ['END']) + '\n')
        f.flush()
        run = subprocess.run([compiler, '--stats', '--repeat', str(repeat), f.name], capture_output=True, text=True)
    line = [x for x in run.stdout.splitlines() if x.startswith('time_us')]
    if run.returncode or not line:
        sys.exit(f'the program of {len(lines)} lines does not compile: {run.stderr}')
    words = line[0].split()
    return {name: float(value) / 1000 for name, value in zip(words[::2], words[1::2])}


def table(compiler):
    sizes = (100, 1000, 10000, 100000)
    for name, shape in SHAPES.items():
        columns = [measure(compiler, shape(n), 5 if n < 10000 else 1) for n in sizes]
        print(f'{name:20}' + ''.join(f'{c["time_us"]:10.2f}' for c in columns))
        for slow in sorted(columns[-1], key=columns[-1].get, reverse=True)[1:5]:
            print(f'   {slow:17}' + ''.join(f'{c.get(slow, 0):10.2f}' for c in columns))


def main():
    compiler = sys.argv[1]
    if '--table' in sys.argv:
        table(compiler)
        return 0
    bad = 0
    for name, shape in SHAPES.items():
        small, large = measure(compiler, shape(N)), measure(compiler, shape(4 * N))
        growth = {p: (large[p] / small[p]) ** 0.5 for p in large if small.get(p)}
        print(f'{name:20} {large["time_us"] * 1000 / (4 * N):7.1f} thousand blocks an instruction; '
              f'twice as long takes {growth["time_us"]:.2f} times as much')
        # What is over the limit must be so from there on too: a pass takes one step where spilling begins, say.
        over = [p for p in growth if growth[p] > LIMIT and large[p] > 0.04 * large['time_us']]
        larger = measure(compiler, shape(16 * N)) if over else {}
        for p in over:
            if (larger[p] / large[p]) ** 0.5 > LIMIT:
                bad += 1
                print(f'   {p:17} {small[p]:9.2f} {large[p]:9.2f} {larger[p]:9.2f}: {growth[p]:.2f} times as much')
    print(f'{len(SHAPES)} shapes, {bad} bad')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
