"""Text in a page. Nearly all of it was written by a model or comes from somebody else's bundle.

Belongs here: what keeps such text from doing anything but being read. Does not: pages (`pages`).
"""

import json
from typing import Any

from markupsafe import Markup

_HIDDEN = (
    *(range(0x09), range(0x0B, 0x20), range(0x7F, 0xA0)),  # control characters but tabs and ends of lines
    *(range(0xAD, 0xAE), range(0x61C, 0x61D), range(0x200B, 0x200C), range(0x200E, 0x2010)),
    *(range(0x2028, 0x202F), range(0x2060, 0x2070), range(0xFEFF, 0xFF00), range(0xFFF9, 0xFFFC)),  # order of reading
    *(range(0xD800, 0xE000), range(0xE0000, 0xE0080)),  # halves of characters, and tags
)
_WRITTEN_OUT = {code: f"⟨U+{code:04X}⟩" for codes in _HIDDEN for code in codes}
"""What nobody sees, and what turns around the order in which the rest is read."""


_WIDEST, _DEEPEST = 92, 40


def visible(text: str) -> str:
    """The text with everything written out that would be obeyed and not seen."""
    return text.translate(_WRITTEN_OUT)


def shown(value: Any) -> Any:
    """What a template puts into a page. Jinja escapes it after that; only what a template made itself is left alone."""
    if value is None:
        return ""
    return value if isinstance(value, Markup) else visible(str(value))


def one_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def pretty(value: Any, indent: int = 0) -> str:
    """JSON for a person: on several lines only what is long and holds further objects or lists."""
    line = one_line(value)
    if not isinstance(value, dict | list) or indent + len(line) <= _WIDEST or indent > _DEEPEST:
        return line
    held = value.values() if isinstance(value, dict) else value
    if not any(isinstance(one, dict | list) and one for one in held):
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{pad}{one_line(name)}: {pretty(one, indent + 2)}" for name, one in value.items()]
    else:
        parts = [pad + pretty(one, indent + 2) for one in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n" + ",\n".join(parts) + f"\n{' ' * indent}{closing}"


def data(value: Any) -> Markup:
    """JSON inside a `<script>` that holds data: no character in it ends the element."""
    text = json.dumps(_visible_throughout(value), ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _visible_throughout(value: Any) -> Any:
    match value:
        case str():
            return visible(value)
        case dict():
            return {visible(str(name)): _visible_throughout(one) for name, one in value.items()}
        case list() | tuple():
            return [_visible_throughout(one) for one in value]
        case _:
            return value


def beginning(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
