"""Where the dashboard is built and tested: its sources, the tests' scripts, and the packages of the lock file from npm."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests/end_to_end"))
from slashpost import PROGRAMS  # noqa: E402

SOURCES = ROOT / "http/dashboard/web"
BUILT = ROOT / "http/dashboard/built"
WORKSHOP = PROGRAMS / "dashboard"


def run(*command, seconds=300, **environment):
    """Answers what was said; fails with it when the command does."""
    done = subprocess.run(command, cwd=WORKSHOP, env={**os.environ, **environment}, capture_output=True, text=True,
                          check=False, timeout=seconds)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def need(browser):
    """Ends the test as skipped, with a word, where the browser is not installed."""
    if not shutil.which(browser):
        print(f"{browser} is not installed")
        sys.exit(77)


def from_packages(name):
    return WORKSHOP / "node_modules/.bin" / name


def prepare():
    """The packages, installed once and again when the lock file changes; the sources, always."""
    WORKSHOP.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(WORKSHOP / "src", ignore_errors=True)
    shutil.copytree(SOURCES / "src", WORKSHOP / "src")
    (WORKSHOP / "src/api/schema.d.ts").unlink(missing_ok=True)
    for source in [*SOURCES.glob("*.*"), *pathlib.Path(__file__).parent.glob("*.mjs")]:
        if source.is_file():
            shutil.copy(source, WORKSHOP)
    lock = hashlib.sha256((SOURCES / "package-lock.json").read_bytes()).hexdigest()
    stamp = WORKSHOP / "installed"
    if not stamp.exists() or stamp.read_text() != lock:
        stamp.unlink(missing_ok=True)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
        stamp.write_text(lock)
