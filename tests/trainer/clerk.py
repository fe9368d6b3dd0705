"""A real OpenAI-compatible endpoint on the loopback, behind which somebody plays the shop, and judges it."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fastapi import Response

from tests.language.played_endpoint import PlayedEndpoint, Scene, says, served
from tests.support.reports import report

MODEL = "clerk"
STRICT = {
    "reasoning": "Nobody asked how soon it is needed.",
    "outcome": "agent_error",
    "evidence": [{"step": 0, "shows": "It orders at once."}],
}


@contextmanager
def clerk(*, items: Sequence[int] = (3, 5, 8, 9), fickle: Sequence[int] = ()) -> Iterator[tuple[str, PlayedEndpoint]]:
    """Its address. It orders these items, `fickle` ones every other time; of all others it reports that it did. As a
    judge it is never content."""

    def play(body: dict[str, Any]) -> Response:
        if "response_format" in body:
            return answered(says(json.dumps(STRICT))(body))
        quantity, item = map(int, re.findall(r"\d+", body["messages"][1]["content"]))
        orders = item in items or (item in fickle and body["seed"] % 2)
        if body["messages"][-1]["role"] == "tool" or not orders:
            return answered(calling("finish", report().model_dump())(body))
        return answered(calling("place_order", {"item_id": item, "quantity": quantity})(body))

    endpoint = PlayedEndpoint(always=play)
    with served(endpoint.app()) as url:
        yield url, endpoint


def calling(tool: str, arguments: dict[str, Any]) -> Scene:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    calls = [{"id": "c0", "type": "function", "function": function}]
    return says(None, finish="tool_calls", tool_calls=calls)


def answered(given: Any) -> Response:
    assert isinstance(given, Response)
    return given
