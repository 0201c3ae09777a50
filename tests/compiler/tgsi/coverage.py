#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every opcode of Mesa's list runs in some test as machine code and gives what it should.

coverage.py LIST TEST...   LIST: tgsi_info_opcodes.h; TEST: programs that log what they ran"""
import os
import re
import subprocess
import sys
import tempfile

# Opcodes that these tests cannot run, and where they run.
ELSEWHERE = {
    'EMIT': 'geometry shaders of the GL tests',
    'ENDPRIM': 'geometry shaders of the GL tests',
}


def main():
    listed = set(re.findall(r'^OPCODE\([^,]+,[^,]+,[^,]+, *([A-Z0-9_]+)', open(sys.argv[1]).read(), re.M))
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'opcodes')
        env = dict(os.environ, TGSIAMD_OPCODE_LOG=log)
        for test in sys.argv[2:]:
            if subprocess.run([test], env=env, stdout=subprocess.DEVNULL).returncode:
                print(f'{os.path.basename(test)} fails')
                return 1
        ran = set(open(log).read().split())
    missing = sorted(listed - ran - set(ELSEWHERE))
    stale = sorted(set(ELSEWHERE) & ran)
    print(f'{len(listed)} opcodes, {len(listed & ran)} ran, {len(ELSEWHERE)} elsewhere, {len(missing)} nowhere'
          + (': ' + ' '.join(missing) if missing else ''))
    if stale:
        print('ran, and are said not to: ' + ' '.join(stale))
    return bool(missing or stale)


sys.exit(main())
