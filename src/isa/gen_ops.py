#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes isa_ops.h (enum isa_op) and isa_tables.c from ops.csv, variants.csv,
latencies.csv, processors.csv and features.csv.

Columns of ops.csv: name, native encoding, operand types (dst, dst2, src0..3),
unit, counters, latency, flags, then one column a generation. A generation's
cell is empty (no such instruction) or `[ENC:]opcode[/name]`: ENC where the
native encoding differs from the row's, name where the mnemonic does.

An operand type is a letter and its bits: b32, u32, i64, f16 (a half), ...;
`mask` is a lane mask, `pk16` packed halves, `b*` a width that follows from the
instruction. Widths are wave64's; `+` behind one says that wave32 has twice as
much, for half the lanes hold a whole matrix. VOP1, VOP2, VOPC and VINTRP rows have no row for their VOP3 form:
its number follows from VOP3_BASE.

A latency is a class, a row of latencies.csv: clocks per generation, empty where
nothing of the class exists. Row ISSUE is no class: clocks from a wave's
instruction to its next.

variants.csv tells where a generation differs from the row: which of SDWA (s),
DPP (d; D: decoded, never encoded) and DPP8 (8) exist there (- says that VOP3
does not), and the modifiers (`*`: as in ops.csv).

processors.csv has LLVM's names: the generation, features by which the processor
differs from it, VGPRs per SIMD and their granule where they are others, hazards
of the generation that it does not have; a reason instead, when the tables do not hold for it. A row of
features.csv says what an op is with a feature: `-` absent, `=GEN` as in that
generation, or a cell as in ops.csv. Features without a row are rules in C.
"""
import csv
import io
import re
import sys

GENS = ['gfx6', 'gfx7', 'gfx8', 'gfx9', 'gfx90a', 'gfx940', 'gfx950',
        'gfx10', 'gfx10_3', 'gfx11', 'gfx12']
ENCS = ['SOP2', 'SOPK', 'SOP1', 'SOPC', 'SOPP', 'SMEM', 'VOP2', 'VOP1', 'VOPC',
        'VOP3', 'VOP3P', 'VINTRP', 'DS', 'MUBUF', 'MTBUF', 'MIMG', 'FLAT',
        'GLOBAL', 'SCRATCH', 'EXP', 'VINTERP', 'LDSDIR']
# VOP3 opcode of opcode 0 of the short encodings.
GFX8_FAMILY = ('gfx8', 'gfx9', 'gfx90a', 'gfx940', 'gfx950')
VOP3_BASE = {
    'VOPC': lambda gen: 0,
    'VOP2': lambda gen: 0x100,
    'VOP1': lambda gen: 0x140 if gen in GFX8_FAMILY else 0x180,
    'VINTRP': lambda gen: 0x270 if gen in GFX8_FAMILY else
              0x200 if gen in ('gfx10', 'gfx10_3') else None,
}
MOD_ORDER = 'nasuocxhwm'  # members of struct isa_op_mods
COUNTERS = {'': '0', 'vm': 'ISA_CNT_VM', 'lgkm': 'ISA_CNT_LGKM',
            'exp': 'ISA_CNT_EXP', 'vm|lgkm': 'ISA_CNT_VM | ISA_CNT_LGKM'}


def operand(text, where):
    """(ISA_TYPE_*, dwords) of a type token."""
    if text == '':
        return 'NONE', 0
    if text == 'mask':
        return 'MASK', 2
    if text == 'pk16':
        return 'PK16', 1
    m = re.fullmatch(r'([buif])(\d+|\*|32\*)', text)
    if not m:
        sys.exit(f'ops.csv: {where}: unknown operand type {text!r}')
    kind = m[1].upper()
    if m[2].endswith('*'):
        return kind, 0
    bits = int(m[2])
    return (kind + '16', 1) if bits == 16 else (kind, bits // 32)


class Op:
    def __init__(self, row):
        self.name = row['name']
        self.enum = 'ISA_' + self.name.upper()
        self.enc = row['enc']
        if self.enc not in ENCS:
            sys.exit(f'ops.csv: {self.name}: unknown encoding {self.enc}')
        # Operands of twice the width in wave32, bits as in struct isa_operand_set.
        self.wave32 = 0
        for i, col in enumerate(['dst', 'dst2', 'src0', 'src1', 'src2', 'src3']):
            if row[col].endswith('+'):
                self.wave32 |= 1 << i
                row[col] = row[col][:-1]
        self.dst = operand(row['dst'], self.name)
        self.dst2 = operand(row['dst2'], self.name)
        self.src = [operand(row[f'src{i}'], self.name) for i in range(4)]
        self.num_src = max([i + 1 for i in range(4) if self.src[i][0] != 'NONE'],
                           default=0)
        self.unit = row['unit']
        self.counters = COUNTERS[row['counters']]
        self.latency = row['latency']
        self.flags = row['flags'].split()
        self.mods = row.get('mods', '') or ''
        self.cells = {gen: self.cell(row[gen]) for gen in GENS if row[gen]}
        self.extra = {}  # generation -> the same, for processors with a feature

    def cell(self, text):
        """(encoding, opcode, name)"""
        m = re.fullmatch(r'(?:([A-Z0-9]+):)?(\d+)(?:/(\w+))?', text)
        if not m:
            sys.exit(f'{self.name}: bad cell {text!r}')
        return m[1] or self.enc, int(m[2]), m[3] or self.name

    def at(self, gen):
        """What the generation or one of its processors has, or None."""
        return self.cells.get(gen) or self.extra.get(gen)


def read_latencies(path, ops):
    """Class -> generation -> clocks, ISSUE first."""
    with open(path, newline='') as f:
        rows = {row['class']: row for row in csv.DictReader(f)}
    if next(iter(rows)) != 'ISSUE' or not all(rows['ISSUE'][gen] for gen in GENS):
        sys.exit('latencies.csv: ISSUE must be first and complete')
    for op in ops:
        if op.latency not in rows or op.latency == 'ISSUE':
            sys.exit(f'ops.csv: {op.name}: unknown latency class {op.latency!r}')
        for gen in [*op.cells, *op.extra]:
            if not rows[op.latency][gen]:
                sys.exit(f'latencies.csv: {op.latency}: {op.name} exists on {gen}')
    return rows


def header(ops, latencies, out):
    out.write('/* SPDX-License-Identifier: MIT */\n'
              '/* Made from ops.csv by gen_ops.py. */\n'
              '#ifndef TGSIAMD_ISA_OPS_H\n#define TGSIAMD_ISA_OPS_H\n\n'
              'enum isa_op {\n')
    for op in ops:
        out.write(f'   {op.enum},\n')
    out.write('   ISA_OP_COUNT,\n};\n\n'
              f'#define ISA_LATENCY_CLASSES {len(latencies)}\n\n#endif\n')


def mod_bits(mods):
    """Values of struct isa_op_mods from column mods: a letter a modifier with
    the sources that take it (n neg, a abs, s sext, u op_sel, h neg_hi,
    m op_sel_hi) or alone (o omod, c clamp, x and w the same two for SDWA)."""
    vals = dict.fromkeys(MOD_ORDER, 0)
    for part in mods.split():
        bits = sum(1 << int(d) for d in part[1:])
        vals[part[0]] = bits if part[1:] else 1
    return tuple(vals[k] for k in MOD_ORDER)


def forms_of(op, gen):
    """Forms as the row's flags tell them for a generation."""
    enc = op.at(gen)[0]
    if gen in ('gfx6', 'gfx7') or not enc.startswith('VOP'):
        return ''
    text = 's' if 'HAS_SDWA' in op.flags and gen not in ('gfx11', 'gfx12') else ''
    if 'HAS_DPP' in op.flags:
        text += 'd8' if gen in ('gfx10', 'gfx10_3', 'gfx11', 'gfx12') else 'd'
    return text


