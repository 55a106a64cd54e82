"""A server of PostgreSQL for the tests of a class, and a schema of its own, and servers of ours on it, for each of them."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

from slashpost import Server, temporary_folder

sys.path.append(str(Path(__file__).parents[1] / "storage"))
from with_postgres import Server as Postgres  # noqa: E402


class OnPostgres(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        os.chmod(cls.place.name, 0o755)
        cls.postgres = Postgres(Path(cls.place.name))
        cls.schemas = 0

    @classmethod
    def tearDownClass(cls):
        cls.postgres.stop()
        cls.place.cleanup()

    def setUp(self):
        self.folder = temporary_folder(self)
        type(self).schemas += 1
        self.schema = f"test{self.schemas}"
        self.address = f"{self.postgres.address}?options=-csearch_path%3D{self.schema}"

    def server(self, name="data", *arguments):
        server = Server(self.folder / name, "--store", self.address, "--rate-limit", "0", *arguments)
        self.addCleanup(server.end)
        return server

    def visit(self, server, slashtag, times=1):
        connection = server.connect()
        for _ in range(times):
            self.assertEqual(connection.ask("GET", f"/{slashtag}").status, 302)
        connection.close()
