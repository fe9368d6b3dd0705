"""Thoughts that a model writes into its text, between `<think>` and `</think>`.

Belongs here: finding them. Does not: what becomes of them (`structured`, `rollouts.reading`).
"""

import re

PATTERN = r"<think>(?P<thought>.*?)(?:</think>|\Z)"
"""One thought. Without an end it goes on to the end of the text. The dot has to match line breaks."""

_THOUGHT = re.compile(PATTERN, re.DOTALL)


def split(text: str) -> tuple[str, list[str]]:
    """The text without its thoughts, and the thoughts."""
    return _THOUGHT.sub("", text), _THOUGHT.findall(text)
