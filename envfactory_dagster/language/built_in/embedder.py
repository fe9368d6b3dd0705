"""Text embeddings without a model: hashed words and character trigrams, L2-normalized.

Near-duplicates score high and different themes low; meaning beyond shared spelling is not seen.
"""

import hashlib
import math
import re
from collections import Counter
from functools import lru_cache

DIMENSIONS = 384
_WORD = re.compile(r"[^\W_]+")
_FILLER = frozenset(
    [
        "a",
        "an",
        "and",
        "the",
        "of",
        "for",
        "in",
        "on",
        "at",
        "to",
        "with",
        "by",
        "from",
        "is",
        "are",
        "its",
        "their",
        "who",
        "that",
        "this",
        "it",
        "as",
        "or",
    ]
)
_WORD_WEIGHT = 1.0
_TRIGRAM_WEIGHT = 0.35


def embed(text: str) -> list[float]:
    words = [word for word in _WORD.findall(text.lower()) if word not in _FILLER]
    features: Counter[str] = Counter()
    for word in words:
        features[f"w:{word}"] += 1
        padded = f" {word} "
        features.update(padded[i : i + 3] for i in range(len(padded) - 2))
    vector = [0.0] * DIMENSIONS
    for feature, count in features.items():
        index, sign = _slot(feature)
        weight = _WORD_WEIGHT if feature.startswith("w:") else _TRIGRAM_WEIGHT
        vector[index] += sign * weight * (1.0 + math.log(count))
    length = math.sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


@lru_cache(maxsize=50_000)
def _slot(feature: str) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return number % DIMENSIONS, 1.0 if number >> 63 else -1.0
