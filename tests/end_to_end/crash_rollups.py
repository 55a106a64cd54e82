"""What a dump says of clicks must agree: totals, and rollups by hour, by day and since ever."""
from collections import Counter, defaultdict

GRAINS = ("all", "day", "hour")


def subject_of(row):
    return next((kind, row[kind]) for kind in ("domain", "link", "tag", "workspace") if kind in row)


def wrong_rollups(lines, rotators=()):
    """A sentence for each disagreement. Every click on a link of `rotators` went to one of its arms.

    Only for a store that has had rollups from its beginning, when nobody clicks.
    """
    totals, sums = Counter(), defaultdict(Counter)  # subject -> clicks; (subject, group) -> grain -> sum
    for line in lines:
        row = line.get("row", {})
        if line.get("table") == "link_clicks":
            totals["link", row["link"]] += row["clicks"]
            totals["workspace", row["workspace"]] += row["clicks"]
        elif line.get("table") == "rollups":
            for name, number in row["counts"]:
                group = name[0] if isinstance(name, str) else chr(int(name["hex"][:2], 16))
                sums[subject_of(row), group][row["grain"]] += number
    wrong = []
    for subject, clicks in totals.items():
        if sums[subject, "c"]["all"] != clicks:
            wrong.append(f"{subject}: {clicks} clicks, in the rollups {sums[subject, 'c']['all']}")
    for (subject, group), by_grain in sums.items():
        if group in "csbra" and len({by_grain[grain] for grain in GRAINS}) != 1:
            wrong.append(f"{subject}: group {group} is {dict(by_grain)}")
        if group == "c" and subject[0] in ("link", "workspace") and subject not in totals:
            wrong.append(f"{subject}: has rollups and no clicks")
    for link in rotators:
        arms, clicks = sums[("link", link), "a"]["all"], totals["link", link]
        if arms != clicks:
            wrong.append(f"link {link}: {clicks} clicks, on its arms {arms}")
    return wrong
