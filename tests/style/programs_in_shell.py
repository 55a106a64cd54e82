"""Which programs a shell script starts; shfmt reads it."""
import json
import re
import subprocess

# What the shell does itself.
BUILTINS = set(""": . [ alias bg break cd compgen continue declare echo eval exit export false fg getopts hash jobs kill let local
               mapfile printf pwd read readonly return set shift shopt source test times trap true type ulimit umask unset wait
               """.split())
# What starts the command that follows: the number of words in between, options apart.
STARTERS = {"builtin": 0, "chroot": 1, "command": 0, "env": 0, "exec": 0, "nice": 0, "setpriv": 0, "sudo": 0, "timeout": 1,
            "unshare": 0, "xargs": 0}
WITH_VALUE = {"-n", "-u", "-k", "-s", "-P"}  # options of those that have one in the next word
SYSTEM_PROGRAM = re.compile(r"/usr/(?:local/)?s?bin/([\w.+-]+)")
BUILTIN_STARTERS = {"builtin", "command", "exec"}


class Script:
    """`problem(line, what)` is told of what cannot be read; `files` are the texts of those that it may take functions from."""

    def __init__(self, text, problem, files):
        self.problem, self.files, self.found, self.functions, self.variables = problem, files, [], {}, {}
        self.asked_for = set()  # what it starts only where it is
        self.in_question = set()  # functions that are being looked at
        self.read(text, 0)

    def read(self, text, above):
        """Adds the programs of a script that begins `above` lines into the file."""
        run = subprocess.run(["shfmt", "--to-json", "--language-dialect", "bash"], input=text, capture_output=True,
                             text=True, check=False)
        if run.returncode != 0:
            self.problem(above + 1, f"this is no shell script: {run.stderr.strip()}")
            return
        nodes = list(nodes_of(json.loads(run.stdout)))
        for node in nodes:
            words = [literal(word) for word in node.get("Args") or []] if node.get("Type") == "CallExpr" else []
            if words[:1] in (["."], ["source"]) and words[1] in self.files:
                self.functions |= Script(self.files[words[1]], self.problem, self.files).functions
            if node.get("Type") == "FuncDecl":
                self.functions[node["Name"]["Value"]] = node
            if "Name" in node and ("Value" in node or "Array" in node) and node.get("Type") is None:
                words = [one["Value"] for one in node["Array"].get("Elems") or []] if "Array" in node else [node["Value"]]
                self.variables.setdefault(node["Name"]["Value"], []).append(words)
        for node in nodes:
            if node.get("Type") in ("Lit", "SglQuoted"):  # named with its whole path, wherever that is
                self.found += [(program, above + node["Pos"]["Line"]) for program in SYSTEM_PROGRAM.findall(node["Value"])]
            if node.get("Type") == "CallExpr":
                self.command(node.get("Args") or [], above)
            for redirected in node.get("Redirs") or []:
                given = literal(redirected.get("Hdoc"))
                words = [literal(word) for word in node.get("Cmd", {}).get("Args") or []]
                if given and {"bash", "sh"} & set(words):
                    self.read(given, above + redirected["Pos"]["Line"])

    def command(self, words, above):
        """Notes what is started; answers whether that is what the function around it is given, "$@"."""
        at = 0
        while at < len(words):
            text, line = literal(words[at]), above + words[at]["Pos"]["Line"]
            if is_setting(words[at]):
                at += 1
                continue
            if text is None:
                name = parameter(words[at])
                if name in ("@", "*") or name is None and leads_to_a_file(words[at]):
                    return name is not None
                if name not in self.variables:
                    self.problem(line, "it cannot be told what this starts: name the program")
                    return False
                known = [literal(word) for value in self.variables[name] for word in value[:1]
                         if not is_setting(word)]
                for value in self.variables[name]:
                    self.command(value, above)
                if known and not set(known) & set(STARTERS):
                    return False
                at += 1
                continue
            if text == "command" and literal(words[at + 1]) == "-v":
                self.asked_for.add(literal(words[at + 2]))
                return False
            if text == "trap" and len(words) > at + 1:
                self.read(literal(words[at + 1]) or "", line - 1)
            if text in BUILTINS or text in self.functions and not self.runs_its_arguments(text):
                return False
            if text in self.functions:
                at += 1 + self.shifts(text)
                continue
            if text not in BUILTIN_STARTERS and (program := program_of(text)):
                self.found.append((program, line))
            if text not in STARTERS:
                self.script_of(text, words[at + 1:], line)
                return False
            at = after_options(words, at + 1, STARTERS[text])
        return False

    def script_of(self, text, words, line):
        """`sh -c SCRIPT`"""
        texts = [literal(word) for word in words]
        if text in ("bash", "sh") and "-c" in texts[:-1]:
            script = texts[texts.index("-c") + 1]
            if script is None:
                self.problem(line, "it cannot be told what this starts: write the script between ' and '")
            else:
                self.read(script, line - 1)

    def calls_in(self, function):
        return [node.get("Args") or [] for node in nodes_of(self.functions[function]) if node.get("Type") == "CallExpr"]

    def runs_its_arguments(self, function):
        if function in self.in_question:
            return False
        self.in_question.add(function)
        answer = any([self.command(words, 0) for words in self.calls_in(function)])
        self.in_question.remove(function)
        return answer

    def shifts(self, function):
        return sum(literal(words[0]) == "shift" for words in self.calls_in(function) if words)


def nodes_of(tree):
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from nodes_of(part)


def literal(word):
    """The text of a word in which nothing is put in by the shell; None otherwise."""
    if word is None:
        return None
    texts = []
    for part in word.get("Parts") or []:
        if part["Type"] in ("Lit", "SglQuoted"):
            texts.append(part.get("Value", ""))
        elif part["Type"] == "DblQuoted":
            texts.append(literal(part))
        else:
            return None
    return None if None in texts else "".join(texts)


def parameter(word):
    """NAME, of a word that is "$NAME", "${NAME[@]}" or "${NAME:-…}" and nothing else."""
    parts = word.get("Parts") or []
    if len(parts) != 1:
        return None
    if parts[0]["Type"] == "DblQuoted":
        return parameter(parts[0])
    return parts[0]["Param"]["Value"] if parts[0]["Type"] == "ParamExp" else None


def leads_to_a_file(word):
    """As "$folder/tool" does."""
    parts = word.get("Parts") or []
    if len(parts) == 1 and parts[0]["Type"] == "DblQuoted":
        return leads_to_a_file(parts[0])
    return any(part["Type"] == "Lit" and part["Value"].startswith("/") for part in parts[1:])


def after_options(words, at, skipped):
    """Behind the options and settings of a command that starts another, and behind its own words."""
    while at < len(words):
        text = literal(words[at])
        if text in WITH_VALUE:
            at += 1
        elif not is_option(words[at]) and not is_setting(words[at]):
            if not skipped:
                break
            skipped -= 1
        at += 1
    return at


def is_option(word):
    parts = word.get("Parts") or [{}]
    return parts[0].get("Value", "").startswith("-") if parts[0].get("Type") == "Lit" else False


def is_setting(word):
    """As NAME=value, "NAME=$value" and "$name=value" are."""
    parts = word.get("Parts") or []
    if len(parts) == 1 and parts[0]["Type"] == "DblQuoted":
        return is_setting(parts[0])
    return any(re.match(r"\w*=", part.get("Value", "")) for part in parts if part["Type"] in ("Lit", "SglQuoted"))


def program_of(text):
    """The name of an outside program; nothing for a file of ours, which is looked at by itself, or a whole path."""
    return None if "/" in text else text
