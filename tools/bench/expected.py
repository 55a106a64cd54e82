"""What lists and counts of the main workspace have to answer, by going through all links."""
from datetime import datetime, timezone
from itertools import combinations, compress
from typing import NamedTuple

from links import CREATORS, TAGS

ORDERS = ("createdAt", "updatedAt", "title", "slashtag", "clicks", "lastClickAt")


class Filter(NamedTuple):
    kind: str
    query: str   # with & before each part
    mask: bytes  # of each row: 1 when it passes; nothing of its being deleted
    tallied: bool = False
    deleted: bool = False


def as_number(mask):
    return int.from_bytes(mask, "little")


class Expected:
    def __init__(self, links, house):
        self.house, self.ids = house, []
        updated, titles, slashtags, clicks, last_clicks = [], [], [], [], []
        self.domains, self.creators, self.tags, self.created = bytearray(), bytearray(), [], []
        deleted, favourite = bytearray(), bytearray()
        for link in links:
            if not link.main:
                continue
            self.ids.append(link.id)
            updated.append(link.updated_ms)
            titles.append(link.title.casefold().encode())
            slashtags.append(link.slashtag)
            clicks.append(link.clicks)
            last_clicks.append(link.last_click_ms)
            self.created.append(link.created_ms)
            self.tags.append(link.tags)
            for column, value in ((self.domains, link.domain), (self.creators, link.creator), (deleted, link.deleted),
                                  (favourite, link.favourite)):
                column.append(value)
        self.count = len(self.ids)
        everything = range(self.count)  # in the order of ids, by which equals are ordered: sorting keeps that
        keys = dict(zip(ORDERS[1:], (updated, titles, slashtags, clicks, last_clicks)))
        self.orders = {"createdAt": everything} | {name: sorted(everything, key=column.__getitem__)
                                                   for name, column in keys.items()}
        self.deleted, self.favourite = bytes(deleted), bytes(favourite)
        self.kept = bytes(1 - value for value in deleted)
        some = next(at for at in range(self.count // 2, self.count) if not deleted[at])
        self.singles = self.make_singles(slashtags, slashtags[some])

    def make_singles(self, slashtags, slashtag):
        def one(kind, query, passes, tallied=False):
            return Filter(kind, "&" + query, bytes(map(passes, range(self.count))), tallied)

        def domain(number):
            return one("domain", f"domain.id={self.house.domains[number]}", lambda at: self.domains[at] == number, True)

        def tag(*numbers):
            ids = ",".join(self.house.tags[number] for number in numbers)
            return one("tag", f"tag.id={ids}", lambda at: any(number in self.tags[at] for number in numbers),
                       len(numbers) == 1)

        def creator(number):
            return one("creator", f"creator.id={self.house.accounts[CREATORS[number]]}",
                       lambda at: self.creators[at] == number, True)

        def dates(days):
            day_ms = 86_400_000
            first = self.created[self.count // 2] // day_ms
            query = f"dateFrom={day_name(first)}&dateTo={day_name(first + days - 1)}"
            return one("dates", query, lambda at: first <= self.created[at] // day_ms < first + days)

        return [domain(0), domain(2), domain(15), tag(0), tag(5), tag(TAGS - 1), tag(1, TAGS - 2), creator(0), creator(2),
                one("favourite", "favourite=true", lambda at: self.favourite[at] == 1, True),
                one("favourite", "favourite=false", lambda at: self.favourite[at] == 0, True),
                dates(30), dates(1),
                Filter("status", "&status.active=false", b"\1" * self.count, True, True),
                one("slashtag", f"slashtag={slashtag}", lambda at: slashtags[at] == slashtag)]

    def both(self, one, other):
        mask = (as_number(one.mask) & as_number(other.mask)).to_bytes(self.count, "little")
        tallied = one.tallied and other.tallied and "tag" not in (one.kind, other.kind) \
            and "creator" not in (one.kind, other.kind)
        kinds = {one.kind, other.kind}
        if kinds in ({"status", "tag"}, {"status", "creator"}):
            tallied = one.tallied and other.tallied
        return Filter(f"{one.kind} and {other.kind}", one.query + other.query, mask, tallied, one.deleted or other.deleted)

    def filters(self):
        """None, each alone, and pairs of different kinds: the first of each kind, and the last of each."""
        yield Filter("none", "", b"\1" * self.count, True)
        yield from self.singles
        kinds = {}
        for one in self.singles:
            kinds.setdefault(one.kind, []).append(one)
        for one, other in combinations(kinds.values(), 2):
            yield self.both(one[0], other[0])
            if len(one) > 1 or len(other) > 1:
                yield self.both(one[-1], other[-1])

    def passing(self, wanted):
        """The mask of a filter, deleted links looked at."""
        state = self.deleted if wanted.deleted else self.kept
        return (as_number(wanted.mask) & as_number(state)).to_bytes(self.count, "little")

    def ordered(self, wanted, order):
        """Places of all that pass, ascending."""
        mask, places = self.passing(wanted), self.orders[order]
        return list(compress(places, map(mask.__getitem__, places)))


def day_name(day):
    return f"{datetime.fromtimestamp(day * 86_400, timezone.utc):%Y-%m-%d}"
