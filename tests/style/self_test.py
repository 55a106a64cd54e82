#!/usr/bin/env python3
"""Every style check fails on what it is there to find, and passes on the same thing done right."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

STYLE = pathlib.Path(__file__).parent
ROOT = STYLE.parents[1]
FORMATTED = "int twice(int number) {\n    number += number;\n    return number;\n}\n"


class StyleChecks(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-style-"))
        self.addCleanup(shutil.rmtree, self.tree)
        for settings in (".clang-format", ".clang-tidy", "core/.clang-tidy"):
            self.write(settings, (ROOT / settings).read_text())

    def write(self, path, text):
        (self.tree / path).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / path).write_text(text)

    def run_check(self, *command):
        run = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def refused(self, says, *command):
        code, said = self.run_check(*command)
        self.assertNotEqual(code, 0, f"nothing found by {command[0]}")
        self.assertIn(says, said)

    def accepted(self, *command):
        code, said = self.run_check(*command)
        self.assertEqual(code, 0, said)

    def test_format(self):
        self.write("core/base/a.cc", FORMATTED)
        self.accepted(STYLE / "format.py", self.tree)
        self.write("core/base/a.cc", FORMATTED.replace("    ", "  "))
        self.refused("clang-format", STYLE / "format.py", self.tree)

    def test_layers_of_our_own_headers(self):
        for path, header in (("core/base/a.h", '"core/data/key.h"'), ("core/redirect/a.cc", '"core/ops/links.h"'),
                             ("http/api/a.cc", '"core/data/table.h"'), ("http/redirect.cc", '"http/wire/encode.h"'),
                             ("http/server/a.cc", '"http/api/router.h"'), ("storage/rocksdb/a.cc", '"storage/memory/engine.h"'),
                             ("storage/memory/a.cc", '"core/model/link.h"'), ("tools/admin/a.cc", '"http/wire/decode.h"')):
            self.write(path, f"#include {header}\n")
            self.refused(f"{path}:1: may not include", ROOT / "tools/layers.py", self.tree)
            (self.tree / path).unlink()

    def test_layers_of_libraries(self):
        for path, header in (("core/ops/a.cc", "<boost/json.hpp>"), ("core/data/a.cc", "<rocksdb/db.h>"),
                             ("storage/memory/a.cc", "<rocksdb/db.h>"), ("http/wire/a.cc", "<boost/beast.hpp>"),
                             ("core/base/a.cc", "<zlib.h>")):
            self.write(path, f"#include {header}\n")
            self.refused(f"{path}:1: may not include", ROOT / "tools/layers.py", self.tree)
            (self.tree / path).unlink()
        self.write("storage/rocksdb/a.cc", "#include <rocksdb/db.h>\n#include <vector>\n#include <sys/mman.h>\n")
        self.accepted(ROOT / "tools/layers.py", self.tree)

    def test_layers_of_words(self):
        for line in ("int link_count = 0;", "struct LinkRow {};", "// the workspace of a row", "int slashtags;"):
            self.write("storage/memory/a.h", line + "\n")
            self.refused("a word of the layers above", ROOT / "tools/layers.py", self.tree)
        self.write("storage/memory/a.h", "// link-time; linking, unlinked, blinks\nint unlink(const char*);\n")
        self.accepted(ROOT / "tools/layers.py", self.tree)

    def test_sizes(self):
        check = (STYLE / "sizes.py", self.tree)
        body = "    go();\n"
        self.write("core/base/a.cc", "void f() {\n" + 68 * body + "}\n" + 430 * "\n")
        self.accepted(*check)
        self.write("core/base/a.cc", "void f() {\n" + 69 * body + "}\n")
        self.refused("f has 71 lines", *check)
        self.write("core/base/a.cc", "struct A {\n    int f(int a,\n          int b) {\n" + 70 * body + "    }\n};\n")
        self.refused("f has 73 lines", *check)
        self.write("core/base/a.cc", 501 * "\n")
        self.refused("501 lines", *check)
        self.write("core/base/a.cc", "")
        self.write("tools/a.py", "def f():\n" + 70 * "    pass\n")
        self.refused("f has 71 lines", *check)

    def test_names_and_paths(self):
        self.write("tools/a.txt", "from http://example.com/work/ to ./work/\n")
        self.accepted(STYLE / "sizes.py", self.tree)
        self.write("tools/a.txt", "/" + "root/somewhere\n")
        self.refused("a.txt:1: names a folder", STYLE / "sizes.py", self.tree)
        self.write("tools/a.txt", "")
        self.write("core/base/utils.h", "")
        self.refused("a drawer", STYLE / "sizes.py", self.tree)

    def compiled(self, *paths):
        """A build folder in which these were."""
        build = self.tree / "build"
        build.mkdir(exist_ok=True)
        command = f"g++ -std=gnu++23 -I{self.tree} -isystem {self.tree}/include -o a.o -c "
        entries = [{"directory": str(build), "command": f"{command}{self.tree / path}", "file": str(self.tree / path)}
                   for path in paths]
        (build / "compile_commands.json").write_text(json.dumps(entries))
        return build

    def tidy(self, path):
        return (STYLE / "tidy.py", "--root", self.tree, "--build", self.compiled(path), path)

    def test_tidy(self):
        self.write("storage/a.cc", FORMATTED)
        self.accepted(*self.tidy("storage/a.cc"))
        self.write("storage/a.cc", "#include <string>\nint length(std::string text) { return int(text.size()); }\n")
        self.refused("performance-unnecessary-value-param", *self.tidy("storage/a.cc"))
        self.write("storage/a.cc", "int BadName() { return 1; }\n")
        self.refused("readability-identifier-naming", *self.tidy("storage/a.cc"))

    def test_tidy_of_the_whole_tree(self):
        names = ("one", "two", "three")
        for name in names:
            self.write(f"storage/{name}.cc", FORMATTED.replace("twice", name))
        whole_tree = (STYLE / "tidy.py", "--root", self.tree, "--build",
                      self.compiled(*(f"storage/{name}.cc" for name in names)), "--whole-tree")
        self.accepted(*whole_tree)
        for name in names:  # of which the compiler would refuse two in one file
            self.write(f"storage/{name}.cc", f"namespace {{\nconstexpr int most = 1;\n}}\nint {name}() {{ return most; }}\n")
        self.accepted(*whole_tree)
        for name in names:
            kept = (self.tree / f"storage/{name}.cc").read_text()
            self.write(f"storage/{name}.cc", "int BadName() { return 1; }\n")
            self.refused(f"FAILED storage/{name}.cc", *whole_tree)
            self.write(f"storage/{name}.cc", kept)

    def test_tidy_keeps_libraries_out_of_core(self):
        for library in ("rocksdb/db.h", "boost/url/url.hpp", "boost/json/value.hpp"):
            self.write(f"include/{library}", "#pragma once\n")
            self.write("core/base/a.cc", f"#include <{library}>\n")
            self.refused("portability-restrict-system-includes", *self.tidy("core/base/a.cc"))
            self.write("core/base/a.cc", f"#include <{library}> // NOLINT\n")
            self.accepted(*self.tidy("core/base/a.cc"))
            self.write("storage/a.cc", f"#include <{library}>\n")
            self.accepted(*self.tidy("storage/a.cc"))
        self.write("core/base/a.cc", "#include <string>\nint BadName() { return 1; }\n")
        self.refused("readability-identifier-naming", *self.tidy("core/base/a.cc"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
