#!/usr/bin/env python3
"""A full disk refuses writes with 503 and goes on redirecting; with room again, writes go on by themselves.

Needs root, for a small file system of its own; says so and is skipped otherwise.
"""
import os
import subprocess
import unittest

from slashpost import DOMAIN, Connection, Server, admin, temporary_folder, wait_until

SKIPPED = 77
DISK_BYTES = 192 << 20


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.disk = temporary_folder(self) / "disk"
        self.disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", self.disk], check=False)
        if mounted.returncode != 0:
            print("SKIPPED: this user may not mount a file system")
            os._exit(SKIPPED)
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.disk], check=True)
        self.server = Server(self.disk / "store", "--rate-limit", "0")
        self.server.log = lambda name: self.disk.parent / name  # the logs have their own disk
        self.addCleanup(self.server.end)

    def fill(self):
        with (self.disk / "filler").open("wb", buffering=0) as filler:
            size = 1 << 20
            while size:
                try:
                    filler.write(b"\0" * size)
                except OSError:
                    size //= 2

    def make(self, connection, slashtag):
        # As large as a link gets, so that what room there still is soon runs out.
        body = {"destination": f"https://example.com/{'x' * 1900}", "slashtag": slashtag,
                "domain": {"fullName": DOMAIN}}
        return connection.ask("POST", "/v1/links", body)

    def ready(self):
        answer = Connection(self.server.ops_port).ask("GET", "/readyz")
        return answer.status, answer.body.decode()

    def test_writes_are_refused_and_redirects_go_on(self):
        connection = self.server.start().connect()
        kept = [f"before{number}" for number in range(50)]
        for slashtag in kept:
            self.assertEqual(self.make(connection, slashtag).status, 200)

        self.fill()
        refused = first_refused = None
        for number in range(20_000):
            answer = self.make(connection, f"during{number}")
            if answer.status != 200:
                refused, first_refused = answer, f"during{number}"
                break
            kept.append(f"during{number}")
        self.assertIsNotNone(refused, "the disk is full and writes still succeed")
        self.assertEqual(refused.status, 503, refused.body)
        self.assertEqual(refused.json()["httpCode"], 503)
        for _ in range(20):
            self.assertEqual(connection.ask("GET", "/before0").status, 302)
        self.assertEqual(self.make(connection, "refused").status, 503)
        self.assertEqual(connection.ask("GET", "/refused").status, 404)
        self.assertIsNone(self.server.process.poll())
        self.assertEqual(self.ready(), (503, "the store takes no writes, redirects and reading go on: the disk is full; "
                                        "free some room on it, or inodes\n"))

        (self.disk / "filler").unlink()
        wait_until(lambda: self.make(connection, "after").status == 200, 60, "writes go on when there is room")
        self.assertEqual(connection.ask("GET", "/after").status, 302)
        self.assertEqual(self.ready(), (200, "ready\n"))
        first = next(row for row in connection.links() if row["slashtag"] == "before0")
        wait_until(lambda: connection.wanted("GET", f"/v1/links/{first['id']}")["clicks"] == 20, 10,
                   "the clicks of that time are counted")
        self.check_after_restart(kept + ["after"], first_refused)

    def check_after_restart(self, kept, maybe):
        """`maybe`: of a write that failed while it was on its way to the disk it is open whether it is there."""
        self.assertEqual(self.server.stop(), 0, self.server.said())
        code, said = admin(self.server.data, "verify")
        self.assertEqual(code, 0, said)
        found = {row["slashtag"] for row in self.server.start().connect().links()}
        self.assertEqual(found - {maybe}, set(kept))


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
