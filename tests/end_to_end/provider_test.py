#!/usr/bin/env python3
"""Signing in to the dashboard of the built program with a provider that others have made (oidc-provider from npm)."""
import http.cookiejar
import json
import os
import pathlib
import re
import subprocess
import unittest
import urllib.parse
import urllib.request

import npm_packages
from dashboard_test import Browser
from slashpost import PROGRAMS, Server, free_port, temporary_folder, wait_until

SOURCES = pathlib.Path(__file__).parent / "provider"
WORKSHOP = PROGRAMS / "provider"
SECRET = "a s3cret/with+signs&:"


class Person(Browser):
    """A browser that keeps the cookies of the dashboard, of the visit to the provider, and of the provider."""

    def __init__(self, port):
        super().__init__(port)
        self.visit = ""
        self.elsewhere = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def leave(self, method="POST", body=None):
        session = self.cookie
        answer = self.ask(method, "/session/provider", body or {})
        self.cookie, self.visit = session, self.cookie
        assert answer.status == 200, answer.body
        return answer.json()["address"]

    def at_provider(self, address, who):
        """What the provider sends the browser back with."""
        with self.elsewhere.open(f"{address}&login_hint={who}") as page:
            said = urllib.parse.parse_qs(urllib.parse.urlsplit(page.geturl()).query)
        return {name: values[0] for name, values in said.items() if name in ("state", "code", "iss", "error")}

    def come_back(self, said):
        session = self.cookie
        self.cookie = "; ".join(filter(None, (session, self.visit)))
        sent = self.cookie
        answer = self.ask("POST", "/session/provider/answer", said)
        if self.cookie == sent or not self.cookie.startswith("slashpost="):
            self.cookie = session
        return answer

    def go(self, who, method="POST", body=None):
        return self.come_back(self.at_provider(self.leave(method, body), who))


class SigningInWithAProvider(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        npm_packages.prepare(SOURCES, WORKSHOP)
        cls.port, cls.dashboard_port = free_port(), free_port()
        cls.issuer = f"http://localhost:{cls.port}"
        facts = {"issuer": cls.issuer, "port": cls.port, "secret": SECRET,
                 "redirect": f"http://localhost:{cls.dashboard_port}/sign-in/provider"}
        cls.provider = subprocess.Popen(("node", "server.mjs"), cwd=WORKSHOP, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "SLASHPOST_PROVIDER": json.dumps(facts)})
        cls.addClassCleanup(cls.provider.wait)
        cls.addClassCleanup(cls.provider.kill)
        wait_until(lambda: "ready" in cls.provider.stdout.readline(), 30, "the provider listens")

    def server(self, *arguments, issuer=None):
        folder = temporary_folder(self)
        secret = folder / "secret"
        secret.write_text(SECRET + "\n")
        secret.chmod(0o600)
        server = Server(folder / "store", "--oidc-issuer", issuer or self.issuer, "--oidc-client-id", "slashpost",
                        "--oidc-client-secret-file", str(secret), "--oidc-name", "Example", *arguments)
        server.dashboard_port = self.dashboard_port
        self.addCleanup(server.end)
        return server.start()

    def person(self):
        return Person(self.dashboard_port)

    def test_newcomers_of_the_allowed_hosts_come_in_and_come_again_over_a_restart_and_a_new_key(self):
        """threat-43: nobody else does."""
        server = self.server("--oidc-email-domains", "example.com", "--oidc-newcomers", "on")
        ann = self.person()
        self.assertEqual(ann.ask("GET", "/session").json()["provider"], "Example")
        entered = ann.go("ann")
        self.assertEqual(entered.status, 200, entered.body)
        self.assertEqual(entered.json()["signedInBy"], "provider")
        account = ann.ask("GET", "/v1/account").json()
        self.assertEqual((account["username"], account["fullName"]), ("ann@example.com", "Ann Example"))
        for who in ("bob", "eve"):  # whose address is not proved, or elsewhere
            refused = self.person().go(who)
            self.assertEqual((refused.status, refused.json()["code"]), (403, "EmailNotAllowed"))
        server.kill()
        urllib.request.urlopen(f"{self.issuer}/rotate").close()
        server.start()
        again = self.person()
        self.assertEqual(again.go("ann").status, 200)
        self.assertEqual(again.ask("GET", "/v1/account").json()["id"], account["id"])

    def test_a_code_is_good_once_and_in_the_browser_that_asked(self):
        """threat-43: nobody is signed in as somebody else."""
        self.server("--oidc-email-domains", "example.com", "--oidc-newcomers", "on")
        ann, eve = self.person(), self.person()
        said = ann.at_provider(ann.leave(), "ann")
        eve.leave()
        self.assertEqual(eve.come_back(said).json()["code"], "VisitOver")
        # With a state of her own, the code was asked for with another verifier.
        mine = eve.at_provider(eve.leave(), "eve")
        self.assertEqual(eve.come_back({**said, "state": mine["state"]}).json()["code"], "ProviderFailed")
        self.assertEqual(eve.ask("GET", "/session").status, 401)
        self.assertEqual(ann.come_back(ann.at_provider(ann.leave(), "ann")).status, 200)

    def test_an_account_is_connected_by_who_is_signed_in(self):
        server = self.server()
        address = re.search(r"^(http://localhost:\d+/sign-in#\S+)$", server.log("out").read_text(), re.M).group(1)
        admin = self.person()
        stranger = self.person().go("bob")
        self.assertEqual((stranger.status, stranger.json()["code"]), (403, "NoAccount"))
        admin.sign_in(address)
        connected = admin.go("bob", "PUT", {})
        self.assertEqual(connected.json()["provider"], {"name": "Example", "connected": True, "email": ""})
        bob = self.person()
        self.assertEqual(bob.go("bob").status, 200)
        self.assertEqual(bob.ask("GET", "/v1/account").json()["username"], "admin")
        self.assertEqual(bob.ask("DELETE", "/session").status, 204)
        self.assertEqual(bob.ask("GET", "/session").status, 401)

    def test_a_provider_that_is_not_there_is_told_of_within_seconds(self):
        server = self.server(issuer=f"http://localhost:{free_port()}")
        answer = self.person().ask("POST", "/session/provider", {})
        self.assertEqual((answer.status, answer.json()["code"]), (503, "Unavailable"))
        server.says("nobody signs in with the provider")
        self.assertNotIn(SECRET, server.log("err").read_text())


if __name__ == "__main__":
    unittest.main()
