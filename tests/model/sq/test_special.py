#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions with tricky rules, over many settings: v_div_scale, v_div_fmas,
DPP with every control, random masks and lanes off, SDWA with every pair of
selects, ds_swizzle in all its modes, permutes, bit fields, 64-bit shifts."""
import os
import sys
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fp import F16, F32, F64  # noqa: E402
from harness import F32_SPECIAL, F64_SPECIAL, check, execute, finish, lanes, need_assembler, pick, rng, words  # noqa: E402

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
count = 0


def eq(name, got, want, note=''):
    global count
    check(name, got, want, note)
    count += 1


def s(v, bits=32):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def div_scale(fmt, a, b, c):
    """(result, VCC) of S0 = a, the denominator b, the numerator c; finite operands."""
    by, far, tiny = (64, 96, 23) if fmt is F32 else (128, 768, 53)
    lowest = Fraction(2) ** (1 - fmt.bias)

    def scaled(e):
        return fmt.round(fmt.value(a) * Fraction(2) ** e, 0, bool(a & fmt.sign))
    if 0 in (b & ~fmt.sign, c & ~fmt.sign):
        return fmt.nan, 0
    rcp, quot = abs(1 / fmt.value(b)), abs(fmt.value(c) / fmt.value(b))
    if fmt.exp(c) - fmt.exp(b) >= far:
        return scaled(by) if a == b else a, 1
    if fmt.isdenorm(b):
        return scaled(by), 0
    if rcp < lowest and quot < lowest:
        # the denominator is too large to be made larger: it goes down, as in the next case
        return scaled(-by) if a == b else a, 1
    if rcp < lowest:
        return scaled(-by), 0
    if quot < lowest:
        return scaled(by) if a == c else a, 1
    if fmt.exp(c) <= tiny:
        return scaled(by), 0
    return a, 0


def divisions():
    for bits, fmt, special in ((32, F32, F32_SPECIAL), (64, F64, F64_SPECIAL)):
        t = 'f%d' % bits
        fin = [u for u in special if fmt.exp(u) != fmt.emax]
        span = (fmt.emax - 1) << fmt.mbits

        def draw():
            k = rng.randrange(4)
            if k == 0:
                return rng.choice(fin)
            e = rng.choice([1, 2, 20, 24, 60, fmt.bias, fmt.emax - 1, fmt.emax - 2, fmt.emax - 3, rng.randrange(1, fmt.emax)])
            return rng.getrandbits(1) << (bits - 1) | e << fmt.mbits | rng.getrandbits(fmt.mbits) & rng.choice([M64, 0])
        for _ in range(4):
            b, c = [draw() for _ in range(64)], [draw() for _ in range(64)]
            regs = {'0': words(b), '1': words(x >> 32 for x in b), '2': words(c), '3': words(x >> 32 for x in c)}
            n, d = ('v[0:1]', 'v[2:3]') if bits == 64 else ('v0', 'v2')
            o1, o2 = ('v[4:5]', 'v[6:7]') if bits == 64 else ('v4', 'v6')
            r = execute('v_div_scale_{t} {o1}, vcc, {b}, {b}, {c}\nv_div_scale_{t} {o2}, s[0:1], {c}, {b}, {c}\ns_endpgm'.format(
                t=t, o1=o1, o2=o2, b=n, c=d), vgpr=regs, mode='000001f0')
            m1, m2 = int(r['vcc'], 16), int(r['sgpr']['0'], 16) | int(r['sgpr']['1'], 16) << 32
            for l in range(64):
                q = abs(fmt.value(c[l]) / fmt.value(b[l])) if b[l] & ~fmt.sign else 0
                if 0 < q < Fraction(2) ** (1 - fmt.bias - fmt.mbits):
                    continue  # less than any subnormal: the manual does not say whether that is one, v_div_fixup gives 0
                for reg, a, mask, what in ((4, b[l], m1, 'denominator'), (6, c[l], m2, 'numerator')):
                    got = lanes(r, reg)[l] | (lanes(r, reg + 1)[l] << 32 if bits == 64 else 0)
                    eq('v_div_scale_%s %s' % (t, what), (got, mask >> l & 1), div_scale(fmt, a, b[l], c[l]), 'of %#x / %#x' % (c[l], b[l]))
        # v_div_fmas: the sum, and where VCC is set times 2^64 (2^128) or its inverse
        by = 64 if bits == 32 else 128
        ops = [[rng.getrandbits(1) << (bits - 1) | (fmt.bias + rng.randrange(-20, 20)) << fmt.mbits | rng.getrandbits(fmt.mbits)
                for _ in range(64)] for _ in range(3)]
        for l in range(0, 64, 8):  # quotients far from 1
            ops[2][l] = fmt.round(fmt.value(ops[2][l]) * Fraction(2) ** rng.choice([by - 30, 30 - by]))
        regs = {}
        for k, v in enumerate(ops):
            regs[str(2 * k)], regs[str(2 * k + 1)] = words(v), words(x >> 32 for x in v)
        names = ['v[%d:%d]' % (2 * k, 2 * k + 1) if bits == 64 else 'v%d' % (2 * k) for k in range(4)]
        vc = rng.getrandbits(64)
        r = execute('v_div_fmas_%s %s, %s, %s, %s\ns_endpgm' % (t, names[3], *names[:3]), vgpr=regs, vcc='%016x' % vc, mode='000001f0')
        for l in range(64):
            want = fmt.fma(*(o[l] for o in ops))
            if vc >> l & 1:
                up = by if fmt.exp(ops[2][l]) > fmt.bias else -by
                want = fmt.round(fmt.value(want) * Fraction(2) ** up, 0, bool(want & fmt.sign))
            eq('v_div_fmas_' + t, lanes(r, 6)[l] | (lanes(r, 7)[l] << 32 if bits == 64 else 0), want, 'VCC %d' % (vc >> l & 1))


def dpp_source(text):
    kind, _, arg = text.partition(':')
    if kind == 'quad_perm':
        p = [int(x) for x in arg.strip('[]').split(',')]
        return lambda l: l & ~3 | p[l & 3]
    n = int(arg) if arg else 0
    return {'row_shl': lambda l: l + n if (l & 15) + n < 16 else None, 'row_shr': lambda l: l - n if (l & 15) >= n else None,
            'row_ror': lambda l: l & ~15 | (l - n) & 15, 'wave_shl': lambda l: l + 1 if l < 63 else None,
            'wave_rol': lambda l: (l + 1) & 63, 'wave_shr': lambda l: l - 1 if l else None, 'wave_ror': lambda l: (l - 1) & 63,
            'row_mirror': lambda l: l & ~15 | 15 - (l & 15), 'row_half_mirror': lambda l: l & ~7 | 7 - (l & 7),
            'row_bcast': (lambda l: (l & ~15) - 1 if l >= 16 else None) if n == 15 else lambda l: 31 if l >= 32 else None}[kind]


def dpp():
    ctrls = ['quad_perm:[%d,%d,%d,%d]' % tuple(rng.randrange(4) for _ in range(4)) for _ in range(6)]
    ctrls += ['%s:%d' % (k, n) for k in ('row_shl', 'row_shr', 'row_ror') for n in range(1, 16)]
    ctrls += ['wave_shl:1', 'wave_rol:1', 'wave_shr:1', 'wave_ror:1', 'row_mirror', 'row_half_mirror', 'row_bcast:15', 'row_bcast:31']
    a, b = [rng.getrandbits(32) for _ in range(64)], [rng.getrandbits(32) for _ in range(64)]
    old = 0x0bad0000
    for start in range(0, len(ctrls), 8):
        part = ctrls[start:start + 8]
        ex = rng.getrandbits(64) | rng.getrandbits(64)
        text, plan = '', []
        for k, c in enumerate(part):
            bound, row, bank = rng.randrange(2), rng.choice([15, 15, rng.randrange(16)]), rng.choice([15, 15, rng.randrange(16)])
            text += 'v_sub_u32_dpp v%d, v0, v1 %s row_mask:%#x bank_mask:%#x%s\n' % (10 + k, c, row, bank, ' bound_ctrl:0' if bound else '')
            plan.append((10 + k, c, bound, row, bank))
        # a compare takes DPP operands, too
        regs = dict({'0': words(a), '1': words(b)}, **{str(10 + k): words([old]) for k in range(len(part))})
        r = execute(text + 's_endpgm', vgpr=regs, exec='%016x' % ex)
        for reg, c, bound, row, bank in plan:
            f = dpp_source(c)

            def want(l):
                if not ex >> l & 1 or not row >> (l >> 4) & 1 or not bank >> (l >> 2 & 3) & 1:
                    return old
                n = f(l)
                if n is None or not ex >> n & 1:
                    return -b[l] & M32 if bound else old
                return a[n] - b[l] & M32
            eq('dpp %s bound %d masks %x %x' % (c, bound, row, bank), lanes(r, reg), [want(l) for l in range(64)])


SEL = [('BYTE_0', 0, 8), ('BYTE_1', 8, 8), ('BYTE_2', 16, 8), ('BYTE_3', 24, 8), ('WORD_0', 0, 16), ('WORD_1', 16, 16), ('DWORD', 0, 32)]


def sdwa():
    u, v = [rng.getrandbits(32) for _ in range(64)], [rng.getrandbits(32) for _ in range(64)]
    old = 0xaabbccdd

    def src(x, sel, sext):
        _, at, n = sel
        r = x >> at & ((1 << n) - 1)
        return s(r, n) & M32 if sext else r
    combos = [(s0, s1, rng.randrange(2), rng.randrange(2), rng.choice(SEL), rng.choice(['PAD', 'SEXT', 'PRESERVE']))
              for s0 in SEL for s1 in SEL]
    for start in range(0, len(combos), 12):
        text, plan = '', []
        for k, (s0, s1, x0, x1, d, un) in enumerate(combos[start:start + 12]):
            text += 'v_sub_u32_sdwa v%d, %s, %s dst_sel:%s dst_unused:UNUSED_%s src0_sel:%s src1_sel:%s\n' % (
                10 + k, 'sext(v0)' if x0 else 'v0', 'sext(v1)' if x1 else 'v1', d[0], un, s0[0], s1[0])
            plan.append((10 + k, s0, s1, x0, x1, d, un))
        r = execute(text + 's_endpgm', vgpr=dict({'0': words(u), '1': words(v)}, **{str(10 + k): words([old]) for k in range(12)}))
        for reg, s0, s1, x0, x1, (dn, at, n), un in plan:
            def want(l):
                res = src(u[l], s0, x0) - src(v[l], s1, x1) & M32
                mask = ((1 << n) - 1) << at
                out = res << at & mask
                if un == 'PRESERVE':
                    out |= old & ~mask
                elif un == 'SEXT' and res >> (n - 1) & 1:
                    out |= M32 << (at + n) & M32
                return out & M32
            eq('sdwa %s %s %d%d to %s %s' % (s0[0], s1[0], x0, x1, dn, un), lanes(r, reg), [want(l) for l in range(64)])
    # compares with a chosen SGPR pair; signs and absolute values of selected halves
    h = [pick('f16') | pick('f16') << 16 for _ in range(64)]
    r = execute('v_cmp_lt_f16_sdwa s[4:5], -v0, |v1| src0_sel:WORD_1 src1_sel:WORD_0\n'
                'v_cmp_gt_i32_sdwa vcc, sext(v0), sext(v1) src0_sel:BYTE_3 src1_sel:WORD_1\ns_endpgm',
                vgpr={'0': words(h), '1': words(u)}, mode='000001c0')
    eq('sdwa v_cmp_lt_f16', int(r['sgpr']['4'], 16) | int(r['sgpr']['5'], 16) << 32,
       sum(F16.less(h[l] >> 16 ^ 0x8000, u[l] & 0x7fff) << l for l in range(64)))
    eq('sdwa v_cmp_gt_i32', int(r['vcc'], 16), sum((s(h[l] >> 24, 8) > s(u[l] >> 16, 16)) << l for l in range(64)))


def swizzles():
    a = [rng.getrandbits(32) for _ in range(64)]
    ex = rng.getrandbits(64) | rng.getrandbits(64)
    old = 0x0bad0000
    # the tables of the manual's FFT mode, counted from 1
    fft = {0x00: '1 11 9 19 5 15 d 1d 3 13 b 1b 7 17 f 1f 2 12 a 1a 6 16 e 1e 4 14 c 1c 8 18 10 20',
           0x10: '1 9 5 d 3 b 7 f 2 a 6 e 4 c 8 10 11 19 15 1d 13 1b 17 1f 12 1a 16 1e 14 1c 18 20',
           0x1f: ' '.join('%x' % (n + 1) for n in range(32))}
    cases = [(0xe000 | k, lambda l, t=t.split(): int(t[l & 31], 16) - 1 | l & 32) for k, t in fft.items()]
    for _ in range(12):
        p = rng.getrandbits(8)
        cases.append((0x8000 | p, lambda l, p=p: l & ~3 | p >> 2 * (l & 3) & 3))
        m = rng.getrandbits(15)
        cases.append((m, lambda l, m=m: ((l & 31 & m) | m >> 5 & 31) ^ m >> 10 & 31 | l & 32))
        mask, by, back = rng.choice([0, 0, 0x18, 0x10]), rng.randrange(32), rng.randrange(2)
        cases.append((0xc000 | back << 10 | by << 5 | mask,
                      lambda l, m=mask, n=-by if back else by: l & 31 & m | (l & 31) + n & ~m & 31 | l & 32))
    for start in range(0, len(cases), 13):
        part = cases[start:start + 13]
        text = ''.join('ds_swizzle_b32 v%d, v0 offset:%#x\n' % (10 + k, c) for k, (c, _) in enumerate(part))
        r = execute(text + 's_waitcnt lgkmcnt(0)\ns_endpgm', exec='%016x' % ex,
                    vgpr=dict({'0': words(a)}, **{str(10 + k): words([old]) for k in range(len(part))}))
        for k, (c, f) in enumerate(part):
            eq('ds_swizzle %#x' % c, lanes(r, 10 + k),
               [(a[f(l)] if ex >> f(l) & 1 else 0) if ex >> l & 1 else old for l in range(64)])
    addr = [rng.getrandbits(9) for _ in range(64)]
    r = execute('ds_bpermute_b32 v2, v1, v0 offset:8\nds_permute_b32 v3, v1, v0 offset:8\ns_waitcnt lgkmcnt(0)\ns_endpgm',
                exec='%016x' % ex, vgpr={'0': words(a), '1': words(addr), '2': words([old]), '3': words([old])})
    to = [(x + 8) // 4 & 63 for x in addr]
    eq('ds_bpermute', lanes(r, 2), [(a[to[l]] if ex >> to[l] & 1 else 0) if ex >> l & 1 else old for l in range(64)])
    out = [0] * 64
    for l in range(64):
        if ex >> l & 1:
            out[to[l]] = a[l]
    eq('ds_permute', lanes(r, 3), [out[l] if ex >> l & 1 else old for l in range(64)])


def fields():
    """Every offset and width of s_bfe, all counts of the 64-bit shifts."""
    for bits in (32, 64):
        m = (1 << bits) - 1
        v = rng.getrandbits(bits) | 1 << (bits - 1)
        regs = {'0': '%08x' % (v & M32), '1': '%08x' % (v >> 32)}
        pairs = [(o, w) for o in (0, 1, 5, 31, 32, 63) for w in (0, 1, 7, 31, 32, 33, 63, 64, 127)]
        src, n = ('s0', 1) if bits == 32 else ('s[0:1]', 2)
        for start in range(0, len(pairs), 12):
            part = pairs[start:start + 12]
            text = ''
            for k, (o, w) in enumerate(part):
                for j, t in enumerate('ui'):
                    d = 4 + 6 * k + 3 * j
                    d += d & 1 if n == 2 else 0
                    dst = 's%d' % d if n == 1 else 's[%d:%d]' % (d, d + 1)
                    text += 's_bfe_%s%d %s, %s, %#x\ns_cselect_b32 s%d, 1, 0\n' % (t, bits, dst, src, o | w << 16, 90 + j)
                text += 's_lshl_b32 s91, s91, 1\ns_or_b32 s%d, s90, s91\n' % (4 + 6 * k + 5 if n == 1 else 76 + k)
            r = execute(text + 's_endpgm', sgpr=regs)
            for k, (o, w) in enumerate(part):
                flags = int(r['sgpr'][str(4 + 6 * k + 5 if n == 1 else 76 + k)], 16)
                for j, t in enumerate('ui'):
                    d = 4 + 6 * k + 3 * j
                    d += d & 1 if n == 2 else 0
                    got = int(r['sgpr'][str(d)], 16) | (int(r['sgpr'][str(d + 1)], 16) << 32 if n == 2 else 0)
                    shifted = (s(v, bits) if t == 'i' else v) >> (o & bits - 1)
                    want = shifted & m if w >= bits else shifted & (1 << w) - 1
                    if t == 'i' and 0 < w < bits:
                        want = s(want, w) & m
                    eq('s_bfe_%s%d offset %d width %d' % (t, bits, o, w), (got, flags >> j & 1), (want, int(want != 0)))
    v = rng.getrandbits(64) | 1 << 63
    r = execute('v_lshlrev_b64 v[2:3], v0, s[0:1]\nv_lshrrev_b64 v[4:5], v0, s[0:1]\nv_ashrrev_i64 v[6:7], v0, s[0:1]\ns_endpgm',
                sgpr={'0': '%08x' % (v & M32), '1': '%08x' % (v >> 32)}, vgpr={'0': words(64 * 5 + n for n in range(64))})
    for k, f in enumerate((lambda n: v << n & M64, lambda n: v >> n, lambda n: s(v, 64) >> n & M64)):
        eq('64-bit shift %d' % k, [lo | hi << 32 for lo, hi in zip(lanes(r, 2 + 2 * k), lanes(r, 3 + 2 * k))], [f(n) for n in range(64)])


if __name__ == '__main__':
    need_assembler()
    divisions()
    dpp()
    sdwa()
    swizzles()
    fields()
    finish(count)
