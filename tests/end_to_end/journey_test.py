#!/usr/bin/env python3
"""Real addresses all the way: make a link for each over HTTP, follow it, see its click; dump, restore, dump."""
import concurrent.futures
import json
import unittest

import addresses
from slashpost import DOMAIN, Server, admin, temporary_folder, wait_until

CLIENTS = 16


class Journey(unittest.TestCase):
    def each(self, server, work, items):
        """work(connection, item) for all items, dealt out to CLIENTS connections; the results in order."""
        results = [None] * len(items)

        def deal(first):
            connection = server.connect()
            for place in range(first, len(items), CLIENTS):
                results[place] = work(connection, items[place])
            connection.close()

        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(deal, range(CLIENTS)))
        return results

    def test_every_address(self):
        folder = temporary_folder(self)
        server = Server(folder / "store", "--rate-limit", "0")
        self.addCleanup(server.end)
        server.start()
        pairs, source = addresses.read()
        print(f"{len(pairs)} addresses, from {source}", flush=True)

        links = self.each(server, self.make, pairs)
        self.assertEqual(len({link["shortUrl"] for link in links}), len(pairs))
        print("made a link for each", flush=True)
        self.each(server, self.follow, list(zip(links, pairs)))
        print("followed each", flush=True)
        self.check_clicks(server, links)
        print("each click shows", flush=True)

        dump = self.dump_and_restore(folder, server)
        self.check_damaged_dumps(folder, dump)
        self.check_restored(server, folder / "restored", links, pairs)

    def make(self, connection, pair):
        given, expected = pair
        body = {"destination": given, "domain": {"fullName": DOMAIN}}
        link = connection.wanted("POST", "/v1/links", body)
        self.assertEqual(link["destination"], expected, given)
        self.assertEqual(link["shortUrl"], f"{DOMAIN}/{link['slashtag']}")
        return link

    def follow(self, connection, item):
        link, (given, expected) = item
        answer = connection.ask("GET", f"/{link['slashtag']}")
        self.assertEqual((answer.status, answer.headers.get("location")), (302, expected), given)

    def check_clicks(self, server, links):
        connection = server.connect()
        self.assertEqual(connection.wanted("GET", "/v1/links/count"), {"count": len(links)})
        last = f"/v1/links/{links[-1]['id']}"
        wait_until(lambda: connection.wanted("GET", last)["clicks"] == 1, 5, "the last click shows")
        shown = wait_until(lambda: [link for link in [connection.links()] if all(row["clicks"] for row in link)], 20,
                           "every click shows")[0]
        self.assertEqual({row["id"] for row in shown}, {link["id"] for link in links})
        for row in shown:
            self.assertEqual(row["clicks"], 1, row)
            self.assertGreaterEqual(row["lastClickAt"], row["createdAt"], row)

    def succeeds(self, data, *arguments):
        code, said = admin(data, *arguments)
        self.assertEqual(code, 0, f"{arguments[0]}: {said}")

    def dump_and_restore(self, folder, server):
        """Dumps the running server, restores into a new folder, dumps that: the same but for the date."""
        first, second = folder / "first.jsonl", folder / "second.jsonl"
        self.succeeds(server.data, "dump", first)
        self.succeeds(server.data, "verify")
        self.succeeds(folder / "restored", "restore", first)
        self.succeeds(folder / "restored", "verify")
        self.succeeds(folder / "restored", "dump", second)
        with first.open("rb") as one, second.open("rb") as other:
            headers = [json.loads(file.readline()) for file in (one, other)]
            self.assertTrue(all(header.pop("date") for header in headers))
            self.assertEqual(headers[0], headers[1])
            for number, (mine, yours) in enumerate(zip(one, other), 2):
                if b'"sha256"' in mine:  # of the dates, too
                    mine, yours = (json.loads(line)["rows"] for line in (mine, yours))
                self.assertEqual(mine, yours, f"line {number} of the two dumps")
            self.assertEqual((one.readline(), other.readline()), (b"", b""))
        print("dumped, restored and dumped the same", flush=True)
        return first

    def check_damaged_dumps(self, folder, dump):
        """A damaged, cut or newer dump is refused before anything is written; a store in use is not touched."""
        whole = dump.read_bytes()
        middle = whole.index(b'"table"', len(whole) // 2)
        header = json.loads(whole.split(b"\n", 1)[0])
        newer = json.dumps(header | {"version": header["version"] + 1}).encode() + whole[whole.index(b"\n"):]
        damaged = {"cut": whole[:-200], "cut at a line": whole[: whole.rindex(b"\n", 0, -1) + 1], "newer": newer,
                   "flipped": whole[:middle - 20] + bytes([whole[middle - 20] ^ 1]) + whole[middle - 19:],
                   "line missing": whole[:whole.rindex(b"\n", 0, middle)] + whole[whole.index(b"\n", middle):],
                   "more after the end": whole + b"{}\n", "empty": b"", "other": b"hello\n"}
        target = folder / "refused"
        for name, content in damaged.items():
            (folder / "damaged.jsonl").write_bytes(content)
            code, said = admin(target, "restore", folder / "damaged.jsonl")
            self.assertNotEqual(code, 0, f"{name}: {said}")
        self.succeeds(target, "restore", dump)
        code, said = admin(target, "restore", dump)
        self.assertNotEqual(code, 0, "restored over a store that is not empty")
        self.succeeds(target, "verify")
        print("damaged dumps are refused", flush=True)

    def check_restored(self, server, data, links, pairs):
        """The restored store serves: same key, same links, same clicks."""
        self.assertEqual(server.stop(), 0, server.said())
        self.succeeds(server.data, "verify")
        restored = Server(data)
        self.addCleanup(restored.end)
        restored.key = server.key
        connection = restored.start().connect()
        for place in range(0, len(links), len(links) // 50):
            self.follow(connection, (links[place], pairs[place]))
        link = f"/v1/links/{links[0]['id']}"
        wait_until(lambda: connection.wanted("GET", link)["clicks"] == 2, 5, "a click on the restored store shows")
        self.assertEqual(restored.stop(), 0, restored.said())
        print("the restored store serves", flush=True)


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
