"""The links of the benchmark: everything about one follows from its number, so that data, load and expected answers
agree without being stored. Raise VERSION when a rule changes; redirect.lua has those for slashtags and hosts too."""
import pathlib
import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

VERSION = 3  # of kept stores
ADDRESSES = pathlib.Path(__file__).parents[3] / "shared/data/urls.txt"
WORDS = ("sale news spring summer autumn winter promo event offer guide press jobs blog video shop card mail print flyer "
         "poster fair talk demo help docs beta launch gift club team week tour").split()
# In ten-thousandths, added up: so many links are on one of the domains up to this.
SHARES = (5000, 6800, 7700, 8300, 8700, 9000, 9250, 9450, 9600, 9700, 9780, 9840, 9890, 9930, 9960, 9980, 9990, 9996,
          9999, 10000)
DOMAINS = tuple("go.example.com" if at == 0 else f"d{at:02}.example.com" for at in range(len(SHARES)))
TAGS = 200
CREATORS = ("admin", "bob", "carl")
FIRST_MS = 1_672_531_200_000  # 2023-01-01
SPAN_MS = 700 * 86_400_000    # all links were made in these days
CLICKS_OF_FIRST, CLICKS_OF_SECOND = 10_000_000, 10_000
DAY_MS = 86_400_000
MONTH_DAY = 20_028  # 2024-11-01, when the first two links were clicked; every other click is older
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
PLAIN = re.compile(r"https?://[A-Za-z0-9.-]+(:\d+)?(/([A-Za-z0-9:/?@!$&'()*+,;=._~-]|%[0-9A-Fa-f]{2})*)?")


class Link(NamedTuple):
    number: int
    id: str
    main: bool  # in the workspace that most links are in
    domain: int
    creator: int
    slashtag: str
    destination: str  # in its stored form
    title: str
    description: str
    deleted: bool
    favourite: bool
    created_ms: int
    updated_ms: int
    tags: tuple
    clicks: int
    last_click_ms: int  # 0: never


def base36(value):
    text = ""
    while True:
        value, digit = divmod(value, 36)
        text = DIGITS[digit] + text
        if value == 0:
            return text


def mixed(number):
    """Another one for every number."""
    return (number * 39_916_801 + 1_234_567) % 2_147_483_647


def slashtag_of(mix):
    plain = base36(mix)
    return f"{WORDS[mix // 10 % len(WORDS)]}-{plain}" if mix % 10 < 3 else plain


DOMAIN_AT = [next(at for at, share in enumerate(SHARES) if place < share) for place in range(SHARES[-1])]


