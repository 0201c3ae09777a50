#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every load and store opcode: widths, signs and halves of FLAT, GLOBAL,
SCRATCH, buffers (typed ones too), LDS and scalar memory; apertures, bounds."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import check, execute, finish, lanes, need_assembler, rng, words  # noqa: E402

M32 = (1 << 32) - 1
BASE, OUT = 0x200000, 0x300000
PER_LANE = 32
count = 0
data = bytes(rng.getrandbits(8) for _ in range(64 * PER_LANE))
OLD = 0x5a5aa5a5

# name of a load -> bytes, signed, half of the register
LOADS = [('ubyte', 1, 0, None), ('sbyte', 1, 1, None), ('ushort', 2, 0, None), ('sshort', 2, 1, None),
         ('ubyte_d16', 1, 0, 0), ('ubyte_d16_hi', 1, 0, 1), ('sbyte_d16', 1, 1, 0), ('sbyte_d16_hi', 1, 1, 1),
         ('short_d16', 2, 0, 0), ('short_d16_hi', 2, 0, 1), ('dword', 4, 0, None), ('dwordx2', 8, 0, None),
         ('dwordx3', 12, 0, None), ('dwordx4', 16, 0, None)]
STORES = [('byte', 1, 0), ('byte_d16_hi', 1, 16), ('short', 2, 0), ('short_d16_hi', 2, 16), ('dword', 4, 0),
          ('dwordx2', 8, 0), ('dwordx3', 12, 0), ('dwordx4', 16, 0)]


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def value(raw, at, size, sign, half):
    v = int.from_bytes(raw[at:at + size], 'little')
    if sign and v >> (8 * size - 1):
        v = v - (1 << 8 * size)
    if half is None:
        return v & M32
    return OLD & 0xffff0000 | v & 0xffff if half == 0 else OLD & 0xffff | (v & 0xffff) << 16


def rv(first, size):
    n = (size + 3) // 4
    return 'v[%d:%d]' % (first, first + n - 1) if n > 1 else 'v%d' % first


