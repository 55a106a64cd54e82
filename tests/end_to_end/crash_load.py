"""The load of the crash test: clients that write and follow links, and remember exactly what they were told.

Each writer owns its links, so that what is known of a link has one author. A write that was sent and not
answered when the server died is `pending`: afterwards it must have happened wholly or not at all.

What several threads keep in one list is compared by identity: list.remove is atomic then.
"""
import random
import threading
from collections import Counter
from dataclasses import dataclass, field, replace

from slashpost import CutOff, DOMAIN

WRITER_LINKS_MAX = 120
RECENT_ADDRESSES = 200
ROTATOR_SHARE = 0.1  # of all visits


@dataclass(frozen=True)
class State:
    """What a link's reply must say."""
    slashtag: str
    destination: str
    title: str
    favourite: bool


@dataclass(eq=False)
class Address:
    """A short address. Versions are those in its destinations; `acked` ones are known to be in force."""
    link: "Link"
    slashtag: str
    acked: int
    started: int
    ending: bool = False  # a write that ends it was sent
    ended: bool = False   # and answered


@dataclass(eq=False)
class Link:
    id: str
    state: State
    version: int
    address: Address = None
    deleted: bool = False
    received: int = 0  # redirects that clients got
    cut: int = 0       # redirects that were asked for and cut off


@dataclass(eq=False)
class Pending:
    """A write without an answer: `after` is None for a deletion, `link` is None for a creation."""
    link: Link
    after: State
    version: int


@dataclass
class Known:
    """All that the clients know together."""
    links: dict = field(default_factory=dict)      # id -> Link, deleted ones too
    addresses: list = field(default_factory=list)  # only ever appended to
    pending: list = field(default_factory=list)
    rotator: Link = None                           # whose arms all visitors are dealt out to
    arms: Counter = field(default_factory=Counter) # destination -> redirects received
    wrong: list = field(default_factory=list)      # what a client saw that must not be

    def add(self, link):
        self.links[link.id] = link
        link.address = Address(link, link.state.slashtag, link.version, link.version)
        self.addresses.append(link.address)

    def apply(self, link, after, version):
        """The write has happened."""
        old, link.version = link.address, version
        if after is None:
            link.deleted = old.ended = True
            return
        moved = after.slashtag != link.state.slashtag
        link.state = after
        if moved:
            old.ended = True
            self.add(link)
        else:
            old.acked = version

    def forget(self, link, after):
        """The write has not happened."""
        if after is None or after.slashtag != link.state.slashtag:
            link.address.ending = False
        link.address.started = link.version


def version_of(destination):
    return int(destination.rsplit("/", 1)[1])


class Writer(threading.Thread):
    def __init__(self, known, connection, name, seed, stop):
        super().__init__(name=name)
        self.known, self.connection, self.stop = known, connection, stop
        self.random = random.Random(f"{seed} {name}")
        self.mine = [link for link in list(known.links.values())
                     if link.state.title.startswith(f"{name} ") and not link.deleted]
        self.made = 0

    def run(self):
        try:
            while not self.stop.is_set():
                self.act()
        except CutOff:
            pass
        except Exception as problem:  # pylint: disable=broad-except
            self.known.wrong.append(f"{self.name}: {problem!r}")
        finally:
            self.connection.close()

    def act(self):
        dice = self.random.random()
        if not self.mine or (dice < 0.4 and len(self.mine) < WRITER_LINKS_MAX):
            self.create()
        elif dice < 0.85:
            self.update(self.random.choice(self.mine))
        else:
            self.delete(self.random.choice(self.mine))

    def write(self, method, target, body, pending):
        """Sends one write; it stays pending when no answer comes."""
        self.known.pending.append(pending)
        reply = self.connection.wanted(method, target, body)
        self.known.pending.remove(pending)
        if pending.after and State(*(reply[name] for name in State.__dataclass_fields__)) != pending.after:
            self.known.wrong.append(f"answered {reply}, wanted {pending.after}")
        return reply

    def fresh_slashtag(self):
        return f"{self.name}-{self.random.getrandbits(60):x}"

    def create(self):
        slashtag = self.fresh_slashtag()
        state = State(slashtag, f"https://example.com/{slashtag}/1", f"{self.name} {slashtag}", False)
        body = {"domain": {"fullName": DOMAIN}} | vars(state)
        reply = self.write("POST", "/v1/links", body, Pending(None, state, 1))
        link = Link(reply["id"], state, 1)
        self.known.add(link)
        self.mine.append(link)

    def update(self, link):
        version = link.version + 1
        base = link.state.destination.rsplit("/", 1)[0]
        after = replace(link.state, destination=f"{base}/{version}", title=f"{link.state.title[:40]} {version}",
                        favourite=self.random.random() < 0.5)
        if self.random.random() < 0.15:
            after = replace(after, slashtag=self.fresh_slashtag())
            link.address.ending = True
        link.address.started = version
        self.write("POST", f"/v1/links/{link.id}", vars(after), Pending(link, after, version))
        self.known.apply(link, after, version)

    def delete(self, link):
        link.address.ending = True
        self.write("DELETE", f"/v1/links/{link.id}", None, Pending(link, None, link.version))
        self.known.apply(link, None, link.version)
        self.mine.remove(link)


class Visitor(threading.Thread):
    def __init__(self, known, connection, name, seed, stop):
        super().__init__(name=name)
        self.known, self.connection, self.stop = known, connection, stop
        self.random = random.Random(f"{seed} {name}")
        self.received, self.arms, self.cut = {}, Counter(), None

    def run(self):
        try:
            while not self.stop.is_set():
                addresses = self.known.addresses
                if self.random.random() < ROTATOR_SHARE:
                    self.visit(self.known.rotator.address)
                elif addresses:
                    recent = min(len(addresses), RECENT_ADDRESSES)
                    self.visit(addresses[-self.random.randint(1, recent)])
        except CutOff:
            pass
        except Exception as problem:  # pylint: disable=broad-except
            self.known.wrong.append(f"{self.name}: {problem!r}")
        finally:
            self.connection.close()

    def visit(self, address):
        """One redirect; what it may say follows from what was answered before it and sent before its end."""
        oldest, was_ended = address.acked, address.ended
        self.cut = None if was_ended else address.link
        answer = self.connection.ask("GET", f"/{address.slashtag}")
        self.cut = None
        if answer.status == 302:
            self.received[address.link.id] = self.received.get(address.link.id, 0) + 1
            if address.link is self.known.rotator:
                self.arms[answer.headers["location"]] += 1
            version = version_of(answer.headers["location"])
            if was_ended:
                self.known.wrong.append(f"{address.slashtag} goes on to {version} after it ended")
            if not oldest <= version <= address.started:
                self.known.wrong.append(f"{address.slashtag} went to {version}, not {oldest} to {address.started}")
        elif not (answer.status == 404 and address.ending):
            self.known.wrong.append(f"{address.slashtag} was answered with {answer.status}")

    def settle(self):
        """After the end: adds what this visitor received to what is known."""
        for link, count in self.received.items():
            self.known.links[link].received += count
        self.known.arms += self.arms
        if self.cut:
            self.cut.cut += 1
