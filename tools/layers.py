#!/usr/bin/env python3
"""Who may include whom (ARCHITECTURE.md), and which words a folder never says. A ctest, label style.

    tools/layers.py [ROOT]    prints every breach as file:line and fails when there is one
"""
import pathlib
import re
import sys

BASE, DATA, MODEL, SCHEMA = "core/base/", "core/data/", "core/model/", "core/schema"
SEARCH, ACCESS, OPS, WORK = "core/search/", "core/access/", "core/ops/", "core/work/"
VISITORS, CLICKS, REDIRECT = "core/visitors/", "core/clicks/", "core/redirect/"
SHARED = ["storage/options.h", "storage/retry.h", "storage/crc32c.h", "storage/damage.h", "storage/own_writes.h",
          "storage/buffered_txn.h"]

# Folder (or the beginning of a file's path; the longest that fits counts) -> what of our own tree it may
# include besides itself, and which libraries besides std, fmt and the system.
RULES = {
    "core/base/": ([], []),
    "core/base/any_script": ([BASE], ["unicode/"]),
    "core/base/codes": ([BASE], ["unicode/"]),
    "core/base/url": ([BASE], ["unicode/"]),
    "core/base/host": ([BASE], ["unicode/"]),
    "core/base/icu": ([], ["unicode/"]),
    "core/base/ed25519": ([BASE], ["sodium.h"]),
    "core/base/password_hash": ([BASE], ["sodium.h"]),
    "core/base/sealed": ([BASE], ["sodium.h"]),
    "core/base/random": ([BASE], ["sodium.h"]),
    "core/base/secret": ([BASE], ["openssl/"]),
    "core/base/totp": ([BASE], ["openssl/"]),
    "core/base/text": ([BASE], ["unicode/"]),
    "core/base/zones": ([BASE], ["date/"]),
    "core/data/": ([BASE], []),
    "core/model/": ([BASE, DATA + "codec.h", DATA + "key.h"], []),
    "core/schema/": ([BASE, DATA, MODEL], []),
    "core/search/": ([BASE, DATA, MODEL, SCHEMA], []),
    "core/access/": ([BASE, DATA, MODEL, SCHEMA], []),
    "core/work/": ([BASE, DATA, MODEL, SCHEMA, SEARCH, ACCESS], []),
    "core/work/click_events": ([BASE, DATA, MODEL, SCHEMA, ACCESS, CLICKS + "click_listener.h"], []),
    "core/visitors/": ([BASE, MODEL], []),
    "core/visitors/bot_patterns": ([VISITORS + "bot_words.h", VISITORS + "literals.h"], ["re2/"]),
    "core/clicks/": ([BASE, DATA, MODEL, SCHEMA], []),
    "core/clicks/click_ids": ([BASE], ["openssl/"]),
    "core/redirect/": ([BASE, DATA, MODEL, SCHEMA, VISITORS, CLICKS], []),
    "core/redirect/pages": ([BASE, DATA, MODEL, SCHEMA, REDIRECT, CLICKS + "campaigns.h", ACCESS + "domain_scripts.h"], []),
    "core/ops/": ([BASE, DATA, MODEL, SCHEMA, SEARCH, ACCESS, WORK, VISITORS, CLICKS, REDIRECT], []),
    "storage/": ([BASE, DATA], []),  # what the engines share, and open
    "storage/open": ([BASE, DATA, "storage/"], []),
    "storage/journal/": ([BASE, DATA, *SHARED], []),
    "storage/memory/": ([BASE, DATA, *SHARED], []),
    "storage/postgres/": ([BASE, DATA, *SHARED], ["libpq-fe.h"]),
    "storage/rocksdb/": ([BASE, DATA, *SHARED], ["rocksdb/", "boost/unordered/"]),
    "http/wire/": ([BASE], ["boost/json", "boost/system"]),
    "http/api/": ([BASE, MODEL, ACCESS, OPS, "http/wire/", "http/server/message.h"], ["boost/json", "boost/system"]),
    "http/api/published": ([BASE, "http/api/entity_tags.h", "http/server/message.h"], ["zlib.h"]),
    "http/api/streams": ([BASE, "http/server/holdings.h"], []),
    "http/api/route_times": (["http/api/route.h", "http/server/metrics.h"], []),
    "http/server/": ([BASE, REDIRECT + "redirector.h", VISITORS + "visitor.h", "http/pages/redirect.h"], ["boost/", "openssl/"]),
    "http/server/ops": ([BASE, "http/server/"], ["prometheus/"]),
    "http/dashboard/": ([BASE, DATA + "sync_later.h", MODEL, ACCESS, OPS, "http/wire/", "http/api/", "http/server/"], ["boost/json"]),
    "http/pages/": ([BASE, REDIRECT + "page.h", "http/server/message.h"], []),
    "http/pages/qr": ([BASE, "http/pages/srgb.h", "http/server/message.h"], ["qrcodegen/", "png.h"]),
    "http/pages/redirect": ([BASE, REDIRECT, VISITORS, CLICKS, "http/server/", "http/pages/"], []),
    "app/": (["app/", "core/", "storage/", "http/"], ["*"]),
    "app/admin/": (["core/", "storage/"], ["boost/", "CLI/", "openssl/", "spdlog/"]),
    "app/admin/redirect_asker": (["core/base/"], ["curl/"]),
    "app/dns/": ([BASE], ["ares.h"]),
    "app/geo/": ([BASE, MODEL + "visitor.h", VISITORS + "visitor.h"], ["maxminddb.h"]),
    "tools/admin/": (["core/", "storage/", "app/admin/"], ["boost/", "CLI/", "openssl/", "spdlog/"]),
    "tools/bench/": (["core/schema/spaces.h", "storage/"], ["rocksdb/"]),
}
ORDINARY = re.compile(r"(fmt|sys|arpa|netinet|netdb|linux)/|[a-z_0-9]+(\.h)?$")  # <vector>, <unistd.h>, <fmt/format.h>
SYSTEM = re.compile(r"(sys|linux)/|(sched|pthread|unistd|fcntl|poll|signal)\.h$")  # not in core
LIBRARY_HEADER = re.compile(r"(ares|sodium|jemalloc|maxminddb|png|zlib|curl)\b")                # look ordinary, are not

