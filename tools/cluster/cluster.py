"""A cluster on one machine, for trying out and for tests: three etcd, three PostgreSQL under Patroni, HAProxy, three servers."""
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

import psycopg2
from layout import NUMBERS, PORTS, Layout, programs

PROGRAMS = programs()
LOG_BYTES_MAX = 64 << 20  # a log that is larger at a start begins anew
ETCD, POSTGRES, SERVERS = ([f"{kind}{number}" for number in NUMBERS] for kind in ("etcd", "postgres", "server"))


class Trouble(Exception):
    """What an operator is to be told, in words."""


def wait_until(true, seconds, what):
    end = time.monotonic() + seconds
    while True:
        result = true()
        if result:
            return result
        if time.monotonic() > end:
            raise Trouble(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def ask(port, path, body=None):
    """Status and body; 0 when nobody answers."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body, headers={"Host": "localhost"})
    try:
        with urllib.request.urlopen(request, timeout=3) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def born(process):
    """When a process began, in ticks since the machine did: its number and that together are never used again."""
    try:
        after_name = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if after_name[0] == "Z" else after_name[19]


class Cluster:
    def __init__(self, folder, port=None):
        self.folder = Path(folder).absolute()
        kept = self.folder / "port"
        if kept.exists():
            before = int(kept.read_text(encoding="utf-8"))
            if port not in (None, before):
                raise Trouble(f"the cluster in {self.folder} has its ports from {before} on")
            port = before
        self.layout = Layout(self.folder, port or 18100)
        self.key_file = self.folder / "key"
        # initdb refuses root, so root has Patroni run as the user of the Debian package.
        self.rights = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}

    @property
    def key(self):
        return self.key_file.read_text(encoding="utf-8").strip()

    # Processes: each has a file with its number and its birth.

    def spawn(self, name, command, **rights):
        """Not with the terminal's signals, as it is to stay."""
        log = self.folder / f"{name}.log"
        is_long = log.exists() and log.stat().st_size > LOG_BYTES_MAX
        with log.open("wb" if is_long else "ab") as out:
            process = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=out, stderr=out, process_group=0, **rights)
        process.returncode = 0  # it may outlive this one, which does not wait for it
        (self.folder / f"{name}.pid").write_text(f"{process.pid} {born(process.pid)}\n", encoding="utf-8")

    def process(self, name):
        """Its number while it lives; None else."""
        file = self.folder / f"{name}.pid"
        if not file.exists():
            return None
        number, its_birth = file.read_text(encoding="utf-8").split()
        return int(number) if born(number) == its_birth else None

    def postmaster(self, number):
        """Of a PostgreSQL, which Patroni starts and which lives on when that is killed."""
        data = self.folder / f"postgres{number}" / "data"
        try:
            process = int((data / "postmaster.pid").read_text(encoding="utf-8").split()[0])
            return process if Path(f"/proc/{process}/cwd").resolve() == data.resolve() else None
        except (OSError, ValueError):
            return None

    def send(self, name, number):
        process = self.process(name)
        if process:
            os.kill(process, number)
        return process

    def kill(self, name):
        """As kill -9 does."""
        if self.send(name, signal.SIGKILL):
            wait_until(lambda: not self.process(name), 10, f"{name} is gone")

    def kill_postgres_machine(self, number):
        """Patroni and PostgreSQL at once, as when their machine dies."""
        process = self.postmaster(number)
        self.send(f"postgres{number}", signal.SIGKILL)
        if process:
            os.kill(process, signal.SIGKILL)

    def start_etcd(self, number):
        self.spawn(f"etcd{number}", ["etcd", *self.layout.etcd_words(number)])

    def start_postgres(self, number):
        folder, settings = self.folder / f"postgres{number}", self.folder / f"postgres{number}.yml"
        settings.write_text(self.layout.patroni_settings(number), encoding="utf-8")
        if not folder.exists():
            folder.mkdir(mode=0o700)
            if self.rights:
                shutil.chown(folder, "postgres", "postgres")
        self.spawn(f"postgres{number}", ["patroni", settings], **self.rights)

    def start_balancer(self):
        settings = self.folder / "haproxy.cfg"
        settings.write_text(self.layout.balancer_settings(), encoding="utf-8")
        self.spawn("haproxy", ["haproxy", "-db", "-f", settings])

    def start_server(self, number):
        self.spawn(f"server{number}", [PROGRAMS / "slashpost", *self.layout.server_words(number, self.key_file)])

    # How they are.

    def etcd_leader(self):
        """Its number, None while there is none."""
        for number in NUMBERS:
            status, body = ask(self.layout.etcd(number), "/v3/maintenance/status", b"{}")
            told = json.loads(body) if status == 200 else {}
            if told and told.get("leader") == told["header"]["member_id"]:
                return number
        return None

    def etcd_is_whole(self):
        return self.etcd_leader() and all(ask(self.layout.etcd(number), "/health")[0] == 200 for number in NUMBERS)

    def roles(self):
        """What Patroni says of each PostgreSQL that runs: number -> leader, sync_standby or replica."""
        for number in NUMBERS:
            status, body = ask(self.layout.patroni(number), "/cluster")
            if status == 200:
                return {int(one["name"][-1]): one["role"] for one in json.loads(body)["members"]
                        if one["state"] in ("running", "streaming")}
        return {}

    def has_role(self, role):
        return next((number for number, its in self.roles().items() if its == role), None)

    def postgres_is_whole(self):
        return sorted(self.roles().values()) == ["leader", "replica", "sync_standby"]

    def takes_writes(self, number):
        return ask(self.layout.patroni(number), "/primary")[0] == 200

    def readiness(self, number):
        return ask(self.layout.operations(number), "/readyz")

    def is_ready(self, number):
        if not self.process(f"server{number}"):
            raise Trouble(f"server{number} has ended; {self.folder}/server{number}.log says why")
        return self.readiness(number)[0] == 200

    def balancer_figures(self):
        """Lines of HAProxy's statistics, by the names of their columns."""
        names, *lines = ask(self.layout.statistics, "/;csv")[1].decode().lstrip("# ").splitlines()
        return [dict(zip(names.split(","), line.split(","))) for line in lines]

    def query(self, text, name="slashpost", user="postgres"):
        with psycopg2.connect(self.layout.database(name, user), connect_timeout=5) as connection:
            with connection.cursor() as cursor:
                cursor.execute(text)
                return cursor.fetchall()

    # All of them.

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        running = [name for name in (*ETCD, *POSTGRES, "haproxy", *SERVERS) if self.process(name)]
        if running:
            raise Trouble(f"the cluster in {self.folder} runs already ({', '.join(running)}); stop it first")
        in_use = [port for port in self.layout.ports() if is_open(port)]
        if in_use:
            raise Trouble(f"something listens on port {in_use[0]} already; choose another block of {PORTS} with --port")
        (self.folder / "port").write_text(f"{self.layout.port}\n", encoding="utf-8")
        try:
            self.start_all()
        except BaseException:
            self.stop()
            raise

    def start_all(self):
        for number in NUMBERS:
            self.start_etcd(number)
        wait_until(self.etcd_is_whole, 60, f"etcd has a leader; {self.folder}/etcd1.log says why")
        for number in NUMBERS:
            self.start_postgres(number)
        self.start_balancer()
        wait_until(self.postgres_is_whole, 180, f"PostgreSQL has a leader and standbys; {self.folder}/postgres1.log says why")
        wait_until(self.has_database, 30, f"the database can be reached through the balancer; {self.folder}/haproxy.log says why")
        for number in NUMBERS:  # the first one makes the store and the key
            self.start_server(number)
            wait_until(lambda one=number: self.is_ready(one), 60, f"server{number} is ready")
        wait_until(lambda: ask(self.layout.balancer, "/v1/")[0] == 200, 10, "the balancer reaches a server")

    def has_database(self):
        """Makes user and database for the servers, if need be."""
        try:
            connection = psycopg2.connect(self.layout.database("postgres", "postgres"), connect_timeout=5)
        except psycopg2.OperationalError:
            return False
        connection.autocommit = True  # CREATE DATABASE is no part of a transaction
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM pg_database WHERE datname = 'slashpost'")
            if cursor.rowcount == 0:
                cursor.execute("DROP ROLE IF EXISTS slashpost")
                cursor.execute("CREATE ROLE slashpost LOGIN")
                cursor.execute("CREATE DATABASE slashpost OWNER slashpost")
        connection.close()
        return True

    def stop(self):
        """Servers first, as they count their last clicks, and what they need after them."""
        for names in (SERVERS, ["haproxy"], POSTGRES, ETCD):
            for name in names:
                self.send(name, signal.SIGCONT)
                self.send(name, signal.SIGTERM)
            try:
                wait_until(lambda these=names: not any(map(self.process, these)), 30, "they stop")
            except Trouble:
                for name in names:
                    self.kill(name)
        for number in NUMBERS:
            process = self.postmaster(number)
            if process:
                os.kill(process, signal.SIGQUIT)


def is_open(port):
    with open("/proc/net/tcp", encoding="utf-8") as sockets:
        return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in sockets)
