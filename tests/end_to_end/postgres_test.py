#!/usr/bin/env python3
"""A server whose store lies on a server of PostgreSQL: what was answered is there after kill -9 of either, clicks count once."""
import contextlib
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from on_postgres import OnPostgres
from slashpost import PROGRAMS, CutOff, Server, admin, free_port, wait_until


class StoreElsewhere(OnPostgres):
    def clicks(self, connection, link):
        return connection.wanted("GET", f"/v1/links/{link}")["clicks"]

    def test_links_lists_and_clicks_are_there_after_a_kill(self):
        server = self.server().start()
        connection = server.connect()
        links = [connection.wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}", "slashtag": f"s{i}",
                                                         "title": f"Number {i}"}) for i in range(30)]
        self.visit(server, "s7", 25)
        server.kill()

        server.start()  # at once: it is the one that had the store
        connection = server.connect()
        self.assertEqual([link["id"] for link in connection.links()], [link["id"] for link in reversed(links)])
        self.assertEqual(connection.wanted("GET", "/v1/links/count")["count"], 30)
        found = wait_until(lambda: connection.wanted("GET", "/v1/links/search?term=number+17"), 10, "found")
        self.assertEqual([link["slashtag"] for link in found], ["s17"])
        wait_until(lambda: self.clicks(connection, links[7]["id"]) == 25, 10, "25 clicks")
        self.visit(server, "s7", 5)
        wait_until(lambda: self.clicks(connection, links[7]["id"]) == 30, 10, "30 clicks")
        self.assertEqual(connection.ask("DELETE", f"/v1/links/{links[3]['id']}").status, 200)
        self.assertEqual(connection.ask("GET", "/s3").status, 404)
        self.assertEqual(server.admin("verify")[0], 0)
        code, said = server.admin("dump", str(self.folder / "links.dump"))
        self.assertEqual(code, 0, said)
        self.assertEqual(server.stop(), 0)

        # What was dumped from the one store is restored into the other.
        code, said = admin(self.folder / "embedded", "restore", str(self.folder / "links.dump"))
        self.assertEqual(code, 0, said)
        embedded = Server(self.folder / "embedded", "--rate-limit", "0")
        embedded.key = server.key
        self.addCleanup(embedded.end)
        embedded.start()
        self.assertEqual(self.clicks(embedded.connect(), links[7]["id"]), 30)

    def test_a_store_moves_there_whole_and_its_folder_with_it(self):
        server = Server(self.folder / "data", "--rate-limit", "0")
        self.addCleanup(server.end)
        server.start()
        connection = server.connect()
        tag = connection.wanted("POST", "/v1/tags", {"name": "spring"})
        links = [connection.wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}", "slashtag": f"s{i}",
                                                         "title": f"Number {i}"}) for i in range(30)]
        connection.wanted("POST", f"/v1/links/{links[5]['id']}/tags/{tag['id']}")
        self.visit(server, "s5", 12)
        self.assertEqual(server.stop(), 0)
        before, after = self.folder / "before.dump", self.folder / "after.dump"
        self.assertEqual(server.admin("dump", str(before))[0], 0)

        code, said = server.admin("move", "--to", "postgres://me:secret@localhost/links")
        self.assertEqual(code, 1)
        self.assertIn("without a password, which PGPASSWORD or the file .pgpass tells", said)
        code, said = server.admin("move", "--to", self.address)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"verify: \d+ rows, all good\n")
        self.assertRegex(said, r"move: \d+ rows, ")
        self.assertEqual(sorted(path.name for path in (self.folder / "data/moved").iterdir()), ["journal", "store"])
        code, said = server.admin("verify")
        self.assertEqual(code, 1)
        self.assertIn("there is no store in ", said)

        server.arguments += ("--store", self.address)
        server.start()
        self.assertEqual(server.admin("dump", str(after))[0], 0)
        self.assertEqual(before.read_text().splitlines()[1:-1], after.read_text().splitlines()[1:-1])
        connection = server.connect()
        self.assertEqual([link["id"] for link in connection.links()], [link["id"] for link in reversed(links)])
        self.assertEqual([link["id"] for link in connection.links("&tag.id=" + tag["id"])], [links[5]["id"]])
        self.assertEqual(self.clicks(connection, links[5]["id"]), 12)
        self.visit(server, "s5", 3)
        wait_until(lambda: self.clicks(connection, links[5]["id"]) == 15, 10, "15 clicks")
        server.stop()

        # Into an address that has a store nothing is moved, and nothing is lost.
        other = self.folder / "other"
        self.assertEqual(admin(other, "restore", str(before))[0], 0)
        code, said = admin(other, "move", "--to", self.address)
        self.assertEqual(code, 1)
        self.assertIn("there is a store at that address already", said)
        self.assertEqual(admin(other, "dump", str(after))[0], 0)
        self.assertEqual(before.read_text().splitlines()[1:-1], after.read_text().splitlines()[1:-1])

    def test_a_move_that_was_cut_off_begins_anew(self):
        server = Server(self.folder / "data", "--rate-limit", "0")
        self.addCleanup(server.end)
        server.start()
        for i in range(20):
            server.connect().wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}", "slashtag": f"s{i}"})
        server.stop()
        moving = subprocess.Popen([PROGRAMS / "slashpost-admin", "--data", server.data, "move", "--to", self.address],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        tables = f"SELECT 1 FROM pg_tables WHERE schemaname = '{self.schema}'"
        wait_until(lambda: b"(0 rows)" not in self.postgres.query(tables).stdout, 20, "the move has begun")
        moving.kill()
        moving.wait()
        time.sleep(11)  # for so long it may have been alive
        server.start()  # the folder is as it was
        late = server.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/late", "slashtag": "late"})
        server.stop()
        code, said = server.admin("move", "--to", self.address)
        self.assertEqual(code, 0, said)
        server.arguments += ("--store", self.address)
        server.start()
        self.assertEqual(server.connect().wanted("GET", "/v1/links/count")["count"], 21)
        self.assertEqual(server.connect().ask("GET", f"/v1/links/{late['id']}").status, 200)

    def test_clicks_that_a_dead_server_had_not_counted_are_counted_when_it_is_back(self):
        first = self.server("first", "--fold-interval-ms", "60000").start()
        link = first.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x"})["id"]
        self.visit(first, "x", 3)
        first.kill()
        second = self.server("second")
        second.key = first.key
        second.start()
        self.visit(second, "x", 4)
        wait_until(lambda: self.clicks(second.connect(), link) == 4, 10, "4 clicks")
        self.assertEqual(second.stop(), 0)
        first.start()
        wait_until(lambda: self.clicks(first.connect(), link) == 7, 10, "7 clicks")

    def test_redirects_go_on_while_the_store_cannot_be_reached(self):
        server = self.server().start()
        connection = server.connect()
        connection.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "known"})
        self.visit(server, "known")
        for process in self.backends():
            os.kill(process, signal.SIGTERM)  # every connection is cut, also in the middle of something
        self.visit(server, "known", 10)
        answer = wait_until(lambda: self.answered(server), 20, "a link is made again")
        self.assertEqual(answer.status, 200)

    def answered(self, server):
        try:
            answer = server.connect().ask("POST", "/v1/links", {"destination": "https://example.com/2"})
        except (CutOff, OSError):
            return None
        return answer if answer.status == 200 else None

    def backends(self):
        """Processes of PostgreSQL that serve the connections of our server."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.postgres.process.pid and "slashpost postgres" in (folder / "cmdline").read_text():
                    found.append(int(folder.name))
        self.assertGreater(len(found), 0)
        return found

    def test_a_folder_belongs_to_one_store(self):
        embedded = Server(self.folder / "data", "--rate-limit", "0")
        self.addCleanup(embedded.end)
        embedded.start()
        embedded.stop()
        server = self.server()
        server.spawn()
        self.assertEqual(server.process.wait(30), 1)
        self.assertIn("has a store of its own; give a new folder with --data", server.said())
        elsewhere = self.server("elsewhere").start()
        elsewhere.stop()
        back = Server(self.folder / "elsewhere")
        self.addCleanup(back.end)
        back.spawn()
        self.assertEqual(back.process.wait(30), 1)
        self.assertIn("start it with --store", back.said())

    def test_a_password_does_not_belong_into_the_address(self):
        for address in ("postgres://me:secret@localhost/links", "postgres://localhost/links?password=secret", "mysql://x/y"):
            done = subprocess.run([PROGRAMS / "slashpost", "serve", "--data", self.folder / "none", "--store", address],
                                  capture_output=True, text=True, check=False, timeout=30)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("without a password, which PGPASSWORD or the file .pgpass tells", done.stderr)

    def test_a_store_that_cannot_be_reached_is_a_sentence(self):
        done = subprocess.run([PROGRAMS / "slashpost", "serve", "--data", self.folder / "none", "--listen",
                               f"127.0.0.1:{free_port()}", "--store", f"postgres://me@localhost:{free_port()}/links"],
                              capture_output=True, text=True, check=False, timeout=30)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"cannot connect to the store localhost:\d+/links: ")


if __name__ == "__main__":
    unittest.main()
