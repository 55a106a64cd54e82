"""Search beside PostgreSQL: the same rows, the same terms, in turn."""
import random
from contextlib import closing
from urllib.parse import quote

from links import base36, mixed
from load import percentile
from postgres import COUNT, PAGE, SETTINGS_SAID, Postgres
from rows.reading import WithoutPauses, spread, timed
from table import Outcome, Row, joined

PERCENTS = (50, 90, 99, 100)
MISSES = 100  # besides the terms that are cut from the data
LETTERS_MIN, LETTERS_MAX = 3, 12



def terms_of(links, wanted):
    """Half of them cut anywhere from titles and destinations, half from what is rare: slashtags and ends of addresses. Then
    as many misses: slashtags that no link has."""
    choose, terms = random.Random(5), {}
    while len(terms) < wanted:
        link = links.link(choose.randrange(links.count))
        length = choose.randint(LETTERS_MIN, LETTERS_MAX)
        rare = len(terms) % 2 == 1
        if rare:
            length = max(length, 5)
            text = choose.choice((link.slashtag, link.destination[-14:]))
        else:
            text = choose.choice((link.title, link.destination))
        begin = choose.randint(0, max(0, len(text) - length))
        term = text[begin:begin + length]
        if LETTERS_MIN <= len(term) == len(term.strip()) and link.main and not link.deleted:
            terms.setdefault(term, "rare" if rare else "anywhere")
    for _ in range(MISSES):
        terms.setdefault(base36(mixed(choose.randrange(10_000_000, 20_000_000)))[:LETTERS_MAX], "miss")
    return terms


def compare(connection, postgres, term, times, wrong):
    """Asks both for the first page and for the count; answers the count."""
    escaped = quote(term, safe="")
    took, page = timed(connection, f"/v1/links/search?term={escaped}&limit=25")
    times["page", "slashpost"].append(took)
    took, rows = postgres.ask(PAGE, term)
    times["page", "PostgreSQL"].append(took)
    if [link["id"] for link in page] != [row[0] for row in rows]:
        wrong.append(f"the page of '{term}'")
    took, counted = timed(connection, f"/v1/links/search/count?term={escaped}")
    times["count", "slashpost"].append(took)
    took, [[count]] = postgres.ask(COUNT, term)
    times["count", "PostgreSQL"].append(took)
    if counted != {"count": count}:
        wrong.append(f"the count of '{term}': {counted['count']}, not {count}")
    return count


def judged(what, ours, theirs):
    ours, theirs = ([percentile(ones, percent) for percent in PERCENTS] for ones in (ours, theirs))
    p99 = PERCENTS.index(99)
    ahead = all(one < other for one, other in zip(ours, theirs))
    return Outcome(f"{what} p99 {ours[p99]:.1f} ms, PostgreSQL's {theirs[p99]:.1f}", ours[p99] <= theirs[p99],
                   ours[p99] <= 20 and ahead)


def search(bench):
    kept = bench.kept(bench.main)
    terms = terms_of(kept.links, bench.choice.terms)
    times = {(what, who): [] for what in ("page", "count") for who in ("slashpost", "PostgreSQL")}
    wrong, found, slowest = [], [], []
    with closing(Postgres(kept.links, bench.say)) as postgres, bench.served(bench.main) as server, WithoutPauses():
        connection = server.connect()
        timed(connection, "/v1/links/search/count?term=warm")
        postgres.ask(COUNT, "warm")
        for number, (term, kind) in enumerate(terms.items()):
            count = compare(connection, postgres, term, times, wrong)
            if kind != "miss":
                found.append(count)
            slowest.append((times["page", "slashpost"][-1], times["page", "PostgreSQL"][-1], count, term))
            if number % 100 == 99:
                bench.say(f"      {number + 1} of {len(terms)} terms, slowest page {max(slowest)[0]:.1f} ms")
        connection.close()
    outcomes = [judged(what, times[what, "slashpost"], times[what, "PostgreSQL"]) for what in ("page", "count")]
    few = sum(count <= 100 for count in found)
    return joined(*outcomes, Outcome(f"{len(wrong)} of {2 * len(terms)} answers wrong", not wrong))._replace(details=(
        *(f"{what}, {who}: {spread(ones)}" for (what, who), ones in times.items()),
        f"{len(terms)} terms, {len(terms) - len(found)} of them misses; {few} with 1 to 100 links, the most common with "
        f"{max(found)}; the size is that of one workspace, {bench.main} links less those of the other and deleted ones",
        f"PostgreSQL: one column of the folded texts, GIN with gin_trgm_ops, LIKE; over a Unix socket; {SETTINGS_SAID}",
        *(f"slowest page of '{term}', {count} links: {ours:.1f} ms, PostgreSQL {theirs:.1f} ms"
          for ours, theirs, count, term in sorted(slowest, reverse=True)[:5]),
        *(f"WRONG: {what}" for what in wrong[:5])))


ROWS = [
    Row("search", "Search in one workspace",
        "1,000 terms of 3 to 12 characters cut from the data, half of them rare, plus misses; first page and count; against "
        "PostgreSQL with a trigram index over the same rows in the same run", "p99 at most PostgreSQL's, exact",
        "p99 at most 20 ms, and ahead of PostgreSQL at every percentile", search),
]
