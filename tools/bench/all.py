"""Measures every row of the benchmark's table, prints it and writes it to a file. What a row must reach is missed: exit
code 1.

Everything runs on loopback and is ended by its process id. Stores full of links are made once and kept under build/bench;
each row works on copies. A full run takes about an hour when the stores are there; to make them (--make) takes longer than
all the rest when restoring is slow. It wants 40 GB of disk and a machine that does nothing else."""
import argparse
import signal
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import table
from bench import SHORT_SECONDS, SHORT_SHARE, Bench, machine_lines
from load import ROOT
from rows import reading, redirects, resources, search, writing

ORDER = ("redirect", "uniform", "speed", "allocations", "growth", "misses", "create", "busy", "import", "lists", "counts",
         "search", "statistics", "memory", "disk", "start", "dump")
ROWS = {row.name: row for module in (redirects, writing, reading, search, resources) for row in module.ROWS}
RESULTS = ROOT / "tools/bench/RESULTS.md"


def names_of_rows(text):
    names = text.split(",")
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no row is called {', '.join(unknown)}; --list shows them")
    return [name for name in ORDER if name in names]


def arguments(given=None):
    parser = argparse.ArgumentParser(prog="tools/bench/all", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="show the rows with their names, and measure nothing")
    parser.add_argument("--make", action="store_true",
                        help="make the stores that are missing, and measure nothing; the largest takes long")
    parser.add_argument("--only", type=names_of_rows, default=list(ORDER), metavar="ROW[,ROW...]",
                        help="measure only these rows")
    parser.add_argument("--quick", action="store_true",
                        help="try the benchmark itself: 1 k, 10 k and 100 k links instead of 10 k, 1 M and 10 M, short "
                             "rounds; the table says so, and its figures mean little")
    parser.add_argument("--seconds", type=int, help="of each round of load (default 10; quick 2); redirects take "
                        f"{SHORT_SHARE} times as much in rounds of at most {SHORT_SECONDS}")
    parser.add_argument("--rounds", type=int, help="of each contestant (default 5; quick 1)")
    parser.add_argument("--memory-seconds", type=int, help="of load in the row `memory` (default 600; quick 20)")
    parser.add_argument("--terms", type=int, help="that are searched for (default 1000; quick 100)")
    parser.add_argument("--results", type=Path, metavar="FILE",
                        help="where the table goes (default tools/bench/RESULTS.md; with --quick or --only "
                             "build/bench/RESULTS.md)")
    parser.add_argument("--keep", action="store_true", help="leave the folder of the run behind, below build/bench")
    choice = parser.parse_args(given)
    for name, usual, quick in (("seconds", 10, 2), ("rounds", 5, 1), ("memory_seconds", 600, 20), ("terms", 1000, 100)):
        value = getattr(choice, name)
        if value is not None and value < 1:
            parser.error(f"--{name.replace('_', '-')} is at least 1")
        setattr(choice, name, value or (quick if choice.quick else usual))
    whole = choice.only == list(ORDER) and not choice.quick
    choice.results = choice.results or (RESULTS if whole else ROOT / "build/bench/RESULTS.md")
    return choice


def head(choice, bench, seconds):
    lines = ["# Results of tools/bench/all", ""]
    if choice.quick:
        lines += ["**A quick run, which shows that the benchmark works and nothing else: few links, short rounds.**", ""]
    if choice.only != list(ORDER):
        lines += [f"**Not all rows: {', '.join(choice.only)}.**", ""]
    lines += [f"- {line}" for line in machine_lines()]
    lines.append(f"- {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, {seconds / 60:.0f} minutes")
    lines.append(f"- sizes: {bench.small:,}, {bench.main:,} and {bench.large:,} links; {bench.main:,} where a row names none; "
                 f"{bench.kept_source()}")
    lines.append(f"- {choice.rounds} rounds of {choice.seconds} s where a row has rounds, {SHORT_SHARE} times as much in "
                 f"rounds of at most {SHORT_SECONDS} s where redirects are compared with nginx; every figure is a ratio "
                 "against something in the same run, a count, or a bound of the table")
    return lines


def say(text):
    print(text, flush=True)


def measure_all(choice, rows=None):
    """Answers the exit code. `rows`: other ones than those of the benchmark, by name."""
    rows, began = rows or ROWS, time.monotonic()
    bench = Bench(choice, say)
    try:
        results = [table.measured(rows[name], bench, say) for name in choice.only]
        text = table.markdown(results, head(choice, bench, time.monotonic() - began))
    finally:
        bench.end()
    choice.results.parent.mkdir(parents=True, exist_ok=True)
    choice.results.write_text(text, encoding="utf-8")
    say(f"\n{text}\n==> written to {choice.results}")
    return table.exit_code(results)


def make_all(choice):
    bench = Bench(choice, say)
    try:
        for count in (bench.small, bench.main, bench.large):
            say(f"==> {count} links: {bench.kept(count).facts}")
    finally:
        bench.end()
    return 0


def main():
    choice = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))  # as by an error: what was started is ended
    if choice.list:
        for name in ORDER:
            row = ROWS[name]
            say(f"{name:<12} {row.what} (must: {row.must}{f'; aim: {row.aim}' if row.aim else ''})")
        return 0
    if choice.make:
        return make_all(choice)
    return measure_all(choice)


if __name__ == "__main__":
    sys.exit(main())
