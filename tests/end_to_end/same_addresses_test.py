#!/usr/bin/env python3
"""Moving over: `slashpost-admin import check` compares an old server with the new one; and what was exported comes back."""
import http.client
import http.server
import threading
import unittest

from slashpost import DOMAIN, Server, admin, temporary_folder

PLACES = {f"/link-{number}": f"https://example.com/{number}" for number in range(30)}


class OldServer(http.server.BaseHTTPRequestHandler):
    """Leads to PLACES; what is asked is remembered."""

    protocol_version = "HTTP/1.1"
    places, asked, knows_head = {}, [], True

    def answer(self):
        self.asked.append((self.command, self.path))
        place = self.places.get(self.path)
        if self.command == "HEAD" and not self.knows_head:
            self.send_response(405)
        else:
            self.send_response(301 if place else 404)
        if place:
            self.send_header("Location", place)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET = answer  # noqa: N815

    def log_message(self, *_):
        pass


class SameAddresses(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.server = Server(self.folder / "data", "--rate-limit", "0").start()
        self.addCleanup(self.server.end)
        connection = self.server.connect()
        self.addCleanup(connection.close)
        for path, place in PLACES.items():
            connection.wanted("POST", "/v1/links", {"destination": place, "slashtag": path[1:]})
        self.old = type("Old", (OldServer,), {"places": dict(PLACES), "asked": []})
        listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.old)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.addCleanup(listener.server_close)
        self.addCleanup(listener.shutdown)
        self.old_url = f"http://127.0.0.1:{listener.server_port}"
        self.new_url = f"http://127.0.0.1:{self.server.port}"

    def check(self, *arguments):
        return admin(self.server.data, "import", "check", self.old_url, self.new_url, *arguments)

    def counts(self, said):
        return {line.split()[0]: int(line.split()[1]) for line in said.splitlines()
                if line.split()[0] in ("same", "different", "missing")}

    def test_servers_that_agree_are_told_so(self):
        code, said = self.check()
        self.assertEqual((code, self.counts(said)), (0, {"same": 30, "different": 0, "missing": 0}), said)
        self.assertIn("30 of the same are another kind of redirect", said)
        self.assertEqual({command for command, _ in self.old.asked}, {"HEAD"})
        self.assertEqual(said.count(f"  {DOMAIN}/link-"), 10, "the first ten are shown")

    def test_what_leads_elsewhere_and_what_is_missing_is_told(self):
        self.old.places["/link-3"] = "https://example.com/elsewhere"
        del self.old.places["/link-4"]
        code, said = self.check()
        self.assertEqual((code, self.counts(said)), (1, {"same": 28, "different": 2, "missing": 0}), said)
        self.assertIn(f"  {DOMAIN}/link-3  301 https://example.com/elsewhere  ->  302 https://example.com/3\n", said)
        self.assertIn(f"  {DOMAIN}/link-4  404  ->  302 https://example.com/4\n", said)

    def test_a_link_that_only_the_old_server_has_is_missing(self):
        other = Server(self.folder / "other", "--rate-limit", "0").start()
        self.addCleanup(other.end)
        code, said = admin(self.server.data, "import", "check", self.old_url, f"http://127.0.0.1:{other.port}")
        self.assertEqual((code, self.counts(said)), (1, {"same": 0, "different": 0, "missing": 30}), said)

    def test_a_sample_asks_for_so_many(self):
        code, said = self.check("--sample", "5")
        self.assertEqual((code, self.counts(said)["same"]), (0, 5), said)
        self.assertEqual(len(self.old.asked), 5)

    def test_an_old_server_that_knows_no_head_is_asked_with_get(self):
        self.old.knows_head = False
        self.assertEqual(self.check("--sample", "2")[0], 0)
        self.assertEqual([command for command, _ in self.old.asked].count("GET"), 2)

    def test_nobody_is_counted_as_a_visitor(self):
        self.assertEqual(self.check()[0], 0)
        self.assertEqual({link["clicks"] for link in self.server.connect().links()}, {0})

    def test_a_server_that_cannot_be_reached_and_one_that_is_none_are_told(self):
        code, said = admin(self.server.data, "import", "check", "http://127.0.0.1:1", self.new_url)
        self.assertEqual(code, 1)
        self.assertIn("cannot ask http://127.0.0.1:1/link-", said)
        code, said = admin(self.server.data, "import", "check", "old.example")
        self.assertEqual(code, 1)
        self.assertIn("'old.example' is no address of a server", said)

    def test_what_the_api_exports_comes_back_by_an_import(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        self.addCleanup(connection.close)
        connection.request("GET", "/v1/links/export?format=csv", headers={"apikey": self.server.key, "Host": DOMAIN})
        file = self.folder / "links.csv"
        file.write_bytes(connection.getresponse().read())
        other = Server(self.folder / "other", "--rate-limit", "0").start()
        self.addCleanup(other.end)
        code, said = admin(other.data, "import", file)
        self.assertEqual(code, 0, said)
        self.assertIn("read as slashpost", said)
        both = [{link["slashtag"]: (link["destination"], link["createdAt"]) for link in server.connect().links()}
                for server in (self.server, other)]
        self.assertEqual(both[0], both[1])

    def test_an_export_of_several_parts_is_whole_over_the_wire(self):
        connection = self.server.connect()
        for _ in range(5):
            connection.wanted("PUT", "/v1/links", [{"destination": "https://example.com/"}] * 100)
        stream = http.client.HTTPConnection("127.0.0.1", self.server.port)
        self.addCleanup(stream.close)
        stream.request("GET", "/v1/links/export?format=jsonl", headers={"apikey": self.server.key, "Host": DOMAIN})
        answer = stream.getresponse()
        self.assertEqual(answer.getheader("Transfer-Encoding"), "chunked")
        self.assertEqual(len(answer.read().splitlines()), 530)
        code, said = self.server.admin("export", "csv", self.folder / "all.csv")
        self.assertEqual(code, 0, said)
        self.assertEqual(len((self.folder / "all.csv").read_text().splitlines()), 531)


if __name__ == "__main__":
    unittest.main()
