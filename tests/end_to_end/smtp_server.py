#!/usr/bin/python3
"""A mail server on loopback for mail_test.py: Debian's python3-aiosmtpd, so run by Debian's Python.

    smtp_server.py FOLDER PORT [--user NAME PASSWORD] [--tls CERTIFICATE KEY] [--starttls CERTIFICATE KEY]
                   [--host ADDRESS]

Prints a line when it listens. Each mail is a file FOLDER/*.mail: JSON with the envelope and the content; each
receiver that is asked for is a file *.rcpt. Receivers are refused by the first part of their addresses: later@...
with 450, never@... with 550; at drop@... the connection ends.
"""
import argparse
import json
import pathlib
import signal
import ssl

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult


class Handler:
    def __init__(self, folder):
        self.folder, self.count = folder, 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        self.note("rcpt", address)
        if name == "later":
            return "450 4.2.0 come back later"
        if name == "never":
            return "550 5.1.1 no such mailbox"
        if name == "drop":
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": server.transport.get_extra_info("cipher") is not None,
                "user": session.auth_data.login.decode() if session.auth_data else "",
                "content": envelope.content.decode("latin-1")}
        self.note("mail", json.dumps(mail))
        return "250 OK"

    def note(self, kind, text):
        self.count += 1
        part = self.folder / f"{self.count:06}.part"
        part.write_text(text, encoding="utf-8")
        part.rename(part.with_suffix(f".{kind}"))  # whole when it shows


def context_of(files):
    if not files:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--user", nargs=2)
    parser.add_argument("--tls", nargs=2)
    parser.add_argument("--starttls", nargs=2)
    options = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])

    def knows(server, session, envelope, mechanism, data):
        good = [data.login.decode(), data.password.decode()] == options.user
        return AuthResult(success=good, auth_data=data)

    controller = Controller(Handler(options.folder), hostname=options.host, port=options.port,
                            ssl_context=context_of(options.tls), tls_context=context_of(options.starttls),
                            authenticator=knows, auth_require_tls=False, auth_required=bool(options.user),
                            enable_SMTPUTF8=True)
    controller.start()
    print("listening", flush=True)
    signal.sigwait([signal.SIGTERM])
    controller.stop()


if __name__ == "__main__":
    main()
