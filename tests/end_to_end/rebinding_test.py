#!/usr/bin/env python3
"""Webhooks whose names mean a good address when they are looked up first, and this machine's own later: whatever the DNS
says, nothing is sent to the loopback or to private networks. Public addresses are out of a test's reach, so the good one
is 127.0.0.2, which the operator of this server allows.

Needs root, for a resolv.conf that the server alone sees, and for the port of the DNS; says so and is skipped otherwise.
"""
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

from slashpost import Server, free_port, temporary_folder, wait_until
from webhooks_test import Receiver

SKIPPED = 77
NAME_SERVER, GOOD, TRAP = "127.83.83.83", "127.0.0.2", "127.0.0.1"
NAME = "hooks.example"
REFUSAL = "The address is none that is sent to: it lies in a private or special network."


class NameServer:
    """Says what it is told of one name (RFC 1035, 4): each look-up of its addresses gets the next answer, and the last one
    stays. Of all others it knows nothing."""

    def __init__(self):
        self.lock, self.answers, self.asked = threading.Lock(), [[]], 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((NAME_SERVER, 53))
        threading.Thread(target=self.serve, daemon=True).start()

    def tell(self, *answers):
        with self.lock:
            self.answers, self.asked = list(answers), 0

    def look_ups(self):
        with self.lock:
            return self.asked

    def serve(self):
        while True:
            question, who = self.socket.recvfrom(4096)
            self.socket.sendto(self.answer(question), who)

    def answer(self, message):
        labels, at = [], 12
        while message[at]:
            labels.append(message[at + 1:at + 1 + message[at]].decode("latin-1"))
            at += 1 + message[at]
        is_known = ".".join(labels).lower() == NAME
        is_ipv4 = struct.unpack_from("!H", message, at + 1)[0] == 1
        addresses = self.next() if is_known and is_ipv4 else []
        flags = 0x8580 if is_known else 0x8583  # an answer with authority, after recursion; 3: there is no such name
        return (message[:2] + struct.pack("!HHHHH", flags, 1, len(addresses), 0, 0) + message[12:at + 5] +
                b"".join(struct.pack("!HHHIH", 0xc00c, 1, 1, 0, 4) + socket.inet_aton(one) for one in addresses))

    def next(self):
        with self.lock:
            self.asked += 1
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(SKIPPED)


class Rebinding(unittest.TestCase):
    """threat-14"""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="slashpost-")
        cls.addClassCleanup(folder.cleanup)
        cls.resolvers = pathlib.Path(folder.name) / "resolv.conf"
        cls.resolvers.write_text(f"nameserver {NAME_SERVER}\n")
        probe = ["unshare", "--mount", "mount", "--bind", cls.resolvers, "/etc/resolv.conf"]
        if subprocess.run(probe, check=False).returncode != 0:
            skip("this user may not mount a file in another's place")
        try:
            cls.names = NameServer()
        except OSError as error:
            skip(f"no name server on {NAME_SERVER}: {error}")

    def setUp(self):
        self.port = free_port()
        self.good = Receiver(self, GOOD, self.port)
        self.good.headers = {"Connection": "close"}  # or the next message needs no look-up
        self.trap = socket.create_server((TRAP, self.port))  # who comes waits there
        self.addCleanup(self.trap.close)
        self.trap.setblocking(False)
        self.server = Server(temporary_folder(self) / "store", "--webhook-allow", GOOD, "--webhook-http", "on")
        self.server.wrapper = ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"',
                               self.resolvers)
        self.addCleanup(self.server.end)
        self.api = self.server.start().connect()

    def make(self, host=NAME):
        return self.api.wanted("POST", "/v1/webhooks", {"url": f"http://{host}:{self.port}/hook", "types": ["tag.created"]})

    def try_out(self, webhook):
        """What became of one request to it: "delivered 204", or why nothing came."""
        path = f"/v1/webhooks/{webhook['id']}"
        test = self.api.wanted("POST", f"{path}/test", {})["id"]

        def ended():
            return [one for one in self.api.wanted("GET", f"{path}/deliveries?limit=100")
                    if one["id"] == test and one["status"] in ("delivered", "failed")]
        one, = wait_until(ended, 30, "the end of a test")
        return f"{one['status']} {one.get('answerStatus') or one['answer']}"

    def check_trap(self):
        with self.assertRaises(BlockingIOError):
            self.trap.accept()

    def test_a_name_that_means_the_loopback_the_second_time(self):
        webhook = self.make()
        self.names.tell([GOOD], [TRAP])
        self.assertEqual(self.try_out(webhook), "delivered 204")
        self.assertEqual(self.names.look_ups(), 1, "what was looked at is what was connected to")
        for look_ups in (2, 3, 4):
            self.assertEqual(self.try_out(webhook), f"failed {REFUSAL}")
            self.assertEqual(self.names.look_ups(), look_ups)
        self.check_trap()
        self.names.tell([GOOD])
        self.assertEqual(self.try_out(webhook), "delivered 204")
        self.assertEqual(len(self.good.requests()), 2)

        # An event that waits for its next attempt is as little let in.
        self.names.tell([TRAP])
        self.api.wanted("POST", "/v1/tags", {"name": "one"})
        wait_until(lambda: self.api.wanted("GET", f"/v1/webhooks/{webhook['id']}")["failures"] >= 1, 30, "an attempt")
        self.check_trap()
        self.assertEqual(len(self.good.requests()), 2)
        self.assertEqual(self.server.stop(), 0, self.server.said())

    def test_names_that_mean_no_good_address(self):
        webhook = self.make()
        for address in (TRAP, "127.0.0.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254",
                        "224.0.0.1", "255.255.255.255"):
            self.names.tell([address])
            self.assertEqual(self.try_out(webhook), f"failed {REFUSAL}", address)
        self.assertEqual(self.try_out(self.make("localhost")), f"failed {REFUSAL}")
        self.names.tell([TRAP, "10.0.0.1", GOOD])  # those that are not allowed are left out
        self.assertEqual(self.try_out(webhook), "delivered 204")
        for host in ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]"):
            refused = self.api.ask("POST", "/v1/webhooks", {"url": f"http://{host}:{self.port}/hook"})
            self.assertEqual(refused.status, 403, host)
        self.check_trap()

    def test_a_receiver_that_leads_to_the_loopback(self):
        webhook = self.make()
        self.names.tell([GOOD])
        self.good.headers = {"Location": f"http://{TRAP}:{self.port}/hook", "Connection": "close"}
        for status in (301, 302, 307, 308):
            self.good.status = lambda request, status=status: status
            self.assertEqual(self.try_out(webhook), f"failed {status}")
        self.check_trap()
        socket.create_connection((TRAP, self.port)).close()  # who came would have been seen
        self.trap.accept()[0].close()


if __name__ == "__main__":
    unittest.main(verbosity=2, warnings="ignore")
