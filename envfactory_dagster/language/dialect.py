"""What an endpoint turned out not to understand, and how to say it so that it does.

A request is first written down as a wish: everything we would like to send. Servers differ in what they accept; when
one refuses a wish, the refusal is read and the wish is put more plainly.
Belongs here: those differences. Does not: sending (`wire`), or reading answers (`structured`, `replies`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

REFUSALS = (400, 415, 422, 501)

DISPENSABLE = ("return_token_ids", "logprobs", "seed", "temperature")
"""Fields of a wish that an answer can do without."""
STREAMING = {
    "stream_options": re.compile(r"stream_options|include_usage"),
    "stream": re.compile(r"\bstream(?:ed|ing|s)?\b", re.IGNORECASE),
}
"""Fields for which the same holds, and how a refusal speaks of them. "Upstream" does not."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to talk to one model of one endpoint."""

    structure: Literal["json_schema", "json_object", "prompt"] = "json_schema"
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    left_out: frozenset[str] = frozenset()
    keeps_temperature: bool = False
    """Whether a request is rather refused than sent without the temperature that it names."""

    def speak(self, wish: Mapping[str, Any]) -> dict[str, Any]:
        """The body of the request. The wish is complete JSON in the words of `Dialect()`."""
        body = {name: value for name, value in wish.items() if name not in self.left_out}
        if "stream" not in body:
            body.pop("stream_options", None)
        if "max_tokens" in body:
            body[self.length_field] = body.pop("max_tokens")
        if "response_format" in body and self.structure != "json_schema":
            del body["response_format"]
            if self.structure == "json_object":
                body["response_format"] = {"type": "json_object"}
        return body

    def plainer(self, wish: Mapping[str, Any], refusal: str) -> "Dialect | None":
        """A way to say the same that avoids what the refusal complains of; None when there is nothing to avoid.

        A refusal that names no field is blamed on structured output, the most common gap, as long as any is asked for,
        and then on streaming.
        """
        if "max_completion_tokens" in refusal and self.length_field == "max_tokens":
            return replace(self, length_field="max_completion_tokens")
        if self.keeps_temperature and "temperature" in wish and "temperature" in refusal:
            return None
        for name in DISPENSABLE:
            if name in wish and name not in self.left_out and name in refusal:
                return replace(self, left_out=self.left_out | {name})
        for name, complaint in STREAMING.items():
            if name in self.speak(wish) and complaint.search(refusal):
                return replace(self, left_out=self.left_out | {name})
        if "response_format" not in wish or self.structure == "prompt":
            return replace(self, left_out=self.left_out | {"stream"}) if "stream" in self.speak(wish) else None
        return replace(self, structure="json_object" if self.structure == "json_schema" else "prompt")
