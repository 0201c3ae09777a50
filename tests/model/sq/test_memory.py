#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scalar, flat, buffer and LDS memory instructions."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import check, execute, finish, lanes, need_assembler, rng, words  # noqa: E402

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
BASE = 0x200000
count = 0


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def sreg(r, n):
    return int(r['sgpr'][str(n)], 16)


def pair(v):
    return '%08x' % (v & M32), '%08x' % (v >> 32)


def descriptor(base, records, stride=0, reg=8):
    """Raw V#: DST_SEL xyzw, 32-bit float."""
    w = [base & M32, base >> 32 | stride << 16, records, 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15]
    return {str(reg + n): '%08x' % v for n, v in enumerate(w)}


data = [rng.getrandbits(32) for _ in range(64)]
memory = {hex(BASE): struct.pack('<64I', *data).hex()}


def smem():
    lo, hi = pair(BASE)
    r = execute('''
        s_load_dword s20, s[0:1], 0x4
        s_load_dwordx2 s[22:23], s[0:1], 0x10
        s_load_dwordx4 s[24:27], s[0:1], s4
        s_load_dwordx8 s[32:39], s[0:1], 0x20
        s_buffer_load_dword s40, s[8:11], 0x8
        s_buffer_load_dwordx4 s[44:47], s[8:11], 0x18
        s_buffer_load_dword s48, s[8:11], s5
        s_waitcnt lgkmcnt(0)
        s_endpgm''', memory=memory, sgpr=dict({'0': lo, '1': hi, '4': '24', '5': '400'}, **descriptor(BASE, 0x20)))
    eq('s_load', sreg(r, 20), data[1])
    eq('s_load x2', [sreg(r, 22), sreg(r, 23)], data[4:6])
    eq('s_load x4 soffset', [sreg(r, 24 + n) for n in range(4)], data[9:13])
    eq('s_load x8', [sreg(r, 32 + n) for n in range(8)], data[8:16])
    eq('s_buffer_load', sreg(r, 40), data[2])
    eq('s_buffer_load beyond', [sreg(r, 44 + n) for n in range(4)], data[6:8] + [0, 0])
    eq('s_buffer_load far', sreg(r, 48), 0)
    eq('smem violations', r['violations'], [])
    r = execute('''
        s_store_dwordx2 s[4:5], s[0:1], 0x8
        s_atomic_add s6, s[0:1], 0x20 glc
        s_waitcnt lgkmcnt(0)
        s_endpgm''', memory=memory, sgpr={'0': lo, '1': hi, '4': '11', '5': '22', '6': '5'})
    out = struct.unpack('<64I', bytes.fromhex(r['memory'][hex(BASE)]))
    eq('s_store', list(out[2:4]), [0x11, 0x22])
    eq('s_atomic', (sreg(r, 6), out[8]), (data[8], data[8] + 5 & M32))


def flat():
    lo, hi = pair(BASE)
    idx = [rng.randrange(60) for _ in range(64)]
    va = [BASE + 4 * n for n in idx]
    raw = struct.pack('<64I', *data)
    r = execute('''
        flat_load_dword v4, v[0:1]
        global_load_dwordx2 v[6:7], v[0:1], off offset:4
        global_load_dword v8, v2, s[0:1]
        global_load_ubyte v9, v[0:1], off offset:1
        global_load_sshort v10, v[0:1], off offset:2
        global_load_short_d16_hi v11, v[0:1], off
        s_waitcnt vmcnt(0) lgkmcnt(0)
        s_endpgm''', memory=memory, sgpr={'0': lo, '1': hi},
        vgpr={'0': words(v & M32 for v in va), '1': words(v >> 32 for v in va), '2': words(4 * n for n in idx),
              '11': words([0x5678])})
    at = lambda n, fmt, o: struct.unpack_from(fmt, raw, 4 * idx[n] + o)[0]  # noqa: E731
    eq('flat_load', lanes(r, 4), [data[n] for n in idx])
    eq('global x2', lanes(r, 7), [data[n + 2] for n in idx])
    eq('global saddr', lanes(r, 8), [data[n] for n in idx])
    eq('global ubyte', lanes(r, 9), [at(n, '<B', 1) for n in range(64)])
    eq('global sshort', lanes(r, 10), [at(n, '<h', 2) & M32 for n in range(64)])
    eq('global d16_hi', lanes(r, 11), [at(n, '<H', 0) << 16 | 0x5678 for n in range(64)])
    eq('flat violations', r['violations'], [])
    r = execute('''
        global_store_dword v[0:1], v2, off
        global_atomic_add v4, v[6:7], v3, off glc
        s_waitcnt vmcnt(0)
        s_endpgm''', memory={hex(BASE): '00' * 512},
        vgpr={'0': words(BASE + 4 * n for n in range(64)), '1': words([0]), '2': words(100 + n for n in range(64)),
              '3': words([2]), '6': words([BASE + 256]), '7': words([0])})
    out = struct.unpack('<128I', bytes.fromhex(r['memory'][hex(BASE)]))
    eq('global_store', list(out[:64]), [100 + n for n in range(64)])
    eq('global_atomic', (out[64], lanes(r, 4)), (128, [2 * n for n in range(64)]))


def scratch():
    r = execute('''
        scratch_store_dword v0, v1, off offset:4
        scratch_load_dword v2, v0, off offset:4
        s_waitcnt vmcnt(0)
        s_endpgm''', memory={hex(BASE): '00' * 4096}, sgpr={'102': '%08x' % BASE, '103': '0'},
        vgpr={'0': words([8]), '1': words(range(64))})
    eq('scratch', lanes(r, 2), list(range(64)))
    out = struct.unpack('<1024I', bytes.fromhex(r['memory'][hex(BASE)]))
    eq('scratch swizzle', list(out[3 * 64:4 * 64]), list(range(64)))


