"""Attacks by strangers and by tenants beside a steady load of redirects: how long the others wait, and how much memory the
server takes at most. Every attack runs for itself, from a process of its own, against a server just started on loopback.

Redirects are sent at a fixed rate whether answers come or not, a twentieth of them on a connection of its own, and a
latency counts from the moment at which its request was due. Beside them somebody calls the API with a good key.
"""
import argparse
import contextlib
import gc
import multiprocessing
import os
import pathlib
import resource
import selectors
import shutil
import socket
import sys
import tempfile
import time

from load import machine, percentile, resident_mb
from slashpost import CutOff, DOMAIN, Server
import attacks

RATE = 2_000            # redirects per second
KEPT = 64               # connections of the steady load
FRESH = 20              # every so many redirects one comes on a connection of its own
P99_MS_MAX = 20.0
MEMORY_TIMES_MAX = 1.5
DESCRIPTORS = 2_560     # so that there is room for 2,048 connections


def arguments():
    parser = argparse.ArgumentParser(prog="tools/bench/hostile", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8, help="of each attack (default %(default)s)")
    parser.add_argument("--only", default="", metavar="WORD,...", help="attacks whose names hold one of the words")
    parser.add_argument("--list", action="store_true", help="print the attacks, measure nothing")
    return parser.parse_args()


class SteadyLoad:
    """Redirects on time, as one thread can: latencies in milliseconds, and how many failed."""

    def __init__(self, port):
        self.port, self.selector, self.latencies, self.failed = port, selectors.DefaultSelector(), [], 0
        self.request = f"GET /plain HTTP/1.1\r\nHost: {DOMAIN}\r\n\r\n".encode()
        self.free = [self.connect() for _ in range(KEPT)]

    def connect(self):
        made = socket.socket()
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made.connect(("127.0.0.1", self.port))
        made.setblocking(False)
        return made

    def send(self, due, fresh):
        try:
            one = self.connect() if fresh or not self.free else self.free.pop()
            one.send(self.request)
        except OSError:
            self.failed += 1
            return
        self.selector.register(one, selectors.EVENT_READ, (due, fresh))

    def receive(self, timeout):
        for key, _ in self.selector.select(timeout):
            due, fresh = key.data
            self.selector.unregister(key.fileobj)
            try:
                good = key.fileobj.recv(4096).startswith(b"HTTP/1.1 302 ")
            except OSError:
                good = False
            if not good:
                self.failed += 1
            self.latencies.append((time.monotonic() - due) * 1e3)
            if good and not fresh and len(self.free) < KEPT:
                self.free.append(key.fileobj)
            else:
                key.fileobj.close()

    def run(self, seconds):
        begin, count = time.monotonic(), 0
        while count < seconds * RATE:
            due = begin + count / RATE
            wait = due - time.monotonic()
            if wait > 0:
                self.receive(wait)
                continue
            self.send(due, count % FRESH == 0)
            count += 1
            self.receive(0)
        end = time.monotonic() + 10
        while self.selector.get_map() and time.monotonic() < end:
            self.receive(0.1)
        self.failed += len(self.selector.get_map())
        return self.latencies, self.failed


class Caller:
    """Somebody with a good key, ten times a second: the slowest answer in milliseconds, and how many were none."""

    def __init__(self, server):
        self.server, self.connection, self.slowest, self.failed = server, None, 0.0, 0

    def call(self):
        begin = time.monotonic()
        try:
            self.connection = self.connection or self.server.connect()
            if self.connection.ask("GET", "/v1/links/count").status != 200:
                self.failed += 1
        except (CutOff, OSError):
            self.connection, self.failed = None, self.failed + 1
        self.slowest = max(self.slowest, (time.monotonic() - begin) * 1e3)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.call()
            time.sleep(0.1)
        return self.slowest, self.failed


def in_process(work, niceness=0):
    """Runs `work` in a process of its own; answers it and where its result comes."""
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def run():
        with contextlib.suppress(PermissionError):
            os.nice(niceness)
        gc.disable()
        theirs.send(work())

    process = multiprocessing.Process(target=run, daemon=True)
    process.start()
    return process, ours


def beginning_of_peak(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


def peak_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def measure(server, attack, seconds):
    """What the others feel while `attack` goes on; None is no attack."""
    beginning_of_peak(server.process.pid)
    attacker = None
    if attack:
        attacker, _ = in_process(lambda: attack(server), niceness=10)  # so that it takes no processor from who measures
        time.sleep(1)
    caller, said_caller = in_process(lambda: Caller(server).run(seconds))
    steady, said_steady = in_process(lambda: SteadyLoad(server.port).run(seconds), niceness=-10)
    try:
        latencies, failed = said_steady.recv()
        slowest, calls_failed = said_caller.recv()
    finally:
        for process in (attacker, caller, steady):
            if process:
                process.kill()
                process.join()
    if server.process.poll() is not None:
        raise SystemExit(f"the server ended: {server.said()}")
    return {"p50": percentile(latencies, 50), "p99": percentile(latencies, 99), "failed": failed, "call": slowest,
            "calls_failed": calls_failed, "peak": peak_mb(server.process.pid)}


def faults_of(figures, at_rest):
    """What is beyond its bound."""
    faults = []
    if figures["p99"] > P99_MS_MAX:
        faults.append("p99")
    if figures["peak"] > MEMORY_TIMES_MAX * at_rest:
        faults.append("memory")
    if figures["failed"] > 0:
        faults.append("failed")
    if figures["calls_failed"] > 0:
        faults.append("calls")
    return faults


def line(name, figures, at_rest):
    return (f"| {name} | {figures['p50']:.2f} | {figures['p99']:.2f} | {figures['failed']} | {figures['call']:.0f} | "
            f"{figures['calls_failed']} | {figures['peak']:.0f} | {figures['peak'] / at_rest:.2f} | "
            f"{', '.join(faults_of(figures, at_rest)) or 'ok'} |")


def fresh_rest(server, seconds):
    """Starts the server anew, and answers its memory at rest, in MB, after as long a load as the attacks have."""
    server.stop()
    server.start()
    measure(server, None, seconds)
    time.sleep(2)
    return resident_mb(server.process.pid)


def run(server, choice):
    attacks.make_links(server)
    print(f"{machine()}; {RATE} redirects/s for {choice.seconds:g} s beside each\n\n"
          "| attack | p50 ms | p99 ms | failed | slowest call ms | calls failed | MB at most | times at rest | |\n"
          "|---|---|---|---|---|---|---|---|---|", flush=True)
    faults = 0
    for name, attack in {"none": None, **attacks.ALL}.items():
        if choice.only and not any(word in name for word in choice.only.split(",")):
            continue
        with attack.prepared(server) if hasattr(attack, "prepared") else contextlib.nullcontext():
            at_rest = fresh_rest(server, choice.seconds)
            figures = measure(server, attack, choice.seconds)
        faults += len(faults_of(figures, at_rest))
        print(line(name, figures, at_rest), flush=True)
    print(f"\nbounds: p99 {P99_MS_MAX:g} ms, memory {MEMORY_TIMES_MAX:g} times that at rest, of a server just started")
    return 1 if faults else 0


def main():
    choice = arguments()
    if choice.list:
        print("\n".join(attacks.ALL))
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-bench-"))
    server = Server(folder / "data", "--rate-limit", "0", "--bulk-limit", "1000", "--webhook-allow", "127.0.0.1",
                    "--webhook-http", "on")
    server.wrapper = ("prlimit", f"--nofile={DESCRIPTORS}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        return run(server.start(), choice)
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
