#!/usr/bin/env python3
"""`slashpost-admin doctor`: a running server tells what is wrong with it and around it, and what mends that."""
import os
import unittest
from unittest import mock

from slashpost import Server, admin, temporary_folder, wait_until


class Doctor(unittest.TestCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.data = self.folder / "data"

    def server(self, *arguments, domain="localhost:8080"):
        server = Server(self.data, *arguments, domain=domain)
        self.addCleanup(server.end)
        return server.start()

    def findings(self):
        """What has to be mended -> how."""
        code, said = admin(self.data, "doctor")
        lines = said.splitlines()
        found = {line[6:]: lines[at + 1].strip() for at, line in enumerate(lines) if line.startswith("mend  ")}
        self.assertEqual(code, 1 if found else 0, said)
        return found

    def test_a_server_without_backups_is_told_how_to_make_them(self):
        self.server()
        self.assertEqual(self.findings().get("the server makes no backups"), "--backup-to /mnt/other-disk/slashpost")

    def test_backups_that_are_made_are_fine_and_those_that_fail_are_not(self):
        server = self.server("--backup-to", str(self.folder / "backups"))
        server.says("backup made")
        self.assertFalse([what for what in self.findings() if "backup" in what])
        self.assertEqual(server.stop(), 0, server.said())
        (self.folder / "file").write_text("")
        server = self.server("--backup-to", str(self.folder / "file"))
        server.says("no backup could be made")
        self.assertIn("the last backup could not be made; the log says why", self.findings())

    def test_unknown_variables_and_a_missing_file_of_countries_are_found(self):
        with mock.patch.dict(os.environ, {"SLASHPOST_LISTNE": "localhost:1"}):
            self.server("--geoip", str(self.folder / "none.mmdb"))
        found = self.findings()
        self.assertTrue([what for what in found if "SLASHPOST_LISTNE" in what], found)
        self.assertEqual(found[f"the countries in {self.folder}/none.mmdb cannot be read"],
                         f"tools/geoip-update {self.folder}/none.mmdb")

    def test_a_domain_without_an_address_and_without_a_certificate_is_found(self):
        (self.folder / "certificates").mkdir()
        self.server("--tls-listen", "127.0.0.1:0", "--certificates", str(self.folder / "certificates"), "--acme-webroot",
                    str(self.folder / "acme"), domain="go.slashpost.invalid")
        found = self.findings()
        self.assertIn("the DNS knows no address of the domain go.slashpost.invalid", found)
        self.assertEqual(found["no certificate names the domain go.slashpost.invalid"],
                         f"certbot certonly --webroot --webroot-path {self.folder}/acme -d go.slashpost.invalid")

    def test_nothing_is_left_in_the_data_folder(self):
        self.server()
        self.findings()
        wait_until(lambda: not (self.data / "doctor").exists(), 5, "no file of the doctor")

    def test_without_a_server_it_says_so(self):
        server = self.server()
        self.assertEqual(server.stop(), 0, server.said())
        code, said = admin(self.data, "doctor")
        self.assertEqual(code, 1)
        self.assertIn("no server runs on this folder", said)


if __name__ == "__main__":
    unittest.main()
