# SPDX-License-Identifier: MIT
"""Programs of about N instructions with much control flow, as lists of lines;
what begins all programs of the scaling test stands here, too."""


def head():
    return ['FRAG', 'DCL IN[0], GENERIC[0], PERSPECTIVE', 'DCL IN[1], GENERIC[1], PERSPECTIVE', 'DCL OUT[0], COLOR',
            'DCL CONST[0][0..255]']


def mad(k):
    return f'MAD TEMP[0], TEMP[0].yzwx, IN[1], CONST[0][{k % 256}]'


def condition(k):
    return [f'FSLT TEMP[1].x, TEMP[0].xxxx, CONST[0][{k % 256}].xxxx', 'UIF TEMP[1].xxxx']


def switch(n):
    """One SWITCH; every third case falls through to the next."""
    cases = n // 3
    body = ['MOV TEMP[0], IN[0]', 'F2U TEMP[1].x, IN[1].xxxx', 'SWITCH TEMP[1].xxxx']
    for k in range(cases):
        body += [f'CASE IMM[{k}].xxxx', mad(k)] + (['BRK'] if k % 3 else [])
    return (head() + ['DCL TEMP[0..1]'] + [f'IMM[{k}] UINT32 {{{k * 3}, 0, 0, 0}}' for k in range(cases)] + body +
            ['DEFAULT', 'MOV TEMP[0], IN[1]', 'BRK', 'ENDSWITCH', 'MOV OUT[0], TEMP[0]'])


