#!/usr/bin/env python3
"""What visitors of guarded links see, in Chromium on the listener of the program itself: guarded.mjs."""
import json

import workshop
from installation import installation

workshop.need("chromium")
workshop.prepare()
with installation() as server:
    facts = {"links": f"http://localhost:{server.port}", "key": server.key}
    print(workshop.run("node", "--test", "--test-reporter=spec", "guarded.mjs", seconds=200,
                       SLASHPOST_GUARDED=json.dumps(facts)))
