#!/usr/bin/env python3
"""The reference page in a browser, as somebody on a telephone and somebody at a desk have it."""
import gzip
import re
import subprocess
import unittest

from browser import BrowserTests, Tab, contrast, luminance
from slashpost import PROGRAMS, Connection

VERSION = subprocess.run([PROGRAMS / "slashpost", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
TELEPHONE, DESK = 360, 1280
SHOWN = "[...document.querySelectorAll('.part>section')].filter(one => one.offsetHeight > 0)"


class Docs(BrowserTests):
    def tab(self, *arguments, **more):
        tab = Tab(self.browser, f"{self.address}/v1/docs", *arguments, **more)
        self.addCleanup(tab.end)
        return tab

    def test_nothing_is_wider_than_a_telephone_but_code(self):
        tab = self.tab(TELEPHONE)
        self.assertEqual(tab.value("innerWidth"), TELEPHONE)
        self.assertEqual(tab.value("document.documentElement.scrollWidth"), TELEPHONE)
        wider = tab.value("""[...document.body.querySelectorAll('*')]
            .filter(one => !one.closest('pre') && !one.closest('.skip'))
            .filter(one => { const box = one.getBoundingClientRect();
                             return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1) })
            .map(one => one.outerHTML.slice(0, 100))""")
        self.assertEqual(wider, [])
        clipped = tab.value("""[...document.body.querySelectorAll('*')]
            .filter(one => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1 &&
                           getComputedStyle(one).display !== 'inline' && !one.closest('pre,input'))
            .map(one => one.outerHTML.slice(0, 100))""")
        self.assertEqual(clipped, [])

    def test_the_text_begins_on_the_first_screen_with_the_contents_folded(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                tab = self.tab(TELEPHONE, scripts=scripts)
                self.assertLess(tab.value("document.querySelector('main h1').getBoundingClientRect().top"), 200)
                self.assertLess(tab.value("document.querySelector('main p').getBoundingClientRect().top"), 600)
                self.assertFalse(tab.value("document.getElementById('contents').open"))

    def test_whatever_one_can_press_is_large_enough(self):
        for width in (TELEPHONE, DESK):
            with self.subTest(width=width):
                tab = self.tab(width)
                small = tab.value("""(() => { for (const one of document.querySelectorAll('details')) one.open = true;
                    return [...document.querySelectorAll('a,summary,input,button')]
                    .filter(one => !one.matches('.skip'))
                    .map(one => [one.getBoundingClientRect(), one])
                    .filter(([box]) => box.width > 0 && (box.width < 24 || box.height < 24))
                    .map(([box, one]) => `${box.width} ${box.height} ${one.outerHTML.slice(0, 80)}`) })()""")
                self.assertEqual(small, [])

    def test_the_search_hides_what_does_not_match_and_brings_it_back(self):
        for width in (TELEPHONE, DESK):
            with self.subTest(width=width):
                tab = self.tab(width)
                all_of_them = tab.value(f"{SHOWN}.length")
                tab.type("/")
                self.assertTrue(tab.value("document.activeElement.matches('#search input')"))
                self.assertEqual(tab.value("document.activeElement.value"), "", "the shortcut is not typed")
                tab.type("Rotator weight")
                found = tab.value(f"{SHOWN}.map(one => one.textContent.toLowerCase())")
                self.assertLess(0, len(found))
                self.assertLess(len(found), all_of_them / 4)
                self.assertTrue(all("rotator" in text and "weight" in text for text in found))
                self.assertIn("createRotatorRule", tab.value(f"{SHOWN}.map(one => one.id)"))
                self.assertEqual(tab.value("document.querySelector('#search output').value"), f"{len(found)} found")
                headings = tab.value("[...document.querySelectorAll('main h2')].filter(one => one.offsetHeight > 0)"
                                     ".map(one => one.textContent)")
                self.assertNotIn("domain", headings)
                tab.type("xyzzy")
                self.assertEqual(tab.value(f"{SHOWN}.length"), 0)
                self.assertEqual(tab.value("document.querySelector('#search output').value"), "Nothing found")
                tab.press("Escape")
                self.assertEqual(tab.value(f"{SHOWN}.length"), all_of_them)

    def test_a_link_to_what_the_search_hides_shows_it(self):
        tab = self.tab(DESK)
        tab.type("/rotator")
        self.assertEqual(tab.value("document.getElementById('listTags').offsetHeight"), 0)
        tab.value("void(location.hash = 'listTags')")
        self.assertTrue(tab.value("new Promise(done => setTimeout(() => done("
                                  "document.getElementById('listTags').offsetHeight > 0), 100))"))

    def test_a_desk_has_the_contents_beside_the_text(self):
        tab = self.tab(DESK)
        nav, main = (tab.value(f"(box => [box.left, box.right, box.top])(document.querySelector('{name}')"
                               ".getBoundingClientRect())") for name in ("nav", "main"))
        self.assertLessEqual(nav[1], main[0])
        self.assertLess(abs(nav[2] - main[2]), 60)
        self.assertLess(0, tab.value("document.querySelector('nav li a').offsetHeight"))

    def test_without_scripts_everything_is_there_but_the_search(self):
        tab = self.tab(DESK, scripts=False)
        self.assertEqual(tab.value("document.getElementById('search').offsetHeight"), 0)
        self.assertEqual(tab.value(f"{SHOWN}.length"), tab.value("document.querySelectorAll('.part>section').length"))

    def test_fields_stand_at_the_request(self):
        tab = self.tab(DESK)
        text = tab.value("document.getElementById('createLink').innerText")
        for part in ("destination", "required", "domain.fullName", "expiresAt", "Workspace", "for example"):
            self.assertIn(part, text)

    def test_both_themes_can_be_read(self):
        """The contrast of text and page, by the formula of WCAG 2."""
        for dark in (False, True):
            with self.subTest(dark=dark):
                tab = self.tab(DESK, dark=dark)
                colours = tab.value("""['body', '.soft', 'main a', 'h3 .get', 'h3 .post', 'h3 .delete', 'dt b', '.needs li']
                    .map(name => document.querySelector(name)).map(one => {
                        let under = one;
                        while (under.parentElement && getComputedStyle(under).backgroundColor === 'rgba(0, 0, 0, 0)')
                            under = under.parentElement;
                        return [getComputedStyle(one).color, getComputedStyle(under).backgroundColor] })""")
                for ink, page in colours:
                    self.assertGreaterEqual(contrast(ink, page), 4.5, (ink, page))
                self.assertEqual(luminance(colours[0][1]) < 0.5, dark)

    def test_the_page_and_the_document_are_small_on_the_wire_and_sent_once(self):
        connection = Connection(self.server.port, host="localhost")
        self.addCleanup(connection.close)
        for path in ("/v1/docs", "/v1/openapi.json"):
            with self.subTest(path=path):
                plain = connection.ask("GET", path)
                connection.send_bytes(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
                packed = connection.receive()
                self.assertEqual(packed.headers["content-encoding"], "gzip")
                self.assertEqual(gzip.decompress(packed.body), plain.body)
                self.assertLess(len(packed.body), len(plain.body) / 6)
                connection.send_bytes(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
                                      f"If-None-Match: {packed.headers['etag']}\r\n\r\n".encode())
                again = connection.receive()
                self.assertEqual((again.status, again.body), (304, b""))

    def test_the_first_start_the_front_door_and_the_version_lead_here(self):
        self.assertIn(f"{self.address}/v1/docs\n", self.server.log("out").read_text())
        connection = Connection(self.server.port, host=f"localhost:{self.server.port}")
        self.addCleanup(connection.close)
        self.assertIn(b'href="/v1/docs"', connection.ask("GET", "/").body)
        for path in ("/v1", "/v1/"):
            self.assertEqual(connection.wanted("GET", path)["docs"], "/v1/docs")
        page = connection.ask("GET", "/v1/docs").body.decode()
        self.assertRegex(page, rf"Interface \d+\.\d+\.\d+, served by slashpost {re.escape(VERSION)}\.")


if __name__ == "__main__":
    unittest.main()
