"""Redirects: what they cost beside nginx, how that grows, what misses and other work do to them."""
import re
import statistics
import subprocess
import threading
from collections import Counter
from contextlib import ExitStack

import load
import stores
from bench import CONNECTIONS
from load import ROOT, Contestant
from table import Outcome, Row, at_most, joined


def cpu_of_redirects(bench, spread, must, aim):
    ours, nginx, *_ = bench.redirects(spread)
    ratio = ours.median("cpu") / nginx.median("cpu")
    return at_most(ratio, must, aim, "{:.2f} times nginx")._replace(details=(ours.line(), nginx.line()))


def speed(bench):
    ours, nginx, *_ = bench.redirects("zipf")
    rate = ours.median("rate") / nginx.median("rate")
    p99 = ours.median("p99") / nginx.median("p99")
    ahead = rate > 1 and p99 < 1
    return Outcome(f"{rate:.2f} times nginx's requests/s; p99 {p99:.2f} times nginx's", rate >= 0.95 and p99 <= 1, ahead,
                   (ours.line(), nginx.line()))


# Programs of the tests that count what is allocated, with the number of redirects in one.
COUNTERS = {"http_server_allocation_tests": ("a plain redirect allocates nothing in the steady state", 10_000),
            "core_redirect_allocation_tests": ("once it is warm, a redirect allocates nothing", 400)}


def counted_by(program, test):
    """A test that passes saw none; one that fails shows both sides of its check. (Catch2's --success would show them of a
    test that passes, but allocates for that itself.)"""
    run = subprocess.run([program, test.replace(",", "\\,")], capture_output=True, text=True, check=False)
    if run.returncode == 0 and re.search(r"All tests passed \(\d+ assertions? in 1 test case\)", run.stdout):
        return 0
    sides = re.search(r"CHECK\( allocations.*== .*\)\s*with expansion:\s*(\d+)(?: \(\w+\))? == (\d+)", run.stdout)
    if not sides:
        raise RuntimeError(f"{program} does not tell what it counted:\n{run.stdout[-1000:]}")
    return int(sides.group(1)) - int(sides.group(2))


def allocations(_):
    targets, details, counted = list(COUNTERS), [], 0
    for command in (["cmake", "--preset", "check"], ["cmake", "--build", "--preset", "check", "--target", *targets]):
        built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {built.stdout[-1000:]}{built.stderr[-1000:]}")
    for program, (test, times) in COUNTERS.items():
        seen = counted_by(ROOT / "build/check" / program, test)
        details.append(f"{program}: {seen} in {times} redirects: {test}")
        counted += seen
    redirects = sum(times for _, times in COUNTERS.values())
    return at_most(counted, 0, 0, "{} in " + f"{redirects} redirects")._replace(details=tuple(details))


def growth(bench):
    with ExitStack() as stack:
        ones = []
        for count in (bench.large, bench.small):
            server = stack.enter_context(bench.served(count, "--io-threads", "1"))
            ones.append(Contestant(f"{count} links", server.port, server.process.pid, bench.visits(count, "zipf")))
        load.interleaved(ones, bench.choice.rounds, CONNECTIONS, bench.choice.seconds)
    many, few = ones
    return at_most(many.median("cpu") / few.median("cpu"), 1.3, 1.15, "{:.2f} times")._replace(
        details=(many.line(), few.line()))


def misses(bench):
    hits, _, missed = bench.redirects("uniform")
    ratio = missed.median("cpu") / hits.median("cpu")
    return at_most(ratio, 1.5, None, "{:.2f} times a hit (CPU)")._replace(details=(missed.line(), hits.line()))


