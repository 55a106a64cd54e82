#!/usr/bin/env python3
"""Who a visitor is: the file of countries that comes, breaks and is replaced while the server runs; proxies, and those
who only pretend to be one; and that no address is kept."""
import ipaddress
import pathlib
import signal
import sys
import unittest

from slashpost import Connection, Server, temporary_folder, wait_until

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "data"))
import mmdb  # noqa: E402  pylint: disable=wrong-import-position


class Visitor(Connection):
    """Says more about itself than others do: the header lines that it is told to."""

    def visit(self, path, *lines, method="GET"):
        self.send_bytes((f"{method} {path}{self.head}" + "".join(f"{line}\r\n" for line in lines) + "\r\n").encode("latin-1"))
        return self.receive()


class Visitors(unittest.TestCase):
    def start(self, *arguments):
        self.folder = temporary_folder(self)
        server = Server(self.folder / "store", *arguments)
        self.addCleanup(server.end)
        return server.start()

    def metric(self, server, name):
        connection = Connection(server.ops_port, host="localhost")
        self.addCleanup(connection.close)
        for line in connection.ask("GET", "/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        return None

    def put(self, path, data):
        path.with_suffix(".new").write_bytes(data)
        path.with_suffix(".new").rename(path)

    def test_what_the_operator_says_of_privacy_holds(self):
        server = self.start("--robots-tag", "noindex, nofollow", "--privacy-signals", "honour", "--fold-interval-ms", "50")
        api = server.connect()
        link = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})["id"]
        answer = Visitor(server.port).visit("/a", "Sec-GPC: 1", "Accept-Language: de", "Referer: https://news.example/")
        self.assertEqual((answer.status, answer.headers["x-robots-tag"]), (302, "noindex, nofollow"))
        self.assertNotIn("x-robots-tag", api.ask("GET", "/v1/links").headers)
        self.assertEqual(Visitor(server.port).visit("/a+").headers["x-robots-tag"], "noindex, nofollow")
        wait_until(lambda: api.wanted("GET", f"/v1/links/{link}")["clicks"] == 1, 10, "the click is counted")
        for by in ("language", "referrer", "device"):
            told = api.wanted("GET", f"/v1/links/{link}/statistics?by={by}")
            self.assertEqual(told["buckets"][0]["by"], [{"value": "unknown", "clicks": 1}])
        api.wanted("DELETE", f"/v1/links/{link}/statistics")
        self.assertEqual(api.wanted("GET", f"/v1/links/{link}")["clicks"], 0)

        self.assertEqual(Visitor(server.port, host="nobody.example.com").visit("/a").status, 404)
        wait_until(lambda: "nobody.example.com" in server.said(), 10, "told of a host that no domain has")

    def test_the_file_of_countries_may_come_break_and_be_replaced(self):
        file = temporary_folder(self) / "countries.mmdb"
        server = self.start("--geoip", str(file))
        server.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})
        visitor = Visitor(server.port)
        self.assertEqual(self.metric(server, "slashpost_countries_loaded"), 0)
        self.assertEqual(visitor.visit("/a").status, 302)
        self.put(file, mmdb.countries(de=["127.0.0.0/8"]))
        wait_until(lambda: self.metric(server, "slashpost_countries_loaded") == 1, 30, "countries loaded")
        self.assertEqual(self.metric(server, "slashpost_countries_built_seconds"), mmdb.EPOCH)
        self.assertEqual(visitor.visit("/a").status, 302)

        with file.open("r+b") as written_over:  # in place, under the one who may have it mapped
            written_over.truncate(50)
        wait_until(lambda: "the file of countries is not taken" in server.said(), 30, "told that it is broken")
        for _ in range(50):
            self.assertEqual(Visitor(server.port).visit("/a").status, 302)
        self.assertEqual(self.metric(server, "slashpost_countries_loaded"), 1)

        said = server.said().count("countries loaded")
        self.put(file, mmdb.countries(fr=["127.0.0.0/8"]))
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: server.said().count("countries loaded") > said, 30, "the new file is loaded")
        file.unlink()
        self.assertEqual(visitor.visit("/a").status, 302)
        self.assertEqual(server.stop(), 0)

    def refused(self, visitor, *lines):
        """How many more refused keys the server will bear from whom it takes this for."""
        answer = visitor.visit("/v1/account", "apikey: no such key", *lines)
        self.assertEqual(answer.status, 401)
        return int(answer.headers["x-ratelimit-remaining"])

    def test_headers_of_a_stranger_change_nothing(self):
        server = self.start("--trusted-proxies", "192.0.2.0/24,2001:db8::/32")
        visitor = Visitor(server.port)
        first = self.refused(visitor)
        for count, lines in enumerate([
                ["X-Forwarded-For: 198.51.100.1"], ["Forwarded: for=198.51.100.2"], ["X-Real-IP: 198.51.100.3"],
                ["CF-Connecting-IP: 198.51.100.4"], ["X-Forwarded-For: 192.0.2.1"],
                ["X-Forwarded-For: 192.0.2.1, 198.51.100.5", "Forwarded: for=192.0.2.1"]], 1):
            self.assertEqual(self.refused(visitor, *lines), first - count, lines)

    def test_a_trusted_proxy_speaks_for_its_clients(self):
        server = self.start("--trusted-proxies", "127.0.0.1")
        proxy = Visitor(server.port)
        first = self.refused(proxy, "X-Forwarded-For: 198.51.100.1")
        self.assertEqual(self.refused(proxy, "X-Forwarded-For: 198.51.100.2"), first)
        self.assertEqual(self.refused(proxy, "Forwarded: for=\"[2001:db8::1]:99\""), first)
        self.assertEqual(self.refused(proxy, "X-Forwarded-For: 198.51.100.1"), first - 1)
        # What a client made up stands before what the proxy wrote.
        self.assertEqual(self.refused(proxy, "X-Forwarded-For: 203.0.113.9, 198.51.100.1"), first - 2)
        self.assertEqual(self.refused(proxy, "X-Forwarded-For: 198.51.100.1", "Forwarded: for=203.0.113.9"), first)

    def test_no_address_is_kept_and_odd_headers_do_no_harm(self):
        server = self.start("--trusted-proxies", "127.0.0.1", "--log-level", "debug")
        api = server.connect()
        link = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})
        proxy = Visitor(server.port)
        addresses = ["203.0.113.217", "2001:db8:1234:5678:9abc:def0:1234:5678"]
        for address in addresses:
            for agent in ("Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", "\xff\xfe\xc3(",
                          "x" * 9000, "Twitterbot/1.0", "python-requests/2.31.0"):
                answer = proxy.visit("/a", f"X-Forwarded-For: {address}", f"User-Agent: {agent}",
                                     "Accept-Language: \xff, de;q=9, fr;q=0.5",
                                     "Referer: https://\xff\xfe<script>.example/" + "y" * 4000)
                self.assertEqual((answer.status, answer.headers["location"]), (302, "https://example.com/"))
        wait_until(lambda: api.wanted("GET", f"/v1/links/{link['id']}")["clicks"] == 2, 30, "two clicks of people")
        self.assertEqual(server.stop(), 0)
        kept = [file for file in self.folder.rglob("*") if file.is_file()]
        self.assertTrue(kept)
        for file in kept:
            data = file.read_bytes()
            for address in addresses:
                self.assertNotIn(address.encode(), data, file)
                self.assertNotIn(ipaddress.ip_address(address).packed, data, file)


if __name__ == "__main__":
    unittest.main()
