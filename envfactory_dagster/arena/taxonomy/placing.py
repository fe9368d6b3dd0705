"""Where environments lie among clusters: centres, radii, and the place of one that came later.

Belongs here: that, and when so much has come that the clusters have to be made anew. Does not: making them
(`clustering`).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from envfactory_dagster.arena.taxonomy.clustering import Matrix
from envfactory_dagster.contracts.taxonomy import PlacedEnvironment, Taxonomy

GROWN = 0.2
"""From this share of new or lost environments on, the clusters are made anew."""
PROVISIONAL = 0.1
"""With a larger share of environments that fit no cluster too."""
_RADIUS_PERCENT = 95.0
_DECIMALS = 6

Vectors = Mapping[str, Sequence[float]]
"""By environment."""


def unit(vectors: Sequence[Sequence[float]]) -> Matrix:
    points = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    scaled: Matrix = points / np.where(lengths == 0.0, 1.0, lengths)
    return scaled


def distances_to_centre(points: Matrix, centre: Matrix) -> list[float]:
    return [round(float(value), _DECIMALS) for value in np.linalg.norm(points - centre, axis=1)]


def radius(distances: Sequence[float]) -> float:
    return round(float(np.percentile(distances, _RADIUS_PERCENT)), _DECIMALS)


def extended(taxonomy: Taxonomy, vectors: Vectors) -> Taxonomy | None:
    """The taxonomy with these environments and no others: new ones in the nearest cluster, all others where they are.
    None where it has to be made anew. `vectors`: unit length, also of those that are placed already."""
    placed = {one.environment: one for one in taxonomy.placed if one.environment in vectors}
    if {one.label for one in placed.values()} != {one.id for one in taxonomy.labels}:
        return None
    if abs(len(vectors) - taxonomy.built_of) >= GROWN * taxonomy.built_of:
        return None
    centres = _centres(taxonomy, placed, vectors)
    if centres is None:
        return None
    new = [_placed(key, vectors[key], taxonomy, centres) for key in sorted(vectors.keys() - placed.keys())]
    everything = sorted([*placed.values(), *new], key=lambda one: one.environment)
    if sum(one.provisional for one in everything) > PROVISIONAL * len(everything):
        return None
    return taxonomy.model_copy(update={"placed": everything})


def _centres(taxonomy: Taxonomy, placed: Mapping[str, PlacedEnvironment], vectors: Vectors) -> Matrix | None:
    """Of every label, in order: the mean of what its cluster was made of. None where a cluster has lost all of that."""
    centres = []
    for label in taxonomy.labels:
        own = [vectors[key] for key, one in placed.items() if one.label == label.id and not one.later]
        if not own:
            return None
        centres.append(np.mean(np.asarray(own, dtype=np.float64), axis=0))
    return np.asarray(centres)


def _placed(key: str, vector: Sequence[float], taxonomy: Taxonomy, centres: Matrix) -> PlacedEnvironment:
    distances = distances_to_centre(centres, np.asarray(vector, dtype=np.float64))
    nearest = int(np.argmin(distances))
    label = taxonomy.labels[nearest]
    return PlacedEnvironment(
        environment=key,
        label=label.id,
        distance=distances[nearest],
        later=True,
        provisional=distances[nearest] > label.radius,
    )
