#!/usr/bin/env python3
"""First start, second server, orderly stop and a store that this build must not touch: over real sockets."""
import json
import os
import re
import signal
import subprocess
import threading
import time
import unittest
from pathlib import Path

from slashpost import DOMAIN, Connection, CutOff, Server, admin, free_port, temporary_folder, wait_until


def destination(number):
    return f"https://example.com/{number}"


class Faults(unittest.TestCase):
    def server(self, *arguments, **keywords):
        server = Server(temporary_folder(self) / "store", "--rate-limit", "0", *arguments, **keywords)
        self.addCleanup(server.end)
        return server

    def make(self, connection, number, **more):
        body = {"destination": destination(number), "slashtag": f"s{number}", "domain": {"fullName": DOMAIN}}
        return connection.wanted("POST", "/v1/links", body | more)

    def test_the_first_start_prints_a_key_and_a_line_that_makes_a_link(self):
        port = free_port()
        server = self.server(domain=f"localhost:{port}")
        server.port = port
        server.start()
        printed = server.log("out").read_text()
        line = re.search(r"^\s*(curl (?:.*\\\n)*.*)$", printed, re.M)
        self.assertIsNotNone(line, printed)
        shown = subprocess.run(["sh", "-c", line.group(1)], capture_output=True, text=True, check=True).stdout
        link = json.loads(re.search(r"\{.*\}", shown, re.S).group())
        self.assertTrue(link["shortUrl"].startswith(f"localhost:{port}/"), link)
        followed = subprocess.run(["curl", "-si", f"http://{link['shortUrl']}"], capture_output=True, text=True,
                                  check=True).stdout
        self.assertIn(" 302 ", followed.splitlines()[0])
        self.assertIn(f"\nlocation: {link['destination'].lower()}\n", followed.replace("\r", "").lower())
        connection = server.connect()
        wait_until(lambda: connection.wanted("GET", f"/v1/links/{link['id']}")["clicks"] == 1, 2, "the click shows")

        self.assertEqual(server.stop(), 0, server.said())
        server.start()
        self.assertEqual(server.log("out").read_text().count("API key:"), 1, "the key is shown once only")
        self.assertEqual(server.connect().wanted("GET", f"/v1/links/{link['id']}")["clicks"], 1)
        self.assertNotIn(server.key, server.log("err").read_text(), "the log holds no key")

    def test_threads_say_what_they_are_for(self):
        server = self.server().start()
        tasks = Path(f"/proc/{server.process.pid}/task")
        names = {(task / "comm").read_text().strip() for task in tasks.iterdir()}
        self.assertLessEqual({"io", "api", "journal", "sync", "fold", "index", "background"}, names)

    def test_visitors_go_before_what_nobody_waits_for(self):
        server = self.server().start()
        own, nice = os.nice(0), {}
        for task in Path(f"/proc/{server.process.pid}/task").iterdir():
            nice.setdefault((task / "comm").read_text().strip(), set()).add(os.getpriority(os.PRIO_PROCESS, int(task.name)))
        self.assertEqual(nice["io"] | nice["api"], {own})
        self.assertEqual(nice["fold"] | nice["background"] | nice["index"], {6})

    def test_a_second_server_on_the_same_folder_is_refused(self):
        first = self.server().start()
        self.make(first.connect(), 1)
        second = Server(first.data)
        self.addCleanup(second.end)
        second.log = lambda name: first.log(f"second.{name}")
        second.spawn()
        self.assertNotEqual(second.process.wait(10), 0)
        self.assertIn(str(first.data), second.said())
        self.assertEqual(first.connect().ask("GET", "/s1").status, 302)
        self.assertEqual(admin(first.data, "verify")[0], 0)

    def test_restore_into_a_running_store_is_refused(self):
        server = self.server().start()
        self.make(server.connect(), 1)
        dump = server.data.parent / "dump"
        self.assertEqual(admin(server.data, "dump", dump)[0], 0)
        code, said = admin(server.data, "restore", dump)
        self.assertNotEqual(code, 0, said)
        self.assertEqual(server.connect().ask("GET", "/s1").status, 302)

    def test_sigterm_answers_what_was_asked_and_keeps_it(self):
        """Under load: no answer is cut in the middle, all that was answered is there, every click counts at once."""
        server = self.server().start()
        followed = self.make(server.connect(), "followed")
        made, clicks, wrong = [], [], []

        def client(number):
            connection, count = server.connect(), 0
            try:
                while True:
                    count += 1
                    self.make(connection, f"{number}x{count}")
                    made.append(f"s{number}x{count}")
                    if connection.ask("GET", "/sfollowed").status == 302:
                        clicks.append(1)
            except CutOff as cut:
                if connection.rest:
                    wrong.append(f"an answer was cut: {connection.rest!r} ({cut})")
            except AssertionError as problem:
                if " 503 " not in str(problem):
                    wrong.append(str(problem))

        clients = [threading.Thread(target=client, args=(number,)) for number in range(8)]
        for thread in clients:
            thread.start()
        time.sleep(1)
        self.assertEqual(server.stop(), 0, server.said())
        for thread in clients:
            thread.join(30)
        self.assertEqual(wrong, [])
        self.assertEqual(admin(server.data, "verify")[0], 0)
        connection = server.start().connect()
        self.assertLessEqual(set(made), {row["slashtag"] for row in connection.links()})
        counted = connection.wanted("GET", f"/v1/links/{followed['id']}")["clicks"]
        self.assertTrue(len(clicks) <= counted <= len(clicks) + 8, f"{counted} clicks, {len(clicks)} received")

    def test_sigterm_finishes_a_request_that_has_begun(self):
        server = self.server().start()
        body = json.dumps({"destination": destination(1), "slashtag": "late"}).encode()
        connection = Connection(server.port, server.key)
        head = f"POST /v1/links{connection.head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.send_bytes(head.encode() + body[:10])
        time.sleep(0.3)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        connection.send_bytes(body[10:])
        self.assertEqual(connection.receive().status, 200)
        self.assertEqual(server.process.wait(15), 0, server.said())
        self.assertEqual(server.start().connect().ask("GET", "/late").status, 302)

    def test_bad_bytes_do_not_stop_the_server(self):
        server = self.server().start()
        bad = [b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
               b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
               b"POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
               b"POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
               b"POST /v1/links HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
               b"GET / HTTP/1.1\r\nHost: a\r\n" + b"x: y\r\n" * 20_000 + b"\r\n"]
        for data in bad:
            connection = Connection(server.port)
            try:
                connection.send_bytes(data)
                connection.socket.settimeout(2)
                answer = connection.receive()
                self.assertIn(answer.status, range(400, 506), data[:60])
            except CutOff:
                pass
            finally:
                connection.close()
        connection = server.connect()
        self.make(connection, 1)
        connection.send_bytes(b"".join(f"GET /s1{connection.head}\r\n".encode() for _ in range(100)))
        self.assertEqual({connection.receive().status for _ in range(100)}, {302}, "pipelined requests")
        self.assertEqual(len(connection.links()), 1)

    def test_what_the_server_refuses_by_itself_carries_the_rate_limit_headers_too(self):
        server = self.server().start()
        for request, status in [
                (b"GET /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
                (b"POST /v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n", 413),
                (b"GET /v1/links?" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", 414)]:
            connection = Connection(server.port)
            try:
                connection.send_bytes(request)
                answer = connection.receive()
                self.assertEqual(answer.status, status)
                for header in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]:
                    self.assertRegex(answer.headers.get(header, ""), r"^\d+$", f"{status} {header}")
            finally:
                connection.close()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
