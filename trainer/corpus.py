"""The texts that a tokenizer from scratch is trained on: conversations as its own template renders them.

Belongs here: rendering before there is a tokenizer. Does not: the tokenizer (`tokenizers`).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trainer.naming import about_each
from trainer.rendering import with_objects
from trainer.tokenizers import template


def conversations(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Each row as text."""
    import jinja2

    environment = jinja2.Environment()
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    compiled = environment.from_string(template())
    for row in rows:
        messages = [with_objects(message) for message in row["messages"]]
        tools = row.get("tools") or []
        yield compiled.render(messages=messages, tools=tools, about=about_each(tools), add_generation_prompt=False)
