#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scalar opcodes that test_salu.py leaves: selects, bit sets, moves by M0,
forks and joins, messages, hardware registers, VSKIP, what does nothing here."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import check, execute, finish, lanes, need_assembler, rng, words  # noqa: E402
from test_salu import M32, M64, read  # noqa: E402

count = 0


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def pair(reg, v):
    return {str(reg): '%08x' % (v & M32), str(reg + 1): '%08x' % (v >> 32)}


def quads(a, bits):
    return sum(1 << q for q in range(bits // 4) if a >> 4 * q & 15)


def corner(bits):
    m = (1 << bits) - 1
    return rng.choice([0, 1, m, m >> 1, (m >> 1) + 1, 0x10, rng.getrandbits(bits), rng.getrandbits(bits)])


def scalar():
    for _ in range(12):
        a, b = corner(64), corner(64)
        if rng.random() < .3:
            b = a
        a32, n = a & M32, rng.choice([0, 1, 31, 32, 63, 0xffffffff])
        scc = rng.randrange(2)
        text = '''
            s_lshl1_add_u32 s20, s0, s2
            s_cselect_b32 s21, 1, 0
            s_lshl2_add_u32 s22, s0, s2
            s_cselect_b32 s23, 1, 0
            s_lshl4_add_u32 s24, s0, s2
            s_cselect_b32 s25, 1, 0
            s_bcnt0_i32_b64 s26, s[0:1]
            s_cselect_b32 s27, 1, 0
            s_bcnt1_i32_b32 s28, s0
            s_cselect_b32 s29, 1, 0
            s_ff0_i32_b64 s30, s[0:1]
            s_quadmask_b32 s31, s0
            s_cselect_b32 s32, 1, 0
            s_bitcmp0_b32 s0, s4
            s_cselect_b32 s33, 1, 0
            s_bitcmp0_b64 s[0:1], s4
            s_cselect_b32 s34, 1, 0
            s_bitcmp1_b64 s[0:1], s4
            s_cselect_b32 s35, 1, 0
            s_cmp_eq_u64 s[0:1], s[2:3]
            s_cselect_b32 s36, 1, 0
            s_cmp_lg_u64 s[0:1], s[2:3]
            s_cselect_b32 s37, 1, 0
            s_mov_b32 s38, s0
            s_bitset0_b32 s38, s4
            s_mov_b64 s[40:41], s[0:1]
            s_bitset0_b64 s[40:41], s4
            s_mov_b64 s[42:43], s[0:1]
            s_bitset1_b64 s[42:43], s4
            s_cmp_eq_u32 s5, 1
            s_cselect_b64 s[44:45], s[0:1], s[2:3]
            s_mov_b32 s46, s2
            s_cmov_b32 s46, s0
            s_mov_b64 s[48:49], s[2:3]
            s_cmov_b64 s[48:49], s[0:1]
            s_endpgm'''
        r = execute(text, sgpr=dict(pair(0, a), **pair(2, b), **{'4': '%08x' % n, '5': '%08x' % scc}))
        b32 = b & M32
        want = {}
        for reg, sh in ((20, 1), (22, 2), (24, 4)):
            want[reg], want[reg + 1] = (a32 << sh) + b32 & M32, int((a32 << sh) + b32 > M32)
        zeros = 64 - bin(a).count('1')
        inv = ~a & M64
        want.update({26: zeros, 27: int(zeros != 0), 28: bin(a32).count('1'), 29: int(a32 != 0),
                     30: (inv & -inv).bit_length() - 1 & M32, 31: quads(a32, 32), 32: int(a32 != 0),
                     33: 1 - (a32 >> (n & 31) & 1), 34: 1 - (a >> (n & 63) & 1), 35: a >> (n & 63) & 1,
                     36: int(a == b), 37: int(a != b), 38: a32 & ~(1 << (n & 31)), 46: a32 if scc else b32})
        for reg, v in want.items():
            eq('s%d of %#x %#x %#x' % (reg, a, b, n), read(r, reg, 32), v)
        eq('bitset0_b64', read(r, 40, 64), a & ~(1 << (n & 63)))
        eq('bitset1_b64', read(r, 42, 64), a | 1 << (n & 63))
        eq('cselect_b64, cmov_b64', (read(r, 44, 64), read(r, 48, 64)), (a if scc else b,) * 2)
        m, e = corner(64), corner(64)
        for name, f in (('andn1', ~m & e), ('andn2', m & ~e)):
            r = execute('s_%s_wrexec_b64 s[4:5], s[0:1]\ns_endpgm' % name, sgpr=pair(0, m), exec='%016x' % e)
            eq(name + '_wrexec', (int(r['exec'], 16), read(r, 4, 64), r['scc']), (f & M64, f & M64, int(f & M64 != 0)))
    regs = {str(n): '%08x' % (0x100 + n) for n in range(24)}
    r = execute('s_mov_b32 m0, 4\ns_nop 0\ns_movrels_b64 s[16:17], s[2:3]\ns_movreld_b64 s[18:19], s[0:1]\ns_endpgm', sgpr=regs)
    eq('movrels_b64', [read(r, n, 32) for n in (16, 17)], [0x106, 0x107])
    eq('movreld_b64', [read(r, n, 32) for n in (22, 23)], [0x100, 0x101])
    r = execute('s_set_gpr_idx_on s0, 0x1\nv_mov_b32 v20, v10\ns_set_gpr_idx_idx s1\nv_mov_b32 v21, v10\n'
                's_set_gpr_idx_mode 0x8\nv_mov_b32 v22, v10\ns_set_gpr_idx_off\ns_endpgm', m0='ffffffff',
                sgpr={'0': '00000103', '1': '00000205'}, vgpr={str(10 + n): words([n]) for n in range(6)})
    eq('idx_on, idx_idx, idx_mode', (lanes(r, 20)[0], lanes(r, 21)[0], lanes(r, 27)[0], r['m0']), (3, 5, 0, 'ffff8f05'))


def branches():
    r = execute('''
        s_cmp_eq_u32 s0, s0
        s_cbranch_scc0 1
        s_movk_i32 s1, 1
        s_cmp_lg_u32 s0, s0
        s_cbranch_scc0 1
        s_movk_i32 s2, 1
        s_mov_b64 vcc, 1
        s_nop 4
        s_cbranch_vccnz 1
        s_movk_i32 s3, 1
        s_cbranch_cdbgsys 1
        s_movk_i32 s4, 1
        s_cbranch_cdbguser 1
        s_movk_i32 s5, 1
        s_cbranch_cdbgsys_or_user 1
        s_movk_i32 s6, 1
        s_cbranch_cdbgsys_and_user 1
        s_movk_i32 s7, 1
        s_endpgm''', sgpr={str(n): '00000000' for n in range(8)})
    eq('branches', [read(r, n, 32) for n in range(1, 8)], [1, 0, 0, 1, 1, 1, 1])
    for end in ('s_endpgm_saved', 's_endpgm_ordered_ps_done', 's_endpgm'):
        r = execute('s_movk_i32 s0, 1\n%s\ns_movk_i32 s0, 2\ns_endpgm' % end)
        eq(end, read(r, 0, 32), 1)
    # what takes time, changes caches or counters, and no register
    r = execute('''
        s_barrier
        s_setkill 0
        s_sethalt 0
        s_sleep 1
        s_setprio 2
        s_wakeup
        s_incperflevel 3
        s_decperflevel 3
        s_ttracedata
        s_icache_inv
        s_dcache_inv
        s_dcache_wb
        s_dcache_inv_vol
        s_dcache_wb_vol
        s_waitcnt lgkmcnt(0)
        s_movk_i32 s0, 1
        s_endpgm''', m0='00000000')
    eq('no effect', (r['sgpr'], r['violations']), ({'0': '00000001'}, []))
    r = execute('s_memtime s[0:1]\ns_memrealtime s[2:3]\ns_waitcnt lgkmcnt(0)\ns_memtime s[4:5]\ns_waitcnt lgkmcnt(0)\ns_endpgm')
    eq('clocks advance', read(r, 4, 64) > read(r, 0, 64), True)
    r = execute('s_sethalt 1\ns_endpgm')
    eq('halt', any(': hang: ' in v for v in r['violations']), True)
    # traps off
    r = execute('s_trap 3\ns_movk_i32 s0, 1\ns_endpgm')
    eq('s_trap goes on', (read(r, 0, 32), any('s_trap 3' in v for v in r['violations'])), (1, True))
    for text in ('s_rfe_b64 s[0:1]', 's_rfe_restore_b64 s[0:1], s4'):
        r = execute('s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, 16\ns_addc_u32 s1, s1, 0\ns_nop 0\n%s\ns_movk_i32 s2, 1\n'
                    's_endpgm' % text, sgpr={'2': '00000000', '4': '00000000'})
        eq(text, (read(r, 2, 32), any('trap handler' in v for v in r['violations'])), (1, True))


def fork():
    """Both paths run, each with its lanes; they meet at the join. The smaller one
    goes first, the other waits in SGPRs at 4 * CSP."""
    text = '''
        s_mov_b64 s[20:21], 0
        v_mov_b32 v2, 0
        {0}
        v_mov_b32 v2, 1
        s_branch 1
        v_mov_b32 v2, 2
        s_cbranch_join s22
        s_endpgm'''
    for name, fork_ in (('s_cbranch_i_fork', 's_cbranch_i_fork s[10:11], 2'), ('s_cbranch_g_fork', 's_cbranch_g_fork s[10:11], s[12:13]')):
        for mask in (0x7, 0x1f, 0xff, 0):
            t = text.format(fork_)
            if 'g_fork' in name:
                # the target: v_mov_b32 v2, 2
                t = 's_getpc_b64 s[12:13]\ns_add_u32 s12, s12, 28\ns_addc_u32 s13, s13, 0\n' + t
            r = execute(t, sgpr=dict(pair(10, mask), **{'22': '00000000'}), exec='00000000000000ff', mode='000001c0')
            eq('%s %#x' % (name, mask), lanes(r, 2)[:8], [2 if mask >> l & 1 else 1 for l in range(8)])
            eq('%s %#x joins' % (name, mask), (r['exec'], int(r['mode'], 16) >> 29), ('00000000000000ff' if mask in (0, 0xff) else r['exec'], 0))


def messages():
    for n, good in ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1), (15, 1), (0, 0), (11, 0), (14, 0)):
        r = execute('s_sendmsg %d\ns_waitcnt lgkmcnt(0)\ns_movk_i32 s0, 1\ns_endpgm' % n, m0='00000000')
        eq('message %d' % n, (read(r, 0, 32), r['violations'] == []), (1, bool(good)))
    r = execute('s_sendmsghalt sendmsg(MSG_INTERRUPT)\ns_movk_i32 s0, 1\ns_endpgm', m0='00000000', sgpr={'0': '00000000'})
    eq('sendmsghalt', read(r, 0, 32), 0)
    r = execute('s_sendmsg sendmsg(MSG_INTERRUPT)\ns_endpgm')
    eq('undefined M0', any(': uninit: ' in v for v in r['violations']), True)


