#!/usr/bin/env python3
"""What tools/bench/all makes of its measurements, without measuring: neither nginx nor PostgreSQL is needed."""
import argparse
import io
import pathlib
import re
import sys
import unittest
from contextlib import redirect_stdout
from unittest import mock

from slashpost import temporary_folder

BENCH = pathlib.Path(__file__).parents[2] / "tools/bench"
sys.path.insert(0, str(BENCH))
import all as bench_all  # noqa: E402  pylint: disable=wrong-import-position
import bench  # noqa: E402  pylint: disable=wrong-import-position
import dumps  # noqa: E402  pylint: disable=wrong-import-position
import links  # noqa: E402  pylint: disable=wrong-import-position
import load  # noqa: E402  pylint: disable=wrong-import-position
import postgres  # noqa: E402  pylint: disable=wrong-import-position
import stores  # noqa: E402  pylint: disable=wrong-import-position
import table  # noqa: E402  pylint: disable=wrong-import-position
from expected import ORDERS, Expected  # noqa: E402  pylint: disable=wrong-import-position
from load import percentile  # noqa: E402  pylint: disable=wrong-import-position
from rows.redirects import counted_by  # noqa: E402  pylint: disable=wrong-import-position
from table import NotThere, Outcome, Row, at_least, at_most, joined  # noqa: E402  pylint: disable=wrong-import-position

# The first column of the table, and what must be reached.
PROMISED = [("Redirect, CPU per request", "at most 1.1 times nginx"),
            ("The same, every slashtag equally likely", "at most 1.25"),
            ("Redirect, throughput and p99", "at least 0.95 times nginx's requests per second; p99 at most nginx's"),
            ("Allocations per plain redirect", "0"), ("Growth", "at most 1.3"), ("Unknown slashtags", "at most 1.5 times a hit"),
            ("API create, durable", "at least 0.25 of it"),
            ("Redirect latency while creates, bulk calls, a dump and a compaction run", "at most 2 times"),
            ("Import of links by `slashpost-admin import csv FILE`", "at least 15,000"),
            ("List pages in one workspace", "at most 60 ms, the slowest 250 ms; complete and exact pages"), ("Counts", "at most 1 ms"),
            ("Search in one workspace", "p99 at most PostgreSQL's, exact"), ("Statistics", "at most 10 ms"),
            ("Memory", "30 MB with an empty store; 160 MB serving under load for 10 minutes, not growing"),
            ("Disk", "at most 1,000"), ("Start", "0.3 s after a clean stop, 3 s after SIGKILL"),
            ("Dump and restore", "at least 100,000 links/s out, 40,000 in; constant memory")]


def row(name, measure, aim="2"):
    return Row(name, f"What {name} is", "counted", "at most 3", aim, measure)


def fails(_):
    raise ValueError("the disk | is on fire")


def is_not_there(_):
    raise NotThere("no such command")


