"""Load and what it costs: wrk, nginx beside it, processor time and memory of processes. All on loopback; what was
started is ended by pid."""
import contextlib
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
os.environ.setdefault("SLASHPOST_PROGRAMS", str(ROOT / "build/release"))
from slashpost import free_port  # noqa: E402  pylint: disable=wrong-import-position

WITH_SBIN = os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin"}
SETTLED_SECONDS = 3  # without work, and a server is at rest
FOLDS_SECONDS = 2  # until the last clicks are folded: their cost belongs to the round

NGINX_SETTINGS = """
daemon off; worker_processes {workers}; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} reuseport;
        location / {{ return 302 https://www.example.com/some/page/of/usual/length?with=parameters; }}
    }}
}}
"""


class Nginx:
    def __init__(self, folder, workers):
        self.port = free_port()
        settings = folder / "nginx.conf"
        settings.write_text(NGINX_SETTINGS.format(workers=workers, folder=folder, port=self.port))
        self.process = subprocess.Popen(["nginx", "-p", folder, "-c", settings], stdin=subprocess.DEVNULL, env=WITH_SBIN)
        time.sleep(0.5)
        if self.process.poll() is not None:
            raise RuntimeError("nginx does not start")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(10)


def wrk(port, script, *arguments, connections=64, seconds=8, before_others=False):
    """One thread of wrk; answers what report.lua tells: requests, seconds, failed, latencies in milliseconds. It may go
    `before_others` (root may ask for that), because how long wrk itself waits for a processor is no latency of a server."""
    place = ["nice", "-n", "-10"] if before_others else []
    run = subprocess.run([*place, "wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "10s",
                          "-s", ROOT / "tools/bench" / script, f"http://127.0.0.1:{port}", "--", *map(str, arguments)],
                         capture_output=True, text=True, check=False, env=os.environ | {"BENCH": str(ROOT / "tools/bench")})
    told = re.search(r"^REPORT (.*)$", run.stdout, re.M)
    if run.returncode != 0 or not told:
        raise RuntimeError(f"wrk failed:\n{run.stdout}{run.stderr}")
    report = json.loads(told.group(1))
    if report["broken"]:
        raise RuntimeError(f"wrk had errors of its sockets: {report}")
    return report


def processes_of(pid):
    """The process and its children."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *map(int, children)]


def cpu_told(folder):
    """User and system, as the kernel tells it of a process or a thread."""
    after_name = (folder / "stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")  # utime, stime


def cpu_seconds(pids):
    """All threads; so what goes on in the background counts too."""
    return sum(cpu_told(pathlib.Path(f"/proc/{pid}")) for pid in pids)


def cpu_seconds_but(pid, thread):
    """Without the threads of that name; of all, for none."""
    total = cpu_seconds([pid])
    for folder in pathlib.Path(f"/proc/{pid}/task").iterdir() if thread else ():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            if (folder / "comm").read_text().strip() == thread:
                total -= cpu_told(folder)
    return total


def settle(pid, seconds=3600, settled_seconds=SETTLED_SECONDS, but=None):
    """Until a server does nothing by itself: what follows a fill (search index, compaction), or a start (its cache of
    addresses), is done. What a thread named `but` does is left aside."""
    quiet, before = 0, cpu_seconds_but(pid, but)
    end = time.monotonic() + seconds
    while quiet < settled_seconds:
        time.sleep(1)
        now = cpu_seconds_but(pid, but)
        quiet = quiet + 1 if now - before <= 0.05 else 0
        before = now
        if time.monotonic() > end:
            raise RuntimeError("the server does not come to rest")


def resident_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB", status, re.M).group(1)) * 1024 / 1e6


class Rounds:
    """What was measured of something with a `name`: `rounds`."""

    def median(self, what):
        return statistics.median(one[what] for one in self.rounds)

    def line(self):
        return (f"{self.name}: {self.median('cpu'):.2f} us of CPU per request, {self.median('rate'):.0f} requests/s, p99 "
                f"{self.median('p99'):.2f} ms; CPU by round: {' '.join(format(one['cpu'], '.2f') for one in self.rounds)}")


class Together(Rounds):
    """What was measured of several instances of one program, in the order in which they had their turns."""

    def __init__(self, ones):
        self.name = ones[0].name
        self.rounds = [of_one for of_all in zip(*(one.rounds for one in ones)) for of_one in of_all]


class Contestant(Rounds):
    """A server under load: one of ours, or nginx. `visits` are the arguments of redirect.lua."""

    def __init__(self, name, port, pid, visits, folds=True, misses=False):
        self.name, self.port, self.pid, self.visits, self.folds, self.misses = name, port, pid, visits, folds, misses
        self.sent, self.rounds = 0, []

    def warm(self, connections, seconds=2):
        self.sent += self.load(connections, seconds)["requests"]

    def load(self, connections, seconds):
        report = wrk(self.port, "redirect.lua", *self.visits, connections=connections, seconds=seconds)
        if report["failed"] != (report["requests"] if self.misses else 0):
            raise RuntimeError(f"{self.name}: {report['failed']} of {report['requests']} answers were 4xx or 5xx")
        return report

    def measure(self, connections, seconds):
        pids = processes_of(self.pid)
        before = cpu_seconds(pids)
        report = self.load(connections, seconds)
        if self.folds:
            time.sleep(FOLDS_SECONDS)
        self.sent += report["requests"]
        self.rounds.append({"cpu": (cpu_seconds(pids) - before) / report["requests"] * 1e6,
                            "rate": report["requests"] / report["seconds"], "p99": report["p99"]})


def interleaved(contestants, rounds, connections, seconds):
    """Warms all up, waits until they do nothing by themselves, then measures each once a round, in turn."""
    for one in contestants:
        one.warm(connections)
    for pid in {one.pid for one in contestants}:
        settle(pid)
    for _ in range(rounds):
        for one in contestants:
            one.measure(connections, seconds)


def percentile(values, percent):
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} x {model.group(1) if model else 'unknown'}, Linux {os.uname().release}"
