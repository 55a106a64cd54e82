#!/usr/bin/env python3
"""Invites by mail: a real mail server takes them, over plain SMTP, STARTTLS and SMTPS, with and without a login."""
import base64
import email
import email.policy
import json
import pathlib
import re
import subprocess
import time
import unittest

from slashpost import Connection, Server, admin, free_port, temporary_folder, wait_until

SMTP_SERVER = pathlib.Path(__file__).with_name("smtp_server.py")
DEBIANS_PYTHON = "/usr/bin/python3"  # which python3-aiosmtpd belongs to
FROM = "post@go.example.com"
PASSWORD = "correct horse"
ELSEWHERE = "127.0.0.2"  # of the loopback, but not one of the three names that are known to be this machine


class MailServer:
    def __init__(self, test, *arguments, port=0):
        self.folder, self.port = temporary_folder(test), port or free_port()
        command = [DEBIANS_PYTHON, "-B", SMTP_SERVER, self.folder, str(self.port), *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        assert self.process.stdout.readline() == "listening\n", "the mail server did not start"

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.process.stdout.close()

    def mails(self):
        return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(self.folder.glob("*.mail"))]

    def asked_for(self):
        return [file.read_text(encoding="utf-8") for file in sorted(self.folder.glob("*.rcpt"))]


def parsed(mail):
    return email.message_from_bytes(mail["content"].encode("latin-1"), policy=email.policy.default)


