"""The figure of a study, as SVG.

Belongs here: drawing. Does not: what is drawn (`running`).
"""

from xml.sax.saxutils import escape

from envfactory_dagster.contracts.studies import StudyResult

_WIDTH, _HEIGHT, _LEFT, _BELOW, _ABOVE = 640, 360, 60, 60, 40


def plot(found: StudyResult) -> str:
    """The mean of each level with its lowest and highest seed, and every seed as a point."""
    step = (_WIDTH - 2 * _LEFT) / max(1, len(found.levels) - 1)
    at = [_LEFT + step * place for place in range(len(found.levels))]
    parts = [_axis(), _line([(x, _y(one.mean)) for x, one in zip(at, found.levels, strict=True)])]
    for x, one in zip(at, found.levels, strict=True):
        parts.append(f'<path d="M{x:.1f} {_y(one.low):.1f}V{_y(one.high):.1f}" stroke="#1b6ca8"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{_y(seed.passed):.1f}" r="3" fill="#1b6ca8"/>' for seed in one.seeds]
        parts.append(_text(x, _HEIGHT - _BELOW + 20, one.label[:24]))
    title = f"{found.study.name}: held-out tasks passed, by {found.study.varies}; {found.recipe}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}'
        f"{_text(_WIDTH / 2, 20, title)}</svg>"
    )


def _y(rate: float) -> float:
    return _ABOVE + (_HEIGHT - _ABOVE - _BELOW) * (1 - rate)


def _axis() -> str:
    lines = "".join(
        f'<path d="M{_LEFT - 15} {_y(rate):.1f}H{_WIDTH - _LEFT + 15}" stroke="#ddd"/>'
        + _text(_LEFT - 35, _y(rate) + 4, f"{rate:.0%}")
        for rate in (0.0, 0.25, 0.5, 0.75, 1.0)
    )
    return lines


def _line(points: list[tuple[float, float]]) -> str:
    return f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}" fill="none" stroke="#1b6ca8"/>'


def _text(x: float, y: float, said: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(said)}</text>'
