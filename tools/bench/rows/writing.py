"""Writing: creates beside what RocksDB alone can do, import, dump and restore."""
import json
import subprocess
import threading
import time

import load
import stores
from bench import CONNECTIONS
from dumps import iso
from links import DOMAINS, name_of_tag
from slashpost import PROGRAMS, Server
from table import NotThere, Outcome, Row, at_least, joined

PROBED_CREATES = 1000


def log_bytes(server):
    return sum(path.stat().st_size for path in (server.data / "store").glob("*.log"))


def bytes_per_create(server):
    """By how much the store's log grows, one create after the other; of several tries the most, as old logs go now and
    then."""
    connection, best = server.connect(), 0
    for turn in range(3):
        before = log_bytes(server)
        for number in range(PROBED_CREATES):
            connection.wanted("POST", "/v1/links", {
                "destination": f"https://www.example.com/some/page/of/usual/length?run=p{turn}&number={number}",
                "slashtag": f"p{turn}-{number}", "title": f"Made as number {number}"})
        best = max(best, (log_bytes(server) - before) // PROBED_CREATES)
    connection.close()
    if best <= 0:
        raise RuntimeError("the store's log does not grow with creates")
    return best


def create(bench):
    """Both on the same file system, in turn; wrk, the client, works on the same machine as the server."""
    rates, bare_rates, reports = [], [], []
    seconds = bench.choice.seconds
    with bench.served(bench.main) as server, bench.empty_folder("bare") as folder:
        size = bytes_per_create(server)
        for turn in range(bench.choice.rounds):
            report = load.wrk(server.port, "create.lua", server.key, f"w{turn}", connections=CONNECTIONS, seconds=seconds)
            if report["failed"]:
                raise RuntimeError(f"{report['failed']} of {report['requests']} creates were refused")
            run = subprocess.run([bench.program("bare_commit"), folder / str(turn), str(size), str(CONNECTIONS), str(seconds)],
                                 capture_output=True, text=True, check=True)
            bare = json.loads(run.stdout)
            rates.append(report["requests"] / report["seconds"])
            bare_rates.append(bare["commits"] / bare["seconds"])
            reports.append(report)
    middle = len(rates) // 2
    rate, bare_rate = sorted(rates)[middle], sorted(bare_rates)[middle]
    return at_least(rate / bare_rate, 0.25, 0.4, "{:.2f} of it")._replace(details=(
        f"{rate:.0f} creates/s into {bench.main} links, p99 {reports[-1]['p99']:.1f} ms; {bare_rate:.0f} bare commits/s of "
        f"{size} bytes each, which is what a create adds to the log; medians of {len(rates)} rounds",))


class Watched:
    """A command while it runs: its seconds, and its memory ten times a second."""

    def __init__(self, *command):
        began = time.monotonic()
        with subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as process:
            self.said, self.memory = "", []
            reader = threading.Thread(target=lambda: setattr(self, "said", process.stdout.read()))
            reader.start()
            while process.poll() is None:
                try:
                    self.memory.append(load.resident_mb(process.pid))
                except (AttributeError, FileNotFoundError, ProcessLookupError):
                    pass  # it has just ended
                time.sleep(0.1)
            reader.join()
        self.seconds = time.monotonic() - began
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {self.said[-1000:]}")

    def growth(self):
        """The peak of the last third over that of the middle one: what is in proportion to the data, grows."""
        third = len(self.memory) // 3
        if third == 0:
            return 1.0
        return max(self.memory[2 * third:]) / max(self.memory[third:2 * third])

    def line(self, what):
        return (f"{what}: {self.seconds:.1f} s, peak {max(self.memory, default=0):.0f} MB, last third "
                f"{self.growth():.2f} times the middle third")


def dump(bench):
    kept = bench.kept(bench.main)
    tool = PROGRAMS / "slashpost-admin"
    with bench.empty_folder("dump") as folder:
        store = kept.copy(folder / "store")
        out = Watched(tool, "--data", store, "dump", folder / "dump.jsonl")
        size = (folder / "dump.jsonl").stat().st_size
        back = Watched(tool, "--data", folder / "restored", "restore", folder / "dump.jsonl")
        stores.admin(folder / "restored", "dump", folder / "again.jsonl")
        same = footer(folder / "dump.jsonl") == footer(folder / "again.jsonl")
    constant = max(out.growth(), back.growth()) <= 1.1
    rates = [bench.main / one.seconds for one in (out, back)]
    return joined(at_least(rates[0], 100_000, None, "{:.0f} links/s out"), at_least(rates[1], 40_000, None, "{:.0f} in"),
                  Outcome(f"memory {'constant' if constant else 'GROWS'}", constant),
                  Outcome("" if same else "a dump of what was restored DIFFERS", same))._replace(details=(
                      out.line("dump"), back.line("restore, its check of the file included"),
                      f"{bench.main} links, {kept.facts['rows']} rows, {size / 1e6:.0f} MB; of a stopped store"))


def footer(path):
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 200))
        return file.read().splitlines()[-1]


