"""The packages among exports, built and unpacked as an installer does it."""

import subprocess
import sys
import zipfile
from pathlib import Path


def installed(project: Path, scratch: Path) -> Path:
    """The folder of the one package of a project that setuptools builds."""
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(scratch)], cwd=project, capture_output=True, check=True)
    [wheel] = scratch.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(scratch / "site")
    [package] = (path for path in (scratch / "site").iterdir() if not path.name.endswith(".dist-info"))
    return package
