#!/usr/bin/env python3
"""`slashpost-admin` as an operator uses it: pipes, links and devices as files, a folder of another user, commands that are
cut off or mistyped."""
import contextlib
import os
import pty
import resource
import select
import shutil
import signal
import stat
import subprocess
import time
import unittest

from slashpost import PROGRAMS, Server, admin, temporary_folder, wait_until

TOOL = PROGRAMS / "slashpost-admin"
OTHER_USER, OTHER_GROUP = 65534, 65533  # neither is anybody's who runs tests


# Looks the program up with the rights of root, as a clone may lie where nobody else may look.
AS_ANOTHER = ("setpriv", "--reuid", str(OTHER_USER), "--regid", str(OTHER_GROUP), "--clear-groups")


def tool(*arguments, **more):
    return subprocess.run([TOOL, *arguments], capture_output=True, timeout=120, check=False,
                          **{"stdin": subprocess.DEVNULL} | more)


class Admin(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.data = self.folder / "data"

    def stocked(self):
        """A store of a stopped server with a link."""
        server = Server(self.data).start()
        self.addCleanup(server.end)
        with contextlib.closing(server.connect()) as connection:
            connection.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "one"})
        self.assertEqual(server.stop(), 0, server.said())
        return server

    def dumped(self):
        self.stocked()
        dump = self.folder / "dump.jsonl"
        self.assertEqual(admin(self.data, "dump", dump)[0], 0)
        return dump

    def dump_slowly(self, *flags):
        """A dump of 6,000 links that is read slowly until it says something, or for three seconds; answers what it says."""
        self.stocked()
        rows = self.folder / "links.csv"
        rows.write_text("destination\n" + "https://example.com/long/enough/to/fill/a/pipe\n" * 6000)
        self.assertEqual(admin(self.data, "import", "csv", rows)[0], 0)
        reads, said = pty.openpty()
        dump = subprocess.Popen([TOOL, "dump", "-", "--data", self.data, *flags], stdout=subprocess.PIPE, stderr=said)
        os.close(said)
        words, end = b"", time.monotonic() + (3 if flags else 60)
        while not words and time.monotonic() < end and os.read(dump.stdout.fileno(), 4096):
            if select.select([reads], [], [], 0.02)[0]:
                words += os.read(reads, 1 << 16)
        dump.stdout.read()
        dump.stdout.close()
        self.assertEqual(dump.wait(60), 0)
        try:
            while more := os.read(reads, 1 << 16):
                words += more
        except OSError:  # how a terminal ends
            pass
        os.close(reads)
        return words.decode()

    def test_a_terminal_shows_percent_and_time_left_on_one_line(self):
        words = self.dump_slowly()
        self.assertRegex(words, r"^\rdump: \d+ rows, \d+ rows/s, \d+ %, \d+ s left")
        self.assertRegex(words, r"\r +\rdump: 6\d+ rows, \d+ rows/s\r\n$", "it goes when all is done")
        self.assertEqual(words.count("\n"), 1)

    def test_a_quiet_command_says_nothing_of_how_it_goes(self):
        self.assertEqual(self.dump_slowly("--quiet"), "")
        code, said = admin(self.data, "--quiet", "account", "show", "nobody")
        self.assertEqual((code, said), (1, "slashpost-admin: The account was not found. (nobody)\n"))
        server = Server(self.data)
        server.key = "none"
        self.addCleanup(server.end)
        server.start()
        code, said = admin(self.data, "key", "create", "--account", "admin", "--quiet")
        self.assertEqual(code, 0)
        self.assertRegex(said, r"^API key: [0-9a-f]{64}\n$")
        self.assertEqual(admin(self.data, "--quiet", "account", "show", "nobody"),
                         (1, "slashpost-admin: The account was not found. (nobody)\n"))

    def test_typos_are_answered_with_what_may_be_meant(self):
        for arguments, answer in {
            ("acount", "list"): "'acount' is not a command of 'slashpost-admin'; do you mean 'account'?",
            ("account", "lsit"): "'lsit' is not a command of 'slashpost-admin account'; do you mean 'list'?",
            ("dump", "--dta", "x", "y"): "'--dta' is not a flag of 'slashpost-admin dump'; do you mean '--data'?",
            ("help", "verfy"): "'verfy' is not a command of 'slashpost-admin'; do you mean 'verify'?",
            ("account",): "a command is missing behind 'slashpost-admin account': create, list, show, set",
        }.items():
            run = tool(*arguments)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(answer, run.stderr.decode())
            self.assertEqual(run.stderr.count(b"\n"), 1)

    def test_help_names_the_program_and_is_found_in_every_way(self):
        self.stocked()
        self.assertEqual(tool("help").stdout, tool("--help").stdout)
        for arguments in (("help", "account", "create"), ("account", "create", "--help")):
            self.assertIn(b"Usage: slashpost-admin account create [OPTIONS] USERNAME", tool(*arguments).stdout)
        self.assertLessEqual(max(map(len, tool("import", "csv", "--help").stdout.splitlines())), 80)
        self.assertEqual(tool("version").stdout, tool("--version").stdout)
        self.assertEqual(tool("account", "list", "--data", self.data).stdout, tool("--data", self.data, "account", "list").stdout)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("data"))

    def test_a_dump_goes_through_a_pipe_into_a_restore(self):
        self.stocked()
        fresh = self.folder / "fresh"
        out = subprocess.Popen([TOOL, "--data", self.data, "dump", "-"], stdout=subprocess.PIPE)
        restored = tool("--data", fresh, "restore", "-", stdin=out.stdout)
        out.stdout.close()
        self.assertEqual((out.wait(60), restored.returncode), (0, 0), restored.stderr)
        self.assertIn("all good", admin(fresh, "verify")[1])
        one, other = (tool("--data", data, "dump", "/dev/stdout").stdout for data in (self.data, fresh))
        self.assertEqual(one.splitlines()[1:-1], other.splitlines()[1:-1])
        self.assertTrue(any(b'"slashtag":"one"' in line for line in one.splitlines()))

    def test_a_dump_that_is_killed_leaves_a_part_and_the_next_dump_takes_it_away(self):
        self.stocked()
        dump = self.folder / "dump.jsonl"
        dump.write_text("old")
        self.assertTrue(any(self.is_killed_while_it_writes(dump) for _ in range(100)))
        self.assertEqual(len(self.names()), 2, self.names())
        self.assertRegex(self.names()[1], r"^dump\.jsonl\.[0-9a-f]{16}\.part$")
        self.assertEqual(dump.read_text(), "old")
        self.assertEqual(admin(self.data, "dump", dump)[0], 0)
        self.assertEqual(self.names(), ["dump.jsonl"])

    def is_killed_while_it_writes(self, dump):
        """Whether a dump left its part because it was killed before it was done, which is soon."""
        writer = subprocess.Popen([TOOL, "--data", self.data, "dump", dump], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while writer.poll() is None and len(self.names()) == 1:
            pass
        writer.kill()
        writer.wait(60)
        dump.write_text("old")
        return len(self.names()) == 2

    def test_a_dump_is_for_its_owner_only_whatever_was_planted(self):
        self.stocked()
        dump, secret = self.folder / "dump.jsonl", self.folder / "secret"
        secret.write_text("old")
        secret.chmod(0o666)
        (self.folder / "dump.jsonl.part").symlink_to(secret)
        self.assertEqual(admin(self.data, "dump", dump)[0], 0)
        self.assertEqual(secret.read_text(), "old")
        self.assertEqual(stat.S_IMODE(dump.stat().st_mode), 0o600)
        self.assertEqual(admin(self.data, "dump", secret)[0], 0)
        self.assertEqual(stat.S_IMODE(secret.stat().st_mode), 0o600)

    def test_a_dump_into_a_folder_is_refused_in_words(self):
        self.stocked()
        code, said = admin(self.data, "dump", self.folder)
        self.assertEqual((code, said), (1, f"slashpost-admin: cannot write {self.folder}: it is a folder\n"))

    def test_a_damaged_dump_leaves_no_folder(self):
        dump = self.dumped()
        cut = self.folder / "cut.jsonl"
        cut.write_bytes(dump.read_bytes()[:-200])
        before = self.names()
        code, said = admin(self.folder / "new" / "deep", "restore", cut)
        self.assertEqual(code, 1, said)
        self.assertIn("cut off", said)
        self.assertEqual(self.names(), before)

        empty = self.folder / "empty"
        empty.mkdir()
        (empty / "mine").write_text("stays")
        self.assertEqual(admin(empty, "restore", cut)[0], 1)
        self.assertEqual(sorted(path.name for path in empty.iterdir()), ["lock", "mine"])
        self.assertEqual(admin(empty, "restore", dump)[0], 0)

    def test_a_restore_that_is_killed_leaves_no_store_and_what_it_left_goes(self):
        dump = self.dumped()
        fresh = self.folder / "fresh"
        for goes_on in ("restore", "server"):
            with subprocess.Popen([TOOL, "--data", fresh, "restore", "-"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
                one.stdin.write(dump.read_bytes()[:-200])
                one.stdin.flush()
                wait_until((fresh / "store.new").exists, 60, "the restore has begun")
                one.kill()
            self.assertTrue((fresh / "store.new").exists())
            self.assertIn("there is no store", admin(fresh, "verify")[1])
            if goes_on == "restore":
                self.assertEqual(admin(fresh, "restore", dump)[0], 0)
                self.assertIn("all good", admin(fresh, "verify")[1])
            else:
                server = Server(fresh).start()  # a new installation
                self.addCleanup(server.end)
                self.assertEqual(server.stop(), 0, server.said())
            self.assertFalse((fresh / "store.new").exists())
            self.assertTrue((fresh / "store").exists())
            shutil.rmtree(fresh)

    def test_a_first_line_that_is_broken_is_line_1(self):
        broken = self.folder / "broken"
        broken.write_text('{"format":\n{}\n')
        self.assertIn("slashpost-admin: line 1: this is not a JSON object", admin(self.folder / "new", "restore", broken)[1])
        self.assertEqual(self.names(), ["broken"])

    def test_what_stands_in_the_way_in_a_data_folder_is_a_sentence(self):
        self.stocked()
        (self.data / "admin.sock").mkdir()
        server = Server(self.data)
        self.addCleanup(server.end)
        server.key = "none is printed at a second start"
        server.start()  # visitors are served all the same
        wait_until(lambda: "admin.sock for slashpost-admin: there is a folder of that name; remove it" in server.said(), 10,
                   "the log names the folder")
        for trace in ("system:", "/usr/", ".cc", ".hpp"):
            self.assertNotIn(trace, server.said())

    @unittest.skipIf(os.geteuid() != 0, "only root can become somebody else")
    def test_a_data_folder_that_one_may_not_read_is_a_sentence(self):
        self.stocked()
        os.chmod(self.folder, 0o755)
        for arguments in (["account", "list"], ["verify"]):
            run = subprocess.run([*AS_ANOTHER, TOOL, "--data", self.data, *arguments], capture_output=True, timeout=120, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertEqual(run.stderr.decode(),
                             f"slashpost-admin: cannot look into the data folder {self.data}: Permission denied; work as the "
                             "user that it belongs to, or as root\n")

    @unittest.skipIf(os.geteuid() != 0, "only root can work on a folder of another user")
    def test_root_does_not_serve_from_the_folder_of_another_user(self):
        self.stocked()
        for path in (self.data, *self.data.rglob("*")):
            os.chown(path, OTHER_USER, OTHER_GROUP)
        server = Server(self.data)
        self.addCleanup(server.end)
        server.spawn()
        self.assertEqual(server.process.wait(30), 1)
        self.assertIn(f"the data folder {self.data} belongs to the user with id {OTHER_USER}, whose server could not read "
                      "what root makes there; start the server as that user, or give the folder to root", server.said())
        owners = {path.stat().st_uid for path in (self.data, *self.data.rglob("*"))}
        self.assertEqual(owners, {OTHER_USER})

    @unittest.skipIf(os.geteuid() != 0, "only root can work on a folder of another user")
    def test_root_leaves_files_that_the_server_of_another_user_can_read(self):
        dump = self.dumped()
        os.chmod(self.folder, 0o755)
        for path in (self.data, *self.data.rglob("*")):
            os.chown(path, OTHER_USER, OTHER_GROUP)
        rows = self.folder / "links.csv"
        rows.write_text("destination,slashtag\nhttps://example.com/,two\n")
        rows.chmod(0o600)  # root's
        for arguments in (["import", "csv", rows], ["account", "create", "ann"], ["reindex"], ["verify"],
                          ["dump", self.folder / "again.jsonl"]):
            code, said = admin(self.data, *arguments)
            self.assertEqual(code, 0, f"{arguments}: {said}")
        self.assertEqual((self.folder / "again.jsonl").stat().st_uid, 0)

        home = self.folder / "home"
        home.mkdir()
        os.chown(home, OTHER_USER, OTHER_GROUP)
        dump.chmod(0o600)
        self.assertEqual(admin(home / "restored", "restore", dump)[0], 0)
        for data in (self.data, home / "restored"):
            owners = {(about.st_uid, about.st_gid) for about in (path.stat() for path in (data, *data.rglob("*")))}
            self.assertEqual(owners, {(OTHER_USER, OTHER_GROUP)}, data)

        server = Server(self.data)
        server.wrapper = AS_ANOTHER
        server.key = "none"
        self.addCleanup(server.end)
        server.start()
        with contextlib.closing(server.connect()) as connection:
            self.assertEqual(connection.ask("GET", "/two").status, 302)
        self.assertEqual(admin(self.data, "key", "create", "--account", "ann")[0], 0)
        self.assertEqual(server.stop(), 0, server.said())


if __name__ == "__main__":
    unittest.main(verbosity=2)
