"""What a server takes: memory, disk, and the time until it serves."""
import shutil
import statistics
import subprocess
import threading
import time

import load
from bench import CONNECTIONS
from links import first_address
from slashpost import DOMAIN, Connection, CutOff, Server
from table import Outcome, Row, joined


def empty_server_mb(bench):
    with bench.empty_folder("empty") as folder:
        server = Server(folder / "store")  # all settings at their defaults, but for the ports
        try:
            connection = server.start().connect()
            connection.wanted("POST", "/v1/links", {"destination": "https://www.example.com/", "slashtag": "one"})
            for _ in range(20):
                if connection.ask("GET", "/one").status != 302:
                    raise RuntimeError("no redirect")
                connection.wanted("GET", "/v1/links")
            connection.close()
            time.sleep(load.FOLDS_SECONDS)
            return load.resident_mb(server.process.pid)
        finally:
            server.end()


class Sampler:
    """(seconds since the beginning, resident megabytes), every two seconds."""

    def __init__(self, pid):
        self.pid, self.samples, self.ending = pid, [], threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        began = time.monotonic()
        while not self.ending.wait(2):
            self.samples.append((time.monotonic() - began, load.resident_mb(self.pid)))

    def between(self, first, last):
        return [megabytes for at, megabytes in self.samples if first <= at <= last]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()


def memory(bench):
    empty = empty_server_mb(bench)
    seconds = bench.choice.memory_seconds
    with bench.served(bench.main) as server, Sampler(server.process.pid) as sampler:
        began, visits, turn = time.monotonic(), 0, 0
        while time.monotonic() < began + seconds:
            spread = ("zipf", "uniform")[turn % 2]
            report = load.wrk(server.port, "redirect.lua", *bench.visits(bench.main, spread), connections=CONNECTIONS,
                              seconds=min(30, max(2, seconds // 10)))
            visits, turn = visits + report["requests"], turn + 1
            connection = server.connect()  # an idle one would have been closed meanwhile
            connection.wanted("GET", "/v1/links?orderBy=title")
            connection.wanted("GET", "/v1/links/search?term=news")
            connection.close()
    peak = max(sampler.between(0, seconds + 60))
    early, late = (statistics.median(sampler.between(seconds * first / 10, seconds * last / 10))
                   for first, last in ((1, 3), (9, 10)))
    steady = late <= 1.05 * early
    return joined(Outcome(f"{empty:.0f} MB empty", empty <= 30, empty <= 20),
                  Outcome(f"{peak:.0f} MB at most under load for {seconds} s", peak <= 160, peak <= 120),
                  Outcome("not growing" if steady else "GROWING", steady))._replace(details=(
                      f"second and third tenth of the time {early:.0f} MB, last tenth {late:.0f} MB; growing would be more "
                      f"than 1.05 times; {visits} visits, Zipf and uniform in turn, a list and a search between",
                      "resident as the kernel tells it, files mapped by the server included; MB are 10^6 bytes"))


def bytes_on_disk(folder):
    return int(subprocess.run(["du", "--summarize", "--block-size=1", folder], capture_output=True, text=True,
                              check=True).stdout.split()[0])


def disk(bench):
    kept = bench.kept(bench.main)
    with bench.empty_folder("disk") as folder:
        store = kept.copy(folder / "store")
        before = bytes_on_disk(store)
        subprocess.run([bench.program("compact"), store / "store"], check=True)
        server = Server(store, "--rate-limit", "0")  # it removes what compaction replaced
        server.key = kept.key
        try:
            server.start(120)
            if server.stop(60) != 0:
                raise RuntimeError(f"the server did not stop: {server.said()}")
        finally:
            server.end()
        after = bytes_on_disk(store)
    per_link = after / bench.main
    return Outcome(f"{per_link:.0f} bytes per link", per_link <= 1000, per_link <= 500, (
        f"{after / 1e6:.0f} MB, {before / 1e6:.0f} MB before; the whole data folder of a stopped server by `du`, journal and "
        "statistics of the clicked fifth included, after tools/bench/compact had every space compacted",))


def first_redirect(server, host, slashtag):
    """Seconds from the start of the process to an answered redirect."""
    began = time.perf_counter()
    server.spawn()
    while True:
        try:
            connection = Connection(server.port, host=host)
            answer = connection.ask("GET", f"/{slashtag}")
            connection.close()
            if answer.status != 302:
                raise RuntimeError(f"answered {answer.status}")
            return time.perf_counter() - began
        except (OSError, CutOff):
            if server.process.poll() is not None:
                raise RuntimeError(f"the server ended: {server.said()}") from None
            time.sleep(0.002)
            if time.perf_counter() > began + 300:
                raise


def load_and_kill(server, bench, word):
    """SIGKILL in the middle of redirects and creates."""
    seconds = bench.choice.seconds
    visits, creates = (threading.Thread(target=until_killed, args=(server.port, seconds + 1, *arguments)) for arguments in (
        ("redirect.lua", *bench.visits(bench.main, "uniform")), ("create.lua", server.key, word)))
    for thread in (visits, creates):
        thread.start()
    time.sleep(seconds)
    server.kill()
    for thread in (visits, creates):
        thread.join()


def until_killed(port, seconds, script, *arguments):
    try:
        load.wrk(port, script, *arguments, connections=16, seconds=seconds)
    except RuntimeError:
        pass  # it tells of broken connections, of course


def start(bench):
    kept = bench.kept(bench.main)
    host, slashtag = first_address(kept.links)
    clean, killed = [], []
    with bench.empty_folder("start") as folder:
        server = Server(kept.copy(folder / "store"), "--rate-limit", "0", domain=DOMAIN)
        server.key, server.port, server.ops_port = kept.key, load.free_port(), load.free_port()
        try:
            for turn in range(bench.choice.rounds):
                clean.append(first_redirect(server, host, slashtag))
                load_and_kill(server, bench, f"k{turn}")
                killed.append(first_redirect(server, host, slashtag))
                if server.stop(120) != 0:
                    raise RuntimeError(f"the server did not stop: {server.said()}")
        finally:
            server.end()
            shutil.rmtree(folder / "store", ignore_errors=True)
    return joined(Outcome(f"{max(clean):.2f} s after a clean stop", max(clean) <= 0.3, max(clean) <= 0.1),
                  Outcome(f"{max(killed):.2f} s after SIGKILL", max(killed) <= 3, max(killed) <= 1))._replace(details=(
                      f"the slowest of {len(clean)} rounds each; clean {' '.join(f'{one:.3f}' for one in clean)} s, killed "
                      f"{' '.join(f'{one:.3f}' for one in killed)} s, after {bench.choice.seconds} s of redirects and "
                      "creates; the kernel has the files in memory",))


ROWS = [
    Row("memory", "Memory", "resident, default settings but for the rate limit",
        "30 MB with an empty store; 160 MB serving under load for 10 minutes, not growing", "20 and 120", memory),
    Row("disk", "Disk", "bytes per link after compaction, everything included", "at most 1,000", "500", disk),
    Row("start", "Start", "to the first redirect", "0.3 s after a clean stop, 3 s after SIGKILL", "0.1 and 1", start),
]
