#!/usr/bin/env python3
"""The recipes of tools/packaging/proxies, run with what Debian has of them, with HTTP/2 in front: the server learns whose visit
it is, that it came by HTTPS and to which host, and nobody else's word for it is taken."""
import pathlib
import socket
import subprocess
import unittest

from slashpost import PERSON, Server, free_port, temporary_folder, wait_until

RECIPES = pathlib.Path(__file__).parents[2] / "tools" / "packaging" / "proxies"
HOST = "go.example.com"
OURS, THEIRS = "127.0.0.2", "127.0.0.3"  # one of the operator's people, and a visitor


def recipe(name, *changes):
    text = (RECIPES / name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Proxies(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.server = Server(self.folder / "store", "--trusted-proxies", "127.0.0.1", "--ignore-clicks-from", OURS,
                             "--fold-interval-ms", "50", "--io-threads", "1", domain=HOST)
        self.addCleanup(self.server.end)
        self.server.start()
        self.api = self.server.connect()
        self.addCleanup(self.api.close)
        self.link = self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})["id"]
        self.chain, self.key = self.folder / "chain.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9",
                        "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", self.key, "-out", self.chain],
                       check=True, stderr=subprocess.DEVNULL)
        self.port, self.plain_port = free_port(), free_port()

    def put(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def front(self, *command):
        environment = {"HOME": str(self.folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        with (self.folder / "front.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)  # pylint: disable=consider-using-with
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: is_open(self.port), 30, f"{command[0]} listens")

    def visit(self, path, source, *options):
        """Status, version of HTTP, where it leads, and the body."""
        said = subprocess.run(["curl", "--silent", "--show-error", "--http2", "--cacert", self.chain, "--interface", source, "-A", PERSON,
                               "--connect-to", f"{HOST}:443:127.0.0.1:{self.port}", "-w", "\n%{http_code} %{http_version} %{redirect_url}",
                               *options, f"https://{HOST}{path}"], check=True, capture_output=True, text=True).stdout
        body, _, last = said.rpartition("\n")
        return last, body

    def clicks(self):
        return self.api.wanted("GET", f"/v1/links/{self.link}")["clicks"]

    def check(self):
        led = "302 2 https://example.com/"
        self.assertEqual(self.visit("/a", OURS)[0], led)
        self.assertEqual(self.visit("/a", THEIRS)[0], led)
        wait_until(lambda: self.clicks() == 1, 10, "the visitor's click, and not that of the operator's people")
        for lie in (f"X-Forwarded-For: {OURS}", f"Forwarded: for={OURS}"):
            self.assertEqual(self.visit("/a", THEIRS, "-H", lie)[0], led)
        wait_until(lambda: self.clicks() == 3, 10, "clicks of a visitor who claims to be somebody else")
        picture = self.visit("/a.qr?format=svg", THEIRS)
        plain = self.visit("/a.qr?format=svg", THEIRS, "-H", "X-Forwarded-Proto: http")
        self.assertEqual(picture[0][:5], "200 2")
        self.assertEqual(plain[1], picture[1])
        direct = self.server.connect()
        self.addCleanup(direct.close)
        self.assertNotEqual(direct.ask("GET", "/a.qr?format=svg").body.decode(), picture[1])  # which says http

    def test_nginx(self):
        site = self.put("site.conf", recipe("nginx.conf", ("127.0.0.1:8080", f"127.0.0.1:{self.server.port}"),
                                            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
                                            ("listen 443", f"listen 127.0.0.1:{self.port}"),
                                            ("/etc/letsencrypt/live/go.example.com/fullchain.pem", str(self.chain)),
                                            ("/etc/letsencrypt/live/go.example.com/privkey.pem", str(self.key))))
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        main = self.put("nginx.conf", f"daemon off; pid {self.folder}/pid; error_log stderr; events {{}}\n"
                                      f"http {{ access_log off; {temporary} include {site}; }}\n")
        self.front("nginx", "-c", str(main))
        self.check()

    def test_haproxy(self):
        pair = self.put("pair.pem", self.chain.read_text(encoding="ascii") + self.key.read_text(encoding="ascii"))
        config = self.put("haproxy.cfg", recipe("haproxy.cfg", ("127.0.0.1:8080", f"127.0.0.1:{self.server.port}"),
                                                ("port 8081", f"port {self.server.ops_port}"),
                                                ("bind :80\n", f"bind 127.0.0.1:{self.plain_port}\n"),
                                                ("bind :443", f"bind 127.0.0.1:{self.port}"),
                                                ("/etc/haproxy/certs/", str(pair))))
        self.front("haproxy", "-db", "-f", str(config))
        self.check()

    def test_caddy(self):
        config = self.put("Caddyfile", "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + recipe(
            "Caddyfile", ("127.0.0.1:8080", f"127.0.0.1:{self.server.port}"),
            ("go.example.com, api.example.com {", f"https://{HOST}:{self.port} {{\n\ttls {self.chain} {self.key}")))
        self.front("caddy", "run", "--config", str(config), "--adapter", "caddyfile")
        self.check()


if __name__ == "__main__":
    unittest.main()