class Disturbance:
    """Creates, bulk calls and dumps, in threads of their own, until told to end. The writes cause flushes and compactions;
    those are counted by the files they leave. `word` is in all slashtags."""

    def __init__(self, server, folder, word, done):
        self.server, self.folder, self.word, self.done = server, folder, word, done
        self.ending, self.failed, self.files = threading.Event(), [], files_of(server)
        self.files_before = len(self.files)
        works = [self.create] * 4 + [self.bulk, self.dump, self.watch]
        self.threads = [threading.Thread(target=self.guarded, args=(work, place)) for place, work in enumerate(works)]

    def guarded(self, work, place):
        try:
            connection, times = self.server.connect(), 0
            while not self.ending.is_set():
                work(connection, f"{self.word}-{place}-{times}")
                times += 1
            connection.close()
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.failed.append(error)

    @staticmethod
    def body(slashtag):
        return {"destination": f"https://www.example.com/made/{slashtag}?with=some&parameters", "slashtag": slashtag}

    def create(self, connection, slashtag):
        connection.wanted("POST", "/v1/links", self.body(slashtag))
        self.done["creates"] += 1

    def bulk(self, connection, slashtag):
        connection.wanted("PUT", "/v1/links", [self.body(f"{slashtag}-{at}") for at in range(100)])
        self.done["bulk calls of 100"] += 1

    def dump(self, *_):
        target = self.folder / "beside.jsonl"
        stores.admin(self.server.data, "dump", target)
        target.unlink()
        self.done["dumps"] += 1

    def watch(self, *_):
        self.files |= files_of(self.server)
        self.ending.wait(0.5)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()
        if self.failed:
            raise self.failed[0]
        self.done["new files by flushes and compactions"] += len(self.files) - self.files_before


def files_of(server):
    return {path.name for path in (server.data / "store").glob("*.sst")}


def busy(bench):
    """About 6,000 visits/s, which leaves the cores some time: a p99 under full load would be that of the queue."""
    seconds = 2 * bench.choice.seconds
    visits = bench.visits(bench.main, "zipf", 10)
    def visit(server):
        return load.wrk(server.port, "redirect.lua", *visits, connections=CONNECTIONS, seconds=seconds, before_others=True)
    alone, beside, done = [], [], Counter()
    with bench.served(bench.main) as server, bench.empty_folder("busy") as folder:
        load.wrk(server.port, "redirect.lua", *visits, connections=CONNECTIONS, seconds=2)
        load.settle(server.process.pid)
        for turn in range(bench.choice.rounds):
            alone.append(visit(server))
            with Disturbance(server, folder, f"r{turn}", done):
                beside.append(visit(server))
    p99 = [statistics.median(one["p99"] for one in ones) for ones in (alone, beside)]
    failed = sum(one["failed"] for one in alone + beside)
    return joined(at_most(p99[1] / p99[0], 2, 1.3, "p99 {:.2f} times that alone"),
                  Outcome(f"{failed} failed", failed == 0))._replace(
        details=(f"p99 alone {p99[0]:.2f} ms, beside {p99[1]:.2f} ms, medians of {len(alone)} rounds of {seconds} s; "
                 f"{alone[-1]['requests'] / seconds:.0f} and {beside[-1]['requests'] / seconds:.0f} visits/s",
                 "beside, the last call of each kind past the end of its round: "
                 + ", ".join(f"{times} {name}" for name, times in done.items())))


ROWS = [
    Row("redirect", "Redirect, CPU per request",
        "Zipf visits, clicks recorded and folded, 64 connections, one I/O thread, against nginx `return 302`, "
        "three of each in turn, medians", "at most 1.1 times nginx", "at most 1.0",
        lambda bench: cpu_of_redirects(bench, "zipf", 1.1, 1.0)),
    Row("uniform", "The same, every slashtag equally likely", "the worst case for a cache of default size",
        "at most 1.25", "1.1", lambda bench: cpu_of_redirects(bench, "uniform", 1.25, 1.1)),
    Row("speed", "Redirect, throughput and p99", "same run",
        "at least 0.95 times nginx's requests per second; p99 at most nginx's", "ahead on both", speed),
    Row("allocations", "Allocations per plain redirect", "counted by the tests that replace operator new, steady state",
        "0", "0", allocations),
    Row("growth", "Growth", "CPU per redirect at the largest size over the smallest, in turn", "at most 1.3", "1.15", growth),
    Row("misses", "Unknown slashtags", "a scan of random misses of the same forms, in turn with hits, each equally likely",
        "at most 1.5 times a hit", "", misses),
    Row("busy", "Redirect latency while creates, bulk calls, a dump and a compaction run", "p99 against p99 alone; wrk "
        "at nice -10, because what it waits for a processor itself is not the server's", "at most 2 times", "1.3", busy),
]
