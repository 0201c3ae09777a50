#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the wait states and instructions that hazards ask for with LLVM's.

usage: isa_hazards.py ISA_HAZARDS GENERATION_NUMBER GENERATION LLVM_CPU HAZARDS_TXT [--all]

Every pair of instructions of HAZARDS_TXT, and every sequence, goes through the
hazard recognizer of llc-22 and through ours. A difference must be one that
HAZARDS_TXT lists. Ends with 77 when llc-22 is not installed.
"""
import collections
import re
import shutil
import subprocess
import sys
import tempfile

LLC = 'llc-22'
GENS = ['6', '7', '8', '9', '90a', '940', '950', '10', '10.3', '11', '12']
FILES = {'v': 'vgpr', 's': 'sgpr', 'a': 'agpr'}


def generations(text):
    """`6-8,10,!7`: 9 alone is gfx900's, 9+ all that stand before 10, in lists and ranges."""
    out = []
    for part in text.replace(' ', '').split(','):
        if part[0] == '!':
            out = [g for g in out if g != part[1:]]
        elif '-' in part:
            first, last = part.split('-')
            out += GENS[GENS.index(first):GENS.index(last) + 1]
        else:
            out.append(part)
    return out


def registers(m):
    last = int(m[3] or m[2])
    return '$' + '_'.join(f'{FILES[m[1]]}{i}' for i in range(int(m[2]), last + 1))


def expand(text):
    """Machine IR of a short text: v0, s[8:9], M and E for the implied reads."""
    text = re.sub(r'\bM\b', 'implicit $mode', re.sub(r'\bE\b', 'implicit $exec', text))
    text = re.sub(r'(?<![\w$%.])([vsa])\[(\d+):(\d+)\]', registers, text)
    return re.sub(r'(?<![\w$%.])([vsa])(\d+)()\b', registers, text)


class Table:
    def __init__(self, path, gen):
        self.insts, self.sequences, self.known = {}, [], []
        with open(path) as f:
            for line in f:
                line = line.rstrip()
                if not line or line[0] == '#':
                    continue
                gens, name, text = (x.strip() for x in line.split('|', 2))
                if gen not in generations(gens):
                    continue
                if name == 'known':
                    pattern, reason = text.split('#')
                    self.known.append(re.compile(pattern.strip()))
                elif name == 'sequence':
                    self.sequences.append([x.strip() for x in text.split(';')])
                else:
                    self.insts[name] = expand(text)


def compile_blocks(cpu, blocks, recognize):
    """[(text, hex dwords)] of every block as LLVM leaves it."""
    mir = ['---', 'name: pairs', 'tracksRegLiveness: false', 'body: |']
    for i, block in enumerate(blocks):
        mir += [f'  bb.{i}:'] + ['    ' + text for text in block] + ['    S_ENDPGM 0']
    start = '-start-before=post-RA-hazard-rec' if recognize else '-start-after=amdgpu-wait-sgpr-hazards'
    args = [LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, start, '-show-mc-encoding', '-amdgpu-enable-delay-alu=0',
            '-verify-machineinstrs=0']
    # Replay after page faults breaks up clauses of memory instructions too.
    args.append('-mattr=' + ('+wavefrontsize64' if cpu.startswith('gfx1') else '-xnack'))
    with tempfile.NamedTemporaryFile('w', suffix='.mir') as f:
        f.write('\n'.join(mir) + '\n...\n')
        f.flush()
        run = subprocess.run(args + [f.name, '-o', '-'], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError('\n'.join(x for x in run.stderr.splitlines() if 'rror' in x or x.startswith('***')))
    out, block = [], []
    for m in re.finditer(r'^\t(\S.*?)\s*; encoding: \[(.*)\]$', run.stdout, re.M):
        raw = bytes(int(x, 16) for x in m[2].split(','))
        words = ' '.join('%08x' % int.from_bytes(raw[k:k + 4], 'little') for k in range(0, len(raw), 4))
        if m[1].startswith('s_endpgm'):
            out.append(block)
            block = []
        else:
            block.append((m[1], words))
    assert len(out) == len(blocks), (len(out), len(blocks))
    return out


def joined(texts):
    """Wait states in one number: how they are split over s_nops is not compared."""
    out, states = [], 0
    for text in list(texts) + ['']:
        m = re.fullmatch(r'(?:s_nop |bf80)(\w+)', text)
        if m:
            states += int(m[1], 16) + 1
            continue
        if states:
            out.append(f'{states} states')
        states = 0
        out.append(text)
    return out[:-1]


def main():
    if shutil.which(LLC) is None:
        print(f'{LLC} is not installed')
        return 77
    exe, number, gen, cpu, path = sys.argv[1:6]
    table = Table(path, gen)
    names = [[a, b] for a in table.insts for b in table.insts] + table.sequences
    blocks = [[table.insts[n] for n in seq] for seq in names]
    if '--check' in sys.argv:
        for name, text in table.insts.items():
            try:
                compile_blocks(cpu, [[text]], True)
            except RuntimeError as error:
                print(f'{name}: {text}\n   {error}')
        return 0
    theirs = compile_blocks(cpu, blocks, True)
    plain = compile_blocks(cpu, blocks, False)
    run = subprocess.run([exe, number], input=''.join(' '.join(w for _, w in block) + '\n' for block in plain),
                         capture_output=True, text=True)
    ours = [line.rstrip('|').split('|') for line in run.stdout.splitlines()]
    assert run.returncode == 0 and len(ours) == len(names), run.stderr

    hazards, excused, bad = 0, 0, collections.Counter()
    for seq, code, us, them in zip(names, plain, ours, theirs):
        wanted = joined(w for _, w in them)
        hazards += len(them) != len(seq)
        if joined(us) == wanted:
            continue
        label = ' -> '.join(seq)
        if any(k.search(label) for k in table.known):
            excused += 1
            continue
        bad[label] += 1
        if len(bad) <= 40 or '--all' in sys.argv:
            # Our instructions are those of the sequence; what stands between them is the difference.
            own = {w for _, w in code}
            show = ['; '.join('.' if w in own else w for w in side) for side in (joined(us), wanted)]
            print(f'{label}: ours {show[0]}, LLVM {show[1]}')
    print(f'{cpu}: {len(names)} sequences, LLVM sees a hazard in {hazards}; {len(bad)} differ, {excused} listed as known')
    return 1 if bad or not hazards else 0


if __name__ == '__main__':
    sys.exit(main())
