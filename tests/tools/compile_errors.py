#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tgsiamd-compile says to bad input: exit status 1 and one line that names
the place and the reason. Texts and expectations follow TGSI's syntax."""

import subprocess
import sys
import tempfile

HEAD = 'FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\n'
CASES = [
    # text, what the message must have
    (HEAD + '0: FROB OUT[0], IMM[0]\n1: END\n', ':4: there is no opcode \'FROB\''),
    (HEAD + '0: MOV OUT[0] IMM[0]\n1: END\n', ':4: what follows MOV is malformed'),
    (HEAD + '0: MOV_SAT OUT[0], IMM[\n1: END\n', ':4: what follows MOV_SAT is malformed'),
    ('FRAG\nDCL NOWHERE[0]\n0: END\n', ':2: what follows DCL is malformed'),
    ('PIXELS\n0: END\n', ':1: the first line must name a processor'),
    ('\x01\x02\x03', ':1: the first line must name a processor'),
    (HEAD + '0: BGNSUB\n1: END\n', 'BGNSUB: this opcode is not supported'),
    (HEAD + '0: MOV OUT[0], TEMP[0]\n1: END\n', 'TEMP[0]'),
    (HEAD + 'DCL TEMP[0..4000000000]\n0: END\n', ':4: index 4000000000 is beyond the limit of 32767'),
    (HEAD + '0: ENDIF\n1: END\n', 'ENDIF'),
]


def main():
    failed = 0
    for text, wanted in CASES:
        with tempfile.NamedTemporaryFile('w', suffix='.tgsi') as f:
            f.write(text)
            f.flush()
            run = subprocess.run([sys.argv[1], f.name], capture_output=True, text=True)
        lines = run.stderr.strip().splitlines()
        if run.returncode != 1 or len(lines) != 1 or wanted not in lines[0]:
            print(f'wanted exit status 1 and one line with "{wanted}", got {run.returncode} and: {run.stderr}')
            failed += 1
    print(f'{len(CASES) - failed} of {len(CASES)} cases')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
