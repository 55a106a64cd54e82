"""The files that the style checks look at: what git would commit, or, without git, everything outside build/."""
import pathlib
import subprocess

SKIPPED = {"build", "data", ".git", ".cache", ".ccache", "__pycache__"}


def files(root, *suffixes):
    """Paths relative to root, sorted; all of them when no suffix is given."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = [pathlib.PurePosixPath(name) for name in listed.stdout.split("\0") if name]
    else:
        found = [path.relative_to(root) for path in pathlib.Path(root).rglob("*")]
        found = [path for path in found if path.parts[0] not in SKIPPED and "__pycache__" not in path.parts]
    return sorted({path.as_posix() for path in found
                   if (not suffixes or path.suffix in suffixes) and (pathlib.Path(root) / path).is_file()})
