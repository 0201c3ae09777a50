#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What surrounds the operation: modifiers, SDWA, DPP, packed selects, clamping,
carries, compares, lane masks, EXEC; instructions between lanes."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fp import F16, F32, F64  # noqa: E402
from harness import check, execute, finish, lanes, need_assembler, pick, rng, words  # noqa: E402

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
count = 0


def one(text, regs, dst, f, name, **state):
    """Runs one instruction over 64 lanes; f(lane) is the expected word."""
    global count
    r = execute(text + '\ns_endpgm', vgpr={str(k): words(v) for k, v in regs.items()}, mode='000001c0', **state)
    got = lanes(r, dst)
    for lane in range(64):
        check(name, got[lane], f(lane) & M32, 'in lane %d' % lane)
        count += 1
    return r


def s(v, bits=32):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def rand(kind):
    return [pick(kind) for _ in range(64)]


def modifiers():
    a, b = rand('f32'), rand('f32')
    fl = F32.flush
    neg = lambda u: u ^ F32.sign  # noqa: E731
    ab = lambda u: u & ~F32.sign  # noqa: E731
    regs = {0: a, 1: b}
    one('v_add_f32 v2, -v0, |v1|', regs, 2, lambda l: fl(F32.add(fl(neg(a[l])), fl(ab(b[l])))), 'neg abs')
    one('v_mul_f32 v2, -|v0|, v1', regs, 2, lambda l: fl(F32.mul(fl(neg(ab(a[l]))), fl(b[l]))), '-abs')

    def clamp(u):
        if F32.isnan(u) or u >> 31:
            return 0
        return min(u, 0x3f800000)
    one('v_add_f32 v2, v0, v1 clamp', regs, 2, lambda l: clamp(fl(F32.add(fl(a[l]), fl(b[l])))), 'clamp')
    small = [0x3f000000 + n * 0x1000 for n in range(64)]
    for text, k in (('mul:2', 0x40000000), ('mul:4', 0x40800000), ('div:2', 0x3f000000)):
        one('v_add_f32 v2, v0, v0 ' + text, {0: small}, 2,
            lambda l: F32.mul(F32.add(small[l], small[l]), k), text)
    # integer saturation
    u, v = rand('u32'), rand('u32')
    regs = {0: u, 1: v}
    one('v_add_u32 v2, v0, v1 clamp', regs, 2, lambda l: min(u[l] + v[l], M32), 'add_u32 clamp')
    one('v_sub_u32 v2, v0, v1 clamp', regs, 2, lambda l: max(u[l] - v[l], 0), 'sub_u32 clamp')
    one('v_add_i32 v2, v0, v1 clamp', regs, 2,
        lambda l: max(-2**31, min(2**31 - 1, s(u[l]) + s(v[l]))), 'add_i32 clamp')
    one('v_pk_add_i16 v2, v0, v1 clamp', regs, 2, lambda l: sum(
        (max(-32768, min(32767, s(u[l] >> k, 16) + s(v[l] >> k, 16))) & 0xffff) << k for k in (0, 16)), 'pk clamp')
    # packed selects and signs
    one('v_pk_add_u16 v2, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]', regs, 2,
        lambda l: ((u[l] >> 16) + v[l] & 0xffff) | (u[l] + (v[l] >> 16) & 0xffff) << 16, 'op_sel')
    one('v_pk_mul_f16 v2, v0, v1 neg_lo:[1,0] neg_hi:[0,1]', regs, 2,
        lambda l: F16.mul(u[l] & 0xffff ^ 0x8000, v[l] & 0xffff) |
        F16.mul(u[l] >> 16, v[l] >> 16 ^ 0x8000) << 16, 'neg_lo neg_hi')
    one('v_mad_u16 v2, v0, v1, v0 op_sel:[1,0,0,1]', {0: u, 1: v, 2: [0x1234]}, 2,
        lambda l: ((u[l] >> 16) * v[l] + u[l] & 0xffff) << 16 | 0x1234, 'dst op_sel')
    one('v_mad_mix_f32 v2, v0, v1, v1 op_sel:[1,0,0] op_sel_hi:[1,0,0]', {0: u, 1: small}, 2,
        lambda l: F32.flush(F32.add(F32.flush(F32.mul(F32.flush(F16.convert(F32, u[l] >> 16)), small[l])), small[l])),
        'mad_mix')