def modifier_tables(ops, variants, out):
    """Distinct modifier sets, and per generation an index and the forms."""
    w = out.write
    sets = [mod_bits('')]
    index, forms = [], []
    for gen in GENS:
        irow, frow = [], []
        for op in ops:
            f, m = '', op.mods
            if op.at(gen):
                f = forms_of(op, gen)
                if (op.name, gen) in variants:
                    f, vm = variants[(op.name, gen)]
                    m = m if vm == '*' else vm
            bits = mod_bits(m)
            if bits not in sets:
                sets.append(bits)
            irow.append(sets.index(bits))
            frow.append(sum({'s': 1, 'd': 2, '8': 4, '-': 8, 'D': 16}[c] for c in f))
        index.append(irow)
        forms.append(frow)
    assert len(sets) < 256
    w('\nconst struct isa_op_mods isa_mod_sets[] = {\n')
    for bits in sets:
        w('   {' + ', '.join(map(str, bits)) + '},\n')
    w('};\n')
    for name, rows in (('isa_mod_index', index), ('isa_op_forms', forms)):
        w(f'\nconst uint8_t {name}[TGSIAMD_GFX_COUNT][ISA_OP_COUNT] = {{\n')
        for row in rows:
            w('   {' + ', '.join(map(str, row)) + '},\n')
        w('};\n')


def vop3_base(op, gen, enc, variants):
    """VOP3 number of the short encoding's 0, None when the op has no such form."""
    if 'NO_VOP3' in op.flags or '-' in variants.get((op.name, gen), ('',))[0]:
        return None
    return VOP3_BASE.get(enc, lambda gen: None)(gen)


