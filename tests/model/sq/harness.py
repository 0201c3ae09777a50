# SPDX-License-Identifier: MIT
"""Runs machine code on the sequencer through tgsiamd-exec."""
import json
import os
import random
import shutil
import struct
import subprocess
import sys

EXEC = os.environ.get('TGSIAMD_EXEC', 'build/src/tools/exec/tgsiamd-exec')
MC = next((m for m in ('llvm-mc-22', 'llvm-mc-19', 'llvm-mc') if shutil.which(m)), None)
TWIN = os.environ.get('TGSIAMD_EXEC_TWIN')  # another build that must print the same
failures = []


def need_assembler():
    if MC is None:
        print('SKIP: no llvm-mc')
        sys.exit(77)


def assemble(text):
    p = subprocess.run([MC, '-arch=amdgcn', '-mcpu=gfx900', '-show-encoding'], input=text,
                       capture_output=True, text=True)
    if p.returncode:
        sys.exit(p.stderr)
    code = []
    for line in p.stdout.splitlines():
        if 'encoding: [' in line:
            b = bytes(int(x, 16) for x in line.split('encoding: [')[1].split(']')[0].split(','))
            code += ['%08x' % x for x in struct.unpack('<%dI' % (len(b) // 4), b)]
    return code


# With TGSIAMD_SQ_LIST nothing runs: finish() prints the opcodes that the test's
# vectors contain, for the table of test_coverage.py.
LIST = os.environ.get('TGSIAMD_SQ_LIST')
listed = set()


class Blank(dict):
    def __init__(self, given, value):
        super().__init__(given or {})
        self.value = value

    def __missing__(self, key):
        return self.value


def only_list(code, state):
    if isinstance(code, str):
        for line in code.splitlines():
            words_ = line.split('//')[0].split()
            if words_:
                listed.add(words_[0])
    return {'vgpr': Blank(state.get('vgpr'), ['0' * 8] * 64), 'sgpr': Blank(None, '0' * 8), 'exec': '0' * 16, 'vcc': '0' * 16,
            'scc': 0, 'm0': '0' * 8, 'mode': '0' * 8, 'lds': Blank(state.get('lds'), '00' * 256),
            'memory': Blank(state.get('memory'), '00' * 4096), 'violations': []}


def execute(code, **state):
    if LIST:
        return only_list(code, state)
    job = {'gpu': 'gfx900', 'code': assemble(code) if isinstance(code, str) else code}
    job.update(state)
    for key, digits in (('exec', 16), ('vcc', 16), ('m0', 8), ('mode', 8)):
        if key in job:
            job[key] = job[key].zfill(digits)
    if 'sgpr' in job:
        job['sgpr'] = {k: v.zfill(8) for k, v in job['sgpr'].items()}
    p = subprocess.run([EXEC, '-'], input=json.dumps(job), capture_output=True, text=True)
    if p.returncode not in (0, 1):
        sys.exit('tgsiamd-exec: exit status %d: %s' % (p.returncode, p.stderr))
    if TWIN:
        twin = subprocess.run([TWIN, '-'], input=json.dumps(job), capture_output=True, text=True)
        if twin.stdout != p.stdout:
            failures.append('twin')
            print('%s prints something else for %s' % (TWIN, json.dumps(job)))
    return json.loads(p.stdout)


def words(values):
    """64 lanes, repeated when fewer are given."""
    values = list(values)
    return ['%08x' % (values[i % len(values)] & 0xffffffff) for i in range(64)]


def lanes(result, reg):
    return [int(x, 16) for x in result['vgpr'][str(reg)]]


def check(name, got, want, note=''):
    if LIST:
        return
    if got != want:
        failures.append(name)
        if len(failures) < 60:
            g = '%#x' % got if isinstance(got, int) else got
            w = '%#x' % want if isinstance(want, int) else want
            print('FAIL %s: got %s, want %s %s' % (name, g, w, note))


def finish(count):
    if LIST:
        print('\n'.join(sorted(listed)))
        sys.exit(0)
    print('%d checked, %d wrong' % (count, len(failures)))
    sys.exit(1 if failures else 0)


rng = random.Random(20)
F32_SPECIAL = [0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
               0x7f812345, 1, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
               0x3f000000, 0x3f7fffff, 0x40200000, 0x3fc00000, 0xbfc00000, 0x4b000001, 0x4b800000,
               0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x33800000, 0x41a00000, 0x437f8000]
F16_SPECIAL = [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7d00, 1, 0x8001, 0x03ff,
               0x0400, 0x7bff, 0xfbff, 0x3800, 0x3bff, 0x4100, 0x3555, 0x6400, 0x7800]
F64_SPECIAL = [0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
               0x380fffffe0000000, 0xb80fffffefffffff,
               0x7ff8000000000000, 0xfff8000000001234, 0x7ff0000000001234, 1, 0x000fffffffffffff,
               0x0010000000000000, 0x7fefffffffffffff, 0x3fe0000000000000, 0x4004000000000000,
               0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0x41efffffffe00000, 0x41f0000000000000]
INT_SPECIAL = [0, 1, 2, 0xffffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0x8000, 0x7fff, 0xffff, 0x10000,
               31, 32, 33, 0xff, 0x800000, 0x7fffff, 0x01234567, 0x55555555, 0xaaaaaaaa]


def pick(kind):
    """A value: special one time in three. f32n: no subnormal one."""
    if kind == 'f32n':
        u = pick('f32')
        return u if u & 0x7f800000 else u & 0x80000000
    special = {'f32': F32_SPECIAL, 'f16': F16_SPECIAL, 'f64': F64_SPECIAL, 'u32': INT_SPECIAL}.get(kind)
    if special and rng.random() < 0.34:
        return rng.choice(special)
    if kind == 'f32':
        if rng.random() < 0.5:  # near each other
            return rng.getrandbits(1) << 31 | rng.randrange(118, 140) << 23 | rng.getrandbits(23)
        return rng.getrandbits(32)
    if kind == 'f16':
        return rng.getrandbits(16)
    if kind == 'f64':
        if rng.random() < 0.5:
            return rng.getrandbits(1) << 63 | rng.randrange(1000, 1050) << 52 | rng.getrandbits(52)
        return rng.getrandbits(64)
    if kind == 'u64':
        return rng.getrandbits(64)
    if kind == 'shift':
        return rng.choice([0, 1, 5, 15, 16, 31, 32, 40, 63, 64, 0xffffffff])
    return rng.getrandbits(rng.choice([8, 16, 24, 32, 32]))
