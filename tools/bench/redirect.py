"""Slashpost and nginx in turn under the same load of wrk: A B A B in one run, and the medians compared. On demand
also the same links with routing rules, and another build of Slashpost.

CPU is what the kernel says in /proc/<pid>/stat of every process of a server (user and system, all threads), so
clicks being folded in the background count too. Everything stays on loopback; what was started is ended by pid.
"""
import argparse
import os
import pathlib
import shutil
import tempfile
import threading

from load import ROOT, Contestant, Nginx, interleaved, machine
import slashpost
from slashpost import DOMAIN, Server


def arguments():
    parser = argparse.ArgumentParser(prog="tools/bench/redirect", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    cores = os.cpu_count() or 2
    parser.add_argument("--links", type=int, default=100_000, help="how many links there are (default %(default)s)")
    parser.add_argument("--workers", type=int, default=max(1, cores // 2),
                        help="I/O threads and nginx workers (default %(default)s: half the cores)")
    parser.add_argument("--connections", type=int, default=64, help="of wrk (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=8, help="of each round (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="of each server (default %(default)s)")
    parser.add_argument("--rules", type=int, default=0, metavar="N",
                        help="also measure links with N routing rules, all tried and none matching")
    parser.add_argument("--before", type=pathlib.Path, metavar="FOLDER",
                        help="also measure the programs of another build, which are in that folder")
    parser.add_argument("--spread", choices=["zipf", "uniform"], default="zipf",
                        help="which links are asked for (default %(default)s)")
    return parser.parse_args()


RULES = [{"property": "req.country", "operator": "in", "values": ["de", "at", "ch"]},
         {"property": "req.language", "operator": "in", "values": ["de", "fr"]},
         {"property": "req.device", "operator": "in", "values": ["mobile", "tablet"]},
         {"property": "req.time", "operator": "in", "values": ["2001-01-01T00:00Z/2001-02-01T00:00Z"]},
         {"property": "req.query.utm_source", "operator": "in", "values": ["mail"]}]


def make_links(server, choice, rules):
    """Over the API, on sixteen connections; the store may be relaxed about it."""
    def maker(first):
        connection = server.connect()
        for number in range(first, choice.links, 16):
            page = f"https://www.example.com/some/page/of/usual/length?with=parameters&number={number}"
            made = connection.wanted("POST", "/v1/links", {"destination": page, "slashtag": f"b{number}"})
            for rule in range(rules):
                connection.wanted("POST", f"/v1/links/{made['id']}/rules",
                                  {"destination": page, "condition": {"and": [RULES[rule % len(RULES)]]}})
        connection.close()

    makers = [threading.Thread(target=maker, args=(first,)) for first in range(16)]
    for thread in makers:
        thread.start()
    for thread in makers:
        thread.join()


def start_slashpost(folder, choice, name, rules=0):
    """On a store that is kept under build/bench between runs; each run works on a copy."""
    kept = ROOT / f"build/bench/{choice.links}-links{f'-{rules}-rules' if rules else ''}"
    if name == "before":  # its store is its own
        kept = folder / "of-before"
    if not kept.exists():
        print(f"==> making {choice.links} links for {name}", flush=True)
        store = folder / f"making-{name}"
        server = Server(store, "--rate-limit", "0", "--durability", "relaxed")
        try:
            server.start()
            make_links(server, choice, rules)
            if server.connect().wanted("GET", "/v1/links/count") != {"count": choice.links} or server.stop() != 0:
                raise SystemExit(f"could not make the links: {server.said()}")
        finally:
            server.end()
        kept.parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(f"{kept}.key").write_text(server.key)
        shutil.copytree(store, f"{kept}.new")
        os.rename(f"{kept}.new", kept)
        shutil.rmtree(store)
    store = folder / name
    shutil.copytree(kept, store)
    server = Server(store, "--rate-limit", "0", "--io-threads", str(choice.workers))
    server.key = pathlib.Path(f"{kept}.key").read_text()
    return server.start()


def start_contestants(folder, choice, started):
    """Puts each, with its server, into `started` as soon as it runs."""
    visits = (choice.links, choice.spread, DOMAIN)

    def ours(name, rules=0):
        server = start_slashpost(folder, choice, name, rules)
        contestant = Contestant(name, server.port, server.process.pid, visits)
        started.append((contestant, server))

    ours("slashpost")
    if choice.rules:
        ours(f"{choice.rules} rules", choice.rules)
    if choice.before:
        programs, slashpost.PROGRAMS = slashpost.PROGRAMS, choice.before
        ours("before")
        slashpost.PROGRAMS = programs
    nginx = Nginx(folder, choice.workers)
    started.append((Contestant("nginx", nginx.port, nginx.process.pid, visits, folds=False), nginx))


def counted_clicks(server):
    """The sum over the links that were clicked, most clicked first."""
    connection, clicks, last = server.connect(), 0, ""
    while True:
        page = connection.wanted("GET", f"/v1/links?orderBy=clicks&limit=100&last={last}")
        clicks += sum(row["clicks"] for row in page)
        if not page or page[-1]["clicks"] == 0:
            return clicks
        last = page[-1]["id"]


def table(contestants):
    print("\nround " + "".join(f"  {one.name:^27}" for one in contestants))
    print("      " + f"  {'CPU us/request':>14} {'requests/s':>12}" * len(contestants))
    rows = [(str(number + 1), [one.rounds[number] for one in contestants])
            for number in range(len(contestants[0].rounds))]
    rows.append(("median", [{what: one.median(what) for what in ("cpu", "rate")} for one in contestants]))
    for title, figures in rows:
        print(f"{title:>6}" + "".join(f"  {one['cpu']:>14.2f} {one['rate']:>12.0f}" for one in figures))
    ours, *others = contestants
    print()
    for other in others:
        pair = (other, ours) if other.name.endswith("rules") else (ours, other)
        print(f"{pair[0].name} / {pair[1].name}: CPU per request {pair[0].median('cpu') / pair[1].median('cpu'):.2f}, "
              f"requests per second {pair[0].median('rate') / pair[1].median('rate'):.2f}")


def check_clicks(one, server, choice):
    """wrk does not count what is on its way when it ends: at most one request per connection and run."""
    surplus = counted_clicks(server) - one.sent
    print(f"{one.name}: {one.sent + surplus} clicks counted for {one.sent} redirects that wrk counted", flush=True)
    if not 0 <= surplus <= choice.connections * (choice.rounds + 1):
        raise SystemExit("clicks were lost or counted twice")


def run(folder, choice):
    started = []
    try:
        start_contestants(folder, choice, started)
        print(f"==> {machine()}\n==> {choice.links} links asked for {choice.spread}, {choice.workers} workers each, "
              f"{choice.connections} connections, {choice.rounds} rounds of {choice.seconds} s in turn", flush=True)
        contestants = [one for one, _ in started]
        interleaved(contestants, choice.rounds, choice.connections, choice.seconds)
        table(contestants)
        for one, server in started[:-1]:
            check_clicks(one, server, choice)
    finally:
        for _, server in started:
            server.end()


def main():
    choice = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-bench-"))
    try:
        run(folder, choice)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
