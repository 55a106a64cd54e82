#!/usr/bin/env python3
"""What a start says and leaves, and what it needs: streams that are closed, the first key, addresses, wrong words."""
import json
import os
import re
import socket
import subprocess
import unittest

from slashpost import PROGRAMS, Connection, Server, admin, free_port, temporary_folder


def slashpost(*words, **variables):
    """What `slashpost` answers: exit code, standard output, standard error."""
    done = subprocess.run([PROGRAMS / "slashpost", *words], capture_output=True, text=True, check=False, timeout=30,
                          env={"PATH": os.environ["PATH"], **variables})
    return done.returncode, done.stdout, done.stderr


class Start(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)

    def server(self, *arguments, domain=None):
        port = free_port()
        server = Server(self.folder / "store", *arguments, domain=domain or f"localhost:{port}")
        server.port = port
        server.log = lambda name: self.folder / f"said.{name}"
        self.addCleanup(server.end)
        return server

    def shell(self, line):
        return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=30).stdout

    def test_closed_streams_take_nothing_of_the_store_and_no_file_takes_their_place(self):
        for closed, streams in (("<&-", [0]), (">&-", [1]), ("2>&-", [2]), ("<&- >&- 2>&-", [0, 1, 2])):
            server = self.server()
            server.data = self.folder / f"store{streams}"
            server.wrapper = ("sh", "-c", f'exec "$0" "$@" {closed}')
            server.key = "unknown"
            server.start()
            for stream in streams:
                self.assertEqual(os.readlink(f"/proc/{server.process.pid}/fd/{stream}"), "/dev/null", closed)
            self.assertNotIn("API key", (server.data / "lock").read_text())
            if closed == ">&-":
                server.says("the first API key could not be shown; make one with: slashpost-admin key create")
            for stream in ("", ">&-", "2>&-"):
                listed = subprocess.run(["sh", "-c", f'"$0" --data "$1" account list {stream}', PROGRAMS / "slashpost-admin",
                                         server.data], capture_output=True, text=True, check=False, timeout=30)
                self.assertEqual(listed.returncode, 1 if stream == ">&-" else 0, listed.stderr)
            self.assertEqual(server.stop(), 0)
            self.assertEqual(admin(server.data, "verify")[0], 0)

    def test_output_that_nobody_can_read_is_a_failure(self):
        for program in ("slashpost", "slashpost-admin"):
            for words in ("--help", "--version"):
                done = subprocess.run(["sh", "-c", f'"$0" {words} >&-', PROGRAMS / program], check=False, timeout=30)
                self.assertEqual(done.returncode, 1, f"{program} {words}")

    def test_the_first_key_goes_to_a_file_and_the_line_that_uses_it_works(self):
        key = self.folder / "it's a key"
        server = self.server("--first-key-file", key)
        server.key = "unknown"
        server.start()
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)
        said = server.log("out").read_text()
        self.assertNotIn(key.read_text().strip(), said)
        made = json.loads(self.shell(re.search("^curl .*$", said, re.M).group()))
        self.assertEqual(made["destination"], "https://example.com/")
        self.assertEqual(server.stop(), 0)
        server.start()  # with the same flags: the file is of the first start only

    def test_with_an_api_host_the_first_start_prints_a_line_that_works(self):
        server = self.server("--api-host", "api.example.com").start()
        made = json.loads(self.shell(re.search("^curl .*$", server.log("out").read_text(), re.M).group()))
        self.assertEqual(made["destination"], "https://example.com/")
        self.assertEqual(Connection(server.port, server.key).ask("GET", "/v1/links").status, 404)

    def test_the_addresses_of_the_loopback_reach_the_domain_localhost(self):
        server = self.server()
        server.address = "localhost"
        server.start()
        connection = Connection(server.port, server.key)
        connection.wanted("POST", "/v1/links", {"destination": "https://example.com/there", "slashtag": "there"})
        for host in ("localhost", "127.0.0.1", "[::1]"):
            if host == "[::1]" and not has_ipv6():
                continue
            said = self.shell(f"curl -s -o /dev/null -w '%{{http_code}} %{{redirect_url}}' 'http://{host}:{server.port}/there'")
            self.assertEqual(said, "302 https://example.com/there", host)
        loop = {"destination": f"http://127.0.0.1:{server.port}/loop", "slashtag": "loop"}
        self.assertEqual(connection.ask("POST", "/v1/links", loop).status, 403)

    def test_an_address_that_cannot_be_listened_on_names_the_setting_and_what_to_do(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for flag in ("listen", "ops-listen", "tls-listen", "dashboard-listen", "dashboard-tls-listen"):
                server = self.server() if flag in ("listen", "ops-listen") else self.server(f"--{flag}", address)
                if flag == "listen":
                    server.port = taken.getsockname()[1]
                if flag == "ops-listen":
                    server.ops_port = taken.getsockname()[1]
                server.log("err").unlink(missing_ok=True)
                server.spawn()
                self.assertEqual(server.process.wait(30), 1)
                self.assertIn(f"{flag}: cannot listen on 127.0.0.1 port {taken.getsockname()[1]}: Address already in use; "
                              "another program listens there; stop it, or give another port", server.log("err").read_text())

    def test_what_does_nothing_is_warned_of_in_the_log(self):
        server = self.server("--https-redirect", "on")
        os.environ["SLASHPOST_LISEN"] = "127.0.0.1:80"
        self.addCleanup(os.environ.pop, "SLASHPOST_LISEN")
        server.start()
        self.assertEqual(server.stop(), 0)
        server.domain = "late.example.com"
        server.start()
        server.says("listening")
        server.says("--domain late.example.com is not used")
        log = server.log("err").read_text()
        for words in ("SLASHPOST_LISEN is no setting and does nothing; do you mean SLASHPOST_LISTEN?",
                      "https-redirect (flag --https-redirect) does nothing without tls-listen",
                      "--domain late.example.com is not used"):
            self.assertRegex(log, f"(?m)^\\S+ warn .*{re.escape(words)}")
        self.assertNotIn("SLASHPOST_PROGRAMS", log)

    def test_wrong_words_are_answered_with_what_may_be_meant(self):
        for words, answer in ((["sevre"], "'sevre' is not a command of 'slashpost'; do you mean 'serve'?"),
                              (["--data", "x", "serve"], "'--data' stands behind the command: slashpost serve --data"),
                              (["serve", "--lisen", "x"], "do you mean '--listen'?")):
            code, out, err = slashpost(*words)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(answer, err)
            self.assertEqual(err.count("\n"), 1)
        file = self.folder / "slashpost.conf"
        file.write_text("# mine\nlisen = 127.0.0.1:80\n")
        code, _, err = slashpost("serve", "--config", file)
        self.assertEqual(code, 2)
        self.assertEqual(err, f"slashpost: {file}, line 2: 'lisen' is not a setting; do you mean 'listen'? "
                              "'slashpost serve --help' lists them all\n")
        self.assertEqual(slashpost("help")[:2], slashpost("--help")[:2])
        self.assertEqual(slashpost("version")[:2], slashpost("--version")[:2])


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
            return True
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
