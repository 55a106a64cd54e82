#!/usr/bin/env python3
"""Writes small files of the MaxMind DB format 2.0, as much of it as the tests need; the three *.mmdb here are its own.

    tests/data/mmdb.py    writes them again
"""
import ipaddress
import pathlib

EPOCH = 1_700_000_000


def item(kind, size, payload):
    """A value's control bytes and its bytes; sizes of 29 and more are never needed here."""
    assert size < 29, size
    return (bytes([kind << 5 | size]) if kind < 8 else bytes([size, kind - 7])) + payload


def encode(value):
    if isinstance(value, str):
        return item(2, len(value.encode()), value.encode())
    if isinstance(value, dict):
        return item(7, len(value), b"".join(encode(key) + encode(each) for key, each in value.items()))
    if isinstance(value, list):
        return item(11, len(value), b"".join(map(encode, value)))
    kind, number = value  # ("uint16", 5)
    payload = number.to_bytes(8, "big").lstrip(b"\0")
    return item({"uint16": 5, "uint32": 6, "uint64": 9}[kind], len(payload), payload)


def mmdb(networks, version=6):
    """The file in which each network (text) has its value; no network lies within another."""
    nodes, data, offsets = [[None, None]], b"", {}
    for text, value in networks.items():
        network = ipaddress.ip_network(text)
        spare = 96 if version == 6 and network.version == 4 else 0
        bits = "0" * spare + format(int(network.network_address), f"0{network.max_prefixlen}b")
        bits = [int(bit) for bit in bits[:spare + network.prefixlen]]
        if (raw := encode(value)) not in offsets:
            offsets[raw] = len(data)
            data += raw
        node = 0
        for bit in bits[:-1]:
            if nodes[node][bit] is None:
                nodes.append([None, None])
                nodes[node][bit] = len(nodes) - 1
            node = nodes[node][bit]
        nodes[node][bits[-1]] = ("data", offsets[raw])

    def record(to):
        number = len(nodes) if to is None else len(nodes) + 16 + to[1] if isinstance(to, tuple) else to
        return number.to_bytes(3, "big")
    tree = b"".join(record(left) + record(right) for left, right in nodes)
    about = {"node_count": ("uint32", len(nodes)), "record_size": ("uint16", 24), "ip_version": ("uint16", version),
             "database_type": "Test", "languages": ["en"], "binary_format_major_version": ("uint16", 2),
             "binary_format_minor_version": ("uint16", 0), "build_epoch": ("uint64", EPOCH),
             "description": {"en": "for tests"}}
    return tree + bytes(16) + data + b"\xab\xcd\xefMaxMind.com" + encode(about)


def countries(**codes_by_network):
    """A file in the manner of ip-location-db: countries(de=["192.0.2.0/24"])."""
    return mmdb({network: {"country_code": code.upper()}
                 for code, networks in codes_by_network.items() for network in networks})


def main():
    folder = pathlib.Path(__file__).parent
    (folder / "countries.mmdb").write_bytes(
        countries(de=["192.0.2.0/24", "2001:db8:1::/48"], fr=["198.51.100.0/25", "2001:db8:2::/48"], us=["10.1.0.0/16"]))
    (folder / "countries-geolite.mmdb").write_bytes(mmdb({
        "192.0.2.0/24": {"continent": {"code": "EU"}, "country": {"geoname_id": ("uint32", 2921044), "iso_code": "AT"}},
        "198.51.100.0/24": {"continent": {"code": "EU"}}}, version=4))
    (folder / "no-countries.mmdb").write_bytes(mmdb({"192.0.2.0/24": {"autonomous_system_number": ("uint32", 64496)}}))


if __name__ == "__main__":
    main()
