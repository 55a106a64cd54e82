#!/usr/bin/env python3
"""Refuses SQL that not all of PostgreSQL 13 to 18 and YugabyteDB have.

    portable_sql.py [ROOT]
"""
import pathlib
import re
import sys

import tree

FOLDER = "storage/postgres/"
REFUSED = {
    r"\b(UN)?LISTEN\b|\bNOTIFY\b": "YugabyteDB has no notifications",
    r"\bpg_(try_)?advisory_": "YugabyteDB has no advisory locks, and a pooler loses them",
    r"\bSEQUENCE\b|\bnextval\b|\b(big)?serial\b|\bIDENTITY\b": "sequences leave gaps, and YugabyteDB's are slow",
    r"\bxid8\b|\btxid_|\bpg_current_|\bxmin\b|\bctid\b": "YugabyteDB's rows have no such numbers",
    r"\bEXTENSION\b|\bUNLOGGED\b|\bLOCK TABLE\b": "not everybody who keeps a store may or can do that",
    r"\bMERGE INTO\b|\bany_value\b|\bNULLS NOT DISTINCT\b": "PostgreSQL 13 does not have it",
}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = []
    for path in tree.files(root, ".cc", ".h"):
        if not path.startswith(FOLDER):
            continue
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            found += [f"{path}:{number}: {why}: {line.strip()}" for pattern, why in REFUSED.items()
                      if re.search(pattern, line) and not line.lstrip().startswith("//")]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
