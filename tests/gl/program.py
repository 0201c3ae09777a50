#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a GL program on tgsiamd; it must succeed, and so must the model's report."""

import os
import re
import subprocess
import sys


def main():
    root, build, program = sys.argv[1:]
    env = dict(os.environ, TGSIAMD_NO_SETUP='1', TGSIAMD_BUILD=build, TGSIAMD_MODEL='report',
               MESA_SHADER_CACHE_DISABLE='true')
    run = subprocess.run([os.path.join(root, 'tgsiamd'), 'run', program], env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=300)
    print(run.stdout)
    violations = re.search(r'^  violations (\d+)', run.stdout, re.M)
    if not violations:
        sys.exit('the model printed no report')
    return run.returncode or int(violations.group(1) != '0')


if __name__ == '__main__':
    sys.exit(main())