def sdwa():
    u, v = rand('u32'), rand('u32')
    regs = {0: u, 1: v, 2: [0xaabbccdd]}
    sel = {'BYTE_0': (0, 8), 'BYTE_1': (8, 8), 'BYTE_2': (16, 8), 'BYTE_3': (24, 8), 'WORD_0': (0, 16),
           'WORD_1': (16, 16), 'DWORD': (0, 32)}

    def src(x, name, sext=False):
        shift, bits = sel[name]
        v = x >> shift & ((1 << bits) - 1)
        return s(v, bits) & M32 if sext else v
    for s0 in ('BYTE_1', 'WORD_1', 'DWORD', 'BYTE_3'):
        for dst in ('DWORD', 'BYTE_2', 'WORD_1', 'BYTE_0'):
            for unused in ('UNUSED_PAD', 'UNUSED_SEXT', 'UNUSED_PRESERVE'):
                def want(l):
                    r = src(u[l], s0) + src(v[l], 'WORD_0', True) & M32
                    shift, bits = sel[dst]
                    if bits == 32:
                        return r
                    mask = ((1 << bits) - 1) << shift
                    out = r << shift & mask
                    if unused == 'UNUSED_PRESERVE':
                        out |= 0xaabbccdd & ~mask
                    elif unused == 'UNUSED_SEXT' and r >> (bits - 1) & 1:
                        out |= M32 << (shift + bits) & M32
                    return out
                one('v_add_u32_sdwa v2, v0, sext(v1) dst_sel:%s dst_unused:%s src0_sel:%s src1_sel:WORD_0'
                    % (dst, unused, s0), regs, 2, want, 'sdwa %s %s %s' % (s0, dst, unused))
    h = rand('f16')
    one('v_add_f16_sdwa v2, -v0, |v1| dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0',
        {0: [x << 16 for x in h], 1: h}, 2, lambda l: F16.add(h[l] ^ 0x8000, h[l] & 0x7fff), 'sdwa f16')


def dpp():
    a = [0x1000 + n for n in range(64)]
    old = [0xdead0000]
    regs = {0: a, 1: old}

    def want(source, bound, l, write=True):
        if not write:
            return old[0]
        n = source(l)
        if n is None:
            return 0 if bound else old[0]
        return a[n]
    row = lambda l: l & ~15  # noqa: E731
    cases = [
        ('quad_perm:[3,0,1,2]', lambda l: l & ~3 | [3, 0, 1, 2][l & 3]),
        ('row_shl:3', lambda l: l + 3 if (l & 15) + 3 < 16 else None),
        ('row_shr:5', lambda l: l - 5 if (l & 15) >= 5 else None),
        ('row_ror:4', lambda l: row(l) + ((l & 15) - 4) % 16),
        ('wave_shl:1', lambda l: l + 1 if l < 63 else None),
        ('wave_rol:1', lambda l: (l + 1) % 64),
        ('wave_shr:1', lambda l: l - 1 if l else None),
        ('wave_ror:1', lambda l: (l - 1) % 64),
        ('row_mirror', lambda l: row(l) + 15 - (l & 15)),
        ('row_half_mirror', lambda l: l & ~7 | 7 - (l & 7)),
        ('row_bcast:15', lambda l: row(l) - 1 if l >= 16 else None),
        ('row_bcast:31', lambda l: 31 if l >= 32 else None),
    ]
    for text, f in cases:
        for bound in (False, True):
            one('v_mov_b32_dpp v1, v0 %s row_mask:0xf bank_mask:0xf%s' % (text, ' bound_ctrl:0' if bound else ''),
                regs, 1, lambda l: want(f, bound, l), 'dpp ' + text)
    one('v_mov_b32_dpp v1, v0 quad_perm:[0,0,0,0] row_mask:0x5 bank_mask:0x3', regs, 1,
        lambda l: want(lambda n: n & ~3, False, l, 5 >> (l >> 4) & 1 and 3 >> (l >> 2 & 3) & 1), 'dpp masks')
    # a disabled source lane does not feed
    one('v_mov_b32_dpp v1, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf', regs, 1,
        lambda l: old[0], 'dpp exec', exec='5555555555555555')