def wrongly_imported(connection, links, wanted=200):
    """Of some links of the file, those that are not found by slashtag with all that the file said of them."""
    wrong, step = [], max(1, links.count // wanted)
    for number in range(0, links.count, step):
        link = links.link(number)
        if link.deleted or not link.main:
            continue
        found = connection.wanted("GET", f"/v1/links?slashtag={link.slashtag}")
        told = [(one["slashtag"], one["domainName"], one["destination"], one["title"], one.get("description", ""),
                 one["createdAt"], one["clicks"], sorted(tag["name"] for tag in one["tags"])) for one in found]
        right = (link.slashtag, DOMAINS[link.domain], link.destination, link.title, link.description, iso(link.created_ms),
                 link.clicks, sorted(name_of_tag(tag) for tag in link.tags))
        if told != [right]:
            wrong.append(f"{told}, not {right}")
    return wrong


def import_csv(bench):
    """Into a store that has the domains and tags already. The command ends when everything is in the store; what the
    server then does by itself, such as the search index, is added."""
    tool, kept = PROGRAMS / "slashpost-admin", bench.kept(bench.main)
    said = subprocess.run([tool, "import", "csv", "--help"], capture_output=True, text=True, check=False).stdout
    if "import csv" not in said:
        raise NotThere("slashpost-admin has no command `import csv`")
    with bench.empty_folder("import") as folder:
        key = stores.make_house(folder / "store")
        count = kept.csv(folder / "links.csv")
        run = Watched(tool, "--data", folder / "store", "import", "csv", folder / "links.csv")
        server = Server(folder / "store", "--rate-limit", "0", "--redirect-cache-mb", "1")
        server.key = key
        try:
            began = time.monotonic()
            server.start(600)
            # Taking note of all addresses, some seconds after a start, is no part of an import: every start does that.
            load.settle(server.process.pid, but="background")
            behind = max(0.0, time.monotonic() - began - load.SETTLED_SECONDS)
            connection = server.connect()
            there = connection.wanted("GET", "/v1/links/count")["count"]
            wrong = wrongly_imported(connection, kept.links)
            connection.close()
        finally:
            server.end()
    right = there == count and not wrong
    return joined(at_least(count / (run.seconds + behind), 15_000, 20_000, "{:.0f} links/s"),
                  Outcome("" if right else f"{there} of {count} links there, {len(wrong)} WRONG", right))._replace(details=(
                      run.line(f"import of {count} links"),
                      f"start of the server, and what it does by itself then: {behind:.1f} s, which counts",
                      *(f"WRONG: {what}" for what in wrong[:5])))


ROWS = [
    Row("create", "API create, durable",
        "64 clients, keep-alive, client on the same machine, against a bare loop that commits the same bytes with a synced "
        "log from as many threads, in turn", "at least 0.25 of it", "0.4", create),
    Row("import", "Import of links by `slashpost-admin import csv FILE`", "links per second, search index included",
        "at least 15,000", "20,000", import_csv),
    Row("dump", "Dump and restore", "all links with clicks",
        "at least 100,000 links/s out, 40,000 in; constant memory", "", dump),
]
