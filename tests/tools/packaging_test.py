#!/usr/bin/env python3
"""What packages are made with: the image's bytes, what is said of their parts, and what the archive asks of a system."""
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PACKAGING = ROOT / "tools/packaging"
PROGRAMS = pathlib.Path(os.environ.get("SLASHPOST_PROGRAMS", ROOT / "build/check"))
TIME = {"SOURCE_DATE_EPOCH": "1700000000"}  # 2023-11-14T22:13:20Z


def said(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment).stdout


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slashpost-packaging-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, path, text, mode=0o644):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


class Image(InFolder):
    def make(self, name):
        self.write(f"{name}/usr/bin/slashpost", "program", 0o755)
        (self.folder / name / "lib").symlink_to("usr/lib")
        (self.folder / name / "var/lib/slashpost").mkdir(parents=True)
        said(PACKAGING / "oci", self.folder / name, self.folder / f"{name}.tar", "1.2.3", "0123456789ab", "amd64", **TIME)
        return (self.folder / f"{name}.tar").read_bytes()

    def test_the_same_files_give_the_same_bytes_in_whatever_folder(self):
        self.assertEqual(self.make("one"), self.make("another"))

    def test_every_part_is_found_by_its_digest_and_the_data_belongs_to_the_user(self):
        with tarfile.open(fileobj=io.BytesIO(self.make("root"))) as image:
            held = {member.name: image.extractfile(member).read() for member in image}
        for name, content in held.items():
            if name.startswith("blobs/"):
                self.assertEqual(name, "blobs/sha256/" + hashlib.sha256(content).hexdigest())
        manifest = self.blob(held, json.loads(held["index.json"])["manifests"][0])
        config = self.blob(held, manifest["config"])
        self.assertEqual(config["config"]["User"], "10001:10001")
        self.assertEqual(config["created"], "2023-11-14T22:13:20Z")
        self.assertEqual(config["config"]["Labels"]["org.opencontainers.image.revision"], "0123456789ab")
        docker = json.loads(held["manifest.json"])[0]
        self.assertEqual(docker["RepoTags"], ["slashpost:1.2.3"])
        self.assertEqual(json.loads(held[docker["Config"]]), config)
        layer = gzip.decompress(held[docker["Layers"][0]])
        self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layer).hexdigest()])
        with tarfile.open(fileobj=io.BytesIO(layer)) as files:
            found = {member.name: (member.uid, member.mode, member.mtime, member.linkname) for member in files}
        self.assertEqual(found["usr/bin/slashpost"], (0, 0o755, 1700000000, ""))
        self.assertEqual(found["lib"][3], "usr/lib")
        self.assertEqual((found["var/lib"][0], found["var/lib/slashpost"][0]), (0, 10001))

    def blob(self, held, described):
        content = held["blobs/" + described["digest"].replace(":", "/")]
        self.assertEqual(described["size"], len(content))
        return json.loads(content)


class Parts(InFolder):
    def test_a_package_says_what_is_in_it_and_what_it_needs(self):
        package = self.write("slashpost.deb", "package")
        found = json.loads(said(PACKAGING / "sbom", "--package", "tzdata", "1.2.3", package, PROGRAMS / "slashpost", **TIME))
        self.assertEqual((found["spdxVersion"], found["name"]), ("SPDX-2.3", "slashpost.deb"))
        self.assertEqual(found["creationInfo"]["created"], "2023-11-14T22:13:20Z")
        names = {one["SPDXID"]: one["name"] for one in found["packages"]}
        self.assertEqual(len(names), len(found["packages"]))
        for name in names:
            self.assertRegex(name, r"^SPDXRef-[A-Za-z0-9.-]+$")
        related = {(one["relationshipType"], names[one["relatedSpdxElement"]]) for one in found["relationships"]}
        self.assertLessEqual({("DESCRIBES", "slashpost"), ("CONTAINS", "preact"), ("CONTAINS", "crawler-user-agents"),
                              ("DEPENDS_ON", "libc6"), ("DEPENDS_ON", "libssl3"), ("DEPENDS_ON", "tzdata")}, related)
        self.assertEqual(len(related), len(found["packages"]))  # nothing that nobody names
        itself = next(one for one in found["packages"] if one["name"] == "slashpost")
        self.assertEqual(itself["checksums"][0]["checksumValue"], hashlib.sha256(b"package").hexdigest())


class Start(InFolder):
    def start(self, machine="Linux x86_64", glibc="glibc 2.36"):
        self.write("root/lib/slashpost/slashpost", '#!/bin/sh\necho "$LD_LIBRARY_PATH" "$@"\n', 0o755)
        self.write("root/lib/slashpost/machine", "Linux x86_64\n")
        start = self.write("root/bin/slashpost", (PACKAGING / "start.sh").read_text(), 0o755)
        self.write("stand-ins/uname", f'#!/bin/sh\nset -- {machine} "$1"\n[ "$3" = -s ] && echo "$1" || echo "$2"\n', 0o755)
        self.write("stand-ins/getconf", f'#!/bin/sh\n[ -n "{glibc}" ] && echo "{glibc}"\n', 0o755)
        path = f"{self.folder}/stand-ins:{os.environ['PATH']}"
        return subprocess.run(["sh", start, "serve", "a b"], capture_output=True, text=True, check=False, env=os.environ | {"PATH": path})

    def test_it_starts_with_its_own_libraries(self):
        for glibc in ("glibc 2.36", "glibc 2.39", "glibc 2.100"):
            self.assertEqual(self.start(glibc=glibc).stdout, "/".join((str(self.folder), "root/lib/slashpost serve a b\n")))

    def test_it_says_what_a_system_lacks(self):
        for given, reason in (({"glibc": "glibc 2.31"}, "this system has glibc 2.31, and 2.36 or later is needed"),
                              ({"glibc": "glibc 2.9"}, "this system has glibc 2.9, and 2.36 or later is needed"),
                              ({"glibc": ""}, "this system has no glibc"),
                              ({"machine": "Linux aarch64"}, "is for Linux x86_64, and this system is Linux aarch64")):
            refused = self.start(**given)
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn(reason, refused.stderr)


if __name__ == "__main__":
    unittest.main()
