#!/usr/bin/env python3
"""A newcomer's journey in the browser that is named, on the listener of the program itself: journey.mjs. From the address
that the first start prints to a link that was visited, with its figure shown, on a page as wide as a phone."""
import json
import sys

import workshop
from installation import first_address, installation

browser = sys.argv[1]
workshop.need(browser)
workshop.prepare()
with installation() as server:
    facts = {"address": first_address(server), "links": f"http://localhost:{server.port}", "key": server.key, "browser": browser}
    print(workshop.run("node", "--test", "--test-reporter=spec", "journey.mjs", seconds=120,
                       SLASHPOST_JOURNEY=json.dumps(facts)))
