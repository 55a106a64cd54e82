"""A steady load on a cluster: writers and visitors who remember exactly what they were answered, and when.

A write that was sent and not answered with a success may have happened or not; all others must have.
"""
import itertools
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass

from slashpost import Connection, CutOff

UNCLEAR = {500, 502, 503, 504}  # of the balancer, too
PATIENCE = 10  # seconds, after which a caller calls again
PAUSE = 0.02   # seconds between two calls
WRITERS, VISITORS, LINKS = 3, 4, 30
RUNS = itertools.count()  # each load has slashtags of its own


@dataclass
class Link:
    id: str
    acked: int    # the version of which a success was answered
    started: int  # the last one that was sent


class Client(threading.Thread):
    """Connects anew after whatever ends a connection."""

    def __init__(self, name, port, key, domain, stop):
        super().__init__(name=name, daemon=True)
        self.port, self.key, self.domain, self.stop = port, key, domain, stop
        self.connection = None
        self.wrong = []  # what must not be

    def is_connected(self):
        if self.connection:
            return True
        try:
            self.connection = Connection(self.port, self.key, host=self.domain)
            self.connection.socket.settimeout(PATIENCE)
        except OSError:
            return False
        return True

    def ask(self, method, target, body=None):
        """None when no answer came."""
        try:
            return self.connection.ask(method, target, body)
        except CutOff:
            self.connection.close()
            self.connection = None
            return None

    def run(self):
        try:
            while not self.stop.wait(PAUSE):
                if self.is_connected():
                    self.act()
        except Exception as problem:  # pylint: disable=broad-except
            self.wrong.append(f"{self.name}: {problem!r}")
        finally:
            if self.connection:
                self.connection.close()


class Writer(Client):
    """Makes links and changes them; each is its own."""

    def __init__(self, *words):
        super().__init__(*words)
        self.links, self.maybe = {}, set()  # slashtag -> Link; those of which it is not known whether they were made
        self.to_change = []                 # not those of which a change is unclear: it may still come
        self.answered = []                  # when
        self.unclear = 0
        self.random = random.Random(self.name)

    def act(self):
        if self.to_change and self.random.random() < 0.5:
            self.change(self.random.choice(self.to_change))
            return
        slashtag = f"{self.name}-{len(self.links) + len(self.maybe)}"
        reply = self.write("/v1/links", slashtag, 1)
        if reply:
            self.links[slashtag] = Link(reply["id"], 1, 1)
            self.to_change.append(slashtag)
        else:
            self.maybe.add(slashtag)

    def change(self, slashtag):
        link = self.links[slashtag]
        link.started += 1
        if self.write(f"/v1/links/{link.id}", slashtag, link.started):
            link.acked = link.started
        else:
            self.to_change.remove(slashtag)

    def write(self, target, slashtag, version):
        answer = self.ask("POST", target, {"slashtag": slashtag, "destination": f"https://example.com/{slashtag}/{version}"})
        if answer and answer.status == 200:
            self.answered.append(time.monotonic())
            return answer.json()
        if answer and answer.status not in UNCLEAR:
            self.wrong.append(f"{target} {slashtag}: {answer.status} {answer.body!r}")
        self.unclear += 1
        return None

    def check(self, there):
        """Compares with all links that there are: slashtag -> destination."""
        for slashtag, link in self.links.items():
            version = int(there.get(slashtag, "/0").rpartition("/")[2])
            if not link.acked <= version <= link.started:
                self.wrong.append(f"{slashtag} is at version {version}, not {link.acked} to {link.started}")
        unknown = [slashtag for slashtag in there if slashtag.startswith(f"{self.name}-")
                   and slashtag not in self.links and slashtag not in self.maybe]
        self.wrong += [f"{slashtag} was never asked for" for slashtag in unknown]


class Visitor(Client):
    """Follows links that everybody knows."""

    def __init__(self, slashtags, *words):
        super().__init__(*words)
        self.slashtags, self.received, self.slowest = slashtags, Counter(), 0
        self.random = random.Random(self.name)

    def is_connected(self):
        if super().is_connected():
            return True
        self.wrong.append("the balancer cannot be reached")
        return False

    def act(self):
        slashtag, begun = self.random.choice(self.slashtags), time.monotonic()
        answer = self.ask("GET", f"/{slashtag}")
        self.slowest = max(self.slowest, time.monotonic() - begun)
        if answer and answer.status == 302 and answer.headers["location"] == f"https://example.com/{slashtag}":
            self.received[slashtag] += 1
        else:
            self.wrong.append(f"{slashtag} was answered with {answer and answer.status}")


