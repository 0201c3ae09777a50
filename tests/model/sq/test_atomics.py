#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every read-modify-write opcode of LDS, GDS, FLAT, GLOBAL, buffers, images and
scalar memory against the manual's pseudocode, over corner values."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fp import F32, F64  # noqa: E402
from harness import F32_SPECIAL, F64_SPECIAL, INT_SPECIAL, check, execute, finish, lanes, need_assembler, pick, rng, words  # noqa: E402

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
BASE = 0x200000
count = 0


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def s(v, bits):
    return v - (1 << bits) if v >> (bits - 1) else v


def integer(bits):
    m = (1 << bits) - 1
    return {
        'swap': lambda o, d, e: d, 'wrxchg': lambda o, d, e: d, 'write': lambda o, d, e: d,
        'add': lambda o, d, e: o + d & m, 'sub': lambda o, d, e: o - d & m, 'rsub': lambda o, d, e: d - o & m,
        'inc': lambda o, d, e: 0 if o >= d else o + 1, 'dec': lambda o, d, e: d if o == 0 or o > d else o - 1,
        'smin': lambda o, d, e: o if s(o, bits) < s(d, bits) else d, 'umin': lambda o, d, e: min(o, d),
        'smax': lambda o, d, e: o if s(o, bits) > s(d, bits) else d, 'umax': lambda o, d, e: max(o, d),
        'and': lambda o, d, e: o & d, 'or': lambda o, d, e: o | d, 'xor': lambda o, d, e: o ^ d,
        'mskor': lambda o, d, e: o & ~d & m | e, 'cmpst': lambda o, d, e: e if o == d else o,
        'cmpswap': lambda o, d, e: d if o == e else o,
        'wrap': lambda o, d, e: o - d & m if o >= d else o + e & m,
    }


def floats(fmt):
    return {'cmpst': lambda o, d, e: e if fmt.equal(o, d) else o, 'min': lambda o, d, e: d if fmt.less(d, o) else o,
            'max': lambda o, d, e: d if fmt.less(o, d) else o, 'add': lambda o, d, e: fmt.add(o, d)}


# LDS: name -> (operation, type)
DS_INT = [('add', 'u'), ('sub', 'u'), ('rsub', 'u'), ('inc', 'u'), ('dec', 'u'), ('min', 'i'), ('max', 'i'), ('min', 'u'),
          ('max', 'u'), ('and', 'b'), ('or', 'b'), ('xor', 'b'), ('mskor', 'b'), ('cmpst', 'b'), ('wrxchg', 'b'), ('wrap', 'b')]
DS_FLOAT = [('cmpst', 'f'), ('min', 'f'), ('max', 'f'), ('add', 'f')]
TWO = ('mskor', 'cmpst', 'wrap')


def reference(name, t, bits):
    if t == 'f':
        return floats(F32 if bits == 32 else F64)[name]
    if name in ('min', 'max'):
        name = ('s' if t == 'i' else 'u') + name
    return integer(bits)[name]


def values(t, bits):
    """A value of memory, a datum and another; equal ones now and then."""
    if t == 'f':
        fmt = F32 if bits == 32 else F64
        special = [u for u in (F32_SPECIAL if bits == 32 else F64_SPECIAL) if not fmt.isdenorm(u) and not fmt.isnan(u)]
        v = [rng.choice(special) for _ in range(3)]
    else:
        v = [rng.choice(INT_SPECIAL) if rng.random() < .5 else rng.getrandbits(32) for _ in range(3)]
        if bits == 64:
            v = [a | (rng.choice([0, 1, M32, 0x80000000, 0x7fffffff]) << 32) for a in v]
    if rng.random() < .3:
        v[1] = v[0]
    if rng.random() < .3:
        v[2] = v[0]
    return v


def make(t, bits):
    rows = [values(t, bits) for _ in range(64)]
    if t == 'f':
        fmt = F32 if bits == 32 else F64
        # an undefined sum (inf - inf) has no payload that the manual names
        rows = [r if not (fmt.isinf(r[0]) and fmt.isinf(r[1]) and r[0] != r[1]) else [r[0], r[0], r[2]] for r in rows]
    return [[r[n] for r in rows] for n in range(3)]