class Tables(unittest.TestCase):
    def measure(self, *rows):
        """(exit code, cells of each line of the written table)"""
        choice = bench_all.arguments(["--quick", "--results", str(temporary_folder(self) / "table.md")])
        choice.only = [one.name for one in rows]
        said = io.StringIO()
        with redirect_stdout(said):
            code = bench_all.measure_all(choice, {one.name: one for one in rows})
        text = choice.results.read_text(encoding="utf-8")
        self.assertIn(text, said.getvalue())
        lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
        return code, [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]

    def test_what_must_be_reached_and_is_missed_gives_a_non_zero_exit(self):
        self.assertEqual(self.measure(row("a", lambda _: at_most(3.5, 3, 2)), row("b", lambda _: at_most(1, 3, 2))),
                         (1, [["What a is", "counted: **3.50**", "at most 3", "2", "missed"],
                              ["What b is", "counted: **1.00**", "at most 3", "2", "aim reached"]]))

    def test_a_table_is_made_where_nothing_of_what_is_compared_with_is_installed(self):
        bench.versions.cache_clear()
        self.addCleanup(bench.versions.cache_clear)
        with mock.patch.dict(load.WITH_SBIN, PATH=str(temporary_folder(self))):
            self.assertEqual(self.measure(row("a", lambda _: at_most(1, 3, 2)))[0], 0)
            self.assertEqual(bench.versions(), dict.fromkeys(("commit", "nginx", "wrk", "PostgreSQL"), "unknown"))

    def test_an_aim_may_be_missed(self):
        self.assertEqual(self.measure(row("a", lambda _: at_most(3, 3, 2)), row("b", lambda _: at_most(3, 3, None), "")),
                         (0, [["What a is", "counted: **3.00**", "at most 3", "2", "must reached"],
                              ["What b is", "counted: **3.00**", "at most 3", "", "must reached"]]))

    def test_a_row_that_fails_is_missed_and_the_others_are_measured(self):
        code, lines = self.measure(row("a", fails), row("b", is_not_there), row("c", lambda _: at_least(9, 3, 9)))
        self.assertEqual(code, 1)
        self.assertEqual([line[1] for line in lines], [r"counted: **failed: ValueError: the disk \| is on fire**",
                                                       "counted: **not there: no such command**", "counted: **9.00**"])
        self.assertEqual([line[4] for line in lines], ["missed", "missed", "aim reached"])

    def test_several_outcomes_are_as_good_as_the_worst(self):
        good, fair, bad = at_most(1, 3, 2), at_most(3, 3, 2), at_most(4, 3, 2)
        self.assertEqual(joined(good, good), Outcome("1.00; 1.00", True, True))
        self.assertEqual(joined(good, fair), Outcome("1.00; 3.00", True, False))
        self.assertEqual(joined(bad, good), Outcome("4.00; 1.00", False, False))
        self.assertEqual(joined(good, Outcome("", False)), Outcome("1.00", False, True))
        self.assertEqual(table.exit_code([]), 0)

    def test_a_run_of_some_rows_or_a_quick_one_does_not_write_over_the_results(self):
        self.assertEqual(bench_all.arguments([]).results, BENCH / "RESULTS.md")
        self.assertNotEqual(bench_all.arguments(["--quick"]).results, BENCH / "RESULTS.md")
        self.assertNotEqual(bench_all.arguments(["--only", "disk"]).results, BENCH / "RESULTS.md")


class Rows(unittest.TestCase):
    def test_every_row_that_was_promised_is_listed_and_measured(self):
        self.assertEqual([(one.what, one.must) for one in map(bench_all.ROWS.get, bench_all.ORDER)], PROMISED)
        said, given = io.StringIO(), sys.argv
        sys.argv = ["all.py", "--list"]
        self.addCleanup(setattr, sys, "argv", given)
        with redirect_stdout(said):
            self.assertEqual(bench_all.main(), 0)
        for line, (what, must) in zip(said.getvalue().splitlines(), PROMISED, strict=True):
            self.assertIn(f"{what} (must: {must}", line)

    def test_rows_are_chosen_by_name(self):
        self.assertEqual(bench_all.arguments(["--only", "disk,growth"]).only, ["growth", "disk"])
        with self.assertRaises(argparse.ArgumentTypeError):
            bench_all.names_of_rows("disk,dusk")


class Allocations(unittest.TestCase):
    def counted(self, said, code):
        program = temporary_folder(self) / "tests"
        program.write_text(f"#!/bin/sh\ncat <<'END'\n{said}\nEND\nexit {code}\n", encoding="utf-8")
        program.chmod(0o755)
        return counted_by(program, "a redirect, that allocates nothing")

    def test_they_are_read_from_what_a_test_says(self):
        self.assertEqual(self.counted("All tests passed (4 assertions in 1 test case)", 0), 0)
        failed = "  CHECK( allocations == before )\nwith expansion:\n  30680 (0x77d8) == 30676 (0x77d4)\n"
        self.assertEqual(self.counted(failed, 1), 4)
        failed = "  CHECK( allocations.load() - before == 0 )\nwith expansion:\n  3 == 0\n"
        self.assertEqual(self.counted(failed, 1), 3)

    def test_a_test_that_did_not_run_counted_nothing(self):
        for said, code in (("No test cases matched", 0), ("All tests passed (0 assertions in 0 test cases)", 0), ("", 139)):
            with self.assertRaises(RuntimeError):
                self.counted(said, code)


