#!/usr/bin/env python3
"""The README's tour, run as it is printed there: its commands on a fresh server on which the line that the first start
prints has made a link, its answers compared.

An answer may be shortened by "…" and by leaving out headers (`curl -i`); ids and times differ from run to run.
"""
import os
import pathlib
import re
import subprocess
import unittest
from typing import NamedTuple

from slashpost import Server, free_port, temporary_folder

README = pathlib.Path(__file__).parents[2] / "README.md"
PRINTED_ADDRESS = "localhost:8080"
MARK = "==== step"
ID = r"[0-9a-f]{32}"
TIME = r"\d{4}-\d\d-\d\dT[\d:.]+Z"


class Step(NamedTuple):
    command: str
    answer: list  # lines, without empty ones


def tour(readme):
    """The steps of all blocks of the tour, in their order. A command begins with "$ "."""
    steps = []
    chapter = re.search(r"^## A tour$(.*?)^## ", readme, re.M | re.S).group(1)
    for block in re.findall(r"^```sh$\n(.*?)^```$", chapter, re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append(Step(line[2:], []))
            elif steps[-1].command.endswith("\\") or steps[-1].command.count("'") % 2:
                steps[-1] = Step(f"{steps[-1].command}\n{line}", [])
            elif line.strip():
                steps[-1].answer.append(line.strip())
    return steps


def pattern(line):
    """A printed line as a regular expression."""
    def of(part):
        return next((real for real in (ID, TIME) if re.fullmatch(real, part)), ".*" if part == "…" else re.escape(part))
    return "".join(of(part) for part in re.split(f"({ID}|{TIME}|…)", line))


class Tour(unittest.TestCase):
    def run_as_one_shell(self, server, steps):
        """What each command printed, by lines. Variables last from one to the next."""
        script = "".join(f"{step.command}\necho; echo '{MARK}'\n" for step in steps)
        script = script.replace(PRINTED_ADDRESS, server.domain)
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False,
                             env={**os.environ, "KEY": server.key})
        self.assertEqual(run.stderr, "")
        printed = run.stdout.replace(server.domain, PRINTED_ADDRESS).split(f"{MARK}\n")
        return [[line.strip() for line in part.splitlines() if line.strip()] for part in printed[:-1]]

    def test_the_commands_answer_what_is_printed(self):
        port = free_port()
        server = Server(temporary_folder(self) / "store", domain=f"localhost:{port}")
        server.port = port
        self.addCleanup(server.end)
        server.start()
        self.make_the_link_of_the_first_start(server)
        steps = tour(README.read_text(encoding="utf-8"))
        self.assertGreater(len(steps), 20)
        for step, printed in zip(steps, self.run_as_one_shell(server, steps), strict=True):
            with self.subTest(step.command):
                self.compare(step, printed)

    def make_the_link_of_the_first_start(self, server):
        line = re.search(r"^curl .*$", server.log("out").read_text(), re.M).group()
        made = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30, check=True).stdout
        self.assertIn('"destination":"https://example.com/"', made)

    def compare(self, step, printed):
        expected = [pattern(line) for line in step.answer]
        if " -i" in step.command or " -si" in step.command:
            expected_at = [next((at for at, line in enumerate(printed) if re.fullmatch(one, line)), None)
                           for one in expected]
            self.assertNotIn(None, expected_at, f"{step.answer} is not all in {printed}")
            self.assertEqual(expected_at, sorted(expected_at))
            return
        self.assertEqual(len(printed), len(expected), printed)
        for shown, line in zip(expected, printed):
            self.assertRegex(line, f"^(?:{shown})$")


if __name__ == "__main__":
    unittest.main()
