#!/usr/bin/env python3
"""What documents name is there: a path in backticks or in a comment of the code, but no text of JSON, and the length of ARCHITECTURE.md.

    documents.py [ROOT]    prints every breach as file:line and fails when there is one
"""
import glob
import itertools
import pathlib
import re
import sys

import tree

FOLDERS = "app|core|http|storage|tests|tools"
NAMED = re.compile(rf"(?<![\w/.\"-])((?:{FOLDERS})(?:/[\w.{{}},*-]+)+)")
ARCHITECTURE_LINES_MAX = 150
MADE_BY_CMAKE = {"core/visitors/bot_list.cc"}


def spelled_out(path):
    """core/{a,b}.h is core/a.h and core/b.h."""
    parts = re.split(r"\{([^}]*)\}", path)
    choices = [part.split(",") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(one) for one in itertools.product(*choices)]


def exists(root, path):
    path = path.rstrip(".,")
    return path in MADE_BY_CMAKE or any(glob.glob(str(root / (path + end))) for end in ("", ".h", ".cc", "_test.cc"))


def missing(root, line):
    return [path for named in NAMED.findall(line) for path in spelled_out(named) if not exists(root, path)]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    problems = []
    for path in tree.files(root, ".md", ".h", ".cc"):
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if path.endswith(".md") or line.lstrip().startswith("//"):
                problems += [f"{path}:{number}: names {name}, which is not there" for name in missing(root, line)]
        if path == "ARCHITECTURE.md" and len(lines) > ARCHITECTURE_LINES_MAX:
            problems.append(f"{path}: {len(lines)} lines; {ARCHITECTURE_LINES_MAX} are what one reads in a sitting")
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