class House:
    domains = [f"domain{number}" for number in range(20)]
    tags = [f"tag{number}" for number in range(200)]
    accounts = {"admin": "a", "bob": "b", "carl": "c"}


class Data(unittest.TestCase):
    def test_a_link_follows_from_its_number(self):
        made = links.Links(100_000).link(99_999)
        self.assertEqual((made.slashtag, links.DOMAINS[made.domain], made.id[:16], made.deleted),
                         ("autumn-qqlo4o", "go.example.com", f"{1_672_531_200_000 + 99_999 * 604_800:012x}0000", False))
        self.assertEqual(len({links.slashtag_of(links.mixed(number)) for number in range(50_000)}), 50_000)

    def test_a_store_of_each_size_has_files_of_its_own(self):
        paths = [path for count in (1_000, 10_000, 1_000_000) for path in stores.paths_of(links.Links(count))]
        self.assertEqual(len(set(paths)), 12)

    def test_wrk_asks_for_the_same_links(self):
        script = (BENCH / "redirect.lua").read_text()
        words = "".join(re.findall(r'^for word in \("(.*)" \.\.\n\s+"(.*)"\):gmatch', script, re.M)[0])
        shares = re.search(r"shares = \{([\d, \n]+)\}", script).group(1)
        self.assertEqual((words.split(), tuple(map(int, shares.split(",")))), (links.WORDS, links.SHARES))
        self.assertIn("(number * 39916801 + 1234567) % 2147483647", script)
        self.assertEqual(links.mixed(10_000_000), (10_000_000 * 39916801 + 1234567) % 2147483647)

    def test_the_checksum_of_a_dump_is_over_all_lines_before_it(self):
        folder = pathlib.Path(temporary_folder(self))
        base, made = folder / "base", folder / "made"
        with mock.patch("dumps.House"), mock.patch("dumps.Figures") as figures:
            base.write_text('{"format":"slashpost-dump"}\n{"table":"accounts","row":{}}\n{"rows":1,"sha256":""}\n',
                            encoding="utf-8")
            figures.return_value.rows.return_value = []
            self.assertEqual(dumps.write_dump(base, [], made), 1)
            self.assertEqual(made.read_text(encoding="utf-8").splitlines()[-1],
                             '{"rows":1,"sha256":"c054338d80404d107f82fd56ac21c1c110699615befbb64497fd658ce7c835c0"}')

    def test_expected_pages_are_those_of_sorting_all_links(self):
        count = 600
        made, checked = list(links.Links(count)), 0
        expected = Expected(links.Links(count), House)
        keys = dict(zip(ORDERS, (lambda one: one.id, lambda one: one.updated_ms, lambda one: one.title.casefold().encode(),
                                 lambda one: one.slashtag, lambda one: one.clicks, lambda one: one.last_click_ms)))
        passes = {"&favourite=true": lambda one: one.favourite, "&status.active=false": lambda one: True, "": lambda one: True,
                  "&domain.id=domain0": lambda one: one.domain == 0, "&creator.id=c": lambda one: one.creator == 2,
                  "&tag.id=tag1,tag198": lambda one: bool({1, 198} & set(one.tags))}
        for wanted in expected.filters():
            parts = re.findall(r"&[^&]+", wanted.query)
            if any(part not in passes for part in parts):
                continue
            checked += 1
            for order, key in keys.items():
                right = sorted((one for one in made if one.main and one.deleted == ("&status.active=false" in parts) and
                                all(passes[part](one) for part in parts)), key=lambda one, key=key: (key(one), one.id))
                self.assertEqual([expected.ids[at] for at in expected.ordered(wanted, order)], [one.id for one in right])
        self.assertEqual(checked, 12)

    def test_figures(self):
        self.assertEqual([percentile(range(1, 201), percent) for percent in (50, 90, 99, 100)], [100, 180, 198, 200])
        self.assertEqual(percentile([7], 99), 7)
        self.assertEqual(postgres.like("50%_\\x"), "%50\\%\\_\\\\x%")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
