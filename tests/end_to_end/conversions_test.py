#!/usr/bin/env python3
"""A visitor is forwarded with a click id, what they do is reported, and it counts once, whatever happens."""
import re
import unittest

from slashpost import Connection, Server, admin, temporary_folder

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0"


class Conversions(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.server = Server(self.folder / "store", "--click-id-parameter", "cid")
        self.addCleanup(self.server.end)
        self.server.start()

    def click(self, slashtag, query=""):
        """Where a person is sent, and the click id that they carry there."""
        visitor = Connection(self.server.port, agent=BROWSER)
        answer = visitor.ask("GET", f"/{slashtag}{query}")
        visitor.close()
        self.assertEqual(answer.status, 302)
        where = answer.headers["location"]
        found = re.search(r"[?&]cid=([A-Za-z0-9_-]{59})$", where)
        return where, found and found.group(1)

    def test_a_click_converts_once(self):
        api = self.server.connect()
        link = api.wanted("POST", "/v1/links", {"destination": "https://shop.example/?a=1", "slashtag": "sale"})
        self.assertEqual(self.click("sale"), ("https://shop.example/?a=1", None))
        workspace = next(one["id"] for one in api.wanted("GET", "/v1/workspaces") if one["default"])
        tracking = f"/v1/workspaces/{workspace}/conversion-tracking"
        api.wanted("POST", tracking, {"enabled": True})

        where, click = self.click("sale", "?b=2&cid=mine")
        self.assertEqual(where, f"https://shop.example/?a=1&b=2&cid={click}")
        report = {"clickId": click, "event": "purchase", "value": 19.99, "currency": "EUR"}
        first = api.wanted("POST", "/v1/conversions", report)
        self.assertEqual((first["linkId"], first["value"], first["currency"]), (link["id"], 19.99, "EUR"))

        self.server.kill()  # the answer was there, so it is on disk; the visitor's click id outlives the process
        self.server.start()
        api = self.server.connect()
        self.assertEqual(api.wanted("POST", "/v1/conversions", report), first)
        _, later = self.click("sale")
        self.assertNotEqual(later, click)
        self.assertNotEqual(api.wanted("POST", "/v1/conversions", report | {"clickId": later})["id"], first["id"])

        forged = api.ask("POST", "/v1/conversions", report | {"clickId": later[:-5] + "AAAAA"})
        self.assertEqual((forged.status, forged.json()["code"]), (404, "NotFound"))
        api.wanted("POST", tracking, {"enabled": False})
        refused = api.ask("POST", "/v1/conversions", report)
        self.assertEqual((refused.status, refused.json()["code"]), (403, "ConversionTrackingDisabled"))
        self.assertEqual(self.click("sale", "?cid=mine")[0], "https://shop.example/?a=1&cid=mine")
        api.wanted("POST", tracking, {"enabled": True})
        self.check_restored(report, first)

    def check_restored(self, report, first):
        """A dump carries the key of click ids: those that visitors hold go on meaning something."""
        _, open_click = self.click("sale")
        dump = self.folder / "dump.jsonl"
        for data, *command in ((self.server.data, "dump", dump), (self.folder / "other", "restore", dump),
                               (self.folder / "other", "verify")):
            code, said = admin(data, *command)
            self.assertEqual(code, 0, said)
        self.assertEqual(self.server.stop(), 0, self.server.said())
        restored = Server(self.folder / "other")
        self.addCleanup(restored.end)
        restored.key = self.server.key
        api = restored.start().connect()
        self.assertEqual(api.wanted("POST", "/v1/conversions", report), first)
        self.assertEqual(api.wanted("POST", "/v1/conversions", report | {"clickId": open_click})["event"], "purchase")
        self.assertEqual(restored.stop(), 0, restored.said())


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
