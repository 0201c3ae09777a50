#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes mtbuf.txt: typed buffer instructions of every generation, dwords and
text as llvm-mc-22 gives them ("@ NUMBER CPU" opens a generation).

First every op with every addressing and bits by turns, then for some ops every
kind of each operand by itself.

usage: make_mtbuf.py > mtbuf.txt
"""
import itertools
import re
import subprocess

CPUS = ['gfx600', 'gfx700', 'gfx803', 'gfx900', 'gfx90a', 'gfx942', 'gfx950', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1200']


def texts(cpu):
    num = CPUS.index(cpu)
    gfx10, cdna, gfx12 = num >= 7, cpu in ('gfx90a', 'gfx942', 'gfx950'), num >= 10
    none = 'null' if gfx12 else '0'
    formats = ['1', '22', '42', '63'] if num >= 9 else ['1', '22', '56', '77'] if gfx10 else ['1', '10', '116', '126', '53']
    cache = {'gfx942': ['sc0', 'nt', 'sc1', 'sc0 nt sc1'], 'gfx90a': ['glc', 'slc', 'scc']}
    cache['gfx950'] = cache['gfx942']
    bits = cache.get(cpu, ['th:TH_LOAD_NT scope:SCOPE_SYS', 'scope:SCOPE_DEV'] if gfx12 else
                     ['glc slc dlc', 'dlc', 'glc'] if gfx10 else ['glc', 'slc', 'glc slc'])
    n = 0
    for d16 in (False, True):
        if d16 and num < 2:
            continue
        for op in ('load', 'store'):
            for count, comps in enumerate(('x', 'xy', 'xyz', 'xyzw'), 1):
                dw = (count + 1) // 2 if d16 and cpu != 'gfx803' else count
                name = f'tbuffer_{op}_' + (f'd16_format_{comps}' if d16 and num >= 9 else
                                           f'format_d16_{comps}' if d16 else f'format_{comps}')
                for addr, mods in (('off', ''), ('v3', ' idxen'), ('v255', ' offen'), ('v[6:7]', ' idxen offen')):
                    n += 1
                    first = (0, 4, 256 - dw & ~1, 8)[n % 4]
                    bank = 'a' if cdna and n % 3 == 0 else 'v'
                    data = f'{bank}{first}' if dw == 1 else f'{bank}[{first}:{first + dw - 1}]'
                    soffset = (none, 's3', 'm0', 's101')[n % 4]
                    offset = (0, 1, 4095, 2048)[(n // 4) % 4]
                    cb = bits[n % len(bits)] if n % 2 else ''
                    if op == 'store':
                        cb = cb.replace('TH_LOAD', 'TH_STORE')
                    yield (f'{name} {data}, {addr}, s[{n % 24 * 4}:{n % 24 * 4 + 3}], {soffset} '
                           f'format:{formats[n % len(formats)]}{mods}' + (f' offset:{offset}' if offset else '') + ' ' + cb).strip()


def operands(cpu):
    """Every kind of scalar offset, immediate offset, format and cache policy, and
    the forms of the address that one generation has alone."""
    num = CPUS.index(cpu)
    gfx10, gfx11, gfx12, cdna = num >= 7, num >= 9, num >= 10, cpu in ('gfx90a', 'gfx942', 'gfx950')
    none = 'null' if gfx12 else '0'
    soffsets = ['s0', 's101', 'm0', 'vcc_lo', 'vcc_hi', 'ttmp5', none]
    soffsets += [] if gfx12 else ['1', '64', '-1', '-16', '0.5', '-4.0']
    soffsets += ['null'] if gfx10 and not gfx12 else []
    offsets = [1, 2, 4, 8, 16, 2048, 4095] + ([4096, 8388607] if gfx12 else [])
    formats = [1, 5, 8, 10, 14, 20, 22, 25, 29, 36, 42, 48, 50, 56, 60, 63]
    formats += [] if gfx11 else [68, 77] if gfx10 else [68, 78, 84, 94, 116, 117, 118, 123, 124, 125, 126]
    bits = ['sc0', 'sc1', 'nt'] if cpu in ('gfx942', 'gfx950') else ['glc', 'slc', 'scc'] if cdna else \
        ['glc', 'slc', 'dlc'] if gfx10 else ['glc', 'slc']
    cache = [' '.join(c) for n in range(1, 4) for c in itertools.combinations(bits, n)]
    if gfx12:
        ths = [f'th:TH_{{}}_{t} ' for t in ('NT', 'HT', 'NT_RT', 'RT_NT', 'NT_HT')]
        cache = [(t + s).strip() for t in [''] + ths for s in ('', 'scope:SCOPE_SE', 'scope:SCOPE_DEV', 'scope:SCOPE_SYS') if t + s]
    names = [('load', 'tbuffer_load_format_x', 'v4'), ('store', 'tbuffer_store_format_xyzw', 'v[4:7]')]
    if num >= 2:
        d16 = 'tbuffer_{}_d16_format_{}' if gfx11 else 'tbuffer_{}_format_d16_{}'
        names += [('load', d16.format('load', 'x'), 'v4'),
                  ('store', d16.format('store', 'xyzw'), 'v[4:7]' if cpu == 'gfx803' else 'v[4:5]')]
    for kind, name, data in names:
        one = f'{name} {data}, v2, s[8:11],'
        for soffset in soffsets:
            yield f'{one} {soffset} format:{formats[-1]} offen offset:16'
        for offset in offsets:
            yield f'{one} {none} format:{formats[-1]} offen offset:{offset}'
        for fmt in formats:
            yield f'{one} s3 format:{fmt} idxen'
        for c in cache:
            yield f'{one} s3 format:{formats[-1]} offen offset:16 {c}'.format(kind.upper())
        if num < 2:
            yield f'{name} {data}, v[2:3], s[8:11], {none} format:{formats[-1]} addr64'
            yield f'{name} {data}, v[2:3], s[8:11], s3 format:{formats[-1]} addr64 offset:4095'


def negative(cpu, found):
    """GFX12's offsets are signed in the encoding, though LLVM 22 takes none below 0:
    those of LLVM's positive ones with the top bits of the last dword, and the text."""
    if cpu != 'gfx1200':
        return
    positive = [(text, words) for text, words in found if ', v2, ' in text and text.endswith('offen offset:1')]
    assert positive and all(words.split()[2] == '00000102' for _, words in positive)
    for text, words in positive:
        for offset in (-1, -4096, -8388608):
            last = (offset << 8 & 0xffffffff) | 2
            yield text[:-1] + str(offset), words[:-8] + '%08x' % last


def main():
    print('# Made by make_mtbuf.py.')
    for num, cpu in enumerate(CPUS):
        attr = ['-mattr=+wavefrontsize64'] if num >= 7 else []
        lines = list(texts(cpu)) + list(operands(cpu))
        run = subprocess.run(['llvm-mc-22', '-triple=amdgcn', '-mcpu=' + cpu, '-show-encoding'] + attr,
                             input='\n'.join(lines) + '\n', capture_output=True, text=True, check=False)
        assert not run.stderr, run.stderr[:1000]
        found = re.findall(r'^\t(tbuffer.*?)\s*; encoding: \[(.*)\]$', run.stdout, re.M)
        assert len(found) == len(lines)
        rows = []
        for text, code in found:
            raw = bytes(int(b, 16) for b in code.split(','))
            rows.append((text, ' '.join('%08x' % int.from_bytes(raw[i:i + 4], 'little') for i in range(0, len(raw), 4))))
        print(f'@ {num} {cpu}')
        for text, words in dict.fromkeys(rows + list(negative(cpu, rows))):
            print(f'{words}|{text}')


main()
