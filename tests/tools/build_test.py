#!/usr/bin/env python3
"""What the build does for a small machine and a patient user, and what is installed of it."""
import os
import pathlib
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
                self.assertRegex(said(pathlib.Path(prefix) / "bin" / name, "--version"),
                                 rf"^{name} \d+\.\d+\.\d+( \([0-9a-f]{{12}}\))?\n$")

    def test_what_belongs_to_them_is_where_the_system_looks_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder)
            said("cmake", "--install", PROGRAMS, "--prefix", prefix)
            for path, words in (("share/man/man8/slashpost.8", ".TH SLASHPOST 8"),
                                ("share/man/man8/slashpost-admin.8", ".TH SLASHPOST\\-ADMIN 8"),
                                ("share/man/man5/slashpost.conf.5", ".TH SLASHPOST.CONF 5"),
                                ("share/bash-completion/completions/slashpost", "complete -o default -F _slashpost slashpost"),
                                ("share/bash-completion/completions/slashpost-admin", "_slashpost_admin() {"),
                                ("share/zsh/site-functions/_slashpost", "#compdef slashpost"),
                                ("share/zsh/site-functions/_slashpost-admin", "#compdef slashpost-admin"),
                                ("lib/sysusers.d/slashpost.conf", "\nu slashpost "),
                                ("lib/systemd/system/slashpost-http.socket", "ListenStream=80"),
                                ("lib/systemd/system/slashpost-https.socket", "ListenStream=443"),
                                ("lib/systemd/system/slashpost-backup.timer", "OnCalendar="),
                                ("lib/systemd/system/slashpost-backup.service", f"ExecStart={prefix}/bin/slashpost-admin backup verify "),
                                ("lib/systemd/system/slashpost.service",
                                 f"ExecStart={prefix}/bin/slashpost serve --config {prefix}/etc/slashpost/slashpost.conf\n")):
                self.assertIn(words, (prefix / path).read_text())

    def test_settings_that_somebody_has_changed_stay(self):
        with tempfile.TemporaryDirectory() as prefix:
            said("cmake", "--install", PROGRAMS, "--prefix", prefix)
            settings = pathlib.Path(prefix) / "etc/slashpost/slashpost.conf"
            self.assertIn("\n#rate-limit = 6000\n", settings.read_text())
            settings.write_text("rate-limit = 7\n")
            said("cmake", "--install", PROGRAMS, "--prefix", prefix)
            self.assertEqual(settings.read_text(), "rate-limit = 7\n")


if __name__ == "__main__":
    unittest.main()
