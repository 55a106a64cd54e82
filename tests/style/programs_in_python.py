"""Which programs Python files start, and which modules of others they use: by reading them, not by running them."""
import ast
import contextlib
import itertools
import pathlib
import sys

STARTING = {"run", "Popen", "call", "check_call", "check_output"}  # of subprocess
REFUSED = {"os": {"system", "popen", "execv", "execve", "execvp", "execvpe", "execl", "execle", "execlp", "posix_spawn",
                  "posix_spawnp", "spawnl", "spawnv", "spawnlp", "spawnvp"},
           "subprocess": {"getoutput", "getstatusoutput"}, "pty": {"spawn"},
           "asyncio": {"create_subprocess_exec", "create_subprocess_shell"}}
# What starts the command that follows in the same list.
STARTERS = {"nice", "setpriv", "env", "timeout"}
DEPTH_MAX = 12  # of names that stand for names


class Unclear(Exception):
    """What is started cannot be read from the file."""


class Sources:
    """Python files that may name each other's constants and functions."""

    def __init__(self, texts):
        self.trees = {path: ast.parse(text) for path, text in texts.items()}
        self.functions, self.values, self.calls, self.parents = {}, {}, {}, {}
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                for child in ast.iter_child_nodes(node):
                    self.parents[child] = node
                self.remember(path, node)

    def remember(self, path, node):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self.functions.setdefault(getattr(node, "name", None), []).append((path, node))
        if isinstance(node, ast.Call):
            self.calls.setdefault(name_of(node.func), []).append((path, node))
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.assign(path, target, node.value)
        if isinstance(node, (ast.For, ast.comprehension)):
            for element in node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List)) else [None]:
                self.assign(path, node.target, element)

    def assign(self, path, target, value):
        if isinstance(target, ast.Tuple):
            same = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
            for number, part in enumerate(target.elts):
                self.assign(path, part, value.elts[number] if same else None)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            self.values.setdefault(name_of(target), []).append((path, target, value))

    def started_by(self, path):
        """(expression, its line) of every command, and (None, line) of those that are started in a way that hides it."""
        for node in ast.walk(self.trees[path]):
            if isinstance(node, ast.Attribute) and node.attr in REFUSED.get(name_of(node.value), ()):
                yield None, node.lineno
            if isinstance(node, ast.ImportFrom) and (node.module in ("subprocess", "pty") or node.module == "os" and
                                                     {one.name for one in node.names} & REFUSED["os"]):
                yield None, node.lineno
            if not isinstance(node, ast.Call):
                continue
            if any(word.arg == "shell" for word in node.keywords):
                yield None, node.lineno
            for function, following in itertools.pairwise([node.func, *node.args, None]):
                if is_starting(function):
                    yield following, function.lineno

    def programs(self, path):
        """((program, file, line), ...) and ((line, problem), ...) of a file."""
        found, problems = set(), []
        for expression, line in self.started_by(path):
            try:
                if expression is None:
                    raise Unclear
                found |= set(self.of_list(path, expression, 0))
            except Unclear:
                problems.append((line, "it cannot be told what this starts: name the program"))
        for node in ast.walk(self.trees[path]):
            if isinstance(node, ast.Call) and name_of(node.func) == "which":
                with contextlib.suppress(Unclear):  # asked for, not started
                    found |= set(self.of_word(path, node, 0))
        return found, problems

    def of_list(self, path, node, depth):
        """The programs of a command that is a list of words. Empty for one of our own."""
        if depth > DEPTH_MAX:
            raise Unclear
        if isinstance(node, (ast.List, ast.Tuple)):
            yield from self.of_elements(path, node.elts, depth)
        elif isinstance(node, ast.Call) and name_of(node.func) in ("list", "tuple", "map"):
            yield from self.of_list(path, node.args[-1], depth + 1)
        elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            yield from self.of_list(path, node.generators[0].iter, depth + 1)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from self.of_list(path, node.left, depth + 1)
        else:
            yield from self.of_what_it_stands_for(path, node, depth, self.of_list)

    def of_elements(self, path, elements, depth):
        for element in elements:
            if isinstance(element, ast.Starred):
                yield from self.of_list(path, element.value, depth + 1)
                continue
            if isinstance(element, ast.Constant) and str(element.value).startswith("-"):
                continue  # of a program that starts another
            programs = list(self.of_word(path, element, depth + 1))
            yield from programs
            if not STARTERS & {program for program, _, _ in programs}:
                return

    def of_word(self, path, node, depth):
        """The program that a word names."""
        if depth > DEPTH_MAX:
            raise Unclear
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and (program := outside(node.value)):
                yield program, path, node.lineno
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            if self.is_outside(path, node.left, depth):
                if not isinstance(node.right, ast.Constant):
                    raise Unclear
                yield node.right.value, path, node.lineno
        elif isinstance(node, ast.Call) and name_of(node.func) in ("str", "which", "Path"):
            yield from self.of_word(path, node.args[0], depth + 1)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable":
            yield "python3", path, node.lineno
        elif isinstance(node, ast.Subscript) or isinstance(node, ast.Call) and name_of(node.func) == "with_name":
            raise Unclear
        else:
            yield from self.of_what_it_stands_for(path, node, depth, self.of_word)

    def is_outside(self, path, folder, depth):
        """Whether a folder is one of the system: PROGRAMS = Path("/usr/lib/postgresql/15/bin")."""
        if depth > DEPTH_MAX:
            raise Unclear
        if isinstance(folder, ast.Call) and name_of(folder.func) == "Path" and isinstance(folder.args[0], ast.Constant):
            return str(folder.args[0].value).startswith("/")
        if isinstance(folder, ast.Name):
            return any(self.is_outside(where, value, depth + 1) for where, value in self.meanings(path, folder) if value)
        return False

    def of_what_it_stands_for(self, path, node, depth, reader):
        """Everything that a variable, a parameter or a function of ours may be."""
        meanings = list(self.meanings(path, node))
        if not meanings:
            raise Unclear
        for where, value in meanings:
            if value is None:
                raise Unclear
            yield from reader(where, value, depth + 1)

    def meanings(self, path, node):
        if isinstance(node, ast.IfExp):
            return [(path, node.body), (path, node.orelse)]
        if isinstance(node, ast.Call):
            known = self.functions.get(name_of(node.func), [])
            known = [one for one in known if one[0] == path] or known
            return [(where, back.value) for where, function in known
                    for back in ast.walk(function) if isinstance(back, ast.Return) and back.value]
        if isinstance(node, ast.Attribute):
            return [(where, value) for where, target, value in self.values.get(node.attr, [])
                    if isinstance(target, ast.Attribute)]
        return self.meanings_of_name(path, node) if isinstance(node, ast.Name) else []

    def meanings_of_name(self, path, node):
        for function in self.functions_around(node):
            if node.id in parameters(function):
                return list(self.arguments(path, function, node.id))
            within = [(where, value) for where, target, value in self.values.get(node.id, [])
                      if isinstance(target, ast.Name) and function in self.functions_around(target)]
            if within:
                return within
        everywhere = [(where, value) for where, target, value in self.values.get(node.id, [])
                      if isinstance(target, ast.Name) and not list(self.functions_around(target))]
        here = [one for one in everywhere if one[0] == path]
        return here or [one for one in everywhere if self.imports(path, one[0], node.id)]

    def imports(self, path, other, name=None):
        """Whether a file takes this name from another, or any."""
        module = pathlib.PurePath(other).stem
        return any(isinstance(one, ast.ImportFrom) and one.module == module and
                   (name is None or name in {alias.name for alias in one.names})
                   or isinstance(one, ast.Import) and name is None and module in {alias.name for alias in one.names}
                   for one in ast.walk(self.trees[path]))

    def functions_around(self, node):
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, ast.FunctionDef):
                yield node

    def arguments(self, where, function, name):
        """What callers give for a parameter of a function in this file: the rest of their words for *NAME."""
        names = parameters(function)
        place = names.index(name) - (names[0] in ("self", "cls"))
        called = self.parents[function].name if function.name == "__init__" else function.name
        for path, call in self.calls.get(called, []):
            if is_starting(call.func) or path != where and not self.imports(path, where):
                continue
            given = [word.value for word in call.keywords if word.arg == name]
            if function.args.vararg and function.args.vararg.arg == name:
                yield path, ast.Tuple(elts=call.args[place:], lineno=call.lineno)
            elif given or place < len(call.args):
                yield path, (given or call.args[place:])[0]

    def modules(self, path):
        """(module, line) of what is imported and belongs neither to Python nor to us."""
        ours = {pathlib.PurePath(one).stem for one in self.trees} | {pathlib.PurePath(one).parent.name for one in self.trees}
        for node in ast.walk(self.trees[path]):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            for name in names:
                module = name.partition(".")[0]
                if module not in sys.stdlib_module_names and module not in ours:
                    yield module, node.lineno


def name_of(node):
    return getattr(node, "id", None) or getattr(node, "attr", None)


def parameters(function):
    arguments = function.args
    return [one.arg for one in [*arguments.posonlyargs, *arguments.args, *([arguments.vararg] if arguments.vararg else []),
                                *arguments.kwonlyargs]]


def is_starting(node):
    return isinstance(node, ast.Attribute) and node.attr in STARTING and name_of(node.value) == "subprocess"


def outside(text):
    """The name of a program of the system; nothing for a file of ours."""
    if text.startswith("/"):
        return text.rpartition("/")[2] if "bin/" in text else None
    return None if "/" in text else text
