#!/usr/bin/env python3
"""What people do to get in and to be safe, in Chromium on the listener of the program itself: people.mjs."""
import json
import pathlib
import re
import tempfile

import workshop
from slashpost import Server, free_port

workshop.need("chromium")
with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    workshop.prepare()
    port = free_port()
    server = Server(pathlib.Path(folder) / "store", "--outside-images", "on", domain=f"localhost:{port}")
    server.port = port
    try:
        server.start()
        address = re.search(r"^(http://localhost:\d+/sign-in#\S+)$", server.log("out").read_text(), re.M).group(1)
        for name in ("ben", "eve"):
            code, said = server.admin("account", "create", name, "--email", f"{name}@example.com")
            assert code == 0, said
        addresses = {"admin": address}
        for name in ("ben", "eve"):
            code, said = server.admin("sign-in-address", name, "--base-url", address.split("/sign-in")[0])
            assert code == 0, said
            addresses[name] = said.splitlines()[0]
        facts = {"addresses": addresses, "api": f"http://localhost:{port}", "key": server.key}
        print(workshop.run("node", "--test", "--test-reporter=spec", "people.mjs", seconds=280,
                           SLASHPOST_PEOPLE=json.dumps(facts)))
    finally:
        server.end()
