#!/usr/bin/env python3
"""The dashboard of the built programs: the address that the first start prints, passwords and sessions over restarts,
kills, dumps and restores, addresses from the shell, and cookies where short links are."""
import json
import re
import sys
import time
import unittest

from slashpost import Connection, Server, admin, temporary_folder

PASSWORD = "correct horse battery"


class Browser:
    """A browser on one of the dashboard's pages. Keeps the cookie."""

    def __init__(self, port, host=None):
        self.port, self.host, self.cookie = port, host or f"localhost:{port}", ""

    def ask(self, method, target, body=None, site="same-origin"):
        sent = {"Sec-Fetch-Site": site, **({"Cookie": self.cookie} if self.cookie else {})}
        connection = Connection(self.port, host=self.host)
        connection.head += "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        answer = connection.ask(method, target, body)
        connection.close()
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        return answer

    def sign_in(self, address):
        return self.ask("POST", "/session", {"token": address.split("#")[1]}).status


class Dashboard(unittest.TestCase):
    def server(self, *arguments):
        server = Server(temporary_folder(self) / "store", *arguments)
        self.addCleanup(server.end)
        return server

    def printed_address(self, server):
        found = re.search(rf"^Or sign in as 'admin', once and within 15 minutes:\n(http://localhost:{server.dashboard_port}"
                          r"/sign-in#[0-9a-f]{64})$", server.log("out").read_text(), re.M)
        self.assertTrue(found, server.log("out").read_text())
        return found.group(1)

    def test_the_first_start_prints_an_address_that_signs_in_once(self):
        server = self.server().start()
        self.assertIn(f"\nThe dashboard is http://localhost:{server.dashboard_port}\n", server.log("out").read_text())
        address = self.printed_address(server)
        browser = Browser(server.dashboard_port)
        self.assertIn(b"<title>", browser.ask("GET", "/sign-in").body)
        self.assertEqual(browser.sign_in(address), 200)
        self.assertEqual(browser.ask("GET", "/v1/account").json()["username"], "admin")
        self.assertEqual(Browser(server.dashboard_port).sign_in(address), 401)
        made = browser.ask("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "sale"})
        self.assertEqual(made.status, 200)
        visitor = Connection(server.port)
        self.assertEqual(visitor.ask("GET", "/sale").status, 302)
        visitor.close()
        self.assertNotIn(address.split("#")[1], server.log("err").read_text())

    def test_a_password_and_a_session_survive_a_kill_and_wrong_tries_do(self):
        """threat-21: a restart gives nobody new tries."""
        server = self.server().start()
        browser = Browser(server.dashboard_port)
        browser.sign_in(self.printed_address(server))
        self.assertEqual(browser.ask("PUT", "/session/password", {"new": PASSWORD}).status, 204)
        for _ in range(3):
            wrong = Browser(server.dashboard_port).ask("POST", "/session", {"user": "admin", "password": "wrong"})
            self.assertEqual(wrong.status, 401)
        server.kill()
        server.start()
        self.assertEqual(browser.ask("GET", "/session").json()["hasPassword"], True)
        late = Browser(server.dashboard_port)
        # The fourth may be made four seconds after the third, which a start may take; only a fifth waits for eight.
        while (wrong := late.ask("POST", "/session", {"user": "admin", "password": "wrong"})).status == 429:
            time.sleep(1)
        self.assertEqual(wrong.status, 401)
        answer = late.ask("POST", "/session", {"user": "admin", "password": PASSWORD})
        self.assertEqual((answer.status, answer.json()["code"]), (429, "TooManyTries"))
        self.assertIn(int(answer.headers["retry-after"]), range(5, 9))

    def test_addresses_come_from_the_shell_beside_a_server_and_without_one(self):
        server = self.server().start()
        code, said = server.admin("sign-in-address", "ADMIN")
        self.assertEqual(code, 0)
        address = said.splitlines()[0]
        self.assertTrue(address.startswith(f"http://localhost:{server.dashboard_port}/sign-in#"), said)
        self.assertEqual(Browser(server.dashboard_port).sign_in(address), 200)
        self.assertEqual(server.admin("sign-in-address", "nobody")[0], 1)
        self.assertEqual(server.stop(), 0)
        code, said = admin(server.data, "sign-in-address", "admin")
        self.assertTrue(said.startswith("http://localhost:8082/sign-in#"), said)
        code, said = admin(server.data, "sign-in-address", "admin", "--base-url", "https://links.example.com/")
        self.assertTrue(said.startswith("https://links.example.com/sign-in#"), said)
        self.assertEqual(admin(server.data, "sign-in-address", "admin", "--base-url", "links")[0], 1)
        server.start()
        self.assertEqual(Browser(server.dashboard_port).sign_in(said.splitlines()[0]), 200)

    def test_cookies_are_worth_nothing_where_short_links_are_and_other_hosts_get_nothing(self):
        """threat-22: the scripts of links run on that origin."""
        server = self.server().start()
        browser = Browser(server.dashboard_port)
        browser.sign_in(self.printed_address(server))
        elsewhere = Browser(server.port, host=f"localhost:{server.port}")
        elsewhere.cookie = browser.cookie
        self.assertEqual(elsewhere.ask("GET", "/v1/account").status, 401)
        rebound = Browser(server.dashboard_port, host="evil.example")
        rebound.cookie = browser.cookie
        self.assertEqual(rebound.ask("GET", "/v1/account").status, 403)
        foreign = browser.ask("DELETE", "/v1/links", {"links": []}, site="same-site")
        self.assertEqual(foreign.json()["code"], "ForeignPage")
        self.assertEqual(browser.ask("GET", "/sale").status, 200)  # the page, and no redirect

    def test_behind_a_proxy_the_cookie_is_for_https_and_that_host_only(self):
        server = self.server("--dashboard-host", "links.example.com").start()
        self.assertIn("\nThe dashboard is https://links.example.com\n", server.log("out").read_text())
        address = re.search(r"https://links.example.com/sign-in#\w+", server.log("out").read_text()).group()
        self.assertEqual(Browser(server.dashboard_port).ask("GET", "/").status, 403)
        browser = Browser(server.dashboard_port, host="links.example.com")
        self.assertEqual(browser.sign_in(address), 200)
        self.assertTrue(browser.cookie.startswith("__Host-slashpost="))
        self.assertEqual(browser.ask("GET", "/v1/account").status, 200)

    def test_a_restored_store_has_the_passwords_and_nobody_is_signed_in(self):
        server = self.server().start()
        browser = Browser(server.dashboard_port)
        browser.sign_in(self.printed_address(server))
        browser.ask("PUT", "/session/password", {"new": PASSWORD})
        folder = temporary_folder(self)
        self.assertEqual(server.admin("dump", folder / "dump")[0], 0)
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(PASSWORD, (folder / "dump").read_text())
        self.assertEqual(admin(folder / "store", "restore", folder / "dump")[0], 0)
        restored = Server(folder / "store")
        restored.key = server.key
        self.addCleanup(restored.end)
        restored.start()
        browser.port, browser.host = restored.dashboard_port, f"localhost:{restored.dashboard_port}"
        self.assertEqual(browser.ask("GET", "/session").status, 401)
        answer = browser.ask("POST", "/session", {"user": "admin", "password": PASSWORD})
        self.assertEqual(answer.status, 200)
        self.assertEqual(json.loads(answer.body)["signedInBy"], "password")
        self.assertEqual(restored.stop(), 0)
        code, said = admin(folder / "store", "verify")
        self.assertEqual(code, 0, said)

    def test_with_a_key_file_no_secret_is_printed_and_off_is_off(self):
        folder = temporary_folder(self)
        server = self.server("--first-key-file", folder / "key")
        server.key = "-"
        server.start()
        said = server.log("out").read_text()
        self.assertNotIn("sign-in#", said)
        self.assertIn(f"Or sign in at http://localhost:{server.dashboard_port} with an address of: "
                      f"slashpost-admin --data '{server.data}' sign-in-address admin\n", said)
        without = self.server("--dashboard-listen", "off").start()
        self.assertNotIn("dashboard", without.log("out").read_text())
        code, said = without.admin("sign-in-address", "admin")
        self.assertEqual(code, 1)
        self.assertIn("this server has no dashboard (--dashboard-listen off); start it with one", said)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
