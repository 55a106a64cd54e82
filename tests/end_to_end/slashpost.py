"""The built programs, started and spoken to as a user does: processes, real sockets, real folders."""
import atexit
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from typing import NamedTuple

PROGRAMS = pathlib.Path(os.environ.get("SLASHPOST_PROGRAMS", pathlib.Path(__file__).parents[2] / "build/check"))
DOMAIN = "go.example.com"
PERSON = "curl/8.0"  # who sends no such header is taken for a bot
ANSWER_BYTES_MAX = 64 << 20


class CutOff(Exception):
    """The server went away before the whole answer was there: what was asked may have happened or not."""


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    def json(self):
        return json.loads(self.body)


class Connection:
    """One keep-alive HTTP connection. A request is sent once; nothing is ever asked again by itself."""

    def __init__(self, port, key="", host=DOMAIN, agent=PERSON):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.agent = agent
        self.head = f" HTTP/1.1\r\nHost: {host}\r\n" + (f"apikey: {key}\r\n" if key else "") + f"User-Agent: {agent}\r\n"

    def close(self):
        self.socket.close()

    def send(self, method, target, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {target}{self.head}"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        self.send_bytes(head.encode() + b"\r\n" + text)

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise CutOff(str(error)) from error

    def more(self):
        try:
            data = self.socket.recv(1 << 16)
        except OSError as error:
            raise CutOff(str(error)) from error
        if not data:
            raise CutOff(f"closed after {len(self.rest)} bytes of an answer")
        self.rest += data

    def receive(self):
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for name, value in (line.split(":", 1) for line in lines):
            before = headers.get(name.lower())
            repeats = before is not None and name.lower() == "set-cookie"  # a line for each cookie
            headers[name.lower()] = f"{before}\n{value.strip()}" if repeats else value.strip()
        length = int(headers.get("content-length", 0))
        assert length <= ANSWER_BYTES_MAX, head
        while len(self.rest) < length:
            self.more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(int(status.split()[1]), headers, body)

    def ask(self, method, target, body=None):
        self.send(method, target, body)
        return self.receive()

    def wanted(self, method, target, body=None):
        """The JSON of an answer that has to be a success."""
        answer = self.ask(method, target, body)
        assert answer.status == 200, f"{method} {target} {body}: {answer.status} {answer.body!r}"
        return answer.json()

    def links(self, filters=""):
        """Every link, page by page."""
        found, last = [], ""
        while True:
            page = self.wanted("GET", f"/v1/links?limit=100&last={last}{filters}")
            if not page:
                return found
            found += page
            last = page[-1]["id"]


def free_port():
    """None that the system gives to a client, nor one that another test has got: they run at the same time, and would
    have it before a server does. Who has got which is told by sockets that the system forgets with their program."""
    first_of_clients = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(first_of_clients // 2, first_of_clients)  # browsers refuse some lower ones
        reserved = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(OSError), socket.socket() as probe:
            reserved.bind(f"\0slashpost-test-port-{port}")
            probe.bind(("127.0.0.1", port))
            atexit.register(reserved.close)
            return port
        reserved.close()


def wait_until(true, seconds, what):
    end = time.monotonic() + seconds
    while True:
        result = true()
        if result:
            return result
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class Server:
    """`slashpost serve` on a folder. The key of the first start is remembered over restarts."""

    def __init__(self, data, *arguments, domain=DOMAIN):
        self.data, self.arguments, self.domain = pathlib.Path(data), arguments, domain
        self.process, self.key, self.port, self.ops_port, self.dashboard_port = None, "", 0, 0, 0
        self.wrapper = ()  # a command that runs the server
        self.inherited = ()  # descriptors that it is started with
        self.address = "127.0.0.1"  # where it listens

    def log(self, name):
        return pathlib.Path(f"{self.data}.{name}")

    def spawn(self):
        self.port, self.ops_port = self.port or free_port(), self.ops_port or free_port()
        self.dashboard_port = self.dashboard_port or free_port()
        command = [*self.wrapper, PROGRAMS / "slashpost", "serve", "--data", self.data, "--listen", f"{self.address}:{self.port}",
                   "--ops-listen", f"127.0.0.1:{self.ops_port}", "--domain", self.domain, *self.arguments]
        if "--dashboard-listen" not in self.arguments:
            command += ["--dashboard-listen", f"localhost:{self.dashboard_port}"]
        with self.log("out").open("ab") as out, self.log("err").open("ab") as err:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            pass_fds=self.inherited)

    def start(self, seconds=30):
        self.spawn()
        return self.start_spawned(seconds)

    def start_spawned(self, seconds=30):
        wait_until(self.ready, seconds, f"ready; it said:\n{self.said()}")
        if not self.key:
            printed = re.search(r"^API key: (\S+)$", self.log("out").read_text(), re.M)
            assert printed, "no line `API key: <key>` on standard output"
            self.key = printed.group(1)
        return self

    def said(self):
        return self.log("err").read_text(errors="replace")[-2000:] if self.log("err").exists() else ""

    def says(self, words, seconds=10):
        """Waits for it: a running server's log is written by a thread of its own, so what has happened may be in it later."""
        wait_until(lambda: words in self.log("err").read_text(errors="replace"), seconds, f"{words!r}; it said:\n{self.said()}")

    def ready(self):
        assert self.process.poll() is None, f"ended with {self.process.returncode}:\n{self.said()}"
        try:
            connection = Connection(self.ops_port, host="localhost")
        except OSError:
            return False
        try:
            return connection.ask("GET", "/readyz").status == 200
        except CutOff:
            return False
        finally:
            connection.close()

    def connect(self):
        return Connection(self.port, self.key)

    def kill(self):
        self.process.kill()
        self.process.wait(30)

    def stop(self, seconds=30):
        """SIGTERM; answers the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def end(self):
        if self.process and self.process.poll() is None:
            self.kill()

    def admin(self, *arguments):
        return admin(self.data, *arguments)


def admin(data, *arguments):
    """`slashpost-admin`; answers (exit code, everything it said)."""
    run = subprocess.run([PROGRAMS / "slashpost-admin", "--data", data, *arguments], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=300, check=False)
    return run.returncode, run.stdout + run.stderr


def temporary_folder(test):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-"))
    test.addCleanup(shutil.rmtree, folder, ignore_errors=True)
    return folder
