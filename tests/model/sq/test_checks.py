#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each check of the sequencer: the mistake is planted and caught; the same
program without it is clean."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import check, execute, finish, need_assembler, words  # noqa: E402
from test_memory import BASE, descriptor, memory, pair  # noqa: E402

LO, HI = pair(BASE)
ADDR = {'0': LO, '1': HI}
VA = {'0': words([BASE]), '1': words([0])}

# name, bad program, good program, state, word of the report
CASES = [
    ('smem wait', 's_load_dword s4, s[0:1], 0\ns_add_u32 s5, s4, s4',
     's_load_dword s4, s[0:1], 0\ns_waitcnt lgkmcnt(0)\ns_add_u32 s5, s4, s4', dict(sgpr=ADDR), 'waitcnt'),
    ('smem is out of order', 's_load_dword s4, s[0:1], 0\ns_load_dword s6, s[0:1], 4\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s5, s4',
     's_load_dword s4, s[0:1], 0\ns_load_dword s6, s[0:1], 4\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s5, s4',
     dict(sgpr=ADDR), 'waitcnt'),
    ('vmem wait', 'global_load_dword v2, v[0:1], off\nglobal_load_dword v3, v[0:1], off\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v3',
     'global_load_dword v2, v[0:1], off\nglobal_load_dword v3, v[0:1], off\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v2',
     dict(vgpr=VA), 'waitcnt'),
    ('overwrite of a load', 'global_load_dword v2, v[0:1], off\nv_mov_b32 v2, 0',
     'global_load_dword v2, v[0:1], off\ns_waitcnt vmcnt(0)\nv_mov_b32 v2, 0', dict(vgpr=VA), 'waitcnt'),
    ('lds wait', 'ds_read_b32 v2, v0\nds_read_b32 v3, v0\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v3',
     'ds_read_b32 v2, v0\nds_read_b32 v3, v0\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v2',
     dict(vgpr={'0': words([0])}, lds={'0x0': '00000000'}), 'waitcnt'),
    ('export source', 'exp param0 v0, v0, v0, v0\nv_mov_b32 v0, 0',
     'exp param0 v0, v0, v0, v0\ns_waitcnt expcnt(0)\nv_mov_b32 v0, 0', dict(vgpr={'0': words([0])}), 'waitcnt'),
    ('undefined branch', 's_add_u32 s0, s1, s2\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 0',
     's_mov_b32 s0, 0\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 0', {}, 'uninit'),
    ('undefined mask', 'v_cmp_eq_u32 vcc, v5, v6\ns_nop 4\ns_cbranch_vccz 0',
     'v_cmp_eq_u32 vcc, v0, v0\ns_nop 4\ns_cbranch_vccz 0', dict(vgpr={'0': words([0])}), 'uninit'),
    ('undefined export', 'v_add_f32 v1, v0, v7\nexp param0 v1, off, off, off',
     'v_cmp_ne_u32 vcc, v0, v0\nv_cndmask_b32 v1, v0, v7, vcc\nexp param0 v1, off, off, off',
     dict(vgpr={'0': words([0])}), 'uninit'),
    ('undefined high half', 'v_mad_u64_u32 v[2:3], s[0:1], s4, 9, v[0:1]\nexp param0 v3, off, off, off',
     'v_mad_u64_u32 v[2:3], s[0:1], s4, 9, v[0:1]\nexp param0 v2, off, off, off',
     dict(vgpr={'0': words([0])}, sgpr={'4': '7'}), 'uninit'),
    ('undefined store', 'global_store_dword v[0:1], v2, off', 'global_store_dword v[0:1], v0, off',
     dict(vgpr=VA), 'uninit'),
    ('undefined address', 's_load_dword s4, s[6:7], 0', 's_load_dword s4, s[0:1], 0', dict(sgpr=ADDR), 'uninit'),
    ('undefined LDS', 'ds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)\nexp param0 v1, off, off, off',
     'ds_write_b32 v0, v0\nds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)\nexp param0 v1, off, off, off',
     dict(vgpr={'0': words([0])}), 'uninit'),
    ('LDS range', 'ds_write_b32 v0, v0', 'ds_write_b32 v1, v0',
     dict(vgpr={'0': words([0x10000]), '1': words([0xfffc])}), 'range'),
    ('index range', 's_set_gpr_idx_on s0, 1\nv_mov_b32 v1, v200\ns_set_gpr_idx_off',
     's_set_gpr_idx_on s0, 1\nv_mov_b32 v1, v2\ns_set_gpr_idx_off', dict(sgpr={'0': '50'}, m0='0'), 'range'),
    ('hazard: VALU writes an SGPR that VMEM reads',
     'v_readfirstlane_b32 s8, v0\nbuffer_load_dword v1, off, s[8:11], 0',
     'v_readfirstlane_b32 s8, v0\ns_nop 4\nbuffer_load_dword v1, off, s[8:11], 0',
     dict(vgpr={'0': words([BASE])}, sgpr=descriptor(BASE, 64)), 'hazard'),
    ('hazard across a branch',
     's_branch 2\ns_nop 7\ns_endpgm\nv_readfirstlane_b32 s8, v0\ns_branch 0\nbuffer_load_dword v1, off, s[8:11], 0',
     's_branch 2\ns_nop 7\ns_endpgm\nv_readfirstlane_b32 s8, v0\ns_nop 4\ns_branch 0\nbuffer_load_dword v1, off, s[8:11], 0',
     dict(vgpr={'0': words([BASE])}, sgpr=descriptor(BASE, 64)), 'hazard'),
    ('unmapped load', 'global_load_dword v2, v[0:1], off', 's_nop 0',
     dict(vgpr={'0': words([0x12340000]), '1': words([1])}), 'vm'),
    ('trap', 's_trap 2', 's_nop 0', {}, 'instruction'),
]


def main():
    need_assembler()
    for name, bad, good, state, word in CASES:
        state = dict(state, memory=memory)
        r = execute(bad + '\ns_endpgm', **state)
        check(name, any(': %s: ' % word in v for v in r['violations']), True, r['violations'])
        check(name + ' has a place', all('shader ' in v and '+0x' in v for v in r['violations']), True)
        r = execute(good + '\ns_endpgm', **state)
        check(name + ' without', r['violations'], [])
    r = execute(['ffffffff'])
    check('no instruction', any(': instruction: ' in v and 'ffffffff' in v for v in r['violations']), True)
    r = execute('s_branch 0xffff\ns_endpgm')
    check('endless loop', any(': hang: ' in v for v in r['violations']), True)
    finish(3 * len(CASES) + 2)


if __name__ == '__main__':
    main()