def leaves(n, kinds):
    """Some lanes leave in the middle, one way or the other."""
    body = []
    for k in range(n // 5):
        body += [mad(k)] + condition(k) + [kinds[k % len(kinds)], 'ENDIF']
    return body


def breaks(n):
    return (head() + ['DCL TEMP[0..1]', 'MOV TEMP[0], IN[0]', 'BGNLOOP'] + leaves(n, ['BRK', 'CONT', 'BRK']) +
            ['BRK', 'ENDLOOP', 'MOV OUT[0], TEMP[0]'])


def returns(n):
    """From ifs in both arms of an `if`, and from a subroutine."""
    body = ['MOV TEMP[0], IN[0]', 'CAL :{}']
    for k in range(n // 26):
        body += [f'UIF CONST[0][{k % 256}].{"xyzw"[k % 4] * 4}'] + leaves(10, ['RET']) + ['ELSE'] + leaves(10, ['RET']) + ['ENDIF', mad(k)]
    body += ['MOV OUT[0], TEMP[0]', 'END']
    body[1] = f'CAL :{len(body)}'
    return head() + ['DCL TEMP[0..1]'] + body + ['BGNSUB'] + leaves(n // 8, ['RET']) + ['ENDSUB']


def calls(n):
    """Of one subroutine with an early return."""
    count = n // 8
    body = ['MOV TEMP[0], IN[0]'] + [f'CAL :{count + 3}'] * count + ['MOV OUT[0], TEMP[0]', 'END', 'BGNSUB']
    return head() + ['DCL TEMP[0..1]'] + body + condition(5) + [mad(6), 'RET', 'ENDIF', mad(7), 'ENDSUB']


def deep_ifs(n):
    """As deep as ifs may be, one such nest after the other."""
    body, depth = ['MOV TEMP[0], IN[0]'], 28
    for k in range(n // (8 * depth)):
        for i in range(depth):
            body += [mad(k + i)] + condition(k + 3 * i)
        body += [mad(k)]
        for i in range(depth):
            body += ['ELSE', f'ADD TEMP[0], TEMP[0], CONST[0][{(k + i) % 256}]', 'RCP TEMP[0].x, TEMP[0].xxxx', 'ENDIF']
    return head() + ['DCL TEMP[0..1]'] + body + ['MOV OUT[0], TEMP[0]']


def alive(body):
    """64 values that live through all of the body, which changes some of them."""
    temps = range(2, 18)
    return (head() + ['DCL TEMP[0..17]', 'MOV TEMP[0], IN[0]'] +
            [f'MAD TEMP[{t}], IN[{t % 2}], CONST[0][{t}].{"xyzw"[t % 4:] + "xyzw"[:t % 4]}, IN[0].yzwx' for t in temps] + body +
            [f'MAD TEMP[0], TEMP[0].yzwx, TEMP[{t}], IN[1]' for t in temps] + ['MOV OUT[0], TEMP[0]'])


def change(k):
    return f'MAD TEMP[{2 + k % 16}], TEMP[{2 + k % 16}].yzwx, TEMP[{2 + k // 16 % 16}], TEMP[0].xxxx'


def alive_in_ifs(n):
    body = []
    for k in range(n // 8):
        body += [mad(k)] + condition(k) + [change(k), 'RCP TEMP[0].x, TEMP[0].xxxx', 'ELSE', change(3 * k), 'ENDIF']
    return alive(body)


def alive_in_breaks(n):
    body = ['BGNLOOP']
    for k in range(n // 6):
        body += [mad(k), change(k)] + condition(k) + [['BRK', 'CONT'][k % 2], 'ENDIF']
    return alive(body + ['BRK', 'ENDLOOP'])


def outputs(n):
    """Written here and there under conditions that become selects: one long block at last."""
    body = ['MOV TEMP[0], IN[0]']
    for k in range(n // 5):
        body += [mad(k)] + condition(k) + [f'MOV OUT[{k % 16}].{"xyzw"[k // 16 % 4]}, TEMP[0]', 'ENDIF']
    return (['VERT', 'DCL IN[0]', 'DCL IN[1]', 'DCL OUT[0], POSITION'] + [f'DCL OUT[{i}], GENERIC[{i}]' for i in range(1, 16)] +
            ['DCL CONST[0][0..255]', 'DCL TEMP[0..1]'] + body)


def waterfalls(n):
    """A loop for each texture by the same index, which lies ever further back."""
    body = ['MOV TEMP[0], IN[0]', 'F2U TEMP[1].x, TEMP[0].xxxx', 'UARL ADDR[0].x, TEMP[1].xxxx']
    for k in range(n // 10):
        body += [f'TEX TEMP[2], TEMP[0], SAMP[ADDR[0].x+{k % 8}], 2D', 'ADD TEMP[0], TEMP[0], TEMP[2]']
    return (head() + ['DCL SAMP[0..15]', 'DCL SVIEW[0..15], 2D, FLOAT', 'DCL ADDR[0]', 'DCL TEMP[0..2]'] + body +
            ['MOV OUT[0], TEMP[0]'])


def rounds(n):
    """Many values that begin alike and change in each round of a loop."""
    t = min(n // 3, 600)
    body = [f'MOV TEMP[{i}].x, IN[0].{"xyzw"[i % 4] * 4}' for i in range(2, t)] + ['MOV TEMP[0], IN[0]']
    for k in range(n // (3 * t)):
        body += ['BGNLOOP'] + [f'MAD TEMP[{i}].x, TEMP[{i}].xxxx, IN[1].xxxx, TEMP[{i + 1}].xxxx' for i in range(2, t - 1)]
        body += [mad(k)] + condition(k) + ['BRK', 'ENDIF', 'ENDLOOP']
    body += [f'ADD TEMP[0].x, TEMP[0].xxxx, TEMP[{i}].xxxx' for i in range(2, t)]
    return head() + [f'DCL TEMP[0..{t}]'] + body + ['MOV OUT[0], TEMP[0]']


def far_values(n):
    """300 variables, each changed in one `if` of many that it lives through."""
    t = 300
    body = [f'MOV TEMP[{i + 2}].x, IN[0].xxxx' for i in range(t)] + ['MOV TEMP[0], IN[0]']
    for k in range(n // 5):
        body += condition(k) + [f'MUL TEMP[{k * 7 % t + 2}].x, TEMP[0].xxxx, IN[1].yyyy', 'RCP TEMP[0].y, TEMP[0].yyyy', 'ENDIF']
    return (head() + [f'DCL TEMP[0..{t + 2}]'] + body + [f'ADD TEMP[0], TEMP[0], TEMP[{i + 2}].xxxx' for i in range(t)] +
            ['MOV OUT[0], TEMP[0]'])


def values_in_loops(n):
    """Ever more variables, each changed in one loop of those that it lives through."""
    t = n // 10
    body = [f'MOV TEMP[{i + 2}].x, IN[0].{"xyzw"[i % 4] * 4}' for i in range(t)] + ['MOV TEMP[0], IN[0]']
    for k in range(t):
        body += ['BGNLOOP'] + condition(k) + ['BRK', 'ENDIF', mad(k)]
        body += [f'MUL TEMP[{k + 2}].x, TEMP[{k * 7 % t + 2}].xxxx, IN[1].yyyy', 'ENDLOOP']
    return (head() + [f'DCL TEMP[0..{t + 2}]'] + body + [f'ADD TEMP[0], TEMP[0], TEMP[{i + 2}].xxxx' for i in range(t)] +
            ['MOV OUT[0], TEMP[0]'])


FLOW_SHAPES = {'switch': switch, 'breaks': breaks, 'returns': returns, 'calls': calls, 'deep ifs': deep_ifs,
               '64 values in ifs': alive_in_ifs, '64 values, breaks': alive_in_breaks,
               'outputs': outputs, 'waterfalls': waterfalls, 'rounds': rounds,
               'far values': far_values, 'values in loops': values_in_loops}
