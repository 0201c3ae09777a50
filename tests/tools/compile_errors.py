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
    ('', ': the file is empty'),
    (HEAD + 'MOV OUT[0], IMM[0]\0\nEND\n', ': a zero byte is no text'),
    ('\x01\x02\x03', ':1: the first line must name a processor'),
    (HEAD + '0: BGNSUB\n1: END\n', 'BGNSUB: this opcode is not supported'),
    (HEAD + '0: MOV OUT[0], TEMP[0]\n1: END\n', 'TEMP[0]'),
    (HEAD + 'DCL TEMP[0..4000000000]\n0: END\n', ':4: index 4000000000 is beyond the limit of 16383'),
    (HEAD + 'DCL CONST[31][0..16384]\n' * 20 + '0: END\n', ':4: index 16384 is beyond the limit of 16383'),
    (HEAD + 'DCL TEMP[5 .. 2]\n0: END\n', ':4: the range 5..2 ends before it begins'),
    ('FRAG\nDCL OUT[0], FROB\n0: END\n', ':2: what follows DCL is malformed'),
    (HEAD + 'DCL SV[0], FROB\n0: END\n', ':4: what follows DCL is malformed'),
    (HEAD + 'DCL SVIEW[0], 2D, FROB\n0: END\n', ':4: what follows DCL is malformed'),
    (HEAD + '0: ENDIF\n1: END\n', 'ENDIF'),
    (HEAD + 'MOV OUT[0], IMM[0]\n' * 70000 + 'FROB\nEND\n', ":70004: there is no opcode 'FROB'"),
    (HEAD, ': the program has no END'),
]
OPTIONS = [
    # arguments, exit status, what the message must have
    (['--repeat', 'often'], 2, '--repeat takes a number'),
    (['--repeat', '-1'], 2, '--repeat takes a number'),
    (['--col-format', '100000000'], 2, '--col-format takes a hexadecimal number'),
    (['--gpu', 'gfx9000'], 2, "unknown GPU `gfx9000'"),
    (['--gpu', 'navi21'], 1, 'the compiler has no target gfx1030'),
    (['--from-ir'], 1, "line 1: unknown stage `FRAG'"),
    (['-o', '/dev/full'], 1, 'No space left on device'),
    (['/'], 1, ': Is a directory'),
    ([], 0, ''),
]


def complaint(program, text, arguments, status, wanted):
    """True when it says something else."""
    with tempfile.NamedTemporaryFile('w', suffix='.tgsi', newline='') as f:
        f.write(text)
        f.flush()
        files = [] if '/' in arguments else [f.name]
        run = subprocess.run([program] + arguments + files, capture_output=True, text=True)
    lines = run.stderr.strip().splitlines()
    if run.returncode == status and len(lines) == (status != 0) and wanted in ''.join(lines):
        return False
    print(f'wanted exit status {status} and one line with "{wanted}", got {run.returncode} and: {run.stderr}')
    return True


def main():
    failed = 0
    for text, wanted in CASES:
        failed += complaint(sys.argv[1], text, [], 1, wanted)
    good = HEAD.replace('\n', '\r\n') + 'MOV OUT[0], IMM[0]\r\nEND\r\n'
    for arguments, status, wanted in OPTIONS:
        failed += complaint(sys.argv[1], good, arguments, status, wanted)
    count = len(CASES) + len(OPTIONS)
    print(f'{count - failed} of {count} cases')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
