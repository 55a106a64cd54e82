#!/usr/bin/env python3
"""What the build does for a small machine and a patient user, and what is installed of it."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PROGRAMS = pathlib.Path(os.environ.get("SLASHPOST_PROGRAMS", ROOT / "build/check"))


def said(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment).stdout


class Jobs(unittest.TestCase):
    def test_there_is_memory_for_every_compiler(self):
        self.assertEqual(said(ROOT / "tools/jobs", "1").strip(), said("nproc").strip())
        self.assertEqual(said(ROOT / "tools/jobs", str(1 << 40)), "1\n")

    def test_a_program_is_linked_with_as_many_and_says_that_it_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "link").write_text('#!/usr/bin/env bash\nsleep 10.5\necho "$@"\nexit 3\n')
            (pathlib.Path(folder) / "link").chmod(0o755)
            run = subprocess.run([ROOT / "tools/linking", "slashpost", "./link", "-o", "a b"], cwd=folder,
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stdout, r"^    optimising and linking slashpost: 10 s\n-o a b -flto=\d+\n$")


class Installed(unittest.TestCase):
    def test_both_programs_are_installed_below_a_prefix(self):
        with tempfile.TemporaryDirectory() as prefix:
            said("cmake", "--install", PROGRAMS, "--prefix", prefix)
            for name in ("slashpost", "slashpost-admin"):
                self.assertRegex(said(pathlib.Path(prefix) / "bin" / name, "--version"), rf"^{name} \d+\.\d+\.\d+")

    def test_the_settings_of_the_service_are_settings(self):
        shown = said(PROGRAMS / "slashpost", "config", "--config", ROOT / "tools/packaging/slashpost.conf")
        for name, value in (("data", "/var/lib/slashpost"), ("tls-listen", "0.0.0.0:443"), ("api-host", "api.example.com")):
            self.assertRegex(shown, rf'(?m)^{name} = "?{re.escape(value)}"?( |$)')


if __name__ == "__main__":
    unittest.main()
