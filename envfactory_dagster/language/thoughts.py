"""Thoughts that a model writes into its text, between `<think>` and `</think>`.

Belongs here: finding them. Does not: what becomes of them (`structured`, `rollouts.reading`).
"""

import re

END = "</think>"
"""Where no thought begins before it, all before it is one: many chat templates write the beginning into the prompt."""

PATTERN = rf"<think>(?P<thought>.*?)(?:{END}|\Z)"
"""One thought. Without an end it goes on to the end of the text. The dot has to match line breaks."""

_THOUGHT = re.compile(PATTERN, re.DOTALL)


def split(text: str) -> tuple[str, list[str]]:
    """The text without its thoughts, and the thoughts."""
    before, end, after = text.partition(END)
    began_in_the_prompt = bool(end) and "<think>" not in before
    text = after if began_in_the_prompt else text
    return _THOUGHT.sub("", text), [*([before] if began_in_the_prompt else []), *_THOUGHT.findall(text)]
