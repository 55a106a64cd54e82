#!/usr/bin/env python3
"""The committed files of the dashboard are those that its sources give, small enough, and ask nothing of elsewhere."""
import gzip
import re
import shutil
import unittest

import workshop

JS_BYTES_MAX, CSS_BYTES_MAX = 80_000, 12_000  # of what is sent: gzip
LANGUAGES = ["en", "de"]
FILES = ["LICENSES", "app.css", "app.js", "chunk.js", "index.html", "operator.js", "qr.js", *(f"{one}.js" for one in LANGUAGES)]
OPERATOR_BYTES_MAX = 8_000
QR_BYTES_MAX = 6_000


def sent_bytes(name):
    return len(gzip.compress((workshop.BUILT / name).read_bytes(), 9))


class Build(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        workshop.prepare()

    def test_the_committed_files_are_what_the_sources_give(self):
        folder = workshop.WORKSHOP / "built"
        shutil.rmtree(folder, ignore_errors=True)
        workshop.run("node", "build.mjs", folder)
        self.assertEqual(sorted(path.name for path in workshop.BUILT.iterdir()), sorted(FILES))
        self.assertEqual(sorted(path.name for path in folder.iterdir()), sorted(FILES))
        for name in FILES:
            self.assertEqual((folder / name).read_bytes(), (workshop.BUILT / name).read_bytes(),
                             f"{name}: `npm ci --ignore-scripts && npm run build` in http/dashboard/web makes it anew")

    def test_the_types_fit_the_document_of_the_api(self):
        workshop.run(workshop.from_packages("openapi-typescript"), workshop.ROOT / "tests/golden/openapi.json", "-o", "src/api/schema.d.ts")
        workshop.run(workshop.from_packages("tsc"))

    def test_the_files_are_small(self):
        always = sent_bytes("app.js") + sent_bytes("chunk.js")
        for one in LANGUAGES:
            self.assertLessEqual(always + sent_bytes(f"{one}.js"), JS_BYTES_MAX)
        self.assertLessEqual(sent_bytes("operator.js"), OPERATOR_BYTES_MAX)
        self.assertLessEqual(sent_bytes("qr.js"), QR_BYTES_MAX)
        self.assertLessEqual(sent_bytes("app.css"), CSS_BYTES_MAX)

    def test_nothing_is_asked_of_elsewhere(self):
        names = r"(?:https?:)?//(?!www\.w3\.org/|example\.com)[\w-]+\.[\w.-]+"
        for name in set(FILES) - {"LICENSES"}:
            text = (workshop.BUILT / name).read_text(encoding="utf-8")
            self.assertEqual(re.findall(rf"(?:url\(|@import|src=|href=|fetch\(|import\()\s*[\"'`]?{names}", text), [], name)
            self.assertNotIn("@font-face", text)
        page = (workshop.BUILT / "index.html").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"<style|style=|<script(?![^>]* src=)|\bon\w+=", page), [])

    def test_every_word_goes_through_the_messages_and_no_text_becomes_markup(self):
        workshop.run("node", "strings.mjs", "src")

    def test_a_word_and_markup_in_the_sources_would_be_found(self):
        folder = workshop.WORKSHOP / "bad"
        folder.mkdir(exist_ok=True)
        (folder / "bad.tsx").write_text("export const a = <p title='Words' dangerouslySetInnerHTML={{ __html: b }}>More words</p>;\n"
                                        "export const c = <p>{d ? 'One' : t('key')}</p>;\n")
        with self.assertRaises(AssertionError) as found:
            workshop.run("node", "strings.mjs", "bad")
        for words in ('"Words" does not', '"More words" does not', '"One" does not', "dangerouslySetInnerHTML is forbidden"):
            self.assertIn(words, str(found.exception))
        self.assertEqual(str(found.exception).count("bad.tsx:"), 4)

    def test_the_languages_say_the_same(self):
        workshop.run("node", "messages.mjs")


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
