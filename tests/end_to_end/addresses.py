"""The real addresses that the end-to-end test makes links for, and what each has to lead to.

The expected form is worked out here from the wire document alone ("Destination"), by other means than the
server's: kept as given, except that white space around it goes, what a URI may not carry is percent-encoded,
a non-ASCII host becomes punycode, and a browser's reading of backslashes stays true. Brackets stay, and so does
a second '#': a browser sends or keeps them as they are, and escaped they would be another address to it.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
FULL = ROOT.parent / "shared/data/urls.txt"
SAMPLE = ROOT / "tests/data/urls.txt"

UNRESERVED = "A-Za-z0-9._~\\-"
PATH_FORBIDS = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{UNRESERVED}!$&'()*+,;=:@/%\[\]]")
QUERY_FORBIDS = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{UNRESERVED}!$&'()*+,;=:@/?%#\[\]]")
HOST_FORBIDS = re.compile(rf"[^{UNRESERVED}!$&'()*+,;=:%]")
PARTS = re.compile(r"(https?):[/\\]{2}([^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.S)


def escaped(found):
    return "".join(f"%{byte:02X}" for byte in found.group().encode())


def expected(address):
    """What `Location` says on a link to `address`."""
    scheme, host, path, query, fragment = PARTS.fullmatch(address.strip(" ")).groups(default="")
    if not host.isascii():
        host = ".".join(label if label.isascii() else "xn--" + label.lower().encode("punycode").decode()
                        for label in host.split("."))
    path = PATH_FORBIDS.sub(escaped, path.replace("\\", "/"))
    query = query[:1] + QUERY_FORBIDS.sub(escaped, query[1:])
    fragment = fragment[:1] + QUERY_FORBIDS.sub(escaped, fragment[1:])
    return f"{scheme}://{HOST_FORBIDS.sub(escaped, host)}{path}{query}{fragment}"


# Typed by hand: what the file has too little of.
BY_HAND = {
    "https://example.com": "https://example.com",
    "https://example.com:8443/a?b=c#d": "https://example.com:8443/a?b=c#d",
    "  https://example.com/around  ": "https://example.com/around",
    "https://example.com/a b": "https://example.com/a%20b",
    "https://example.com/50%": "https://example.com/50%25",
    "https://example.com/%zz%41": "https://example.com/%25zz%41",
    "https://example.com/straße/日本": "https://example.com/stra%C3%9Fe/%E6%97%A5%E6%9C%AC",
    "https://bücher.example/": "https://xn--bcher-kva.example/",
    "https://例え.テスト/?q=ü#ü": "https://xn--r8jz45g.xn--zckzah/?q=%C3%BC#%C3%BC",
    'https://example.com/"quoted"<a>': "https://example.com/%22quoted%22%3Ca%3E",
    "https://example.com/?q={a}|[b]^`\\": "https://example.com/?q=%7Ba%7D%7C[b]%5E%60%5C",
    "https://example.com/a#b#c": "https://example.com/a#b#c",
    "https://[2001:db8::1]:8080/": "https://[2001:db8::1]:8080/",
    "https://example.com/😀": "https://example.com/%F0%9F%98%80",
}


def read():
    """Pairs of an address and what it has to lead to; and where they come from."""
    source = FULL if FULL.exists() else SAMPLE
    given = source.read_text(encoding="utf-8").split("\n")
    pairs = [(address, expected(address)) for address in given if address]
    return pairs + list(BY_HAND.items()), source
