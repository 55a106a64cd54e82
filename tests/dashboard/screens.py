#!/usr/bin/env python3
"""Pictures of the dashboard's screens. `tools/screens` says how."""
import pathlib
import sys

from world import MANY, run_before_world

many = int(sys.argv[3]) if len(sys.argv) > 3 else MANY
print(run_before_world("node", "screens.mjs", str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:3], many=many, seconds=900), end="")