def read_processors(path, features_path, ops):
    """Rows of processors.csv; features as generation -> feature -> [(op, cell or None)]."""
    by_name = {op.name: op for op in ops}
    features = {gen: {} for gen in GENS}
    with open(features_path, newline='') as f:
        for row in csv.DictReader(f):
            op, gen, cell = by_name[row['op']], row['generation'], row['cell']
            if (cell == '-') != (gen in op.cells):
                sys.exit(f'features.csv: {op.name} on {gen}: {cell}')
            found = None if cell == '-' else op.cells[cell[1:]] if cell[0] == '=' else op.cell(cell)
            if found and op.extra.setdefault(gen, found) != found:
                sys.exit(f'features.csv: {op.name} on {gen} twice')
            features[gen].setdefault(row['feature'], []).append((op, found))
    with open(path, newline='') as f:
        return list(csv.DictReader(f)), features


def processor_tables(processors, features, ops, variants, out):
    """Sets of ops by which processors differ from their generation, then the processors."""
    w = out.write
    number = {op.name: i for i, op in enumerate(ops)}
    flags = sorted({f for p in processors for f in p['features'].split() if f not in features[p['generation']]})
    assert flags == ['dpp_scalar', 'export_priority', 'fixed_sgprs'], flags
    sets = [()]
    rows = []
    for p in processors:
        gen = p['generation']
        names = p['features'].split()
        key = (gen, *(n for n in names if n not in flags)) if set(names) - set(flags) else ()
        if key not in sets:
            sets.append(key)
        bits = ' | '.join('ISA_PROCESSOR_' + n.upper() for n in names if n in flags) or '0'
        without = ' | '.join(f'1u << ISA_HAZARD_{n}' for n in p['without'].split()) or '0'
        refused = f'"{p["refused"]}"' if p['refused'] else 'NULL'
        rows.append(f'   {{"{p["name"]}", TGSIAMD_{gen.upper()}, {sets.index(key)}, {bits}, {p["vgprs"] or 0}, {p["granule"] or 0}, {without}, {refused}}},\n')
    lines = []
    for i, key in enumerate(sets):
        has, lacks = [], []
        for op, cell in (x for n in key[1:] for x in features[key[0]][n]):
            if cell is None:
                lacks.append(str(number[op.name]))
                continue
            enc, num, _ = cell
            has.append(f'{{{number[op.name]}, {num}, ISA_ENC_{enc}}}')
            base = vop3_base(op, key[0], enc, variants)
            if base is not None:
                has.append(f'{{{number[op.name]}, {base + num}, ISA_ENC_VOP3}}')
        for name, type_, items in ((f'set{i}_has', 'struct isa_set_op', has), (f'set{i}_lacks', 'uint16_t', lacks)):
            if items:
                w(f'\nstatic const {type_} {name}[] = {{{", ".join(items)}}};\n')
        lines.append(f'   {{{f"set{i}_has" if has else "NULL"}, {f"set{i}_lacks" if lacks else "NULL"}, {len(has)}, {len(lacks)}}},\n')
    w('\nconst struct isa_op_set isa_op_sets[] = {\n' + ''.join(lines) + '};\n')
    w('\nconst struct isa_processor isa_processor_rows[] = {\n' + ''.join(rows) + '};\n')
    w(f'const unsigned isa_num_processors = {len(rows)};\n')