class Load:
    """Runs until the end of a `with`; then everything that was answered has to be there. `ports` are those of servers that are
    written to without the balancer, too."""

    def __init__(self, cluster, *ports):
        self.cluster, self.stop = cluster, threading.Event()
        words = (cluster.layout.balancer, cluster.key, cluster.layout.domain, self.stop)
        run = f"run{next(RUNS)}"
        self.api = Connection(*words[:2], host=words[2])
        self.slashtags = [f"{run}-link-{i}" for i in range(LINKS)]
        self.ids = {tag: self.api.wanted("POST", "/v1/links", {"slashtag": tag, "destination": f"https://example.com/{tag}"})["id"]
                    for tag in self.slashtags}
        self.writers = [Writer(f"{run}-writer-{i}", *words) for i in range(WRITERS)]
        self.writers += [Writer(f"{run}-writer-of-{port}", port, *words[1:]) for port in ports]
        self.visitors = [Visitor(self.slashtags, f"{run}-visitor-{i}", words[0], "", *words[2:]) for i in range(VISITORS)]
        self.retries_before = 0

    def __enter__(self):
        self.warm()
        self.retries_before = self.retries()
        for client in (*self.writers, *self.visitors):
            client.start()
        time.sleep(1)
        return self

    def __exit__(self, kind, *_):
        self.stop.set()
        for client in (*self.writers, *self.visitors):
            client.join(2 * PATIENCE)
        self.api.close()
        if kind is None and any(client.is_alive() for client in (*self.writers, *self.visitors)):
            raise AssertionError("a client hangs")

    def warm(self):
        """Every server has heard of the links and knows them, as each may have to serve all; these visits count."""
        self.warmed = Counter()
        for number in (1, 2, 3):
            connection = Connection(self.cluster.layout.server(number), host=self.cluster.layout.domain)
            for slashtag in self.slashtags:
                end = time.monotonic() + 2
                while connection.ask("GET", f"/{slashtag}").status != 302:
                    assert time.monotonic() < end, f"server {number} does not know {slashtag}"
                    time.sleep(0.02)
                self.warmed[slashtag] += 1
            connection.close()

    def retries(self):
        """How often the balancer has asked another server for a visit, so far."""
        return sum(int(line["wretr"]) for line in self.cluster.balancer_figures()
                   if line["pxname"] in ("visits", "visits_alive") and line["svname"] == "BACKEND")

    def longest_pause(self, begun):
        """Of writes, in seconds from then on: between two that any writer was answered."""
        moments = sorted(moment for writer in self.writers for moment in writer.answered if moment >= begun)
        return max(after - before for before, after in itertools.pairwise([begun, *moments, time.monotonic()]))

    def wait_for_writes(self, seconds, since=None):
        """Until one that was sent by now is answered; how long that took."""
        begun = since or time.monotonic()
        while not any(writer.answered and writer.answered[-1] > begun for writer in self.writers):
            assert time.monotonic() < begun + seconds, f"no write for {seconds} s"
            time.sleep(0.01)
        return time.monotonic() - begun

    @property
    def acked(self):
        return sum(len(writer.answered) for writer in self.writers)

    @property
    def unclear(self):
        return sum(writer.unclear for writer in self.writers)

    @property
    def received(self):
        return sum((visitor.received for visitor in self.visitors), Counter()) + self.warmed

    @property
    def slowest_visit(self):
        return max(visitor.slowest for visitor in self.visitors)

    def wrong(self):
        """After the end: whatever must not be, in words."""
        connection = Connection(self.cluster.layout.balancer, self.cluster.key, host=self.cluster.layout.domain)
        there = {link["slashtag"]: link["destination"] for link in connection.links()}
        for writer in self.writers:
            writer.check(there)
        wrong = [what for client in (*self.writers, *self.visitors) for what in client.wrong]
        counted, retries, received = self.counted(connection), self.retries() - self.retries_before, self.received
        connection.close()
        wrong += [f"{tag}: {counted[tag]} clicks of {received[tag]}" for tag in self.slashtags if counted[tag] < received[tag]]
        if counted.total() > received.total() + retries:
            wrong.append(f"{counted.total()} clicks of {received.total()}, {retries} of which were asked for twice")
        return wrong

    def counted(self, connection):
        """Clicks by slashtag, once they grow no more."""
        before, counted = None, Counter()
        while counted != before:
            time.sleep(2)
            before, counted = counted, Counter({tag: self.clicks(connection, link) for tag, link in self.ids.items()})
        return counted

    @staticmethod
    def clicks(connection, link):
        """Reading is for who can wait: what was killed may be coming back still."""
        end = time.monotonic() + 60
        while (answer := connection.ask("GET", f"/v1/links/{link}")).status in UNCLEAR and time.monotonic() < end:
            time.sleep(1)
        assert answer.status == 200, f"{link}: {answer.status} {answer.body!r}"
        return answer.json()["clicks"]
