#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What stats, dump-frame, pixel, trace and trace-waves say about the demo's
frame, compared with what the application itself read back, with each other, and
between two runs."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib

W, H = 1024, 768
PIXEL = (500, 400)          # column, row of memory: OpenGL's rows begin at the bottom


def read_png(path):
    """(width, height, channels, rows) of an 8-bit PNG without interlace."""
    data = open(path, 'rb').read()
    at, idat = 8, b''
    while at < len(data):
        n, kind = int.from_bytes(data[at:at + 4], 'big'), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + n]
        if kind == b'IHDR':
            w, h = int.from_bytes(body[:4], 'big'), int.from_bytes(body[4:8], 'big')
            bpp = {2: 3, 6: 4}[body[9]]
        elif kind == b'IDAT':
            idat += body
        at += 12 + n
    raw, rows, before = zlib.decompress(idat), [], bytearray(w * bpp)
    for y in range(h):
        kind, row = raw[y * (w * bpp + 1)], bytearray(raw[y * (w * bpp + 1) + 1:(y + 1) * (w * bpp + 1)])
        for i in range(w * bpp):
            a, b = row[i - bpp] if i >= bpp else 0, before[i]
            c = before[i - bpp] if i >= bpp else 0
            paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = row[i] + (0, a, b, (a + b) // 2, paeth)[kind] & 255
        rows.append(row)
        before = row
    return w, h, bpp, rows


class Tools:
    def __init__(self, args, folder):
        self.args, self.folder, self.failed = args, folder, 0
        self.picture = os.path.join(folder, 'demo.png')

    def check(self, ok, what):
        if not ok:
            print('FAILED:', what)
            self.failed += 1

    def demo(self, options, status=0):
        env = dict(os.environ, TGSIAMD_NO_SETUP='1', TGSIAMD_BUILD=self.args.build, TGSIAMD_MODEL=options,
                   MESA_SHADER_CACHE_DISABLE='true')
        run = subprocess.run([os.path.join(self.args.root, 'tgsiamd'), 'run', '--driver', 'radeonsi',
                              os.path.join(self.args.build, 'src/tools/demo/tgsiamd-demo'), '--out', self.picture],
                             env=env, capture_output=True, text=True)
        if status == 0:
            self.check(run.returncode == 0, f'the demo with {options}: {run.stderr[-500:]}')
        return run.stderr

    def stats(self):
        files = [os.path.join(self.folder, f'stats-{i}.json') for i in (1, 2)]
        self.demo('stats=' + files[0])
        self.demo('threads=1,stats=' + files[1])
        self.check(open(files[0]).read() == open(files[1]).read(), 'stats differ between two runs')
        data = json.load(open(files[0]))
        draws, run = data['draws'], data['run']
        self.check(len(draws) == run['draws'] + run['dispatches'] > 50, 'number of draws')
        for key, total in run.items():
            if key in ('submissions', 'packets', 'draws', 'dispatches', 'violations'):
                continue
            of = [d[key] for d in draws]
            if isinstance(total, dict):
                for name, n in total.items():
                    if key not in ('bytes_read', 'bytes_written'): # CP and SDMA work outside draws
                        self.check(sum(v.get(name, 0) for v in of) == n, f'{key}.{name} is not the sum over the draws')
            else:
                self.check(sum(of) == total, f'{key} is not the sum over the draws')
        units = ('salu', 'valu', 'smem', 'vmem', 'lds', 'exp', 'branch')
        self.check(sum(run['inst_' + u] for u in units) <= run['instructions'], 'instructions by kind')
        self.check(run['samples_written'] >= W * H, 'every pixel is written at least once')
        self.check(all(d['cycles'] > 0 and d['bound'] for d in draws), 'every draw takes time')
        self.check('cannot write' in self.demo('stats=/nonexistent/x.json'), 'an unwritable file is reported')

    def dump(self):
        folder = os.path.join(self.folder, 'dump')
        self.demo('dump-frame:' + folder)
        index = open(os.path.join(folder, 'index.html')).read()
        links = re.findall(r'(?:src|href)="([^"]*)"', index)
        self.check(len(links) > 100, 'pictures and texts in the index')
        for link in set(links):
            self.check(os.path.getsize(os.path.join(folder, link)) > 0, f'{link} is linked')
        # The last draw into the window's size is what the application saw.
        sized = re.findall(r'src="(draw-\d+/color-0.png)".*?color-0: %ux%u ' % (W, H), index)
        _, _, bpp, shown = read_png(os.path.join(folder, sized[-1]))
        _, _, app_bpp, app = read_png(self.picture)
        self.picture_rows = app, app_bpp
        same = all(shown[y][x * bpp + c] == app[H - 1 - y][x * app_bpp + c]
                   for y in range(H) for x in range(0, W, 7) for c in range(3))
        self.check(same, 'the dumped target is what the application read back')
        text = open(os.path.join(folder, os.path.dirname(sized[-1]), 'draw.txt')).read()
        for word in ('s_endpgm', 'CB_COLOR0_BASE', 'PA_CL_VPORT_XSCALE', 'VGT_PRIMITIVE_TYPE', 'FORMAT=COLOR_8_8_8_8'):
            self.check(word in text, f'{word} in draw.txt')
        self.check(not os.path.exists(self.folder + '/no') and 'folder' in self.demo('dump-frame:/nonexistent/x', 1),
                   'a folder that cannot be made is reported')

    def pixel(self):
        x, y = PIXEL
        err = self.demo(f'pixel={x}:{y}')
        lines = [l for l in err.splitlines() if l.startswith(f'tgsiamd-model: pixel {x}:{y}, draw ')]
        now = [l for l in lines if ' target 0 is now ' in l]
        app, bpp = self.picture_rows
        want = [app[H - 1 - y][x * bpp + c] for c in range(3)]
        got = [round(float(v) * 255) for v in now[-1].split(' is now ')[1].split()[:3]]
        self.check(got == want, f'the pixel ends as {got}, the application read {want}')
        self.check(any('pass the tests' in l for l in lines), 'depth tests are told')
        draw = re.search(r'draw (\d+)', next(l for l in reversed(now) if l != now[-1])).group(1)
        waves = [l for l in self.demo(f'pixel={x}:{y},trace-waves={draw}').splitlines() if l.startswith('wave ')]
        ends = [l for l in waves if 's_endpgm' in l and ' exp ' not in l]
        pixel_ends = sum(' exp mrt' in l for l in waves)
        self.check(waves and ends and 0 < pixel_ends <= 4, f'{pixel_ends} pixel waves are traced')

    def trace(self):
        err = self.demo('trace')
        for text in (r'CONTEXT_CONTROL load=0x80000000 shadow=0x80000000', r'DRAW_INDEX_2 max_size=\d+ address=0x',
                     r'\* CB_COLOR0_INFO 0x[0-9a-f]{8} .*FORMAT=COLOR_8_8_8_8', r'draw \d+: \d+ indices, 1 instances',
                     r'EVENT_WRITE CACHE_FLUSH_AND_INV_TS_EVENT|RELEASE_MEM event=', r'VGT_HOS_MAX_TESS_LEVEL 0x42800000 \(64\)'):
            self.check(re.search(text, err), f'the trace has {text}')

    def bad_options(self):
        for option in ('pixel=5', 'pixel=a:b', 'dump-frame=0', 'dump-frame=5-2', 'dump-frame:', 'stats=', 'nonsense'):
            self.check('unknown option' in self.demo(option, 1), f'{option} is refused')
        self.check('dump-frame' in self.demo('help') and 'pixel=' in self.demo('help'), 'help lists the tools')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--root', required=True)
    parser.add_argument('--build', required=True)
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(parser.parse_args(), folder)
        for step in (tools.stats, tools.dump, tools.pixel, tools.trace, tools.bad_options):
            step()
    return 1 if tools.failed else 0


if __name__ == '__main__':
    sys.exit(main())
