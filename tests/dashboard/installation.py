"""The program itself with its dashboard, started anew for a test that needs its own listener, and ways into it."""
import contextlib
import pathlib
import re
import tempfile

import workshop  # noqa: F401  knows where the next one is
from slashpost import Server, free_port


@contextlib.contextmanager
def installation(*settings):
    """A server whose links and dashboard browsers reach at localhost. It and all that it holds are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="slashpost-") as folder:
        port = free_port()
        server = Server(pathlib.Path(folder) / "store", *settings, domain=f"localhost:{port}")
        server.port = port
        try:
            yield server.start()
        finally:
            server.end()


def first_address(server):
    """The address that the first start prints: it signs `admin` in, once."""
    return re.search(r"^(http://localhost:\d+/sign-in#\S+)$", server.log("out").read_text(), re.M).group(1)


def make_person(server, name):
    """An account of this name; answers an address that signs it in, once."""
    code, said = server.admin("account", "create", name, "--email", f"{name}@example.com")
    assert code == 0, said
    code, said = server.admin("sign-in-address", name, "--base-url", first_address(server).split("/sign-in")[0])
    assert code == 0, said
    return said.splitlines()[0]
