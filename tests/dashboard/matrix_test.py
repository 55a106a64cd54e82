#!/usr/bin/env python3
"""What the five roles in one workspace are shown, and what the server lets them do, in Chromium on the listener of the program
itself: matrix.mjs. Who is shown what is typed by hand in matrix_table.mjs."""
import json

import workshop
from installation import installation, make_person
from slashpost import Connection, wait_until

ROLES = {"vera": "viewer", "gus": "guest", "uma": "user", "ada": "admin", "olga": "owner"}
RULE = {"destination": "https://example.com/phone", "condition": {"and": [{"property": "req.device", "operator": "in", "values": ["mobile"]}]}}


def make_key(server, name):
    code, said = server.admin("key", "create", "--account", name, "--name", "test")
    assert code == 0, said
    return next(word for word in said.split() if len(word) == 64)


def furnish(server, keys):
    """Olga's workspace, with the others in it and one of everything. Answers what they are called on the wire."""
    people = {name: Connection(server.port, key) for name, key in keys.items()}
    olga = people["olga"]
    workspace = olga.wanted("POST", "/v1/workspaces", {"name": "Matrix"})["id"]
    code, said = server.admin("domain", "share", server.domain, workspace)
    assert code == 0, said
    for name, person in people.items():
        if name != "olga":
            olga.wanted("POST", f"/v1/workspaces/{workspace}/invite", {"emails": [f"{name}@example.com"], "role": ROLES[name]})
            for invite in person.wanted("GET", "/v1/account/invites"):
                person.wanted("POST", f"/v1/invites/{invite['id']}/accept")

    def make(path, body, by="olga"):
        return people[by].wanted("POST", f"/v1{path}?workspace={workspace}", body)

    def link(slashtag, title, by="olga", **more):
        return make("/links", {"destination": "https://example.com/", "slashtag": slashtag, "title": title, **more}, by)["id"]

    made = {"workspace": workspace, "vera": olga.wanted("GET", f"/v1/workspaces/{workspace}/teammates?term=vera")[0]["id"],
            "alpha": make("/tags", {"name": "alpha"})["id"], "script": make("/scripts", {"name": "Pixel", "value": "/* nothing */"})["id"]}
    make("/tags", {"name": "beta"})
    made["hers"], made["his"] = link("hers", "Hers"), link("his", "His", by="gus")
    made["told"], made["wheel"] = link("told", "Told", description="one"), link("wheel", "Wheel", type="rotator")
    made["rule"] = make(f"/links/{made['hers']}/rules", RULE)["id"]
    make(f"/links/{made['hers']}/rules", RULE)
    make(f"/links/{made['hers']}/opengraph", {"title": "Hers"})
    make(f"/links/{made['hers']}/apps/instagram", {"path": "slashpost"})
    make(f"/links/{made['wheel']}/rotator", {"destination": "https://example.com/a", "weight": 1})
    make(f"/links/{made['told']}", {"description": "two"})
    made["event"] = wait_until(lambda: next((one["id"] for one in olga.wanted("GET", f"/v1/links/{made['told']}/history?workspace={workspace}")
                                             if one["type"] == "link.updated"), None), 10, "the change in the history")
    made["domain"] = make("/domains", {"fullName": "go.matrix.example"})["id"]
    code, said = server.admin("domain", "verify", "go.matrix.example")
    assert code == 0, said
    olga.wanted("PATCH", f"/v1/domains/{made['domain']}?workspace={workspace}", {"aliases": [{"fullName": "www.matrix.example"}], "forwarding": {"parameters": True, "onConflict": "destination"}})
    made["pending"] = make("/domains", {"fullName": "new.matrix.example"})["id"]
    make(f"/workspaces/{workspace}/utm-templates", {"name": "Spring", "source": "mail"})
    olga.wanted("POST", f"/v1/workspaces/{workspace}/invite", {"emails": ["dora@example.com"], "role": "guest"})
    # Last, and for what does not happen: nothing is sent.
    made["webhook"] = make("/webhooks", {"url": "https://receiver.invalid/", "types": ["script.deleted"]})["id"]
    for person in people.values():
        person.close()
    return made


workshop.need("chromium")
workshop.prepare()
with installation() as server:
    addresses = {role: make_person(server, name) for name, role in ROLES.items()}
    keys = {name: make_key(server, name) for name in ROLES}
    facts = {"addresses": addresses, "made": furnish(server, keys), "domain": server.domain, "api": f"http://localhost:{server.port}",
             "keys": {"hers": keys["olga"], "his": keys["gus"]}}
    print(workshop.run("node", "--test", "--test-reporter=spec", "matrix.mjs", seconds=400, SLASHPOST_MATRIX=json.dumps(facts)))
