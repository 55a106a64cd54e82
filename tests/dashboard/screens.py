#!/usr/bin/env python3
"""Pictures of the dashboard's screens. `tools/screens` says how."""
import pathlib
import sys
import tempfile

import workshop
from world import World

with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    world = World(folder, many=int(sys.argv[3]) if len(sys.argv) > 3 else 2000)
    try:
        world.start()
        print(workshop.run("node", "screens.mjs", str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:3], seconds=900, SLASHPOST_WORLD=world.facts()), end="")
    finally:
        world.end()
