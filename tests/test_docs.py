"""The documents tell the truth: their Python runs, their links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = [
    pytest.param(block, id=f"{document.name}-{number}")
    for document in DOCUMENTS
    if document.exists()
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE))
    if "import " in block
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "environment" not in done.stdout, "a call failed"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
