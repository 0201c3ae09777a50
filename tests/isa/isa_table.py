#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what instructions read and write without naming it with LLVM's tables.

usage: isa_table.py ISA_CASES GENERATION_NUMBER LLVM_CPU [--known FILE] [--claims N] [--wave32]

One case of every op, encoding and form becomes LLVM's machine IR, by way of
llvm-mc-22 -show-inst, with the implied VCC, EXEC, SCC and M0 operands that our
table has. llc-22 refuses an instruction without one that its own table has.
The other way round, N of our claims, evenly spread, are left out and must be
missed (all with --claims 0). A destination that is read first shows as an
operand more. The counters are those that LLVM waits for before it reads a
result. With --wave32 pairs of dual ops are among the cases. Ends with 77 when LLVM is not installed.
"""
import collections
import re
import shutil
import subprocess
import sys
import tempfile

LLC, LLVM_MC = 'llc-22', 'llvm-mc-22'
# Ours, LLVM's.
IMPLIED = {'reads-vcc': 'implicit $vcc', 'writes-vcc': 'implicit-def $vcc', 'writes-exec': 'implicit-def $exec',
           'reads-scc': 'implicit $scc', 'writes-scc': 'implicit-def $scc', 'reads-m0': 'implicit $m0', 'writes-m0': 'implicit-def $m0'}
NAMES = {v: k for k, v in IMPLIED.items()}
WAVE = 32 if '--wave32' in sys.argv else 64
# LLVM's bookkeeping, which every case gets.
ALWAYS = ['implicit $exec', 'implicit $mode', 'implicit $flat_scr', 'implicit-def $mode']


class Case:
    def __init__(self, line):
        self.text, self.name, num, flags = line.rsplit('|', 3)
        self.num_dsts, self.flags = int(num), set(flags.split())
        self.opcode, self.operands = None, []

    def mir(self, without=None):
        ops = [f'${v.lower()}' if kind == 'Reg' and v else '$noreg' if kind == 'Reg' else v for kind, v in self.operands]
        dsts, srcs = ops[:self.num_dsts], ops[self.num_dsts:]
        implied = [IMPLIED[f] for f in sorted(self.flags) if f in IMPLIED and f != without]
        head = ', '.join(dsts) + ' = ' if dsts else ''
        return head + self.opcode + ' ' + ', '.join(srcs + implied + ALWAYS)


def attributes(cpu):
    return [f'-mattr=+wavefrontsize{WAVE},-wavefrontsize{96 - WAVE}'] if cpu.startswith('gfx1') else []


def mc_insts(cpu, cases):
    run = subprocess.run([LLVM_MC, '-triple=amdgcn', '-mcpu=' + cpu, '-show-inst'] + attributes(cpu),
                         input='\n'.join(c.text for c in cases) + '\n', capture_output=True, text=True)
    bad = {int(m[1]) - 1 for m in re.finditer(r'^<stdin>:(\d+):\d+: error', run.stderr, re.M)}
    good = [c for i, c in enumerate(cases) if i not in bad]
    found = re.split(r'<MCInst #\d+ ', run.stdout)[1:]
    assert len(found) == len(good), (len(found), len(good))
    for case, inst in zip(good, found):
        case.opcode = re.match(r'\w+', inst)[0]
        case.operands = re.findall(r'<MCOperand (Reg|Imm|DFPImm|SFPImm|Expr):?\(?([\w-]*)', inst)
    return good


def missed(cpu, mirs):
    """(index, what LLVM misses) of the first bad one, or None."""
    with tempfile.NamedTemporaryFile('w', suffix='.mir') as f:
        f.write('---\nname: table\ntracksRegLiveness: false\nbody: |\n  bb.0:\n' + ''.join(f'    {m}\n' for m in mirs) + '...\n')
        f.flush()
        args = [LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, '-run-pass=none', f.name, '-o', '/dev/null']
        run = subprocess.run(args + attributes(cpu), capture_output=True, text=True)
    m = re.search(r"mir:(\d+):\d+: (?:missing implicit register operand '(.*)'|(.*))", run.stderr)
    if m:
        return int(m[1]) - 6, m[2] or 'error: ' + m[3]
    assert 'error' not in run.stderr or 'Bad machine code' in run.stderr, run.stderr[:600]
    return None


# Fields of S_WAITCNT: (first bit, bits) of vm, exp, lgkm; the upper two bits of vm on GFX9 and GFX10 apart.
WAITCNT = {'gfx6': ((0, 4), (4, 3), (8, 4)), 'gfx7': ((0, 4), (4, 3), (8, 4)), 'gfx8': ((0, 4), (4, 3), (8, 4)),
           'gfx9': ((0, 4), (4, 3), (8, 4)), 'gfx10': ((0, 4), (4, 3), (8, 6)), 'gfx11': ((10, 6), (0, 3), (4, 6))}
WAITS = {'LOADCNT': 'vm', 'SAMPLECNT': 'sample', 'BVHCNT': 'bvh', 'DSCNT': 'lgkm', 'KMCNT': 'km', 'EXPCNT': 'exp'}


def waited_for(cpu, cases):
    """[(case, the counters that LLVM waits for before it reads the result)], but for those LLVM's verifier refuses."""
    while True:
        body = ''
        for i, c in enumerate(cases):
            reg = c.operands[0][1].split('_')[0].lower()
            move = f'$sgpr9 = S_MOV_B32 ${reg}' if reg[0] == 's' else f'$vgpr255 = V_MOV_B32_e32 ${reg}, implicit $exec'
            body += f'  bb.{i}:\n    successors: %bb.{i + 1}\n    {c.mir()} :: (load (s32))\n    {move}\n'
        body += f'  bb.{len(cases)}:\n    S_ENDPGM 0\n'
        with tempfile.NamedTemporaryFile('w', suffix='.mir') as f:
            f.write('---\nname: waits\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\n'
                    f'body: |\n{body}...\n')
            f.flush()
            args = [LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, '-run-pass=si-insert-waitcnts', f.name, '-o', '-']
            run = subprocess.run(args + attributes(cpu), capture_output=True, text=True)
        bad = {int(n) for n in re.findall(r'^- basic block: %bb\.(\d+)', run.stderr, re.M)}
        if not bad:
            break
        cases = [c for i, c in enumerate(cases) if i not in bad]
    assert run.returncode == 0, run.stderr[:600]
    out = []
    for block in re.split(r'\n  bb\.\d+:', run.stdout)[1:-1]:
        block = block.split(cases[len(out)].opcode)[1]
        got = {WAITS[m] for w in re.findall(r'S_WAIT_(\w+) 0', block) for m in w.split('_') if m in WAITS}
        for imm in re.findall(r'S_WAITCNT (\d+)', block):
            fields = WAITCNT[re.sub(r'(gfx1?\d)..$', r'\1', cpu)]
            got |= {n for n, (lo, bits) in zip(('vm', 'exp', 'lgkm'), fields) if not int(imm) >> lo & (1 << bits) - 1}
        out.append((cases[len(out)], got))
    assert len(out) == len(cases), (len(out), len(cases))
    return out


