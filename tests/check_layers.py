#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the #include lines of every floor against the table of who may include
whom. A lower floor never includes an upper one; the model and the driver meet
only at the kernel's ioctls.

usage: check_layers.py SOURCE_ROOT
"""
import os
import re
import sys

# Floor: (folder, public headers of include/tgsiamd/, floors below that it may
# include, outside headers that it may include, as regular expressions).
SYSTEM = r'[\w./-]+'
MESA_UTIL = r'(util|c11)/[\w/]+\.h|c99_\w+\.h|macros\.h'
MESA_REGS = r'amdgfxregs\.h|sid\.h|ac_\w+\.h|amd_family\.h|addrlib/.*|addrinterface\.h|addrtypes\.h'
MESA_GALLIUM = (r'pipe/.*|tgsi/.*|util/.*|cso_cache/.*|indices/.*|translate/.*|draw/.*|hud/.*|state_tracker/.*|'
                r'frontend/.*|target-helpers/.*|pipe-loader/.*|nir/.*|nir\.h|nir_\w+\.h|compiler/.*|os/.*|vl/.*|pipebuffer/.*|'
                r'c11/.*|c99_\w+\.h|dri_\w+\.h|git_sha1\.h|GL/.*|main/.*')
LIBDRM = r'amdgpu\.h|amdgpu_drm\.h|xf86drm\.h|drm\.h|drm_fourcc\.h|libdrm/.*|drm-uapi/.*|libsync\.h|drm/.*|linux/.*'
# Register and packet numbers are facts, free to every floor above `hw`.
FACTS = r'amdgfxregs\.h|sid\.h'
FLOORS = {
    'base': ('src/base', {'base.h'}, set(), MESA_UTIL),
    'hw': ('src/hw', {'hw.h'}, {'base'}, ''),
    'isa': ('src/isa', {'isa.h'}, {'hw', 'base'}, r'isa_ops\.h'),
    'compiler': ('src/compiler', {'compiler.h', 'abi.h'}, {'isa', 'hw', 'base'},
                 '|'.join([MESA_UTIL, FACTS, r'tgsi/.*|pipe/.*|isa_ops\.h'])),
    'cs': ('src/cs', {'cs.h', 'ib.h'}, {'hw', 'base'}, MESA_UTIL + '|' + MESA_REGS),
    'winsys': ('src/winsys', {'winsys.h', 'ib.h'}, {'hw', 'base'}, '|'.join([MESA_UTIL, LIBDRM, FACTS])),
    'driver': ('src/gallium/drivers/tgsiamd', {'driver.h', 'screen.h'},
               {'compiler', 'winsys', 'cs', 'hw', 'base'}, '|'.join([MESA_UTIL, MESA_REGS, MESA_GALLIUM, LIBDRM])),
    'targets': ('src/gallium/targets', set(), {'driver', 'winsys'}, '.*'),
    'model': ('src/model', {'model.h'}, {'isa', 'hw', 'base'}, '|'.join([MESA_UTIL, MESA_REGS, r'isa_ops\.h|regs_gfx9(_text)?\.h'])),
    'shim': ('src/shim', {'shim.h'}, {'model', 'hw', 'base'}, LIBDRM),
}
# Floors without a header in include/tgsiamd/: their folder is their face.
FOLDER_FACES = {'driver': {'cs'}, 'targets': {'driver'}}
# abi.h and ib.h are interfaces of plain structs that the floor above shares.
SHARED_HEADERS = {'abi.h': {'compiler', 'driver'}, 'ib.h': {'cs', 'winsys', 'driver'}}


def header_owner(name):
    return {floor for floor, row in FLOORS.items() if name in row[1]}


def own_files(root, folder):
    """Paths, relative to the folder and by name, of the floor's own headers."""
    names = set()
    for where, _, files in os.walk(os.path.join(root, folder)):
        for f in files:
            if f.endswith(('.h', '.inc', '.def')):
                names.add(os.path.relpath(os.path.join(where, f), os.path.join(root, folder)))
                names.add(f)
    return names


def includes(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        for number, line in enumerate(f, 1):
            m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if m:
                yield number, m[1], m[2]


def check(root, floor):
    folder, public, below, outside = FLOORS[floor]
    own = own_files(root, folder)
    for face in FOLDER_FACES.get(floor, ()):
        own |= own_files(root, FLOORS[face][0])
    errors = []
    for where, _, files in os.walk(os.path.join(root, folder)):
        for f in sorted(files):
            if not f.endswith(('.c', '.h', '.cpp', '.inc')):
                continue
            path = os.path.join(where, f)
            for number, kind, name in includes(path):
                at = f'{os.path.relpath(path, root)}:{number}'
                if name.startswith('tgsiamd/') and floor != 'targets':
                    header = name[len('tgsiamd/'):]
                    owners = header_owner(header)
                    allowed = owners & (below | {floor}) or floor in SHARED_HEADERS.get(header, ())
                    if not owners:
                        errors.append(f'{at}: {name} is no floor\'s public header')
                    elif not allowed:
                        errors.append(f'{at}: {floor} may not include {name} of {"/".join(sorted(owners))}')
                elif kind == '"':
                    local = os.path.normpath(os.path.join(os.path.dirname(path), name))
                    inside = os.path.abspath(local).startswith(os.path.abspath(os.path.join(root, folder)) + os.sep)
                    if name in own or os.path.basename(name) in own or (inside and os.path.exists(local)):
                        continue
                    if outside and re.fullmatch(outside, name):
                        continue
                    errors.append(f'{at}: {floor} may not include "{name}"')
                else:
                    # System headers are free, except the kernel's and libdrm's.
                    if re.fullmatch(r'amdgpu\.h|amdgpu_drm\.h|xf86drm.*|drm.*|libdrm/.*', name) and not (
                            outside and re.fullmatch(outside, name)):
                        errors.append(f'{at}: {floor} may not include <{name}>')
    return errors


def main():
    root = sys.argv[1]
    errors = []
    for floor in FLOORS:
        errors += check(root, floor)
    # Public headers include only floors at or below their owner.
    folder = os.path.join(root, 'include', 'tgsiamd')
    for f in sorted(os.listdir(folder)):
        owners = header_owner(f)
        if not owners:
            errors.append(f'include/tgsiamd/{f}: no floor owns it; add it to the table')
            continue
        for number, _, name in includes(os.path.join(folder, f)):
            if not name.startswith('tgsiamd/'):
                continue
            target = header_owner(name[len('tgsiamd/'):])
            if not any(target & (FLOORS[o][2] | {o}) for o in owners):
                errors.append(f'include/tgsiamd/{f}:{number}: may not include {name}')
    for e in errors:
        print(e)
    return 1 if errors else 0


sys.exit(main())
