#!/usr/bin/env python3
"""Every program that the project starts belongs to a package that is installed for the purpose it is started for.

    programs.py ROOT [--list]     --list shows what was found

Looks at shell scripts, at Python, CMake and C++, and at the commands that the README shows; compares what they start
with the packages of that purpose in tools/packages.txt. So a machine that has more does not hide that another has less.
Where dpkg is, what packages.txt says of the installed packages is compared with what they hold.
"""
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys

import programs_in_builds as builds
import programs_in_python as python
import programs_in_shell as shell
import tree

# The purposes of which packages are there when a file is run; the first that fits. Every machine has those of "debian".
PURPOSES = [("tests/fresh/packages", ("build", "package")), ("tests/fresh/", ("build", "production")),
            ("tests/", ("build", "test")), (".ci/", ("build", "test")), ("tools/test", ("build", "test")),
            ("tools/layers.py", ("build", "test")), ("tools/bench/", ("build", "bench")), ("tools/cluster/", ("build", "cluster")),
            ("tools/bots-update", ("update",)), ("tools/geoip-update", ("update",)),
            ("tools/fresh", ("fresh",)), ("tools/machine.sh", ("fresh",)), ("tools/screens", ("build", "test")),
            ("tools/packaging/", ("build", "production", "package")), ("tools/package", ("build", "package")),
            ("README.md", ("build", "readme", "production")),
            ("", ("build",))]
OURS = {"slashpost", "slashpost-admin"}
NODE = (18, 20, 4)  # of Debian 12: a machine that has a newer one hides what needs it


class Packages:
    """tools/packages.txt"""

    def __init__(self, path):
        self.programs, self.packages = {}, {}  # purpose -> programs; package -> programs
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                purpose, package, *programs = line.split()
                self.programs.setdefault(purpose, set()).update(programs)
                self.packages.setdefault(re.match(r"[^/|]+", package).group(), set()).update(programs)

    def untrue(self):
        """What is said of an installed package and does not hold: neither it has the program nor what it needs."""
        if not shutil.which("dpkg-query"):
            return
        for package, programs in self.packages.items():
            programs = {program for program in programs if not program.startswith("python:")}
            held = held_by(package) if programs else None
            for program in sorted(programs if held is not None else ()):
                if not names(program) & held and not any(names(program) & (held_by(one) or set()) for one in needs_of(package)):
                    yield f"tools/packages.txt: {package} holds no {program}"


def asked_of_dpkg(*words):
    return subprocess.run(["dpkg-query", *words], capture_output=True, text=True, check=False)


def held_by(package):
    """Names of the programs in a package, None when it is not installed."""
    listed = asked_of_dpkg("-L", package)
    if listed.returncode != 0:
        return None
    return {pathlib.PurePath(line).name for line in listed.stdout.splitlines() if "bin/" in line}


def needs_of(package):
    listed = asked_of_dpkg("-W", "-f", "${Pre-Depends}, ${Depends}", package).stdout
    return re.findall(r"[\w.+-]+", re.sub(r"\([^)]*\)", "", listed))


def names(program):
    """The name and what it stands for: awk is a link to mawk."""
    found, path = {program}, shutil.which(program)
    return found | {pathlib.Path(path).resolve().name} if path else found


