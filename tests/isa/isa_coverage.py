#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists what LLVM's disassembler knows of a generation and src/isa does not.

usage: isa_coverage.py ISA_CASES GENERATION_NUMBER LLVM_CPU [--known FILE] [--texts] [--wave32]

Every opcode number of every microcode format of any generation is put to LLVM
with several sets of operands; each mnemonic that comes back (with its form:
_e64, _dpp, _sdwa) must come back from our decoder for some of these bits too.
DPP forms of doubles, which some generations only decode, must be the same text.
FILE lists what is known to be missing: `CPU...: mnemonic pattern # reason`.
--texts also prints the bits that both decode, but to different texts. Ends
with 77 when LLVM is not installed.
"""
import itertools
import re
import shutil
import subprocess
import sys

from isa_llvm import LLVM_MC, disassemble

V0, V1, V2 = 256, 257, 258


def srcs(a, b, c):
    return a | b << 9 | c << 18


# Operand fields of the second dword: VGPRs, scalars, constants, one width or another.
VOP3_SRCS = [srcs(0, V0, 0), srcs(0, V0, V2), srcs(V0, V2, 260), srcs(V0, V2, 2), srcs(V0, V2, 0), srcs(V0, V2, 128), srcs(V0, 0, 0), srcs(0, 0, 0), srcs(0, 128, 128), srcs(V0, 128, 0), srcs(V0, 0, V0), srcs(128, V0, V0),
             srcs(0xfa, V0, V0), srcs(0xe9, V0, V0),
             srcs(0xfa, V0, 0), srcs(0xe9, V0, 0), srcs(0xfa, 0, 0), srcs(0xe9, 0, 0)]
# name, first dword, opcode's lowest bit, its bits, operand bits of the first dword, second dwords
FORMATS = [
    ('SOP2', 0x80000000, 23, 7, [0, 0x8080, 0x7c0000], [0]),
    ('SOP1', 0xbe800000, 8, 8, [0, 0x80, 0xc1, 0x7d0080], [0]),
    ('SOPC', 0xbf000000, 16, 7, [0, 0x8080], [0]),
    ('SOPP', 0xbf800000, 16, 7, [0, 1, 3], [0]),
    ('SOPK', 0xb0000000, 23, 5, [0, 1, 0x7c0000, 0x7d0000], [0]),
    ('VOP1', 0x7e000000, 9, 8, [V0, 0, V0 | 4 << 17, 0xfa, 0xf9, 0xe9], [0, 0xff00e402, 0xff015002, 0x5a790102, 0xa5314204, 0x06060602, 0x00060602, 0x86860602]),
    ('VOP2', 0, 25, 6, [V0 | 2 << 9, V0 | 4 << 17, 0xfa, 0xf9, 0xe9, 0x1f9], [0, 0xff00e402, 0xff015002, 0x06060602, 0x86860602]),
    ('VOPC', 0x7c000000, 17, 8, [V0 | 2 << 9, 0, 0xfa, 0xf9, 0xe9], [0, 0xff00e402, 0x06060002, 0x06060602, 0x86860602]),
    ('VOP3 gfx6', 0xd0000000, 17, 9, [0, 0x6a00, 8, 8 | 0x6a00], VOP3_SRCS),
    ('VOP3 gfx8', 0xd0000000, 16, 10, [0, 0x6a00, 8, 8 | 0x6a00, 0x4008, 0x4000], VOP3_SRCS),
    ('VOP3 gfx10', 0xd4000000, 16, 10, [0, 0x6a00, 8, 126, 8 | 0x6a00], VOP3_SRCS),
    ('VOP3P gfx9', 0xd3800000, 16, 7, [0x4000, 0x4008, 0, 0xc000, 8], [s | 0x18000000 for s in VOP3_SRCS] + VOP3_SRCS),
    ('VOP3P gfx10', 0xcc000000, 16, 7, [0x4000, 0x4010, 0], [s | 0x18000000 for s in VOP3_SRCS] + VOP3_SRCS + [srcs(V0, 264, 272) | 0x18000000, srcs(V0, 264, 280) | 0x18000000]),
    ('VINTRP', 0xc8000000, 16, 2, [0], [0]),
    ('VINTRP gfx8', 0xd4000000, 16, 2, [0], [0]),
    ('VINTERP', 0xcd000000, 16, 7, [0], VOP3_SRCS),
    ('LDSDIR', 0xce000000, 20, 2, [0], [0]),
    ('DS gfx6', 0xd8000000, 18, 8, [0, 1 << 17], [0, 0x02000000, 0x04020000, 0x04020200]),
    ('DS gfx8', 0xd8000000, 17, 8, [0, 1 << 16], [0, 0x02000000, 0x04020000, 0x04020200]),
    ('MUBUF', 0xe0000000, 18, 7, [0, 0x2000, 0x4000, 0x10000, 0x12000], [0, 0x80000000, 0x80000200]),
    ('MUBUF gfx10', 0xe0000000, 18, 8, [0, 0x2000, 0x4000, 0x10000], [0, 0x80000000, 0x80000200]),
    ('MTBUF', 0xe8000000 | 5 << 19, 15, 4, [0, 0x2000], [0x80000000]),
    ('MTBUF gfx10', 0xe8000000 | 5 << 19, 16, 3, [0, 0x2000], [0x80000000, 0x80200000]),
    ('MIMG', 0xf0000000, 18, 8, [0x100, 0xf00, 0x101, 0xf01, 0x9100, 0x9f00, 0x9f80, 0x119, 0xf98, 0x8f80, 0x8f81], [0, 0x2000]),
    ('FLAT', 0xdc000000, 18, 7, [0, 0x4000, 0x8000, 0x10000, 0x14000, 0x18000, 0x2000, 0xa000],
     [0, 0x007d0000, 0x007f0000, 0x007c0000, 0x04000200, 0x047f0200, 0x047d0200, 0x047c0200, 0x00000200, 0x007f0200]),
    ('FLAT gfx11', 0xdc000000, 18, 8, [0, 0x4000, 0x10000, 0x14000, 0x20000, 0x24000],
     [0, 0x007c0000, 0x047c0200, 0x00fc0000, 0x007c0200]),
    ('EXP', 0xf8000000, 4, 6, [0xf], [0]),
    ('EXP gfx8', 0xc4000000, 4, 6, [0xf], [0]),
    ('SMRD', 0xc0000000, 22, 5, [0x100], [0]),
    ('SMEM', 0xc0000000, 18, 8, [0, 0x20000, 0x10000], [0, 0x80]),
    ('SMEM gfx10', 0xf4000000, 18, 8, [0, 0x10000], [0xfa000000, 0xf8000000]),
    ('SMEM gfx12', 0xf4000000, 13, 6, [0], [0xf8000000]),
    ('VBUFFER', 0xc4000000, 14, 8, [0x7c, 0x40007c], [0x48800002 | 0x200, 0x40800002, 0x40900002]),
    ('VIMAGE', 0xd0000000, 14, 8, [0x400001, 0xc00001, 0x3c00051, 0x3c00010, 0x3c00011, 0x400000], [0x08, 0x100008]),
    ('VSAMPLE', 0xe4000000, 14, 8, [0x400001, 0x3c00006, 0x3c00001], [0x08]),
    ('VFLAT', 0xec000000, 14, 8, [0x7c, 0x100007c, 0x200007c], [0, 0x20002, 0x100002, 0x120002, 0x80000002, 0x02000002, 0x02100002]),
]
# VOPD: two opcodes in a dword.
VOPD = [(0xc8000000 | x << 22 | y << 17 | V0 | 2 << 9, V0 + 1 | 3 << 9 | 6 << 17 | 7 << 24) for x in range(16) for y in range(32)]


def words_of_formats():
    for _, base, low, bits, lows, seconds in FORMATS:
        for op, lo, second in itertools.product(range(1 << bits), lows, seconds):
            yield (base | op << low | lo) & 0xffffffff, second
    yield from VOPD


def mnemonics(text):
    """Mnemonics with the form's suffix, which LLVM leaves out for some compares."""
    name = text.split()[0]
    form = '_dpp' if 'row_mask:' in text or 'dpp8:' in text else '_sdwa' if 'src0_sel:' in text else ''
    if form and not name.endswith(form):
        name += form
    return [name] + [part.split()[0] for part in text.split(' :: ')[1:]]


