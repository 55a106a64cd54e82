"""A dump (see app/admin/dump_parts.h) with the links of links.py and their clicks, made from the dump of a store that has
everything else; and the same links as CSV. How a store gets its links is decided in stores.py."""
import csv
import hashlib
import json
from collections import Counter
from datetime import datetime, timezone

from links import CREATORS, DAY_MS, DOMAINS, MONTH_DAY, clicks_of, domain_of, is_main, mixed, name_of_tag, tags_of

COUNTRIES = ("de us gb fr at ch nl be it es pt pl cz dk se no fi ie ca au nz jp kr cn in br mx ar cl za ng ke eg tr gr ro bg "
             "hu sk si hr rs ua lt lv ee is lu mt cy il ae sa sg my th vn ph id pk").split()
MONTH_DAYS = 30


def iso(milliseconds):
    moment = datetime.fromtimestamp(milliseconds // 1000, timezone.utc)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


class House:
    """Ids of what the store has besides links, read from its dump."""

    def __init__(self, rows):
        by_name = {table: {row[key]: row["id"] for one, row in rows if one == table}
                   for table, key in (("accounts", "username"), ("domains", "full_name"), ("tags", "name"))}
        homes = {row["username"]: row["default_workspace"] for table, row in rows if table == "accounts"}
        self.accounts = by_name["accounts"]
        self.domains = [by_name["domains"][name] for name in DOMAINS]
        self.tags = [by_name["tags"][name] for name in sorted(by_name["tags"])]
        self.main, self.other = homes["admin"], homes["ann"]

    def workspace(self, number):
        return self.main if is_main(number) else self.other

    def creator(self, link):
        return self.accounts[CREATORS[link.creator] if link.main else "ann"]


def link_row(link, house):
    text = json.dumps
    tags = ",".join(f'"{house.tags[tag]}"' for tag in link.tags) if link.main else ""
    return (f'{{"id":"{link.id}","workspace":"{house.workspace(link.number)}","domain":"{house.domains[link.domain]}",'
            f'"creator":"{house.creator(link)}","slashtag":"{link.slashtag}","slashtag_key":"{link.slashtag}",'
            f'"destination":{text(link.destination)},"title":{text(link.title)},"description":{text(link.description)},'
            f'"type":1,"status":{3 if link.deleted else 1},"favourite":{"true" if link.favourite else "false"},'
            f'"forward_parameters":true,"created_at":"{iso(link.created_ms)}","updated_at":"{iso(link.updated_ms)}",'
            f'"tags":[{tags}],"scripts":[],"routing":""}}')


def month_of_clicks(clicks):
    """Day by day: counts by country, device, system, browser, language and referrer, that add up to `clicks`."""
    for day in range(MONTH_DAYS):
        of_day = clicks // MONTH_DAYS + (clicks % MONTH_DAYS if day == 0 else 0)
        counts = {"c": of_day, "s": of_day // 2}
        left = of_day
        for place, country in enumerate(COUNTRIES):
            share = left // 5 if place + 1 < len(COUNTRIES) else left
            left -= share
            if share:
                counts["C" + country] = share
        for letter, values in (("D", ("mobile", "desktop")), ("O", ("android", "windows")), ("B", ("chrome", "firefox")),
                               ("L", ("en", "de"))):
            counts |= {letter + value: of_day // 3 for value in values}
        counts |= {f"Rsite{number:03}.example.org": of_day // 400 for number in range(200) if of_day >= 400}
        yield MONTH_DAY + day, counts


class Figures:
    """What clicks add up to, of everything that has a sum of them."""

    def __init__(self, links, house):
        self.links, self.house = links, house
        self.days = {}    # subject of rollups, as JSON members -> day -> clicks
        self.of_workspace, self.of_domain, self.of_workspace_day, self.last = Counter(), Counter(), Counter(), {}

    def add(self, subject, days):
        sums = self.days.setdefault(subject, Counter())
        for day, counts in days:
            sums[day] += counts["c"]

    def rows(self):
        """(table, row as JSON); `links` is read once more for it."""
        for number in range(self.links.count):
            mix = mixed(number)
            created = self.links.created_ms(number)
            clicks, last = clicks_of(number, mix, created)
            if clicks:
                yield from self.rows_of(number, mix, clicks, last)
        yield from self.sums()

    def rows_of(self, number, mix, clicks, last):
        house, link = self.house, self.links.id_of(number)
        workspace, domain = house.workspace(number), house.domains[domain_of(mix)]
        days = list(month_of_clicks(clicks)) if number < 2 else [(last // DAY_MS, {"c": clicks, "s": -(-clicks // 2)})]
        yield "link_clicks", f'{{"workspace":"{workspace}","link":"{link}","clicks":{clicks}}}'
        yield "last_clicks", f'{{"workspace":"{workspace}","link":"{link}","at":"{iso(last)}"}}'
        life = Counter()
        for day, counts in days:
            life.update({name: counts[name] for name in ("c", "s")})
            yield "rollups", rollup(f'"link":"{link}"', "day", day, counts)
            self.of_workspace_day[workspace, day] += counts["c"]
        yield "rollups", rollup(f'"link":"{link}"', "all", 0, life)
        self.of_workspace[workspace] += clicks
        self.of_domain[domain, workspace] += clicks
        self.last[workspace] = max(last, self.last.get(workspace, 0))
        self.add(f'"workspace":"{workspace}"', days)
        self.add(f'"domain":"{domain}","workspace":"{workspace}"', days)
        for tag in tags_of(mix) if is_main(number) else ():
            self.add(f'"tag":"{house.tags[tag]}"', days)

    def sums(self):
        for workspace, clicks in self.of_workspace.items():
            yield "workspace_clicks", f'{{"workspace":"{workspace}","clicks":{clicks}}}'
            yield "last_clicks", f'{{"workspace":"{workspace}","link":"{"0" * 32}","at":"{iso(self.last[workspace])}"}}'
        for (domain, workspace), clicks in self.of_domain.items():
            yield "domain_clicks", f'{{"domain":"{domain}","workspace":"{workspace}","clicks":{clicks}}}'
        for (workspace, day), clicks in self.of_workspace_day.items():
            yield "workspace_days", f'{{"workspace":"{workspace}","day":{day},"clicks":{clicks}}}'
        for subject, days in self.days.items():
            yield "rollups", rollup(subject, "all", 0, {"c": sum(days.values())})
            for day, clicks in days.items():
                yield "rollups", rollup(subject, "day", day, {"c": clicks})


def rollup(subject, grain, bucket, counts):
    pairs = ",".join(f'["{name}",{counts[name]}]' for name in sorted(counts))
    return f'{{{subject},"grain":"{grain}","bucket":{bucket},"counts":[{pairs}]}}'


def read_dump(path):
    """Its header, and (table, row) of each line."""
    header, *lines, _ = path.read_text(encoding="utf-8").splitlines()
    read = [json.loads(line) for line in lines]
    return header, [(line["table"], line["row"]) for line in read]


def write_dump(base, links, path):
    """All of the dump `base`, whose store has no links, and the links; answers how many rows there are."""
    header, rows = read_dump(base)
    house = House(rows)
    digest, count = hashlib.sha256(), 0
    with path.open("wb", buffering=1 << 20) as out:
        def put(table, row):
            nonlocal count
            line = f'{{"table":"{table}","row":{row}}}\n'.encode()
            digest.update(line)
            out.write(line)
            count += 1
        begin = header.encode() + b"\n"
        digest.update(begin)
        out.write(begin)
        for table, row in rows:
            put(table, json.dumps(row))
        for link in links:
            put("links", link_row(link, house))
        for table, row in Figures(links, house).rows():
            put(table, row)
        out.write(f'{{"rows":{count},"sha256":"{digest.hexdigest()}"}}\n'.encode())
    return count


def write_csv(links, path):
    """For `slashpost-admin import csv`: the links of the main workspace that are not deleted; answers how many."""
    count = 0
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["destination", "slashtag", "title", "domain", "tags", "description", "createdAt", "clicks"])
        for link in links:
            if link.deleted or not link.main:
                continue
            writer.writerow([link.destination, link.slashtag, link.title, DOMAINS[link.domain],
                             ",".join(map(name_of_tag, link.tags)), link.description, iso(link.created_ms), link.clicks])
            count += 1
    return count
