"""An attack of tools/bench/hostile: events by the hundred thousand wait for a webhook, and are sent while others are
redirected; to a receiver that takes each at once, or to one that takes the connection and answers nothing."""
import contextlib
import http.server
import socket
import threading

EVENTS = 100_000
BATCH = 1_000  # links of one call


class TakesAll(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class WaitingEvents:
    def __init__(self, answers):
        self.answers, self.webhook, self.listener = answers, None, None

    @contextlib.contextmanager
    def prepared(self, server):
        """The events are there, and the webhook is paused; in the end there is neither it nor a receiver."""
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        api = server.connect()
        self.webhook = api.wanted("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:{self.listener.getsockname()[1]}/",
                                                           "types": ["link.created"]})["id"]
        api.wanted("POST", f"/v1/webhooks/{self.webhook}/pause", {})
        for _ in range(EVENTS // BATCH):
            api.wanted("PUT", "/v1/links", [{"destination": "https://example.com/"}] * BATCH)
        api.close()
        try:
            yield
        finally:
            api = server.connect()
            delivered = len(api.wanted("GET", f"/v1/webhooks/{self.webhook}/deliveries?status=delivered&limit=100"))
            api.wanted("DELETE", f"/v1/webhooks/{self.webhook}")
            api.close()
            self.listener.close()
            if (delivered > 0) != self.answers:
                raise SystemExit(f"{delivered} events were delivered")

    def __call__(self, server):
        if self.answers:
            receiver = http.server.ThreadingHTTPServer(self.listener.getsockname(), TakesAll, bind_and_activate=False)
            receiver.socket = self.listener
            threading.Thread(target=receiver.serve_forever, daemon=True).start()
        server.connect().wanted("POST", f"/v1/webhooks/{self.webhook}/resume", {})
        threading.Event().wait()