def hwregs():
    r = execute('''
        s_setprio 3
        s_cmp_eq_u32 0, 0
        s_getreg_b32 s0, hwreg(HW_REG_STATUS)
        s_getreg_b32 s1, hwreg(HW_REG_TRAPSTS)
        s_getreg_b32 s2, hwreg(HW_REG_HW_ID, 0, 6)
        s_getreg_b32 s3, hwreg(HW_REG_GPR_ALLOC, 8, 6)
        s_getreg_b32 s4, hwreg(HW_REG_LDS_ALLOC, 12, 9)
        s_getreg_b32 s5, hwreg(HW_REG_IB_STS, 0, 12)
        s_getreg_b32 s6, hwreg(HW_REG_SH_MEM_BASES)
        s_getreg_b32 s7, hwreg(8)
        s_getpc_b64 s[8:9]
        s_getreg_b32 s10, hwreg(9)
        s_getreg_b32 s11, hwreg(10)
        s_getreg_b32 s12, hwreg(HW_REG_TBA_LO)
        s_mov_b32 s20, 0x3f
        s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 9), s20
        s_nop 1
        s_getreg_b32 s13, hwreg(HW_REG_TRAPSTS)
        s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s20
        s_nop 1
        s_getreg_b32 s14, hwreg(HW_REG_MODE)
        s_getreg_b32 s15, hwreg(HW_REG_MODE, 4, 2)
        s_endpgm''', vcc='0000000000000001', mode='000001c0')
    eq('STATUS', read(r, 0, 32) & 0x10619, 0x10019)  # SCC, priority 3, not EXECZ or VCCZ, VALID
    eq('TRAPSTS, HW_ID', (read(r, 1, 32), read(r, 2, 32)), (0, 0))
    eq('GPR_ALLOC, LDS_ALLOC', (read(r, 3, 32), read(r, 4, 32)), (63, 128))
    eq('IB_STS', read(r, 5, 32), 0)
    lo = read(r, 6, 32)
    eq('SH_MEM_BASES', lo >> 16 != lo & 0xffff, True)
    eq('PC', (read(r, 7, 32) + 8, read(r, 10, 32)), (read(r, 8, 32), read(r, 9, 32)))
    eq('INST_DW0', read(r, 11, 32), 0xb88bf80a)
    eq('TBA', read(r, 12, 32), 0)
    eq('TRAPSTS set', read(r, 13, 32), 0x3f)
    eq('MODE set', (read(r, 14, 32), read(r, 15, 32)), (0x1f0, 3))
    eq('hwreg violations', r['violations'], [])
    r = execute('s_setreg_imm32_b32 hwreg(HW_REG_STATUS), 1\ns_getreg_b32 s0, hwreg(40)\ns_endpgm')
    eq('not for programs', len(r['violations']), 2)
    # GPR indexing switched through MODE
    r = execute('s_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 1\ns_nop 1\nv_mov_b32 v2, v0\n'
                's_setreg_imm32_b32 hwreg(HW_REG_MODE, 27, 1), 0\ns_nop 1\nv_mov_b32 v3, v0\ns_endpgm', m0='00001001',
                vgpr={'0': words([5]), '1': words([6])})
    eq('indexing by MODE', (lanes(r, 2)[0], lanes(r, 3)[0]), (6, 5))


