"""A server with what the dashboard has to show: no links, 25, many; strings of strangers that mean harm; clicks."""
import csv
import http.client
import json
import pathlib
import tempfile

import household
import workshop
from slashpost import Server, free_port

MANY = 2000
MOMENT = "2026-01-01T00:00:00.000Z"
# What strangers write where they can: markup, a reversal of the direction of writing, a formula, a very long word.
HOSTILE = ["<img src=x onerror=alert(1)>", "\u202egnp.exe \u2066\u202e", "=HYPERLINK(\"http://evil.example\")",
           "\"'><script>alert(1)</script>", "W" * 250, "مرحبا بالعالم 2026", "{path} {{n}} ${7*7}"]
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"]


class World:
    """Workspaces `empty`, `some` and `many`, and a person who may only read the second."""

    def __init__(self, folder, many=MANY):
        self.folder, self.many = pathlib.Path(folder), many
        port = free_port()
        self.server = Server(self.folder / "store", "--rate-limit", "0", domain=f"localhost:{port}")
        self.server.port = port
        self.workspaces = {}

    def start(self):
        self.server.start()
        api = self.server.connect()
        home = api.wanted("GET", "/v1/domains?type=service")[0]["id"]
        for name, shown in (("empty", "Nothing yet"), ("some", "Spring campaign"), ("many", "Archive")):
            made = api.wanted("POST", "/v1/workspaces", {"name": shown})
            self.workspaces[name] = made["id"]
            api.wanted("POST", f"/v1/workspaces/{made['id']}/domains/{home}")
        self.fill_some(api)
        self.invite_viewer(api)
        self.household = household.fill(api, self.server.admin, self.workspaces)
        api.close()
        self.fill_many()
        return self

    def fill_some(self, api):
        """25 links, of which the first has everything that a link can have, and some have hostile titles."""
        def at(path):
            return f"{path}?workspace={self.workspaces['some']}"
        tags = [api.wanted("POST", at("/v1/tags"), {"name": name, "color": color})["id"]
                for name, color in (("print", "ff8800"), ("social", "3366ff"), ("newsletter", "22aa66"), (HOSTILE[0], "cc2255"))]
        titles = ["Spring sale", "Catalogue 2026", "Opening hours", "Job offers", "Newsletter archive", "Price list",
                  "Trade fair stand 12", "Press kit", "Feedback form", "App download"]
        links = []
        for index in range(25):
            title = HOSTILE[index - 18] if index >= 18 else titles[index % 10] + ("" if index < 10 else f" {index}")
            body = {"destination": f"https://shop.example.com/{'x' * 1900 if index == 24 else title.split()[0].lower() if index < 18 else 'a'}?page={index}",
                    "slashtag": f"s{index}", "title": title, "tags": tags[index % 4:index % 4 + (index % 3)]}
            links.append(api.wanted("POST", at("/v1/links"), body)["id"])
        self.link = links[0]
        link = f"/v1/links/{self.link}"
        api.wanted("POST", at(link), {"title": "Spring sale", "description": "On the poster at the station.", "tags": tags[:3], "favourite": True})
        for path, body in (("rules", {"destination": "https://shop.example.com/app", "condition": {"and": [
                {"property": "req.os", "operator": "in", "values": ["ios", "android"]},
                {"property": "req.country", "operator": "not-in", "values": ["us"]}]}}),
                           ("rules", {"destination": "https://shop.example.com/de", "condition": {"and": [
                               {"property": "req.language", "operator": "in", "values": ["de", "de-at"]}]}}),
                           ("opengraph", {"title": "Everything must go", "description": "Until Sunday: half price on all shoes.",
                                          "image": "https://shop.example.com/sale.png"}),
                           ("apps/instagram", {"path": "slashpost"})):
            api.wanted("POST", at(f"{link}/{path}"), body)
        api.wanted("POST", at("/v1/scripts"), {"name": "Pixel", "value": "<script>hello()</script>"})
        self.rotator = api.wanted("POST", at("/v1/links"), {"destination": "https://shop.example.com/", "slashtag": "wheel",
                                                            "type": "rotator", "title": "Which picture sells?"})["id"]
        for weight, arm in ((3, "a"), (1, "b")):
            api.wanted("POST", at(f"/v1/links/{self.rotator}/rotator"), {"destination": f"https://shop.example.com/{arm}", "weight": weight})
        api.wanted("POST", at(f"/v1/links/{links[3]}"), {"active": False})
        self.visit("s0", 40)
        self.visit("wheel", 8)

    def fill_many(self):
        path = self.folder / "many.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["destination", "slashtag", "title", "clicks", "createdAt"])
            for index in range(self.many):
                rows.writerow([f"https://archive.example.com/{index}", f"m{index}", f"Article {index:06}", index % 997, MOMENT])
        code, said = self.server.admin("import", "csv", str(path), "--workspace", self.workspaces["many"])
        assert code == 0, said

    def invite_viewer(self, api):
        """The account `ann`, who reads along in `some`."""
        code, said = self.server.admin("account", "create", "ann", "--email", "ann@example.com")
        assert code == 0, said
        code, said = self.server.admin("key", "create", "--account", "ann", "--name", "test")
        assert code == 0, said
        self.viewer_key = next(word for line in said.splitlines() for word in line.split() if len(word) == 64)
        api.wanted("POST", f"/v1/workspaces/{self.workspaces['some']}/invite", {"emails": ["ann@example.com"], "role": "viewer"})
        ann = type(api)(self.server.port, self.viewer_key)
        for invite in ann.wanted("GET", "/v1/account/invites"):
            ann.wanted("POST", f"/v1/invites/{invite['id']}/accept")
        ann.close()

    def visit(self, slashtag, times):
        for index in range(times):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
            referer = HOSTILE[0] if index % 5 == 0 else f"https://www.site{index % 4}.example/x"
            connection.request("GET", f"/{slashtag}?utm_source=" + ("mail" if index % 2 else "%3Cb%3Ex"), headers={
                "Host": self.server.domain, "User-Agent": AGENTS[index % 3], "Accept-Language": ("de-DE", "en", "fr")[index % 3], "Referer": referer})
            connection.getresponse().read()
            connection.close()

    def facts(self):
        """For scripts: where the server is and what it holds."""
        return json.dumps({"api": f"http://127.0.0.1:{self.server.port}", "keys": {"admin": self.server.key, "ann": self.viewer_key},
                           "workspaces": self.workspaces, "link": self.link, "rotator": self.rotator, "many": self.many + 1, "built": str(workshop.BUILT), **self.household})

    def end(self):
        self.server.end()


def run_before_world(*command, many=MANY, seconds):
    """Answers what the command says, which has a world for as long as it runs; fails with that when the command does."""
    with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
        workshop.prepare()
        world = World(folder, many)
        try:
            world.start()
            return workshop.run(*command, seconds=seconds, SLASHPOST_WORLD=world.facts())
        finally:
            world.end()
