"""What the rows share: sizes, folders, stores, and measurements that several rows read."""
import functools
import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import load
from links import DOMAINS, Links
from load import ROOT, Contestant, Nginx, Together
from slashpost import PROGRAMS, Connection
from stores import KEPT, Kept

CONNECTIONS = 64
INSTANCES = 3  # of each program whose redirects are compared
SHORT_SECONDS = 4  # of their rounds: the machine differs from one to the next, so more of them tell more than longer ones
SHORT_SHARE = 2  # times the seconds of others: a tail of latencies differs most from one round to the next


class Bench:
    def __init__(self, choice, say):
        self.choice, self.say = choice, say
        # How many links are "10 k", "1 M" and "10 M".
        self.small, self.main, self.large = (1_000, 10_000, 100_000) if choice.quick else (10_000, 1_000_000, 10_000_000)
        KEPT.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=KEPT))

    def end(self):
        if self.choice.keep:
            self.say(f"==> kept {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    @functools.cache  # pylint: disable=method-cache-max-size-none
    def kept(self, count):
        return Kept(count, self.say)

    @staticmethod
    def kept_source():
        return Links(1).source()

    def served(self, count, *arguments, **keywords):
        return self.kept(count).served(self.folder, *arguments, **keywords)

    @contextmanager
    def empty_folder(self, name):
        folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def program(self, name):
        """A program of tools/bench that is built for it alone."""
        path = PROGRAMS / name
        if not path.exists():
            raise RuntimeError(f"{path} is missing; tools/bench/all builds it")
        return path

    def visits(self, count, spread, pause=0):
        return count, spread, "mixed", pause

    @functools.cache  # pylint: disable=method-cache-max-size-none
    def redirects(self, spread):
        """nginx and a server of `main` links under the same visits, in turn; and misses, in the same rounds. Several
        instances of each share the rounds, because where in memory one happens to lie is worth up to a tenth."""
        with ExitStack() as stack:
            pairs = [self.redirecting(stack, spread) for _ in range(INSTANCES)]
            seconds = min(self.choice.seconds, SHORT_SECONDS)
            rounds = -(-self.choice.rounds * self.choice.seconds * SHORT_SHARE // (seconds * INSTANCES))
            load.interleaved([one for _, ones in pairs for one in ones], rounds, CONNECTIONS, seconds)
            for server, (ours, *_) in pairs:
                check_clicks(server, ours.sent, CONNECTIONS * (rounds + 1))
            return [Together(instances) for instances in zip(*(ones for _, ones in pairs))]

    def redirecting(self, stack, spread):
        """A server, and who is measured: it, an nginx, and with equally likely visits it again, asked for what misses."""
        server = stack.enter_context(self.served(self.main, "--io-threads", "1"))
        nginx = Nginx(stack.enter_context(self.empty_folder("nginx")), 1)
        stack.callback(nginx.end)
        visits = self.visits(self.main, spread)
        ones = [Contestant(f"slashpost, {spread}", server.port, server.process.pid, visits),
                Contestant("nginx", nginx.port, nginx.process.pid, visits, folds=False)]
        if spread == "uniform":
            ones.append(Contestant("slashpost, misses", server.port, server.process.pid,
                                   self.visits(self.main, "misses"), misses=True))
        return server, ones


def check_clicks(server, redirects, on_their_way):
    """Every redirect is a click. wrk does not count what is on its way when it ends: at most one request per connection
    and run."""
    time.sleep(load.FOLDS_SECONDS)
    connection = Connection(server.ops_port, host="localhost")
    text = connection.ask("GET", "/metrics").body.decode()
    connection.close()
    clicks = int(re.search(r"^slashpost_clicks_folded_total (\d+)$", text, re.M).group(1))
    if not 0 <= clicks - redirects <= on_their_way:
        raise RuntimeError(f"{clicks} clicks were folded for {redirects} redirects that wrk counted")


@functools.cache
def versions():
    """Of what is compared with, and of this tree."""
    def said(*command):
        try:
            run = subprocess.run(command, capture_output=True, text=True, check=False, env=load.WITH_SBIN)
        except FileNotFoundError:  # not installed, as where the tables are tested only
            return []
        return (run.stdout + run.stderr).strip().splitlines()
    def first(lines):
        return lines[0] if lines else "unknown"
    changed = said("git", "-C", ROOT, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!tools/bench/RESULTS.md")
    commit = first(said("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD")) + (", with changes" if changed else "")
    return {"commit": commit, "nginx": first(said("nginx", "-v")).rpartition("/")[2],
            "wrk": first(said("wrk", "-v")).split("[")[0].removeprefix("wrk").strip(),
            "PostgreSQL": first(said("psql", "--version")).removeprefix("psql (PostgreSQL)").strip()}


def machine_lines():
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return [f"{load.machine()}, {pages / 2**30:.1f} GiB of memory",
            ", ".join(f"{name} {version}" for name, version in versions().items()),
            f"programs of {PROGRAMS.relative_to(ROOT) if PROGRAMS.is_relative_to(ROOT) else PROGRAMS}, "
            f"{len(DOMAINS)} domains"]
