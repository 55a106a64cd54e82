#!/usr/bin/env python3
"""What people do to get in and to be safe, in Chromium on the listener of the program itself: people.mjs."""
import json

import workshop
from installation import first_address, installation, make_person

workshop.need("chromium")
workshop.prepare()
with installation("--outside-images", "on") as server:
    addresses = {"admin": first_address(server), **{name: make_person(server, name) for name in ("ben", "eve")}}
    facts = {"addresses": addresses, "api": f"http://localhost:{server.port}", "key": server.key}
    print(workshop.run("node", "--test", "--test-reporter=spec", "people.mjs", seconds=280,
                       SLASHPOST_PEOPLE=json.dumps(facts)))
