#!/usr/bin/env python3
"""How soon the dashboard paints something; paint.mjs has the check. It runs alone: other tests would be measured with it."""
import shutil
import sys
import tempfile

if not shutil.which("chromium"):
    sys.exit(77)

import workshop
from world import World

with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    world = World(folder, many=0)
    try:
        world.start()
        print(workshop.run("node", "--test", "--test-reporter=spec", "paint.mjs", seconds=200, SLASHPOST_WORLD=world.facts()), end="")
    finally:
        world.end()
