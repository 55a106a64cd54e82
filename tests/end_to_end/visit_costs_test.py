"""What the dearest visit costs that a stranger or a tenant can bring about, in instructions counted by valgrind's callgrind:
never more than VISIT_MAX, less than a tenth of a millisecond of the release build, whatever a request carries and whatever
a link may have. Measured there beside a plain visit: 137 microseconds for 1,190,000 of these (4,000 parameters that are
forwarded), 111 for 1,437,000 (conditions on parameters).
"""
import itertools
import json
import random
import sys
import time
import unittest

from instruction_counts_test import BROWSER, CountedServer
from slashpost import temporary_folder

VISIT_MAX = 930_000
LANGUAGES = "fr en es it nl pl pt cs da sv".split()
COUNTRIES = "de at ch fr be nl lu it es pt pl cz dk se no fi gb ie us ca mx br ar cl".split()
ZONES = [f"Etc/GMT{sign}{hour}" for sign, hours in (("-", 6), ("+", 4)) for hour in range(1, hours + 1)]


def windows(count):
    """In which now is not, each another one."""
    day = "mon tue wed thu fri sat sun".split()[(time.gmtime().tm_wday + 3) % 7]
    return [f"{day} {i // 20:02}:{i // 10 % 2}0-{i // 20:02}:59 {ZONES[i % 10]}" for i in range(count)]


class VisitCosts(unittest.TestCase):
    def setUp(self):
        self.server = CountedServer(temporary_folder(self) / "data")
        self.addCleanup(self.server.end)
        self.server.start(300)
        self.costs = {}

    def link(self, slashtag, rules=(), destination="https://example.com/", behind=""):
        api = self.server.connect()
        made = api.wanted("POST", "/v1/links", {"destination": destination, "slashtag": slashtag})
        for conditions in rules:
            api.wanted("POST", f"/v1/links/{made['id']}/rules",
                       {"destination": "https://example.com/" + behind, "condition": {"and": conditions}})
        api.close()

    def visit(self, what, target, headers=BROWSER, times=20):
        turns = itertools.count()

        def follow(visitor):
            lines = headers(next(turns)) if callable(headers) else headers
            visitor.send_bytes(f"GET {target}{visitor.head}".encode() + lines.encode("latin-1") + b"\r\n")
            assert visitor.receive().status == 302

        self.costs[what] = self.server.count(self.server.steadily(follow), times, 1)

    def test_no_visit_costs_more_than_a_tenth_of_a_millisecond(self):
        self.link("plain")
        self.link("named", destination="https://example.com/?" + "&".join(f"{i:x}" for i in range(500)))
        self.link("times", [[{"property": "req.time", "operator": "in", "values": windows(250)}]] * 2, behind="r" * 1000)
        self.link("words", [[{"property": "req.language", "operator": "not-in",
                              "values": [f"{a}-{b}" for a in LANGUAGES for b in COUNTRIES][:249]}] +
                            [{"property": "req.language", "operator": "in", "values": ["de"]}]] * 2)
        self.link("queries", [[{"property": f"req.query.{'n' * 90}{i}", "operator": "not-in", "values": ["v" * 100]}
                               for i in range(9)] +
                              [{"property": "req.query.none", "operator": "in", "values": ["1"]}]] * 50)
        noise, few = random.Random(1), lambda count: "&".join(f"{i:x}=1" for i in range(count))
        printable = [chr(code) for code in range(33, 127)]
        self.visit("plain", "/plain")
        self.visit("400 parameters for a destination of 500", f"/named?{few(400)}")
        self.visit("4,000 parameters", "/plain?" + "&".join("a" * 4000))
        self.visit("a value of 8,000 bytes", "/plain?a=" + "%" * 8000)
        self.visit("500 windows in 10 zones", "/times")
        self.visit("500 languages", "/words", f"Accept-Language: zz{'-zzzzzzzz' * 50}\r\n")
        self.visit("450 parameters in 500 conditions of a query", f"/queries?{few(900)}")
        self.visit("one parameter in 500 conditions of a query", f"/queries?none={'v' * 7000}")
        self.visit("a user agent of random bytes", "/plain", lambda _: "User-Agent: " + "".join(
            chr(noise.choice([*range(33, 127), *range(128, 256)])) for _ in range(2000)) + "\r\n", 200)
        self.visit("a user agent of random letters", "/plain", lambda _: "User-Agent: " + "".join(
            noise.choices(printable, k=2000)) + "\r\n", 200)
        self.visit("languages of 8 KB", "/plain", "Accept-Language: " + "de-at;q=0.5," * 650 + "\r\n")
        self.visit("a referrer of 8 KB", "/plain", "Referer: https://" + "a." * 4000 + "\r\n")
        self.visit("a cookie of 8 KB", "/plain", "Cookie: " + "a=b; " * 1600 + "\r\n")
        self.visit("forwarded by hundreds", "/plain", "X-Forwarded-For: " + "192.0.2.1, " * 700 + "\r\n")
        self.visit("90 headers", "/plain", "".join(f"X-{i}: y\r\n" for i in range(90)))
        print(json.dumps(self.costs, indent=4))
        for what, cost in self.costs.items():
            with self.subTest(what):
                self.assertLess(cost, VISIT_MAX)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
