"""What tools/bench/hostile does to a server: each attack takes a started server and goes on until its process is ended.

Strangers come from several addresses of loopback; a tenant has a key of a workspace of their own.
"""
import contextlib
import os
import random
import selectors
import socket
import threading
import time

from backlog import WaitingEvents
from slashpost import CutOff, DOMAIN, Connection

ADDRESSES = [f"127.0.0.{last}" for last in range(2, 10)]
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
SCRIPT_CHARACTERS_MAX = 65_535
BODY_BYTES = (1 << 20) - 1
CONNECTIONS = 2_048  # there is room for no more


def get(target, *headers):
    return "".join([f"GET {target} HTTP/1.1\r\nHost: {DOMAIN}\r\n", *(f"{one}\r\n" for one in headers), "\r\n"]).encode()


def connect(server, number=0):
    return socket.create_connection(("127.0.0.1", server.port), timeout=30,
                                    source_address=(ADDRESSES[number % len(ADDRESSES)], 0))


def taken(connection, method, target, body):
    """Makes it, or does not: what the server refuses nobody can attack with."""
    answer = connection.ask(method, target, body)
    return answer.json() if answer.status == 200 else None


def make_links(server):
    """One link for every attack, as dear as the server takes them."""
    api = server.connect()
    api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "plain"})
    make_rules(api, "windows", 10, lambda rule: [{"property": "req.time", "operator": "in", "values": [
        f"{2001 + rule + year}-{month:02}-01T00:00Z/{2001 + rule + year}-{month:02}-02T00:00Z"
        for year in range(60) for month in range(1, 13)]}])
    make_rules(api, "queries", 50, lambda rule: [{"property": f"req.query.parameter{rule}x{part}", "operator": "in",
                                                  "values": ["never"]} for part in range(10)])
    page = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": "scripts"})
    for number in range(16):
        script = taken(api, "POST", "/v1/scripts", {"name": f"s{number}", "value": '"' * SCRIPT_CHARACTERS_MAX})
        if script:
            taken(api, "POST", f"/v1/links/{page['id']}/scripts/{script['id']}", {})
    make_dag(api)
    for number in range(999):
        taken(api, "POST", "/v1/links", {"destination": "https://example.com/", "slashtag": f"a{number}",
                                         "title": "a" * 2_000})
    api.close()


