"""How many instructions the server takes for a redirect, for making a link and for a page of links, counted by
valgrind's callgrind, against the counts in instruction_counts.json: so a change that makes one of them dearer by a tenth
does not go unnoticed. Counts hang on the compiler and its flags, not on how busy the machine is; system calls count
nothing.

After a change that is meant: SLASHPOST_ACCEPT=1 python3 tests/end_to_end/instruction_counts_test.py writes them anew.
"""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from slashpost import CutOff, Server, temporary_folder, wait_until

ACCEPTED = pathlib.Path(__file__).with_name("instruction_counts.json")
TOLERANCE = 0.08
CHEAPER = 0.8  # then the accepted count hides what comes next
LINKS = 300
IDLE_SECONDS = 60  # Limits::idle_deadline of http/server/limits.h
BROWSER = ("User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n"
           "Accept-Language: en-GB,en;q=0.5\r\n")


class CountedServer(Server):
    """One I/O thread and one worker, under callgrind, with clicks folded as rarely as the settings allow."""

    def __init__(self, data):
        super().__init__(data, "--io-threads", "1", "--workers", "1", "--rate-limit", "0", "--durability", "relaxed",
                         "--fold-interval-ms", "10000")
        self.counts = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-counts-"))
        self.wrapper = ("valgrind", "--quiet", "--tool=callgrind", "--separate-threads=yes",
                        f"--callgrind-out-file={self.counts}/out")

    def control(self, what):
        subprocess.run(["callgrind_control", what, str(self.process.pid)], check=True, stdout=subprocess.DEVNULL)

    def steadily(self, ask):
        """`ask(connection)`, of a new one when nothing was asked for long, as the server cuts off who is idle: callgrind
        may take long on a busy machine. Who is cut off otherwise is told when."""
        connection, answered = self.connect(), time.monotonic()

        def work():
            nonlocal connection, answered
            silent = time.monotonic() - answered
            if silent > IDLE_SECONDS / 2:
                connection.close()
                connection = self.connect()
            try:
                ask(connection)
            except CutOff as error:
                raise AssertionError(f"{error}, {silent:.1f} s after the answer before; it said:\n{self.said()}") from error
            answered = time.monotonic()
        return work

    def count(self, work, times, threads):
        """Instructions per time, of as many threads as had most to do; the others do what happens by the clock, and it
        may make the store do something more now and then, so the least of three counts is it."""
        work()  # warm
        return min(self.count_once(work, times, threads) for _ in range(3))

    def count_once(self, work, times, threads):
        self.control("-z")
        for _ in range(times):
            work()
        self.control("-d")
        totals = wait_until(self.totals, 60, "callgrind writes its counts")
        assert len(totals) > threads, f"{len(totals)} counts of callgrind"
        for path in self.counts.glob("out.*"):
            path.unlink()
        return round(sum(sorted(totals)[-threads:]) / times)

    def totals(self):
        """Of each thread, in files of their own, which callgrind writes one after the other; their last line is the
        total."""
        time.sleep(0.3)
        dumps = [re.search(r"^totals: (\d+)\n\Z", path.read_text(), re.M) for path in self.counts.glob("out.*")]
        return [int(total.group(1)) for total in dumps] if dumps and all(dumps) else None

    def end(self):
        super().end()
        shutil.rmtree(self.counts, ignore_errors=True)


def measure(folder):
    server = CountedServer(folder / "data")
    try:
        server.start(300)
        made, turns = 0, itertools.count()

        def make(api):
            nonlocal made
            api.wanted("POST", "/v1/links", {"destination": f"https://www.example.com/a/page?number={made}",
                                             "slashtag": f"sale-{made}", "title": f"A page of number {made}"})
            made += 1

        def follow(visitor):
            head = visitor.head.replace(f"User-Agent: {visitor.agent}\r\n", BROWSER)
            visitor.send_bytes(f"GET /sale-{next(turns) % 50}{head}\r\n".encode())
            assert visitor.receive().status == 302

        def page(api):
            assert len(api.wanted("GET", "/v1/links?limit=25&orderBy=title")) == 25

        make_one = server.steadily(make)
        for _ in range(LINKS):
            make_one()
        time.sleep(3)  # a page is dearer the more was made just before, and when clicks have been rolled up
        return {"page of 25 links": server.count(server.steadily(page), 30, 2),
                "redirect": server.count(server.steadily(follow), 1000, 1),
                "create": server.count(make_one, 100, 2)}
    finally:
        server.end()


class InstructionCounts(unittest.TestCase):
    def test_a_redirect_a_new_link_and_a_page_cost_what_they_did(self):
        counts = measure(temporary_folder(self))
        print(json.dumps(counts))
        if os.environ.get("SLASHPOST_ACCEPT"):
            ACCEPTED.write_text(json.dumps(counts, indent=4) + "\n")
        for what, accepted in json.loads(ACCEPTED.read_text()).items():
            with self.subTest(what):
                ratio = counts[what] / accepted
                self.assertTrue(CHEAPER < ratio < 1 + TOLERANCE,
                                f"a {what} took {counts[what]} instructions, {accepted} are accepted: {ratio:.2f} of "
                                f"them. If that is meant: SLASHPOST_ACCEPT=1 python3 {pathlib.Path(__file__).name}")


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=2)
