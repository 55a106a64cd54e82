#!/usr/bin/env python3
"""Kills the server with SIGKILL at random moments under load; nothing answered is lost, nothing is half there.

    SLASHPOST_SEED=...  the same decisions again (not the same moments)
    SLASHPOST_KILLS=50  how often
"""
import json
import os
import random
import threading
import time
import unittest

from crash_load import Known, Link, State, Visitor, Writer
from crash_rollups import wrong_rollups
from slashpost import DOMAIN, Server, temporary_folder

KILLS = int(os.environ.get("SLASHPOST_KILLS", "50"))
SEED = os.environ.get("SLASHPOST_SEED") or str(random.SystemRandom().getrandbits(32))
WRITERS, VISITORS = 4, 4
SETTLE_SECONDS = 10


class Crashes(unittest.TestCase):
    def setUp(self):
        self.random, self.known = random.Random(SEED), Known()
        # The load is heavy against the disk: few folds make long stretches of journal to fold again.
        interval = str(self.random.choice([20, 100, 300, 1000]))
        self.folder = temporary_folder(self)
        self.server = Server(self.folder / "store", "--rate-limit", "0", "--fold-interval-ms", interval)
        self.addCleanup(lambda: self.server.end())

    def test_nothing_answered_is_lost(self):
        print(f"seed {SEED}, {KILLS} kills", flush=True)
        self.server.start()
        self.make_rotator()
        for kill in range(KILLS):
            self.load_and_kill(kill)
            if self.random.random() < 0.3:
                self.kill_while_starting()
            if kill % 2:
                self.verify()
            self.server.start()
            self.compare()
            if not kill % 2:
                self.verify()
            if kill % 5 == 4:
                self.compare_rollups()
            if kill % 10 == 9:
                print(f"{kill + 1} kills, {len(self.known.links)} links, "
                      f"{sum(link.received for link in self.known.links.values())} redirects", flush=True)
        self.assertEqual(self.server.stop(), 0, self.server.said())
        self.verify()
        self.compare_rollups()
        self.server.start()
        self.compare()

    def make_rotator(self):
        connection = self.server.connect()
        state = State("rotator", "https://example.com/rotator/1", "rotator", False)
        made = connection.wanted("POST", "/v1/links", {"domain": {"fullName": DOMAIN}, "type": "rotator"} | vars(state))
        connection.wanted("PUT", f"/v1/links/{made['id']}/rotator",
                          [{"destination": f"https://example.com/arm-{arm}/1"} for arm in "abc"])
        connection.close()
        self.known.rotator = Link(made["id"], state, 1)
        self.known.add(self.known.rotator)

    def load_and_kill(self, round_number):
        stop = threading.Event()
        writers = [Writer(self.known, self.server.connect(), f"w{i}", f"{SEED} {round_number}", stop)
                   for i in range(WRITERS)]
        visitors = [Visitor(self.known, self.server.connect(), f"v{i}", f"{SEED} {round_number}", stop)
                    for i in range(VISITORS)]
        for client in writers + visitors:
            client.start()
        time.sleep(self.random.uniform(0.05, 0.9))
        self.assertIsNone(self.server.process.poll(), f"ended by itself: {self.server.said()}")
        self.server.kill()
        stop.set()
        for client in writers + visitors:
            client.join(30)
        for visitor in visitors:
            visitor.settle()
        self.assertEqual(self.known.wrong, [], f"seed {SEED}")

    def kill_while_starting(self):
        self.server.spawn()
        time.sleep(self.random.uniform(0, 0.3))
        self.server.kill()

    def verify(self):
        code, said = self.server.admin("verify")
        self.assertEqual(code, 0, f"seed {SEED}: {said}")

    def compare_rollups(self):
        """Every click is in the rollups once: since ever, in the days and in the hours; every arm's likewise."""
        dump = self.folder / "dump.jsonl"
        code, said = self.server.admin("dump", dump)
        self.assertEqual(code, 0, f"seed {SEED}: {said}")
        with open(dump, encoding="utf-8") as lines:
            wrong = wrong_rollups((json.loads(line) for line in lines), [self.known.rotator.id])
        for sentence in wrong[:20]:
            print(sentence)
        self.assertEqual(len(wrong), 0, f"rollups differ from the totals; seed {SEED}")

    def compare(self):
        """Settles what was pending, then compares every link and every click with what clients know."""
        connection = self.server.connect()
        rows = {row["id"]: row for row in connection.links()}
        gone = {row["id"]: row for row in connection.links("&status.active=false")}
        self.settle_pending(rows, gone)
        links = self.known.links.values()
        told = {link.id: link.state for link in links if not link.deleted}
        found = {row["id"]: State(*(row[name] for name in State.__dataclass_fields__)) for row in rows.values()}
        for link in [link for link in found | told if found.get(link) != told.get(link)]:
            print(f"{link}: told {told.get(link)}, found {found.get(link)}")
        self.assertTrue(found == told, f"links differ from what was answered; seed {SEED}")
        self.assertEqual(set(gone), {link.id for link in links if link.deleted}, f"seed {SEED}")
        self.assertEqual(connection.wanted("GET", "/v1/links/count"), {"count": len(told)})
        self.compare_clicks(connection, rows | gone)
        self.compare_arms(connection)
        connection.close()

    def settle_pending(self, rows, gone):
        for pending in self.known.pending:
            link, after = pending.link, pending.after
            if link is None:
                made = [row for row in rows.values() if row["slashtag"] == after.slashtag]
                for row in made:
                    self.known.add(Link(row["id"], after, pending.version))
            elif link.id in gone if after is None else rows[link.id]["destination"] == after.destination:
                self.known.apply(link, after, pending.version)
            else:
                self.known.forget(link, after)
        self.known.pending.clear()

    def compare_clicks(self, connection, rows):
        """A click per redirect received; those cut off may count or not. Folding gets a moment to catch up."""
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            clicks = {link: row["clicks"] for link, row in rows.items()}
            lost = [link for link in self.known.links.values() if clicks[link.id] < link.received]
            if not lost or time.monotonic() > end:
                break
            time.sleep(0.1)
            rows = {row["id"]: row for row in connection.links() + connection.links("&status.active=false")}
        twice = [link for link in self.known.links.values() if clicks[link.id] > link.received + link.cut]
        for link in lost + twice:
            print(f"{link.id}: {clicks[link.id]} clicks, {link.received} received, {link.cut} cut off")
        self.assertEqual((len(lost), len(twice)), (0, 0), f"clicks lost, counted twice; seed {SEED}")

    def compare_arms(self, connection):
        """Each arm has the clicks of those that were sent there; rolling up gets a moment to catch up."""
        end = time.monotonic() + SETTLE_SECONDS
        while True:
            arms = connection.wanted("GET", f"/v1/links/{self.known.rotator.id}/rotator")
            clicks = {arm["destination"]: arm["clicks"] for arm in arms}
            if all(clicks[arm] >= received for arm, received in self.known.arms.items()) or time.monotonic() > end:
                break
            time.sleep(0.1)
        self.assertEqual(len(clicks), 3)
        for arm, counted in clicks.items():
            received = self.known.arms[arm]
            self.assertTrue(received <= counted <= received + self.known.rotator.cut,
                            f"{arm}: {counted} clicks, {received} received, {self.known.rotator.cut} cut off; seed {SEED}")


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
