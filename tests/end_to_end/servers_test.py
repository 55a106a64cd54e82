#!/usr/bin/env python3
"""Several servers on one store on PostgreSQL: what one changes the others know, clicks count once, work that is done once goes
on when the server that does it is gone, and who was taken for dead says so."""
import contextlib
import datetime
import signal
import threading
import time
import unittest

from on_postgres import OnPostgres
from slashpost import Connection, wait_until

TAKEN_FOR_DEAD = "the others have not heard of this server for ten seconds and took it for dead; start it again"


class Servers(OnPostgres):
    def servers(self, *names):
        """Started; the first one makes the account and has every duty."""
        servers = [self.server(name) for name in names]
        servers[0].start()
        for server in servers[1:]:
            server.key = servers[0].key
            server.spawn()
        for server in servers[1:]:
            server.start_spawned()
        return servers

    def operations(self, server, target):
        connection = Connection(server.ops_port, host="localhost")
        self.addCleanup(connection.close)
        return connection.ask("GET", target)

    def metric(self, server, name):
        text = self.operations(server, "/metrics").body.decode()
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} "))

    def leads(self, connection, slashtag):
        answer = connection.ask("GET", f"/{slashtag}")
        return answer.headers["location"] if answer.status == 302 else answer.status

    def within_a_second(self, connection, slashtag, wanted):
        begun = time.monotonic()
        wait_until(lambda: self.leads(connection, slashtag) == wanted, 1, f"{slashtag} leads to {wanted}")
        return time.monotonic() - begun

    def test_a_change_on_one_server_is_known_to_the_others(self):
        first, second = (server.connect() for server in self.servers("first", "second"))
        links, delays = [], []
        for i in range(50):
            self.assertEqual(self.leads(second, f"s{i}"), 404)  # which it remembers
            links.append(first.wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}", "slashtag": f"s{i}"}))
            self.assertEqual(second.wanted("GET", f"/v1/links/{links[i]['id']}")["slashtag"], f"s{i}")  # at once
            delays.append(self.within_a_second(second, f"s{i}", f"https://example.com/{i}"))
        for i, link in enumerate(links):
            first.wanted("POST", f"/v1/links/{link['id']}", {**link, "destination": f"https://example.com/new/{i}"})
            self.assertEqual(second.wanted("GET", f"/v1/links/{link['id']}")["destination"], f"https://example.com/new/{i}")
            delays.append(self.within_a_second(second, f"s{i}", f"https://example.com/new/{i}"))
        self.assertEqual(len(delays), 100)
        self.assertEqual(second.ask("DELETE", f"/v1/links/{links[0]['id']}").status, 200)
        self.within_a_second(first, "s0", 404)

    def test_a_domain_that_is_turned_off_on_one_server_answers_on_none(self):
        first, second = self.servers("first", "second")
        first.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x"})
        connection = second.connect()
        self.within_a_second(connection, "x", "https://example.com/")
        self.assertEqual(first.admin("domain", "set", first.domain, "--active", "no")[0], 0)
        self.within_a_second(connection, "x", 404)
        self.assertEqual(first.admin("domain", "set", first.domain, "--active", "yes")[0], 0)
        self.within_a_second(connection, "x", "https://example.com/")

    def test_a_link_that_expires_has_expired_on_all_servers(self):
        first, second = (server.connect() for server in self.servers("first", "second"))
        second.wanted("GET", "/v1/links")  # it knows that none will expire
        end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        link = first.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x",
                                                  "expiresAt": end.strftime("%Y-%m-%dT%H:%M:%S.%fZ")[:23] + "Z"})
        self.within_a_second(second, "x", "https://example.com/")
        time.sleep(2.2)
        for connection in (second, first):
            self.assertEqual(connection.wanted("GET", f"/v1/links/{link['id']}")["status"], "expired")
            self.assertNotEqual(connection.ask("GET", "/x").status, 302)

    def visit_much(self, server, slashtag, times):
        """Some hundred at a time, as a browser would not."""
        connection, at_once = server.connect(), 100
        for _ in range(times // at_once):
            connection.send_bytes(f"GET /{slashtag}{connection.head}\r\n".encode() * at_once)
            for _ in range(at_once):
                self.assertEqual(connection.receive().status, 302)
        connection.close()

    def test_clicks_over_three_servers_count_exactly_with_one_killed_in_between(self):
        servers = self.servers("first", "second", "third")
        link = servers[0].connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x"})["id"]
        for server in servers:
            connection = server.connect()
            wait_until(lambda one=connection: self.leads(one, "x") != 404, 1, "the link is known")
        extra = len(servers)  # of the visits that asked for it, of which at least the last one counted

        def visit(server, times):
            self.visit_much(server, "x", times)

        threads = [threading.Thread(target=visit, args=(server, times))
                   for server, times in zip(servers, (10_000, 10_000, 6_000), strict=True)]
        for thread in threads:
            thread.start()
        threads[2].join()
        servers[2].kill()  # some of what it answered is only in its journal
        servers[2].start()
        self.visit_much(servers[2], "x", 4_000)
        for thread in threads:
            thread.join()
        connection = servers[1].connect()
        wanted = 30_000 + extra
        wait_until(lambda: connection.wanted("GET", f"/v1/links/{link}")["clicks"] >= wanted, 20, f"{wanted} clicks")
        self.assertEqual(sum(self.metric(server, "slashpost_clicks_unfolded") for server in servers), 0)
        time.sleep(1)
        self.assertEqual(connection.wanted("GET", f"/v1/links/{link}")["clicks"], wanted)

    def jobs(self, server):
        return self.metric(server, "slashpost_jobs_waiting")

    def leave_a_job(self, server):
        """Deletes a tag of a link: the link is to lose it in the background."""
        connection = server.connect()
        tag = connection.wanted("POST", "/v1/tags", {"name": f"tag {time.monotonic_ns()}"})
        link = connection.wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        connection.wanted("POST", f"/v1/links/{link['id']}/tags/{tag['id']}")
        self.assertEqual(connection.ask("DELETE", f"/v1/tags/{tag['id']}").status, 200)

    def test_a_server_that_sleeps_too_long_is_taken_for_dead_and_its_work_goes_on(self):
        first, second = self.servers("first", "second")
        first.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "x"})
        self.visit(first, "x")
        self.assertEqual(self.metric(second, "slashpost_store_servers"), 2)
        first.process.send_signal(signal.SIGSTOP)
        self.addCleanup(first.process.send_signal, signal.SIGCONT)
        self.leave_a_job(second)
        second.says("is taken for dead: nothing was heard of it for ten seconds.", 20)
        wait_until(lambda: self.jobs(second) == 0, 10, "the other one works off what waits")
        self.assertEqual(self.metric(second, "slashpost_store_servers"), 1)

        first.process.send_signal(signal.SIGCONT)
        answer = first.connect().ask("POST", "/v1/links", {"destination": "https://example.com/"})
        self.assertEqual(answer.status, 503)
        wait_until(lambda: TAKEN_FOR_DEAD in self.operations(first, "/readyz").body.decode(), 5, "it says so")
        self.assertEqual(self.operations(first, "/readyz").status, 503)
        self.assertEqual(self.metric(first, "slashpost_store_writable"), 0)
        self.visit(first, "x", 3)  # redirects go on, and follow what the others change
        second.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/y", "slashtag": "y"})
        self.within_a_second(first.connect(), "y", "https://example.com/y")
        first.kill()
        first.start()
        first.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/"})

    def test_work_goes_over_to_another_server_when_the_first_one_is_stopped(self):
        first, second = self.servers("first", "second")
        code, said = first.admin("drain", "--leave")
        self.assertEqual((code, said), (0, "Nothing is left: every click that was taken here is counted.\n"))
        self.assertEqual(self.operations(first, "/readyz").status, 503)
        self.assertEqual(first.stop(), 0)
        self.leave_a_job(second)
        wait_until(lambda: self.jobs(second) == 0, 5, "the other one works off what waits")
        self.assertEqual(second.admin("drain")[0], 0)
        self.assertEqual(second.admin("verify")[0], 0)

    def test_events_are_read_in_order_from_any_server_and_none_is_skipped(self):
        servers = self.servers("first", "second")
        last = servers[0].connect().wanted("GET", "/v1/events")["last"]
        done = threading.Event()
        seen = []

        def read():
            connection, place, end = servers[0].connect(), last, time.monotonic() + 30
            while len(seen) < 80 and time.monotonic() < end:
                page = connection.wanted("GET", f"/v1/events?last={place}&limit=100")
                place = page["last"]
                seen.extend(event["id"] for event in page["events"] if event["type"] == "link.created")
                done.wait(0.02)

        def write(server):
            connection = server.connect()
            for i in range(40):
                connection.wanted("POST", "/v1/links", {"destination": f"https://example.com/{i}"})

        reader = threading.Thread(target=read)
        writers = [threading.Thread(target=write, args=(server,)) for server in servers]
        for thread in (reader, *writers):
            thread.start()
        for thread in writers:
            thread.join()
        reader.join(60)
        self.assertFalse(reader.is_alive())
        self.assertEqual(len(seen), 80)
        self.assertEqual(seen, sorted(set(seen)))

    def test_a_program_with_a_newer_format_waits_until_it_is_alone(self):
        first, = self.servers("first")
        self.postgres.query(f"UPDATE {self.schema}.s_1 SET v = '14' WHERE k = 'format'")
        second = self.server("second")
        second.spawn()
        self.assertEqual(second.process.wait(30), 1)
        self.assertIn("but not while other servers use it: stop them all, and start this one first.", second.said())
        self.assertEqual(first.stop(), 0)
        second.key = first.key
        second.start()

    def test_two_servers_that_make_a_store_at_the_same_moment_share_it(self):
        first, second = self.server("first"), self.server("second")
        first.spawn()
        second.spawn()
        for server in (first, second):
            wait_until(server.ready, 30, f"ready; it said:\n{server.said()}")
        keys = [line for server in (first, second) for line in server.log("out").read_text().splitlines()
                if line.startswith("API key: ")]
        self.assertEqual(len(keys), 1)
        for server in (first, second):
            server.key = keys[0].removeprefix("API key: ")
            server.connect().wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        with contextlib.closing(second.connect()) as connection:
            self.assertEqual(connection.wanted("GET", "/v1/links/count")["count"], 2)


if __name__ == "__main__":
    unittest.main()