def main():
    if shutil.which(LLVM_MC) is None:
        print(f'{LLVM_MC} is not installed')
        return 77
    exe, gen, cpu = sys.argv[1:4]
    known = []
    if '--known' in sys.argv:
        with open(sys.argv[sys.argv.index('--known') + 1]) as f:
            for line in f:
                line = line.split('#')[0].strip()
                if line:
                    cpus, pattern = line.split(':')
                    if cpu in cpus.split():
                        known.append(re.compile(pattern.strip()))
    # Two more dwords: a literal or the third one of a wide format.
    cases = sorted(set(words_of_formats()))
    lines = [f'{a:08x} {b:08x} 00000000 00000000' for a, b in cases]
    wave32 = '--wave32' in sys.argv
    theirs = disassemble(cpu, [(line, '') for line in lines], 32 if wave32 else 64)
    run = subprocess.run([exe, gen, '--decode'] + ['--wave32'] * wave32, input='\n'.join(lines) + '\n',
                         capture_output=True, text=True)
    ours = run.stdout.splitlines()
    assert run.returncode == 0 and len(ours) == len(lines), run.stderr

    have = {m for text in ours if text != '(bad)' for m in mnemonics(text)}
    missing, wrong, differ, both = {}, [], 0, 0
    for line, us, them in zip(lines, ours, theirs):
        if them is None or '/*' in them:  # a comment: LLVM says that the bits are no good
            continue
        for m in mnemonics(them):
            if m not in have:
                missing.setdefault(m, (line, them))
        if us != '(bad)':
            both += 1
            if us != them:
                differ += 1
                wrong.extend([(line, us, them)] if re.match(r'v_\w*f64\w*_dpp ', us) else [])
                if '--texts' in sys.argv:
                    print(f'{line}\n   ours {us}\n   LLVM {them}')
    excused = [m for m in missing if any(k.fullmatch(m) for k in known)]
    bad = sorted(m for m in missing if m not in excused)
    for m in bad:
        print(f'missing: {missing[m][0]}  {missing[m][1]}')
    for line, us, them in wrong:
        print(f'differs: {line}\n   ours {us}\n   LLVM {them}')
    found = {m for t in theirs if t and '/*' not in t for m in mnemonics(t)}
    print(f'{cpu}: LLVM knows {len(found)} mnemonics here; missing {len(bad)}, listed as known {len(excused)}; '
          f'{both} encodings decoded by both, {differ} printed differently')
    return 1 if bad or wrong else 0


if __name__ == '__main__':
    sys.exit(main())