def domain_of(mix):
    return DOMAIN_AT[mix // 7 % 10_000]


def is_deleted(number):
    return number % 33 == 17


def is_main(number):
    return number % 20 != 9


def tags_of(mix):
    """Few tags are on most of the links."""
    tags = []
    for turn in range((0, 0, 1, 1, 1, 2, 2, 3)[mix // 13 % 8]):
        place = (mix // 19 + turn * 7919) % 1000
        tag = place ** 3 * TAGS // 1_000_000_000
        if tag not in tags:
            tags.append(tag)
    return tuple(tags)


def name_of_tag(tag):
    return f"tag {tag:03}"


def clicks_of(number, mix, created_ms):
    """Clicks, and the moment of the last one. They are all of that day, but for the first two links."""
    if number < 2:
        last_ms = (MONTH_DAY + 29) * DAY_MS + 43_200_000
        return (CLICKS_OF_SECOND if number else CLICKS_OF_FIRST), last_ms
    if mix // 31 % 5:
        return 0, 0
    rarity = mix // 37 % 1000 + 1
    last_ms = created_ms + mix // 41 % 5_000_000 * 1000
    return max(1, 1_000_000 // rarity ** 2), min(last_ms, MONTH_DAY * DAY_MS - 1)


def plausible_addresses():
    """Where the real ones are not at hand."""
    for number in range(48_000):
        mix = mixed(number)
        first, second, third = (WORDS[mix // by % len(WORDS)] for by in (3, 101, 3307))
        host = f"{'www.' if mix % 3 else ''}{first}{second}{mix % 997}.{('com', 'org', 'net', 'de')[mix % 4]}"
        yield f"https://{host}/{third}/{base36(mix)}.html" if mix % 5 else f"https://{host}/{third}/"


class Links:
    """`count` links, of number 0 and up."""

    def __init__(self, count):
        self.count, self.real = count, ADDRESSES.exists()
        lines = ADDRESSES.read_text(encoding="utf-8").splitlines() if self.real else plausible_addresses()
        self.addresses = [line for line in lines if PLAIN.fullmatch(line)]
        self.titles = [self.title_of_address(line) for line in self.addresses]
        self.step_ms = max(1, SPAN_MS // count)

    def source(self):
        if self.real:
            return f"{len(self.addresses)} real addresses of urls.txt, varied"
        return "GENERATED addresses (../shared/data/urls.txt is not there), varied"

    @staticmethod
    def title_of_address(address):
        host, _, path = address.partition("://")[2].partition("/")
        words = re.findall(r"[A-Za-z]{3,}", path)[-4:]
        name = host.removeprefix("www.").split(".")[0].capitalize()
        return f"{name}: {' '.join(words).capitalize()}" if words else name

    def created_ms(self, number):
        return FIRST_MS + number * self.step_ms

    def id_of(self, number):
        random = (mixed(number) * 0x9E3779B97F4A7C15 + number) & 0xFFFF_FFFF_FFFF_FFFF
        return f"{self.created_ms(number):012x}0000{random:016x}"

    def destination(self, number, mix):
        turn, place = divmod(number, len(self.addresses))
        address = self.addresses[place]
        if turn == 0:
            return address
        sign = "&" if "?" in address else "?"
        word = WORDS[mix // 47 % len(WORDS)]
        kind = mix % 3
        if kind == 0:
            return f"{address}{sign}id={mix}"
        if kind == 1:
            return f"{address}{sign}utm_source={word}&utm_campaign={word}-{turn}"
        return f"{address}{sign}page={turn}" if "?" in address else f"{address.rstrip('/')}/{word}/{base36(mix)[::-1]}"

    def title(self, number, mix, slashtag):
        if mix // 3 % 4 == 0:
            return f"Link {slashtag}"
        title = self.titles[number % len(self.addresses)]
        turn = number // len(self.addresses)
        if mix // 3 % 16 == 1:
            title += " – Übersicht"
        return f"{title} ({turn})"[:255] if turn else title[:255]

    def link(self, number):
        mix = mixed(number)
        slashtag, created = slashtag_of(mix), self.created_ms(number)
        clicks, last_click_ms = clicks_of(number, mix, created)
        creator = mix // 23 % 20
        return Link(number, self.id_of(number), is_main(number), domain_of(mix), 0 if creator < 15 else 1 if creator < 19
                    else 2, slashtag, self.destination(number, mix), self.title(number, mix, slashtag),
                    f"Campaign {WORDS[mix // 53 % len(WORDS)]}, number {number}" if mix // 43 % 10 == 0 else "",
                    is_deleted(number), mix // 11 % 20 == 3, created,
                    created + (mix % 10_000_000 * 1000 if mix // 29 % 10 < 3 else 0), tags_of(mix), clicks, last_click_ms)

    def __iter__(self):
        return map(self.link, range(self.count))


def searched_text(link):
    """What a search looks into, ignoring case; parts are apart so that no term reaches over two."""
    parts = [link.slashtag, link.title, link.destination]
    if "%" in link.destination:
        parts.append(unquote_to_bytes(link.destination).decode("utf-8", "replace").replace("\0", " "))
    return "\n".join(parts).casefold()


def first_address(links):
    """Of a link that is there: its host and slashtag."""
    link = links.link(0)
    return DOMAINS[link.domain], link.slashtag
