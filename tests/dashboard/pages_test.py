#!/usr/bin/env python3
"""The dashboard's screens in Chromium, before a real server. The tests themselves are in pages.mjs."""
import os
import pathlib
import shutil
import sys
import tempfile

import workshop
from world import MANY, World

if not shutil.which("chromium"):
    print("chromium is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    world = World(pathlib.Path(folder), many=int(os.environ.get("SLASHPOST_LINKS", MANY)))
    try:
        world.start()
        print(workshop.run("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]], "pages.mjs", seconds=900,
                           SLASHPOST_WORLD=world.facts()))
    finally:
        world.end()
