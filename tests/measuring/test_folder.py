"""Tries that were paid for outlive whatever happens to the process."""

import resource
from pathlib import Path

from envfactory_dagster.contracts.benchmarks import BenchmarkSetup, Decoding, Try
from envfactory_dagster.measuring.folder import MeasurementFolder

SETUP = BenchmarkSetup(
    benchmark="bfcl",
    version="v",
    categories=["c"],
    model="m",
    endpoint="e",
    user_model=None,
    decoding=Decoding(temperature=None, top_p=None, top_k=None),
    most_output_tokens=10,
    tries=1,
)


def test_half_a_line_is_cut_off_without_writing_the_tries_anew(tmp_path: Path) -> None:
    folder = MeasurementFolder.of(tmp_path, SETUP)
    folder.path.mkdir(parents=True)
    made = [
        Try(
            task=f"c_{n}", category="c", group="g", seed=0, score=1.0, passed=True, outcome="completed", detail="",
            messages=1,
        )
        for n in range(50)
    ]  # fmt: skip
    for one in made:
        folder.add(one)
    file = folder.path / "tries.jsonl"
    with file.open("ab") as end:
        end.write(b'{"task": "c_')

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (file.stat().st_size // 2, limits[1])
    )  # who wrote it anew would stop midway
    try:
        assert folder.open() == made
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert folder.open() == made