def pack(v, bits):
    return struct.pack('<%d%s' % (len(v), 'I' if bits == 32 else 'Q'), *v).hex()


def unpack(text, bits, n=64):
    return list(struct.unpack('<%d%s' % (n, 'I' if bits == 32 else 'Q'), bytes.fromhex(text)[:n * bits // 8]))


def vec(regs, first, v, bits):
    regs[str(first)] = words(v)
    if bits == 64:
        regs[str(first + 1)] = words(x >> 32 for x in v)


def back(r, first, bits):
    lo = lanes(r, first)
    return [a | b << 32 for a, b in zip(lo, lanes(r, first + 1))] if bits == 64 else lo


def rv(first, bits, n=1):
    d = n * bits // 32
    return 'v[%d:%d]' % (first, first + d - 1) if d > 1 else 'v%d' % first


def lds():
    for bits in (32, 64):
        size = bits // 8
        for name, t in DS_INT + DS_FLOAT:
            if (name == 'add' and t == 'f' or name == 'wrap') and bits == 64:
                continue
            f = reference(name, t, bits)
            old, d, e = make(t, bits)
            regs = {'0': words(size * n for n in range(64))}
            vec(regs, 2, d, bits)
            vec(regs, 4, e, bits)
            data = rv(2, bits) + (', ' + rv(4, bits) if name in TWO else '')
            text = ''
            if name not in ('wrxchg', 'wrap'):
                text = 'ds_%s_%s%d v0, %s\n' % (name, t, bits, data)
            text += 'ds_%s_rtn_%s%d %s, v0, %s offset:4096\n' % (name, t, bits, rv(8, bits), data)
            r = execute(text + 's_waitcnt lgkmcnt(0)\ns_endpgm', vgpr=regs, mode='000001f0',
                        lds={'0x0': pack(old, bits), '0x1000': pack(old, bits)})
            want = [f(*x) for x in zip(old, d, e)]
            label = 'ds_%s_%s%d' % (name, t, bits)
            if name not in ('wrxchg', 'wrap'):
                eq(label, unpack(r['lds']['0x0'], bits), want)
            eq(label + ' rtn memory', unpack(r['lds']['0x1000'], bits), want)
            eq(label + ' rtn', back(r, 8, bits), old)
            eq(label + ' violations', r['violations'], [])
            if name not in TWO + ('wrxchg',):
                # A at 16 * lane, B behind it by the offset
                r = execute('ds_%s_src2_%s%d v0 offset:2\ns_waitcnt lgkmcnt(0)\ns_endpgm' % (name, t, bits), mode='000001f0',
                            vgpr={'0': words(16 * n for n in range(64))},
                            lds={'0x0': ''.join(pack([a], bits).ljust(16, '0') + pack([b], bits).ljust(16, '0')
                                                for a, b in zip(old, d))})
                got = bytes.fromhex(r['lds']['0x0'])
                eq(label + '_src2', [int.from_bytes(got[16 * n:16 * n + size], 'little') for n in range(64)], want)
        old, d, e = make('b', bits)
        r = execute('ds_write_src2_b%d v0 offset:2\ns_waitcnt lgkmcnt(0)\ns_endpgm' % bits,
                    vgpr={'0': words(16 * n for n in range(64))},
                    lds={'0x0': ''.join(pack([a], bits).ljust(16, '0') + pack([b], bits).ljust(16, '0') for a, b in zip(old, d))})
        got = bytes.fromhex(r['lds']['0x0'])
        eq('ds_write_src2', [int.from_bytes(got[16 * n:16 * n + size], 'little') for n in range(64)], d)
        # the exchange of two, with and without the stride of 64
        for st, stride in (('', 1), ('st64', 64)):
            name = 'ds_wrxchg2%s_rtn_b%d' % (st, bits)
            offs = (1, 3)
            regs = {'0': words(4 * size * n for n in range(64))}
            vec(regs, 2, d, bits)
            vec(regs, 4, e, bits)
            mem = [rng.getrandbits(bits) for _ in range(65536 // size // 2)]
            at = [[4 * n + o * stride for n in range(64)] for o in offs]
            r = execute('%s %s, v0, %s, %s offset0:1 offset1:3\ns_waitcnt lgkmcnt(0)\ns_endpgm'
                        % (name, rv(8, bits, 2), rv(2, bits), rv(4, bits)), vgpr=regs, lds={'0x0': pack(mem, bits)})
            want, ret = list(mem), [[], []]
            for n in range(64):
                for k, v in ((0, d[n]), (1, e[n])):
                    ret[k].append(want[at[k][n]])
                # both reads come before both writes
                for k, v in ((0, d[n]), (1, e[n])):
                    want[at[k][n]] = v
            eq(name, unpack(r['lds']['0x0'], bits, len(mem)), want)
            eq(name + ' returns', (back(r, 8, bits), back(r, 8 + bits // 32, bits)), tuple(ret))
    # address and distance both in the register: bit 15 of the offset
    r = execute('ds_add_src2_u32 v0 offset:0x8000\ns_waitcnt lgkmcnt(0)\ns_endpgm', exec='0000000000000001',
                vgpr={'0': words([0x10 | 3 << 17])}, lds={'0x0': pack(range(16), 32)})
    eq('src2 by register', unpack(r['lds']['0x0'], 32, 16), [0, 1, 2, 3, 4 + 7] + list(range(5, 16)))
    r = execute('ds_condxchg32_rtn_b64 v[4:5], v0, v[2:3]\ns_waitcnt lgkmcnt(0)\ns_endpgm', exec='0000000000000003',
                vgpr={'0': words([0, 12]), '2': words([0x80000011, 0x22]), '3': words([0x33, 0x80000044])},
                lds={'0x0': pack([1, 2, 3, 4], 32)})
    eq('condxchg32', (unpack(r['lds']['0x0'], 32, 4), lanes(r, 4)[:2], lanes(r, 5)[:2]), ([0x11, 2, 3, 0x44], [1, 3], [2, 4]))


def counters():
    r = execute('''
        ds_append v1 offset:4
        ds_consume v2 offset:8
        ds_write_addtid_b32 v3 offset:64
        ds_read_addtid_b32 v4 offset:64
        s_waitcnt lgkmcnt(0)
        s_endpgm''', exec='00000000000000ff', m0='00000000', vgpr={'3': words(range(100, 164))},
                lds={'0x0': pack([0, 50, 70], 32)})
    eq('append, consume', unpack(r['lds']['0x0'], 32, 3), [0, 58, 62])
    eq('append, consume return', (lanes(r, 1)[:8], lanes(r, 2)[:8]), ([50] * 8, [70] * 8))
    eq('addtid', lanes(r, 4)[:8], list(range(100, 108)))
    # GDS: M0 holds base and size; ordered counts go to base + offset
    r = execute('''
        ds_write_b32 v0, v1 gds
        ds_add_rtn_u32 v2, v0, v3 gds
        ds_read_b32 v4, v0 gds
        s_waitcnt lgkmcnt(0)
        ds_append v5 offset:8 gds
        ds_read_b32 v6, v0 gds
        s_waitcnt lgkmcnt(0)
        s_mov_b32 m0, 0x100000
        s_nop 4
        ds_ordered_count v7, v3 offset:4 gds
        ds_ordered_count v8, v1 offset:0x1004 gds
        ds_ordered_count v9, v3 offset:4 gds
        s_waitcnt lgkmcnt(0)
        s_endpgm''', exec='000000000000000f', m0='00100100',
                vgpr={'0': words([0, 4, 8, 12]), '1': words([10, 11, 12, 13]), '3': words([5, 6, 7, 8])})
    eq('gds add', (lanes(r, 2)[:4], lanes(r, 4)[:4]), ([10, 11, 12, 13], [15, 17, 19, 21]))
    eq('gds append', (lanes(r, 5)[:4], lanes(r, 6)[:4]), ([19] * 4, [15, 17, 23, 21]))
    eq('ordered counts', (lanes(r, 7)[0], lanes(r, 8)[3], lanes(r, 9)[0]), (17, 22, 10))
    r = execute('ds_write_b32 v0, v1 gds\ns_waitcnt lgkmcnt(0)\ns_endpgm', m0='fffc0100', vgpr={'0': words([8]), '1': words([1])})
    eq('beyond the GDS', any('GDS' in v for v in r['violations']), True)


def gws():
    """One wave alone: counts that let it through; one that does not is a hang."""
    r = execute('''
        ds_gws_init v0 offset:1 gds
        ds_gws_sema_v offset:1 gds
        s_waitcnt lgkmcnt(0)
        ds_gws_sema_p offset:1 gds
        ds_gws_sema_br v1 offset:2 gds
        s_waitcnt lgkmcnt(0)
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_p offset:2 gds
        ds_gws_sema_release_all offset:1 gds
        ds_gws_barrier v0 offset:3 gds
        s_waitcnt lgkmcnt(0)
        s_movk_i32 s0, 7
        s_endpgm''', m0='00000000', vgpr={'0': words([0]), '1': words([2])})
    eq('gws', (r['sgpr']['0'], r['violations']), ('00000007', []))
    for text in ('ds_gws_sema_p offset:1 gds', 'ds_gws_init v1 gds\ns_waitcnt lgkmcnt(0)\nds_gws_barrier v1 gds'):
        r = execute(text + '\ns_waitcnt lgkmcnt(0)\ns_endpgm', m0='00000000', vgpr={'0': words([0]), '1': words([2])})
        eq('gws waits for ever', any(': hang: ' in v for v in r['violations']), True)


MEM = ['swap', 'cmpswap', 'add', 'sub', 'smin', 'umin', 'smax', 'umax', 'and', 'or', 'xor', 'inc', 'dec']


def lohi(v):
    return '%08x' % (v & M32), '%08x' % (v >> 32)


def buffer(base, records, reg):
    w = [base & M32, base >> 32, records, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


def image(base, width, reg):
    # 2D of one row, linear, 32-bit words as unsigned integers
    w = [base >> 8 & M32, base >> 40 | 4 << 20 | 4 << 26, width - 1, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 9 << 28, (width - 1) << 13, 0, 0, 0]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


def vector_memory():
    """FLAT, GLOBAL and buffer forms, 32 and 64 bits, with and without a returned
    value, each on a region of its own; images with 32 bits."""
    for name in MEM:
        for bits, x2 in ((32, ''), (64, '_x2')):
            f = integer(bits)[name]
            two = name == 'cmpswap'
            size = bits // 8
            old, d, e = make('b', bits)
            want = [f(*v) for v in zip(old, d, e)]
            regs = {}
            vec(regs, 2, d, bits)
            vec(regs, 2 + bits // 32, e, bits)
            data = rv(2, bits, 2 if two else 1)
            dst = rv(12, bits)
            memory, text, regions = {}, '', []

            def region(label, returns):
                at = BASE + 0x1000 * len(regions)
                memory[hex(at)] = pack(old, bits)
                regions.append((label, hex(at), returns))
                return at
            forms, reg = [], 20
            for seg in ('flat', 'global'):
                off = ', off' if seg == 'global' else ''
                for glc in (0, 1):
                    at = region('%s_atomic_%s%s%s' % (seg, name, x2, ' glc' if glc else ''), reg if glc else None)
                    regs['0'], regs['1'] = words((BASE + size * n) for n in range(64)), words([0])
                    a = reg
                    regs[str(a)] = words(at + size * n for n in range(64))
                    regs[str(a + 1)] = words([0])
                    text += '%s_atomic_%s%s %sv[%d:%d], %s%s%s\n' % (
                        seg, name, x2, (rv(a + 2, bits) + ', ') if glc else '', a, a + 1, data, off, ' glc' if glc else '')
                    if glc:
                        regions[-1] = (regions[-1][0], regions[-1][1], a + 2)
                    reg += 4
            sgpr = {}
            for glc in (0, 1):
                at = region('buffer_atomic_%s%s%s' % (name, x2, ' glc' if glc else ''), None)
                desc = 8 + 4 * glc
                sgpr.update(buffer(at, 64 * size, desc))
                d0 = reg if glc else 2
                if glc:
                    vec(regs, reg, d, bits)
                    vec(regs, reg + bits // 32, e, bits)
                    regions[-1] = (regions[-1][0], regions[-1][1], reg)
                text += 'buffer_atomic_%s%s %s, v60, s[%d:%d], 0 offen%s\n' % (
                    name, x2, rv(d0, bits, 2 if two else 1), desc, desc + 3, ' glc' if glc else '')
                reg += 4
            regs['60'] = words(size * n for n in range(64))
            regs['61'], regs['62'] = words(range(64)), words([0])
            if bits == 32:
                for glc in (0, 1):
                    at = region('image_atomic_%s%s' % (name, ' glc' if glc else ''), None)
                    desc = 16 + 8 * glc
                    sgpr.update(image(at, 64, desc))
                    vec(regs, reg, d, bits)
                    vec(regs, reg + 1, e, bits)
                    if glc:
                        regions[-1] = (regions[-1][0], regions[-1][1], reg)
                    text += 'image_atomic_%s %s, v[61:62], s[%d:%d] dmask:%s unorm%s\n' % (
                        name, rv(reg, bits, 2 if two else 1), desc, desc + 7, '0x3' if two else '0x1', ' glc' if glc else '')
                    reg += 4
            r = execute(text + 's_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm', vgpr=regs, sgpr=sgpr, memory=memory)
            for label, at, ret in regions:
                eq(label, unpack(r['memory'][at], bits), want)
                if ret is not None:
                    eq(label + ' returns', back(r, ret, bits), old)
            eq('%s%s violations' % (name, x2), r['violations'], [])


def scalar_memory():
    for name in MEM:
        for bits, x2 in ((32, ''), (64, '_x2')):
            f = integer(bits)[name]
            two = name == 'cmpswap'
            old, d, e = make('b', bits)
            n = bits // 32
            sgpr = dict(buffer(BASE + 0x1000, 256, 8))
            sgpr['4'], sgpr['5'] = lohi(BASE)
            text, want, rets = '', [list(old), list(old)], []
            for k in range(4):
                first = 16 + 8 * k
                src = [d[k], e[k]]
                for j, v in enumerate(src[:2 if two else 1]):
                    sgpr[str(first + j * n)] = '%08x' % (v & M32)
                    if bits == 64:
                        sgpr[str(first + j * n + 1)] = '%08x' % (v >> 32)
                width = n * (2 if two else 1)
                data = 's[%d:%d]' % (first, first + width - 1) if width > 1 else 's%d' % first
                glc = k & 1
                where, base = ('s_atomic', 's[4:5]') if k < 2 else ('s_buffer_atomic', 's[8:11]')
                text += '%s_%s%s %s, %s, 0x%x%s\n' % (where, name, x2, data, base, k * bits // 8, ' glc' if glc else '')
                want[k // 2][k] = f(old[k], d[k], e[k])
                if glc:
                    rets.append((first, old[k]))
            r = execute(text + 's_waitcnt lgkmcnt(0)\ns_endpgm', sgpr=sgpr,
                        memory={hex(BASE): pack(old, bits), hex(BASE + 0x1000): pack(old, bits)})
            for k in range(2):
                eq('s%s_atomic_%s%s' % ('_buffer' if k else '', name, x2), unpack(r['memory'][hex(BASE + 0x1000 * k)], bits), want[k])
            for first, v in rets:
                got = int(r['sgpr'][str(first)], 16) | (int(r['sgpr'][str(first + 1)], 16) << 32 if bits == 64 else 0)
                eq('s_atomic_%s%s returns' % (name, x2), got, v)
            eq('scalar violations', r['violations'], [])


if __name__ == '__main__':
    need_assembler()
    lds()
    counters()
    gws()
    vector_memory()
    scalar_memory()
    finish(count)
