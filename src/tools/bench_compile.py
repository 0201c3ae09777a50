# SPDX-License-Identifier: MIT
"""`./tgsiamd bench compile`: the compiler beside radeonsi's LLVM, on GLSL that
exists: every 20th shader_test of piglit in name order, and the programs of
tests/compiler/glsl.

Both drivers link every program and draw with it once, the model executing
nothing (TGSIAMD_MODEL=null), on one CPU and without a shader cache. The front
end (GLSL to what the driver is given) is the same run with GALLIUM_NOOP=1; what
a driver takes beyond that is its back end: a few hundredths of the whole, so that
programs are timed one by one, and runs of both kinds take turns.

Vertex and geometry shader are one program on GFX9. tgsiamd reports it as that;
radeonsi reports its two parts, which count together here: code and spills summed,
registers of the larger, waves of the fewer. Nobody reports a copy shader, and
radeonsi's numbers are those of main parts, without prologs and epilogs.

Some are drawn once more with execution on and with values in their uniforms:
instructions and clocks of a wave, and those clocks divided by the waves that fit,
which is what a draw takes that waits for memory."""

import json
import math
import os
import re
import statistics
import subprocess
import tempfile

DRIVERS = ['tgsiamd', 'radeonsi']
PIGLIT = '/usr/lib/x86_64-linux-gnu/piglit'
STEP, QUICK_STEP = 20, 200
EXECUTED, WORST = 30, 10
OWN_REPEAT = 10 # the own programs are few: tgsiamd links and draws each so often, and the median counts
FIELDS = {'SGPRs': r'SGPRS: (\d+)', 'VGPRs': r'VGPRS: (\d+)', 'code bytes': r'Code Size: (\d+)',
          'waves per SIMD': r'Max Waves: (\d+)', 'spilled SGPRs': r'Spilled SGPRs: (\d+)',
          'spilled VGPRs': r'Spilled VGPRs: (\d+)'}
MERGE = {'SGPRs': max, 'VGPRs': max, 'waves per SIMD': min} # the rest is summed
GEOMEAN = ['SGPRs', 'VGPRs', 'code bytes', 'waves per SIMD']


def piglit_programs(step):
    found = [os.path.join(folder, name) for top in ('generated_tests', 'tests')
             for folder, _, names in os.walk(os.path.join(PIGLIT, top)) for name in names
             if name.endswith('.shader_test')]
    return sorted(found)[::step]


def own_programs(root):
    folder = os.path.join(root, 'tests/compiler/glsl')
    return sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith('.shader_test'))


def merge(stages):
    """Vertex and geometry shader as the one program that they are."""
    if 'GS' in stages and 'VS' in stages:
        vs, gs = stages.pop('VS'), stages['GS']
        stages['GS'] = {f: MERGE[f](vs[f], gs[f]) if f in MERGE else vs[f] + gs[f] for f in gs}


class Runner:
    """tgsiamd-shaderdb on a driver."""

    def __init__(self, root, build, folder):
        self.root = root
        self.tool = os.path.join(build, 'src/tools/shaderdb/tgsiamd-shaderdb')
        self.list = os.path.join(folder, 'programs')
        # One compile thread: radeonsi takes as many as there are CPUs.
        self.cpu = min(os.sched_getaffinity(0))

    def run(self, driver, programs, *options, **variables):
        """stdout, stderr, exit status, seconds of user time of the process."""
        with open(self.list, 'w') as f:
            f.write('\n'.join(programs) + '\n')
        # Mesa's NIR, which a driver's build may check after every step, is nobody's back end.
        env = dict(os.environ, TGSIAMD_NO_SETUP='1', MESA_SHADER_CACHE_DISABLE='true', NIR_DEBUG='novalidate',
                   **{'TGSIAMD_MODEL': 'null', **variables})
        with tempfile.TemporaryFile('w+', errors='replace') as out, tempfile.TemporaryFile('w+', errors='replace') as err:
            p = subprocess.Popen(['taskset', '-c', str(self.cpu), os.path.join(self.root, 'tgsiamd'), 'run',
                                  '--driver', driver, self.tool, *options, '@' + self.list],
                                 env=env, stdout=out, stderr=err)
            _, status, usage = os.wait4(p.pid, 0)
            p.returncode = status
            out.seek(0)
            err.seek(0)
            return out.read(), err.read(), status, usage.ru_utime

    def stats(self, driver, programs):
        """{program: {stage: {field: number}}} of those that can be drawn. A
        program that ends the process is left out and the rest goes on."""
        result, todo = {}, list(programs)
        while todo:
            out, _, status, _ = self.run(driver, todo, '--stats', GALLIUM_THREAD='0') # threads drop messages
            blocks = re.split(r'^(?=/)', out, flags=re.M)
            done = [b for b in blocks if b.startswith('/')]
            for block in done:
                lines = block.splitlines()
                if len(lines) < 2 or lines[-1].strip() != 'ok':
                    continue
                stages = {}
                for line in lines[1:-1]:
                    stage = re.search(r'\((\w+), W\d+\)', line)
                    if stage:
                        stages[stage.group(1)] = {f: int(re.search(p, line).group(1)) for f, p in FIELDS.items()}
                if stages:
                    merge(stages)
                    result[lines[0]] = stages
            if status == 0:
                break
            print(f'{driver} ends with status {status} at {done[-1].splitlines()[0] if done else "the start"}')
            todo = todo[len(done):] if done else []
        return result


