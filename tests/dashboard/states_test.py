#!/usr/bin/env python3
"""Lists that are on their way, fail, or have nothing in them, in Chromium: states.mjs. Arguments choose cases by parts of names."""
import sys

import workshop
from world import run_before_world

workshop.need("chromium")
print(run_before_world("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]], "states.mjs",
                       many=300, seconds=550), end="")
