#!/usr/bin/env python3
"""`slashpost-admin import csv`, killed with SIGKILL in the midst and started again: each link is made once.

    SLASHPOST_SEED=...  the same moments again, as far as the machine is as quick
"""
import csv
import json
import os
import random
import subprocess
import time
import unittest

import addresses
from slashpost import PROGRAMS, Server, temporary_folder, wait_until

SEED = os.environ.get("SLASHPOST_SEED") or str(random.SystemRandom().getrandbits(32))
KILLS = 4
LATEST_KILL = 0.2  # seconds after a server has begun to write: a quick machine needs less than two for all
LATEST_KILL_OF_TOOL = 2.0  # seconds after its start: it puts all in place at once, at the end
ROWS_MIN = 40_000
TAGS = 20


def row_of(number, address):
    """A line of the file. Its title tells it from the others."""
    return {"destination": address, "slashtag": f"row-{number}" if number % 3 else "", "title": f"Row, \"no.\"\n{number}",
            "tags": "|".join(f"tag {tag}" for tag in range(TAGS) if (number + tag) % 19 == 0),
            "createdAt": f"20{10 + number % 15}-0{1 + number % 9}-11T10:11:12Z" if number % 5 else "",
            "clicks": number % 7}


class Import(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)
        self.folder = temporary_folder(self)
        pairs, source = addresses.read()
        self.pairs = pairs * (1 + ROWS_MIN // len(pairs))
        print(f"seed {SEED}, {len(self.pairs)} lines, addresses of {source}", flush=True)
        self.rows = [row_of(number, address) for number, (address, _) in enumerate(self.pairs)]
        self.file = self.folder / "links.csv"
        with self.file.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self.rows[0].keys())
            writer.writeheader()
            writer.writerows(self.rows)
        self.server = Server(self.folder / "store").start()
        self.addCleanup(self.server.end)

    def start_import(self, until="import: "):
        """The command, from another folder with a relative path, when it has said so much or has ended."""
        said = self.folder / "said"
        with said.open("wb") as out:
            process = subprocess.Popen([PROGRAMS / "slashpost-admin", "--data", self.server.data, "import", "csv",
                                        "links.csv"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        wait_until(lambda: process.poll() is not None or until in said.read_text(), 120, "the import to write")
        return process, said

    def finish_import(self):
        process, said = self.start_import()
        self.assertEqual(process.wait(300), 0, said.read_text())
        # It may have been killed when all was there, and nothing said yet.
        self.assertRegex(said.read_text(), rf"{len(self.rows)} links were imported\n|"
                                           rf"This file was imported before, with {len(self.rows)} links")

    def check_links(self):
        code, said = self.server.admin("verify")
        self.assertEqual(code, 0, said)
        self.assertIn("all good\n", said)
        dump = self.folder / "dump"
        self.assertEqual(self.server.admin("dump", dump)[0], 0)
        found, clicks = {}, 0
        for line in dump.read_bytes().splitlines():
            row = json.loads(line)
            if row.get("table") == "links":
                link = row["row"]
                number = int(link["title"].rsplit("\n", 1)[1])
                self.assertNotIn(number, found, "made twice")
                found[number] = link
        self.assertEqual(len(found), len(self.rows), "lost")
        for number, row in enumerate(self.rows):
            link = found[number]
            self.assertEqual(link["destination"], self.pairs[number][1])
            if row["slashtag"]:
                self.assertEqual(link["slashtag"], row["slashtag"])
            self.assertEqual(len(link.get("tags", [])), row["tags"].count("tag"))
            clicks += row["clicks"]
        self.assertIn(f"clicks: {clicks}\n", self.server.admin("workspace", "show", "admin")[1])

    def test_the_tool_is_killed(self):
        self.assertEqual(self.server.stop(), 0)
        for _ in range(KILLS):
            process, _ = self.start_import(until="")
            time.sleep(self.random.uniform(0, LATEST_KILL_OF_TOOL))
            process.kill()
            process.wait()
        self.finish_import()
        self.check_links()
        code, said = self.server.admin("import", "csv", self.file)
        self.assertEqual((code, said), (0, f"This file was imported before, with {len(self.rows)} links; nothing is done.\n"))

    def test_the_server_is_killed(self):
        for _ in range(KILLS):
            process, _ = self.start_import()
            time.sleep(self.random.uniform(0, LATEST_KILL))
            self.server.kill()
            process.wait(30)
            self.server.start()
        self.finish_import()
        self.check_links()
        connection = self.server.connect()
        self.assertEqual(connection.wanted("GET", "/v1/links/count")["count"], len(self.rows))
        answer = connection.ask("GET", "/row-1")
        self.assertEqual(answer.status, 302)
        connection.close()


if __name__ == "__main__":
    unittest.main()
