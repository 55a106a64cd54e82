"""PostgreSQL with a trigram index over the links that a search can find: started for one run, on a socket of its own."""
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from links import searched_text

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
# Generous for a machine of this size; what is lost in a power cut is no matter here.
SETTINGS = {"listen_addresses": "", "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
            "shared_buffers": "1GB", "work_mem": "128MB", "maintenance_work_mem": "1GB", "effective_cache_size": "8GB",
            "random_page_cost": "1.1", "jit": "off", "max_wal_size": "8GB", "autovacuum": "off"}
SETTINGS_SAID = ", ".join(f"{name} {SETTINGS[name]}" for name in ("shared_buffers", "work_mem", "random_page_cost", "jit"))
TABLE = """CREATE TABLE links (id text PRIMARY KEY, slashtag text, title text, destination text, folded_title text,
    searched text)"""
INDEX = "CREATE INDEX ON links USING gin (searched gin_trgm_ops)"
# Best first, as wire "Lists" has it, then newest first.
PAGE = """SELECT id, slashtag, title, destination FROM links WHERE searched LIKE %(like)s
    ORDER BY CASE WHEN slashtag = %(term)s THEN 0 WHEN starts_with(slashtag, %(term)s) THEN 1
                  WHEN strpos(slashtag, %(term)s) > 0 THEN 2 WHEN strpos(folded_title, %(term)s) > 0 THEN 3
                  ELSE 4 END, id DESC
    LIMIT 25"""
COUNT = "SELECT count(*) FROM links WHERE searched LIKE %(like)s"


def like(term):
    return "%" + term.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


class CopyLines:
    """A file of lines for COPY, made while it is read."""

    def __init__(self, links):
        self.lines = map(self.line, (link for link in links if link.main and not link.deleted))
        self.rest = ""

    @staticmethod
    def line(link):
        fields = (link.id, link.slashtag, link.title, link.destination, link.title.casefold(), searched_text(link))
        return "\t".join(field.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n") for field in fields) + "\n"

    def read(self, size):
        parts, length = [self.rest], len(self.rest)
        while length < size:
            line = next(self.lines, None)
            if line is None:
                break
            parts.append(line)
            length += len(line)
        text = "".join(parts)
        self.rest = text[size:]
        return text[:size]


class Postgres:
    """initdb refuses root, so root runs it as the user of the Debian package."""

    def __init__(self, links, say):
        import psycopg2  # pylint: disable=import-outside-toplevel  # Debian's, for this row only
        self.folder, self.process = Path(tempfile.mkdtemp(prefix="bench-pg-")), None
        self.user = ()
        if os.geteuid() == 0:
            self.user = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")
            shutil.chown(self.folder, "postgres", "postgres")
        try:
            self.start(psycopg2)
            self.fill(links, say)
        except BaseException:
            self.close()
            raise

    def start(self, psycopg2):
        data = self.folder / "data"
        subprocess.run([*self.user, PROGRAMS / "initdb", "--pgdata", data, "--auth=trust", "--username=postgres",
                        "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([*self.user, PROGRAMS / "postgres", "-D", data, "-k", self.folder, *options],
                                            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(300):
            try:
                self.connection = psycopg2.connect(host=str(self.folder), user="postgres", dbname="postgres")
                self.connection.autocommit = True
                self.cursor = self.connection.cursor()
                return
            except psycopg2.OperationalError:
                time.sleep(0.1)
        raise RuntimeError(f"PostgreSQL does not start: {(self.folder / 'log').read_text()[-1000:]}")

    def fill(self, links, say):
        began = time.monotonic()
        self.cursor.execute("CREATE EXTENSION pg_trgm")
        self.cursor.execute(TABLE)
        self.cursor.copy_expert("COPY links FROM STDIN", CopyLines(links), size=1 << 16)
        self.cursor.execute(INDEX)
        self.cursor.execute("VACUUM ANALYZE links")
        say(f"      PostgreSQL filled in {time.monotonic() - began:.0f} s")

    def ask(self, query, term):
        """(milliseconds at the client, rows)"""
        folded = term.casefold()
        began = time.perf_counter_ns()
        self.cursor.execute(query, {"term": folded, "like": like(folded)})
        rows = self.cursor.fetchall()
        return (time.perf_counter_ns() - began) / 1e6, rows

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # a fast shutdown
            self.process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)
