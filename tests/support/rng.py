"""Choices that are drawn from a hash of what they are about, so that they come out the same every time."""

import hashlib
import random


def seed_of(*parts: object) -> int:
    return int.from_bytes(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()[:8], "big")


def rng_of(*parts: object) -> random.Random:
    return random.Random(seed_of(*parts))
