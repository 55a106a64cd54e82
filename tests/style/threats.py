#!/usr/bin/env python3
"""Every class of attack that applies has a test that names its number, and every test that SECURITY.md names is there.

    threats.py ROOT     compares tests/spec/threats.txt with the tags [threat-N] of C++ tests and `threat-N` in Python's
"""
import pathlib
import re
import sys

import tree

LIST, PROMISES = "tests/spec/threats.txt", "SECURITY.md"
ROW = re.compile(r" *(\d+)  (applies|not yet) +\S")
NAMED = {".cc": re.compile(r"\[threat-(\d+)\]"), ".h": re.compile(r"\[threat-(\d+)\]"), ".py": re.compile(r"\bthreat-(\d+)\b")}
TITLES = re.compile(r'TEST_CASE(?:_METHOD)?\(\s*"([^"]+)"|def test_(\w+)')


def listed(text):
    """{number: whether it applies}"""
    rows = [ROW.match(line) for line in text.splitlines() if line and not line.startswith("#")]
    return {int(row.group(1)): row.group(2) == "applies" for row in rows if row}


def tests_of(root):
    for path in tree.files(root):
        if path.startswith("tests/") and not path.startswith("tests/style/") and pathlib.Path(path).suffix in NAMED:
            yield pathlib.Path(path).suffix, (root / path).read_text(encoding="utf-8")


def problems(root):
    numbers = listed((root / LIST).read_text(encoding="utf-8"))
    named, titles = set(), set()
    for suffix, text in tests_of(root):
        named.update(map(int, NAMED[suffix].findall(text)))
        titles.update(title or method.replace("_", " ") for title, method in TITLES.findall(text))
    yield from (f"{LIST}: {number} applies, but no test names it" for number, applies in numbers.items()
                if applies and number not in named)
    yield from (f"{LIST}: a test names {number}, which is not said to apply" for number in sorted(named)
                if not numbers.get(number, False))
    rows = [line for line in (root / PROMISES).read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    held = {row: re.findall(r'"([^"]+)"', row) for row in rows if "Held by" not in row}
    yield from (f"{PROMISES}: no test holds: {row}" for row, tests in held.items() if not tests)
    yield from (f"{PROMISES}: there is no test called: {title}" for tests in held.values() for title in tests
                if title not in titles)
    if not numbers or not held:
        yield f"{LIST}, {PROMISES}: no rows"


if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(1 if found else 0)
