#!/usr/bin/env python3
"""A file is read in one sitting (400 lines, of tests 500), a function seen on one screen (70), and neither is a drawer.

    sizes.py ROOT     also: no file called utils, no path of somebody's machine in a file
"""
import ast
import pathlib
import re
import sys

import tree

FILE_LINES_MAX = 400
TEST_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
# "path" or "path:function" -> why it may be longer. Keep this short.
EXCEPTIONS = {}

CODE = (".cc", ".h", ".py", ".sh", ".lua", "")  # no suffix: the scripts in tools
DRAWERS = {"util", "utils", "utilities", "helpers", "misc"}
MACHINE_PATHS = re.compile(r"(?<![\w.])/(work|root|home/[a-z]+|Users/[A-Za-z]+|tmp/b)/")
NOT_OURS = ("LICENSE", "tests/data/", "tests/golden/", "tests/fuzz/")

BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'|'
                     r"^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
KEYWORDS = re.compile(r"\b(namespace|class|struct|union|enum|extern|if|for|while|switch|else|do|try|catch)\b")


def cpp_functions(text):
    """(name, first line, lines) of everything in braces that takes arguments: functions, tests, lambdas."""
    text = BLANKED.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    open_braces, header_start = [], 0
    for place in re.finditer(r"[{};]", text):
        mark, at = place.group(), place.start()
        if mark == "{":
            header = text[header_start:at]
            named = re.search(r"([\w~:]+)\s*\(", header)
            is_function = ")" in header and not KEYWORDS.search(header.split("(")[0])
            first = header_start + len(header) - len(header.lstrip())
            open_braces.append((named.group(1) if named else "lambda", first, is_function))
        elif mark == "}" and open_braces:
            name, first, is_function = open_braces.pop()
            if is_function:
                line = text.count("\n", 0, first) + 1
                yield name, line, text.count("\n", first, at) + 1
        header_start = at + 1


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def problems_of(path, text):
    lines = text.count("\n")
    lines_max = TEST_LINES_MAX if path.startswith("tests/") else FILE_LINES_MAX
    if lines > lines_max and path not in EXCEPTIONS:
        yield f"{path}: {lines} lines, at most {lines_max}"
    functions = {".cc": cpp_functions, ".h": cpp_functions, ".py": python_functions}.get(pathlib.Path(path).suffix)
    for name, line, length in functions(text) if functions else []:
        if length > FUNCTION_LINES_MAX and f"{path}:{name}" not in EXCEPTIONS:
            yield f"{path}:{line}: {name} has {length} lines, at most {FUNCTION_LINES_MAX}"


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for path in tree.files(root):
        if pathlib.PurePath(path).stem.lower() in DRAWERS:
            problems.append(f"{path}: a drawer where things get lost; name the noun")
        if path.startswith(NOT_OURS):
            continue
        text = (root / path).read_bytes().decode("utf-8", "replace")
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE_PATHS.search(line):
                problems.append(f"{path}:{number}: names a folder of somebody's machine")
        if pathlib.PurePath(path).suffix in CODE:
            problems.extend(problems_of(path, text))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
