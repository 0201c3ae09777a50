#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares latencies with those that LLVM's models of the pipelines have.

usage: isa_latency.py ISA_CASES GENERATION_NUMBER LLVM_CPU LATENCIES_CSV EXCEPTIONS

One case of every op, encoding and form goes through llvm-mca-22. It counts in
issues, one clock on RDNA and four before. Before RDNA only arithmetic is compared.
Every class of latencies.csv that the generation has must be among those
compared, every line of the file of exceptions must be needed, and the issue
must be the throughput of an addition. Ends with 77 when LLVM is not installed.
"""
import collections
import re
import shutil
import subprocess
import sys

LLVM_MC, LLVM_MCA = 'llvm-mc-22', 'llvm-mca-22'
# Not compared before RDNA: round numbers of issues in LLVM, hits in the L2 here.
MEMORY = 'SMEM VMEM LDS GDS EXPORT MESSAGE BRANCH CONTROL'.split()


def options(cpu):
    return ['-mcpu=' + cpu] + (['-mattr=+wavefrontsize64'] if cpu.startswith('gfx1') else [])


def refused(cpu, texts):
    run = subprocess.run([LLVM_MC, '-triple=amdgcn'] + options(cpu), input='\n'.join(texts) + '\n',
                         capture_output=True, text=True)
    return {int(m[1]) - 1 for m in re.finditer(r'^<stdin>:(\d+):\d+: error', run.stderr, re.M)}


def latencies(cpu, texts):
    """(latency, throughput) of each; None of those that llvm-mca crashes on."""
    run = subprocess.run([LLVM_MCA, '-mtriple=amdgcn'] + options(cpu) + [
        '-instruction-info', '-summary-view=0', '-resource-pressure=0', '-iterations=1'],
        input='\n'.join(texts) + '\n', capture_output=True, text=True)
    rows = re.findall(r'^ +\d+ +(\d+) +(\S+) .*?[a-z]\w+.*$', run.stdout, re.M)
    if run.returncode == 0 and len(rows) == len(texts):
        return [(int(latency), float(through)) for latency, through in rows]
    if len(texts) == 1:
        return [None]
    half = len(texts) // 2
    return latencies(cpu, texts[:half]) + latencies(cpu, texts[half:])


def main():
    if shutil.which(LLVM_MC) is None or shutil.which(LLVM_MCA) is None:
        print('LLVM 22 is not installed')
        return 77
    exe, number, cpu, table, known_file = sys.argv[1:]
    with open(table) as f:
        names = [line.split(',')[0] for line in f][1:]
    with open(known_file) as f:
        rows = (line.split('#')[0].strip() for line in f)
        known = {p.strip(): re.compile(p.strip()) for cpus, p in (r.split(':') for r in rows if r) if cpu in cpus.split()}
    run = subprocess.run([exe, number, '--table'], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    cases = []
    for line in run.stdout.splitlines():
        text, name, _, flags = line.rsplit('|', 3)
        clocks, issue, cls = (int(re.search(rf'\b{what}:(\d+)', flags)[1]) for what in ('latency', 'issue', 'class'))
        if issue == 1 or names[cls] not in MEMORY:
            cases.append((text, name, clocks, issue, names[cls]))
    bad = refused(cpu, [c[0] for c in cases])
    good = [c for i, c in enumerate(cases) if i not in bad]
    theirs = latencies(cpu, [c[0] for c in good])
    different, needed, crashed = {}, set(), 0
    same, unseen = collections.Counter(), {c[4] for c in cases}
    for (text, name, clocks, issue, cls), their in zip(good, theirs):
        if their is None:
            crashed += 1
            continue
        label = f'{name} {clocks}, not {their[0] * issue}'
        excuses = [p for p, k in known.items() if k.search(label)]
        if clocks == their[0] * issue:
            same[cls] += 1
        elif excuses:
            needed.update(excuses)
        else:
            different.setdefault(label, f'{cls}: {text}')
        unseen.discard(cls)
        if name == 'v_add_f32' and their[1] != 1:
            different['issue'] = f'LLVM has {their[1]}'
    for label, what in different.items():
        print(f'{label} ({what})')
    for pattern in known.keys() - needed:
        print(f'{known_file}: no longer needed: {pattern}')
    for cls in unseen:
        print(f'class {cls}: no case that LLVM has a latency of')
    print(f'{cpu}: {len(good)} cases of {len(cases)} that LLVM assembles, it crashes on {crashed}; {sum(same.values())} the same '
          f'in {len(same)} classes, {len(different)} kinds of difference')
    return 1 if different or unseen or known.keys() - needed or crashed > 8 or len(good) < len(cases) * 0.9 else 0


if __name__ == '__main__':
    sys.exit(main())
