#!/usr/bin/env python3
"""The server as systemd starts it: with sockets that are open already, and somebody who wants to hear how it goes."""
import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import unittest

from slashpost import PROGRAMS, Connection, CutOff, Server, temporary_folder, wait_until

# Puts descriptors where the server looks for them, as systemd does between fork and exec.
STARTER = """
import fcntl, os, sys
names, places, *command = sys.argv[1:]
places = [int(place) for place in places.split(",")]
kept = [fcntl.fcntl(place, fcntl.F_DUPFD, 64) for place in places]  # where none of them is to be
for number, place in enumerate(kept, 3):
    os.dup2(place, number)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(places)), "LISTEN_FDNAMES": names}
os.execv(command[0], command)
"""


class Supervised(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.heard.bind(str(self.folder / "notify"))
        self.heard.settimeout(20)
        self.addCleanup(self.heard.close)
        for name, value in (("NOTIFY_SOCKET", str(self.folder / "notify")), ("WATCHDOG_USEC", "6000000")):
            os.environ[name] = value
            self.addCleanup(os.environ.pop, name, None)

    def listening(self):
        opened = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.addCleanup(opened.close)
        return opened

    def server(self, **sockets):
        server = Server(self.folder / "store", "--io-threads", "2")
        server.inherited = tuple(one.fileno() for one in sockets.values())
        names = ":".join(name.replace("_", "-") for name in sockets)
        server.wrapper = (sys.executable, "-c", STARTER, names, ",".join(map(str, server.inherited)))
        self.addCleanup(server.end)
        return server

    def hears(self, words):
        """What is told until `words` are among it."""
        told = []
        while not told or words not in told[-1]:
            told.append(self.heard.recv(4096).decode())
        return told

    def test_it_serves_on_the_sockets_that_it_is_started_with_and_says_how_it_goes(self):
        visitors, tools, people = self.listening(), self.listening(), self.listening()
        server = self.server(http=visitors, api=tools, dashboard=people)
        server.start()
        for opened in (visitors, tools):
            answer = Connection(opened.getsockname()[1], server.key).ask("GET", "/v1/links")
            self.assertEqual(answer.status, 200, answer)
        page = Connection(people.getsockname()[1], host=f"localhost:{people.getsockname()[1]}").ask("GET", "/")
        self.assertEqual(page.status, 200, page)
        with self.assertRaises(ConnectionRefusedError):
            Connection(server.port)  # what --listen says
        self.assertEqual(self.hears("READY=1")[0], "STATUS=opening the store")
        self.hears("STATUS=serving")
        self.hears("WATCHDOG=1")
        self.hears("WATCHDOG=1")
        server.process.send_signal(signal.SIGHUP)
        self.hears("WATCHDOG=1")
        self.assertEqual(server.stop(), 0)
        self.hears("STOPPING=1")

    def test_nobody_is_refused_while_it_is_started_again(self):
        opened = self.listening()
        server = self.server(http=opened).start()
        port = opened.getsockname()[1]
        Connection(port, server.key).wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x"})
        ended, answers, problems = threading.Event(), [], []

        def visit():
            while not ended.is_set():
                try:
                    answers.append(Connection(port).ask("GET", "/x").status)
                except CutOff:  # accepted, and closed before it had asked: a client asks again
                    pass
                except OSError as error:
                    problems.append(errno.errorcode.get(error.errno, str(error)))

        visitors = [threading.Thread(target=visit) for _ in range(4)]
        for visitor in visitors:
            visitor.start()
        for _ in range(2):
            before = len(answers)
            wait_until(lambda before=before: len(answers) > before + 50, 30, "visits before")
            self.assertEqual(server.stop(), 0)
            server.start()
        wait_until(lambda: len(answers) > before + 100, 30, "visits behind")
        ended.set()
        for visitor in visitors:
            visitor.join()
        self.assertEqual(problems, [])
        self.assertEqual(set(answers), {302})

    def test_a_socket_that_means_nothing_is_told_in_one_line(self):
        opened = self.listening()
        done = subprocess.run([*self.server(web=opened).wrapper, PROGRAMS / "slashpost", "serve"], capture_output=True,
                              text=True, check=False, timeout=30, pass_fds=[opened.fileno()])
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "slashpost: LISTEN_FDNAMES: the inherited socket 3 is called 'web'; call it http, api, "
                                      "https, dashboard or dashboard-https (FileDescriptorName= in its unit)\n")


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
