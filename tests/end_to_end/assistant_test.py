#!/usr/bin/env python3
"""An assistant uses a running server by the Model Context Protocol, over streamable HTTP, with the client that the
protocol's makers publish. The package comes from npm, pinned by the lock file."""
import pathlib
import unittest

import npm_packages
from slashpost import DOMAIN, PROGRAMS, Server, temporary_folder

SOURCES = pathlib.Path(__file__).parent / "assistant"
WORKSHOP = PROGRAMS / "assistant"


class Assistant(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        npm_packages.prepare_if_reached(SOURCES, WORKSHOP)

    def test_a_public_client_makes_its_way(self):
        """threat-17"""
        server = Server(temporary_folder(self) / "store")
        self.addCleanup(server.end)
        server.start()
        npm_packages.run(WORKSHOP, "node", "assistant.mjs", SLASHPOST_BASE=f"http://127.0.0.1:{server.port}",
            SLASHPOST_KEY=server.key, SLASHPOST_DOMAIN=DOMAIN)
        self.assertEqual(server.stop(), 0, server.said())
        code, said = server.admin("verify")
        self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
