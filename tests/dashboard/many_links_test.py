#!/usr/bin/env python3
"""A workspace of 100,000 links in Chromium, on the listener of the program itself: many_links.mjs. The numbers below are typed
there."""
import csv
import datetime
import http.client
import json
import pathlib
import tempfile

import workshop
from installation import first_address, installation

LINKS = 100_000
FIRST = datetime.datetime(2026, 1, 1)
CLICKS_STEP = 7919  # a prime: every number of clicks below LINKS occurs once
PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


def write_links(path):
    """One a second, with slashtags that go down as the titles go up; every hundredth has a tag."""
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["destination", "slashtag", "title", "clicks", "createdAt", "tags"])
        for number in range(LINKS):
            made = (FIRST + datetime.timedelta(seconds=number)).isoformat() + "Z"
            rows.writerow([f"https://archive.example.com/{number}", f"s{LINKS - 1 - number:06}", f"Article {number:06}",
                           number * CLICKS_STEP % LINKS, made, "hundredth" if number % 100 == 0 else ""])


def change_some(api, workspace):
    """Three favourites, and then another one that was changed last."""
    def id_of(number):
        return api.wanted("GET", f"/v1/links?workspace={workspace}&slashtag=s{LINKS - 1 - number:06}")[0]["id"]
    for number in (10, 20, 30):
        api.wanted("POST", f"/v1/links/{id_of(number)}/favourite?workspace={workspace}", {"favourite": True})
    api.wanted("POST", f"/v1/links/{id_of(42)}?workspace={workspace}", {"description": "Changed"})


def click(server, number):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", f"/s{LINKS - 1 - number:06}", headers={"Host": server.domain, "User-Agent": PERSON})
    assert connection.getresponse().status == 302
    connection.close()


workshop.need("chromium")
workshop.prepare()
with installation("--rate-limit", "0") as server, tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
    address = first_address(server)
    api = server.connect()
    workspace = api.wanted("GET", "/v1/workspaces")[0]["id"]
    links = pathlib.Path(folder) / "links.csv"
    write_links(links)
    code, said = server.admin("import", "csv", str(links), "--workspace", workspace)
    assert code == 0, said
    change_some(api, workspace)
    click(server, 777)
    api.close()
    facts = {"address": address, "api": f"http://localhost:{server.port}", "key": server.key, "workspace": workspace}
    print(workshop.run("node", "--test", "--test-reporter=spec", "many_links.mjs", seconds=400, SLASHPOST_MANY=json.dumps(facts)))
