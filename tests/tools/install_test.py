#!/usr/bin/env python3
"""tools/install with stand-ins for apt and dpkg: what it takes on which system, and what it shows meanwhile."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).parents[2] / "tools"
PACKAGES = """build g++ g++
build libboost1.81-dev|libboost-dev>=1.81
test nodejs/no-such-command
"""
STAND_INS = {
    "dpkg-query": 'for last; do :; done\ngrep "^$last " "$STATE/installed" | sed "s/^[^ ]*/installed/;s/ $//" || exit 1',
    "apt-cache": 'echo "$2:"; echo "  Candidate: $(grep "^$2 " "$STATE/known" | cut -d " " -f 2)"',
    "id": "echo 1000",
    # As sudo does by default, it closes all descriptors but the first three.
    "sudo": 'echo sudo >>"$STATE/asked"; exec "$@" 3>&- 4>&-',
    "apt-get": '''echo "$*" >>"$STATE/asked"
case "$*" in
    *" -s "*) for i in 1 2 3; do echo "Inst p$i (1)"; done ;;
    *update*) for percent in 0 50 100; do echo "dlstatus:1:$percent.5:Retrieving file $percent" >&4; done ;;
    *install*)
        echo "Reading package lists"
        for percent in 0 4 9 10 55 57 99; do echo "pmstatus:libc6:amd64:$percent.1:Unpacking p$percent" >&4; done
        [ ! -e "$STATE/broken" ] || { echo "E: no room" >&2; exit 100; }
        for name; do case $name in -*) ;; *) echo "$name 9" >>"$STATE/installed" ;; esac; done ;;
esac''',
    "sleep": "true",
}


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-tools-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("tools", "programs", "state"):
            (self.folder / name).mkdir()
        shutil.copy(TOOLS / "install", self.folder / "tools")
        (self.folder / "tools/packages.txt").write_text(PACKAGES)
        for name, text in STAND_INS.items():
            (self.folder / "programs" / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
            (self.folder / "programs" / name).chmod(0o755)
        self.state("installed", "")
        self.state("known", "g++ 12\nlibboost1.81-dev 1.81.0-5\nlibboost-dev 1.74.0.3\nnodejs 18\n")

    def state(self, name, text):
        (self.folder / "state" / name).write_text(text)

    def asked(self):
        path = self.folder / "state/asked"
        return path.read_text().splitlines() if path.exists() else []

    def install(self, *purposes):
        """Its exit code and what it said."""
        run = subprocess.run([self.folder / "tools/install", *purposes], capture_output=True, text=True, check=False,
                             env=os.environ | {"PATH": f"{self.folder}/programs:{os.environ['PATH']}",
                                               "STATE": str(self.folder / "state")})
        return run.returncode, run.stdout + run.stderr

    def test_what_is_missing_is_installed_once_and_shown_in_tenths(self):
        code, said = self.install("build", "test")
        self.assertEqual(code, 0, said)
        self.assertIn("==> installing 3 packages: g++ libboost1.81-dev nodejs\n    with what they need: 3\n", said)
        self.assertIn("    0 % Unpacking p0\n    10 % Unpacking p10\n    55 % Unpacking p55\n    99 % Unpacking p99\n", said)
        self.assertIn("    0 % Retrieving file 0\n    50 % Retrieving file 50\n", said)
        self.assertNotIn("p4\n", said)
        self.assertNotIn("Reading package lists", said)

    def test_nothing_is_asked_of_apt_get_when_nothing_is_missing(self):
        self.state("installed", "g++ 12\nlibboost1.81-dev 1.81.0-5\n")
        self.assertEqual(self.install("build"), (0, ""))
        self.assertEqual(self.asked(), [])

    def test_a_newer_system_gives_what_it_has(self):
        self.state("known", "g++ 14\nlibboost-dev 1.83.0.2\n")
        code, said = self.install("build")
        self.assertEqual(code, 0, said)
        self.assertIn("installing 2 packages: g++ libboost-dev\n", said)
        self.assertEqual(self.install("build"), (0, ""))

    def test_an_older_system_is_told_what_it_lacks(self):
        self.state("known", "g++ 11\nlibboost-dev 1.74.0.3\n")
        code, said = self.install("build")
        self.assertEqual(code, 1)
        self.assertRegex(said, r"has none of these that is new enough, Debian 12 has: .*libboost1\.81-dev\|libboost-dev>=1\.81")
        self.assertFalse([line for line in self.asked() if " install " in line])

    def test_what_apt_says_is_shown_when_it_fails(self):
        self.state("broken", "")
        code, said = self.install("build")
        self.assertEqual(code, 1)
        self.assertIn("E: no room\n", said)
        self.assertIn("attempt 3 failed\n", said)
        self.assertIn("could not install g++ libboost1.81-dev\n", said)


if __name__ == "__main__":
    unittest.main()
