#!/usr/bin/env python3
"""Backups: the data folder is lost, and what the backup had is there again, each click once."""
import os
import pathlib
import random
import shutil
import tempfile
import threading
import time
import unittest

from slashpost import Connection, Server, admin, temporary_folder, wait_until

MEMORY = pathlib.Path("/dev/shm")  # another file system than that of temporary folders, mostly


def names(folder):
    return sorted(one.name for one in folder.iterdir() if one.name.endswith("Z"))


def tables(folder, name):
    """The table files of a backup by name, as the numbers that tell files apart."""
    return {file.name: file.stat().st_ino for file in (folder / name / "store").glob("*.sst")}


class Backups(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.backups = self.folder / "backups"
        self.data = self.folder / "data"

    def server(self, *arguments, data=None):
        server = Server(data or self.data, "--rate-limit", "0", *arguments)
        self.addCleanup(server.end)
        return server.start()

    def good(self, data, *arguments):
        code, said = admin(data, *arguments)
        self.assertEqual(code, 0, said)
        return said

    def back_up(self, data=None):
        """Answers the name of the new one."""
        before = set(names(self.backups)) if self.backups.exists() else set()
        self.good(data or self.data, "backup", self.backups)
        new, = set(names(self.backups)) - before
        return new

    def made(self, server, *slashtags):
        connection = server.connect()
        self.addCleanup(connection.close)
        for slashtag in slashtags:
            connection.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": slashtag})
        return connection

    def click(self, server, slashtag, times):
        connection = Connection(server.port)
        self.addCleanup(connection.close)
        for _ in range(times):
            self.assertEqual(connection.ask("GET", f"/{slashtag}").status, 302)

    def clicks(self, connection):
        return {link["slashtag"]: link["clicks"] for link in connection.links()}

    def restored(self, old, *arguments):
        """A server on a new folder that was made of a backup; the API key is the old one's."""
        data = self.folder / f"restored-{random.getrandbits(32)}"
        self.good(data, "restore-backup", self.backups, *arguments)
        server = Server(data, "--rate-limit", "0")
        server.key = old.key
        self.addCleanup(server.end)
        return server.start()

    def test_a_lost_data_folder_is_there_again_as_of_the_backup_and_goes_on(self):
        server = self.server()
        connection = self.made(server, "one", "two")
        self.click(server, "one", 7)
        self.back_up()
        self.click(server, "one", 5)
        self.made(server, "later")
        self.assertEqual(self.clicks(connection).keys(), {"one", "two", "later"})
        server.kill()
        shutil.rmtree(self.data)
        self.good(self.data, "restore-backup", self.backups)
        server = self.server()
        connection = server.connect()
        self.assertEqual(self.clicks(connection), {"one": 7, "two": 0})
        self.click(server, "one", 4)
        self.click(server, "two", 1)
        wait_until(lambda: self.clicks(connection) == {"one": 11, "two": 1}, 20, "the new clicks are counted, the old ones once")
        self.good(self.data, "verify")
        self.assertEqual(server.stop(), 0, server.said())

    def test_a_backup_under_load_has_what_was_answered_before_and_each_click_once(self):
        server = self.server()
        self.made(server, "busy")
        sent, stop = [0], threading.Event()

        def visit():
            connection = Connection(server.port)
            while not stop.is_set():
                connection.ask("GET", "/busy")
                sent[0] += 1

        thread = threading.Thread(target=visit)
        thread.start()
        try:
            wait_until(lambda: sent[0] > 200, 30, "some visits")
            before = sent[0]
            self.back_up()
            after = sent[0]
        finally:
            stop.set()
            thread.join()
        server.kill()
        again = self.restored(server)
        connection = again.connect()
        had = self.clicks(connection)["busy"]
        self.assertLessEqual(before, had)
        self.assertLessEqual(had, after + 1)
        self.click(again, "busy", 3)
        wait_until(lambda: self.clicks(connection)["busy"] == had + 3, 20, "three more")
        self.good(again.data, "verify")

    def test_what_backups_have_in_common_takes_room_once(self):
        server = self.server()
        self.made(server, "one")
        before, common = tables(self.backups, self.back_up()), set()
        for number in range(10):  # while tables are young, the store may write each of them once more
            self.made(server, f"another{number}")
            after = tables(self.backups, self.back_up())
            self.assertNotEqual(before, after)
            common = before.keys() & after.keys()
            if common:
                break
            before = after
        self.assertTrue(common)
        self.assertEqual({name: before[name] for name in common}, {name: after[name] for name in common})

    @unittest.skipUnless(MEMORY.is_dir() and os.access(MEMORY, os.W_OK), "there is no second file system")
    def test_on_another_file_system_the_second_backup_takes_what_the_first_one_has(self):
        elsewhere = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-", dir=MEMORY))
        self.addCleanup(shutil.rmtree, elsewhere)
        if elsewhere.stat().st_dev == self.folder.stat().st_dev:
            self.skipTest("there is no second file system")
        self.backups = elsewhere / "backups"
        server = self.server()
        self.made(server, "one")
        first = self.back_up()
        self.made(server, "two")
        second = self.back_up()
        common = tables(self.backups, first).items() & tables(self.backups, second).items()
        self.assertTrue(common)
        self.assertEqual(self.clicks(self.restored(server).connect()).keys(), {"one", "two"})

    def test_a_restored_store_that_gives_file_numbers_again_is_backed_up_as_it_is(self):
        server = self.server()
        self.made(server, "one")
        self.back_up()
        self.made(server, "lost")
        self.back_up()
        at = names(self.backups)[0]
        at = f"{at[:13]}:{at[14:16]}:{at[17:]}"
        again = self.restored(server, "--at", at)
        self.made(again, "kept")
        self.back_up(again.data)
        self.assertEqual(self.clicks(self.restored(server).connect()).keys(), {"one", "kept"})

    def test_the_newest_that_is_not_later_is_restored(self):
        server = self.server()
        self.made(server, "one")
        first = self.back_up()
        self.made(server, "two")
        second = self.back_up()
        moments = [f"{name[:13]}:{name[14:16]}:{name[17:]}" for name in (first, second)]
        self.assertEqual(self.clicks(self.restored(server, "--at", moments[0]).connect()).keys(), {"one"})
        self.assertEqual(self.clicks(self.restored(server, "--at", moments[1]).connect()).keys(), {"one", "two"})
        code, said = admin(self.folder / "none", "restore-backup", self.backups, "--at", "2001-01-01")
        self.assertEqual(code, 1)
        self.assertIn("there is no backup of 2001-01-01T00:00:00Z or before", said)
        self.assertFalse((self.folder / "none").exists())

    def test_what_an_upgrade_will_do_is_told_of_a_backup_and_of_a_stopped_server(self):
        server = self.server()
        name = self.back_up()
        self.assertIn("nothing will be changed", self.good(self.backups / name, "check-upgrade"))
        self.assertEqual(admin(self.data, "check-upgrade")[0], 1, "a server has it")
        self.assertEqual(server.stop(), 0, server.said())
        self.assertIn("nothing will be changed", self.good(self.data, "check-upgrade"))

    def test_nothing_is_restored_over_a_store(self):
        server = self.server()
        self.back_up()
        self.assertEqual(server.stop(), 0, server.said())
        code, said = admin(self.data, "restore-backup", self.backups)
        self.assertEqual(code, 1)
        self.assertIn("has a store or a journal of clicks already", said)
        self.good(self.data, "verify")

    def test_backups_are_listed_and_the_newest_is_opened_beside(self):
        server = self.server()
        self.made(server, "one")
        first, second = self.back_up(), self.back_up()
        said = self.good(self.data, "backup", "list", self.backups)
        self.assertEqual([line.split()[0] for line in said.splitlines()[1:]],
                         [f"{name[:13]}:{name[14:16]}:{name[17:]}" for name in (first, second)])
        before = {file: file.stat().st_mtime_ns for file in (self.backups / second / "store").iterdir()}
        self.good(self.data, "backup", "verify", self.backups)
        self.assertEqual({file: file.stat().st_mtime_ns for file in (self.backups / second / "store").iterdir()}, before)
        self.assertEqual(sorted(one.name for one in self.backups.iterdir()), sorted([first, second, "lock"]))

    def test_a_damaged_backup_is_found(self):
        server = self.server()
        self.made(server, *(f"link-{number}" for number in range(200)))
        name = self.back_up()
        self.assertEqual(server.stop(), 0, server.said())
        largest = max((self.backups / name / "store").glob("*.sst"), key=lambda file: file.stat().st_size)
        damaged = bytearray(largest.read_bytes())
        damaged[len(damaged) // 3] ^= 0x40
        largest.unlink()  # it is the data folder's, too
        largest.write_bytes(damaged)
        self.assertEqual(admin(self.data, "backup", "verify", self.backups)[0], 1)
        self.good(self.data, "verify")

    def test_one_that_was_cut_off_leaves_nothing_that_is_taken_for_a_backup(self):
        server = self.server()
        (self.backups / "new" / "store").mkdir(parents=True)
        (self.backups / "gone" / "store").mkdir(parents=True)
        self.assertEqual(admin(self.data, "backup", "list", self.backups)[0], 1)
        name = self.back_up()
        self.assertEqual(sorted(one.name for one in self.backups.iterdir()), sorted([name, "lock"]))
        self.assertEqual(server.stop(), 0, server.said())

    def test_the_server_makes_them_by_itself_and_says_so(self):
        server = self.server("--backup-to", str(self.backups), "--backup-keep", "1h")
        wait_until(lambda: self.backups.exists() and names(self.backups), 30, "the first backup")
        first = names(self.backups)
        server.says("backup made")
        metrics = Connection(server.ops_port, host="localhost").ask("GET", "/metrics").body.decode()
        self.assertRegex(metrics, r"(?m)^slashpost_backups_total 1$")
        self.assertRegex(metrics, r"(?m)^slashpost_backup_last_failed 0$")
        newest = float(next(line.split()[1] for line in metrics.splitlines() if line.startswith("slashpost_backup_last_seconds ")))
        self.assertAlmostEqual(newest, time.time(), delta=60)
        self.assertEqual(server.stop(), 0, server.said())
        again = self.server("--backup-to", str(self.backups), "--backup-keep", "1h")
        self.assertEqual(names(self.backups), first, "the next one is due in an hour, not at each start")
        self.assertEqual(again.stop(), 0, again.said())

    def test_a_server_that_cannot_make_them_goes_on_and_says_so(self):
        (self.folder / "file").write_text("")
        server = self.server("--backup-to", str(self.folder / "file"))
        server.says("no backup could be made")
        self.made(server, "one")
        metrics = Connection(server.ops_port, host="localhost").ask("GET", "/metrics").body.decode()
        self.assertRegex(metrics, r"(?m)^slashpost_backup_last_failed 1$")

    def test_a_relative_folder_is_one_of_whoever_asks(self):
        server = self.server()
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        self.good(self.data, "backup", "here")
        self.assertEqual(len(names(self.folder / "here")), 1)
        self.assertEqual(server.stop(), 0, server.said())


if __name__ == "__main__":
    unittest.main()
