#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the limits of a generation with LLVM's.

usage: isa_limits.py ISA_HAZARDS GENERATION_NUMBER or PROCESSOR LLVM_CPU

ISA_HAZARDS prints struct isa_limits. Waves per SIMD come from llc-22's estimate
for programs that use one register; the other limits from what llvm-mc-22 takes
and refuses. Ends with 77 when LLVM is not installed.
"""
import re
import shutil
import subprocess
import sys
import tempfile

LLC, LLVM_MC = 'llc-22', 'llvm-mc-22'


def features(cpu, wave=64):
    return [f'-mattr=+wavefrontsize{wave}'] if cpu.startswith('gfx1') else []


def waves(cpu, insts):
    """[(waves, SGPRs with VCC and such)] of a compute program of each instruction."""
    text = '--- |\n' + ''.join(f'  define amdgpu_cs void @f{i}() {{ ret void }}\n' for i in range(len(insts))) + '...\n'
    text += ''.join(f'---\nname: f{i}\ntracksRegLiveness: false\nmachineFunctionInfo:\n  isEntryFunction: true\nbody: |\n'
                    f'  bb.0:\n    {inst}\n    S_ENDPGM 0\n...\n' for i, inst in enumerate(insts))
    with tempfile.NamedTemporaryFile('w', suffix='.mir') as f:
        f.write(text)
        f.flush()
        run = subprocess.run([LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, '-start-after=amdgpu-wait-sgpr-hazards', f.name,
                              '-o', '-'] + features(cpu), capture_output=True, text=True, check=True)
    return list(zip(map(int, re.findall(r'; Occupancy: (\d+)', run.stdout)),
                    map(int, re.findall(r'; TotalNumSgprs: (\d+)', run.stdout))))


def assembles(cpu, text, wave=64):
    run = subprocess.run([LLVM_MC, '-triple=amdgcn', '-mcpu=' + cpu] + features(cpu, wave), input=text + '\n',
                         capture_output=True, text=True)
    return run.returncode == 0


def lds_fits(cpu, size):
    text = f'@lds = addrspace(3) global [{size} x i8] poison\ndefine amdgpu_kernel void @k() {{\n' \
           '  store i8 0, ptr addrspace(3) @lds\n  ret void\n}\n'
    run = subprocess.run([LLC, '-mtriple=amdgcn', '-mcpu=' + cpu, '-o', '-'], input=text, capture_output=True, text=True)
    return run.returncode == 0


def main():
    if shutil.which(LLC) is None or shutil.which(LLVM_MC) is None:
        print('LLVM 22 is not installed')
        return 77
    exe, number, cpu = sys.argv[1:4]
    out = subprocess.run([exe, number, '--limits'], capture_output=True, text=True, check=True).stdout
    ours = {k: int(v) for k, v in (line.split() for line in out.splitlines())}
    bad, checks = [], 0

    def check(what, us, them):
        nonlocal checks
        checks += 1
        if us != them:
            bad.append(what)
            print(f'{what}: ours {us}, LLVM {them}')

    def fit(num, granule, registers):
        return min(ours['max_waves_per_simd'], registers // (-(-num // granule) * granule))

    counts = range(1, 257)
    for num, (them, _) in zip(counts, waves(cpu, [f'$vgpr{n - 1} = V_MOV_B32_e32 0, implicit $exec' for n in counts])):
        us = fit(num, ours['vgpr_granule'], ours['phys_vgprs_per_simd'])
        check(f'waves of {num} VGPRs', min(us, fit(96, 16, 800)) if ours['fixed_sgprs'] else us, them)
    if ours['phys_sgprs_per_simd']:
        counts = range(1, 97)
        for them, num in waves(cpu, [f'$sgpr{n - 1} = S_MOV_B32 0' for n in counts]):
            # From GFX8 on LLVM leaves the unit of 16, in which they are allocated, out of account.
            granule = ours['sgpr_granule'] if ours['sgpr_granule'] < 16 else 1
            us = fit(ours['fixed_sgprs'] or num, granule, ours['phys_sgprs_per_simd'])
            check(f'waves of {num} SGPRs', us, them)
    last = ours['max_sgprs'] - 1
    check('last SGPR', True, assembles(cpu, f's_mov_b32 s{last}, 0') and not assembles(cpu, f's_mov_b32 s{last + 1}, 0'))
    check('wave32', bool(ours['has_wave32']), cpu.startswith('gfx1') and assembles(cpu, 's_nop 0', 32))
    check('constant bus', ours['constant_bus_limit'] > 1, assembles(cpu, 'v_max3_f32 v0, s0, s1, v2'))
    check('three scalars', False, assembles(cpu, 'v_max3_f32 v0, s0, s1, s2'))
    check('literal in VOP3', bool(ours['vop3_literal']), assembles(cpu, 'v_max3_f32 v0, v1, v2, 0x12345'))
    for counter, text in (('max_vmcnt', 'vmcnt'), ('max_expcnt', 'expcnt'), ('max_lgkmcnt', 'lgkmcnt')):
        if not cpu.startswith('gfx12'):  # counters of their own there
            check(text, True, assembles(cpu, f's_waitcnt {text}({ours[counter]})') and
                  not assembles(cpu, f's_waitcnt {text}({ours[counter] + 1})'))
    lds = ours['lds_bytes_per_cu'] // 2 if cpu.startswith('gfx6') else ours['lds_bytes_per_cu']  # GFX6: half for a group
    check('LDS', True, lds_fits(cpu, lds) and not lds_fits(cpu, lds + 4))
    print(f'{cpu}: {checks} limits, {len(bad)} differ')
    return 1 if bad or checks < 256 else 0


if __name__ == '__main__':
    sys.exit(main())