def vskip():
    r = execute('''
        s_setvskip s0, 3
        s_nop 4
        v_mov_b32 v0, 7
        ds_write_b32 v1, v0
        global_store_dword v[2:3], v0, off
        v_readfirstlane_b32 s1, v0
        s_movk_i32 s2, 5
        s_getreg_b32 s3, hwreg(HW_REG_MODE, 28, 1)
        s_setvskip s0, 0
        s_nop 4
        v_mov_b32 v4, 8
        s_endpgm''', sgpr={'0': '00000008', '1': '00000000'}, lds={'0x0': '00000000'}, memory={'0x1000': '00000000'},
                vgpr={'0': words([1]), '1': words([0]), '2': words([0x1000]), '3': words([0])})
    eq('skipped', (lanes(r, 0)[0], r['lds']['0x0'], r['memory']['0x1000'], read(r, 1, 32)), (1, '00000000', '00000000', 0))
    eq('not skipped', (read(r, 2, 32), read(r, 3, 32), lanes(r, 4)[0], r['violations']), (5, 1, 8, []))


def moved_operands():
    """Indices that wrap, hazards under GPR indexing, results that are no VGPRs."""
    for code, m0 in (('s_movrels_b32 s0, s0', 'ffffffff'), ('s_movreld_b32 s0, s0', 'ffffffff'),
                     ('s_movrels_b64 s[2:3], s[0:1]', 'fffffffe'), ('s_movreld_b64 s[0:1], s[2:3]', '7fffffff')):
        r = execute(code + '\ns_endpgm', m0=m0, sgpr={str(n): '00000007' for n in range(4)})
        eq('%s, m0 = %s' % (code, m0), ['range' in v for v in r['violations']], [True])
    # The write of M0 lacks its wait state; the VALU after it must run all the same.
    r = execute('s_set_gpr_idx_on s0, 0x8\ns_add_u32 m0, m0, 0\nv_mov_b32 v1, v0\ns_set_gpr_idx_off\ns_endpgm',
                sgpr={'0': '00000002'}, vgpr={'0': words([5]), '1': words([6]), '3': words([9])})
    eq('indexed after a hazard', lanes(r, 3)[0], 5)
    r = execute('s_set_gpr_idx_on s0, 0x8\nv_cmp_eq_u32 vcc, v0, v1\nv_cmp_eq_u32 s[10:11], v0, v1\n'
                's_set_gpr_idx_off\ns_endpgm',
                sgpr={'0': '00000004'}, vgpr={'0': words([1]), '1': words([1])})
    eq('a lane mask is not moved', (r['vcc'], read(r, 10, 64), r['violations']), ('f' * 16, M64, []))


if __name__ == '__main__':
    need_assembler()
    moved_operands()
    scalar()
    branches()
    fork()
    messages()
    hwregs()
    vskip()
    finish(count)
