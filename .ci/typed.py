"""What `.ci/archive` and `.ci/wheels` share: the commands of a page, typed where there is no Rust."""

import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = ROOT / "release"
# Interactive commands get these lines.
FED = {"arena play": "hint\n1\nundo\nresign\n", "arena show": "q\n"}
# Commands for those who build; `PATH` is set here.
FOR_BUILDERS = ("cargo ", "export PATH")
# This system, in the words of the archives.
SYSTEM = f"{platform.system()}-{platform.machine()}".lower().replace("amd64", "x86_64").replace("arm64", "aarch64")


def commands(page):
    """The commands of a page, without those for builders."""
    # Windows knows Python by its other name.
    page = page.replace("python3 ", "python ") if os.name == "nt" else page
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.M | re.S)
    typed = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    return [command for command in typed if not command.startswith(FOR_BUILDERS)]


def machine(programs, home):
    """The environment of a new machine with these programs: no Rust, no Python of ours, an empty home."""
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ["SYSTEMROOT", "PATHEXT", "COMSPEC", "TEMP"] if name in os.environ}
    windows = [str(Path(sys.executable).parent), f"{kept.get('SYSTEMROOT')}/System32"]
    path = [str(programs), *(["/usr/bin", "/bin"] if os.name == "posix" else windows)]
    env = kept | {"PATH": os.pathsep.join(path), "HOME": str(home), "USERPROFILE": str(home), "LANG": "C.UTF-8"}
    return env


def run(command, place, env):
    """Types a command, prints its seconds, and returns its output."""
    fed = next((text for begin, text in FED.items() if command.startswith(begin)), "")
    begin = time.monotonic()
    done = subprocess.run(
        command, shell=True, cwd=place, env=env, input=fed, encoding="utf-8", capture_output=True, timeout=900
    )
    print(f"{time.monotonic() - begin:7.1f} s  {command}", flush=True)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def sums():
    """The digests in SHA256SUMS, by the names of the files."""
    lines = (RELEASE / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}
