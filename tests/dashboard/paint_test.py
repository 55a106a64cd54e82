#!/usr/bin/env python3
"""How soon the dashboard paints something; paint.mjs has the check. It runs alone: other tests would be measured with it."""
import workshop
from world import run_before_world

workshop.need("chromium")
print(run_before_world("node", "--test", "--test-reporter=spec", "paint.mjs", many=0, seconds=200), end="")
