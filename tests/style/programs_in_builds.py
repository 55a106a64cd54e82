"""Which programs CMake, its presets, services of systemd, C++ and other sources start."""
import json
import re

# What a package that CMake finds, or a language, stands for.
FOUND_BY_CMAKE = {"PkgConfig": "pkg-config", "Python3": "python3"}
VARIABLES = {"CMAKE_COMMAND": "cmake", "Python3_EXECUTABLE": "python3"}

# Every function of C and C++ that starts a program.
STARTING = re.compile(r"(?<![\w.>])(?:::|std::)?(execle?p?|execvp?e?|execveat|fexecve|posix_spawnp?|popen|system)\s*\(\s*"
                      r'(?!const\b)(?:"([^"]*)")?')
SYSTEM_PROGRAM = re.compile(r'"/(?:usr/)?(?:local/)?s?bin/([^/" ]+)"')


def of_cmake(text, problem):
    """(program, line) of a CMakeLists.txt or a module."""
    text = re.sub(r"#[^\n]*", "", text)
    found = []
    def note(program, place):
        found.append((program, text.count("\n", 0, place) + 1))
    for call in re.finditer(r"\bfind_program\s*\(\s*\w+\s+(?:NAMES\s+)?([^)]*?)(?:\s+[A-Z][A-Z_]+\b[^)]*)?\)", text):
        for name in call.group(1).split():
            note(name, call.start())
    for call in re.finditer(r"\bfind_package\s*\(\s*(\w+)", text):
        if call.group(1) in FOUND_BY_CMAKE:
            note(FOUND_BY_CMAKE[call.group(1)], call.start())
    for call in re.finditer(r"\bproject\s*\([^)]*\bCXX\b", text):
        note("g++", call.start())
    for call in re.finditer(r"\b(execute_process|add_custom_command|add_custom_target)\s*\(([^()]*(?:\([^)]*\)[^()]*)*)\)", text):
        for word in re.findall(r"\bCOMMAND\s+(\S+)", call.group(2)):
            variable = re.fullmatch(r'"?\$\{(\w+)\}"?', word)
            if variable and variable.group(1) not in VARIABLES or "$<" in word:
                problem(text.count("\n", 0, call.start()) + 1, "it cannot be told what this starts: name the program")
            elif variable:
                note(VARIABLES[variable.group(1)], call.start())
            elif "/" not in word:
                note(word, call.start())
    for word in re.finditer(r"\bPython3_EXECUTABLE\b", text):
        note("python3", word.start())
    return found


def of_presets(text):
    """(program, line, preset) of CMakePresets.json."""
    presets = {preset["name"]: preset for preset in json.loads(text)["configurePresets"]}
    for name, preset in presets.items():
        line = text[:text.index(f'"name": "{name}"')].count("\n") + 1
        variables = preset.get("cacheVariables", {})
        if preset.get("generator") == "Ninja":
            yield "ninja", line, name
        if variables.get("CMAKE_INTERPROCEDURAL_OPTIMIZATION") == "ON":
            yield "make", line, name  # with which g++ optimises the parts of a program at the same time
        if "CMAKE_CXX_COMPILER" in variables:
            yield variables["CMAKE_CXX_COMPILER"], line, name


def of_unit(text):
    """(program, line) of a service of systemd."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("Exec"):
            yield from ((program, number) for program in re.findall(r"/s?bin/([\w.+-]+)", line))


def of_cpp(text, problem):
    """(program, line) of a C++ file. One that is not named where it is started stands elsewhere in the file, with its
    whole path."""
    text = re.sub(r"//[^\n]*", "", text)
    named = [(place.group(1), text.count("\n", 0, place.start()) + 1) for place in SYSTEM_PROGRAM.finditer(text)]
    for call in STARTING.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        if call.group(2) and not call.group(2).startswith("/"):
            named.append((call.group(2).split()[0], line))
        elif not call.group(2) and not named:
            problem(line, "it cannot be told what this starts: name the program with its path")
    return named


def hidden_in(text, suffix):
    """Lines on which a script of another language starts a program, which none of ours does."""
    words = {".lua": r"\bio\.popen|\bos\.execute", ".ts": r"\bchild_process\b", ".mjs": r"\bchild_process\b"}[suffix]
    return [text.count("\n", 0, place.start()) + 1 for place in re.finditer(words, text)]
