#!/usr/bin/env python3
"""clang-format-19 changes nothing. `format.py ROOT --fix` makes it so."""
import pathlib
import subprocess
import sys

import tree

root = pathlib.Path(sys.argv[1])
sources = [root / path for path in tree.files(root, ".cc", ".h")]
how = ["-i"] if "--fix" in sys.argv else ["--dry-run", "--Werror"]
sys.exit(subprocess.run(["clang-format-19", *how, *sources], check=False).returncode if sources else 0)
