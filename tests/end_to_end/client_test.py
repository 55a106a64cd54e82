#!/usr/bin/env python3
"""The OpenAPI document as others use it: a strict linter reads it, a TypeScript client is generated from it,
type-checked and sent on a journey through a running server; OAuth 2.0 as a public library speaks it, and webhooks as one
verifies them. Packages come from npm, pinned by the lock file."""
import pathlib
import tempfile
import unittest

import npm_packages
from slashpost import PROGRAMS, Server

SOURCES = pathlib.Path(__file__).parent / "client"
WORKSHOP = PROGRAMS / "client"


def in_workshop(*command, **environment):
    """Fails with all that was said when the command does."""
    return npm_packages.run(WORKSHOP, *command, **environment)


def tool(name):
    return WORKSHOP / "node_modules/.bin" / name


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        npm_packages.prepare(SOURCES, WORKSHOP)
        folder = tempfile.TemporaryDirectory(prefix="slashpost-")
        cls.addClassCleanup(folder.cleanup)
        cls.server = Server(pathlib.Path(folder.name) / "store", "--webhook-allow", "127.0.0.1", "--webhook-http", "on")
        cls.addClassCleanup(cls.server.end)
        cls.server.start()
        document = cls.server.connect().ask("GET", "/v1/openapi.json")
        (WORKSHOP / "openapi.json").write_bytes(document.body)

    def test_a_strict_linter_finds_nothing_in_the_document(self):
        in_workshop("node", "lint.mjs", "openapi.json")

    def test_the_linter_would_find_something(self):
        text = (WORKSHOP / "openapi.json").read_text()
        (WORKSHOP / "broken.json").write_text(text.replace('"operationId":"createTag"', '"operationId":"createLink"'))
        with self.assertRaisesRegex(AssertionError, "operation-operationId-unique"):
            in_workshop("node", "lint.mjs", "broken.json")

    def test_a_generated_client_type_checks_and_makes_its_way(self):
        in_workshop(tool("openapi-typescript"), "openapi.json", "-o", "api.d.ts")
        in_workshop(tool("tsc"))
        in_workshop("node", "journey.js", SLASHPOST_BASE=f"http://127.0.0.1:{self.server.port}",
            SLASHPOST_KEY=self.server.key)

    def test_a_public_library_gets_access_by_oauth(self):
        self.with_a_person("oauth.mjs")

    def test_a_public_library_is_refused_by_oauth_what_it_should_not_get(self):
        """threat-5 threat-21"""
        self.with_a_person("oauth_refusals.mjs")

    def with_a_person(self, script):
        """Runs the script with an address for somebody to sign in at, good once."""
        code, said = self.server.admin("sign-in-address", "admin")
        self.assertEqual(code, 0, said)
        in_workshop("node", script, SLASHPOST_BASE=f"http://127.0.0.1:{self.server.port}", SLASHPOST_KEY=self.server.key,
            SLASHPOST_DASHBOARD=f"http://localhost:{self.server.dashboard_port}",
            SLASHPOST_TOKEN=said.splitlines()[0].split("#")[1])

    def test_a_public_library_verifies_webhooks(self):
        in_workshop("node", "webhook.mjs", SLASHPOST_BASE=f"http://127.0.0.1:{self.server.port}", SLASHPOST_KEY=self.server.key)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
