#!/usr/bin/env python3
"""Webhooks, from a change to the receiver: signed as the standard says, every event of what was committed at least once, in
the order of each link, through kill -9 and bad weather.

    SLASHPOST_SEED=...  the same decisions again (not the same moments)
    SLASHPOST_KILLS=8   how often
"""
import base64
import hashlib
import hmac
import http.client
import http.server
import json
import os
import random
import re
import subprocess
import threading
import time
import unittest
import urllib.request

from slashpost import DOMAIN, Connection, CutOff, Server, temporary_folder, wait_until

WRITES = 100  # of one writer at most until a kill: all of it has to arrive
KILLS = int(os.environ.get("SLASHPOST_KILLS", "8"))
SEED = os.environ.get("SLASHPOST_SEED") or str(random.SystemRandom().getrandbits(32))


def signature_of(secret, message, seconds, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{message}.{seconds}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


class Receiver:
    """Takes what comes, and answers what `status` says."""

    def __init__(self, test, address="127.0.0.1", port=0):
        self.lock, self.got, self.status, self.headers = threading.Lock(), [], (lambda request: 204), {}
        self.connections = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                with outer.lock:
                    outer.connections += 1
                super().setup()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = {"headers": dict(self.headers.items()), "body": body}
                status = outer.status(request)
                with outer.lock:
                    outer.got.append(request | {"status": status})
                self.send_response(status)
                for name, value in outer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((address, port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://{address}:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def requests(self):
        with self.lock:
            return list(self.got)

    def ids(self):
        """Of all that was taken, in the order in which it came first."""
        return list(dict.fromkeys(one["headers"]["webhook-id"] for one in self.requests() if one["status"] < 300))


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)
        self.receiver = Receiver(self)
        self.server = Server(temporary_folder(self) / "store", "--rate-limit", "0", "--webhook-allow", "127.0.0.1",
                             "--webhook-http", "on")
        self.addCleanup(self.server.end)
        self.server.start()
        self.api = self.server.connect()

    def make(self, *types):
        return self.api.wanted("POST", "/v1/webhooks", {"url": self.receiver.url, "types": types})

    def feed(self, connection, last, types):
        events = []
        while True:
            page = connection.wanted("GET", f"/v1/events?limit=100&types={types}&last={last}")
            events += page["events"]
            last = page["last"]
            if not page["more"]:
                return events

    def test_signed(self):
        """What arrives is signed with the secret that was shown, and with the one before while that is good."""
        made = self.make("link.created")
        link = self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        wait_until(self.receiver.requests, 20, "the event")
        request, = self.receiver.requests()
        headers, body = request["headers"], request["body"]
        event = json.loads(body)
        self.assertEqual((event["type"], event["data"]["subject"]["id"]), ("link.created", link["id"]))
        self.assertEqual(headers["webhook-id"], event["data"]["id"])
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertLess(abs(int(headers["webhook-timestamp"]) - time.time()), 30)
        self.assertEqual(headers["webhook-signature"],
                         signature_of(made["secret"], headers["webhook-id"], headers["webhook-timestamp"], body))

        renewed = self.api.wanted("POST", f"/v1/webhooks/{made['id']}/secret", {})
        self.api.wanted("POST", f"/v1/webhooks/{made['id']}/test", {})
        wait_until(lambda: len(self.receiver.requests()) == 2, 20, "the test")
        request = self.receiver.requests()[1]
        headers, body = request["headers"], request["body"]
        self.assertEqual(json.loads(body)["type"], "webhook.test")
        self.assertEqual(headers["webhook-signature"].split(" "),
                         [signature_of(secret, headers["webhook-id"], headers["webhook-timestamp"], body)
                          for secret in (renewed["secret"], made["secret"])])
        for secret in (made["secret"], renewed["secret"]):
            self.assertNotIn(secret, self.server.said())
        code, said = self.server.admin("verify")
        self.assertEqual(code, 0, said)

    def test_titles(self):
        """Pages are read for their titles from the public internet alone, whatever webhooks may reach. threat-12"""
        port = self.receiver.server.server_address[1]
        for destination in (self.receiver.url, f"http://localhost:{port}/", f"http://[::ffff:127.0.0.1]:{port}/",
                            "http://169.254.169.254/latest/meta-data/", "https://10.1.2.3/"):
            answer = self.api.ask("POST", "/v1/links/title", {"destination": destination})
            self.assertEqual(answer.status, 403, destination)
            told, = answer.json()["errors"]
            self.assertEqual((told["property"], told["message"]), ("destination", "must lead to a public address"))
        self.assertEqual(self.receiver.connections, 0)
        self.assertEqual(self.api.ask("POST", "/v1/links/title", {"destination": "file:///etc/passwd"}).status, 403)

    def test_weather(self):
        """A receiver that fails is tried again; one that is gone is left alone; metrics tell of both. threat-14"""
        self.receiver.status = lambda request: 500 if len(self.receiver.requests()) < 1 else 200
        made = self.make("link.created")
        self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        wait_until(self.receiver.ids, 30, "the second attempt")
        self.assertEqual([one["status"] for one in self.receiver.requests()], [500, 200])
        one, = wait_until(lambda: self.deliveries(made, "delivered"), 10, "the log")
        self.assertEqual((one["attempts"], one["answerStatus"]), (2, 200))
        for name in ("failed", "delivered"):
            wait_until(lambda name=name: self.metric(f"slashpost_webhook_attempts_{name}_total") == 1, 10, name)

        self.receiver.status = lambda request: 410
        self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        wait_until(lambda: self.api.wanted("GET", f"/v1/webhooks/{made['id']}")["status"] == "disabled", 20, "its end")
        self.assertEqual(self.api.wanted("GET", f"/v1/webhooks/{made['id']}")["disabledReason"], "gone")
        self.receiver.status = lambda request: 200
        self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/"})
        self.api.wanted("POST", f"/v1/webhooks/{made['id']}/resume", {})
        wait_until(lambda: len(self.receiver.ids()) == 2, 20, "what waited")

        elsewhere = self.api.ask("POST", "/v1/webhooks", {"url": "https://127.0.0.2:8443/"})
        self.assertEqual(elsewhere.status, 403)
        hidden = self.api.wanted("POST", "/v1/webhooks", {"url": "http://localhost6.invalid:8443/"})
        self.api.wanted("POST", f"/v1/webhooks/{hidden['id']}/test", {})
        told, = wait_until(lambda: self.deliveries(hidden, "failed"), 30, "the failure of a name that is none")
        self.assertNotEqual(told["answer"], "")

    def test_clicks(self):
        """Clicks come in batches to who names them, signed so that openssl verifies it with the public key."""
        made = self.api.wanted("POST", "/v1/webhooks", {"url": self.receiver.url, "types": ["link.clicked"],
                                                        "signature": "ed25519"})
        self.make()  # hears of all but clicks
        link = self.api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "domain": {"fullName": DOMAIN}})
        visitor = Connection(self.server.port)
        for _ in range(7):
            visitor.ask("GET", "/" + link["slashtag"])

        def batches():
            return [one for one in self.receiver.requests() if json.loads(one["body"])["type"] == "link.clicked"]
        wait_until(lambda: sum(len(json.loads(one["body"])["data"]["clicks"]) for one in batches()) >= 7, 20, "the clicks")
        clicks = [click for one in batches() for click in json.loads(one["body"])["data"]["clicks"]]
        self.assertEqual([click["linkId"] for click in clicks], [link["id"]] * 7)
        self.assertNotIn(b"127.0.0.1", b"".join(one["body"] for one in batches()))
        request = batches()[0]
        headers = request["headers"]
        folder = temporary_folder(self)
        kind, signature = headers["webhook-signature"].split(",")
        self.assertEqual(kind, "v1a")
        (folder / "signature").write_bytes(base64.b64decode(signature))
        (folder / "text").write_bytes(f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request["body"])
        key = base64.b64decode(made["publicKey"].removeprefix("whpk_"))
        (folder / "key").write_bytes(bytes.fromhex("302a300506032b6570032100") + key)  # RFC 8410
        verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", folder / "key", "-keyform", "DER", "-rawin", "-in",
                  folder / "text", "-sigfile", folder / "signature"]
        self.assertEqual(subprocess.run(verify, capture_output=True, check=False).returncode, 0)

    def test_stream(self):
        """A stream tells what happens, goes on where it was cut off, and ends whole when the server stops."""
        def lines(last=None):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
            self.addCleanup(connection.close)
            headers = {"apikey": self.server.key, "Host": DOMAIN} | ({"Last-Event-ID": last} if last else {})
            connection.request("GET", "/v1/events/stream?types=tag.created", headers=headers)
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/event-stream"))
            return answer

        def next_tag(stream):
            event = None
            for line in stream:
                if line.startswith(b"id: "):
                    event = line.split()[1].decode()
                if line.startswith(b"data: "):
                    told = json.loads(line.removeprefix(b"data: "))
                    self.assertEqual(told["id"], event)
                    return told
            return None
        stream = lines()
        self.api.wanted("POST", "/v1/tags", {"name": "one"})
        first = next_tag(stream)
        self.assertEqual(first["subject"]["name"], "one")
        stream.close()
        self.server.kill()
        self.server.start()
        api = self.server.connect()
        for name in ("two", "three"):
            api.wanted("POST", "/v1/tags", {"name": name})
        stream = lines(first["id"])
        self.assertEqual([next_tag(stream)["subject"]["name"] for _ in range(2)], ["two", "three"])
        self.assertEqual(self.server.stop(), 0, self.server.said())
        self.assertIsNone(next_tag(stream))  # a chunk that is missing would be an error here

    def deliveries(self, webhook, status):
        return self.api.wanted("GET", f"/v1/webhooks/{webhook['id']}/deliveries?status={status}&limit=100")

    def metric(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.server.ops_port}/metrics", timeout=10) as answer:
            return float(re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M).group(1))

    def test_kills(self):
        """Every event of what was committed arrives, none of what was not, and those of a link in their order."""
        print(f"seed {SEED}, {KILLS} kills", flush=True)
        begin = self.api.wanted("GET", "/v1/events?types=link.created")["last"]
        self.make("link.created", "link.updated", "link.deleted")
        # A receiver that is not well at first: some events are refused once. Not after a kill: an attempt that it
        # cut off counts, and the third one is made minutes later.
        weather, refused = random.Random(SEED), set()

        def status(request):
            event = request["headers"]["webhook-id"]
            if event in refused or weather.random() < 0.9:
                return 200
            refused.add(event)
            return 503
        for kill in range(KILLS):
            self.receiver.status = status if kill == 0 else lambda request: 200
            stop = threading.Event()
            writers = [threading.Thread(target=self.write, args=(self.server.connect(), f"{SEED} {kill} {i}", stop))
                       for i in range(3)]
            for writer in writers:
                writer.start()
            time.sleep(self.random.uniform(0.2, 1.5))
            self.server.kill()
            stop.set()
            for writer in writers:
                writer.join(30)
            self.server.start()
        connection = self.server.connect()
        connection.wanted("POST", "/v1/links", {"destination": "https://example.com/"})  # from then on there is a feed
        events = self.feed(connection, begin, "link.created,link.updated,link.deleted")
        wanted = [event["id"] for event in events]
        self.assertEqual(len(set(wanted)), len(wanted))
        try:
            wait_until(lambda: set(wanted) <= set(self.receiver.ids()), 240, "all events")
        finally:
            got = self.receiver.ids()
            print(f"{len(wanted)} events, {len(set(got))} arrived, {len(self.receiver.requests())} requests", flush=True)
        self.assertEqual(set(got), set(wanted), "nothing arrives that was not committed")
        place = {event: number for number, event in enumerate(got)}
        by_link = {}
        for event in events:
            by_link.setdefault(event["subject"]["id"], []).append(place[event["id"]])
        for link, places in by_link.items():
            self.assertEqual(places, sorted(places), f"events of the link {link}, seed {SEED}")
        self.assertEqual(self.server.stop(), 0, self.server.said())
        code, said = self.server.admin("verify")
        self.assertEqual(code, 0, said)

    @staticmethod
    def write(connection, seed, stop):
        """Makes links, changes and deletes them until the server is killed."""
        own = random.Random(seed)
        links, written = [], 0
        try:
            while not stop.is_set() and written < WRITES:
                written += 1
                if len(links) < 5 or own.random() < 0.3:
                    links.append(connection.wanted("POST", "/v1/links", {"destination": "https://example.com/",
                                                                         "domain": {"fullName": DOMAIN}})["id"])
                elif own.random() < 0.8:
                    connection.wanted("POST", f"/v1/links/{own.choice(links)}", {"title": f"{own.random()}"})
                else:
                    connection.wanted("DELETE", f"/v1/links/{links.pop(own.randrange(len(links)))}")
        except CutOff:
            pass
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
