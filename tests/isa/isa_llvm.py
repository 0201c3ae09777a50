#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares src/isa with LLVM: what we encode must disassemble to what we print,
and what LLVM assembles of our text must be our bytes.

usage: isa_llvm.py ISA_CASES GENERATION_NUMBER LLVM_CPU [--known FILE] [--like CPU] [--op NAME] [--all] [--wave32]

ISA_CASES writes "hex dwords|text" lines. FILE lists, one regular expression a
line with a reason behind '#', texts for which LLVM's output is not compared
(`dis:` the disassembler's, `asm:` the assembler's; `dis gfx803 gfx1030:` for
some CPUs, `dis wave32:` for one size of waves); what is known of the CPU of --like is
so of this one, which is named in place of the number. Waves are of 64 lanes without --wave32. Ends with 77 when LLVM is
not installed.
"""
import collections
import re
import shutil
import subprocess
import sys

LLVM_MC = 'llvm-mc-22'
# CPUs that LLVM assembles for but does not disassemble.
ASSEMBLER_ONLY = ('gfx600', 'gfx700')
# Instructions that no case makes, s_nop 0xab9 to 0xabc.
MARK = ''.join(f'0x{n:02x} 0x0a 0x80 0xbf\n' for n in range(0xb9, 0xbd))
MARK_TEXT = 's_nop 0xabc'


def llvm(cpu, args, text, wave=64):
    attr = [f'-mattr=+wavefrontsize{wave},-wavefrontsize{96 - wave}'] if cpu.startswith(('gfx10', 'gfx11', 'gfx12')) else []
    return subprocess.run([LLVM_MC, '-triple=amdgcn', '-mcpu=' + cpu] + attr + args,
                          input=text, capture_output=True, text=True)


def disassemble(cpu, cases, wave=64):
    """LLVM's text of each case, None where it does not decode."""
    lines = []
    for words, _ in cases:
        raw = b''.join(int(w, 16).to_bytes(4, 'little') for w in words.split())
        lines.append(' '.join('0x%02x' % b for b in raw))
    # An undecodable line is merely left out, or its second dword is taken for
    # an instruction that may swallow the next ones: so each case is followed by
    # four markers.
    run = llvm(cpu, ['-disassemble'], ''.join(line + '\n' + MARK for line in lines), wave)
    bad = {(int(m[1]) - 1) // 5 for m in re.finditer(r'^<stdin>:(\d+):\d+: warning: invalid', run.stderr, re.M)}
    out, pending = [], None
    for line in run.stdout.splitlines():
        if not line.startswith('\t') or line.startswith('\t.'):
            continue
        text = ' '.join(re.sub(r'\s*//.*', '', line).split())
        if text == MARK_TEXT:
            out.append(None if len(out) in bad else pending)
            pending = None
        elif pending is None:
            pending = text
    assert len(out) == len(cases), (len(out), len(cases), run.stderr[:500])
    return out


def assemble(cpu, cases, wave=64):
    """The dwords LLVM makes of each text, or its complaint."""
    run = llvm(cpu, ['-show-encoding'], '\n'.join(t for _, t in cases) + '\n', wave)
    bad = {}
    for m in re.finditer(r'^<stdin>:(\d+):\d+: error: (.*)$', run.stderr, re.M):
        bad.setdefault(int(m[1]), m[2])
    codes = re.findall(r'encoding: \[([0-9a-fx,]*)\]', run.stdout)
    out = []
    it = iter(codes)
    for i in range(len(cases)):
        if i + 1 in bad:
            out.append('error: ' + bad[i + 1])
            continue
        raw = bytes(int(b, 16) for b in next(it, '0x00').split(','))
        out.append(' '.join('%08x' % int.from_bytes(raw[k:k + 4], 'little') for k in range(0, len(raw), 4)))
    return out


def load_known(path, cpu, wave=64):
    known = {'dis': [], 'asm': []}
    with open(path) as f:
        for line in f:
            line = line.split('#')[0].strip()
            if line:
                head, pattern = line.split(':', 1)
                kind, *where = head.split()
                waves = [w for w in where if w.startswith('wave')]
                cpus = [w for w in where if w not in waves]
                if (not cpus or cpu in cpus) and (not waves or f'wave{wave}' in waves):
                    known[kind].append(re.compile(pattern.strip()))
    return known


def main():
    if shutil.which(LLVM_MC) is None:
        print(f'{LLVM_MC} is not installed')
        return 77
    exe, gen, cpu = sys.argv[1:4]
    known = {'dis': [], 'asm': []}
    only = []
    everything = False
    wave = 64
    args = sys.argv[4:]
    if '--wave32' in args:
        args.remove('--wave32')
        wave = 32
    while args:
        if args[0] == '--known':
            known = load_known(args[1], sys.argv[sys.argv.index('--like') + 1] if '--like' in sys.argv else cpu, wave)
        elif args[0] == '--op':
            only = [args[1]]
        elif args[0] == '--all':
            everything = True
            args = args[1:]
            continue
        args = args[2:]

    run = subprocess.run([exe, gen] + only + (['--wave32'] if wave == 32 else []), capture_output=True, text=True)
    cases = [tuple(line.split('|', 1)) for line in run.stdout.splitlines()]
    print(run.stderr[-4000:].strip())
    status = run.returncode

    bad_dis, bad_asm = [], []
    skipped = collections.Counter()
    # The dual ops of GFX11 and later are for wave32 alone.
    single = [c for c in cases if ' :: ' not in c[1]]
    dual = [c for c in cases if ' :: ' in c[1]]
    cases = single + dual
    texts = [t for _, t in cases]
    if cpu not in ASSEMBLER_ONLY:
        texts = disassemble(cpu, single, wave) + (disassemble(cpu, dual, 32) if dual else [])
    for case, text in zip(cases, texts):
        if text != case[1]:
            if any(k.search(case[1]) for k in known['dis']):
                skipped['dis'] += 1
            else:
                bad_dis.append((case, text))
    for case, words in zip(cases, assemble(cpu, single, wave) + (assemble(cpu, dual, 32) if dual else [])):
        if words != case[0]:
            if any(k.search(case[1]) for k in known['asm']):
                skipped['asm'] += 1
            else:
                bad_asm.append((case, words))

    print(f'{cpu}, wave{wave}: {len(cases)} cases; disassembler differs {len(bad_dis)}, assembler differs {len(bad_asm)}; '
          f'listed as known: {skipped["dis"]} and {skipped["asm"]}')
    for kind, bad in (('disassembler', bad_dis), ('assembler', bad_asm)):
        shown = collections.Counter()
        for case, got in bad:
            key = case[1].split(' ')[0]
            shown[key] += 1
            if everything or (shown[key] <= 3 and len(shown) < 60):
                print(f'{kind}: ours  {case[0]}  {case[1]}\n{" " * len(kind)}  LLVM  {got}')
    return 1 if status or bad_dis or bad_asm else 0


if __name__ == '__main__':
    sys.exit(main())
