#!/usr/bin/env python3
"""A domain of one's own, from its registration to a visitor's redirect, with a real name server beside the server."""
import shutil
import subprocess
import unittest

from slashpost import Connection, Server, free_port, temporary_folder, wait_until

DNSMASQ = shutil.which("dnsmasq", path="/usr/sbin:/usr/bin")


class NameServer:
    """dnsmasq on a port of the loopback; knows the TXT records that it is told, and that .example has no others."""

    def __init__(self):
        self.port, self.process = free_port(), None

    def tell(self, *records):
        self.end()
        self.process = subprocess.Popen(
            [DNSMASQ, "--keep-in-foreground", "--conf-file=/dev/null", "--pid-file=", "--no-resolv", "--no-hosts",
             "--bind-interfaces", "--listen-address=127.0.0.1", f"--port={self.port}", "--local=/example/", "--user=",
             *(f"--txt-record={name},{text}" for name, text in records)], stdin=subprocess.DEVNULL)
        wait_until(self.listens, 10, "dnsmasq listens")

    def listens(self):
        assert self.process.poll() is None, "dnsmasq has ended"
        try:
            Connection(self.port).close()
        except OSError:
            return False
        return True

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait(30)


class Domains(unittest.TestCase):
    def test_a_domain_of_ones_own(self):
        folder = temporary_folder(self)
        names = NameServer()
        self.addCleanup(names.end)
        names.tell()
        server = Server(folder / "store", "--dns-server", f"127.0.0.1:{names.port}")
        self.addCleanup(server.end)
        server.start()
        api = server.connect()

        made = api.wanted("POST", "/v1/domains", {"fullName": "Sale.Mine.example"})
        domain, record = f"/v1/domains/{made['id']}", made["verification"]
        self.assertEqual((made["fullName"], made["verified"]), ("sale.mine.example", False))
        self.assertEqual(record["name"], "_slashpost.sale.mine.example")
        self.assertEqual(self.refusal(api.ask("POST", domain + "/verify")), (403, ["verification"]))
        names.end()
        self.assertEqual(api.ask("POST", domain + "/verify").status, 503)
        names.tell((record["name"], "v=spf1"), (record["name"], record["value"]))
        self.assertTrue(api.wanted("POST", domain + "/verify")["verified"])

        link = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x",
                                                "domainId": made["id"]})
        self.assertEqual(link["shortUrl"], "sale.mine.example/x")
        visitor = Connection(server.port, host="sale.mine.example")
        self.assertEqual(visitor.ask("GET", "/x").headers["location"], "https://example.com/")
        self.assertEqual(visitor.ask("GET", "/lost").status, 404)
        wait_until(lambda: api.wanted("GET", domain)["clicks"] == 1, 10, "the click shows")

        # Settings are in force for visitors as soon as they are answered.
        api.wanted("PATCH", domain, {"redirectType": 307, "customHomepage": "https://example.com/home",
                                     "notFoundUrl": "https://example.com/lost"})
        self.assertEqual(visitor.ask("GET", "/x").status, 307)
        self.assertEqual(visitor.ask("GET", "/").headers["location"], "https://example.com/home")
        self.assertEqual(visitor.ask("GET", "/lost").headers["location"], "https://example.com/lost")
        # A further name shows the same links once it is proved; www needs no proof.
        shown = api.wanted("PATCH", domain, {"aliases": [{"fullName": "www.sale.mine.example"}, {"fullName": "other.example"}]})
        other = shown["aliases"][1]["verification"]
        further = {name: Connection(server.port, host=name) for name in ("www.sale.mine.example", "other.example")}
        self.assertEqual(further["www.sale.mine.example"].ask("GET", "/x").status, 307)
        self.assertEqual(further["other.example"].ask("GET", "/x").status, 404)
        self.assertEqual(self.refusal(api.ask("POST", domain + "/aliases/other.example/verify")), (403, ["verification"]))
        names.tell((other["name"], other["value"]))
        api.wanted("POST", domain + "/aliases/other.example/verify")
        self.assertEqual(further["other.example"].ask("GET", "/x").headers["location"], "https://example.com/")
        wait_until(lambda: api.wanted("GET", domain)["clicks"] >= 4, 10, "clicks under all names show")
        api.wanted("PATCH", domain, {"aliases": [{"fullName": "other.example"}]})
        self.assertEqual(further["www.sale.mine.example"].ask("GET", "/x").status, 404)
        self.assertEqual(further["other.example"].ask("GET", "/x").status, 307)
        api.wanted("PATCH", domain, {"active": False})
        self.assertNotIn("location", visitor.ask("GET", "/x").headers)
        api.wanted("PATCH", domain, {"active": True})
        self.assertEqual(visitor.ask("GET", "/x").status, 307)

        self.assertEqual(api.ask("DELETE", domain).status, 403)
        api.wanted("DELETE", f"/v1/links/{link['id']}")
        api.wanted("DELETE", domain)
        self.assertEqual(visitor.ask("GET", "/").status, 404)
        self.assertEqual(server.admin("verify")[0], 0)
        self.assertEqual(server.stop(), 0)

    def refusal(self, answer):
        return answer.status, [error["property"] for error in answer.json()["errors"]]


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
