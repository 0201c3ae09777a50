#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every image opcode on one 8 x 8 texture of singles: which registers make the
address of each form, which texels come back. Filters, formats and layouts have
tests of their own."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import check, execute, finish, lanes, need_assembler, rng, words  # noqa: E402

BASE, OUT = 0x200000, 0x300000
count = 0
SIZE, PITCH = 8, 64
LESS = 1


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def f32(x):
    return struct.unpack('<I', struct.pack('<f', x))[0]


def texel(x, y):
    x, y = max(0, min(SIZE - 1, x)), max(0, min(SIZE - 1, y))
    return (y * SIZE + x) / 64.0


def image(reg, base, num):
    w = [base >> 8, 4 << 20 | num << 26, (SIZE - 1) | (SIZE - 1) << 14, 4 | 0 << 3 | 0 << 6 | 1 << 9 | 9 << 28, (PITCH - 1) << 13, 0, 0, 0]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


def sampler(reg):
    # clamp to the edge, LESS, all levels, point
    w = [2 | 2 << 3 | 2 << 6 | LESS << 12, 0xfff << 12, 0, 0]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


def memory():
    rows = b''
    for y in range(SIZE):
        rows += struct.pack('<8f', *[texel(x, y) for x in range(SIZE)]) + bytes(4 * (PITCH - SIZE))
    return rows.hex()


SGPR = dict(image(0, BASE, 7), **image(8, OUT, 7), **image(16, BASE, 4), **sampler(24))
XY = [(l & 7, l >> 3) for l in range(64)]


def suffixes(kind):
    """sample: 'c', 'd'/'cd'/'l'/'b'/'lz', 'cl', 'o' in their order."""
    out = []
    levels = ['', 'cl', 'l', 'b', 'b_cl', 'lz'] + (['d', 'd_cl', 'cd', 'cd_cl'] if kind == 'sample' else [])
    for c in ('', 'c'):
        for lv in levels:
            for o in ('', 'o'):
                out.append('_'.join(t for t in (c, lv, o) if t))
    return out


def address(tokens, u, v, dx):
    """Registers before, among and after the coordinates."""
    regs = []
    if 'o' in tokens:
        regs.append([1 | (-1 & 0x3f) << 8] * 64)
    if 'b' in tokens:
        regs.append([0] * 64)
    if 'c' in tokens:
        regs.append([f32(0.5)] * 64)
    if 'd' in tokens or 'cd' in tokens:
        regs += [[f32(dx)] * 64, [0] * 64, [0] * 64, [f32(dx)] * 64]
    regs += [[f32(x) for x in u], [f32(x) for x in v]]
    if 'l' in tokens or 'cl' in tokens:
        regs.append([0] * 64)
    return regs


def run(op, regs, dmask, dst, extra='', first=100):
    # the assembler knows no 16 here
    n = next(k for k in (1, 2, 3, 4, 8, 12) if k >= len(regs))
    vgpr = {str(first + k): words(v) for k, v in enumerate(regs)}
    a = 'v%d' % first if n == 1 else 'v[%d:%d]' % (first, first + n - 1)
    d = 'v%d' % dst[0] if dst[1] == 1 else 'v[%d:%d]' % (dst[0], dst[0] + dst[1] - 1)
    return '%s %s, %s, s[0:7]%s dmask:%#x%s\n' % (op, d, a, ', s[24:27]' if 'sample' in op or 'gather' in op or 'lod' in op else '',
                                                  dmask, extra), vgpr


def sampled():
    for kind in ('sample', 'gather4'):
        group = suffixes(kind)
        for start in range(0, len(group), 6):
            text, vgpr, plan = '', {}, []
            for k, suffix in enumerate(group[start:start + 6]):
                tokens = suffix.split('_') if suffix else []
                op = 'image_%s%s' % (kind, '_' + suffix if suffix else '')
                at = 0.5 if kind == 'sample' else 1.0
                regs = address(tokens, [(x + at) / SIZE for x, _ in XY], [(y + at) / SIZE for _, y in XY], 1 / SIZE)
                width = 1 if kind == 'sample' else 4
                t, v = run(op, regs, 1, (4 * k, width), first=32 + 16 * k)
                text += t
                vgpr.update(v)
                plan.append((op, tokens, 4 * k))
            r = execute(text + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=vgpr, memory={hex(BASE): memory()})
            for op, tokens, dst in plan:
                ox, oy = (1, -1) if 'o' in tokens else (0, 0)
                corners = [(0, 0)] if kind == 'sample' else [(0, 1), (1, 1), (1, 0), (0, 0)]
                for n, (cx, cy) in enumerate(corners):
                    want = [texel(x + ox + cx, y + oy + cy) for x, y in XY]
                    if 'c' in tokens:
                        want = [1.0 if 0.5 < w else 0.0 for w in want]
                    eq('%s %d' % (op, n), lanes(r, dst + n), [f32(w) for w in want])
            eq(kind + ' violations', r['violations'], [])
    # all channels: the selects of the descriptor
    t, v = run('image_sample_lz', [[f32((x + .5) / SIZE) for x, _ in XY], [f32((y + .5) / SIZE) for _, y in XY]], 15, (0, 4))
    r = execute(t + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=v, memory={hex(BASE): memory()})
    eq('dmask 15', [lanes(r, n) for n in range(4)], [[f32(texel(x, y)) for x, y in XY], [0] * 64, [0] * 64, [f32(1.0)] * 64])


