#!/usr/bin/env python3
"""Motion and the direction of writing, in Chromium: preferences.mjs. Arguments choose cases by parts of names."""
import sys

import workshop
from world import run_before_world

workshop.need("chromium")
print(run_before_world("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]], "preferences.mjs",
                       many=300, seconds=300), end="")
