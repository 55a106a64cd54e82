#!/usr/bin/env python3
"""HTTPS as clients see it: curl and openssl s_client against several host names, certificates that change under
live connections, a broken pair, certbot's webroot, and the way from the plain port."""
import os
import signal
import ssl
import subprocess
import threading
import unittest

from slashpost import Connection, Server, free_port, temporary_folder, wait_until

HOST, OTHER, WILD, MAIN = "go.example.com", "link.example.org", "any.wild.example", "main.example"


def run(*command, given="", code=0):
    """What a command printed; it has to end with this code (None: with any)."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    assert code is None or done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def make_pair(folder, subject, *names, days=90):
    """A self-signed certificate and its key, named as certbot names them."""
    folder.mkdir(parents=True, exist_ok=True)
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", str(days),
        "-subj", f"/CN={subject}", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names),
        "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem")


def point_to(live, archive):
    """What `certbot renew` does: one symbolic link after the other."""
    live.mkdir(parents=True, exist_ok=True)
    for name in ("fullchain.pem", "privkey.pem"):
        fresh = live / f".{name}.new"
        fresh.symlink_to(archive / name)
        os.replace(fresh, live / name)


class SecureConnection(Connection):
    """A keep-alive connection over TLS that trusts whatever it is shown."""

    def __init__(self, port, key="", host=HOST):
        super().__init__(port, key, host)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.socket = context.wrap_socket(self.socket, server_hostname=host)


class Https(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.live, self.archive, self.webroot = (self.folder / name for name in ("live", "archive", "webroot"))
        make_pair(self.archive / "1", "first", HOST)
        point_to(self.live / HOST, self.archive / "1")
        make_pair(self.live / "other", "other", OTHER)
        make_pair(self.live / "wild.example", "wild", "*.wild.example", "wild.example")
        make_pair(self.live / "default", "main", MAIN)
        self.webroot.mkdir()
        self.tls_port = free_port()
        self.server = Server(self.folder / "store", "--tls-listen", f"127.0.0.1:{self.tls_port}", "--certificates", self.live,
                             "--https-redirect", "on", "--https-port", "443", "--hsts", "300",
                             "--acme-webroot", self.webroot)
        self.addCleanup(self.server.end)
        self.server.start()
        body = {"destination": "https://example.com/there", "slashtag": "there", "domain": {"fullName": HOST}}
        SecureConnection(self.tls_port, self.server.key).wanted("POST", "/v1/links", body)

    def curl(self, url, *options, trust="first", code=0):
        """curl, with the certificate in `trust` as its only authority; every host is this server."""
        authority = {"first": self.live / HOST, "other": self.live / "other", "wild": self.live / "wild.example",
                     "main": self.live / "default"}[trust] / "fullchain.pem"
        return run("curl", "--silent", "--show-error", "--cacert", authority,
                   "--connect-to", f":443:127.0.0.1:{self.tls_port}", "--connect-to", f":80:127.0.0.1:{self.server.port}",
                   "--write-out", "%{http_code} %{redirect_url} %{ssl_verify_result}", "--output", self.folder / "answer",
                   *options, url, code=code)

    def shown(self, host, *options):
        """The subject of the certificate that openssl is shown."""
        name = ("-servername", host) if host else ("-noservername",)
        said = run("openssl", "s_client", "-connect", f"127.0.0.1:{self.tls_port}", *name, *options, code=None)
        return next((line.split("=")[-1].strip() for line in said.splitlines() if line.startswith("subject=")), "")

    def log(self):
        return self.server.log("err").read_text()

    def test_curl_believes_each_host(self):
        for version in ("1.2", "1.3"):
            versions = (f"--tlsv{version}", "--tls-max", version)
            self.assertEqual(self.curl(f"https://{HOST}/there", *versions), "302 https://example.com/there 0")
        self.assertEqual(self.curl(f"https://{OTHER}/there", trust="other"), "404  0")
        self.assertEqual(self.curl(f"https://{WILD}/there", trust="wild"), "404  0")
        self.curl(f"https://{OTHER}/there", trust="first", code=60)  # another one's certificate
        self.curl(f"https://deeper.{WILD}/there", trust="wild", code=60)
        self.curl(f"https://{HOST}/there", "--tls-max", "1.1", code=35)
        self.curl(f"https://{HOST}/v1/links", "--header", f"apikey: {self.server.key}")
        self.assertIn('"slashtag":"there"', (self.folder / "answer").read_text())
        headers = self.folder / "headers"
        self.curl(f"https://{HOST}/there", "--dump-header", headers)
        self.assertIn("Strict-Transport-Security: max-age=300\r\n", headers.read_bytes().decode())
        self.curl(f"http://{WILD}:80/.well-known/other", "--dump-header", headers)
        self.assertNotIn("Strict-Transport-Security", headers.read_text())

    def test_a_domain_says_whether_a_certificate_covers_it(self):
        for name in (WILD, "uncovered.test"):
            self.assertEqual(self.server.admin("domain", "add", name, "--verified")[0], 0)
            self.assertEqual(self.server.admin("domain", "share", name, "admin")[0], 0)

        def encryption():
            domains = SecureConnection(self.tls_port, self.server.key).wanted("GET", "/v1/domains")
            return {domain["fullName"]: domain["status"]["encryption"] for domain in domains}

        self.assertEqual(encryption(), {HOST: "active", WILD: "active", "uncovered.test": "none"})
        make_pair(self.live / "late", "late", "uncovered.test")
        wait_until(lambda: encryption()["uncovered.test"] == "active", 15, "the new certificate counts")

    def test_openssl_is_shown_the_certificate_of_each_host(self):
        for version in ("-tls1_2", "-tls1_3"):
            for host, subject in ((HOST, "first"), (HOST.upper(), "first"), (OTHER, "other"), (WILD, "wild"),
                                  ("wild.example", "wild"), (f"a.{WILD}", "main"), ("unknown.example", "main"), ("", "main")):
                self.assertEqual(self.shown(host, version), subject, host)
        self.assertEqual(self.shown(HOST, "-tls1_1"), "")
        session = self.folder / "session"
        connect = ("openssl", "s_client", "-connect", f"127.0.0.1:{self.tls_port}", "-servername", HOST)
        request = f"GET /there HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
        answer = run(*connect, "-ign_eof", "-sess_out", session, given=request)
        self.assertIn("HTTP/1.1 302 Found", answer)
        self.assertIn("New, TLSv1.3", answer)
        self.assertIn("Reused, TLSv1.3", run(*connect, "-ign_eof", "-sess_in", session, given=request))

    def test_certificates_change_beneath_live_connections(self):
        stop, failures, answers = threading.Event(), [], []

        def visit():
            connection = SecureConnection(self.tls_port)
            try:
                while not stop.is_set():
                    answers.append(connection.ask("GET", "/there").status)
            except Exception as error:  # pylint: disable=broad-except
                failures.append(error)

        visitors = [threading.Thread(target=visit) for _ in range(4)]
        for visitor in visitors:
            visitor.start()
        try:
            for subject in ("second", "third"):
                make_pair(self.archive / subject, subject, HOST)
                point_to(self.live / HOST, self.archive / subject)
                wait_until(lambda: self.shown(HOST) == subject, 15, f"the {subject} certificate is shown")  # pylint: disable=cell-var-from-loop
            make_pair(self.archive / "fourth", "fourth", HOST)
            point_to(self.live / HOST, self.archive / "fourth")
            self.server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: self.shown(HOST) == "fourth", 15, "the fourth certificate is shown")
        finally:
            stop.set()
            for visitor in visitors:
                visitor.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(answers), 100)
        self.assertEqual(set(answers), {302})
        self.assertNotIn("certificate is broken", self.log())
        self.assertEqual(self.server.stop(), 0)

    def test_a_broken_pair_keeps_the_one_before_and_is_told_of(self):
        make_pair(self.folder / "foreign", "foreign", HOST)
        (self.live / HOST / "privkey.pem").unlink()
        (self.live / HOST / "privkey.pem").write_text((self.folder / "foreign/privkey.pem").read_text())
        wait_until(lambda: "certificate is broken" in self.log(), 15, "the log says that the pair is broken")
        line = next(line for line in self.log().splitlines() if "certificate is broken" in line)
        self.assertIn(HOST, line)
        self.assertIn("privkey.pem: it does not go with fullchain.pem", line)
        self.assertEqual(self.shown(HOST), "first")
        (self.live / HOST / "fullchain.pem").unlink()
        (self.live / HOST / "fullchain.pem").write_text((self.folder / "foreign/fullchain.pem").read_text())
        wait_until(lambda: self.shown(HOST) == "foreign", 15, "the whole pair is shown")

    def test_the_plain_port_leads_to_https_and_serves_challenges(self):
        self.assertEqual(self.curl(f"http://{HOST}/there?a=b"), f"301 https://{HOST}/there?a=b 0")
        self.assertEqual(self.curl(f"http://{HOST}/there", "--location", "--max-redirs", "1", code=47).split()[0], "302")
        self.assertEqual(self.curl("http://uncovered.test/there"), "404  0")
        challenges = self.webroot / ".well-known/acme-challenge"
        challenges.mkdir(parents=True)
        (challenges / "a-Token_1").write_text("a-Token_1.thumbprint")
        (self.folder / "secret").write_text("secret")
        for host in (HOST, "new.example", "localhost"):
            self.assertEqual(self.curl(f"http://{host}/.well-known/acme-challenge/a-Token_1"), "200  0")
            self.assertEqual((self.folder / "answer").read_text(), "a-Token_1.thumbprint")
        for path in ("none", "../../../secret", "..%2f..%2f..%2fsecret", "%2e%2e/secret", "a-Token_1/"):
            answer = self.curl(f"http://{HOST}/.well-known/acme-challenge/{path}", "--path-as-is")
            self.assertEqual(answer, "404  0", path)

    def test_what_it_takes_to_start(self):
        empty = self.folder / "empty"
        empty.mkdir()
        port = free_port()
        fresh = Server(self.folder / "fresh", "--tls-listen", f"127.0.0.1:{port}", "--certificates", empty)
        self.addCleanup(fresh.end)
        fresh.start()
        wait_until(lambda: "there is no certificate yet" in fresh.log("err").read_text(), 10, "the missing one is told of")
        make_pair(empty / "a", "late", HOST)
        self.tls_port = port
        wait_until(lambda: self.shown(HOST) == "late", 15, "the first certificate is shown")

    def test_folders_that_are_not_there_yet_are_waited_for_or_made(self):
        live, webroot = self.folder / "letsencrypt/live", self.folder / "fresh/acme"
        self.tls_port = free_port()
        fresh = Server(self.folder / "fresh", "--tls-listen", f"127.0.0.1:{self.tls_port}", "--certificates", live,
                       "--https-redirect", "on", "--acme-webroot", webroot)
        self.addCleanup(fresh.end)
        fresh.log = lambda name: self.folder / f"fresh.{name}"
        fresh.start()
        self.assertTrue(webroot.is_dir())
        self.assertEqual((self.folder / "fresh").stat().st_mode & 0o777, 0o700)
        make_pair(live / "a", "late", HOST)
        wait_until(lambda: self.shown(HOST) == "late", 15, "the first certificate is shown")

    def test_a_folder_that_the_user_may_not_read_ends_the_start_with_what_to_do(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder that it may not read")
        closed = self.folder / "closed"
        make_pair(closed / "a", "a", HOST)
        closed.chmod(0)
        self.addCleanup(closed.chmod, 0o700)
        for flag, words in (("--certificates", "let the user of this server (id 0) read it"), ("--acme-webroot", "acme-webroot: cannot use")):
            refused = Server(self.folder / f"refused{flag}", "--tls-listen", f"127.0.0.1:{free_port()}", flag, closed)
            refused.wrapper = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
            refused.spawn()
            self.addCleanup(refused.end)
            self.assertEqual(refused.process.wait(30), 1)
            self.assertIn(f"{closed}: Permission denied; ", refused.log("err").read_text())
            self.assertIn(words, refused.log("err").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