# The layers that move bytes about never say what the bytes are for.
WORDLESS = ["core/data/", "storage/"]
WORDS = re.compile(r"(?<![a-z0-9-])(link|slashtag|domain|workspace|tag|teammate|route)s?(?![a-z0-9-])")


def owner(path, rules):
    return max((prefix for prefix in rules if path.startswith(prefix)), key=len, default=None)


def include_breach(path, line):
    found = re.match(r'\s*#\s*include\s+(["<])([^">]+)', line)
    if not found or "layers: allowed" in line:
        return None
    rule, (quote, header) = owner(path, RULES), found.groups()
    if rule is None:
        return "lies in a folder that tools/layers.py does not know"
    ours, libraries = RULES[rule]
    if quote == '"':
        fine = header.startswith((rule, *ours))
    else:
        fine = bool(ORDINARY.match(header)) and not LIBRARY_HEADER.match(header)
        fine = fine and not (path.startswith("core/") and SYSTEM.match(header))
        fine = fine or "*" in libraries or header.startswith(tuple(libraries))
    return None if fine else f"may not include {header}"


def word_breach(path, line):
    if not path.startswith(tuple(WORDLESS)):
        return None
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", line).lower()  # LinkId -> link_id
    found = WORDS.search(spaced.replace("_", " "))
    return f"says '{found.group()}', a word of the layers above" if found else None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    breaches = 0
    for folder in ["core", "storage", "http", "app", "tools/admin"]:
        for file in sorted(root.glob(f"{folder}/**/*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                for breach in filter(None, (include_breach(path, line), word_breach(path, line))):
                    print(f"{path}:{number}: {breach}")
                    breaches += 1
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
