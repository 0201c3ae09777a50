#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what processors.csv says of each of LLVM's processors with LLVM.

usage: isa_processors.py ISA_CASES ISA_HAZARDS PROCESSORS_CSV KNOWN_LLVM

Every processor that LLVM has must have a row. Of those that are not refused,
every 25th case of isa_llvm.py goes through LLVM's assembler and disassembler,
and the limits through isa_limits.py. Ends with 77 when LLVM is not installed.
"""
import csv
import os
import re
import shutil
import subprocess
import sys

from isa_llvm import ASSEMBLER_ONLY, LLVM_MC, assemble, disassemble, load_known

EVERY = 25
# The processor that known-llvm.txt names for its generation.
LIKE = {'gfx6': 'gfx600', 'gfx7': 'gfx700', 'gfx8': 'gfx803', 'gfx9': 'gfx900', 'gfx90a': 'gfx90a', 'gfx940': 'gfx942',
        'gfx950': 'gfx950', 'gfx10': 'gfx1010', 'gfx10_3': 'gfx1030', 'gfx11': 'gfx1100', 'gfx12': 'gfx1200'}


def differences(exe, cpu, like, known_file):
    """(cases compared, texts and dwords that differ)"""
    run = subprocess.run([exe, cpu], capture_output=True, text=True)
    cases = [tuple(line.split('|', 1)) for line in run.stdout.splitlines()][::EVERY]
    bad = [] if run.returncode == 0 else [run.stderr]
    known = load_known(known_file, like)
    for wave, part in ((64, [c for c in cases if ' :: ' not in c[1]]), (32, [c for c in cases if ' :: ' in c[1]])):
        if not part:
            continue
        texts = [t for _, t in part] if like in ASSEMBLER_ONLY else disassemble(cpu, part, wave)
        codes = assemble(cpu, part, wave)
        for (words, text), their_text, their_words in zip(part, texts, codes):
            if text != their_text and not any(k.search(text) for k in known['dis']):
                bad.append(f'{words}  {text}, LLVM {their_text}')
            if words != their_words and not any(k.search(text) for k in known['asm']):
                bad.append(f'{words}  {text}, LLVM {their_words}')
    return len(cases), bad


def main():
    if shutil.which(LLVM_MC) is None or shutil.which('llc-22') is None:
        print('LLVM 22 is not installed')
        return 77
    exe, hazards, table, known = sys.argv[1:]
    with open(table, newline='') as f:
        rows = list(csv.DictReader(f))
    text = subprocess.run(['llc-22', '-march=amdgcn', '-mcpu=help'], capture_output=True, text=True).stderr
    theirs = set(re.findall(r'^ +(gfx[\w-]+) +- Select the', text, re.M))
    status = 0
    for name in theirs - {r['name'] for r in rows}:
        print(f'no row for {name}')
        status = 1
    for row in rows:
        cpu = row['name']
        if cpu not in theirs:
            print(f'{cpu}: LLVM has no such processor')
            status = 1
        elif row['refused']:
            print(f'{cpu}: refused, {row["refused"]}')
        else:
            num, bad = differences(exe, cpu, LIKE[row['generation']], known)
            for line in bad[:5]:
                print(line)
            limits = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), 'isa_limits.py'), hazards, cpu, cpu],
                                    capture_output=True, text=True)
            print(f'{num} cases, {len(bad)} differ; ' + ' '.join(limits.stdout.splitlines()[-3:]) + limits.stderr[-300:])
            status |= bool(bad or limits.returncode)
    return status


if __name__ == '__main__':
    sys.exit(main())
