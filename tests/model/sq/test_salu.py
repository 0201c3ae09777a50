#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scalar arithmetic and SCC against the manual's pseudocode; flow, calls,
hardware registers, indexing."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import INT_SPECIAL, check, execute, finish, lanes, need_assembler, rng, words  # noqa: E402

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def s(v, bits=32):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def nz(v):
    return v != 0


def bfe(bits, signed):
    def f(a, b):
        off, n = b & (bits - 1), b >> 16 & 0x7f
        v = (s(a, bits) if signed else a) >> off
        v = v & ((1 << n) - 1) if n < bits else v
        r = (s(v, n) if signed and 0 < n < bits else v) & ((1 << bits) - 1)
        return r, nz(r)
    return f


def wqm(a):
    return sum(15 << 4 * q for q in range(16) if a >> 4 * q & 15)


def sat(f, bits=32):
    """A result and SCC = result not zero."""
    def g(*a):
        r = f(*a) & ((1 << bits) - 1)
        return r, nz(r)
    return g


def keep(f, bits=32):
    return lambda *a: (f(*a) & ((1 << bits) - 1), None)


def clz(a, bits):
    return bits - a.bit_length() if a else M32


def logic(f):
    return [(f, 32), (f, 64)]


# name, widths of dst and sources, f -> (result, scc or None: unchanged)
OPS = [
    ('s_add_u32', 32, (32, 32), lambda a, b: (a + b & M32, a + b > M32)),
    ('s_sub_u32', 32, (32, 32), lambda a, b: (a - b & M32, b > a)),
    ('s_add_i32', 32, (32, 32), lambda a, b: (a + b & M32, not -2**31 <= s(a) + s(b) < 2**31)),
    ('s_sub_i32', 32, (32, 32), lambda a, b: (a - b & M32, not -2**31 <= s(a) - s(b) < 2**31)),
    ('s_min_i32', 32, (32, 32), lambda a, b: (min(s(a), s(b)) & M32, s(a) < s(b))),
    ('s_max_i32', 32, (32, 32), lambda a, b: (max(s(a), s(b)) & M32, s(a) > s(b))),
    ('s_min_u32', 32, (32, 32), lambda a, b: (min(a, b), a < b)),
    ('s_max_u32', 32, (32, 32), lambda a, b: (max(a, b), a > b)),
    ('s_lshl_b32', 32, (32, 32), sat(lambda a, b: a << (b & 31))),
    ('s_lshr_b32', 32, (32, 32), sat(lambda a, b: a >> (b & 31))),
    ('s_ashr_i32', 32, (32, 32), sat(lambda a, b: s(a) >> (b & 31))),
    ('s_lshl_b64', 64, (64, 32), sat(lambda a, b: a << (b & 63), 64)),
    ('s_lshr_b64', 64, (64, 32), sat(lambda a, b: a >> (b & 63), 64)),
    ('s_ashr_i64', 64, (64, 32), sat(lambda a, b: s(a, 64) >> (b & 63), 64)),
    ('s_bfm_b32', 32, (32, 32), keep(lambda a, b: ((1 << (a & 31)) - 1) << (b & 31))),
    ('s_bfm_b64', 64, (32, 32), keep(lambda a, b: ((1 << (a & 63)) - 1) << (b & 63), 64)),
    ('s_mul_i32', 32, (32, 32), keep(lambda a, b: a * b)),
    ('s_mul_hi_u32', 32, (32, 32), keep(lambda a, b: a * b >> 32)),
    ('s_mul_hi_i32', 32, (32, 32), keep(lambda a, b: s(a) * s(b) >> 32)),
    ('s_bfe_u32', 32, (32, 32), bfe(32, False)), ('s_bfe_i32', 32, (32, 32), bfe(32, True)),
    ('s_bfe_u64', 64, (64, 32), bfe(64, False)), ('s_bfe_i64', 64, (64, 32), bfe(64, True)),
    ('s_absdiff_i32', 32, (32, 32), sat(lambda a, b: s(b - a if s(a - b) < 0 else a - b))),
    ('s_lshl3_add_u32', 32, (32, 32), lambda a, b: ((a << 3) + b & M32, (a << 3) + b > M32)),
    ('s_pack_ll_b32_b16', 32, (32, 32), keep(lambda a, b: (a & 0xffff) | b << 16)),
    ('s_pack_lh_b32_b16', 32, (32, 32), keep(lambda a, b: (a & 0xffff) | (b & 0xffff0000))),
    ('s_pack_hh_b32_b16', 32, (32, 32), keep(lambda a, b: a >> 16 | (b & 0xffff0000))),
    ('s_not_b32', 32, (32,), sat(lambda a: ~a)), ('s_not_b64', 64, (64,), sat(lambda a: ~a, 64)),
    ('s_wqm_b32', 32, (32,), sat(wqm)), ('s_wqm_b64', 64, (64,), sat(wqm, 64)),
    ('s_quadmask_b64', 64, (64,), sat(lambda a: sum(1 << q for q in range(16) if a >> 4 * q & 15), 64)),
    ('s_brev_b32', 32, (32,), keep(lambda a: int('{:032b}'.format(a)[::-1], 2))),
    ('s_brev_b64', 64, (64,), keep(lambda a: int('{:064b}'.format(a)[::-1], 2), 64)),
    ('s_bcnt0_i32_b32', 32, (32,), sat(lambda a: 32 - bin(a).count('1'))),
    ('s_bcnt1_i32_b64', 32, (64,), sat(lambda a: bin(a).count('1'))),
    ('s_ff0_i32_b32', 32, (32,), keep(lambda a: ((~a & M32) & -(~a & M32)).bit_length() - 1 if a != M32 else M32)),
    ('s_ff1_i32_b32', 32, (32,), keep(lambda a: (a & -a).bit_length() - 1 if a else M32)),
    ('s_ff1_i32_b64', 32, (64,), keep(lambda a: (a & -a).bit_length() - 1 if a else M32)),
    ('s_flbit_i32_b32', 32, (32,), keep(lambda a: clz(a, 32))),
    ('s_flbit_i32_b64', 32, (64,), keep(lambda a: clz(a, 64))),
    ('s_flbit_i32', 32, (32,), keep(lambda a: clz(a ^ (M32 if a >> 31 else 0), 32))),
    ('s_flbit_i32_i64', 32, (64,), keep(lambda a: clz(a ^ (M64 if a >> 63 else 0), 64))),
    ('s_sext_i32_i8', 32, (32,), keep(lambda a: s(a, 8))), ('s_sext_i32_i16', 32, (32,), keep(lambda a: s(a, 16))),
    ('s_abs_i32', 32, (32,), sat(lambda a: abs(s(a)))),
    ('s_bitreplicate_b64_b32', 64, (32,), keep(lambda a: sum(3 << 2 * n for n in range(32) if a >> n & 1), 64)),
    ('s_mov_b32', 32, (32,), keep(lambda a: a)), ('s_mov_b64', 64, (64,), keep(lambda a: a, 64)),
]
for _name, _f in (('and', lambda a, b: a & b), ('or', lambda a, b: a | b), ('xor', lambda a, b: a ^ b),
                  ('andn2', lambda a, b: a & ~b), ('orn2', lambda a, b: a | ~b), ('nand', lambda a, b: ~(a & b)),
                  ('nor', lambda a, b: ~(a | b)), ('xnor', lambda a, b: ~(a ^ b))):
    for _bits in (32, 64):
        OPS.append(('s_%s_b%d' % (_name, _bits), _bits, (_bits, _bits), sat(_f, _bits)))
