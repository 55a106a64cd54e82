#!/usr/bin/env python3
"""Tags, scripts, domains, people, workspaces, account and statistics in the browser; manage_checks.mjs has the cases."""
import sys

import workshop
from world import run_before_world

workshop.need("chromium")
print(run_before_world("node", "manage.mjs", *sys.argv[1:2], many=300, seconds=800), end="")
