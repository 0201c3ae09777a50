#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The JSON interface of tgsiamd-exec: keys, widths, what the output names, exit
status, and input that is wrong or hostile. Dwords are written by hand, so that
no assembler is needed."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import EXEC, check, finish  # noqa: E402

ENDPGM = 'bf810000'
count = 0


def raw(text, *args):
    data = text if isinstance(text, bytes) else text.encode()
    p = subprocess.run([EXEC, *args, '-'], input=data, capture_output=True, timeout=120)
    return p.returncode, p.stdout.decode(), p.stderr.decode(errors='replace')


def run(code, **state):
    job = {'gpu': 'gfx900', 'code': code}
    job.update(state)
    status, out, err = raw(json.dumps(job))
    if status == 2:
        sys.exit('unexpected refusal: ' + err)
    return status, json.loads(out)


def eq(name, got, want):
    global count
    check(name, got, want)
    count += 1


def good():
    # v_add_u32 v1, v0, v0; s_mov_b32 s2, s0; s_endpgm
    status, r = run(['68020100', 'be820000', ENDPGM], sgpr={'0': '12345678', '7': '0000abcd'},
                    vgpr={'0': ['%08x' % n for n in range(64)]}, scc=1, exec='00000000ffffffff',
                    vcc='0123456789abcdef', m0='00000005', mode='000001f0',
                    lds={'0x10': '01020304'}, memory={'0x200000': 'a0 a1 a2'})
    eq('status', status, 0)
    eq('keys', set(r), {'gpu', 'code', 'exec', 'vcc', 'scc', 'm0', 'mode', 'sgpr', 'vgpr', 'lds', 'memory', 'violations'})
    eq('gpu', r['gpu'], 'gfx900')
    eq('code', r['code'], ['68020100', 'be820000', ENDPGM])
    eq('exec', r['exec'], '00000000ffffffff')
    eq('vcc', r['vcc'], '0123456789abcdef')
    eq('scc', r['scc'], 1)
    eq('m0', r['m0'], '00000005')
    eq('mode', r['mode'], '000001f0')
    eq('sgprs: named and written', r['sgpr'], {'0': '12345678', '2': '12345678', '7': '0000abcd'})
    eq('vgprs: named and written', sorted(r['vgpr']), ['0', '1'])
    eq('sum', r['vgpr']['1'][:33], ['%08x' % (2 * n) for n in range(32)] + ['00000000'])
    eq('lds', r['lds'], {'0x10': '01020304'})
    eq('memory', r['memory'], {'0x200000': 'a0a1a2'})
    eq('violations', r['violations'], [])
    # an output is an input
    r['code'] = [ENDPGM]
    status, out, _ = raw(json.dumps(r))
    eq('output as input', (status, json.loads(out)['vgpr'] == r['vgpr']), (0, True))
    # all but gpu and code may be left out; a value that is undefined is written all the same
    status, r = run(['7e0a02ff', '00000000', '7e0c0309', ENDPGM])  # v_mov_b32 v5, 0 (literal); v_mov_b32 v6, v9
    eq('bare', (status, sorted(r['vgpr']), r['sgpr'], r['violations']), (0, ['5', '6'], {}, []))
    eq('all lanes', r['exec'], 'f' * 16)
    status, r = run([ENDPGM], m0=4096, mode=0x1f0)
    eq('m0 and mode as numbers', (r['m0'], r['mode']), ('00001000', '000001f0'))
    # lds and memory that the program writes: v0 = 8, ds_write_b32 v0, v0
    status, r = run(['7e000288', 'd81a0000', '00000000', ENDPGM])
    eq('lds written', r['lds'], {'0x8': '08000000'})
    status, out, _ = raw(json.dumps({'gpu': 'raven', 'code': [ENDPGM]}))
    eq('chip name', status, 0)


def stopped():
    """Status 1: the wave did not end by itself; the state is printed, violations say why."""
    for name, code, state, word in (
            ('no end', ['bf800000'], {}, 'unmapped'),
            ('branch out', ['bf820100', ENDPGM], {}, 'unmapped'),
            ('half an instruction', ['be8000ff'], {}, ': instruction: '),
            ('no instruction', ['ffffffff', ENDPGM], {}, ': instruction: '),
            ('endless', ['bf82ffff', ENDPGM], {}, ': hang: '),
            # s_load_dword s4, s[0:1], 0
            ('unmapped load', ['c0020100', '00000000', ENDPGM], {'sgpr': {'0': '00000000', '1': '00000001'}}, ': vm: '),
            ('jump to nowhere', ['be801d00', ENDPGM], {'sgpr': {'0': '00000004', '1': '00000000'}}, 'unmapped')):
        status, r = run(code, **state)
        eq(name + ' status', status, 1)
        eq(name, any(word in v for v in r['violations']), True)


