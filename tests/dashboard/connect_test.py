#!/usr/bin/env python3
"""Applications of others ask for access, in Chromium on the listener of the program itself: connect.mjs. An argument chooses
cases by a part of their names."""
import json
import sys

import workshop
from installation import installation, make_person

workshop.need("chromium")
workshop.prepare()
with installation() as server:
    facts = {"address": make_person(server, "ben"), "api": f"http://localhost:{server.port}", "key": server.key}
    print(workshop.run("node", "--test", "--test-reporter=spec", *[f"--test-name-pattern={name}" for name in sys.argv[1:]],
                       "connect.mjs", seconds=280, SLASHPOST_CONNECT=json.dumps(facts)))