COMPARES = [('eq', lambda a, b: a == b), ('lg', lambda a, b: a != b), ('gt', lambda a, b: a > b),
            ('ge', lambda a, b: a >= b), ('lt', lambda a, b: a < b), ('le', lambda a, b: a <= b)]
SAVEEXEC = [('and', lambda a, e: a & e), ('or', lambda a, e: a | e), ('xor', lambda a, e: a ^ e),
            ('andn2', lambda a, e: a & ~e), ('orn2', lambda a, e: a | ~e), ('nand', lambda a, e: ~(a & e)),
            ('nor', lambda a, e: ~(a | e)), ('xnor', lambda a, e: ~(a ^ e)),
            ('andn1', lambda a, e: ~a & e), ('orn1', lambda a, e: ~a | e)]


def value(bits):
    v = rng.choice(INT_SPECIAL) if rng.random() < 0.4 else rng.getrandbits(32)
    if bits == 64:
        v |= (rng.choice(INT_SPECIAL) if rng.random() < 0.4 else rng.getrandbits(32)) << 32
    return v


def put(sgpr, reg, v, bits):
    sgpr[str(reg)] = '%08x' % (v & M32)
    if bits == 64:
        sgpr[str(reg + 1)] = '%08x' % (v >> 32)


def name(reg, bits):
    return 's[%d:%d]' % (reg, reg + 1) if bits == 64 else 's%d' % reg


