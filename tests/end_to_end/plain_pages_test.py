#!/usr/bin/env python3
"""The pages that visitors get besides redirects, in a browser: on a telephone and at a desk, light and dark, of a domain
that presents itself and of one that does not. What was seen lies as PNG files in the build's folder `pictures`."""
import datetime
import http.server
import ssl
import struct
import subprocess
import threading
import unittest

from browser import BrowserTests, Site, Tab, contrast, luminance
from slashpost import PROGRAMS, Connection, wait_until

PICTURES = PROGRAMS / "pictures"
WIDTHS = (360, 1280)
# The names of the test lead to this machine, and its certificate is taken for good.
OPTIONS = ("--ignore-certificate-errors", "--host-resolver-rules=MAP *.example 127.0.0.1")
IPHONE = ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          "Version/17.5 Mobile/15E148 Safari/604.1")
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" width="100" height="48" viewBox="0 0 100 48">
<circle cx="24" cy="24" r="22" fill="#b3261e"/><path d="M14 33 24 13l10 20" fill="none" stroke="#fff" stroke-width="5"/>
<path d="M62 34V14h4v20zM74 34V14h4v20zM86 34V14h4v20z" fill="#222"/></svg>"""
BRANDING = {"name": "Acme Bicycles", "color": "b3261e",
            "homeText": "Short links of Acme Bicycles, Amsterdam.\nYou were given one? Open it as it is."}
# Text, and whatever it stands on.
COLOURS = """[...document.querySelectorAll('h1,p,a,bdi,strong')].filter(one => one.offsetHeight > 0).map(one => {
    let under = one;
    while (under.parentElement && getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)')
        under = under.parentElement;
    return [getComputedStyle(one).color, getComputedStyle(under).backgroundColor, one.outerHTML.slice(0, 80)] })"""


class LogoServer:
    """HTTPS with a certificate of its own, which the browser is told to take; remembers the requests."""

    def __init__(self, folder):
        self.asked, site = [], self
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                        "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True,
                       timeout=60)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append((self.path, self.headers.get("Referer")))
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml")
                self.end_headers()
                self.wfile.write(LOGO.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"https://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


class PlainPages(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.api = cls.server.connect()
        cls.logo = LogoServer(cls.folder)
        cls.addClassCleanup(cls.logo.end)
        cls.nowhere = Site(status=204)
        cls.addClassCleanup(cls.nowhere.end)
        cls.destination = cls.nowhere.address + "/spring/city-bikes?from=newsletter&size=54"
        PICTURES.mkdir(exist_ok=True)
        cls.make_domains(cls.server.port)

    @classmethod
    def make_domains(cls, port):
        cls.addresses = {}
        for domain, branding in {"acme": {**BRANDING, "logoUrl": cls.logo.address + "/logo.svg?a=1&b=2"},
                                 "plain": {}, "loud": {"color": "ffee00", "name": "Ünïcode & <b>Söhne</b> " + "w" * 60}}.items():
            name = f"{domain}.example:{port}"
            made = cls.api.wanted("POST", "/v1/domains", {"fullName": name})["id"]
            code, said = cls.server.admin("domain", "verify", name)
            assert code == 0, said
            if branding:
                cls.api.wanted("PATCH", f"/v1/domains/{made}", {"branding": branding})
            cls.addresses[domain] = f"http://{name}"
            cls.make_links(made)

    @classmethod
    def make_links(cls, domain):
        def link(slashtag, **fields):
            return cls.api.wanted("POST", "/v1/links", {"destination": cls.destination, "slashtag": slashtag,
                                                        "title": "City bikes for spring", "domainId": domain, **fields})["id"]

        link("spring")
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        link("over", expiresAt=soon.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
        script = cls.api.wanted("POST", "/v1/scripts", {"name": f"of {domain}", "value": "window.ran = 1"})["id"]
        link("measured", scripts=[script])
        cls.api.wanted("POST", f"/v1/links/{link('app')}/apps/instagram", {"path": "acme"})

    def tab(self, address, **more):
        tab = Tab(self.browser, address, WIDTHS[0], options=OPTIONS, **more)
        self.addCleanup(tab.end)
        return tab

    def look_at(self, tab, name, logo=False):
        """The page is fit to be seen, on every screen and in both themes; and how it looked."""
        if logo:
            wait_until(lambda: tab.value("document.querySelector('.logo').naturalWidth"), 30, "the picture is there")
        for width in WIDTHS:
            for dark in (False, True):
                with self.subTest(page=name, width=width, dark=dark):
                    tab.look(width, dark=dark)
                    self.assertEqual(tab.value("document.documentElement.scrollWidth"), width)
                    self.assertLessEqual(tab.value("document.querySelector('main').getBoundingClientRect().right"), width)
                    self.assertEqual(luminance(tab.value("getComputedStyle(document.body).backgroundColor")) < 0.5, dark)
                    for ink, paper, what in tab.value(COLOURS):
                        self.assertGreaterEqual(contrast(ink, paper), 4.5, (ink, paper, what))
                    small = tab.value("[...document.querySelectorAll('a')].map(one => one.getBoundingClientRect().height)")
                    self.assertTrue(all(height >= 24 for height in small), small)
                    picture = tab.picture()
                    self.assertEqual(struct.unpack(">II", picture[16:24]), (width, 800))
                    (PICTURES / f"{name}-{width}-{'dark' if dark else 'light'}.png").write_bytes(picture)

    def visitor(self, address):
        connection = Connection(self.server.port, host=address.removeprefix("http://"))
        self.addCleanup(connection.close)
        return connection

    def wait_for_the_end(self, address):
        visitor = self.visitor(address)
        wait_until(lambda: b"This link has ended" in visitor.ask("GET", "/over").body, 10, "the link ends")

    def brand_of(self, tab):
        return tab.value("getComputedStyle(document.querySelector('main')).backgroundImage.match(/rgb[^)]*[)]/)[0]")

    def test_pages_of_a_domain_that_presents_itself(self):
        address = self.addresses["acme"]
        self.wait_for_the_end(address)
        tab = self.tab(address)
        for name, path, title in (("home", "/", "Short links"), ("missing", "/nowhere", "Not found"),
                                  ("expired", "/over", "This link has ended"),
                                  ("preview", "/spring+", "City bikes for spring"),
                                  ("interstitial", "/measured", "One moment")):
            tab.open(address + path)
            self.assertEqual(tab.value("document.querySelector('h1').innerText"), title)
            self.assertEqual(self.brand_of(tab), "rgb(179, 38, 30)")
            self.assertIn("Acme Bicycles", tab.value("document.body.innerText"))
            self.assertIn("acme.example", tab.value("document.querySelector('footer').innerText"))
            self.look_at(tab, f"acme-{name}", logo=True)
        self.assertEqual({asked for asked in self.logo.asked if "favicon" not in asked[0]}, {("/logo.svg?a=1&b=2", None)})

    def test_the_page_that_opens_an_app(self):
        tab = self.tab(self.addresses["acme"] + "/app", agent=IPHONE,
                       loaded="Page.frameStoppedLoading")  # it goes on at once
        self.assertIn("Open the app", tab.value("document.body.innerText"))
        self.look_at(tab, "acme-app", logo=True)

    def test_pages_of_a_domain_that_sets_nothing(self):
        address = self.addresses["plain"]
        tab = self.tab(address)
        for name, path in (("home", "/"), ("missing", "/nowhere"), ("preview", "/spring+"), ("interstitial", "/measured")):
            tab.open(address + path)
            self.assertIn("plain.example", tab.value("document.querySelector('header').innerText"))
            self.assertEqual(tab.value("document.images.length"), 0)
            self.look_at(tab, f"plain-{name}")

    def test_a_long_name_and_a_bright_colour_can_be_read(self):
        address = self.addresses["loud"]
        tab = self.tab(address)
        for name, path in (("home", "/"), ("preview", "/spring+")):
            tab.open(address + path)
            self.assertEqual(self.brand_of(tab), "rgb(255, 238, 0)")
            self.assertIn("<b>Söhne</b>", tab.value("document.querySelector('header').innerText"))
            self.look_at(tab, f"loud-{name}")

    def test_hosts_of_nobody_and_the_door_of_the_api(self):
        tab = self.tab(f"http://nobody.example:{self.server.port}/x")
        self.look_at(tab, "nobody-missing")
        tab.open(f"http://localhost:{self.server.port}/")
        self.assertIn("how to call it", tab.value("document.body.innerText"))
        self.look_at(tab, "door")

    def test_no_page_is_found_by_search_engines_or_runs_what_it_should_not(self):
        for path in ("/", "/nowhere", "/over", "/spring+"):
            answer = self.visitor(self.addresses["acme"]).ask("GET", path)
            body = answer.body.decode()
            self.assertIn('<meta name="robots" content="noindex">', body)
            self.assertNotIn("<script", body)
            self.assertNotIn("script-src", answer.headers["content-security-policy"])
            self.assertIn(f"img-src {self.logo.address}", answer.headers["content-security-policy"])


if __name__ == "__main__":
    unittest.main()
