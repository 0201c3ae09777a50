#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The vector opcodes that test_valu.py leaves: accumulating forms, legacy forms,
halves, sums of differences, roots, every compare, interpolation, mixed
precision; and the rounding, denormal, IEEE and clamping modes of the common
operations over corner values."""
import math
import os
import struct
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fp import F16, F32, F64  # noqa: E402
from harness import (F16_SPECIAL, F32_SPECIAL, F64_SPECIAL, check, execute, finish, lanes, need_assembler, pick,  # noqa: E402
                     rng, words)
from test_valu import cube, d1, div_fixup, f1, f2, f3, fl, h1, h2, h3, halves, mad, med3, minmax, norm16, op, recip  # noqa: E402
from test_valu import run, s, sad, u1, u2, u3, u8  # noqa: E402

M16, M32, M64 = 0xffff, (1 << 32) - 1, (1 << 64) - 1
count = 0


def eq(name, got, want, note=''):
    global count
    check(name, got, want, note)
    count += 1


def sub(fmt):
    return lambda a, b: fmt.add(a, b if fmt.isnan(b) else fmt.neg(b))


def swap(f):
    return lambda a, b: f(b, a)


def mad_legacy(a, b, c):
    a, b, c = fl(a), fl(b), fl(c)
    if 0 in (a & ~F32.sign, b & ~F32.sign):
        return fl(F32.add(0, c))
    return mad(a, b, c)


def mad16(a, b, c):
    return F16.add(F16.flush(F16.mul(a, b)), c)


def med(fmt):
    def f(a, b, c):
        if fmt.isnan(a) or fmt.isnan(b) or fmt.isnan(c):
            return minmax(fmt, minmax(fmt, a, b, True), c, True)
        return sorted((a, b, c), key=fmt.key)[1]
    return f


def three(fmt, less):
    return lambda a, b, c: minmax(fmt, minmax(fmt, a, b, less), c, less)


def fract(fmt):
    def f(u):
        if fmt.isnan(u):
            return u | fmt.quiet
        if fmt.isinf(u):
            return fmt.nan
        v = fmt.value(u)
        return min(fmt.round(v - v.numerator // v.denominator), fmt.round(Fraction(1)) - 1)
    return f


def root(fmt, inverse):
    """Correctly rounded square root (or its reciprocal)."""
    def f(u):
        if fmt.isnan(u):
            return u | fmt.quiet
        if u & ~fmt.sign == 0:
            return (u & fmt.sign) | fmt.inf if inverse else u
        if u & fmt.sign:
            return fmt.nan
        if fmt.isinf(u):
            return 0 if inverse else u
        v = fmt.value(u)
        # 400 bits of the root are more than any rounding needs
        k = 1 << 800
        r = Fraction(math.isqrt(v.numerator * k * k // v.denominator), k)
        return fmt.round(1 / r if inverse else r)
    return f


def floor_half(a):
    v = F32.integral(F32.add(fl(a), 0x3f000000), 'floor')
    return F32.to_int(v, -2**31, 2**31 - 1) & M32


def qsad(a, b, c, masked):
    r = 0
    for n in range(4):
        r |= (sad(a >> 8 * n & M32, b, c >> 16 * n & M16, masked) & M16) << 16 * n
    return r


def trig_preop(u, seg):
    shift = (seg & 31) * 53
    e = F64.exp(u)
    if e > 1077:
        shift += e - 1077
    # 2/pi from an arctangent series (Machin), 1300 bits
    bits = 1400
    one = 1 << bits

    def arctan(x):
        t = total = one // x
        n, sign = 3, -1
        while t:
            t //= x * x
            total += sign * (t // n)
            n, sign = n + 2, -sign
        return total
    pi = 4 * (4 * arctan(5) - arctan(239))
    digits = ((2 * one * one // pi) >> (bits - 1201)) & ((1 << 1201) - 1)
    v = (digits << shift) >> (1201 - 53) & ((1 << 53) - 1)
    scale = -53 - shift + (128 if e >= 1968 else 0)
    return F64.round(v * Fraction(2) ** scale)


PARTITION_ROWS = {0: 0x1, 1: 0x3, 5: 0xf, 17: 0x2, 34: 0x4, 0x33: 0x8, 0x44: 0x4, 0x66: 0x1, 0x77: 0x2, 0x88: 0x2,
                  0x99: 0x1, 0xaa: 0x8, 0xbb: 0x4, 0xcc: 0x8, 0xdd: 0x4, 0xee: 0x2, 0xff: 0x1}

OPS = [
    ('v_subrev_f32', f2, 32, op(swap(sub(F32)))), ('v_cubesc_f32', ['f32n'] * 3, 32, op(cube('sc'))),
    ('v_cubetc_f32', ['f32n'] * 3, 32, op(cube('tc'))), ('v_mad_legacy_f32', f3, 32, mad_legacy),
    ('v_rcp_iflag_f32', f1, 32, recip(F32, True)), ('v_cvt_rpi_i32_f32', f1, 32, floor_half),
    ('v_cvt_f32_ubyte1', u1, 32, lambda a: F32.round(Fraction(a >> 8 & 255))),
    ('v_cvt_f32_ubyte2', u1, 32, lambda a: F32.round(Fraction(a >> 16 & 255))),
    ('v_subrev_u32', u2, 32, lambda a, b: b - a), ('v_subrev_u16', u2, 32, lambda a, b: b - a & M16),
    ('v_max_i16', u2, 32, lambda a, b: max(s(a, 16), s(b, 16)) & M16),
    ('v_min_u16', u2, 32, lambda a, b: min(a & M16, b & M16)),
    ('v_min3_u32', u3, 32, min), ('v_max3_i32', u3, 32, lambda *a: max(map(s, a))),
    ('v_pack_b32_f16', u2, 32, lambda a, b: a & M16 | (b & M16) << 16),
    ('v_sub_f16', h2, 32, sub(F16)), ('v_subrev_f16', h2, 32, swap(sub(F16))),
    ('v_ceil_f16', h1, 32, lambda a: F16.integral(a, 'ceil')), ('v_trunc_f16', h1, 32, lambda a: F16.integral(a, 'trunc')),
    ('v_fract_f16', h1, 32, fract(F16)), ('v_sqrt_f16', h1, 32, root(F16, False)), ('v_rsq_f16', h1, 32, root(F16, True)),
    ('v_fract_f64', d1, 64, fract(F64)), ('v_sqrt_f64', d1, 64, root(F64, False)),
    ('v_cvt_pknorm_i16_f16', h2, 32, lambda a, b: norm16(a, 1, F16) | norm16(b, 1, F16) << 16),
    ('v_cvt_pknorm_u16_f16', h2, 32, lambda a, b: norm16(a, 0, F16) | norm16(b, 0, F16) << 16),
    ('v_qsad_pk_u16_u8', ['u64', 'u32', 'u64'], 64, lambda a, b, c: qsad(a, b, c, False)),
    ('v_mqsad_pk_u16_u8', ['u64', 'u32', 'u64'], 64, lambda a, b, c: qsad(a, b, c, True)),
    # the legacy forms clear the upper half
    ('v_mad_legacy_f16', h3, 32, mad16), ('v_fma_legacy_f16', h3, 32, F16.fma),
    ('v_mad_legacy_u16', u3, 32, lambda a, b, c: a * b + c & M16), ('v_mad_legacy_i16', u3, 32, lambda a, b, c: a * b + c & M16),
    ('v_div_fixup_legacy_f16', h3, 32, div_fixup(F16, 0)),
]
KEEP = [
    ('v_min3_f16', h3, three(F16, True)), ('v_max3_f16', h3, three(F16, False)), ('v_med3_f16', h3, med(F16)),
    ('v_min3_i16', u3, lambda *a: min(s(x, 16) for x in a) & M16), ('v_max3_i16', u3, lambda *a: max(s(x, 16) for x in a) & M16),
    ('v_max3_u16', u3, lambda *a: max(x & M16 for x in a)), ('v_med3_u16', u3, lambda *a: sorted(x & M16 for x in a)[1]),
    ('v_add_i16', u2, lambda a, b: a + b & M16), ('v_sub_i16', u2, lambda a, b: a - b & M16),
]
PACKED = [
    ('v_pk_min_i16', 2, halves(lambda a, b: min(s(a, 16), s(b, 16)))), ('v_pk_max_u16', 2, halves(max)),
    ('v_pk_mad_u16', 3, halves(lambda a, b, c: a * b + c)), ('v_pk_sub_u16', 2, halves(lambda a, b: a - b)),
]


def single(text, dst, regs, f, name, mode='000001c0', **state):
    r = execute(text + '\ns_endpgm', vgpr={str(k): words(v) for k, v in regs.items()}, mode=mode, **state)
    eq(name + ' violations', r['violations'], [])
    for lane, got in enumerate(lanes(r, dst)):
        eq(name, got, f(lane) & M32, 'in lane %d' % lane)
    return r


def accumulate():
    a, b, c = ([pick('f32') for _ in range(64)] for _ in range(3))
    ha, hb, hc = ([pick('f16') for _ in range(64)] for _ in range(3))
    single('v_mac_f32 v2, v0, v1', 2, {0: a, 1: b, 2: c}, lambda l: mad(a[l], b[l], c[l]), 'v_mac_f32')
    single('v_madmk_f32 v2, v0, 0x40490fdb, v1', 2, {0: a, 1: b}, lambda l: mad(a[l], 0x40490fdb, b[l]), 'v_madmk_f32')
    single('v_madak_f32 v2, v0, v1, 0xc0490fdb', 2, {0: a, 1: b}, lambda l: mad(a[l], b[l], 0xc0490fdb), 'v_madak_f32')
    up = 0xdead0000
    single('v_mac_f16 v2, v0, v1', 2, {0: ha, 1: hb, 2: [up | x for x in hc]},
           lambda l: mad16(ha[l], hb[l], hc[l]) | up, 'v_mac_f16')
    single('v_madmk_f16 v2, v0, 0x4248, v1', 2, {0: ha, 1: hb, 2: [up]}, lambda l: mad16(ha[l], 0x4248, hb[l]) | up, 'v_madmk_f16')
    single('v_madak_f16 v2, v0, v1, 0xc248', 2, {0: ha, 1: hb, 2: [up]}, lambda l: mad16(ha[l], hb[l], 0xc248) | up, 'v_madak_f16')
    old = [rng.getrandbits(32) for _ in range(64)]
    sel = [rng.getrandbits(4) for _ in range(64)]
    single('v_cvt_pkaccum_u8_f32 v2, v0, v1', 2, {0: a, 1: sel, 2: old},
           lambda l: old[l] & ~(255 << (sel[l] & 3) * 8) | u8(fl(a[l])) << (sel[l] & 3) * 8, 'v_cvt_pkaccum_u8_f32')
    x, y = ([rng.getrandbits(32) for _ in range(64)] for _ in range(2))
    z = [rng.getrandbits(32) & rng.choice([M32, 0xff00ff, 0]) for _ in range(64)]
    acc = [[rng.getrandbits(32) for _ in range(64)] for _ in range(4)]
    r = execute('v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[4:7]\ns_endpgm',
                vgpr=dict({'0': words(x), '1': words(y), '2': words(z)}, **{str(4 + n): words(v) for n, v in enumerate(acc)}))
    for n in range(4):
        eq('v_mqsad_u32_u8', lanes(r, 8 + n), [sad((x[l] | y[l] << 32) >> 8 * n & M32, z[l], acc[n][l], True) & M32 for l in range(64)])
    r = execute('v_screen_partition_4se_b32 v1, v0\ns_endpgm', vgpr={'0': words(list(PARTITION_ROWS) + [0x100])})
    eq('v_screen_partition', lanes(r, 1)[:len(PARTITION_ROWS) + 1], list(PARTITION_ROWS.values()) + [1])
    r = execute('v_nop\nv_clrexcp\nv_mov_b32 v1, v0\ns_endpgm', vgpr={'0': words(x)})
    eq('v_nop', lanes(r, 1), x)
    u, v = ([rng.choice(F64_SPECIAL) if n % 3 else rng.getrandbits(64) for n in range(64)] for _ in range(2))
    r = execute('v_trig_preop_f64 v[4:5], v[0:1], v2\nv_rsq_f64 v[6:7], v[0:1]\ns_endpgm', mode='000001f0',
                vgpr={'0': words(u), '1': words(t >> 32 for t in u), '2': words(range(64))})
    got = [lo | hi << 32 for lo, hi in zip(lanes(r, 4), lanes(r, 5))]
    for l in range(64):
        eq('v_trig_preop_f64', got[l], trig_preop(u[l], l), 'of %#x %d' % (u[l], l))
    got = [lo | hi << 32 for lo, hi in zip(lanes(r, 6), lanes(r, 7))]
    for l in range(64):  # the manual calls it approximate: a unit is allowed
        want = root(F64, True)(u[l])
        eq('v_rsq_f64', abs(got[l] - want) <= (0 if F64.isnan(want) or F64.isinf(want) else 1), True, 'of %#x' % u[l])


def carries():
    u, v = ([pick('u32') for _ in range(64)] for _ in range(2))
    vc = rng.getrandbits(64)
    ex = rng.getrandbits(64) | 1
    bit = [vc >> l & 1 for l in range(64)]
    for name, f in (('add_co', lambda l: u[l] + v[l]), ('sub_co', lambda l: u[l] - v[l]), ('subrev_co', lambda l: v[l] - u[l])):
        r = execute('v_%s_u32 v2, vcc, v0, v1\nv_%s_u32 v3, s[4:5], v0, v1\nv_%s_u32 v4, s[6:7], v0, v1 clamp\ns_endpgm'
                    % (name, name, name), vgpr={'0': words(u), '1': words(v), '2': words([7])}, exec='%016x' % ex)
        want = [f(l) & M32 if ex >> l & 1 else 7 for l in range(64)]
        out = sum((not 0 <= f(l) <= M32) << l for l in range(64)) & ex
        eq(name, lanes(r, 2), want)
        eq(name + ' carry', int(r['vcc'], 16), out)
        eq(name + ' carry to SGPRs', int(r['sgpr']['4'], 16) | int(r['sgpr']['5'], 16) << 32, out)
        eq(name + ' clamp', [x for l, x in enumerate(lanes(r, 4)) if ex >> l & 1],
           [max(0, min(M32, f(l))) for l in range(64) if ex >> l & 1])
    r = execute('v_subbrev_co_u32 v2, vcc, v0, v1, vcc\ns_endpgm', vgpr={'0': words(u), '1': words(v)}, vcc='%016x' % vc)
    eq('subbrev_co', lanes(r, 2), [v[l] - u[l] - bit[l] & M32 for l in range(64)])
    eq('subbrev_co carry', int(r['vcc'], 16), sum((u[l] + bit[l] > v[l]) << l for l in range(64)))


def compares():
    """Every v_cmp and v_cmpx; equal, unordered and neighbouring values among the operands."""
    ex = rng.getrandbits(64)
    for t in ('f16', 'f32', 'f64', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'):
        bits = int(t[1:])
        if t[0] == 'f':
            fmt = {16: F16, 32: F32, 64: F64}[bits]
            special = {16: F16_SPECIAL, 32: F32_SPECIAL, 64: F64_SPECIAL}[bits]
            a = [rng.choice(special) for _ in range(64)]
            b = [rng.choice(special) if n % 3 else a[n] for n in range(64)]
            ld = fmt.flush if bits == 32 else lambda x: x
            lt, eq_ = (lambda x, y: fmt.less(x, y)), (lambda x, y: fmt.equal(x, y))
            un = lambda x, y: fmt.isnan(x) or fmt.isnan(y)  # noqa: E731
            table = {'f': lambda x, y: False, 'lt': lt, 'eq': eq_, 'le': lambda x, y: lt(x, y) or eq_(x, y),
                     'gt': lambda x, y: lt(y, x), 'lg': lambda x, y: lt(x, y) or lt(y, x),
                     'ge': lambda x, y: lt(y, x) or eq_(x, y), 'o': lambda x, y: not un(x, y), 'u': un,
                     'tru': lambda x, y: True}
            for n in ('ge', 'lg', 'gt', 'le', 'eq', 'lt'):
                table['n' + n] = (lambda g: lambda x, y: not g(x, y))(table[n])
        else:
            m = (1 << bits) - 1
            corner = [0, 1, m, m >> 1, (m >> 1) + 1, m - 1]
            a = [rng.choice(corner) if n % 2 else rng.getrandbits(bits) for n in range(64)]
            b = [a[n] if n % 3 == 0 else rng.choice(corner) if n % 2 else rng.getrandbits(bits) for n in range(64)]
            ld = (lambda x: s(x, bits)) if t[0] == 'i' else lambda x: x
            table = {'f': lambda x, y: False, 'lt': lambda x, y: x < y, 'eq': lambda x, y: x == y,
                     'le': lambda x, y: x <= y, 'gt': lambda x, y: x > y, 'ne': lambda x, y: x != y,
                     'ge': lambda x, y: x >= y, 't': lambda x, y: True}
        regs = {'0': words(a), '1': words(x >> 32 for x in a), '2': words(b), '3': words(x >> 32 for x in b)}
        src = 'v[0:1], v[2:3]' if bits == 64 else 'v0, v2'
        text = ''
        for k, c in enumerate(table):
            r1, r2 = 6 * k, 6 * k + 2
            text += ('v_cmp_{c}_{t} s[{0}:{1}], {src}\ns_mov_b64 vcc, exec\nv_cmpx_{c}_{t} s[{2}:{3}], {src}\n'
                     's_mov_b64 s[{4}:{5}], exec\ns_mov_b64 exec, vcc\n').format(
                         r1, r1 + 1, r2, r2 + 1, r2 + 2, r2 + 3, c=c, t=t, src=src)
        r = execute(text + 's_endpgm', vgpr=regs, exec='%016x' % ex, mode='000001c0')
        for k, (c, f) in enumerate(table.items()):
            want = sum(bool(f(ld(a[l]), ld(b[l]))) << l for l in range(64)) & ex
            for n, what in ((0, 'v_cmp_'), (2, 'v_cmpx_'), (4, 'exec of v_cmpx_')):
                got = int(r['sgpr'][str(6 * k + n)], 16) | int(r['sgpr'][str(6 * k + n + 1)], 16) << 32
                eq(what + c + '_' + t, got, want)
        eq('compare violations ' + t, r['violations'], [])
    for t, fmt, special in (('f16', F16, F16_SPECIAL), ('f32', F32, F32_SPECIAL), ('f64', F64, F64_SPECIAL)):
        a = [rng.choice(special) for _ in range(64)]
        m = [1 << n % 10 for n in range(64)]

        def bit(x):
            neg = bool(x & fmt.sign)
            if fmt.isnan(x):
                return 0 if fmt.issnan(x) else 1
            if fmt.isinf(x):
                return 2 if neg else 9
            return ((3, 8) if fmt.exp(x) else (4, 7) if fmt.mant(x) else (5, 6))[not neg]
        src = 'v[0:1]' if t == 'f64' else 'v0'
        r = execute('v_cmpx_class_%s vcc, %s, v2\ns_endpgm' % (t, src), mode='000001c0',
                    vgpr={'0': words(a), '1': words(x >> 32 for x in a), '2': words(m)})
        want = sum((m[l] >> bit(a[l]) & 1) << l for l in range(64))
        eq('v_cmpx_class_' + t, (int(r['vcc'], 16), int(r['exec'], 16)), (want, want))


def transcendental():
    def h(u):
        return float(F16.value(u))
    for name, values, ref in (
            ('v_log_f16', range(0x400, 0x7c00, 0x1e0), math.log2), ('v_exp_f16', range(0x3000, 0x4900, 0x65), lambda x: 2.0 ** x),
            ('v_sin_f16', range(0x2c00, 0x4400, 0x60), lambda x: math.sin(2 * math.pi * (x % 1.0))),
            ('v_cos_f16', range(0x2c00, 0x4400, 0x60), lambda x: math.cos(2 * math.pi * (x % 1.0)))):
        a = list(values)[:64]
        r = execute('%s v1, v0\ns_endpgm' % name, vgpr={'0': words(a)}, mode='000001c0')
        for l, x in enumerate(a):
            want = ref(h(x))
            eq(name, abs(h(lanes(r, 1)[l]) - want) <= max(abs(want) * 2.0 ** -10, 2.0 ** -14), True, 'of %#x' % x)
    for name, ref in (('v_exp_legacy_f32', lambda x: 2.0 ** x), ('v_log_legacy_f32', math.log2)):
        a = [struct.unpack('<I', struct.pack('<f', rng.uniform(1, 100)))[0] for _ in range(64)]
        r = execute('%s v1, v0\ns_endpgm' % name, vgpr={'0': words(a)}, mode='000001c0')
        for l, x in enumerate(a):
            want = ref(float(F32.value(x)))
            eq(name, abs(float(F32.value(lanes(r, 1)[l])) / want - 1) < 1e-6, True, 'of %#x' % x)


def interpolation():
    """P0 + I * P10 + J * P20, with the sum rounded after each step."""
    par = [[[pick_small() for _ in range(3)] for _ in range(4)] for _ in range(2)]
    lds = {'0x20': ''.join(struct.pack('<I', w).hex() for a in par for c in a for w in c)}
    i, j = ([pick_small() for _ in range(64)] for _ in range(2))
    text = ('v_interp_p1_f32 v4, v0, attr1.z\nv_interp_p2_f32 v4, v1, attr1.z\n'
            'v_interp_mov_f32 v5, p0, attr0.x\nv_interp_mov_f32 v6, p10, attr0.y\nv_interp_mov_f32 v7, p20, attr1.w\n')
    r = execute(text + 's_endpgm', m0='00000020', lds=lds, vgpr={'0': words(i), '1': words(j)}, mode='000001f0')
    p0, p10, p20 = par[1][2]
    for l in range(64):
        want = F32.flush(F32.fma(p20, j[l], F32.flush(F32.fma(p10, i[l], p0))))
        eq('v_interp_p1/p2_f32', lanes(r, 4)[l], want)
    eq('v_interp_mov_f32', (lanes(r, 5), lanes(r, 6), lanes(r, 7)), ([par[0][0][0]] * 64, [par[0][1][1]] * 64, [par[1][3][2]] * 64))
    eq('v_interp violations', r['violations'], [])
    # halves: parameters are in the low or, with `high`, in the upper half
    hp = [[[rng.randrange(0x3000, 0x4000) | rng.randrange(0x3000, 0x4000) << 16 for _ in range(3)] for _ in range(4)]]
    lds = {'0x0': ''.join(struct.pack('<I', w).hex() for a in hp for c in a for w in c)}
    for hi, suffix in ((0, ''), (16, ' high')):
        q0, q10, q20 = (F16.convert(F32, w >> hi & M16) for w in hp[0][1])
        old = [pick_half() | 0xdead0000 for _ in range(64)]
        r = execute('v_interp_p1ll_f16 v4, v0, attr0.y%s\nv_interp_p1lv_f16 v5, v0, attr0.y, v2%s\n'
                    'v_interp_p2_f16 v6, v1, attr0.y, v4%s\nv_interp_p2_legacy_f16 v7, v1, attr0.y, v4%s\ns_endpgm'
                    % ((suffix,) * 4), m0='00000000', lds=lds, mode='000001f0',
                    vgpr={'0': words(i), '1': words(j), '2': words(x | x << 16 for x in old), '6': words(old), '7': words(old)})
        for l in range(64):
            p1 = F32.flush(F32.fma(q10, i[l], q0))
            eq('v_interp_p1ll_f16' + suffix, lanes(r, 4)[l], p1)
            q = F16.convert(F32, (old[l] | old[l] << 16) >> hi & M16)
            eq('v_interp_p1lv_f16' + suffix, lanes(r, 5)[l], F32.flush(F32.fma(q10, i[l], q)))
            p2 = F32.convert(F16, F32.flush(F32.fma(q20, j[l], p1)))
            eq('v_interp_p2_f16' + suffix, lanes(r, 6)[l], 0xdead0000 | p2)
            eq('v_interp_p2_legacy_f16' + suffix, lanes(r, 7)[l], p2)


def pick_small():
    return rng.getrandbits(1) << 31 | rng.randrange(120, 132) << 23 | rng.getrandbits(23)


def pick_half():
    return rng.getrandbits(1) << 15 | rng.randrange(10, 20) << 10 | rng.getrandbits(10)


def mixed():
    """v_mad_mix: each source a single or either half, with sign and absolute value."""
    small = [pick_small() for _ in range(64)]
    hs = [pick_half() | pick_half() << 16 for _ in range(64)]
    old = [0x1234abcd] * 64

    def src(v, l, sel, sel_hi, neg, ab):
        x = F16.convert(F32, v[l] >> (16 if sel else 0) & M16) if sel_hi else v[l]
        x = x & ~F32.sign if ab else x
        return F32.flush(x ^ F32.sign if neg else x)
    for name in ('v_mad_mix_f32', 'v_mad_mixlo_f16', 'v_mad_mixhi_f16'):
        for sel, hi, text in (((1, 0, 0), (1, 0, 1), 'v2, v0, -v1, |v3|'), ((0, 1, 1), (1, 1, 1), 'v2, |v0|, v3, -v0'),
                              ((0, 0, 0), (0, 0, 0), 'v2, v1, -|v1|, v1'), ((0, 0, 0), (0, 0, 1), 'v2, v1, 1.0, v0')):
            names = text.replace(' ', '').split(',')[1:]

            def operand(n, l):
                t = names[n]
                if t == '1.0':
                    return 0x3f800000
                v = {'v0': hs, 'v1': small, 'v3': hs}[t.strip('-|')]
                return src(v, l, sel[n], hi[n], t[0] == '-', '|' in t)

            def want(l):
                r = mad(*(operand(n, l) for n in range(3)))
                if name == 'v_mad_mix_f32':
                    return r
                h = F32.convert(F16, r)
                return old[l] & 0xffff0000 | h if 'lo' in name else old[l] & M16 | h << 16
            single('%s %s op_sel:[%d,%d,%d] op_sel_hi:[%d,%d,%d]' % ((name, text) + sel + hi), 2,
                   {0: hs, 1: small, 2: old, 3: hs}, want, name)


def modes():
    """Rounding and denormal modes of MODE[7:0], IEEE and DX10 clamping."""
    for bits, fmt, special in ((32, F32, F32_SPECIAL), (64, F64, F64_SPECIAL), (16, F16, F16_SPECIAL)):
        t = 'f%d' % bits
        a, b, c = ([rng.choice(special) if n % 2 else pick(t) for n in range(64)] for _ in range(3))
        # sums that are subnormal, halfway and overflowing
        tiny = fmt.sign >> (fmt.ebits + 1)
        a[:4], b[:4] = [tiny, 1, fmt.max, fmt.max], [tiny >> 1, 1, fmt.max, fmt.max >> 1]
        regs = {}
        for n, v in enumerate((a, b, c)):
            regs[str(2 * n)] = words(v)
            regs[str(2 * n + 1)] = words(x >> 32 for x in v)
        r_ = (lambda n: 'v[%d:%d]' % (2 * n, 2 * n + 1)) if bits == 64 else lambda n: 'v%d' % (2 * n)
        text = 'v_add_{t} {3}, {0}, {1}\nv_mul_{t} {4}, {0}, {1}\nv_fma_{t} {5}, {0}, {1}, {2}\nv_max_{t} {6}, {0}, {1}\ns_endpgm'
        for rnd in range(4):
            for den in range(4):
                mode = 0x100 | rnd << (0 if bits == 32 else 2) | den << (4 if bits == 32 else 6)
                if bits != 32:
                    mode |= 0x30
                r = execute(text.format(*map(r_, range(7)), t=t), vgpr=regs, mode='%08x' % mode)
                fin = fmt.flush if not den & 1 else lambda x: x
                fout = fmt.flush if not den & 2 else lambda x: x
                for n, (name, f) in enumerate((('add', lambda x, y, z: fmt.add(x, y, rnd)), ('mul', lambda x, y, z: fmt.mul(x, y, rnd)),
                                               ('fma', lambda x, y, z: fmt.fma(x, y, z, rnd)),
                                               ('max', lambda x, y, z: minmax(fmt, x, y, False)))):
                    lo, hi = lanes(r, 6 + 2 * n), lanes(r, 7 + 2 * n) if bits == 64 else [0] * 64
                    for l in range(64):
                        x, y, z = fin(a[l]), fin(b[l]), fin(c[l])
                        want = fout(f(x, y, z))
                        got = lo[l] | hi[l] << 32
                        if got != want and name != 'max' and fmt.mant(got) == 0 and fmt.exp(got) <= 1:
                            # the smallest normal number after rounding: the manual does not
                            # say whether the flush looks before or after
                            continue
                        eq('v_%s_%s round %d denorm %d' % (name, t, rnd, den), got, want, 'of %#x %#x %#x' % (x, y, z))
    # IEEE: a signalling NaN comes out quiet; without it the other operand does
    snan, qnan, one = 0x7f812345, 0xffc00001, 0x3f800000
    for ieee in (0, 1):
        mode = '%08x' % (0x1f0 | ieee << 9)
        r = execute('v_min_f32 v2, v0, v1\nv_max_f32 v3, v1, v0\nv_med3_f32 v4, v0, v1, v1\ns_endpgm', mode=mode,
                    vgpr={'0': words([snan, qnan, one]), '1': words([one, one, snan])})
        quiet = snan | 0x400000
        eq('min of NaN, IEEE %d' % ieee, lanes(r, 2)[:3], [quiet, one, quiet] if ieee else [one, one, one])
        eq('max of NaN, IEEE %d' % ieee, lanes(r, 3)[:3], [quiet, one, quiet] if ieee else [one, one, one])
    # CLAMP: a NaN becomes 0 with DX10 clamping and stays without
    for dx10 in (0, 1):
        for t, nan, kept, size in (('f32', qnan, qnan, 1), ('f16', 0x7e11, 0x7e11, 1), ('f64', 0, 0x7ff80000, 2)):
            d, x = ('v[4:5]', 'v[0:1]') if size == 2 else ('v4', 'v0')
            r = execute('v_add_%s %s, %s, 0 clamp\ns_endpgm' % (t, d, x), mode='%08x' % (0xf0 | dx10 << 8),
                        vgpr={'0': words([nan]), '1': words([0x7ff80000])})
            eq('clamp of NaN %s, DX10 %d' % (t, dx10), lanes(r, 5 if size == 2 else 4)[0], 0 if dx10 else kept)


def modifiers():
    """Output modifiers: only without denormals and IEEE; after them the clamp."""
    a = [pick_small() for _ in range(64)]
    for mode, works in (('00000100', True), ('00000120', False), ('00000300', False)):
        for text, k in (('mul:2', 0x40000000), ('mul:4', 0x40800000), ('div:2', 0x3f000000)):
            single('v_add_f32 v2, v0, v1 ' + text, 2, {0: a, 1: [0]}, lambda l: F32.mul(a[l], k) if works else a[l],
                   'omod %s in mode %s' % (text, mode), mode=mode)
    single('v_add_f32 v2, v0, v1 clamp mul:2', 2, {0: a, 1: [0]},
           lambda l: 0 if a[l] >> 31 else min(F32.mul(a[l], 0x40000000), 0x3f800000), 'omod and clamp', mode='00000100')
    # integers saturate
    u, v = ([pick('u32') for _ in range(64)] for _ in range(2))

    def sat(lo, hi, f):
        return lambda l: max(lo, min(hi, f(u[l], v[l]))) & (M32 if hi > M16 or lo < -M16 else M16)
    for name, f in (('v_add_u16', sat(0, M16, lambda x, y: (x & M16) + (y & M16))), ('v_sub_u16', sat(0, M16, lambda x, y: (x & M16) - (y & M16))),
                    ('v_subrev_u32', sat(0, M32, lambda x, y: y - x)), ('v_sub_i32', sat(-2**31, 2**31 - 1, lambda x, y: s(x) - s(y)))):
        single(name + '_e64 v2, v0, v1 clamp', 2, {0: u, 1: v}, f, name + ' clamp')
    for name, f in (('v_add_i16', lambda x, y: s(x, 16) + s(y, 16)), ('v_sub_i16', lambda x, y: s(x, 16) - s(y, 16))):
        single(name + ' v2, v0, v1 clamp', 2, {0: u, 1: v, 2: [0]}, sat(-32768, 32767, f), name + ' clamp')
    for name, f in (('v_mad_u32_u24', lambda x, y: min(M32, (x & 0xffffff) * (y & 0xffffff) + x)),
                    ('v_mad_i32_i24', lambda x, y: max(-2**31, min(2**31 - 1, s(x, 24) * s(y, 24) + s(x)))),
                    ('v_sad_u32', lambda x, y: min(M32, abs(x - y) + x)), ('v_sad_u8', lambda x, y: min(M32, sad(x, y, x)))):
        single(name + ' v2, v0, v1, v0 clamp', 2, {0: u, 1: v}, lambda l: f(u[l], v[l]), name + ' clamp')
    for name, f, lo, hi in (('v_pk_sub_u16', lambda x, y: x - y, 0, M16), ('v_pk_add_u16', lambda x, y: x + y, 0, M16),
                            ('v_pk_sub_i16', lambda x, y: s(x, 16) - s(y, 16), -32768, 32767),
                            ('v_pk_mul_lo_u16', lambda x, y: x * y, 0, M16)):
        single(name + ' v2, v0, v1 clamp', 2, {0: u, 1: v}, lambda l: halves(lambda x, y: max(lo, min(hi, f(x, y))))(u[l], v[l]),
               name + ' clamp')


def main():
    global count
    need_assembler()
    plain = '{op} {d}, {s}'
    group = [(n, k, b, r, False, plain) for n, k, b, r in OPS]
    group += [(n, k, 32, r, True, plain) for n, k, r in KEEP]
    group += [(n, ['u32'] * k, 32, r, False, plain) for n, k, r in PACKED]
    count += run(group)
    accumulate()
    carries()
    compares()
    transcendental()
    interpolation()
    mixed()
    modes()
    modifiers()
    finish(count)


if __name__ == '__main__':
    main()