def geomean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float('nan')


def cpu_times(runner, driver, programs, repeat, **variables):
    """{program: seconds of CPU time, the median of `repeat`}, without glCompileShader.
    Not the fastest: the other driver does a program once, and has no choice."""
    out = runner.run(driver, programs, '--times', '--repeat', str(repeat), **variables)[0]
    return {m[1]: float(m[2]) / 1e6 for m in re.finditer(r'^(/.*)\n   ([\d.]+) us$', out, flags=re.M)}


def back_end(runner, programs, runs, repeat):
    """{driver: (back end, its quartiles over the runs, front end)} in seconds for
    doing all programs once. Of each program the median counts of what pairs of
    runs, one behind the other, differ by: whatever else the machine does goes
    both ways. radeonsi does programs once a run: it keeps what it compiled."""
    pairs = {d: [] for d in DRIVERS}
    times = {'tgsiamd': repeat, 'radeonsi': 1}
    for i in range(runs):
        for d in DRIVERS:
            pair = {}
            for noop in ((False, True), (True, False))[i % 2]:
                pair[noop] = cpu_times(runner, d, programs, times[d], **({'GALLIUM_NOOP': '1'} if noop else {}))
            pairs[d].append(pair)
    result = {}
    for d in DRIVERS:
        timed = [p for p in programs if all(p in t for pair in pairs[d] for t in pair.values())]
        back = sum(statistics.median(pair[False][p] - pair[True][p] for pair in pairs[d]) for p in timed)
        each = sorted(sum(pair[False][p] - pair[True][p] for p in timed) for pair in pairs[d])
        front = sum(min(pair[True][p] for pair in pairs[d]) for p in timed)
        result[d] = (back, (each[len(each) // 4], each[-1 - len(each) // 4]), front)
    return result


def compiler_time(runner, programs, repeat):
    """Seconds inside tgsiamd_compile alone for all programs once, by the driver's own clock."""
    err = runner.run('tgsiamd', programs, '--repeat', str(repeat), TGSIAMD_DEBUG='times')[1]
    return sum(float(t) for t in re.findall(r'compiled in ([\d.]+) us', err)) / 1e6 / repeat


def compare(runner, title, programs, runs, repeat=1):
    stats = {d: runner.stats(d, programs) for d in DRIVERS}
    both = [p for p in programs if all(p in stats[d] for d in DRIVERS)]
    # radeonsi joins stages and adds shaders of its own: what both have counts.
    shaders = [(p, s) for p in both for s in stats['tgsiamd'][p] if s in stats['radeonsi'][p]]
    print(f'{title}: {len(programs)} programs, of which both drivers draw {len(both)} '
          f'(tgsiamd {len(stats["tgsiamd"])}, radeonsi {len(stats["radeonsi"])}); {len(shaders)} shaders')
    if not shaders:
        return stats, both
    times = back_end(runner, both, runs, repeat)
    ours, theirs = (times[d][0] for d in DRIVERS)
    print(f'  back end, radeonsi / tgsiamd:       {theirs / ours:8.2f}')
    for d in DRIVERS:
        back, quartiles, front = times[d]
        low, high = (q / len(shaders) * 1e3 for q in quartiles)
        print(f'  {d:9} back end {back:.3f} s, {back / len(shaders) * 1e3:.3f} ms a shader '
              f'(runs: {low:.3f} to {high:.3f}); front end without glCompileShader {front:.3f} s')
    print(f'  tgsiamd   inside the compiler {compiler_time(runner, both, repeat) / len(shaders) * 1e3:.3f} ms a shader')
    print(f'  {"tgsiamd / radeonsi":26} {"geomean":>8} {"sums":>8}')
    for field in FIELDS:
        pair = [tuple(stats[d][p][s][field] for d in DRIVERS) for p, s in shaders]
        sums = [sum(x[i] for x in pair) for i in (0, 1)]
        mean = f'{geomean([a / b for a, b in pair if a and b]):8.3f}' if field in GEOMEAN else ' ' * 8
        ratio = f'{sums[0] / sums[1]:8.3f}' if sums[1] else '       -'
        print(f'  {field:26} {mean} {ratio}   ({sums[0]} / {sums[1]})')
    return stats, both


def executed(runner, driver, program, folder):
    """{stage: (instructions, clocks) of one wave} of the draw with the program."""
    name = os.path.join(folder, 'stats.json')
    if os.path.exists(name):
        os.unlink(name)
    runner.run(driver, [program], '--values', TGSIAMD_MODEL='stats=' + name)
    try:
        with open(name) as f:
            draw = json.load(f)['draws'][-1]
    except (OSError, ValueError, IndexError):
        return {}
    return {s: (draw['stage_instructions'][s] / n, draw['wave_cycles'][s] / n) for s, n in draw['waves'].items()}


def compare_executed(runner, stats, both, folder, count):
    """Draws of the programs alone: no clears, copies or readbacks of the drivers."""
    pairs, programs = [], 0
    for program in both[::max(1, len(both) // count)][:count]:
        ran = [executed(runner, d, program, folder) for d in DRIVERS]
        stages = [s for s in ran[0] if s in ran[1] and all(s in stats[d][program] for d in DRIVERS)]
        programs += bool(stages)
        for s in stages:
            pairs.append([(*ran[i][s], ran[i][s][1] / stats[d][program][s]['waves per SIMD'])
                          for i, d in enumerate(DRIVERS)])
    print(f'executed: {programs} programs, {len(pairs)} shaders; of a wave')
    for i, what in enumerate(('instructions issued', 'estimated clocks', 'clocks / waves that fit')):
        if pairs:
            sums = [sum(p[d][i] for p in pairs) for d in (0, 1)]
            print(f'  {what:26} {geomean([p[0][i] / p[1][i] for p in pairs]):8.3f} {sums[0] / sums[1]:8.3f}   '
                  f'({sums[0]:.0f} / {sums[1]:.0f})')


def print_worst(runner, stats, both, count):
    def size(driver, program):
        return sum(s['code bytes'] for stage, s in stats[driver][program].items()
                   if all(stage in stats[d][program] for d in DRIVERS))

    def excess(program):
        return size('tgsiamd', program) - size('radeonsi', program)

    for program in sorted(both, key=excess, reverse=True)[:count]:
        print(f'\n=== {program}: {size("tgsiamd", program)} bytes, radeonsi {size("radeonsi", program)}')
        for driver, variables in (('tgsiamd', {'TGSIAMD_DEBUG': 'asm'}),
                                  ('radeonsi', {'AMD_DEBUG': 'vs,gs,ps,cs,noir,nonir'})):
            _, err, _, _ = runner.run(driver, [program], **variables)
            print(f'--- {driver}\n{err.rstrip()}')


def bench_compile(root, build, runs, quick, worst):
    runs = max(3, min(runs, 5))
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(root, build, folder)
        stats, both = compare(runner, 'tests/compiler/glsl', own_programs(root), runs, OWN_REPEAT)
        compare_executed(runner, stats, both, folder, EXECUTED)
        stats, both = compare(runner, f'every {QUICK_STEP if quick else STEP}th shader_test of piglit',
                              piglit_programs(QUICK_STEP if quick else STEP), 1 if quick else runs)
        compare_executed(runner, stats, both, folder, EXECUTED)
        print_worst(runner, stats, both, worst)