def masks():
    global count
    u, v = rand('u32'), rand('u32')
    for n in range(0, 64, 5):
        v[n] = u[n]
    vc = rng.getrandbits(64)
    ex = rng.getrandbits(64)
    r = one('v_addc_co_u32 v2, vcc, v0, v1, vcc', {0: u, 1: v}, 2, lambda l: u[l] + v[l] + (vc >> l & 1), 'addc',
            vcc='%016x' % vc)
    check('addc carry', int(r['vcc'], 16), sum((u[l] + v[l] + (vc >> l & 1) > M32) << l for l in range(64)))
    r = one('v_subb_co_u32 v2, vcc, v0, v1, vcc', {0: u, 1: v}, 2, lambda l: u[l] - v[l] - (vc >> l & 1), 'subb',
            vcc='%016x' % vc)
    check('subb borrow', int(r['vcc'], 16), sum((v[l] + (vc >> l & 1) > u[l]) << l for l in range(64)))
    one('v_cndmask_b32 v2, v0, v1, vcc', {0: u, 1: v}, 2, lambda l: v[l] if vc >> l & 1 else u[l], 'cndmask',
        vcc='%016x' % vc)
    one('v_mov_b32 v1, v0', {0: u, 1: v}, 1, lambda l: u[l] if ex >> l & 1 else v[l], 'exec', exec='%016x' % ex)
    kinds = {'f32': (F32, 'f32'), 'f16': (F16, 'f16'), 'f64': (F64, 'f64')}
    for t, (fmt, kind) in kinds.items():
        a, b = rand(kind), rand(kind)
        for n in range(0, 64, 7):
            b[n] = a[n]
        lt = lambda x, y: fmt.less(x, y)  # noqa: E731
        eq = lambda x, y: fmt.equal(x, y)  # noqa: E731
        un = lambda x, y: fmt.isnan(x) or fmt.isnan(y)  # noqa: E731
        table = {'f': lambda x, y: 0, 'lt': lt, 'eq': eq, 'le': lambda x, y: lt(x, y) or eq(x, y),
                 'gt': lambda x, y: lt(y, x), 'lg': lambda x, y: lt(x, y) or lt(y, x),
                 'ge': lambda x, y: lt(y, x) or eq(x, y), 'o': lambda x, y: not un(x, y), 'u': un, 'tru': lambda x, y: 1}
        for n in ('ge', 'lg', 'gt', 'le', 'eq', 'lt'):
            table['n' + n] = (lambda g: lambda x, y: not g(x, y))(table[n])
        regs = {0: [x & M32 for x in a], 1: [x >> 32 for x in a], 2: [x & M32 for x in b], 3: [x >> 32 for x in b]}
        v0, v2 = ('v[0:1]', 'v[2:3]') if t == 'f64' else ('v0', 'v2')
        flush = fmt.flush if t == 'f32' else lambda x: x
        text = ''.join('v_cmp_%s_%s s[%d:%d], %s, %s\n' % (c, t, 10 + 2 * k, 11 + 2 * k, v0, v2)
                       for k, c in enumerate(table))
        r = execute(text + 's_endpgm', vgpr={str(k): words(x) for k, x in regs.items()}, exec='%016x' % ex,
                    mode='000001c0')
        for k, (c, f) in enumerate(table.items()):
            got = int(r['sgpr'][str(10 + 2 * k)], 16) | int(r['sgpr'][str(11 + 2 * k)], 16) << 32
            want = sum(bool(f(flush(a[l]), flush(b[l]))) << l for l in range(64)) & ex
            check('v_cmp_%s_%s' % (c, t), got, want)
            count += 1
        # classes
        def cls(x):
            sign = bool(x & fmt.sign)
            if fmt.isnan(x):
                return 0 if fmt.issnan(x) else 1
            if fmt.isinf(x):
                return 2 if sign else 9
            if fmt.exp(x):
                return 3 if sign else 8
            if fmt.mant(x):
                return 4 if sign else 7
            return 5 if sign else 6
        for bit in range(10):
            r = execute('v_cmp_class_%s vcc, %s, v4\ns_endpgm' % (t, v0), mode='000001c0',
                        vgpr={str(k): words(x) for k, x in list(regs.items()) + [(4, [1 << bit])]})
            check('class', int(r['vcc'], 16), sum((cls(a[l]) == bit) << l for l in range(64)), '%s bit %d' % (t, bit))
            count += 1
    for t, bits, signed in (('i32', 32, 1), ('u32', 32, 0), ('i16', 16, 1), ('u16', 16, 0)):
        get = (lambda x: s(x, bits)) if signed else (lambda x: x & ((1 << bits) - 1))
        for c, f in (('lt', lambda x, y: x < y), ('eq', lambda x, y: x == y), ('le', lambda x, y: x <= y),
                     ('gt', lambda x, y: x > y), ('ne', lambda x, y: x != y), ('ge', lambda x, y: x >= y)):
            r = execute('v_cmpx_%s_%s vcc, v0, v1\ns_endpgm' % (c, t), vgpr={'0': words(u), '1': words(v)},
                        exec='%016x' % ex)
            want = sum(f(get(u[l]), get(v[l])) << l for l in range(64)) & ex
            check('v_cmpx_%s_%s' % (c, t), int(r['vcc'], 16), want)
            check('v_cmpx_%s_%s exec' % (c, t), int(r['exec'], 16), want)
            count += 2