BASE = {'gpu': 'gfx900', 'code': [ENDPGM]}
BAD = [
    ('empty', '', 'value expected'),
    ('no object', '[]', 'object expected'),
    ('number', '3', 'object expected'),
    ('cut off', '{"gpu": "gfx9', 'without end'),
    ('cut in a list', '{"code": [', None),
    ('no comma', '{"gpu": "gfx900" "code": []}', "',' expected"),
    ('text behind', json.dumps(BASE) + ' x', 'after the value'),
    ('deep', '[' * 100000, 'deep'),
    ('deep objects', '{"a":' * 100000, 'deep'),
    ('zero byte', b'{"gpu": "gfx900\x00"}', 'zero byte'),
    ('escape', '{"g\\qu": 1}', 'escape'),
    ('infinity', '{"scc": inf}', None),
    ('not utf-8', b'{"gpu": "\xff\xfe", "code": []}', 'gfx900 only'),
    ('no gpu', {'gpu': None}, 'gpu'),
    ('unknown gpu', {'gpu': 'gfx1234'}, 'gfx900 only'),
    ('other gpu', {'gpu': 'gfx1030'}, 'gfx900 only'),
    ('gpu is a number', {'gpu': 900}, 'string'),
    ('no code', {'code': None}, 'code: missing'),
    ('code is text', {'code': ENDPGM}, 'a list expected'),
    ('no dwords', {'code': []}, '1 to'),
    ('too many dwords', {'code': ['bf800000'] * 70000}, '1 to'),
    ('7 digits', {'code': ['bf81000']}, '8 hexadecimal digits'),
    ('9 digits', {'code': ['bf8100000']}, '8 hexadecimal digits'),
    ('no digits', {'code': ['bf81000g']}, '8 hexadecimal digits'),
    ('blanks', {'code': [' bf81000']}, '8 hexadecimal digits'),
    ('sign', {'code': ['-f810000']}, '8 hexadecimal digits'),
    ('dword is a number', {'code': [3212902400]}, 'string'),
    ('dword is null', {'code': ['bf810000', None]}, 'string'),
    ('short exec', {'exec': 'ffffffff'}, '16 hexadecimal digits'),
    ('long vcc', {'vcc': '0' * 17}, '16 hexadecimal digits'),
    ('scc 2', {'scc': 2}, '0 or 1'),
    ('scc 0.5', {'scc': 0.5}, '0 or 1'),
    ('scc text', {'scc': '1'}, '0 or 1'),
    ('m0', {'m0': '5'}, '8 hexadecimal digits'),
    ('m0 is negative', {'m0': -1}, 'a number from 0'),
    ('m0 is a fraction', {'m0': 0.5}, 'a number from 0'),
    ('mode is too large', {'mode': 2**32}, 'a number from 0'),
    ('mode is true', {'mode': True}, 'string'),
    ('mode', {'mode': '0x0001c0'}, '8 hexadecimal digits'),
    ('sgpr list', {'sgpr': ['00000000']}, 'object'),
    ('sgpr 128', {'sgpr': {'128': '00000000'}}, 'no such register'),
    ('sgpr -1', {'sgpr': {'-1': '00000000'}}, 'no such register'),
    ('sgpr name', {'sgpr': {'s0': '00000000'}}, 'no such register'),
    ('sgpr empty', {'sgpr': {'': '00000000'}}, 'no such register'),
    ('sgpr huge', {'sgpr': {'99999999999999999999': '00000000'}}, 'no such register'),
    ('sgpr twice', {'sgpr': {'1': '00000000', '01': '00000000'}}, 'twice'),
    ('sgpr width', {'sgpr': {'1': '0'}}, '8 hexadecimal digits'),
    ('vgpr 256', {'vgpr': {'256': ['00000000'] * 64}}, 'no such register'),
    ('vgpr 63', {'vgpr': {'0': ['00000000'] * 63}}, '64 dwords'),
    ('vgpr 65', {'vgpr': {'0': ['00000000'] * 65}}, '64 dwords'),
    ('vgpr word', {'vgpr': {'0': '00000000'}}, 'list'),
    ('vgpr nested', {'vgpr': {'0': [['00000000']] * 64}}, 'string'),
    ('lds far', {'lds': {'0x10000': '00'}}, 'beyond'),
    ('lds long', {'lds': {'0xffff': '0000'}}, 'beyond'),
    ('lds huge', {'lds': {'ffffffffffffffff': '00'}}, 'beyond'),
    ('lds odd', {'lds': {'0': '000'}}, 'pair'),
    ('lds number', {'lds': {'0': 5}}, 'string'),
    ('memory digits', {'memory': {'0x1000': 'zz'}}, 'pair'),
    ('memory address', {'memory': {'here': '00'}}, 'no address'),
    ('memory negative', {'memory': {'-4': '00'}}, 'no address'),
    ('memory empty address', {'memory': {'': '00'}}, 'no address'),
    ('memory wraps', {'memory': {'0xffffffffffffffff': '0000'}}, '47 bits'),
    ('memory far', {'memory': {'0x800000000000': '00'}}, '47 bits'),
    ('memory end', {'memory': {'0x7fffffffffff': '0000'}}, '47 bits'),
    ('memory twice', {'memory': {'0x1000': '0000', '0x1001': '00'}}, 'overlaps'),
    ('memory in the code', {'memory': {'0x7effffffff00': '00'}}, 'code'),
    ('memory behind the code', {'memory': {'0x7f0000000000': '00'}}, 'empty'),
    ('memory over the code', {'memory': {'0x7effffffe000': '00' * 0x3000}}, 'code'),
    ('memory list', {'memory': []}, 'object'),
    ('unknown key', {'vgprs': {}}, 'no such key'),
    ('twice', '{"gpu": "gfx900", "gpu": "gfx900", "code": ["bf810000"]}', 'twice'),
]


