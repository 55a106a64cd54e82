#!/usr/bin/env python3
"""What a visitor gets besides redirects: previews, QR codes read by a real reader, pages run by a real browser."""
import json
import re
import subprocess
import unittest
import urllib.parse

from browser import PERSON, Browser, Site
from slashpost import Connection, Server, free_port, temporary_folder, wait_until

IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Mobile/15E148 Safari/604.1")
ANDROID = ("Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
           "Safari/537.36")

# What a vendor's snippet looks like, and what a broken one does: a file from elsewhere that must be there before
# the next script uses it, a pixel, a handler in an attribute, and elements that would swallow the rest of a page.
SNIPPET = """<!-- a tag -->
<script src="SITE/library.js"></script>
<script>say('/inline?' + library)</script>
<noscript><img src="SITE/noscript.png"></noscript>
<img src="SITE/pixel.png" alt="">
<img src="SITE/handler.png" onload="say('/handler')" onerror="say('/handler')">
<div onclick="say('/handler')" id="part">"</div></title></body></html><plaintext><script>say('/swallowed')"""
SAY = """<script>
function say(path) { fetch('SITE' + path); }
document.addEventListener('securitypolicyviolation', function (event) { say('/blocked?' + event.effectiveDirective); });
</script>"""
# Without the nonce nothing runs that comes as markup.
INJECTED = """
var part = document.createElement('div');
part.innerHTML = '<iframe srcdoc="<script>parent.say(`/injected`)</' + 'script>"></iframe>' +
                 '<a id="run" href="javascript:say(`/injected`)"><img src="data:," onerror="say(`/injected`)">';
document.body.appendChild(part);
document.getElementById('run').click();
say('/javascript');
"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.no_browser = cls.browser.missing()

    def setUp(self):
        self.folder = temporary_folder(self)
        port = free_port()
        self.server = Server(self.folder / "store", domain=f"localhost:{port}")
        self.server.port = port
        self.addCleanup(self.server.end)
        self.server.start()
        self.api = self.server.connect()
        self.visitor = Connection(port, host=self.server.domain)
        self.site = Site({"/library.js": "window.library = 'loaded'"})
        self.addCleanup(self.site.end)

    def link(self, slashtag, **fields):
        fields = {"destination": f"{self.site.address}/arrived?from=link", "slashtag": slashtag, **fields}
        return self.api.wanted("POST", "/v1/links", fields)

    def script(self, name, **fields):
        return self.api.wanted("POST", "/v1/scripts", {"name": name, **fields})["id"]

    def clicks(self, link):
        return self.api.wanted("GET", f"/v1/links/{link['id']}")["clicks"]

    def counts(self, link, clicks):
        wait_until(lambda: self.clicks(link) >= clicks, 10, f"{clicks} clicks")
        self.assertEqual(self.clicks(link), clicks)

    def needs_browser(self):
        if self.no_browser:
            self.skipTest(self.no_browser)

    def test_preview_page(self):
        link = self.link("shown", title="</title><script>alert(1)</script> & more")
        answer = self.visitor.ask("GET", "/SHOWN+")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["content-type"], "text/html; charset=utf-8")
        self.assertIn("default-src 'none'", answer.headers["content-security-policy"])
        body = answer.body.decode()
        self.assertIn("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; more", body)
        self.assertIn(f"{self.site.address}/arrived?from=link", body)
        self.assertIn(f'href="http://{self.server.domain}/shown"', body)
        self.assertNotIn("<script", body)
        self.assertEqual(self.visitor.ask("GET", "/gone+").status, 404)
        self.assertEqual(self.visitor.ask("GET", "/shown").status, 302)
        self.counts(link, 1)

    def read_code(self, picture, name):
        """The text of a QR code in a picture of whatever kind, read by zbarimg."""
        file = self.folder / name
        file.write_bytes(picture)
        if file.suffix == ".svg":
            raster = file.with_suffix(".from-svg.png")
            subprocess.run(["rsvg-convert", "--output", raster, file], check=True, timeout=60)
            file = raster
        read = subprocess.run(["zbarimg", "--quiet", "--raw", "--nodbus", file], capture_output=True, text=True,
                              check=True, timeout=60)
        return read.stdout.strip()

    def test_qr_codes(self):
        self.link("coded")
        address = f"http://{self.server.domain}/coded?sp_scan"
        for number, (query, suffix) in enumerate([("", "svg"), ("?format=svg&size=512&ecc=H", "svg"),
                                                  ("?format=png", "png"), ("?format=png&size=2048&ecc=L", "png"),
                                                  ("?format=png&size=333&ecc=Q&margin=8", "png"),
                                                  ("?color=0a3d62&background=fff4d6", "svg"),
                                                  ("?format=png&color=949494", "png"),
                                                  ("?space=24&size=512", "svg"), ("?space=24&format=png", "png"),
                                                  ("?space=24&format=png&color=%23b00020&size=400", "png")]):
            answer = self.visitor.ask("GET", "/coded.qr" + query)
            self.assertEqual(answer.status, 200, query)
            self.assertEqual(answer.headers["content-type"], {"svg": "image/svg+xml", "png": "image/png"}[suffix])
            self.assertEqual(self.read_code(answer.body, f"{number}.{suffix}"), address, query)
        self.assertEqual(self.visitor.ask("GET", "/coded.qr?size=1").status, 400)
        for number, query in enumerate(("ecc=L", "ecc=M&margin=0", "ecc=Q&margin=1", "ecc=H&margin=2")):
            refused = self.visitor.ask("GET", f"/coded.qr?format=png&size=64&{query}")
            self.assertEqual(refused.status, 400, query)
            least = re.fullmatch(r"size must be (\d+) at least for this code\.\n", refused.body.decode())[1]
            answer = self.visitor.ask("GET", f"/coded.qr?format=png&size={least}&{query}")
            self.assertEqual(self.read_code(answer.body, f"least{number}.png"), address, f"{least} {query}")
        self.assertEqual(self.visitor.ask("GET", "/gone.qr").status, 404)
        self.assertEqual(self.api.wanted("GET", "/v1/links?slashtag=coded")[0]["clicks"], 0)

    def link_with_scripts(self):
        texts = [text.replace("SITE", self.site.address) for text in (SAY, SNIPPET, INJECTED)]
        scripts = [self.script(f"script {number}", value=text) for number, text in enumerate(texts)]
        scripts.append(self.script("from elsewhere", uri=f"{self.site.address}/elsewhere.js"))
        self.site.texts["/elsewhere.js"] = "say('/elsewhere-ran')"
        return self.link("run", scripts=scripts)

    def test_scripts_run_once_and_lead_on(self):
        self.needs_browser()
        link = self.link_with_scripts()
        shown = self.browser.visit(f"http://{self.server.domain}/run?utm=x")
        self.assertIn("arrived at /arrived", shown)
        asked = self.site.asked
        for path in ("/inline?loaded", "/javascript", "/elsewhere-ran", "/pixel.png", "/arrived?from=link&utm=x"):
            self.assertEqual(asked.count(path), 1, f"{path} in {asked}")
        for path in ("/handler", "/injected", "/noscript.png", "/swallowed"):
            self.assertNotIn(path, asked)
        for what in ("attr", "elem"):
            self.assertIn(f"/blocked?script-src-{what}", asked)
        self.counts(link, 1)

    def test_without_scripts_the_page_leads_on_at_once(self):
        self.needs_browser()
        link = self.link_with_scripts()
        with self.browser.without_scripts(f"http://{self.server.domain}/run"):
            wait_until(lambda: self.site.asked, 60, "the browser goes on")
        self.assertEqual([path for path in self.site.asked if "favicon" not in path], ["/arrived?from=link"])
        self.counts(link, 1)

    def test_scripts_that_fail_or_hang_hold_nobody(self):
        self.needs_browser()
        broken = [self.script("throws", value="throw new Error('x')"), self.script("wrong", value="</script><p"),
                  self.script("no such host", uri="http://nowhere.invalid/x.js"),
                  self.script("last", value=f"fetch('{self.site.address}/last')")]
        self.link("broken", scripts=broken)
        self.assertIn("arrived at /arrived", self.browser.visit(f"http://{self.server.domain}/broken"))
        self.assertIn("/last", self.site.asked)

    def ask_as(self, agent, path, method="GET"):
        head = self.visitor.head.replace(self.visitor.agent, agent)
        self.visitor.send_bytes(f"{method} {path}{head}\r\n".encode())
        return self.visitor.receive()

    def test_bots_and_head_get_no_scripts_and_count_nothing(self):
        link = self.link_with_scripts()
        answer = self.ask_as("Googlebot/2.1", "/run")
        self.assertEqual((answer.status, answer.headers["location"]),
                         (302, f"{self.site.address}/arrived?from=link"))
        first, second = (self.visitor.ask("GET", "/run") for _ in range(2))
        self.assertEqual(first.status, 200)
        self.assertNotEqual(first.headers["content-security-policy"], second.headers["content-security-policy"])
        self.assertEqual(first.headers["cache-control"], "private, no-store")
        self.counts(link, 2)

    def test_social_previews_are_for_those_who_fetch_them(self):
        link = self.link("social")
        shown = {"title": "<b>Everything</b>", "description": "\"must\" go", "image": "https://i.example/a.png",
                 "type": "article", "locale": "en_GB"}
        self.api.wanted("POST", f"/v1/links/{link['id']}/opengraph", shown)
        answer = self.ask_as("Twitterbot/1.0", "/social")
        self.assertEqual(answer.status, 200)
        for line in ('<meta property="og:title" content="&lt;b&gt;Everything&lt;/b&gt;">',
                     '<meta property="og:description" content="&quot;must&quot; go">',
                     '<meta property="og:image" content="https://i.example/a.png">'):
            self.assertIn(line, answer.body.decode())
        self.assertEqual(self.ask_as("Googlebot/2.1", "/social").status, 302)
        self.assertEqual(self.ask_as(PERSON, "/social").status, 302)
        self.api.wanted("DELETE", f"/v1/links/{link['id']}/opengraph")
        self.assertEqual(self.ask_as("Twitterbot/1.0", "/social").status, 302)
        self.counts(link, 1)

    def test_telephones_open_the_app_or_go_on_without_it(self):
        link = self.link("app")
        self.api.wanted("POST", f"/v1/links/{link['id']}/apps/instagram", {"path": "user?username=a&b"})
        self.assertIn('data-app="instagram://user?username=a&amp;b"', self.ask_as(IPHONE, "/app").body.decode())
        fallback = "S.browser_fallback_url=" + urllib.parse.quote(f"{self.site.address}/arrived?from=link", safe="")
        self.assertIn(f'data-app="intent://user?username=a&amp;b#Intent;scheme=instagram;'
                      f'package=com.instagram.android;{fallback};end"', self.ask_as(ANDROID, "/app").body.decode())
        self.assertEqual(self.ask_as(PERSON, "/app").status, 302)
        self.counts(link, 3)
        self.needs_browser()
        self.assertIn("arrived at /arrived", self.browser.visit(f"http://{self.server.domain}/app", agent=IPHONE))
        self.counts(link, 4)

    def test_documents_of_a_domain(self):
        domain = self.api.wanted("POST", "/v1/domains", {"fullName": "apps.mine.example"})["id"]
        code, said = self.server.admin("domain", "verify", "apps.mine.example")
        self.assertEqual(code, 0, said)
        visitor = Connection(self.server.port, host="apps.mine.example")
        for field, name in [("assetLinks", "assetlinks.json"),
                            ("appleAppSiteAssociation", "apple-app-site-association")]:
            self.assertEqual(visitor.ask("GET", f"/.well-known/{name}").status, 404)
            text = json.dumps({"applinks": {"details": [field]}})
            self.assertEqual(self.api.wanted("PATCH", f"/v1/domains/{domain}", {field: text})[field], text)
            answer = visitor.ask("GET", f"/.well-known/{name}")
            self.assertEqual((answer.status, answer.headers["content-type"]), (200, "application/json"))
            self.assertEqual(answer.body.decode(), text)
            self.assertEqual(self.visitor.ask("GET", f"/.well-known/{name}").status, 404)
            self.api.wanted("PATCH", f"/v1/domains/{domain}", {field: None})
            self.assertEqual(visitor.ask("GET", f"/.well-known/{name}").status, 404)


if __name__ == "__main__":
    unittest.main()