class Tree:
    def __init__(self, root):
        self.root, self.problems, self.found = root, [], set()  # (program, path, line, purposes)
        paths = tree.files(root)
        self.texts = {path: text for path in paths if (text := text_of(root / path)) is not None}

    def problem(self, path):
        return lambda line, what: self.problems.append(f"{path}:{line}: {what}")

    def add(self, program, path, line, purposes=None):
        if program not in OURS:
            self.found.add((program, path, line, purposes or purposes_of(path)))

    def look(self):
        python_files = {}
        for path, text in self.texts.items():
            suffix, shebang = pathlib.PurePath(path).suffix, re.match(r"#!(?:/usr/bin/env )?(\S+)", text)
            if shebang:
                self.add(shebang.group(1).rpartition("/")[2], path, 1)
            program = shebang.group(1).rpartition("/")[2] if shebang else ""
            if suffix == ".py" or program == "python3":
                python_files[path] = text
            elif suffix == ".sh" or program in ("bash", "sh"):
                self.look_at_shell(path, text)
            elif path == "README.md":
                self.look_at_shell(path, commands_of(text))
            elif suffix == ".cmake" or path.endswith("CMakeLists.txt"):
                for one in builds.of_cmake(text, self.problem(path)):
                    self.add(one[0], path, one[1])
            elif path == "CMakePresets.json":
                for name, line, preset in builds.of_presets(text):
                    self.add(name, path, line, ("build",) if preset in ("base", "release") else ("build", "test"))
            elif suffix in (".cc", ".h"):
                for one in builds.of_cpp(text, self.problem(path)):
                    self.add(one[0], path, one[1])
            elif path.endswith((".service", ".service.in")):
                for one in builds.of_unit(text):
                    self.add(one[0], path, one[1])
            elif path.endswith("package-lock.json"):
                self.problems += [f"{path}: {what}" for what in too_new_for_node(text)]
            elif suffix in (".lua", ".ts", ".mjs"):
                for line in builds.hidden_in(text, suffix):
                    self.problem(path)(line, "it cannot be told what this starts")
        self.look_at_python(python_files)

    def look_at_shell(self, path, text):
        script = shell.Script(text, self.problem(path), self.texts)
        for program, line in script.found:
            if program not in script.asked_for:
                self.add(program, path, line)

    def look_at_python(self, files):
        sources = python.Sources(files)
        for path in files:
            found, problems = sources.programs(path)
            for line, what in problems:
                self.problem(path)(line, what)
            for program, where, line in found:
                self.add(program, where, line, purposes_of(path))
            for module, line in sources.modules(path):
                self.add(f"python:{module}", path, line)


def too_new_for_node(lock):
    for name, package in json.loads(lock)["packages"].items():
        wanted = package.get("engines", {}).get("node", ">=0")
        if not any(allows_node(versions.strip()) for versions in wanted.split("||")):
            yield f"{name} wants Node {wanted}, Debian 12 has {'.'.join(map(str, NODE))}"


def allows_node(versions):
    """Whether versions as npm writes them, >=18.2 or ^18 or 18.x, have that of Debian 12 among them."""
    read = re.fullmatch(r"(>=|\^)? ?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?", versions)
    lowest = tuple(int(part) if part and part != "x" else 0 for part in read.groups()[1:]) if read else ()
    return read and lowest <= NODE and (read.group(1) == ">=" or lowest[0] == NODE[0])


def text_of(path):
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def purposes_of(path):
    return next(purposes for prefix, purposes in PURPOSES if path.startswith(prefix))


def commands_of(readme):
    """The shell of the README's blocks, on the lines on which it stands there. In a block with answers, commands begin
    with "$ "; one goes on while a line ends with \\ or a quotation does not end."""
    def blank(text):
        return re.sub(r"[^\n]+", "", text)
    kept, end = "", 0
    for block in re.finditer(r"(?<=^```sh\n)(.*?)^```$", readme, re.M | re.S):
        kept, end = kept + blank(readme[end:block.start()]), block.end(1)
        lines, going_on, quoted = block.group(1).splitlines(), False, False
        with_answers = any(line.startswith("$ ") for line in lines)
        for line in lines:
            command = not with_answers or going_on or line.startswith("$ ")
            kept += (line.removeprefix("$ ") if command else "") + "\n"
            quoted ^= command and line.count("'") % 2 == 1
            going_on = command and (quoted or line.endswith("\\"))
    return kept + blank(readme[end:])


def main():
    root = pathlib.Path(sys.argv[1])
    packages = Packages(root / "tools/packages.txt")
    looked = Tree(root)
    looked.look()
    problems = [*dict.fromkeys(looked.problems), *sorted(packages.untrue())]
    for program, path, line, purposes in sorted(looked.found):
        if not any(program in packages.programs.get(purpose, ()) for purpose in ("debian", *purposes)):
            problems.append(f"{path}:{line}: {program} belongs to no package for {' or '.join(purposes)} in tools/packages.txt")
    if "--list" in sys.argv:
        for program, places in itertools.groupby(sorted(looked.found), lambda one: one[0]):
            print(f"{program}: {', '.join(f'{path}:{line}' for _, path, line, _ in places)}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