def make_rules(api, slashtag, count, conditions):
    """Rules that are all tried and never match; of each as many conditions or values as are taken."""
    link = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": slashtag})
    for rule in range(count):
        wanted = conditions(rule)
        while wanted and not taken(api, "POST", f"/v1/links/{link['id']}/rules", {
                "destination": f"https://example.com/{rule}", "condition": {"and": wanted}}):
            wanted = [one | {"values": one["values"][:len(one["values"]) // 2 or 1]} for one in wanted[:len(wanted) // 2 or 1]]
            if len(wanted) == 1 and len(wanted[0]["values"]) == 1:
                break


def make_dag(api):
    """Rotators that lead to each other, whose leaves have many long arms."""
    below, made = [], 0
    for width in (8, 8, 8):
        level = []
        for number in range(width):
            name = f"rotator{made}"
            made += 1
            link = api.wanted("POST", "/v1/links", {"destination": "https://example.com/", "slashtag": name, "type": "rotator"})
            arms = [f"http://{DOMAIN}/{one}" for one in below] or [f"https://example.com/{number}/" + "x" * 1_850] * 50
            for arm in arms:
                taken(api, "POST", f"/v1/links/{link['id']}/rotator", {"destination": arm})
            level.append(name)
        below = level


def repeat(server, count, once):
    """`once(connection, number)` again and again on `count` connections, each with a thread; one that is cut off is made
    anew."""
    def work(number):
        while True:
            with contextlib.suppress(OSError, CutOff, AssertionError):
                with connect(server, number) as one:
                    while True:
                        once(one, number)
            time.sleep(0.01)

    for number in range(count):
        threading.Thread(target=work, args=(number,), daemon=True).start()
    threading.Event().wait()


def read_past(connection):
    with contextlib.suppress(OSError):
        while connection.recv(1 << 20):
            pass


def pipeline(request, connections, reads=True):
    """The request again and again without a wait for answers, which are read past, or not at all."""
    def attack(server):
        def once(one, _):
            if reads:
                threading.Thread(target=read_past, args=(one,), daemon=True).start()
            while True:
                one.sendall(request * 64)

        repeat(server, connections, once)
    return attack


def closed_loop(request_of, connections):
    """One request at a time on each connection; `request_of` makes them."""
    def attack(server):
        def once(one, number):
            one.sendall(request_of(number))
            wanted = None
            seen = b""
            while wanted is None or len(seen) < wanted:
                more = one.recv(1 << 20)
                if not more:
                    raise CutOff
                seen += more
                if wanted is None and b"\r\n\r\n" in seen:
                    head = seen[:seen.index(b"\r\n\r\n")].lower()
                    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
                    wanted = len(head) + 4 + int(length or 0)

        repeat(server, connections, once)
    return attack


def hold(count, data):
    """So many connections at once, each with the same bytes, and made anew when the server ends one."""
    def attack(server):
        selector, open_now = selectors.DefaultSelector(), 0
        while True:
            while open_now < count:
                with contextlib.suppress(OSError):
                    one = connect(server, open_now)
                    one.sendall(data)
                    one.setblocking(False)
                    selector.register(one, selectors.EVENT_READ)
                    open_now += 1
            for key, _ in selector.select(0.1):
                with contextlib.suppress(BlockingIOError):
                    try:
                        if key.fileobj.recv(1 << 16):
                            continue
                    except ConnectionError:
                        pass
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    open_now -= 1
    return attack


def calls(method, target, body, connections=8):
    """Calls of one tenant with a good key, one after the other on each connection."""
    def attack(server):
        def work(number):
            while True:
                with contextlib.suppress(OSError, CutOff):
                    one = Connection(server.port, server.key)
                    while True:
                        one.ask(method, target, body and body(number))

        for number in range(connections):
            threading.Thread(target=work, args=(number,), daemon=True).start()
        threading.Event().wait()
    return attack


def random_agent(_):
    text = bytes(random.choice(range(0x21, 0x7f)) for _ in range(1_000)).decode()
    return get("/plain", f"User-Agent: {text}")


def wrong_key(_):
    return get("/v1/links", f"apikey: {os.urandom(32).hex()}")


PICTURE = get("/plain.qr?format=png&size=2048")
PAGE = get("/scripts", f"User-Agent: {BROWSER}")
DOCUMENT = get("/v1/openapi.json")
LONG_QUERY = "&".join(f"unasked{number}={'x' * 60}" for number in range(100))[:7_500]
ONE_BYTE = f"POST /v1/links HTTP/1.1\r\nHost: {DOMAIN}\r\nContent-Length: 10\r\n\r\n{{".encode()
BODY = f"POST /v1/links HTTP/1.1\r\nHost: {DOMAIN}\r\nContent-Length: {BODY_BYTES + 1}\r\n\r\n".encode() + b"x" * BODY_BYTES
HALF_HEAD = f"GET /plain HTTP/1.1\r\nHost: {DOMAIN}\r\nX-Padding: ".encode() + b"x" * 15_000

ALL = {
    "codes pipelined on 1 connection": pipeline(PICTURE, 1),
    "codes pipelined on 4 connections": pipeline(PICTURE, 4),
    "codes for 32 clients, one after the other": closed_loop(lambda _: PICTURE, 32),
    "redirects pipelined on 16 connections": pipeline(get("/plain"), 16),
    "rules with many windows of time": closed_loop(lambda _: get("/windows"), 4),
    "rules on queries, and a query of 7.5 KB": closed_loop(lambda _: get(f"/queries?{LONG_QUERY}"), 4),
    "a page of 16 scripts, pipelined by 64 who do not read": pipeline(PAGE, 64, reads=False),
    "openapi.json pipelined by 64 who do not read": pipeline(DOCUMENT, 64, reads=False),
    "openapi.json pipelined by 4 who read": pipeline(DOCUMENT, 4),
    "user agents at random, 1 KB": closed_loop(random_agent, 16),
    "every connection holds a POST with one byte": hold(CONNECTIONS, ONE_BYTE),
    "every connection holds half a head of 15 KB": hold(CONNECTIONS, HALF_HEAD),
    "256 bodies of 1 MiB without a key": hold(256, BODY),
    "wrong keys on 32 connections": closed_loop(wrong_key, 32),
    "links to a DAG of rotators": calls("POST", "/v1/links", lambda _: {"destination": f"http://{DOMAIN}/rotator23"}),
    "searches for a^254 b": calls("GET", "/v1/links/search?term=" + "a" * 254 + "b", None),
    "100,000 events for a receiver that takes them": WaitingEvents(answers=True),
    "100,000 events for a receiver that does not answer": WaitingEvents(answers=False),
}
