"""Puts the programs into the wheel, and names the systems that they run on."""

import os
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Programs(BuildHookInterface):
    """Any Python of the platforms in `FANORONA_PLATFORMS` installs the wheel."""

    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['FANORONA_PLATFORMS']}"
        programs = sorted(Path(self.root, "programs").iterdir())
        build_data["shared_scripts"] = {str(program): program.name for program in programs}
        build_data["sbom_files"] = sorted(map(str, Path(self.root, "sbom").iterdir()))