class Mails(unittest.TestCase):
    def start(self, url, *arguments):
        server = Server(temporary_folder(self) / "store", "--smtp-url", url, "--smtp-from", FROM, "--public-url",
                        "https://api.example.com", *arguments)
        self.addCleanup(server.end)
        self.server = server.start()
        self.connection = server.connect()
        self.workspace = self.connection.wanted("GET", "/v1/workspaces")[0]["id"]
        return server

    def invite(self, *addresses, **more):
        answer = self.connection.wanted("POST", f"/v1/workspaces/{self.workspace}/invite",
                                        {"emails": addresses, **more})
        for invite in answer["invites"]:
            self.assertNotIn("acceptUrl", invite)
        return answer["invites"]

    def listed(self, address):
        code, said = self.server.admin("invite", "list")
        self.assertEqual(code, 0, said)
        return next(line for line in said.splitlines() if f" {address} " in line)

    def wait_for_mails(self, mail_server, count, seconds=20):
        wait_until(lambda: len(mail_server.mails()) >= count, seconds, f"{count} mails; {self.server.said()}")
        return mail_server.mails()

    def certificate(self, name="DNS:localhost"):
        folder = temporary_folder(self)
        files = [str(folder / "certificate.pem"), str(folder / "key.pem")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-days", "2", "-subj", "/CN=mail", "-addext", f"subjectAltName={name}",
                        "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
        return files

    def test_invitation(self):
        """From the invite over the mail to the workspace: what is in the mail is enough to get in."""
        mail_server = MailServer(self)
        server = self.start(f"smtp://127.0.0.1:{mail_server.port}")
        self.connection.wanted("POST", f"/v1/workspaces/{self.workspace}", {"name": "Läden & \"mehr\" 日本語 " + "x" * 60})
        self.invite("ann@example.com", role="guest", message="Grüße,\n.\nBcc: evil@example.com")
        envelope, = self.wait_for_mails(mail_server, 1)
        self.assertEqual((envelope["from"], envelope["to"], envelope["tls"]), (FROM, ["ann@example.com"], False))
        mail = parsed(envelope)
        self.assertEqual(mail["subject"], "Invitation to the workspace \"Läden & \"mehr\" 日本語 " + "x" * 60 + "\"")
        self.assertEqual(mail["from"], f"Slashpost <{FROM}>")
        self.assertEqual(mail["to"].addresses[0].addr_spec, "ann@example.com")
        self.assertIsNone(mail["bcc"])
        self.assertTrue(all(len(line) <= 78 for line in envelope["content"].splitlines()))
        text = mail.get_content().replace("\r\n", "\n")
        self.assertIn("> Grüße,\n> .\n> Bcc: evil@example.com\n", text)

        path = re.search(r"https://api\.example\.com(/v1/invites/[0-9a-f]{64}/accept)", text).group(1)
        code, said = server.admin("account", "create", "ann", "--email", "ANN@example.com")
        self.assertEqual(code, 0, said)
        code, said = server.admin("key", "create", "--account", "ann")
        self.assertEqual(code, 0, said)
        ann = Connection(server.port, re.search(r"API key: (\S+)", said).group(1))
        self.assertEqual(ann.wanted("POST", path, {})["workspace"]["id"], self.workspace)
        self.assertEqual(ann.ask("POST", path, {}).status, 404)
        people = ann.wanted("GET", f"/v1/workspaces/{self.workspace}/teammates?orderDir=asc")
        self.assertEqual([(one["username"], one["role"]) for one in people], [("admin", "owner"), ("ann", "guest")])

        token = path.split("/")[3]
        code, said = admin(server.data, "dump", server.data / "dump.jsonl")
        self.assertEqual(code, 0, said)
        self.assertNotIn(token, (server.data / "dump.jsonl").read_text())
        self.assertNotIn(token, server.said())

    def test_once(self):
        """Many mails, a restart in between, a replaced invite: each address gets what it should, once."""
        mail_server = MailServer(self)
        server = self.start(f"smtp://127.0.0.1:{mail_server.port}")
        addresses = [f"p{number}@example.com" for number in range(30)]
        self.invite(*addresses)
        self.wait_for_mails(mail_server, 30)
        self.assertEqual(server.stop(), 0, server.said())
        server.start()
        time.sleep(2)
        self.assertEqual(sorted(mail["to"][0] for mail in mail_server.mails()), sorted(addresses))
        self.assertIn("mailed ", self.listed("p0@example.com"))

    def test_refusals(self):
        """What is refused for good is given up, what is refused for now is tried again; others go on meanwhile."""
        mail_server = MailServer(self)
        self.start(f"smtp://127.0.0.1:{mail_server.port}")
        self.invite("never@example.com", "later@example.com", "drop@example.com", "good@example.com")
        self.assertEqual(self.wait_for_mails(mail_server, 1)[0]["to"], ["good@example.com"])
        wait_until(lambda: mail_server.asked_for().count("later@example.com") >= 2, 30, "a second attempt")
        self.assertEqual(mail_server.asked_for().count("never@example.com"), 1)
        self.assertIn("mail given up: RCPT failed: 550", self.listed("never@example.com"))
        self.assertIn("mail waits for attempt", self.listed("later@example.com"))
        self.assertIn("mail waits for attempt", self.listed("drop@example.com"))
        self.server.says("a mail was given up")

    def test_server_away(self):
        """A mail server that is not there yet: the invite is made at once, its mail follows."""
        port = free_port()
        self.start(f"smtp://127.0.0.1:{port}")
        self.invite("ann@example.com")
        self.server.says("tried again", 20)
        mail_server = MailServer(self, port=port)
        self.assertEqual(self.wait_for_mails(mail_server, 1, 30)[0]["to"], ["ann@example.com"])

    def test_login(self):
        """With a login; the password is in no log and in no setting that is shown."""
        mail_server = MailServer(self, "--user", "poster", PASSWORD)
        server = self.start(f"smtp://127.0.0.1:{mail_server.port}", "--smtp-user", "poster", "--smtp-password", PASSWORD,
                            "--log-level", "debug")
        self.invite("ann@example.com")
        self.assertEqual(self.wait_for_mails(mail_server, 1)[0]["user"], "poster")
        server.stop()
        said = server.log("err").read_text() + server.log("out").read_text()
        for secret in [PASSWORD, base64.b64encode(PASSWORD.encode()).decode().rstrip("=")]:
            self.assertNotIn(secret, said)

    def test_wrong_password(self):
        mail_server = MailServer(self, "--user", "poster", PASSWORD)
        self.start(f"smtp://127.0.0.1:{mail_server.port}", "--smtp-user", "poster", "--smtp-password", "wrong battery")
        self.invite("ann@example.com")
        wait_until(lambda: "tried again" in self.server.said(), 60, "the first attempt")
        self.assertEqual(mail_server.mails(), [])
        self.assertNotIn("wrong battery", self.server.said())
        self.assertIn("mail waits for attempt", self.listed("ann@example.com"))

    def nothing_is_sent(self, mail_server, why):
        """By an invite; and the log says why."""
        self.invite("ann@example.com")
        wait_until(lambda: "tried again" in self.server.said(), 30, "the first attempt")
        self.assertIn(why, self.server.said())
        self.assertEqual((mail_server.mails(), mail_server.asked_for()), ([], []))

    def test_another_machine_with_starttls_and_a_good_certificate(self):
        """The password too goes over TLS only."""
        certificate = self.certificate(f"IP:{ELSEWHERE}")
        mail_server = MailServer(self, "--host", ELSEWHERE, "--starttls", *certificate, "--user", "poster", PASSWORD)
        self.start(f"smtp://{ELSEWHERE}:{mail_server.port}", "--smtp-ca", certificate[0], "--smtp-user", "poster",
                   "--smtp-password", PASSWORD)
        self.invite("ann@example.com")
        mail, = self.wait_for_mails(mail_server, 1)
        self.assertEqual((mail["to"], mail["tls"], mail["user"]), (["ann@example.com"], True, "poster"))

    def test_another_machine_with_a_certificate_of_another_name(self):
        certificate = self.certificate("DNS:mail.example.com")
        mail_server = MailServer(self, "--host", ELSEWHERE, "--starttls", *certificate)
        self.start(f"smtp://{ELSEWHERE}:{mail_server.port}", "--smtp-ca", certificate[0])
        self.nothing_is_sent(mail_server, "whose certificate is not good for its name")

    def test_another_machine_with_a_certificate_that_nobody_signed(self):
        mail_server = MailServer(self, "--host", ELSEWHERE, "--starttls", *self.certificate(f"IP:{ELSEWHERE}"))
        self.start(f"smtp://{ELSEWHERE}:{mail_server.port}")
        self.nothing_is_sent(mail_server, "whose certificate is not good for its name")

    def test_another_machine_without_starttls(self):
        """As of a server that never had it, or from whose answer somebody took it."""
        mail_server = MailServer(self, "--host", ELSEWHERE)
        self.start(f"smtp://{ELSEWHERE}:{mail_server.port}")
        self.nothing_is_sent(mail_server, "the server offers no STARTTLS")

    def test_another_machine_without_tls_takes_mails_when_the_operator_says_so(self):
        mail_server = MailServer(self, "--host", ELSEWHERE, "--user", "poster", PASSWORD)
        self.start(f"smtp://{ELSEWHERE}:{mail_server.port}", "--smtp-insecure", "on", "--smtp-user", "poster",
                   "--smtp-password", PASSWORD)
        self.invite("ann@example.com")
        mail, = self.wait_for_mails(mail_server, 1)
        self.assertEqual((mail["to"], mail["tls"], mail["user"]), (["ann@example.com"], False, "poster"))

    def test_any_certificate_will_do_when_the_operator_says_so(self):
        for kind, scheme in (("--starttls", "smtp"), ("--tls", "smtps")):
            with self.subTest(scheme):
                mail_server = MailServer(self, "--host", ELSEWHERE, kind, *self.certificate())
                self.start(f"{scheme}://{ELSEWHERE}:{mail_server.port}", "--smtp-insecure", "on")
                self.invite("ann@example.com")
                self.assertTrue(self.wait_for_mails(mail_server, 1)[0]["tls"])

    def test_starttls_of_this_machine(self):
        """STARTTLS is used when it is offered, whosever certificate it is, as plain would do as well."""
        mail_server = MailServer(self, "--starttls", *self.certificate())
        self.start(f"smtp://127.0.0.1:{mail_server.port}")
        self.invite("ann@example.com")
        self.assertTrue(self.wait_for_mails(mail_server, 1)[0]["tls"])

    def test_smtps(self):
        """smtps:// asks for a good certificate, and sends nothing without one."""
        certificate = self.certificate()
        mail_server = MailServer(self, "--tls", *certificate)
        self.start(f"smtps://localhost:{mail_server.port}")
        self.invite("ann@example.com")
        wait_until(lambda: "tried again" in self.server.said(), 20, "the first attempt")
        self.assertIn("certificate", self.server.said())
        self.assertEqual(mail_server.mails(), [])
        self.start(f"smtps://localhost:{mail_server.port}", "--smtp-ca", certificate[0])
        self.invite("bob@example.com")
        mail, = self.wait_for_mails(mail_server, 1)
        self.assertEqual((mail["to"], mail["tls"]), (["bob@example.com"], True))


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