def read(r, reg, bits):
    v = int(r['sgpr'][str(reg)], 16)
    return v | int(r['sgpr'][str(reg + 1)], 16) << 32 if bits == 64 else v


def arithmetic():
    """Eight cases a wave: inputs in s0..s31, results and SCC from s40 on."""
    count = 0
    cases = [c for _ in range(12) for c in OPS]
    for start in range(0, len(cases), 8):
        sgpr, text, plan = {}, '', []
        for k, (op, bits, widths, f) in enumerate(cases[start:start + 8]):
            vals, regs = [value(w) for w in widths], []
            for n, (v, w) in enumerate(zip(vals, widths)):
                put(sgpr, 4 * k + 2 * n, v, w)
                regs.append(name(4 * k + 2 * n, w))
            scc, dst = rng.randrange(2), 40 + 4 * k
            text += 's_cmp_eq_u32 0, %d\n%s %s, %s\ns_cselect_b32 s%d, 1, 0\n' % (
                1 - scc, op, name(dst, bits), ', '.join(regs), dst + 2)
            plan.append((op, bits, vals, f, scc, dst))
        r = execute(text + 's_endpgm', sgpr=sgpr)
        check('violations', r['violations'], [])
        for op, bits, vals, f, scc, dst in plan:
            want, want_scc = f(*vals)
            note = 'of ' + ' '.join('%#x' % v for v in vals)
            check(op, read(r, dst, bits), want, note)
            check(op + ' scc', read(r, dst + 2, 32), scc if want_scc is None else int(want_scc), note)
            count += 2
    return count


def batch():
    """Compares, carries, selects, saveexec: SCC moved into registers on the way."""
    count = 0
    for _ in range(10):
        a, b = value(32), value(32)
        if rng.random() < 0.3:
            b = a
        k = rng.getrandbits(16)
        text, want = '', {}
        for n, (c, f) in enumerate(COMPARES):
            text += 's_cmp_%s_i32 s0, s1\ns_cselect_b32 s%d, 1, 0\n' % (c, 20 + n)
            want[20 + n] = int(f(s(a), s(b)))
            text += 's_cmp_%s_u32 s0, s1\ns_cselect_b32 s%d, 1, 0\n' % (c, 30 + n)
            want[30 + n] = int(f(a, b))
            text += 's_cmpk_%s_i32 s0, %#x\ns_cselect_b32 s%d, 1, 0\n' % (c, k, 40 + n)
            want[40 + n] = int(f(s(a), s(k, 16)))
            text += 's_cmpk_%s_u32 s0, %#x\ns_cselect_b32 s%d, 1, 0\n' % (c, k, 50 + n)
            want[50 + n] = int(f(a, k))
        text += 's_bitcmp1_b32 s0, s1\ns_cselect_b32 s60, 1, 0\n'
        want[60] = a >> (b & 31) & 1
        text += 's_add_u32 s61, s0, s1\ns_addc_u32 s62, s0, s1\n'
        want[61] = a + b & M32
        want[62] = a + b + (a + b > M32) & M32
        text += 's_sub_u32 s63, s0, s1\ns_subb_u32 s64, s0, s1\n'
        want[64] = a - b - (b > a) & M32
        text += 's_mov_b32 s65, s0\ns_addk_i32 s65, %#x\ns_mov_b32 s66, s0\ns_mulk_i32 s66, %#x\n' % (k, k)
        want[65] = a + s(k, 16) & M32
        want[66] = a * s(k, 16) & M32
        text += 's_mov_b32 s67, 0\ns_bitset1_b32 s67, s1\n'
        want[67] = 1 << (b & 31)
        text += 's_cmp_eq_u32 s0, s0\ns_cmovk_i32 s67, 0x12\ns_cmp_lg_u32 s0, s0\ns_cmovk_i32 s67, 0x34\n'
        want[67] = 0x12
        r = execute(text + 's_endpgm', sgpr={'0': '%08x' % a, '1': '%08x' % b})
        for reg, v in want.items():
            check('batch s%d' % reg, read(r, reg, 32), v, 'of %#x %#x %#x' % (a, b, k))
            count += 1
        check('batch', r['violations'], [])
        # EXEC before each one in s[4:5], the other operand in s[0:1]
        m, e = value(64), value(64)
        sgpr, text = {}, ''
        put(sgpr, 0, m, 64)
        put(sgpr, 4, e, 64)
        for k, (n, f) in enumerate(SAVEEXEC):
            r0 = 8 + 6 * k
            text += ('s_mov_b64 exec, s[4:5]\ns_%s_saveexec_b64 s[%d:%d], s[0:1]\ns_cselect_b32 s%d, 1, 0\n'
                     's_mov_b64 s[%d:%d], exec\n' % (n, r0, r0 + 1, r0 + 4, r0 + 2, r0 + 3))
        r = execute(text + 's_endpgm', sgpr=sgpr)
        for k, (n, f) in enumerate(SAVEEXEC):
            r0 = 8 + 6 * k
            check(n + '_saveexec', read(r, r0 + 2, 64), f(m, e) & M64)
            check(n + '_saveexec dst', read(r, r0, 64), e)
            check(n + '_saveexec scc', read(r, r0 + 4, 32), int(f(m, e) & M64 != 0))
            count += 3
    return count


