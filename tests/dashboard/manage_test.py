#!/usr/bin/env python3
"""Tags, scripts, domains, people, workspaces, account and statistics in the browser; manage_checks.mjs has the cases."""
import shutil
import sys
import tempfile

if not shutil.which("chromium"):
    sys.exit(77)

import workshop
from world import World

with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    world = World(folder, many=300)
    try:
        world.start()
        print(workshop.run("node", "manage.mjs", *sys.argv[1:2], seconds=800, SLASHPOST_WORLD=world.facts()), end="")
    finally:
        world.end()
