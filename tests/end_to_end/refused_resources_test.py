#!/usr/bin/env python3
"""What the system refuses: threads, memory, files that grow. A start ends with a sentence, a running server goes on. And
signals at odd moments."""
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from slashpost import PROGRAMS, Connection, CutOff, Server, temporary_folder

NOBODY = 65_534


class RefusedResources(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)

    def server(self, *arguments):
        server = Server(self.folder / "store", "--rate-limit", "0", *arguments)
        self.addCleanup(server.end)
        return server

    def refuses(self, server):
        """What a server says that is refused something and ends."""
        server.spawn()
        code, said = server.process.wait(60), server.said()
        self.assertEqual(code, 1, said)
        self.assertNotIn("terminate called", said)
        self.assertRegex(said, r"the system (lets|gives|refuses)")
        self.assertNotIn(".cc", said)
        return said

    def test_a_start_without_threads_ends_with_a_sentence(self):
        server = self.server()
        server.wrapper = ("prlimit", "--nproc=10")
        if os.geteuid() == 0:  # whom the system refuses none
            # Last what changes the user: it looks the program up as root, where nobody else may look.
            server.wrapper = ("prlimit", "--nproc=10", "setpriv", "--reuid", str(NOBODY), "--clear-groups")
            os.chown(self.folder, NOBODY, -1)
        self.assertIn("threads", self.refuses(server))

    def test_a_start_without_memory_ends_with_a_sentence(self):
        for kibibytes in (150_000, 300_000):
            with self.subTest(kibibytes=kibibytes):
                server = self.server()
                server.wrapper = ("prlimit", f"--as={kibibytes * 1024}")
                self.refuses(server)

    def test_a_running_server_goes_on_when_it_gets_no_more_memory_or_threads(self):
        server = self.server().start()
        api = server.connect()
        api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})
        pid = server.process.pid
        size = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()
        resource.prlimit(pid, resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
        resource.prlimit(pid, resource.RLIMIT_NPROC, (1, 1))
        body = {"destination": "https://example.com/", "title": "x" * 100_000}
        for _ in range(200):
            try:
                one = Connection(server.port, server.key)
                self.assertEqual(one.ask("GET", "/a").status, 302)
                self.assertIn(one.ask("POST", "/v1/links", body).status, (200, 403, 500, 503))
                one.close()
            except CutOff:
                self.assertIsNone(server.process.poll(), server.said())
        resource.prlimit(pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertEqual(server.connect().ask("GET", "/a").status, 302)
        server.connect().wanted("GET", "/v1/links")
        self.assertEqual(server.stop(), 0, server.said())

    def test_files_that_may_not_grow_do_not_end_a_server(self):
        server = self.server("--durability", "relaxed").start()
        api = server.connect()
        api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "a"})
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
        statuses = set()
        for number in range(50):
            statuses.add(api.ask("POST", "/v1/links", {"destination": f"https://example.com/{number}"}).status)
            self.assertEqual(api.ask("GET", "/a").status, 302)
        self.assertIn(503, statuses)
        self.assertIsNone(server.process.poll(), server.said())

    def test_a_command_whose_file_may_not_grow_fails_with_a_sentence(self):
        server = self.server().start()
        server.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "title": "x" * 255})
        run = subprocess.run(["prlimit", "--fsize=512", PROGRAMS / "slashpost-admin", "--data", server.data, "dump",
                              self.folder / "dump"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                             check=False)
        self.assertEqual(run.returncode, 1, run)
        self.assertIn("File too large", run.stderr)

    def stopping(self):
        """A server that was told to end while a call has begun, and that call."""
        server = self.server().start()
        begun = server.connect()
        begun.send_bytes(b"GET /v1/links HTTP/1.1\r\nHost: a\r\n")
        time.sleep(0.2)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        return server, begun

    def test_a_hangup_while_the_server_stops_changes_nothing(self):
        server, begun = self.stopping()
        server.process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        self.assertIsNone(server.process.poll(), "it ended before the request that had begun")
        begun.send_bytes(b"\r\n")
        self.assertEqual(begun.receive().status, 401)
        self.assertEqual(server.process.wait(15), 0, server.said())

    def test_a_second_sigterm_ends_the_server_at_once(self):
        server, begun = self.stopping()
        self.assertEqual(server.stop(5), -signal.SIGTERM)
        begun.close()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
