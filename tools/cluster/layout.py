"""Where each program of a cluster for trying out listens, and the settings it is started with."""
import json
import os
from pathlib import Path

NUMBERS = (1, 2, 3)
POSTGRES = Path("/usr/lib/postgresql/15/bin")
# Patroni's time: a leader that renews its key no more has lost it after `ttl`, and who takes over looks each `loop_wait`.
TTL, LOOP_WAIT = 20, 2
# What each server may open (storage/postgres: 64, and two that watch), and some for people.
CONNECTIONS = 3 * 66 + 30
PORTS = 100  # of a block


class Layout:
    """Everything is on 127.0.0.1, in a block of ports that begins with `port`."""

    def __init__(self, folder, port):
        self.folder, self.port = Path(folder), port
        self.balancer, self.store, self.statistics = port, port + 1, port + 2

    def server(self, number):
        return self.port + 10 + number

    def operations(self, number):
        return self.port + 20 + number

    def dashboard(self, number):
        return self.port + 30 + number

    def postgres(self, number):
        return self.port + 40 + number

    def patroni(self, number):
        return self.port + 50 + number

    def etcd(self, number):
        return self.port + 60 + number

    def etcd_peer(self, number):
        return self.port + 70 + number

    def ports(self):
        blocks = (self.server, self.operations, self.dashboard, self.postgres, self.patroni, self.etcd, self.etcd_peer)
        return [self.balancer, self.store, self.statistics, *(block(number) for block in blocks for number in NUMBERS)]

    @property
    def domain(self):
        return f"localhost:{self.balancer}"

    def database(self, name, user):
        """Of whichever PostgreSQL leads."""
        return f"postgres://{user}@127.0.0.1:{self.store}/{name}"

    def etcd_words(self, number):
        """What etcd is started with. A machine that runs all of this and tests, too, is slow to answer at times."""
        here, peer = f"http://127.0.0.1:{self.etcd(number)}", f"http://127.0.0.1:{self.etcd_peer(number)}"
        members = ",".join(f"etcd{one}=http://127.0.0.1:{self.etcd_peer(one)}" for one in NUMBERS)
        return ["--name", f"etcd{number}", "--data-dir", self.folder / f"etcd{number}", "--listen-client-urls", here,
                "--advertise-client-urls", here, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                "--initial-cluster", members, "--initial-cluster-token", "slashpost", "--initial-cluster-state", "new",
                "--heartbeat-interval", "200", "--election-timeout", "2000", "--logger", "zap"]

    def patroni_settings(self, number):
        """YAML, of which JSON is a part. `synchronous_mode_strict`: nothing is confirmed that only one machine has."""
        folder = self.folder / f"postgres{number}"
        everybody = [f"{kind} all 127.0.0.1/32 trust" for kind in ("host all", "host replication")]
        return json.dumps({
            "scope": "slashpost", "name": f"postgres{number}",
            "restapi": {"listen": f"127.0.0.1:{self.patroni(number)}", "connect_address": f"127.0.0.1:{self.patroni(number)}"},
            "etcd3": {"hosts": [f"127.0.0.1:{self.etcd(one)}" for one in NUMBERS]},
            "bootstrap": {
                "dcs": {"ttl": TTL, "loop_wait": LOOP_WAIT, "retry_timeout": (TTL - LOOP_WAIT) // 2, "primary_start_timeout": 0,
                        "synchronous_mode": True, "synchronous_mode_strict": True,
                        "postgresql": {"use_pg_rewind": True, "parameters": {
                            "max_connections": CONNECTIONS, "synchronous_commit": "on", "wal_keep_size": "256MB"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.postgres(number)}", "connect_address": f"127.0.0.1:{self.postgres(number)}",
                "data_dir": str(folder / "data"), "bin_dir": str(POSTGRES), "pgpass": str(folder / "pgpass"),
                "pg_hba": everybody, "parameters": {"unix_socket_directories": ""},
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}}}},
            indent=2)

    def server_words(self, number, key_file):
        words = ["serve", "--data", self.folder / f"server{number}", "--store", self.database("slashpost", "slashpost"),
                 "--listen", f"127.0.0.1:{self.server(number)}", "--ops-listen", f"127.0.0.1:{self.operations(number)}",
                 "--dashboard-listen", f"localhost:{self.dashboard(number)}", "--domain", self.domain,
                 "--trusted-proxies", "127.0.0.1", "--rate-limit", "0"]
        return words if key_file.exists() or number != NUMBERS[0] else [*words, "--first-key-file", key_file]

    def balancer_settings(self):
        text = (Path(__file__).parent / "haproxy.cfg").read_text(encoding="utf-8")
        values = {"FOLDER": self.folder, "BALANCER": self.balancer, "STORE": self.store, "STATISTICS": self.statistics}
        for number in NUMBERS:
            values |= {f"SERVER{number}": self.server(number), f"OPERATIONS{number}": self.operations(number),
                       f"POSTGRES{number}": self.postgres(number), f"PATRONI{number}": self.patroni(number)}
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        return text


def programs():
    """The folder of slashpost and slashpost-admin."""
    return Path(os.environ.get("SLASHPOST_PROGRAMS", Path(__file__).parents[2] / "build/release")).absolute()
