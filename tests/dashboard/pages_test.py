#!/usr/bin/env python3
"""The dashboard's screens in Chromium, before a real server. The tests themselves are in pages.mjs; the QR codes that one of
them has given out are read here, by another program."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import workshop
from world import MANY, World

workshop.need("chromium")


def check_codes(codes):
    subprocess.run(["rsvg-convert", "--width", "600", "--output", codes / "code.svg.png", codes / "code.svg"], check=True)
    for name in ("code.png", "code.svg.png"):
        read = subprocess.run(["zbarimg", "--raw", "--quiet", codes / name], capture_output=True, text=True, check=False)
        assert re.fullmatch(r"http://localhost:\d+/\S+\?sp_scan\n", read.stdout), f"{name} says {read.stdout!r}"


with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    codes = pathlib.Path(folder) / "codes"
    codes.mkdir()
    world = World(pathlib.Path(folder), many=int(os.environ.get("SLASHPOST_LINKS", MANY)))
    try:
        world.start()
        print(workshop.run("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]], "pages.mjs", seconds=900,
                           SLASHPOST_WORLD=world.facts(), SLASHPOST_CODES=str(codes)))
        if not sys.argv[1:] or any(codes.iterdir()):
            check_codes(codes)
    finally:
        world.end()
