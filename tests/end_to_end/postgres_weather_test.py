#!/usr/bin/env python3
"""Bad weather of a store on PostgreSQL: what a server does meanwhile, and what it tells its operator to do."""
import shutil
import subprocess
import unittest
from pathlib import Path

from on_postgres import OnPostgres
from slashpost import Connection, free_port, wait_until


class Weather(OnPostgres):
    def readiness(self, server):
        answer = self.ask_operations(server, "/readyz")
        return answer.status, answer.body.decode()

    def ask_operations(self, server, target):
        connection = Connection(server.ops_port, host="localhost")
        self.addCleanup(connection.close)
        return connection.ask("GET", target)

    def metric(self, server, name):
        text = self.ask_operations(server, "/metrics").body.decode()
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))

    def refused(self, server, words):
        server.spawn()
        self.assertEqual(server.process.wait(30), 1)
        self.assertIn(words, server.said())

    def test_a_store_that_is_away_is_said_and_one_that_is_back_is_used_at_once(self):
        server = self.server().start()
        connection = server.connect()
        connection.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "known"})
        self.visit(server, "known")
        self.assertEqual(self.metric(server, "slashpost_store_writable"), 1)

        self.postgres.stop()
        wait_until(lambda: self.readiness(server)[0] == 503, 10, "/readyz says that the store is away")
        # What it sees first is a connection that ends; from the next try on it is the store that is away.
        wait_until(lambda: "the store takes no writes, redirects and reading go on: cannot connect to the store "
                   in self.readiness(server)[1], 10, "/readyz says why")
        self.assertEqual(self.metric(server, "slashpost_store_writable"), 0)
        self.visit(server, "known", 3)
        self.assertEqual(connection.ask("POST", "/v1/links", {"destination": "https://example.com/"}).status, 503)
        server.says("The store cannot be used, redirects go on: ")

        self.postgres.start()
        wait_until(lambda: self.readiness(server)[0] == 200, 10, "/readyz says that all is well")
        server.says("The store can be used again.")
        # Each of these finds connections of before.
        for i in range(10):
            connection.wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}"})
            connection.wanted("GET", "/v1/links?limit=5")
        self.assertEqual(connection.wanted("GET", "/v1/links/count")["count"], 11)

    def test_a_copied_data_folder_is_refused_while_the_first_one_is_used(self):
        first = self.server("first").start()
        shutil.copytree(first.data, self.folder / "copy", ignore=shutil.ignore_patterns("*.sock", "lock"))
        self.refused(self.server("copy"), "a server with the same data folder, or a copy of it, uses the store")
        first.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/"})

    def test_a_clock_that_is_wrong_is_refused(self):
        self.postgres.stop()
        library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
        self.postgres.start(LD_PRELOAD=library, FAKETIME="+90s")
        self.addCleanup(self.postgres.start)
        self.addCleanup(self.postgres.stop)
        server = self.server()
        self.refused(server, "the clocks of this machine and of the store ")
        self.assertRegex(server.said(), r"are (89|90|91) seconds apart; set both by the same source of time")

    def test_missing_rights_are_said_with_what_to_do(self):
        self.postgres.query("CREATE ROLE stranger LOGIN")
        self.address = self.address.replace("//slashpost@", "//stranger@")
        self.refused(self.server(), "CREATE SCHEMA slashpost AUTHORIZATION the_user")

    def test_a_wrong_password_is_said(self):
        self.postgres.query("CREATE ROLE locked LOGIN PASSWORD 'right'")
        self.postgres.demand_password_of("locked")
        self.address = self.address.replace("//slashpost@", "//locked@")
        self.refused(self.server(), "; PGPASSWORD or the file .pgpass tells the password")

    def test_a_pooler_that_mixes_up_connections_is_said_with_what_to_do(self):
        port = free_port()
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(f"[databases]\npostgres = host={self.place.name} user=slashpost\n[pgbouncer]\n"
                            f"listen_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\npool_mode = statement\n"
                            f"default_pool_size = 1\nunix_socket_dir =\nignore_startup_parameters = options\n")
        self.folder.chmod(0o755)
        pooler = subprocess.Popen(["pgbouncer", settings], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  **self.postgres.rights)
        self.addCleanup(pooler.wait)
        self.addCleanup(pooler.terminate)
        self.postgres.query(f"ALTER ROLE slashpost SET search_path = {self.schema}")
        self.address = f"postgres://slashpost@127.0.0.1:{port}/postgres"
        wait_until(lambda: subprocess.run(["psql", "-d", self.address, "-c", "SELECT 1"], check=False, cwd="/",
                                          capture_output=True).returncode == 0, 10, "the pooler serves")
        self.refused(self.server(), "let it keep one per client (pool_mode = session), or leave it out")


if __name__ == "__main__":
    unittest.main()
