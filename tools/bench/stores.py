"""Stores full of links. They are kept under build/bench between runs, by their size and the version of the data; each use
is of a copy."""
import json
import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from dumps import House, read_dump, write_csv, write_dump
from links import DOMAINS, TAGS, VERSION, Links, name_of_tag
from load import ROOT, settle
from slashpost import PROGRAMS, Server

KEPT = ROOT / "build/bench"


def admin(data, *arguments, seconds=7200):
    run = subprocess.run([PROGRAMS / "slashpost-admin", "--data", data, *arguments], stdin=subprocess.DEVNULL,
                         capture_output=True, text=True, timeout=seconds, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"slashpost-admin {' '.join(map(str, arguments))}: {run.stdout}{run.stderr}")
    return run.stdout + run.stderr


def make_house(folder):
    """A store with accounts, domains and tags but no link, and its dump beside it; answers its API key."""
    server = Server(folder, "--rate-limit", "0", "--durability", "relaxed")
    try:
        server.start()
        for name in ("ann", "bob", "carl"):
            server.admin("account", "create", name, "--full-name", name.capitalize())
        for domain in DOMAINS:
            server.admin("domain", "add", domain, "--verified")  # refused for the first, which is there
            for workspace in ("admin", "ann"):
                server.admin("domain", "share", domain, workspace)
        connection = server.connect()
        for tag in range(TAGS):
            connection.wanted("POST", "/v1/tags", {"name": name_of_tag(tag), "color": f"{tag * 83_886 % 0xffffff:06x}"})
        connection.close()
        if server.stop() != 0:
            raise RuntimeError(f"the server did not stop: {server.said()}")
    finally:
        server.end()
    admin(folder, "dump", f"{folder}.jsonl")
    return server.key


def store_format():
    return re.search(r"store_format = (\d+);", (ROOT / "core/schema/store.h").read_text()).group(1)


class Paths(NamedTuple):
    store: Path
    facts: Path   # there when the store is whole
    base: Path    # the dump of the store before it had links
    making: Path


def paths_of(links):
    """With the number of the store's format: an older store would be brought to it anew in every copy."""
    name = f"{KEPT}/v{VERSION}.{store_format()}-{links.count}{'' if links.real else '-generated'}"
    return Paths(*(Path(f"{name}{end}") for end in ("", ".json", ".base.jsonl", ".making")))


class Kept:
    """A store of `count` links, the API `key` of its first account, and what it took to make it: `facts`."""

    def __init__(self, count, say=print):
        self.links = Links(count)
        self.paths = paths_of(self.links)
        if not self.paths.facts.exists():
            self.make(say)
        self.facts = json.loads(self.paths.facts.read_text())
        self.key = self.facts["key"]
        self.house = House(read_dump(self.paths.base)[1])

    def make(self, say):
        KEPT.mkdir(parents=True, exist_ok=True)
        folder = self.paths.making
        for unfinished in (self.paths.store, folder):
            shutil.rmtree(unfinished, ignore_errors=True)
        folder.mkdir()
        say(f"    making a store of {self.links.count} links")
        key = make_house(folder / "house")
        facts = {"key": key, "links": self.links.count} | self.fill(folder, say)
        self.run_once(folder / "store", key)
        shutil.copy(folder / "house.jsonl", self.paths.base)
        (folder / "store").rename(self.paths.store)
        shutil.rmtree(folder)
        self.paths.facts.write_text(json.dumps(facts, indent=4) + "\n")

    def fill(self, folder, say):
        """The one place that says how links get into a store: by restoring a dump. Favourites, deleted links, creators,
        clicks and their statistics can be in one, which no import of a file can do."""
        began = time.monotonic()
        rows = write_dump(folder / "house.jsonl", self.links, folder / "dump.jsonl")
        say(f"    wrote a dump of {rows} rows in {time.monotonic() - began:.0f} s; restoring it")
        began = time.monotonic()
        admin(folder / "store", "restore", folder / "dump.jsonl")
        return {"rows": rows, "restore_seconds": time.monotonic() - began}

    @staticmethod
    def run_once(path, key):
        server = Server(path, "--rate-limit", "0")
        server.key = key
        try:
            server.start(600)
            settle(server.process.pid, settled_seconds=15)  # or every copy would do again what is left here
            if server.stop(120) != 0:
                raise RuntimeError(f"the server did not stop: {server.said()}")
        finally:
            server.end()
        for log in ("out", "err"):
            server.log(log).unlink(missing_ok=True)

    def copy(self, to):
        subprocess.run(["cp", "--archive", "--reflink=auto", self.paths.store, to], check=True)
        os.sync()  # or the copy would be written to the disk while something is measured
        return to

    def csv(self, path):
        return write_csv(self.links, path)

    @contextmanager
    def served(self, folder, *arguments, seconds=120):
        """A server on a copy in `folder`, which is gone behind."""
        path = self.copy(folder / f"{self.paths.store.name}-{time.monotonic_ns()}")
        server = Server(path, "--rate-limit", "0", *arguments)
        server.key = self.key
        try:
            yield server.start(seconds)
        finally:
            server.end()
            shutil.rmtree(path, ignore_errors=True)