def queries():
    # a step of one texel across and of two down the quad: LOD 1, of which there is only level 0
    t, v = run('image_get_lod', [[f32((x + .5) / SIZE) for x, _ in XY], [f32(.5)] * 64], 3, (0, 2))
    t2, v2 = run('image_get_resinfo', [[0] * 63 + [5]], 15, (4, 4), first=120)
    r = execute(t + t2 + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=dict(v, **v2), memory={hex(BASE): memory()})
    eq('image_get_lod', (lanes(r, 0)[0], lanes(r, 1)[0]), (0, f32(1.0)))
    eq('image_get_resinfo', [lanes(r, 4 + n)[0] for n in range(4)], [8, 8, 1, 1])
    eq('query violations', r['violations'], [])


def loads_and_stores():
    raw = [f32(texel(x, y)) for x, y in XY]
    xy = [[x for x, _ in XY], [y for _, y in XY]]
    text, vgpr, plan = '', {}, []
    for k, (op, mip) in enumerate((('image_load', 0), ('image_load_mip', 1), ('image_load_pck', 0), ('image_load_pck_sgn', 0),
                                   ('image_load_mip_pck', 1), ('image_load_mip_pck_sgn', 1))):
        t, v = run(op, xy + [[0] * 64] * mip, 1, (k, 1), ' unorm', first=32 + 4 * k)
        text += t
        vgpr.update(v)
        plan.append((op, k))
    r = execute(text + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=vgpr, memory={hex(BASE): memory()})
    for op, k in plan:
        eq(op, lanes(r, k), raw)
    eq('image_load violations', r['violations'], [])
    data = [rng.randrange(120, 130) << 23 | rng.getrandbits(23) for _ in range(64)]
    for op, mip in (('image_store', 0), ('image_store_mip', 1), ('image_store_pck', 0), ('image_store_mip_pck', 1)):
        t, v = run(op, xy + [[0] * 64] * mip, 1, (0, 1), ' unorm')
        v['0'] = words(data)
        r = execute(t.replace('s[0:7]', 's[8:15]') + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=v, memory={hex(OUT): '00' * 2048})
        got = bytes.fromhex(r['memory'][hex(OUT)])
        eq(op, [struct.unpack_from('<I', got, 256 * y + 4 * x)[0] for x, y in XY], data)
        eq(op + ' violations', r['violations'], [])
    # lanes that are off neither load nor store; coordinates outside give 0 and store nothing
    t, v = run('image_load', [[9] * 32 + [1] * 32, [0] * 64], 1, (0, 1), ' unorm')
    v['0'] = words([0x77])
    r = execute(t + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=v, memory={hex(BASE): memory()}, exec='0000ffff0000ffff')
    eq('image_load, outside and off', lanes(r, 0), [0] * 16 + [0x77] * 16 + [raw[1]] * 16 + [0x77] * 16)


def gather4h():
    """Four texels of a row."""
    t, v = run('image_gather4h', [[f32((x + 1.0) / SIZE) for x, _ in XY], [f32((y + .5) / SIZE) for _, y in XY]], 1, (0, 4))
    r = execute(t + 's_waitcnt vmcnt(0)\ns_endpgm', sgpr=SGPR, vgpr=v, memory={hex(BASE): memory()})
    return r


def main():
    need_assembler()
    sampled()
    queries()
    loads_and_stores()
    r = gather4h()
    # the manual says "4x1" and no more: executed, or refused by name
    eq('image_gather4h', not r['violations'] or all('image_gather4h' in v for v in r['violations']), True)
    finish(count)


if __name__ == '__main__':
    main()
