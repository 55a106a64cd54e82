"""A cluster under load while parts of it die: no write that was answered is lost, clicks count once, visitors notice nothing.

Prints what was measured. Takes some minutes; nothing else needs to run, but may.
"""
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests" / "end_to_end"))
from cluster import PROGRAMS, Cluster, wait_until  # noqa: E402
from layout import LOOP_WAIT, NUMBERS, TTL  # noqa: E402
from load import Load  # noqa: E402
from slashpost import Connection, free_port  # noqa: E402

TAKEN_FOR_DEAD = b"took it for dead"
LEASE = 10  # seconds, after which a server that was not heard of is taken for dead
LOCKS = 5   # seconds, for which one that sleeps in a commit holds up others
WHOLE = 180 # seconds until everything runs again, on a machine that does other things, too
VISIT = 5   # seconds, for which a visitor waits at most: the balancer asks another server after two


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.figures = []
        cls.place = tempfile.TemporaryDirectory(prefix="slashpost-cluster-")
        os.chmod(cls.place.name, 0o755)
        cls.cluster = Cluster(cls.place.name, free_port() // 100 * 100)
        cls.addClassCleanup(cls.place.cleanup)
        cls.addClassCleanup(cls.cluster.stop)
        begun = time.monotonic()
        cls.cluster.start()
        cls.note("start of everything", f"{time.monotonic() - begun:.0f} s", "no bound")

    @classmethod
    def tearDownClass(cls):
        print("\n| what | measured | bound |\n|---|---|---|")
        for what, measured, bound in cls.figures:
            print(f"| {what} | {measured} | {bound} |")

    @classmethod
    def note(cls, what, measured, bound):
        cls.figures.append((what, measured, bound))
        print(f"\n    {what}: {measured} ({bound})", flush=True)

    def setUp(self):
        self.layout = self.cluster.layout
        wait_until(self.is_whole, WHOLE, "everything runs")

    def is_whole(self):
        return (all(self.cluster.is_ready(number) for number in NUMBERS) and self.cluster.etcd_is_whole()
                and self.cluster.postgres_is_whole())

    def server(self, number, key=""):
        """A connection without the balancer."""
        connection = Connection(self.layout.server(number), key, host=self.layout.domain)
        self.addCleanup(connection.close)
        return connection

    def restart(self, number):
        self.cluster.kill(f"server{number}")
        self.cluster.start_server(number)
        wait_until(lambda: self.cluster.is_ready(number), 60, f"server {number} is ready")

    def check(self, what, load, pause, pause_max):
        """Of a load that has ended."""
        self.note(what, f"writes pause for {pause:.1f} s; {load.acked} acknowledged, {load.unclear} unclear; "
                  f"{load.received.total()} visits, the slowest {load.slowest_visit:.2f} s", f"{pause_max} s; none lost; {VISIT} s")
        self.assertEqual(load.wrong()[:20], [])
        self.assertLessEqual(pause, pause_max)
        self.assertLessEqual(load.slowest_visit, VISIT)
        self.assertGreater(load.acked, 20)

    def test_a_change_on_one_server_is_in_the_redirects_of_the_others_within_a_second(self):
        first, others = self.server(1, self.cluster.key), [self.server(2), self.server(3)]
        delays = []

        def follow(slashtag, destination):
            begun = time.monotonic()
            for connection in others:
                while connection.ask("GET", f"/{slashtag}").headers.get("location") != destination:
                    self.assertLess(time.monotonic() - begun, 1, slashtag)
                    time.sleep(0.005)
            delays.append(time.monotonic() - begun)

        for i in range(40):
            slashtag, address = f"change-{i}", f"https://example.com/{i}"
            for connection in others:
                self.assertEqual(connection.ask("GET", f"/{slashtag}").status, 404)  # which it remembers
            link = first.wanted("POST", "/v1/links", {"slashtag": slashtag, "destination": address})
            follow(slashtag, address)
            first.wanted("POST", f"/v1/links/{link['id']}", {"destination": f"{address}/new"})
            follow(slashtag, f"{address}/new")
        self.assertEqual(len(delays), 80)
        self.note("a change of one server in the redirects of both others", f"{max(delays) * 1000:.0f} ms at most, "
                  f"{sorted(delays)[len(delays) // 2] * 1000:.0f} ms as a rule", "1000 ms")

    def visit_much(self, number, slashtag, times, at_once=100):
        """Each answered, some hundred at a time, as a browser would not."""
        connection = self.server(number)
        for _ in range(times // at_once):
            connection.send_bytes(f"GET /{slashtag}{connection.head}\r\n".encode() * at_once)
            for _ in range(at_once):
                self.assertEqual(connection.receive().status, 302)

    def test_100000_clicks_over_three_servers_count_exactly_with_one_killed_and_started_again(self):
        api = self.server(1, self.cluster.key)
        link = api.wanted("POST", "/v1/links", {"slashtag": "much", "destination": "https://example.com/"})["id"]
        time.sleep(1)  # until all know it
        wrong = []

        def visit(number, times):
            try:
                self.visit_much(number, "much", times)
            except Exception as problem:  # pylint: disable=broad-except
                wrong.append(problem)

        begun = time.monotonic()
        threads = [threading.Thread(target=visit, args=(number, times))
                   for number, times in zip(NUMBERS, (40_000, 40_000, 12_000), strict=True)]
        for thread in threads:
            thread.start()
        threads[2].join()
        self.cluster.kill("server3")  # some of what it answered is only in its journal
        self.cluster.start_server(3)
        wait_until(lambda: self.cluster.is_ready(3), 60, "server 3 is ready")
        visit(3, 8_000)
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - begun
        self.assertEqual(wrong, [])
        wait_until(lambda: api.wanted("GET", f"/v1/links/{link}")["clicks"] >= 100_000, 60, "all clicks are counted")
        time.sleep(2)
        clicks = api.wanted("GET", f"/v1/links/{link}")["clicks"]
        self.note("clicks over three servers, one killed", f"{clicks} of 100000 in {seconds:.0f} s", "exactly")
        self.assertEqual(clicks, 100_000)

    def test_a_server_that_is_killed_in_a_commit_loses_nothing_that_it_answered(self):
        with Load(self.cluster, *map(self.layout.server, NUMBERS)) as load:
            begun = time.monotonic()
            for number in NUMBERS * 2:
                self.cluster.kill(f"server{number}")
                time.sleep(1)
                self.cluster.start_server(number)
                wait_until(lambda one=number: self.cluster.is_ready(one), 60, f"server {number} is ready")
                time.sleep(1)
            load.wait_for_writes(LOCKS)
            pause = load.longest_pause(begun)
        self.check("each server killed twice in its commits", load, pause, LOCKS)

    def stop_in_a_commit(self, number):
        """SIGSTOP in the moment in which a transaction of it has written and is not committed."""
        for _ in range(200):
            self.cluster.send(f"server{number}", signal.SIGSTOP)
            time.sleep(0.05)
            open_ones = "SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND state = 'idle in transaction'" \
                        " AND usename = 'slashpost' AND state_change < now() - interval '40 milliseconds'"
            if self.cluster.query(open_ones)[0][0]:
                return
            self.cluster.send(f"server{number}", signal.SIGCONT)
            time.sleep(0.05)
        self.fail("no commit was met")

    def test_a_server_that_hangs_in_a_commit_for_less_than_its_lease_goes_on(self):
        with Load(self.cluster, self.layout.server(2)) as load:
            begun = time.monotonic()
            for _ in range(2):
                self.stop_in_a_commit(2)
                time.sleep(3)
                self.cluster.send("server2", signal.SIGCONT)
                load.wait_for_writes(LOCKS + 2)
                time.sleep(1)
            pause = load.longest_pause(begun)
            wait_until(lambda: self.cluster.is_ready(2), 5, "server 2 is ready")
        self.check("server 2 hangs in a commit for 3 s, twice", load, pause, LOCKS + 2)

    def test_a_server_that_hangs_in_a_commit_for_longer_is_taken_for_dead_and_commits_nothing_any_more(self):
        with Load(self.cluster, self.layout.server(2)) as load:
            begun = time.monotonic()
            self.stop_in_a_commit(2)
            time.sleep(LEASE + 5)
            pause = load.longest_pause(begun)
            self.cluster.send("server2", signal.SIGCONT)
            api = self.server(2, self.cluster.key)
            answer = api.ask("POST", "/v1/links", {"slashtag": "too-late", "destination": "https://example.com/"})
            self.assertEqual(answer.status, 503)
            wait_until(lambda: TAKEN_FOR_DEAD in self.cluster.readiness(2)[1], 5, "it says so")
            self.restart(2)
            load.wait_for_writes(LOCKS)
        self.check(f"server 2 hangs in a commit for {LEASE + 5} s", load, pause, LOCKS + 2)
        self.assertEqual(self.server(1, self.cluster.key).wanted("GET", "/v1/links?slashtag=too-late"), [])

    def test_a_leader_of_postgresql_that_dies_with_its_machine_is_replaced_and_nothing_is_lost(self):
        with Load(self.cluster) as load:
            leader, begun = self.cluster.has_role("leader"), time.monotonic()
            self.cluster.kill_postgres_machine(leader)
            others = [number for number in NUMBERS if number != leader]
            wait_until(lambda: any(map(self.cluster.takes_writes, others)), TTL + LOOP_WAIT + 15, "another one leads")
            led = time.monotonic() - begun
            wait_until(lambda: self.cluster.has_role("sync_standby") in others, 30, "it has a standby, so that it may confirm")
            in_step = time.monotonic() - begun
            after = load.wait_for_writes(15)
            pause = load.longest_pause(begun)
            self.cluster.start_postgres(leader)
            wait_until(self.cluster.postgres_is_whole, WHOLE, "the old leader follows the new one")
            load.wait_for_writes(LOCKS)
        self.note("another PostgreSQL leads", f"{led:.1f} s after the leader died, with a standby after {in_step:.1f} s; writes "
                  f"{after:.1f} s later", f"Patroni's ttl is {TTL} s; 5 s")
        self.check("the leader of PostgreSQL killed with Patroni", load, pause, TTL + LOOP_WAIT + 15)
        self.assertLessEqual(after, 5)

    def test_a_leader_of_postgresql_that_dies_alone_is_replaced_sooner(self):
        with Load(self.cluster) as load:
            leader, begun = self.cluster.has_role("leader"), time.monotonic()
            os.kill(self.cluster.postmaster(leader), signal.SIGKILL)
            time.sleep(1)
            load.wait_for_writes(TTL + 15)
            wait_until(self.cluster.postgres_is_whole, WHOLE, "the old leader follows the new one")
            load.wait_for_writes(LOCKS)
            pause = load.longest_pause(begun)
        self.check("the leader's postmaster killed alone", load, pause, TTL)

    def test_a_standby_that_dies_holds_up_writes_until_another_one_is_in_step(self):
        with Load(self.cluster) as load:
            standby, begun = self.cluster.has_role("sync_standby"), time.monotonic()
            self.cluster.kill_postgres_machine(standby)
            load.wait_for_writes(TTL + 15, begun + 0.5)
            wait_until(lambda: self.cluster.has_role("sync_standby") not in (None, standby), TTL + 15, "another one is in step")
            load.wait_for_writes(LOCKS)
            pause = load.longest_pause(begun)
            self.kill_the_other_standby(standby, load)
        self.check("the synchronous standby killed with Patroni", load, pause, TTL + LOOP_WAIT + 5)

    def kill_the_other_standby(self, first, load):
        """Strictly synchronous, the leader confirms nothing alone."""
        second = self.cluster.has_role("sync_standby")
        self.cluster.kill_postgres_machine(second)
        time.sleep(1)
        acked = load.acked
        time.sleep(5)
        self.assertEqual(load.acked, acked)
        for number in (first, second):
            self.cluster.start_postgres(number)
        begun = time.monotonic()
        wait_until(self.cluster.postgres_is_whole, WHOLE, "the standbys are back")
        load.wait_for_writes(TTL)
        wait_until(lambda: all(map(self.cluster.is_ready, NUMBERS)), TTL, "no server was taken for dead")
        self.note("both standbys killed", "no write is answered until one is back; all is well "
                  f"{time.monotonic() - begun:.0f} s after that", "strict")

    def test_a_leader_of_etcd_that_dies_is_not_noticed(self):
        with Load(self.cluster) as load:
            leader, begun = self.cluster.etcd_leader(), time.monotonic()
            self.cluster.kill(f"etcd{leader}")
            wait_until(lambda: self.cluster.etcd_leader() not in (None, leader), 20, "another one leads")
            elected = time.monotonic() - begun
            time.sleep(5)
            self.cluster.start_etcd(leader)
            wait_until(self.cluster.etcd_is_whole, 30, "it is back")
            load.wait_for_writes(LOCKS)
            pause = load.longest_pause(begun)
        self.check(f"the leader of etcd killed, another one after {elected:.1f} s", load, pause, LOCKS)

    def test_servers_are_replaced_one_after_the_other_and_nobody_notices(self):
        with Load(self.cluster) as load:
            begun = time.monotonic()
            for number in NUMBERS:
                drained = subprocess.run([PROGRAMS / "slashpost-admin", "--data", self.cluster.folder / f"server{number}", "drain",
                                          "--leave"], capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual((drained.returncode, drained.stderr), (0, ""))
                self.cluster.send(f"server{number}", signal.SIGTERM)
                wait_until(lambda one=number: not self.cluster.process(f"server{one}"), 30, "it stops")
                self.cluster.start_server(number)
                wait_until(lambda one=number: self.cluster.is_ready(one), 60, f"server {number} is ready")
            load.wait_for_writes(LOCKS)
            pause = load.longest_pause(begun)
        self.check("each server drained, stopped and started", load, pause, LOCKS)
        self.assertEqual(load.unclear, 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was started is stopped then, too
    unittest.main(verbosity=2)
