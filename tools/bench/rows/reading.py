"""Reading: pages of lists and counts, each compared with what all links say; statistics."""
import gc
import json
import statistics
import time

from dumps import COUNTRIES, MONTH_DAYS
from expected import ORDERS, Expected, day_name
from links import CLICKS_OF_FIRST, MONTH_DAY
from load import percentile, settle
from table import Outcome, Row, joined

PAGE = 25
FLAT = 1.5  # times the median at the small size, above which a time is not flat


def timed(connection, target):
    """(milliseconds at the client, answer)"""
    began = time.perf_counter_ns()
    answer = connection.ask("GET", target)
    took = (time.perf_counter_ns() - began) / 1e6
    if answer.status != 200:
        raise RuntimeError(f"{target}: {answer.status} {answer.body[:300]!r}")
    return took, answer.json()


class WithoutPauses:
    """The client's own garbage collection is no time of the server."""

    def __enter__(self):
        gc.collect()
        gc.freeze()
        gc.disable()

    def __exit__(self, *_):
        gc.enable()
        gc.unfreeze()


def pages_of(expected, wanted, order):
    """(query, ids that must come) of the first, middle and last pages, in both directions."""
    ascending = expected.ordered(wanted, order)
    for direction, places in (("asc", ascending), ("desc", ascending[::-1])):
        begins = sorted({0, len(places) // 2, max(0, len(places) - PAGE)} if len(places) > PAGE else {0})
        for begin in begins:
            last = expected.ids[places[begin - 1]] if begin else ""
            yield (f"/v1/links?limit={PAGE}&orderBy={order}&orderDir={direction}&last={last}{wanted.query}",
                   [expected.ids[at] for at in places[begin:begin + PAGE]])


def list_times(bench, count):
    """(milliseconds, what) of every page, slowest first, and the queries whose answer was wrong. What is right is computed
    before: sorting all links between two requests would leave nothing of the server in the processor's caches."""
    kept = bench.kept(count)
    expected = Expected(kept.links, kept.house)
    pages = [(f"{order}, filter {wanted.kind}: {query}", query, ids) for wanted in expected.filters() for order in ORDERS
             for query, ids in pages_of(expected, wanted, order)]
    times, wrong = [], []
    with bench.served(count) as server, WithoutPauses():
        settle(server.process.pid)  # it fills its cache of redirects when it starts
        connection = server.connect()
        timed(connection, "/v1/links?limit=25")
        for what, query, ids in pages:
            took, rows = timed(connection, query)
            times.append((took, what))
            if [row["id"] for row in rows] != ids:
                wrong.append(query)
        connection.close()
    bench.say(f"      {count} links: {len(times)} pages, slowest {max(times)[0]:.1f} ms")
    return sorted(times, reverse=True), wrong


def lists(bench):
    (times, wrong), (few_times, few_wrong) = (list_times(bench, count) for count in (bench.main, bench.small))
    p99, slowest = percentile([took for took, _ in times], 99), times[0][0]
    wrong += few_wrong
    return joined(Outcome(f"p99 {p99:.2f} ms, slowest {slowest:.0f} ms", p99 <= 60 and slowest <= 250,
                          p99 <= 20 and slowest <= 60),
                  Outcome(f"{len(wrong)} of {len(times) + len(few_times)} pages wrong", not wrong))._replace(details=(
                      f"{bench.main} links: {spread([took for took, _ in times])}",
                      f"{bench.small} links: {spread([took for took, _ in few_times])}",
                      f"each of {len(times)} different pages of {PAGE} once, of a server at rest, compared id by id with all "
                      "links sorted by the benchmark; time at the client on one keep-alive connection over loopback, nothing "
                      "subtracted",
                      *(f"slowest: {took:.1f} ms {what}" for took, what in times[:5]),
                      *(f"WRONG: {query}" for query in wrong[:5])))


def spread(times):
    return (f"p50 {percentile(times, 50):.2f}, p90 {percentile(times, 90):.2f}, p99 {percentile(times, 99):.2f}, "
            f"max {max(times):.2f} ms")


def count_times(bench, count, repeats=30):
    kept = bench.kept(count)
    expected = Expected(kept.links, kept.house)
    right_counts = [(wanted, expected.passing(wanted).count(1)) for wanted in expected.filters() if wanted.tallied]
    times, wrong, kinds = [], [], []
    with bench.served(count) as server, WithoutPauses():
        settle(server.process.pid)  # what it does when it starts takes longer than all of these requests
        connection = server.connect()
        timed(connection, "/v1/links/count")
        for wanted, right in right_counts:
            kinds.append(wanted.kind)
            for _ in range(repeats):
                took, answer = timed(connection, f"/v1/links/count?x=0{wanted.query}".replace("x=0&", ""))
                times.append(took)
                if answer != {"count": right}:
                    wrong.append(f"{wanted.query}: {answer}, not {right}")
        connection.close()
    return times, wrong, kinds


def counts(bench):
    (times, wrong, kinds), (few_times, few_wrong, _) = (count_times(bench, count) for count in (bench.main, bench.small))
    p99 = percentile(times, 99)
    flat = statistics.median(times) / statistics.median(few_times)
    wrong += few_wrong
    return joined(Outcome(f"p99 {p99:.2f} ms, median {flat:.2f} times that of {bench.small} links", p99 <= 1, p99 <= 1 and
                          flat <= FLAT),
                  Outcome(f"{len(wrong)} of {len(times) + len(few_times)} wrong", not wrong))._replace(details=(
                      f"{bench.main} links: {spread(times)}", f"{bench.small} links: {spread(few_times)}",
                      f"filters: {', '.join(sorted(set(kinds)))}",
                      "of a server at rest; the first request of each filter is one of 30, and what is right was computed before",
                      f"flat: a median of at most {FLAT} times that of the small size",
                      *(f"WRONG: {what}" for what in wrong[:5])))


def statistics_row(bench):
    """Of the first link, with 10 M clicks, and of the second, which has 10 k in the same days and countries. The clicks are in
    the store as a fold of redirects leaves them: as counts of each day."""
    kept = bench.kept(bench.main)
    target = (f"/statistics?from={day_name(MONTH_DAY)}&to={day_name(MONTH_DAY + MONTH_DAYS - 1)}"
              "&interval=day&by=country")
    times = [[], []]
    with bench.served(bench.main) as server, WithoutPauses():
        connection = server.connect()
        for _ in range(200):
            for number, ones in enumerate(times):
                took, answer = timed(connection, f"/v1/links/{kept.links.id_of(number)}{target}")
                ones.append(took)
                if number == 0:
                    many = answer
        connection.close()
    right = many["clicks"] == CLICKS_OF_FIRST and len(many["buckets"]) == MONTH_DAYS and all(
        sum(one["clicks"] for one in bucket["by"]) == bucket["clicks"] for bucket in many["buckets"])
    countries = max(len(bucket["by"]) for bucket in many["buckets"])
    p99, flat = percentile(times[0], 99), statistics.median(times[0]) / statistics.median(times[1])
    return joined(Outcome(f"p99 {p99:.2f} ms, median {flat:.2f} times that of 10 k clicks", p99 <= 10, flat <= FLAT),
                  Outcome("" if right else "the answer is WRONG", right))._replace(details=(
                      f"10 M clicks: {spread(times[0])}", f"10 k clicks: {spread(times[1])}",
                      f"{MONTH_DAYS} days, {countries} of {len(COUNTRIES)} countries a day, "
                      f"{len(json.dumps(many)) // 1024} KiB; the clicks came with the store, not by as many redirects"))


ROWS = [
    Row("lists", "List pages in one workspace",
        "every `orderBy` and `orderDir`, each filter alone and in pairs, first, middle and last pages; p99 at the client",
        "at most 60 ms, the slowest 250 ms; complete and exact pages", "20 ms, the slowest 60 ms", lists),
    Row("counts", "Counts", "any filter with a declared tally", "at most 1 ms", "flat", counts),
    Row("statistics", "Statistics", "a month by day by country on a link with 10 M clicks", "at most 10 ms", "flat",
        statistics_row),
]