def flow():
    # branch operands count dwords from the next instruction
    r = execute('''
        s_mov_b32 s0, 0
        s_mov_b32 s1, 5
        s_add_u32 s0, s0, s1
        s_sub_u32 s1, s1, 1
        s_cmp_lg_u32 s1, 0
        s_cbranch_scc1 0xfffc
        s_getpc_b64 s[2:3]
        s_add_u32 s2, s2, 16
        s_addc_u32 s3, s3, 0
        s_swappc_b64 s[4:5], s[2:3]
        s_branch 2
        s_movk_i32 s6, 0x77
        s_setpc_b64 s[4:5]
        s_movk_i32 s7, 0x78
        s_call_b64 s[8:9], 1
        s_endpgm
        s_movk_i32 s10, 0x79
        s_setpc_b64 s[8:9]''')
    check('loop sum', read(r, 0, 32), 15)
    check('swappc', read(r, 6, 32), 0x77)
    check('return', read(r, 7, 32), 0x78)
    check('call', read(r, 10, 32), 0x79)
    r = execute('''
        s_mov_b64 vcc, 0
        s_nop 4
        s_cbranch_vccz 1
        s_movk_i32 s0, 1
        s_mov_b64 exec, 0
        s_cbranch_execz 1
        s_movk_i32 s1, 1
        s_mov_b64 exec, -1
        s_cbranch_execnz 1
        s_movk_i32 s2, 1
        s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5
        s_nop 1
        s_getreg_b32 s3, hwreg(HW_REG_MODE, 0, 8)
        s_endpgm''', sgpr={'0': '0', '1': '0', '2': '0'}, mode='000000c0')
    check('branches', [read(r, n, 32) for n in range(4)], [0, 0, 0, 0xc5])
    # GPR indexing: v[10 + 3] and v[20 + 3]
    r = execute('''
        s_set_gpr_idx_on s0, 0x9
        v_mov_b32 v20, v10
        s_set_gpr_idx_off
        v_mov_b32 v1, v10
        s_endpgm''', sgpr={'0': '3'}, m0='0', vgpr={'10': words([5]), '13': words([7])})
    check('indexed mov', lanes(r, 23)[0], 7)
    check('after indexing', lanes(r, 1)[0], 5)
    r = execute('s_mov_b32 m0, 2\ns_nop 0\ns_movrels_b32 s0, s4\ns_movreld_b32 s8, s4\ns_endpgm',
                sgpr={str(n): '%x' % n for n in range(12)})
    check('movrels', read(r, 0, 32), 6)
    check('movreld', read(r, 10, 32), 4)
    # constants of 64 bits
    r = execute('s_mov_b64 s[0:1], 1.0\ns_mov_b64 s[2:3], -5\ns_mov_b64 s[4:5], 0x12345678\ns_endpgm')
    check('b64 1.0', read(r, 0, 64), 0x3ff0000000000000)
    check('b64 -5', read(r, 2, 64), M64 - 4)
    check('b64 literal', read(r, 4, 64), 0x12345678)
    return 13


if __name__ == '__main__':
    need_assembler()
    finish(arithmetic() + batch() + flow())
