"""What the screens beside the links have to show: tags, scripts, domains, people and invites, some with hostile names."""

HOSTILE = ["<img src=x onerror=alert(1)>", "\u202egnp.exe \u2066\u202e", "\"'><script>alert(1)</script>", "W" * 250, "مرحبا بالعالم 2026"]


def fill(api, admin, workspaces):
    """`admin` runs slashpost-admin. The workspace `some` gets a bit of everything, `many` more than a page of it."""
    def at(path, name="some"):
        return f"{path}?workspace={workspaces[name]}"
    facts = {}
    for name in HOSTILE[1:]:
        api.wanted("POST", at("/v1/tags"), {"name": name, "color": "607080"})
    for index in range(60):
        api.wanted("POST", at("/v1/tags", "many"), {"name": f"Campaign {index:03}", "color": f"{index * 4:02x}66aa"})
    for index in range(60):
        api.wanted("POST", at("/v1/scripts", "many"), {"name": f"Pixel {index:03}", "uri": f"https://cdn.example.com/{index}.js"})
    api.wanted("POST", at("/v1/scripts"), {"name": "Consent banner", "uri": "https://cdn.example.com/consent.js"})
    for name in HOSTILE:
        api.wanted("POST", at("/v1/scripts"), {"name": name, "value": "/* nothing */"})
    domains = {}
    for name in ("go.acme.example", "links.acme.example", "xn--mnchen-3ya.example"):
        domains[name] = api.wanted("POST", at("/v1/domains"), {"fullName": name})["id"]
    code, said = admin("domain", "verify", "go.acme.example")
    assert code == 0, said
    domain = domains["go.acme.example"]
    api.wanted("PATCH", at(f"/v1/domains/{domain}"), {
        "notFoundUrl": "https://acme.example/404", "aliases": [{"fullName": "www.go.acme.example"}, {"fullName": "acme-links.example"}],
        "branding": {"name": HOSTILE[0], "color": "b3261e", "homeText": "Links of Acme."}})
    api.wanted("POST", f"/v1/workspaces/{workspaces['many']}/domains/{domain}")
    api.wanted("POST", at("/v1/links", "many"), {"destination": "https://acme.example/", "domainId": domain, "slashtag": "shared"})
    facts["domain"], facts["pendingDomain"] = domain, domains["links.acme.example"]
    for name, role in (("ben", "user"), ("cem", "admin")):
        code, said = admin("account", "create", name, "--email", f"{name}@example.com")
        assert code == 0, said
        code, said = admin("key", "create", "--account", name, "--name", "test")
        assert code == 0, said
        key = next(word for line in said.splitlines() for word in line.split() if len(word) == 64)
        api.wanted("POST", f"/v1/workspaces/{workspaces['some']}/invite", {"emails": [f"{name}@example.com"], "role": role})
        person = type(api)(api.socket.getpeername()[1], key)
        for invite in person.wanted("GET", "/v1/account/invites"):
            person.wanted("POST", f"/v1/invites/{invite['id']}/accept")
        if name == "ben":
            team = person.wanted("POST", "/v1/workspaces", {"name": "Ben's own place"})
            person.wanted("POST", f"/v1/workspaces/{team['id']}/invite", {"emails": ["ann@example.com"], "role": "guest", "message": HOSTILE[0]})
        person.close()
    api.wanted("POST", f"/v1/workspaces/{workspaces['some']}/invite", {"emails": ["dora@example.com", "emil@example.com"], "role": "guest", "message": HOSTILE[2]})
    facts["webhook"] = api.wanted("POST", at("/v1/webhooks"), {"url": "https://acme.invalid/?a=<img src=x onerror=alert(1)>".replace(" ", "%20"), "description": HOSTILE[0]})["id"]
    for name, redirects in ((HOSTILE[0], ["https://acme.example/back?" + "x" * 900, "com.acme.reports:/back"]), ("W" * 100, ["https://acme.example/"])):
        api.wanted("POST", "/v1/account/applications", {"name": name, "website": "https://acme.example/reports", "redirects": redirects, "confidential": name != HOSTILE[0]})
    api.wanted("POST", f"/v1/workspaces/{workspaces['some']}/utm-templates", {"name": "Newsletter", "source": "newsletter", "medium": "email"})
    facts["tag"] = api.wanted("GET", at("/v1/tags") + "&term=print")[0]["id"]
    return facts
