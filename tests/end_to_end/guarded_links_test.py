#!/usr/bin/env python3
"""Guarded links: a form that asks for the password, and exactly so many visitors, however many come at once and whenever
the server dies."""
import concurrent.futures
import re
import unittest
import urllib.parse

from slashpost import DOMAIN, PERSON, Connection, CutOff, Server, temporary_folder, wait_until

VISITORS = 8


class Visitor(Connection):
    def post(self, path, password):
        body = urllib.parse.urlencode({"password": password})
        self.send_bytes((f"POST {path} HTTP/1.1\r\nHost: {DOMAIN}\r\nUser-Agent: {self.agent}\r\n"
                         f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode())
        return self.receive()


def gets_through(answer):
    return answer.headers.get("location", "").startswith("https://secret.example/")


class GuardedLinks(unittest.TestCase):
    def start(self):
        self.server = Server(temporary_folder(self) / "store", "--fold-interval-ms", "50")
        self.addCleanup(self.server.end)
        self.server.start()

    def make(self, **fields):
        api = self.server.connect()
        self.addCleanup(api.close)
        return api.wanted("POST", "/v1/links", {"destination": "https://secret.example/", "slashtag": "plan", **fields})

    def visitor(self, agent=PERSON):
        visitor = Visitor(self.server.port, agent=agent)
        self.addCleanup(visitor.close)
        return visitor

    def link(self, link):
        return self.server.connect().wanted("GET", f"/v1/links/{link['id']}")

    def test_a_form_asks_for_the_password_and_leads_on(self):
        self.start()
        link = self.make(password="open sesame")
        visitor = self.visitor()
        page = visitor.ask("GET", "/plan?utm_source=x")
        self.assertEqual(page.status, 200)
        self.assertIn(b"<h1>This link asks for a password</h1>", page.body)
        self.assertNotIn(b"secret.example", page.body)
        self.assertEqual(re.findall(rb"<form[^>]*>", page.body), [b'<form method="post">'])
        wrong = visitor.post("/plan?utm_source=x", "open")
        self.assertEqual(wrong.status, 403)
        self.assertIn(b"That is not the password.", wrong.body)
        right = visitor.post("/plan?utm_source=x", "open sesame")
        self.assertEqual((right.status, right.headers["location"]), (303, "https://secret.example/?utm_source=x"))
        self.assertEqual(right.headers["cache-control"], "private, no-store")
        wait_until(lambda: self.link(link)["clicks"] == 1, 10, "the click is counted")

    def test_nothing_leads_past_the_password(self):
        self.start()
        self.make(password="open sesame", redirectType=307)
        for agent in (PERSON, "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Googlebot/2.1"):
            visitor = self.visitor(agent)
            for target in ("/plan", "/PLAN", "/plan+", "/plan/", "/plan.", "//plan", "/plan&a=b", "/%70lan", "/plan?password=open+sesame"):
                answer = visitor.ask("GET", target)
                self.assertFalse(gets_through(answer), target)
                self.assertNotIn(b"secret.example", answer.body, target)
        for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
            visitor = self.visitor()
            visitor.send_bytes(f"{method} /plan HTTP/1.1\r\nHost: {DOMAIN}\r\nConnection: close\r\n\r\n".encode())
            head = b""
            try:
                while True:
                    visitor.more()
            except CutOff:
                head = visitor.rest
            self.assertNotIn(b"secret.example", head, method)
        code = self.visitor().ask("GET", "/plan.qr")
        self.assertEqual(code.headers["content-type"].split(";")[0], "image/svg+xml")

    def test_ten_wrong_passwords_and_that_address_has_to_wait_also_after_a_restart(self):
        self.start()
        self.make(password="open sesame")
        visitor = self.visitor()
        for _ in range(10):
            self.assertEqual(visitor.post("/plan", "wrong one").status, 403)
        self.server.kill()
        self.server.start()
        waits = self.visitor().post("/plan", "open sesame")
        self.assertEqual(waits.status, 429)
        self.assertFalse(gets_through(waits))
        self.assertGreater(int(waits.headers["retry-after"]), 0)

    def come(self, visits):
        """So many visits of one visitor; answers how many got through, and whether the server was there to the end."""
        through = 0
        try:
            visitor = Visitor(self.server.port)
            for _ in range(visits):
                through += gets_through(visitor.ask("GET", "/plan"))
            visitor.close()
        except (CutOff, OSError):
            return through, False
        return through, True

    def test_exactly_so_many_get_through_however_many_come_at_once(self):
        self.start()
        link = self.make(maxClicks=50)
        self.assertFalse(gets_through(self.visitor("Googlebot/2.1").ask("GET", "/plan")))
        with concurrent.futures.ThreadPoolExecutor(VISITORS) as pool:
            outcomes = list(pool.map(self.come, [20] * VISITORS))
        self.assertEqual(outcomes, [(through, True) for through, _ in outcomes])
        self.assertEqual(sum(through for through, _ in outcomes), 50)
        self.assertEqual((self.link(link)["status"], self.link(link)["clicksLeft"]), ("expired", 0))
        self.assertEqual(self.visitor().ask("GET", "/plan").status, 404)
        wait_until(lambda: self.link(link)["clicks"] == 50, 10, "all clicks are counted")

    def test_a_server_that_dies_lets_nobody_through_twice(self):
        self.start()
        link = self.make(maxClicks=400)
        through = 0
        for kill in range(4):
            with concurrent.futures.ThreadPoolExecutor(VISITORS) as pool:
                visits = [pool.submit(self.come, 200) for _ in range(VISITORS)]
                wait_until(lambda: self.link(link)["clicksLeft"] < 400 - 90 * (kill + 1), 30, "some have come")
                self.server.kill()
                through += sum(visit.result()[0] for visit in visits)
            self.server.start()
            self.assertLessEqual(through, 400 - self.link(link)["clicksLeft"])
        while True:
            more, _ = self.come(50)
            through += more
            if more == 0:
                break
        self.assertLessEqual(through, 400)
        # A visitor was counted who got no answer: at most those who waited for one at a kill.
        self.assertGreaterEqual(through, 400 - 4 * VISITORS)
        self.assertEqual(self.link(link)["clicksLeft"], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
