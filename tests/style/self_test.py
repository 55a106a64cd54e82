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

    def test_portable_sql(self):
        for statement in ("LISTEN changes", "SELECT pg_advisory_lock(1)", "SELECT nextval('ids')", "SELECT xmin FROM links",
                          "CREATE EXTENSION pgcrypto", "MERGE INTO links"):
            self.write("storage/postgres/a.cc", f'constexpr auto text = "{statement}";\n')
            self.refused("storage/postgres/a.cc:1: ", STYLE / "portable_sql.py", self.tree)
        self.write("storage/postgres/a.cc", 'constexpr auto text = "SELECT k FROM links";\n')
        self.accepted(STYLE / "portable_sql.py", self.tree)

    def test_layers_of_our_own_headers(self):
        for path, header in (("core/base/a.h", '"core/data/key.h"'), ("core/redirect/a.cc", '"core/ops/links.h"'),
                             ("http/api/a.cc", '"core/data/table.h"'), ("http/pages/redirect.cc", '"http/wire/encode.h"'),
                             ("http/server/a.cc", '"http/api/router.h"'), ("storage/rocksdb/a.cc", '"storage/memory/engine.h"'),
                             ("storage/memory/a.cc", '"core/model/link.h"'), ("tools/admin/a.cc", '"http/wire/decode.h"')):
            self.write(path, f"#include {header}\n")
            self.refused(f"{path}:1: may not include", ROOT / "tools/layers.py", self.tree)
            (self.tree / path).unlink()

    def test_layers_of_libraries(self):
        for path, header in (("core/ops/a.cc", "<boost/json.hpp>"), ("core/data/a.cc", "<rocksdb/db.h>"),
                             ("storage/memory/a.cc", "<rocksdb/db.h>"), ("http/wire/a.cc", "<boost/beast.hpp>"),
                             ("core/base/a.cc", "<zlib.h>"), ("core/base/a.cc", "<sys/mman.h>"),
                             ("core/clicks/a.cc", "<pthread.h>"), ("core/redirect/a.cc", "<sched.h>")):
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

    def test_documents(self):
        self.write("core/base/a.h", "// As core/base/a.h does (core/base/{a,a}.h).\n")
        self.write("ARCHITECTURE.md", "`core/base/a.h`\n")
        self.accepted(STYLE / "documents.py", self.tree)
        self.write("core/base/a.h", "// As core/base/{a,gone}.h does.\n")
        self.refused("core/base/a.h:1: names core/base/gone.h, which is not there", STYLE / "documents.py", self.tree)
        self.write("core/base/a.h", "")
        self.write("ARCHITECTURE.md", "line\n" * 151)
        self.refused("151 lines", STYLE / "documents.py", self.tree)

    def test_threats(self):
        self.write("tests/spec/threats.txt", "# number\n 1  applies    schemes\n 2  not yet    webhooks\n")
        self.write("SECURITY.md", '| Promise | Held by |\n|---|---|\n| It holds. | "it is so" |\n')
        self.write("tests/a_test.cc", 'TEST_CASE("it is so", "[threat-1]") {}\n')
        self.accepted(STYLE / "threats.py", self.tree)
        self.write("tests/a_test.cc", 'TEST_CASE("it is so", "[a]") {}\n')
        self.refused("1 applies, but no test names it", STYLE / "threats.py", self.tree)
        self.write("tests/a_test.cc", 'TEST_CASE("it is so", "[threat-1][threat-2]") {}\n')
        self.refused("a test names 2", STYLE / "threats.py", self.tree)
        self.write("tests/a_test.cc", 'TEST_CASE("it was so", "[threat-1]") {}\n')
        self.refused("there is no test called: it is so", STYLE / "threats.py", self.tree)

    def test_sizes(self):
        check = (STYLE / "sizes.py", self.tree)
        body = "    go();\n"
        self.write("core/base/a.cc", "void f() {\n" + 68 * body + "}\n" + 330 * "\n")
        self.accepted(*check)
        self.write("core/base/a.cc", "void f() {\n" + 69 * body + "}\n")
        self.refused("f has 71 lines", *check)
        self.write("core/base/a.cc", "struct A {\n    int f(int a,\n          int b) {\n" + 70 * body + "    }\n};\n")
        self.refused("f has 73 lines", *check)
        self.write("core/base/a.cc", 401 * "\n")
        self.refused("401 lines, at most 400", *check)
        self.write("core/base/a.cc", "")
        self.write("tests/core/a_test.cc", 500 * "\n")
        self.accepted(*check)
        self.write("tests/core/a_test.cc", 501 * "\n")
        self.refused("501 lines, at most 500", *check)
        self.write("tests/core/a_test.cc", "")
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

    def programs_refused(self, path, text, *says):
        """`says` are what is said of the file, each from its line number on."""
        self.write(path, text)
        code, said = self.run_check(STYLE / "programs.py", self.tree)
        self.assertNotEqual(code, 0)
        for one in says:
            self.assertIn(f"{path}:{one}", said)
        (self.tree / path).unlink()

    def programs_found(self, path, start, snippets, package):
        """Each of the snippets starts wrk, which only a package of another purpose has, or then this one."""
        text, lines = start, []
        for snippet in snippets:
            lines.append(text.count("\n") + 1 + snippet.count("\n", 0, snippet.rindex("wrk")))
            text += snippet + "\n"
        packages = "debian bash bash\ndebian sudo sudo\ndebian python3 python3\ntest jq jq\n"
        self.write("tools/packages.txt", packages + "bench wrk wrk\n")
        self.programs_refused(path, text, *(f"{line}: wrk belongs to no package for build" for line in lines))
        self.write("tools/packages.txt", packages + package)
        self.write(path, text)
        self.accepted(STYLE / "programs.py", self.tree)
        (self.tree / path).unlink()

    def test_programs_of_shell_scripts(self):
        start = "#!/usr/bin/env bash\n"
        self.programs_found("tools/measure", start, (
            "wrk -c 1", "echo $(wrk)", "x=1 exec wrk", "if ! wrk; then :; fi", "command sudo -u me wrk", "echo /usr/sbin/wrk",
            "go=(wrk -c 1) && \"${go[@]}\" 2", "step() { shift; \"$@\"; }\nstep name wrk", "trap 'wrk -d' EXIT",
            "bash -c 'true && wrk'", "bash -s <<'end'\nwrk\nend", "case x in x) wrk ;; esac"), "build wrk wrk\n")
        self.programs_refused("tools/measure", start + "jq .\n$x\nbash -c \"$x\"\n", "2: jq", "3: it cannot", "4: it cannot")
        self.programs_refused("tools/measure", start + "if\n", "1: this is no shell script")
        self.write("tools/more.sh", "more() { echo; }\n")
        self.write("tools/measure", start + "tools/run\necho wrk # wrk\ncommand -v zip && zip\nf() { echo \"$@\"; }\nf wrk\n"
                   '"$x/tools/run"\n. tools/more.sh\nmore\n')
        self.accepted(STYLE / "programs.py", self.tree)

    def test_programs_of_python(self):
        start = "import subprocess, sys\n"
        self.programs_found("tests/a.py", start, (
            'subprocess.run(["wrk", "-c"])', 'subprocess.run(["/usr/sbin/wrk"])',
            'shutil.which("wrk")', 'NAME = "wrk"\nsubprocess.run([NAME])', 'test.cleanup(subprocess.run, ["wrk"])',
            'def said(*words): subprocess.run([str(word) for word in words])\nsaid("jq")\nsaid("wrk", "-v")',
            'class A:\n    def f(self): subprocess.run([*self.x, FOLDER / "a"])\n    def g(self): self.x = ("wrk",)',
            'def command(): return ["wrk"]\nsubprocess.run(command())', 'subprocess.run(["nice", "-n", "wrk"])',
            'P = Path("/usr/lib/some/bin")\nsubprocess.run([P / "wrk"])', 'for one in (["wrk"],): subprocess.run(one)'
        ), "test wrk wrk\ndebian coreutils nice\n")
        refused = ("subprocess.run([x])", "subprocess.run(['jq'], shell=True)", "os.system('jq')", "subprocess.run(f())",
                   "subprocess.run(words[1:])", "import yaml", "from subprocess import run")
        self.programs_refused("tests/a.py", "\n".join(refused), *(f"{line}: " for line in range(1, 8)))
        self.write("tests/a.py", start + 'subprocess.run([HERE / "tool", "wrk"])\nsubprocess.run(["jq", "wrk"])\n'
                   'subprocess.run([sys.executable])\nsaid("wrk")\nA = 7\nsubprocess.run(["jq", "-u", str(A), "wrk"])\n')
        self.accepted(STYLE / "programs.py", self.tree)

    def test_npm_packages_that_want_a_newer_node(self):
        self.write("tools/packages.txt", "test npm npm\n")
        for wanted, fits in ((">=18", True), (">= 14", True), (">=18.17.0", True), (">=18.21", False), (">=20", False),
                             ("^20 || ^22", False)):
            self.write("web/package-lock.json", json.dumps({"packages": {"node_modules/a": {"engines": {"node": wanted}}}}))
            code, said = self.run_check(STYLE / "programs.py", self.tree)
            self.assertEqual(code, 0 if fits else 1, said)
            self.assertEqual(f"a wants Node {wanted}, Debian 12 has 18.20.4" in said, not fits)
        (self.tree / "web/package-lock.json").unlink()

    def test_programs_of_builds_and_of_the_readme(self):
        self.write("tools/packages.txt", "build g++ g++\ntest jq jq\n")
        self.programs_refused("CMakeLists.txt", "find_program(LINKER mold)\n", "1: mold")
        self.programs_refused("CMakeLists.txt", "find_package(Python3 REQUIRED)\n", "1: python3")
        self.programs_refused("CMakeLists.txt", "execute_process(COMMAND wrk -v)\n", "1: wrk")
        self.programs_refused("core/a.cc", 'int a = ::execl("/usr/bin/wrk", "wrk", nullptr);\n', "1: wrk")
        self.programs_refused("core/a.cc", "\nint a = ::execvp(words[0], words);\n", "2: it cannot be told")
        self.programs_refused("tools/packaging/a.service", "[Service]\nExecReload=/bin/wrk -HUP\n", "2: wrk")
        self.programs_refused("tools/a.lua", 'io.popen("wrk")\n', "1: ")
        presets = '{"configurePresets": [\n{"name": "base", "generator": "Ninja"}]}\n'
        self.programs_refused("CMakePresets.json", presets, "2: ninja")
        self.programs_refused("CMakePresets.json", presets.replace('"generator": "Ninja"', '"cacheVariables": {'
                              '"CMAKE_INTERPROCEDURAL_OPTIMIZATION": "ON"}'), "2: make")
        self.programs_refused("README.md", "# A\n```sh\n$ slashpost 'a\n  b' |\n$ jq .a\nwrk\n```\n", "5: jq")
        self.programs_refused("README.md", "```sh\nslashpost &\nwrk\n```\n", "3: wrk")
        self.write("README.md", "```\nwrk\n```\n```sh\n$ slashpost\nwrk\n```\n")
        self.accepted(STYLE / "programs.py", self.tree)

    def test_packages_hold_the_programs_that_are_said_to_be_theirs(self):
        self.write("tools/packages.txt", "debian coreutils cp wrk\ndebian mawk awk\n")
        self.refused("coreutils holds no wrk", STYLE / "programs.py", self.tree)
        self.write("tools/packages.txt", "debian coreutils cp\ndebian mawk awk\nbuild no-such-package wrk\n")
        self.accepted(STYLE / "programs.py", self.tree)

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
            self.refused(f"FAILED storage/{name}.cc", *whole_tree, "--since=v0.0.0")  # which is no commit
            self.write(f"storage/{name}.cc", kept)

    def test_tidy_of_what_changed_since_a_commit(self):
        self.write("storage/old.cc", "int BadName() { return 1; }\n")
        self.write("storage/new.cc", FORMATTED)
        for command in ("init -q", "add -A", "-c user.name=t -c user.email=t@example.com commit -qm old"):
            subprocess.run(["git", "-C", self.tree, *command.split()], check=True)
        since = (STYLE / "tidy.py", "--root", self.tree, "--build", self.compiled("storage/old.cc", "storage/new.cc"),
                 "--whole-tree", "--since", "HEAD")
        self.accepted(*since)
        self.write("storage/new.cc", "int AlsoBad() { return 1; }\n")
        self.refused("FAILED storage/new.cc", *since)

    def test_tidy_reads_files_alone_that_are_compiled_together(self):
        for name in ("one", "two"):
            self.write(f"storage/{name}.cc", FORMATTED.replace("twice", name))
        self.write("build/Unity/unity_0.cxx", "".join(f'#include "{self.tree}/storage/{name}.cc"\n' for name in ("one", "two")))
        build = self.compiled("build/Unity/unity_0.cxx")
        tidy = (STYLE / "tidy.py", "--root", self.tree, "--build", build)
        self.accepted(*tidy, "storage/two.cc")
        self.write("storage/two.cc", "int BadName() { return 1; }\n")
        self.refused("readability-identifier-naming", *tidy, "storage/two.cc")
        self.accepted(*tidy, "storage/one.cc")
        self.refused("FAILED storage/two.cc", *tidy, "--whole-tree")
        self.write("storage/two.cc", FORMATTED)
        self.accepted(*tidy, "--whole-tree")

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