def loads(family, form, offset_of, state):
    """`form` makes the instruction from name, destination and byte offset."""
    text, plan, reg = '', [], 40
    vgpr = dict(state.pop('vgpr', {}))
    for name, size, sign, half in LOADS:
        off = {1: 5, 2: 6}.get(size, 8)
        text += form(name, rv(reg, size), off) + '\n'
        plan.append((name, size, sign, half, off, reg))
        if half is not None:
            vgpr[str(reg)] = words([OLD])
        reg += (size + 3) // 4
    r = execute(text + 's_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm', vgpr=vgpr, **state)
    for name, size, sign, half, off, first in plan:
        for k in range((size + 3) // 4):
            eq('%s_load_%s dword %d' % (family, name, k), lanes(r, first + k),
               [value(data, offset_of(l) + off + 4 * k, min(size, 4), sign, half) for l in range(64)])
    eq(family + ' load violations', r['violations'], [])


def stores(family, form, lane_at, state):
    """Each store into memory of its own; bytes that it does not name stay."""
    src = [[rng.getrandbits(32) for _ in range(64)] for _ in range(4)]
    for name, size, shift in STORES:
        off = {1: 5, 2: 6}.get(size, 8)
        vgpr = dict(state.get('vgpr', {}), **{str(40 + n): words(v) for n, v in enumerate(src)})
        rest = {k: v for k, v in state.items() if k != 'vgpr'}
        r = execute(form(name, rv(40, size), off) + '\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_endpgm', vgpr=vgpr,
                    memory={hex(OUT): 'ee' * 64 * PER_LANE}, **rest)
        want = bytearray(b'\xee' * 64 * PER_LANE)
        for l in range(64):
            for b in range(size):
                want[lane_at(l, off + b)] = src[b // 4][l] >> (8 * (b % 4) + shift) & 255
        eq('%s_store_%s' % (family, name), r['memory'][hex(OUT)], want.hex())
        eq(family + ' store violations', r['violations'], [])


def buffer(base, records, stride, reg, dfmt=4, nfmt=7):
    w = [base & M32, base >> 32 | stride << 16, records, 4 | 5 << 3 | 6 << 6 | 7 << 9 | nfmt << 12 | dfmt << 15]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


def vector():
    mem = {hex(BASE): data.hex()}
    linear = lambda l: PER_LANE * l  # noqa: E731
    va = {'0': words(BASE + linear(l) for l in range(64)), '1': words([0]), '2': words(linear(l) for l in range(64))}
    vo = {'0': words(OUT + linear(l) for l in range(64)), '1': words([0]), '2': words(linear(l) for l in range(64))}
    at = lambda l, b: PER_LANE * l + b  # noqa: E731
    pairs = {'4': '%08x' % BASE, '5': '00000000', '6': '%08x' % OUT, '7': '00000000'}
    loads('flat', lambda n, d, o: 'flat_load_%s %s, v[0:1] offset:%d' % (n, d, o), linear, dict(memory=mem, vgpr=va))
    stores('flat', lambda n, d, o: 'flat_store_%s v[0:1], %s offset:%d' % (n, d, o), at, dict(vgpr=vo))
    loads('global', lambda n, d, o: 'global_load_%s %s, v[0:1], off offset:%d' % (n, d, o), linear, dict(memory=mem, vgpr=va))
    stores('global', lambda n, d, o: 'global_store_%s v[0:1], %s, off offset:%d' % (n, d, o), at, dict(vgpr=vo))
    loads('global saddr', lambda n, d, o: 'global_load_%s %s, v2, s[4:5] offset:%d' % (n, d, o), linear,
          dict(memory=mem, vgpr=va, sgpr=pairs))
    stores('global saddr', lambda n, d, o: 'global_store_%s v2, %s, s[6:7] offset:%d' % (n, d, o), at, dict(vgpr=vo, sgpr=pairs))
    down = {'0': words(BASE + 4096 + linear(l) for l in range(64)), '1': words([0])}
    loads('global down', lambda n, d, o: 'global_load_%s %s, v[0:1], off offset:%d' % (n, d, o - 4096), linear, dict(memory=mem, vgpr=down))
    rsrc = dict(buffer(BASE, len(data), 0, 8), **buffer(OUT, len(data), 0, 12))
    rsrc['16'] = '00000004'
    loads('buffer', lambda n, d, o: 'buffer_load_%s %s, v2, s[8:11], s16 offen offset:%d' % (n, d, o - 4), linear,
          dict(memory=mem, vgpr=va, sgpr=rsrc))
    stores('buffer', lambda n, d, o: 'buffer_store_%s %s, v2, s[12:15], s16 offen offset:%d' % (n, d, o - 4), at, dict(vgpr=vo, sgpr=rsrc))
    # scratch: dwords of the lanes side by side
    swz = lambda l, b: (b & ~3) * 64 + l * 4 + (b & 3)  # noqa: E731
    image = bytearray(64 * PER_LANE)
    for l in range(64):
        for b in range(PER_LANE):
            image[swz(l, b)] = data[PER_LANE * l + b]
    base = {'102': '%08x' % BASE, '103': '00000000', '17': '00000004'}
    loads('scratch', lambda n, d, o: 'scratch_load_%s %s, v3, off offset:%d' % (n, d, o - 4), linear,
          dict(memory={hex(BASE): image.hex()}, vgpr={'3': words([4])}, sgpr=base))
    loads('scratch saddr', lambda n, d, o: 'scratch_load_%s %s, off, s17 offset:%d' % (n, d, o - 4), linear,
          dict(memory={hex(BASE): image.hex()}, vgpr={}, sgpr=base))
    stores('scratch', lambda n, d, o: 'scratch_store_%s v3, %s, off offset:%d' % (n, d, o - 4), swz,
           dict(vgpr={'3': words([4])}, sgpr={'102': '%08x' % OUT, '103': '00000000'}))
    # FLAT through its apertures
    r = execute('''
        s_mov_b64 s[0:1], src_shared_base
        s_mov_b64 s[2:3], src_private_base
        v_mov_b32 v1, s1
        v_mov_b32 v3, s3
        flat_store_dword v[0:1], v4 offset:16
        flat_load_dword v5, v[0:1]
        flat_store_dwordx2 v[2:3], v[6:7] offset:4
        s_waitcnt vmcnt(0) lgkmcnt(0)
        flat_load_dword v8, v[2:3] offset:8
        flat_atomic_add v9, v[0:1], v4 offset:16 glc
        s_waitcnt vmcnt(0) lgkmcnt(0)
        s_endpgm''', vgpr={'0': words(32 * l for l in range(64)), '2': words([8]), '4': words(range(100, 164)),
                           '6': words(range(200, 264)), '7': words(range(300, 364))},
                sgpr={'102': '%08x' % BASE, '103': '00000000'}, memory={hex(BASE): '00' * 8192}, lds={'0x0': data.hex()})
    eq('flat LDS load', lanes(r, 5), [int.from_bytes(data[32 * l:32 * l + 4], 'little') for l in range(64)])
    out = bytes.fromhex(r['lds']['0x0'])
    eq('flat LDS store, atomic', [struct.unpack_from('<I', out, 32 * l + 16)[0] for l in range(64)], [200 + 2 * l for l in range(64)])
    eq('flat LDS atomic returns', lanes(r, 9), list(range(100, 164)))
    eq('flat scratch', lanes(r, 8), list(range(300, 364)))
    mem_ = bytes.fromhex(r['memory'][hex(BASE)])
    eq('flat scratch in memory', struct.unpack_from('<64I', mem_, 12 * 64), tuple(range(200, 264)))
    eq('aperture violations', r['violations'], [])
    # loads that end in LDS
    r = execute('''
        global_load_dword v[0:1], off offset:4 lds
        s_mov_b32 m0, 0x400
        s_nop 0
        global_load_sbyte v2, s[4:5] offset:1 lds
        s_waitcnt vmcnt(0)
        s_mov_b32 m0, 0x800
        s_nop 0
        buffer_load_ubyte v2, s[8:11], 0 offen lds
        s_mov_b32 m0, 0xc00
        s_nop 0
        buffer_load_ushort v2, s[8:11], 0 offen lds
        s_waitcnt vmcnt(0)
        s_endpgm''', memory=mem, vgpr=va, sgpr=dict(rsrc, **pairs), m0='00000100', lds={'0x0': '00' * 4096})
    out = bytes.fromhex(r['lds']['0x0'])
    for where, at_, size, sign, off in (('global dword', 0x104, 4, 0, 4), ('global sbyte', 0x401, 1, 1, 1),
                                        ('buffer ubyte', 0x800, 1, 0, 0), ('buffer ushort', 0xc00, 2, 0, 0)):
        eq('to LDS: ' + where, struct.unpack_from('<64I', out, at_),
           tuple(value(data, 32 * l + off, size, sign, None) for l in range(64)))
    eq('to LDS violations', r['violations'], [])
    r = execute('buffer_wbinvl1\nbuffer_wbinvl1_vol\ns_waitcnt vmcnt(0)\ns_endpgm')
    eq('cache control', r['violations'], [])


def typed():
    """Four halves as unsigned integers, an element a lane."""
    elems = [[rng.getrandbits(16) for _ in range(4)] for _ in range(64)]
    mem = ''.join(struct.pack('<4H', *e).hex() for e in elems)
    sgpr = dict(buffer(BASE, 64, 8, 8, 12, 4), **buffer(OUT, 64, 8, 12, 12, 4))
    fmt = ' format:[BUF_DATA_FORMAT_16_16_16_16,BUF_NUM_FORMAT_UINT]'
    for kind, suffix in (('buffer', ''), ('tbuffer', fmt)):
        text, plan, reg, vgpr = '', [], 10, {'0': words(range(64))}
        for n, comps in enumerate(('x', 'xy', 'xyz', 'xyzw'), 1):
            text += '%s_load_format_%s %s, v0, s[8:11], 0%s idxen\n' % (kind, comps, rv(reg, 4 * n), suffix)
            plan.append((reg, n, False))
            reg += n
            text += '%s_load_format_d16_%s %s, v0, s[8:11], 0%s idxen\n' % (kind, comps, rv(reg, 2 * n), suffix)
            plan.append((reg, n, True))
            for k in range((n + 1) // 2):
                vgpr[str(reg + k)] = words([OLD])
            reg += (n + 1) // 2
        if kind == 'buffer':
            text += 'buffer_load_format_d16_hi_x v90, v0, s[8:11], 0 idxen\n'
            vgpr['90'] = words([OLD])
        r = execute(text + 's_waitcnt vmcnt(0)\ns_endpgm', vgpr=vgpr, sgpr=sgpr, memory={hex(BASE): mem})
        for first, n, half in plan:
            for k in range(n):
                if half:
                    got = [v >> 16 * (k & 1) & 0xffff for v in lanes(r, first + k // 2)]
                else:
                    got = lanes(r, first + k)
                eq('%s_load_format %d%s' % (kind, n, ' d16' if half else ''), got, [e[k] for e in elems])
        if kind == 'buffer':
            eq('load_format_d16_hi_x', lanes(r, 90), [e[0] << 16 | OLD & 0xffff for e in elems])
        eq(kind + ' violations', r['violations'], [])
        src = [[rng.getrandbits(16) for _ in range(64)] for _ in range(4)]
        regs = {'0': words(range(64))}
        for k in range(4):
            regs[str(10 + k)] = words(src[k])
        for k in range(2):
            regs[str(20 + k)] = words(a | b << 16 for a, b in zip(src[2 * k], src[2 * k + 1]))
        forms = [('%s_store_format_%s %s' % (kind, c, rv(10, 4 * n)), n, 0) for n, c in enumerate(('x', 'xy', 'xyz', 'xyzw'), 1)]
        forms += [('%s_store_format_d16_%s %s' % (kind, c, rv(20, 2 * n)), n, 0) for n, c in enumerate(('x', 'xy', 'xyz', 'xyzw'), 1)]
        if kind == 'buffer':
            forms.append(('buffer_store_format_d16_hi_x v20', 1, 1))
        for form, n, first in forms:
            r = execute('%s, v0, s[12:15], 0%s idxen\ns_waitcnt vmcnt(0)\ns_endpgm' % (form, suffix), vgpr=regs, sgpr=sgpr,
                        memory={hex(OUT): '00' * 512})
            got = bytes.fromhex(r['memory'][hex(OUT)])
            # a format is stored whole: components that the opcode lacks are 0
            want = b''.join(struct.pack('<4H', *[src[first + k][l] if k < n else 0 for k in range(4)]) for l in range(64))
            eq(form, got.hex(), want.hex())
            eq(form + ' violations', r['violations'], [])


def lds():
    text, plan, reg, vgpr = '', [], 40, {'0': words(PER_LANE * l for l in range(64)), '1': words([OLD])}
    for name, size, sign, half in (('u8', 1, 0, None), ('i8', 1, 1, None), ('u16', 2, 0, None), ('i16', 2, 1, None),
                                   ('u8_d16', 1, 0, 0), ('u8_d16_hi', 1, 0, 1), ('i8_d16', 1, 1, 0), ('i8_d16_hi', 1, 1, 1),
                                   ('u16_d16', 2, 0, 0), ('u16_d16_hi', 2, 0, 1), ('b32', 4, 0, None), ('b64', 8, 0, None),
                                   ('b96', 12, 0, None), ('b128', 16, 0, None)):
        off = {1: 5, 2: 6, 4: 8, 8: 8}.get(size, 16)
        text += 'ds_read_%s %s, v0 offset:%d\n' % (name, rv(reg, size), off)
        if half is not None:
            vgpr[str(reg)] = words([OLD])
        plan.append((name, size, sign, half, off, reg))
        reg += (size + 3) // 4
    r = execute('ds_nop\n' + text + 's_waitcnt lgkmcnt(0)\ns_endpgm', vgpr=vgpr, lds={'0x0': data.hex()})
    for name, size, sign, half, off, first in plan:
        for k in range((size + 3) // 4):
            eq('ds_read_%s dword %d' % (name, k), lanes(r, first + k),
               [value(data, PER_LANE * l + off + 4 * k, min(size, 4), sign, half) for l in range(64)])
    eq('ds_read violations', r['violations'], [])
    src = [[rng.getrandbits(32) for _ in range(64)] for _ in range(4)]
    regs = dict({str(40 + n): words(v) for n, v in enumerate(src)}, **{'0': vgpr['0']})
    for name, size, shift in (('b8', 1, 0), ('b8_d16_hi', 1, 16), ('b16', 2, 0), ('b16_d16_hi', 2, 16), ('b32', 4, 0),
                              ('b64', 8, 0), ('b96', 12, 0), ('b128', 16, 0)):
        off = {1: 5, 2: 6, 4: 8, 8: 8}.get(size, 16)
        r = execute('ds_write_%s v0, %s offset:%d\ns_waitcnt lgkmcnt(0)\ns_endpgm' % (name, rv(40, size), off), vgpr=regs,
                    lds={'0x0': 'ee' * 64 * PER_LANE})
        want = bytearray(b'\xee' * 64 * PER_LANE)
        for l in range(64):
            for b in range(size):
                want[PER_LANE * l + off + b] = src[b // 4][l] >> (8 * (b % 4) + shift) & 255
        eq('ds_write_' + name, r['lds']['0x0'], want.hex())
    whole = bytes(rng.getrandbits(8) for _ in range(65536))
    for bits in (32, 64):
        size, n = bits // 8, bits // 32
        for st, stride in (('', size), ('st64', 64 * size)):
            r = execute('ds_read2%s_b%d %s, v0 offset0:1 offset1:3\ns_waitcnt lgkmcnt(0)\ns_endpgm' % (st, bits, rv(40, 2 * size)),
                        vgpr={'0': vgpr['0']}, lds={'0x0': whole.hex()})
            for k, o in enumerate((1, 3)):
                for j in range(n):
                    eq('ds_read2%s_b%d' % (st, bits), lanes(r, 40 + k * n + j),
                       [int.from_bytes(whole[PER_LANE * l + o * stride + 4 * j:][:4], 'little') for l in range(64)])
            r = execute('ds_write2%s_b%d v0, %s, %s offset0:1 offset1:3\ns_waitcnt lgkmcnt(0)\ns_endpgm'
                        % (st, bits, rv(40, size), rv(42, size)), vgpr=regs, lds={'0x0': whole.hex()})
            want = bytearray(whole)
            for l in range(64):
                for first, o in ((0, 1), (2, 3)):
                    for j in range(n):
                        struct.pack_into('<I', want, PER_LANE * l + o * stride + 4 * j, src[first + j][l])
            eq('ds_write2%s_b%d' % (st, bits), bytes.fromhex(r['lds']['0x0']) == bytes(want), True)


def scalar():
    raw = [rng.getrandbits(32) for _ in range(64)]
    mem = {hex(BASE): struct.pack('<64I', *raw).hex()}
    sgpr = dict({'0': '%08x' % BASE, '1': '00000000', '2': '00000002', '3': '0000000c'}, **buffer(BASE, 0x44, 0, 4))
    names = {1: 'dword', 2: 'dwordx2', 4: 'dwordx4', 8: 'dwordx8', 16: 'dwordx16'}
    for n, name in names.items():
        d = 's[%d:%d]' % (32, 31 + n) if n > 1 else 's32'
        d2 = 's[%d:%d]' % (64, 63 + n) if n > 1 else 's64'
        text = 's_load_%s %s, s[0:1], 0x14\ns_buffer_load_%s %s, s[4:7], 0x8\n' % (name, d, name, d2)
        if n <= 4:
            d3 = 's[%d:%d]' % (84, 83 + n) if n > 1 else 's84'
            text += 's_scratch_load_%s %s, s[0:1], s2 offset:0x8\n' % (name, d3)
        r = execute(text + 's_waitcnt lgkmcnt(0)\ns_endpgm', memory=mem, sgpr=sgpr)
        get = lambda reg: int(r['sgpr'][str(reg)], 16)  # noqa: E731
        eq('s_load_' + name, [get(32 + k) for k in range(n)], raw[5:5 + n])
        eq('s_buffer_load_' + name, [get(64 + k) for k in range(n)], [raw[2 + k] if 2 + k < 0x11 else 0 for k in range(n)])
        if n <= 4:  # the SGPR counts dwords of 64 lanes
            eq('s_scratch_load_' + name, [get(84 + k) for k in range(n)], raw[(2 * 64 + 8) // 4:][:n])
        eq('s_load violations', r['violations'], [])
    vals = [rng.getrandbits(32) for _ in range(4)]
    for n in (1, 2, 4):
        d = 's[%d:%d]' % (32, 31 + n) if n > 1 else 's32'
        r = execute('s_store_%s %s, s[0:1], 0x10\ns_buffer_store_%s %s, s[4:7], 0x3c\ns_scratch_store_%s %s, s[0:1], s2 offset:0x8\n'
                    's_dcache_wb\ns_waitcnt lgkmcnt(0)\ns_endpgm' % (names[n], d, names[n], d, names[n], d),
                    memory=mem, sgpr=dict(sgpr, **{str(32 + k): '%08x' % v for k, v in enumerate(vals)}))
        want = list(raw)
        want[4:4 + n] = vals[:n]
        for k in range(n):
            if 0x3c // 4 + k < 0x11:  # the end of the buffer cuts
                want[0x3c // 4 + k] = vals[k]
        want[34:34 + n] = vals[:n]
        eq('s_store_' + names[n], list(struct.unpack('<64I', bytes.fromhex(r['memory'][hex(BASE)]))), want)
        eq('s_store violations', r['violations'], [])
    r = execute('s_dcache_discard s[0:1], 0x40\ns_dcache_discard_x2 s[0:1], 0x80\ns_atc_probe 3, s[0:1], 0x10\n'
                's_atc_probe_buffer 3, s[4:7], 0x10\ns_load_dword s32, s[0:1], s3\ns_waitcnt lgkmcnt(0)\ns_endpgm', memory=mem, sgpr=sgpr)
    eq('s_dcache_discard, s_atc_probe', (int(r['sgpr']['32'], 16), r['violations']), (raw[3], []))


if __name__ == '__main__':
    need_assembler()
    vector()
    typed()
    lds()
    scalar()
    finish(count)
