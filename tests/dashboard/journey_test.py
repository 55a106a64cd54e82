#!/usr/bin/env python3
"""A newcomer's journey in the browser that is named, on the listener of the program itself: journey.mjs. From the address
that the first start prints to a link that was visited, with its figure shown, on a page as wide as a phone."""
import json
import pathlib
import re
import sys
import tempfile

import workshop
from slashpost import Server, free_port

browser = sys.argv[1]
workshop.need(browser)
with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    port = free_port()
    server = Server(pathlib.Path(folder) / "store", domain=f"localhost:{port}")
    server.port = port
    try:
        server.start()
        address = re.search(r"^(http://localhost:\d+/sign-in#\S+)$", server.log("out").read_text(), re.M).group(1)
        facts = {"address": address, "links": f"http://localhost:{port}", "key": server.key, "browser": browser}
        print(workshop.run("node", "--test", "--test-reporter=spec", "journey.mjs", seconds=120,
                           SLASHPOST_JOURNEY=json.dumps(facts)))
    finally:
        server.end()
