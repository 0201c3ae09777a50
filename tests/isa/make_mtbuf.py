#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes mtbuf.txt: typed buffer instructions of every generation, dwords and
text as llvm-mc-22 gives them ("@ NUMBER CPU" opens a generation).

usage: make_mtbuf.py > mtbuf.txt
"""
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


def main():
    print('# Made by make_mtbuf.py.')
    for num, cpu in enumerate(CPUS):
        attr = ['-mattr=+wavefrontsize64'] if num >= 7 else []
        lines = list(texts(cpu))
        run = subprocess.run(['llvm-mc-22', '-triple=amdgcn', '-mcpu=' + cpu, '-show-encoding'] + attr,
                             input='\n'.join(lines) + '\n', capture_output=True, text=True, check=False)
        assert not run.stderr, run.stderr[:1000]
        found = re.findall(r'^\t(tbuffer.*?)\s*; encoding: \[(.*)\]$', run.stdout, re.M)
        assert len(found) == len(lines)
        print(f'@ {num} {cpu}')
        for text, code in found:
            raw = bytes(int(b, 16) for b in code.split(','))
            words = ' '.join('%08x' % int.from_bytes(raw[i:i + 4], 'little') for i in range(0, len(raw), 4))
            print(f'{words}|{text}')


main()
