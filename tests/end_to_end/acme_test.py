#!/usr/bin/env python3
"""Certificates that the server gets by itself, from Debian's pebble, a certificate authority for tests: over HTTP-01 and
over TLS-ALPN-01, with half of the nonces refused, served by name, renewed, and failures in words. Nothing leaves this
machine: pebble asks pebble-challtestsrv where the domains are."""
import json
import os
import socket
import ssl
import subprocess
import unittest
import urllib.request

from https_test import make_pair
from slashpost import Connection, Server, free_port, temporary_folder, wait_until

HOST, LOST, LATE = "go.example.com", "lost.example.com", "late.example.com"
LIFE = 45  # seconds: renewed after two thirds of them


class Authority:
    """pebble and its DNS, on ports of the loopback."""

    def __init__(self, test, http_port, tls_port):
        folder = temporary_folder(test)
        make_pair(folder, "pebble", "localhost")
        self.certificate = folder / "fullchain.pem"
        self.port, self.management, dns, self.dns_management = (free_port() for _ in range(4))
        config = {"listenAddress": f"127.0.0.1:{self.port}", "managementListenAddress": f"127.0.0.1:{self.management}",
                  "certificate": str(self.certificate), "privateKey": str(folder / "privkey.pem"), "httpPort": http_port,
                  "tlsPort": tls_port, "ocspResponderURL": "", "externalAccountBindingRequired": False,
                  "certificateValidityPeriod": LIFE}
        (folder / "config.json").write_text(json.dumps({"pebble": config}))
        self.said = folder / "said"
        self.start(test, "pebble-challtestsrv", "-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-http01", "", "-https01", "",
                   "-tlsalpn01", "", "-dns01", f"127.0.0.1:{dns}", "-management", f"127.0.0.1:{self.dns_management}")
        wait_until(lambda: self.answers(self.dns_management), 60, "the DNS")
        self.start(test, "pebble", "-config", folder / "config.json", "-dnsserver", f"127.0.0.1:{dns}")
        wait_until(lambda: self.answers(self.port), 60, "pebble, which makes an RSA key first")
        self.directory = f"https://localhost:{self.port}/dir"

    def start(self, test, *command):
        with self.said.open("ab") as said:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                       env={**os.environ, "PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "50"})
        test.addCleanup(process.wait, 10)
        test.addCleanup(process.kill)

    @staticmethod
    def answers(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return True
        except OSError:
            return False

    def root(self):
        """The certificate that vouches for those that it gives, as PEM."""
        context = ssl.create_default_context(cafile=self.certificate)
        with urllib.request.urlopen(f"https://localhost:{self.management}/roots/0", context=context, timeout=10) as answer:
            return answer.read().decode()

    def put_elsewhere(self, host):
        body = json.dumps({"host": host, "addresses": ["127.0.0.2"]}).encode()
        urllib.request.urlopen(f"http://127.0.0.1:{self.dns_management}/add-a", body, timeout=10).close()


class Acme(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.http_port, self.tls_port = free_port(), free_port()
        self.authority = Authority(self, self.http_port, self.tls_port)

    def server(self, *arguments):
        server = Server(self.folder / "store", "--tls-listen", f"127.0.0.1:{self.tls_port}", "--certificates",
                        self.folder / "live", "--acme", self.authority.directory, "--acme-ca", self.authority.certificate,
                        "--acme-email", "ops@example.com", *arguments)
        server.port = self.http_port
        self.addCleanup(server.end)
        return server

    def shown(self, host):
        """The number of the certificate that a browser believes for the host; nothing when it does not."""
        context = ssl.create_default_context(cadata=self.authority.root())
        try:
            with socket.create_connection(("127.0.0.1", self.tls_port), timeout=10) as plain, \
                    context.wrap_socket(plain, server_hostname=host) as secure:
                return secure.getpeercert()["serialNumber"]
        except (OSError, ssl.SSLError):
            return ""

    def wait_for(self, host, server, seconds=30, other_than=""):
        return wait_until(lambda: self.shown(host) not in ("", other_than) and self.shown(host), seconds,
                          f"a certificate for {host}; the server said:\n{server.said()}\n{self.authority.said.read_text()[-2000:]}")

    def status(self, server, host):
        connection = server.connect()
        domains = connection.wanted("GET", "/v1/domains")
        connection.close()
        return next(domain["status"] for domain in domains if domain["fullName"] == host)

    def add(self, server, host):
        self.assertEqual(server.admin("domain", "add", host, "--verified")[0], 0)
        self.assertEqual(server.admin("domain", "share", host, "admin")[0], 0)

    def test_a_certificate_comes_over_http_is_served_and_renewed(self):
        server = self.server("--acme-challenge", "http-01").start()
        first = self.wait_for(HOST, server)
        self.assertEqual(self.status(server, HOST)["encryption"], "active")
        # A domain that is verified while the server runs has its own within seconds.
        self.add(server, LATE)
        self.wait_for(LATE, server)
        code, said = server.admin("certificates")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, rf"(?m)^{HOST} +acme +0 days left, until .*; next try ")
        self.assertIn("every active domain is covered", said)
        metrics = Connection(server.ops_port, host="localhost").ask("GET", "/metrics").body.decode()
        self.assertIn("slashpost_certificates_active 2\n", metrics)
        self.assertRegex(metrics, r"slashpost_certificate_not_after_seconds [1-9]")
        self.wait_for(HOST, server, seconds=LIFE, other_than=first)
        # No key is in a log or in a dump, unless one asks for it.
        self.assertNotIn("PRIVATE KEY", server.log("err").read_text())
        self.assertNotIn("PRIVATE KEY", server.admin("dump", "-")[1])
        self.assertIn("PRIVATE KEY", server.admin("dump", "-", "--with-keys")[1])
        # The certificate is the store's: a server that starts has it at once.
        self.assertEqual(server.stop(), 0)
        server.start()
        self.wait_for(HOST, server, seconds=10)

    def test_a_certificate_comes_over_tls(self):
        server = self.server("--acme-challenge", "tls-alpn-01")
        server.port = free_port()  # so where the authority would look over HTTP there is nobody
        server.start()
        self.wait_for(HOST, server)

    def test_a_failure_is_told_in_words_and_others_go_on(self):
        self.authority.put_elsewhere(LOST)
        server = self.server("--acme-challenge", "http-01").start()
        self.add(server, LOST)
        wait_until(lambda: self.status(server, LOST)["encryption"] == "failed", 30, "the failure is told")
        self.assertRegex(self.status(server, LOST)["encryptionError"], "cannot see that the domain is ours: .*(connection)")
        self.wait_for(HOST, server)
        said = server.admin("certificates")[1]
        self.assertRegex(said, rf"(?m)^{LOST} +acme +none yet; 1 failures, the last at .*\(connection\); next try ")
        self.assertIn(f"not covered: {LOST}\n", said)
        server.says("no certificate could be got")

    def test_the_operators_certificate_wins(self):
        make_pair(self.folder / "live" / HOST, "mine", HOST)
        server = self.server("--acme-challenge", "http-01").start()
        self.add(server, LATE)
        self.wait_for(LATE, server)
        self.assertEqual(self.shown(HOST), "")  # it is of no authority that pebble's root vouches for
        said = server.admin("certificates")[1]
        self.assertRegex(said, rf"(?m)^{HOST} +folder +89 days left")
        self.assertNotRegex(said, rf"(?m)^{HOST} +acme")


if __name__ == "__main__":
    unittest.main()