def between_lanes():
    global count
    a = [n * 3 + 1 for n in range(64)]
    r = execute('''
        v_readlane_b32 s0, v0, 5
        v_readfirstlane_b32 s1, v0
        v_writelane_b32 v1, s4, 9
        v_mbcnt_lo_u32_b32 v2, -1, 0
        v_mbcnt_hi_u32_b32 v2, -1, v2
        v_swap_b32 v3, v4
        s_endpgm''', vgpr={'0': words(a), '1': words([7]), '3': words([1]), '4': words([2])},
        sgpr={'4': '99'}, exec='fffffffffffffff8')
    check('readlane', int(r['sgpr']['0'], 16), a[5])
    check('readfirstlane', int(r['sgpr']['1'], 16), a[3])
    check('writelane', lanes(r, 1), [0x99 if n == 9 else 7 for n in range(64)])
    check('mbcnt', lanes(r, 2)[3:], list(range(3, 64)))
    check('swap', [lanes(r, 3)[0], lanes(r, 3)[8], lanes(r, 4)[8]], [1, 2, 1])
    addr = [rng.randrange(64) * 4 for _ in range(64)]
    r = execute('ds_bpermute_b32 v2, v1, v0\nds_permute_b32 v3, v1, v0\nds_swizzle_b32 v4, v0 offset:0x401f\n'
                'ds_swizzle_b32 v5, v0 offset:0x80b1\ns_waitcnt lgkmcnt(0)\ns_endpgm',
                vgpr={'0': words(a), '1': words(addr)})
    check('bpermute', lanes(r, 2), [a[x // 4] for x in addr])
    out = [0] * 64
    for n in range(64):
        out[addr[n] // 4] = a[n]
    check('permute', lanes(r, 3), out)
    check('swizzle xor 16', lanes(r, 4), [a[n ^ 16] for n in range(64)])
    check('swizzle quad', lanes(r, 5), [a[n & ~3 | (0xb1 >> 2 * (n & 3) & 3)] for n in range(64)])
    count += 9


if __name__ == '__main__':
    need_assembler()
    modifiers()
    sdwa()
    dpp()
    masks()
    between_lanes()
    finish(count)