def tables(ops, variants, latencies, out):
    w = out.write
    classes = list(latencies)
    w('/* SPDX-License-Identifier: MIT */\n/* Made from ops.csv by gen_ops.py. */\n'
      '#include "isa_internal.h"\n\n')
    w('const struct isa_op_info isa_op_infos[ISA_OP_COUNT] = {\n')
    for op in ops:
        types = ', '.join('ISA_TYPE_' + t for t, _ in op.src)
        widths = ', '.join(str(n) for _, n in op.src)
        nums = ', '.join(str(op.cells[g][1] if g in op.cells else -1) for g in GENS)
        flags = ' | '.join('ISA_' + f for f in op.flags) or '0'
        w(f'   [{op.enum}] = {{"{op.name}", ISA_ENC_{op.enc}, {op.num_src}, '
          f'ISA_TYPE_{op.dst[0]}, {{{types}}}, {op.dst[1]}, {{{widths}}}, {op.dst2[1]}, {op.wave32}, '
          f'ISA_UNIT_{op.unit}, {op.counters}, {classes.index(op.latency)}, {flags}, {{{nums}}}}},\n')
    w('};\n\n')

    w('/* Native encoding per generation. */\n'
      'const uint8_t isa_op_enc[TGSIAMD_GFX_COUNT][ISA_OP_COUNT] = {\n')
    for gi, gen in enumerate(GENS):
        w('   {' + ', '.join(str(ENCS.index(op.at(gen)[0] if op.at(gen) else op.enc))
                             for op in ops) + '},\n')
    w('};\n\n')

    w('const uint16_t isa_latencies[TGSIAMD_GFX_COUNT][ISA_LATENCY_CLASSES] = {\n')
    for gen in GENS:
        w('   {' + ', '.join(row[gen] or '0' for row in latencies.values()) + '},\n')
    w('};\n\n')

    # All names in one string; offsets per generation.
    pool, where = [], {}
    size = 0
    for op in ops:
        for name in [op.name] + [c[2] for c in [*op.cells.values(), *op.extra.values()]]:
            if name not in where:
                where[name] = size
                pool.append(name)
                size += len(name) + 1
    assert size < 65536
    w('const char isa_names[] =\n')
    for name in pool:
        w(f'   "{name}\\0"\n')
    w('   ;\n\nconst uint16_t isa_op_name[TGSIAMD_GFX_COUNT][ISA_OP_COUNT] = {\n')
    for gen in GENS:
        w('   {' + ', '.join(str(where[op.at(gen)[2] if op.at(gen) else op.name])
                             for op in ops) + '},\n')
    w('};\n\n')
    pairs = sorted({(c[2], i) for i, op in enumerate(ops) for c in op.cells.values()})
    w('const struct isa_name_op isa_ops_by_name[] = {\n')
    for name, i in pairs:
        w(f'   {{{where[name]}, {i}}},\n')
    w(f'}};\nconst unsigned isa_num_ops_by_name = {len(pairs)};\n\n')

    # Opcode number -> op, per generation and encoding.
    w('const struct isa_opcode_table isa_opcodes[TGSIAMD_GFX_COUNT][ISA_ENC_COUNT] = {\n')
    arrays = []
    for gen in GENS:
        by_enc = {}
        vop3_of = {}
        for i, op in enumerate(ops):
            if gen not in op.cells:
                continue
            enc, num, _ = op.cells[gen]
            # gfx12 splits image instructions over two encodings with numbers of
            # their own: those with a sampler stand 256 higher here.
            if gen == 'gfx12' and enc == 'MIMG' and ('SAMPLES' in op.flags or op.name == 'image_msaa_load'):
                num += 256
            slot = by_enc.setdefault(enc, {})
            if num in slot:
                sys.exit(f'ops.csv: {gen} {enc} {num}: {op.name} and {ops[slot[num]].name}')
            slot[num] = i
            base = vop3_base(op, gen, enc, variants)
            if base is not None:
                vop3_of[base + num] = i
        vop3 = by_enc.setdefault('VOP3', {})
        for num, i in vop3_of.items():
            if num in vop3:
                sys.exit(f'ops.csv: {gen} VOP3 {num} twice')
            vop3[num] = i
        row = []
        for enc in ENCS:
            slot = by_enc.get(enc)
            if not slot:
                row.append('{NULL, 0}')
                continue
            n = max(slot) + 1
            arrays.append((f'{gen}_{enc.lower()}', n, slot))
            row.append(f'{{{gen}_{enc.lower()}, {n}}}')
        w('   {' + ', '.join(row) + '},\n')
    w('};\n')
    return arrays


def main():
    src, variants_src, latencies_src, processors_src, features_src, hpath, cpath = sys.argv[1:8]
    with open(src, newline='') as f:
        ops = [Op(row) for row in csv.DictReader(f)]
    names = {op.name for op in ops}
    variants = {}
    with open(variants_src, newline='') as f:
        for row in csv.DictReader(f):
            if row['name'] not in names:
                sys.exit(f'variants.csv: no op {row["name"]}')
            for gen in row['generations'].split():
                variants[(row['name'], gen)] = (row['forms'], row['mods'])
    processors, features = read_processors(processors_src, features_src, ops)
    latencies = read_latencies(latencies_src, ops)
    with open(hpath, 'w') as out:
        header(ops, latencies, out)
    body = io.StringIO()
    arrays = tables(ops, variants, latencies, body)
    text = body.getvalue()
    mark = 'const struct isa_opcode_table isa_opcodes'
    decl = io.StringIO()
    for name, n, slot in arrays:
        nums = ', '.join(str(slot[k]) if k in slot else 'N' for k in range(n))
        decl.write(f'static const uint16_t {name}[{n}] = {{{nums}}};\n')
    text = text.replace(mark, '#define N ISA_OP_COUNT\n' + decl.getvalue() + '\n' + mark)
    with open(cpath, 'w') as out:
        out.write(text)
        modifier_tables(ops, variants, out)
        processor_tables(processors, features, ops, variants, out)


main()
