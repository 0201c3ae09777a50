#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the wait states and instructions that hazards ask for with LLVM's.

usage: isa_hazards.py ISA_HAZARDS GENERATION_NUMBER or PROCESSOR GENERATION LLVM_CPU HAZARDS_TXT [--all] [--wave32] [--no-exports]

Every pair of instructions of HAZARDS_TXT, and every sequence, goes through the
hazard recognizer of llc-22 and through ours. A difference must be one that
HAZARDS_TXT lists. With --wave32 lane masks are one SGPR, matrices are those of
wave32, and dual instructions are among them. --no-exports leaves out what has
exports, around which some processors want s_setprio. Ends with 77 when llc-22 is not installed.
"""
import collections
import random
import re
import shutil
import subprocess
import sys
import tempfile

LLC = 'llc-22'
NUM_RANDOM = 4000
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
    text = re.sub(r'(?<![\w$%.(])([vsa])\[(\d+):(\d+)\]', registers, text)
    return re.sub(r'(?<![\w$%.(])([vsa])(\d+)()\b', registers, text)


def for_wave32(text):
    """The expanded text with lane masks of one register."""
    if re.search(r'\bV_(CMP|CNDMASK|DIV_FMAS|DIV_SCALE_F32|ADDC|ADD_CO|SUBB|MAD_)', text):
        text = re.sub(r'(?<!implicit )(?<!implicit-def )\$vcc\b', '$vcc_lo', text)
        text = re.sub(r'(\$sgpr\d+)_sgpr\d+\b', r'\1', text)
    return text


class Table:
    def __init__(self, path, gen, wave32):
        self.insts, self.sequences, self.known, self.apart = {}, [], [], []
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
                elif name == 'apart':
                    self.apart.append(re.compile(text.split('#')[0].strip()))
                elif name == 'sequence':
                    # `name * 3` repeats.
                    parts = (x.strip().partition(' * ') for x in text.split(';'))
                    self.sequences.append([n for n, _, times in parts for _ in range(int(times or 1))])
                elif not re.search('_w64' if wave32 else '_w32|V_DUAL_', text):
                    self.insts[name] = for_wave32(expand(text)) if wave32 else expand(text)
        self.sequences = [s for s in self.sequences if all(n in self.insts for n in s)]


def compile_blocks(cpu, wave, blocks, recognize):
    """[(text, hex dwords)] of every block as LLVM leaves it."""
    mir = ['---', 'name: pairs', 'tracksRegLiveness: false', 'body: |']
    number = 0
    for block in blocks:
        mir.append(f'  bb.{number}:')
        if any('%next' in text for text in block):
            mir.append(f'    successors: %bb.{number + 1}')
        for i, text in enumerate(block):
            mir.append('    ' + text.replace('%next', f'%bb.{number + 1}'))
            if '%next' in text:  # the rest stands behind the branch
                number += 1
                mir.append(f'  bb.{number}:')
                if any('%next' in later for later in block[i + 1:]):
                    mir.append(f'    successors: %bb.{number + 1}')
        mir.append('    S_ENDPGM 0')
        number += 1
    start = '-start-before=post-RA-hazard-rec' if recognize else '-start-after=amdgpu-wait-sgpr-hazards'
    args = [LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, start, '-show-mc-encoding', '-amdgpu-enable-delay-alu=0',
            '-verify-machineinstrs=0']
    # Replay after page faults breaks up clauses of memory instructions too.
    features = f'+wavefrontsize{wave},-wavefrontsize{96 - wave}' if cpu.startswith('gfx1') else '-xnack'
    args.append('-mattr=' + features + (',-xnack' if cpu.startswith(('gfx101', 'gfx10-1')) else ''))
    with tempfile.NamedTemporaryFile('w', suffix='.mir') as f:
        f.write('\n'.join(mir) + '\n...\n')
        f.flush()
        run = subprocess.run(args + [f.name, '-o', '-'], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError('\n'.join(x for x in run.stderr.splitlines() if 'rror' in x or x.startswith('***')))
    out, block = [], []
    for m in re.finditer(r'^\t(\S.*?)\s*; encoding: \[(.*)\]$', run.stdout, re.M):
        raw = bytes(0 if x == 'A' else int(x, 16) for x in m[2].split(','))
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


def moved(words):
    """Waits of s_waitcnt_depctr in one: LLVM joins those with no read between, in the last place."""
    rest = [w for w in words if not re.match('bf[8a][38]', w) or len(w) > 8]
    mask = 0xffff
    for w in words:
        if w not in rest:
            mask &= int(w[4:], 16)
    return rest, mask


def main():
    if shutil.which(LLC) is None:
        print(f'{LLC} is not installed')
        return 77
    exe, number, gen, cpu, path = sys.argv[1:6]
    wave = 32 if '--wave32' in sys.argv else 64
    table = Table(path, gen, wave == 32)
    plain_names = [n for n in table.insts if n[0] != '@']
    names = [[a, b] for a in plain_names for b in plain_names] + table.sequences
    # Longer pieces at random, from the instructions about which LLVM and we agree.
    rng = random.Random(gen)
    pool = [n for n in table.insts if not any(p.search(n) for p in table.apart)]
    names += [rng.choices(pool, k=rng.randrange(3, 9)) for _ in range(NUM_RANDOM)]
    no_exports = '--no-exports' in sys.argv
    if no_exports:
        names = [seq for seq in names if not any(n.startswith('exp ') for n in seq)]
    blocks = [[table.insts[n] for n in seq] for seq in names]
    if '--check' in sys.argv:
        for name in plain_names:
            text = table.insts[name]
            try:
                compile_blocks(cpu, wave, [[text]], True)
            except RuntimeError as error:
                print(f'{name}: {text}\n   {error}')
        return 0
    theirs = compile_blocks(cpu, wave, blocks, True)
    plain = compile_blocks(cpu, wave, blocks, False)
    run = subprocess.run([exe, number] + ['--wave32'] * (wave == 32), capture_output=True, text=True,
                         input=''.join(' '.join(w for _, w in block) + '\n' for block in plain))
    ours = [line.rstrip('|').split('|') for line in run.stdout.splitlines()]
    assert run.returncode == 0 and len(ours) == len(names), run.stderr

    hazards, excused, joins, bad = 0, 0, 0, collections.Counter()
    for seq, code, us, them in zip(names, plain, ours, theirs):
        them = [(t, w) for t, w in them if not (no_exports and t.startswith('s_setprio'))]
        wanted = joined(w for _, w in them)
        hazards += len(them) != len(seq)
        if joined(us) == wanted:
            continue
        if len(seq) > 2 and moved(joined(us)) == moved(wanted):
            joins += 1
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
    print(f'{cpu}, wave{wave}: {len(names)} sequences, LLVM sees a hazard in {hazards}; {len(bad)} differ, {joins} '
          f'in where waits stand, {excused} listed as known')
    return 1 if bad or not hazards else 0


if __name__ == '__main__':
    sys.exit(main())
