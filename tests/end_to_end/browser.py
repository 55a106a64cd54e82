"""Headless Chromium, and a site beside it that remembers what it was asked for."""
import contextlib
import http.server
import pathlib
import shutil
import subprocess
import tempfile
import threading

PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"


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


class Site:
    """Answers every path with a page that says so, or with the text it is given for it; remembers the paths."""

    def __init__(self, texts=None):
        self.asked, self.texts, site = [], texts or {}, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append(self.path)
                name = pathlib.PurePosixPath(self.path.split("?")[0])
                text = site.texts.get(str(name), f"<!doctype html><title>x</title><p>arrived at {name}</p>")
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if name.suffix == ".js" else "text/html")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()