def bad():
    for name, job, word in BAD:
        if isinstance(job, dict):
            job = {k: v for k, v in {**BASE, **job}.items() if v is not None}
            job = json.dumps(job)
        status, out, err = raw(job)
        eq(name + ': status', status, 2)
        eq(name + ': nothing printed', out, '')
        eq(name + ': ' + err.strip(), err.startswith('tgsiamd-exec: ') and err.count('\n') == 1 and
           (word is None or word in err), True)
    p = subprocess.run([EXEC, '/nonexistent/file.json'], capture_output=True, text=True)
    eq('no file', (p.returncode, 'No such file' in p.stderr), (2, True))
    p = subprocess.run([EXEC, '/'], capture_output=True, text=True)
    eq('a folder', p.returncode, 2)
    for args in ([], ['--no-such-option', 'x'], ['a', 'b'], ['--wrong']):
        p = subprocess.run([EXEC, *args], capture_output=True, text=True)
        eq('usage %s' % args, (p.returncode, p.stdout, 'usage' in p.stderr), (2, '', True))
    p = subprocess.run([EXEC, '--help'], capture_output=True, text=True)
    eq('help', (p.returncode, p.stderr, all('  ' + k in p.stdout for k in ('gpu', 'code', 'sgpr', 'vgpr', 'lds'))), (0, '', True))


def mutations():
    """A sound input with bytes changed, cut or doubled: a state or a refusal, never a crash."""
    rng = random.Random(5)
    text = json.dumps({'gpu': 'gfx900', 'code': ['68020100', 'd81a0000', '00000000', ENDPGM], 'exec': 'f' * 16, 'scc': 1,
                       'sgpr': {'0': '00001000'}, 'lds': {'0x10': '0102'}, 'memory': {'0x200000': 'a0a1'}}).encode()
    for n in range(150):
        t = bytearray(text)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(t) or 1)
            how = rng.randrange(4)
            if not t:
                break
            if how == 0:
                t[at] = rng.choice(b'{}[]",:0f\\ x\xff')
            elif how == 1:
                del t[at:at + rng.randrange(1, 9)]
            elif how == 2:
                t[at:at] = t[at:at + rng.randrange(1, 20)]
            else:
                t = t[:at + 1]
        status, out, err = raw(bytes(t))
        ok = status == 2 and not out and err.startswith('tgsiamd-exec: ') if status not in (0, 1) else \
            'violations' in json.loads(out)
        eq('mutation %d: %d %s' % (n, status, err[:80]), ok, True)


def opcodes():
    p = subprocess.run([EXEC, '--opcodes'], capture_output=True, text=True)
    rows = [line.split() for line in p.stdout.splitlines()]
    eq('opcodes', (p.returncode, all(len(r) == 4 for r in rows), ['s_add_u32', 'SOP2', '0', 'executed'] in rows),
       (0, True, True))


if __name__ == '__main__':
    good()
    stopped()
    bad()
    mutations()
    opcodes()
    finish(count)
