"""Folders with packages from npm, pinned by a lock file."""
import hashlib
import os
import shutil
import subprocess
import sys

SKIPPED = 77
# What npm says when nobody answers, instead of that something is wrong with the packages.
NOT_REACHED = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT",
               "ERR_SOCKET_TIMEOUT")


def run(workshop, *command, **environment):
    """Answers what was said; fails with it when the command does."""
    done = subprocess.run(command, cwd=workshop, env={**os.environ, **environment}, capture_output=True, text=True,
                          check=False, timeout=500)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def prepare(sources, workshop):
    """The packages of the lock file, installed once and again when it changes; the sources, always."""
    workshop.mkdir(exist_ok=True)
    lock = hashlib.sha256((sources / "package-lock.json").read_bytes()).hexdigest()
    stamp = workshop / "installed"
    for source in sources.iterdir():
        shutil.copy(source, workshop)
    if not stamp.exists() or stamp.read_text() != lock:
        stamp.unlink(missing_ok=True)
        run(workshop, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", "--prefer-offline")
        stamp.write_text(lock)


def prepare_if_reached(sources, workshop):
    """The same; ends the program as skipped, with a word, where the registry cannot be reached. For setUpClass: a test's
    own end would be taken for a failure."""
    try:
        prepare(sources, workshop)
    except AssertionError as error:
        if not any(word in str(error) for word in NOT_REACHED):
            raise
        print(f"the registry of npm cannot be reached, so {sources.name} is not tried:\n{error}")
        sys.exit(SKIPPED)
