"""Headless Chromium, and a site beside it that remembers what it was asked for."""
import base64
import contextlib
import fcntl
import http.server
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import threading
import unittest

from slashpost import Server, free_port

PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
ANSWERS_WITHIN = 60  # seconds


class Browser:
    """Each visit has a profile of its own."""

    def __init__(self):
        self.program = shutil.which("chromium")

    def missing(self):
        """Why there is no browser; nothing when there is."""
        if not self.program:
            return "chromium is not installed"
        try:
            shown = self.visit("data:text/html,<p>here</p>")
        except subprocess.SubprocessError as error:
            return f"chromium does not start: {error}"
        return None if "<p>here</p>" in shown else "chromium does not start"

    def command(self, profile, agent, *options):
        return [self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--no-proxy-server", "--disable-background-networking", f"--user-data-dir={profile}",
                f"--user-agent={agent}", *options]

    def visit(self, address, agent=PERSON):
        """What the page shows that the visit ends at."""
        with tempfile.TemporaryDirectory(prefix="slashpost-browser-", ignore_cleanup_errors=True) as profile:
            command = self.command(profile, agent, "--virtual-time-budget=20000", "--dump-dom", address)
            return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                                  check=True).stdout

    @contextlib.contextmanager
    def without_scripts(self, address, agent=PERSON):
        """Goes on for as long as the context lasts: what a page shows cannot be read without scripts."""
        with tempfile.TemporaryDirectory(prefix="slashpost-browser-", ignore_cleanup_errors=True) as profile:
            command = self.command(profile, agent, "--blink-settings=scriptEnabled=false", address)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                yield
            finally:
                process.terminate()
                process.wait(30)


class BrowserTests(unittest.TestCase):
    """With `browser` and, for all tests of the class, `server`, which is at home on a name that browsers resolve by
    themselves. Skipped where there is no browser."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        missing = cls.browser.missing()
        if missing:
            raise unittest.SkipTest(missing)
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        port = free_port()
        cls.server = Server(cls.folder / "store", domain=f"localhost:{port}")
        cls.addClassCleanup(cls.server.end)
        cls.server.port = port
        cls.server.start()
        cls.address = f"http://localhost:{port}"


class Tab:
    """One page as a person has it before them, driven over the browser's own protocol (DevTools): it has a size and a
    theme, keys are pressed in it, and what it shows is asked for without a script of the page's."""

    def __init__(self, browser, address, width, height=800, dark=False, scripts=True, agent=PERSON, options=(),
                 loaded="Page.loadEventFired"):
        self.folder = tempfile.TemporaryDirectory(prefix="slashpost-browser-", ignore_cleanup_errors=True)
        options = options if scripts else (*options, "--blink-settings=scriptEnabled=false")
        command = browser.command(self.folder.name, agent, "--remote-debugging-pipe", *options, "about:blank")
        (orders, self.out), (self.into, answers) = os.pipe(), os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (orders, answers)]

        def place_pipes():  # the browser reads from 3 and writes to 4
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=place_pipes)
        for end in (orders, answers, *high):
            os.close(end)
        self.rest, self.number, self.session = b"", 0, None
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.look(width, height, dark)
        self.tell("Page.enable")
        self.open(address, loaded)

    def look(self, width, height=800, dark=False):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, address, loaded="Page.loadEventFired"):
        self.tell("Page.navigate", url=address)
        self.wait_for(loaded)

    def read(self):
        while b"\0" not in self.rest:
            assert select.select([self.into], [], [], ANSWERS_WITHIN)[0], "the browser does not answer"
            data = os.read(self.into, 1 << 20)
            assert data, "the browser has gone"
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait_for(self, event):
        while self.read().get("method") != event:
            pass

    def tell(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, expression):
        """What an expression of JavaScript is worth in the page."""
        answer = self.tell("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def type(self, text):
        for key in text:
            self.tell("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
            self.tell("Input.dispatchKeyEvent", type="keyUp", key=key)

    def press(self, key):
        self.tell("Input.dispatchKeyEvent", type="rawKeyDown", key=key)
        self.tell("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self):
        """PNG."""
        return base64.b64decode(self.tell("Page.captureScreenshot", format="png")["data"])

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        os.close(self.out)
        os.close(self.into)
        self.folder.cleanup()


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Of two colours as CSS says them, by the formula of WCAG 2."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


class Site:
    """Answers every path with a page that says so, or with the text it is given for it; remembers the paths. With status
    204 it has nothing to show, so that pages which go on to it by themselves stay to be seen."""

    def __init__(self, texts=None, status=200):
        self.asked, self.texts, site = [], texts or {}, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append(self.path)
                name = pathlib.PurePosixPath(self.path.split("?")[0])
                text = site.texts.get(str(name), f"<!doctype html><title>x</title><p>arrived at {name}</p>")
                self.send_response(status)
                self.send_header("Content-Type", "text/javascript" if name.suffix == ".js" else "text/html")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                if status != 204:
                    self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()
