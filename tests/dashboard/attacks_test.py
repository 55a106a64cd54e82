#!/usr/bin/env python3
"""threat-22: what others do to get at who is signed in, in Chromium on the listener of the program itself: attacks.mjs."""
import json

import workshop
from installation import installation, make_person

workshop.need("chromium")
workshop.prepare()
with installation() as server:
    facts = {"addresses": {name: make_person(server, name) for name in ("ben", "eve", "mia", "dan", "ida")}, "links": f"http://localhost:{server.port}"}
    print(workshop.run("node", "--test", "--test-reporter=spec", "attacks.mjs", seconds=280, SLASHPOST_ATTACKS=json.dumps(facts)))