def buffers():
    off = [4 * rng.randrange(32) for _ in range(64)]
    r = execute('''
        buffer_load_dword v2, v0, s[8:11], 0 offen
        buffer_load_dword v3, v0, s[8:11], 0 offen offset:128
        buffer_load_dword v4, v1, s[12:15], 0 idxen
        buffer_store_dword v1, v0, s[16:19], 0 offen
        s_waitcnt vmcnt(0)
        s_endpgm''', memory=dict(memory, **{hex(BASE + 0x10000): '00' * 256}),
        sgpr=dict(descriptor(BASE, 160), **descriptor(BASE, 16, 8, 12), **descriptor(BASE + 0x10000, 256, 0, 16)),
        vgpr={'0': words(off), '1': words(range(64))})
    eq('buffer offen', lanes(r, 2), [data[o // 4] for o in off])
    eq('buffer beyond', lanes(r, 3), [data[o // 4 + 32] if o + 128 < 160 else 0 for o in off])
    eq('buffer idxen', lanes(r, 4), [data[2 * n] if n < 16 else 0 for n in range(64)])
    eq('buffer violations', r['violations'], [])
    r = execute('''
        buffer_load_dword v0, s[8:11], 0 offen lds
        s_mov_b32 m0, 64
        s_nop 0
        buffer_store_lds_dword s[16:19], 0 offset:8 lds
        s_waitcnt vmcnt(0)
        s_endpgm''', memory=dict(memory, **{hex(BASE + 0x10000): '00' * 64}), m0='0', lds={'0x40': '00000000'},
        sgpr=dict(descriptor(BASE, 256), **descriptor(BASE + 0x10000, 64, 0, 16)), vgpr={'0': words(range(0, 256, 4))})
    eq('load to LDS', r['lds']['0x40'], struct.pack('<I', data[16]).hex())
    out = struct.unpack('<16I', bytes.fromhex(r['memory'][hex(BASE + 0x10000)]))
    eq('store from LDS', out[2], data[16])
    eq('LDS transfer violations', r['violations'], [])


def lds():
    r = execute('''
        ds_write_b32 v0, v1
        ds_write2_b32 v0, v2, v3 offset0:64 offset1:128
        ds_read_b32 v4, v0 offset:256
        ds_read2_b32 v[6:7], v0 offset0:64 offset1:128
        ds_write_b8 v0, v2 offset:1
        ds_read_b32 v8, v0
        ds_read_u16 v9, v0 offset:256
        ds_read_i8 v10, v0 offset:1
        s_waitcnt lgkmcnt(0)
        s_endpgm''', vgpr={'0': words(4 * n for n in range(64)), '1': words([0xa0b0c0d0]), '2': words(range(0x180, 0x1c0)),
                           '3': words([3])})
    eq('ds_read', lanes(r, 4), [0x180 + n for n in range(64)])
    eq('ds_read2', (lanes(r, 6), lanes(r, 7)), ([0x180 + n for n in range(64)], [3] * 64))
    eq('ds_write_b8', lanes(r, 8), [0xa0b000d0 | (0x80 + n) << 8 for n in range(64)])
    eq('ds_read_u16', lanes(r, 9), [0x180 + n for n in range(64)])
    eq('ds_read_i8', lanes(r, 10), [0xffffff80 + n for n in range(64)])
    eq('lds violations', r['violations'], [])
    ops = [('add', 'u32', lambda o, d: o + d), ('sub', 'u32', lambda o, d: o - d), ('rsub', 'u32', lambda o, d: d - o),
           ('and', 'b32', lambda o, d: o & d), ('or', 'b32', lambda o, d: o | d), ('xor', 'b32', lambda o, d: o ^ d),
           ('min', 'u32', min), ('max', 'u32', max), ('inc', 'u32', lambda o, d: 0 if o >= d else o + 1),
           ('dec', 'u32', lambda o, d: d if o == 0 or o > d else o - 1)]
    values = [rng.getrandbits(32) for _ in range(64)]
    for name, t, f in ops:
        o = 0x80001234
        r = execute('ds_%s_rtn_%s v2, v0, v1\ns_waitcnt lgkmcnt(0)\ns_endpgm' % (name, t),
                    vgpr={'0': words([16]), '1': words(values)}, lds={'0x10': struct.pack('<I', o).hex()})
        returned = []
        for v in values:
            returned.append(o)
            o = f(o, v) & M32
        eq('ds_%s_rtn' % name, lanes(r, 2), returned)
        eq('ds_' + name, r['lds']['0x10'], struct.pack('<I', o).hex())
    r = execute('ds_cmpst_rtn_b32 v3, v0, v1, v2\nds_add_rtn_u64 v[6:7], v4, v[8:9]\nds_append v5 offset:64\n'
                's_waitcnt lgkmcnt(0)\ns_endpgm', exec='000000000000000f', m0='0',
                vgpr={'0': words([0]), '1': words([0, 1, 2, 9]), '2': words([1, 2, 3, 4]), '4': words([32]),
                      '8': words([0xffffffff]), '9': words([0])},
                lds={'0x0': '00000000', '0x20': '0100000000000000', '0x40': '64000000'})
    eq('cmpst', (lanes(r, 3)[:4], r['lds']['0x0']), ([0, 1, 2, 3], '03000000'))
    eq('add_u64', r['lds']['0x20'], struct.pack('<Q', 1 + 4 * 0xffffffff).hex())
    eq('append', (lanes(r, 5)[:4], r['lds']['0x40']), ([0x64] * 4, '68000000'))


if __name__ == '__main__':
    need_assembler()
    smem()
    flat()
    scratch()
    buffers()
    lds()
    finish(count)
