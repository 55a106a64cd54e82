#!/usr/bin/env python3
"""Forms that cannot be saved, in Chromium: kept.mjs. Arguments choose cases by parts of names."""
import sys

import workshop
from world import run_before_world

workshop.need("chromium")
print(run_before_world("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]], "kept.mjs",
                       many=300, seconds=300), end="")
