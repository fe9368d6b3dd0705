"""The dendrogram of a taxonomy as a picture.

Belongs here: SVG. Does not: where it is shown (`assets.taxonomy`).
"""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from envfactory_dagster.contracts.taxonomy import Taxonomy

_ROW, _TREE, _TEXT, _MARGIN = 18, 260, 760, 10
_LONGEST = 50
_COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b", "#008b8b", "#a0522d", "#4b5d67")


def dendrogram(taxonomy: Taxonomy) -> str:
    """Labels as leaves, each with its category and how many environments it has; joins by their heights."""
    joins = {one.id: one for one in taxonomy.joins}
    highest = max((one.height for one in taxonomy.joins), default=0.0) or 1.0
    leaves = _leaves(taxonomy)
    at = {name: (float(_TREE), _MARGIN + _ROW * (place + 0.5)) for place, name in enumerate(leaves)}
    lines = list[str]()
    for name, one in joins.items():
        (left_x, left_y), (right_x, right_y) = at[one.left], at[one.right]
        x = _MARGIN + (_TREE - _MARGIN) * (1 - one.height / highest)
        at[name] = (x, (left_y + right_y) / 2)
        lines.append(f"M{left_x:.1f} {left_y:.1f}H{x:.1f}V{right_y:.1f}H{right_x:.1f}")
    height = 2 * _MARGIN + _ROW * len(leaves)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_TREE + _TEXT}" height="{height}"'
        f' font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
        f'<path d="{"".join(lines)}" fill="none" stroke="#555"/>{_words(taxonomy, at)}</svg>'
    )


def _leaves(taxonomy: Taxonomy) -> list[str]:
    """Labels in an order in which no two lines cross."""
    below = {one.id: [one.id] for one in taxonomy.labels}
    for one in taxonomy.joins:
        below[one.id] = [*below[one.left], *below[one.right]]
    return max(below.values(), key=len)


def _words(taxonomy: Taxonomy, at: Mapping[str, tuple[float, float]]) -> str:
    category = {one.id: (one.name, _COLOURS[n % len(_COLOURS)]) for n, one in enumerate(taxonomy.categories)}
    number = {one.id: 0 for one in taxonomy.labels}
    for placed in taxonomy.placed:
        number[placed.label] += 1
    return "".join(
        f'<text x="{at[one.id][0] + 6:.0f}" y="{at[one.id][1] + 4:.1f}" fill="{category[one.category][1]}">'
        f"{_text(one.name)} ({number[one.id]}) · {_text(category[one.category][0])}</text>"
        for one in taxonomy.labels
    )


def _text(name: str) -> str:
    """As XML may hold it, and no longer than there is room for."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return escape(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…")
