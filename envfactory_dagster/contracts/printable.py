"""Text that a terminal can be given: what it would obey is written out.

Belongs here: the one form in which control characters are shown. Does not: who shows text (`commands.terminal`,
`commands.console`, logs).
"""

_SHOWN_AS = {code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}
"""Written as JSON writes them, so that JSON stays the same JSON."""


def printable(text: str) -> str:
    """The text with every control character written out, except tabs and ends of lines."""
    return text.translate(_SHOWN_AS)