def main():
    if shutil.which(LLC) is None or shutil.which(LLVM_MC) is None:
        print('LLVM 22 is not installed')
        return 77
    exe, number, cpu = sys.argv[1:4]
    known, num_claims = [], 40
    args = [a for a in sys.argv[4:] if a != '--wave32']
    while args:
        if args[0] == '--known':
            with open(args[1]) as f:
                rows = (line.split('#')[0].strip() for line in f)
                known = [(cpus.split(), re.compile(pattern.strip())) for cpus, pattern in (r.split(':') for r in rows if r)]
        else:
            num_claims = int(args[1])
        args = args[2:]
    run = subprocess.run([exe, number, '--table'] + ['--wave32'] * (WAVE == 32), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    cases = [Case(line) for line in run.stdout.splitlines()]
    total = len(cases)
    cases = mc_insts(cpu, cases)
    different = collections.Counter()

    def differs(case, what):
        label = f'{case.name} {what}'
        excused = any((not cpus or cpu in cpus) and k.search(label) for cpus, k in known)
        if not different[label] and not excused:
            print(f'{label}: {case.text}')
        different[label] += not excused

    # What LLVM's table has and ours does not.
    left, added, refused = list(cases), set(), set()
    while left:
        first = missed(cpu, [c.mir() for c in left])
        if first is None:
            break
        index, what = first
        case = left[index]
        # Up to GFX8, M0 is the size of LDS to those that access it; LLVM has the same table for all.
        if what != IMPLIED['reads-m0'] or 'may-read-m0' not in case.flags:
            differs(case, 'lacks ' + NAMES.get(what, what))
        left = left[index:]
        if what.startswith('error'):
            refused.add(left.pop(0))
        elif what in NAMES:
            case.flags.add(NAMES[what])
            added.add((case, NAMES[what]))
        else:
            ALWAYS.append(what)
    # What ours has and LLVM's does not.
    claims = [(c, f) for c in cases for f in sorted(c.flags) if f in IMPLIED and (c, f) not in added]
    step = max(1, len(claims) // num_claims) if num_claims else 1
    for case, flag in claims[::step]:
        if missed(cpu, [case.mir(flag)]) != (0, IMPLIED[flag]):
            differs(case, 'alone has ' + flag)
    # Destinations that are read. DPP always shows the old value, loads of halves only in LDS.
    for case in cases:
        if case.num_dsts != 1 or '_dpp' in case.text or '_sdwa' in case.text or 'dpp8' in case.text:
            continue
        again = case.operands[0] in case.operands[1:]
        if again and 'reads-dst' not in case.flags:
            differs(case, 'lacks reads-dst')
        elif not again and 'reads-dst' in case.flags and re.match('[vs]_|ds_', case.name):
            differs(case, 'alone has reads-dst')
    # Counters, by results: loads, atomics that return, LDS, scalar memory.
    counted = [c for c in cases if c.num_dsts == 1 and any(f.startswith('counts:') for f in c.flags) and
               c not in refused]
    counted = waited_for(cpu, counted)
    for case, theirs in counted:
        ours = {f[7:] for f in case.flags if f.startswith('counts:')}
        if not case.name.startswith('lds_'):
            ours, theirs = ours - {'exp'}, theirs - {'exp'}  # only until data is read
        if ours != theirs:
            differs(case, f'counts {" ".join(sorted(ours))}, not {" ".join(sorted(theirs))}')
    num = sum(1 for n in different.values() if n)
    print(f'{cpu}, wave{WAVE}: {len(cases)} cases of {total} that LLVM assembles, {len(claims)} claims, {len(claims[::step])} of them '
          f'put to the test; {len(counted)} counters; {num} kinds of difference')
    return 1 if num or len(cases) < total * 0.9 or not claims or len(counted) < 90 else 0


if __name__ == '__main__':
    sys.exit(main())
