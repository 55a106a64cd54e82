#!/usr/bin/env python3
"""with_postgres.py PROGRAM...: runs a program with a server of PostgreSQL for as long as it takes, which the program finds by
SLASHPOST_TEST_POSTGRES: a database in which each test makes a schema of its own."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
SCHEMAS = 400  # test1, test2, ...
SETTINGS = {"listen_addresses": "", "fsync": "off", "full_page_writes": "off", "max_connections": "200"}


class Server:
    """initdb refuses root, so root runs it as the user of the Debian package."""

    def __init__(self, folder):
        self.rights = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self.rights:
            shutil.chown(folder, "postgres", "postgres")
        subprocess.run([PROGRAMS / "initdb", "-D", folder / "data", "-U", "slashpost", "--auth=trust", "--encoding=UTF8",
                        "--locale=C", "--no-sync"], cwd="/", check=True, stdout=subprocess.DEVNULL, **self.rights)
        self.folder = folder
        self.address = f"postgres://slashpost@{str(folder).replace('/', '%2F')}/postgres"
        self.start()
        self.query(";".join(f"CREATE SCHEMA test{number}" for number in range(1, SCHEMAS + 1)))

    def start(self, **environment):
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        self.process = subprocess.Popen([PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
                                        cwd="/", env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, **self.rights)
        for _ in range(100):
            if self.query("SELECT 1", check=False).returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError("PostgreSQL does not start")

    def query(self, text, check=True):
        return subprocess.run(["psql", "-q", "-d", self.address, "-c", text], capture_output=True, check=check, cwd="/",
                              **self.rights)

    def demand_password_of(self, user):
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
        self.query("SELECT pg_reload_conf()")

    def stop(self):
        self.process.send_signal(signal.SIGINT)  # without waiting for clients
        self.process.wait()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = Server(Path(folder))
        try:
            program = Path(sys.argv[1])
            return subprocess.run([program.parent / program.name, *sys.argv[2:]], check=False,
                                  env={**os.environ, "SLASHPOST_TEST_POSTGRES": server.address}).returncode
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
