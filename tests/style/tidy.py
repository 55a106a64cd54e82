#!/usr/bin/env python3
"""clang-tidy-19 over what changed, or with --whole-tree over all of both programs.

    tidy.py --build DIR [--whole-tree [--since COMMIT]] [--root DIR] [FILE...]

DIR is a configured and, best, built build folder. A clean result is kept under DIR/tidy and used again while
the file, every header it includes, the settings and the compiler line are what they were; so the second time
is quick. "What changed" is what git sees against the commit before the last one. With --since it is that part of the
whole tree which changed since a commit; all of it, where there is no such commit.

Of the whole tree, files that are compiled together (SLASHPOST_UNITY) are read together: nearly all the work is what
they include. Those of which something is said then are read once more without the others, and what is told is told of
a file alone.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import tree

TIDY = "clang-tidy-19"
JOBS = 2


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def commit_of(root, name):
    return output_of("git", "-C", root, "rev-parse", "--verify", "-q", name).strip()


def changed_files(root, before):
    """What was touched since this commit; a changed header stands for its .cc."""
    names = output_of("git", "-C", root, "diff", "--name-only", before).splitlines()
    names += output_of("git", "-C", root, "ls-files", "--others", "--exclude-standard").splitlines()
    return {name[:-2] + ".cc" if name.endswith(".h") else name for name in names}


def recorded_inputs(build):
    """Object file -> everything it was compiled from, as Ninja recorded it."""
    inputs, current = {}, None
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith(" ") and current is not None:
            current.append(os.path.normpath(os.path.join(build, line.strip())))
        elif ": #deps" in line:
            current = inputs.setdefault(line.split(":")[0], []) if "(STALE)" not in line else None
    return inputs


class Fingerprints:
    """Hashes of files: by content in our tree, by size and time outside, where packages put them."""

    def __init__(self, root):
        self.root, self.known = str(root) + os.sep, {}

    def of(self, path):
        if path not in self.known:
            try:
                if path.startswith(self.root):
                    self.known[path] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
                else:
                    facts = os.stat(path)
                    self.known[path] = f"{facts.st_size} {facts.st_mtime_ns}"
            except OSError:
                self.known[path] = "absent"
        return self.known[path]


def one_by_one(entries):
    """Files that are compiled several at a time (CMAKE_UNITY_BUILD), each as if it were compiled alone; and the unit of
    which each is."""
    for entry in entries:
        together = pathlib.Path(entry["directory"], entry["file"])
        if together.suffix == ".cxx" and together.parent.name == "Unity":
            for name in re.findall(r'^#include "(.+)"$', together.read_text(), re.M):
                yield {**entry, "file": name, "command": entry["command"].replace(entry["file"], name)}, entry["file"]
        else:
            yield entry, entry["file"]


class Tidy:
    def __init__(self, root, build):
        self.root, self.build = root, build
        self.cache = build / "tidy"
        self.cache.mkdir(exist_ok=True)
        self.inputs = recorded_inputs(str(build))
        self.fingerprints = Fingerprints(root)
        self.version = output_of(TIDY, "--version")
        entries = list(one_by_one(json.loads((build / "compile_commands.json").read_text())))
        (self.cache / "compile_commands.json").write_text(json.dumps([entry for entry, _ in entries]))
        self.entries = {os.path.relpath(entry["file"], root): entry for entry, _ in entries}
        self.units = {os.path.relpath(entry["file"], root): unit for entry, unit in entries}

    def key(self, path):
        """What a result depends on; None when that is not known (the file was never compiled)."""
        entry = self.entries[path]
        compiled_to = re.search(r" -o (\S+)", entry["command"])
        inputs = self.inputs.get(compiled_to.group(1)) if compiled_to else None
        if not inputs:
            return None
        settings = [str(folder / ".clang-tidy") for folder in [self.root / path, *(self.root / path).parents]
                    if folder.is_relative_to(self.root)]
        facts = [self.version, entry["command"]]
        facts += [f"{name} {self.fingerprints.of(name)}" for name in sorted({entry["file"], *inputs}) + settings]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def check(self, paths):
        """An outcome for each of some files of one unit, and what was said of it."""
        kept = {path: self.cache / key if (key := self.key(path)) else None for path in paths}
        new = [path for path in paths if not (kept[path] and kept[path].exists())]
        outcomes = [(path, "kept", "") for path in paths if path not in new]
        if not new:
            return outcomes
        command = [TIDY, "-p", self.cache, "--quiet", "--extra-arg=-ferror-limit=0"]
        for path in new[1:]:
            command += ["--extra-arg=-include", f"--extra-arg={self.root / path}"]
        run = subprocess.run([*command, self.root / new[0]], capture_output=True, text=True, check=False)
        if run.returncode != 0 and len(new) == 1:
            return [*outcomes, (new[0], "FAILED", run.stdout + run.stderr)]
        clean = new if run.returncode == 0 else self.not_named(new, run.stdout)
        for path in clean:
            if kept[path]:
                kept[path].touch()
        outcomes += [(path, "clean", "") for path in clean]
        rest = [path for path in new if path not in clean]
        half = 0 if clean or not rest else len(rest) // 2
        return outcomes + [one for part in (rest[:half], rest[half:]) if part for one in self.check(part)]

    def not_named(self, paths, said):
        """Those of which nothing was said; none when it was of something else, which any of them may include."""
        named = {os.path.relpath(name, self.root) for name in re.findall(r"^(\S+?):\d+:\d+: (?:error|warning): ", said, re.M)}
        return [path for path in paths if path not in named] if named and named <= set(paths) else []


def chosen(arguments, tidy):
    if arguments.files:
        return sorted(arguments.files)
    if arguments.whole_tree:
        files = set(tree.files(tidy.root))
        since = commit_of(tidy.root, arguments.since) if arguments.since else ""
        if since:
            files &= changed_files(tidy.root, since)
        return sorted(path for path in tidy.entries if path in files and not path.startswith("tests/"))
    changed = changed_files(tidy.root, commit_of(tidy.root, "HEAD~1") or "HEAD")
    return sorted(path for path in tidy.entries if path in changed)


def batches(tidy, paths, whole_tree):
    if not whole_tree:
        return [[path] for path in paths]
    return [list(unit) for _, unit in itertools.groupby(sorted(paths, key=tidy.units.get), tidy.units.get)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--whole-tree", action="store_true")
    parser.add_argument("--since", metavar="COMMIT")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    tidy = Tidy(arguments.root.resolve(), arguments.build.resolve())
    paths, failures, kept = chosen(arguments, tidy), 0, 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = pool.map(tidy.check, batches(tidy, paths, arguments.whole_tree))
        for path, outcome, said in itertools.chain.from_iterable(work):
            kept += outcome == "kept"
            failures += outcome == "FAILED"
            if outcome == "FAILED":
                print(f"{outcome} {path}\n{said}", flush=True)
            elif outcome == "clean":
                print(f"{outcome} {path}", flush=True)
    print(f"{len(paths)} files, {kept} unchanged since they were clean, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
