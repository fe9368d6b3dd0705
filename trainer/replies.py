"""What a policy wrote, read back as a message: its reasoning, its words, and the calls it makes.

Belongs here: the forms of calls that are known, and reading one of them. Does not: rendering, or finding out which form
a chat template has (`rendering`).

Reasoning is split off before anything else is looked at: a call that is only thought of is none.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from transformers import PreTrainedTokenizerBase
from transformers.utils.chat_parsing import parse_response
from trl import chat_template_utils as known

Tools = Sequence[Mapping[str, Any]]

_FORMS: dict[str, dict[str, Any]] = {
    "Hermes and Qwen": known.qwen3_template,
    "Qwen 3.5 and Nemotron": known.qwen3_5_template,
    "GLM": known.glm4moe_template,
    "Llama": known.llama3_template,
    "GPT-OSS": known.gptoss_template,
    "LFM": known.lfm2_2_5_template,
    "Gemma": known.gemma4_template,
}
"""As TRL ships them, for the parser of transformers."""
_THOUGHT = {"open": "<think>", "close_pattern": r"</think>\s*", "content": "text"}
"""How a model thinks whose form says nothing of it."""
REASONING = ("reasoning_content", "thinking")
"""What a form may call it."""
_WRONG = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What a parser raises for something that is no call: also for nesting without end, and a number too long to be one."""


class ReplyForm:
    """One way of writing reasoning, words and calls."""

    def __init__(self, name: str, form: Mapping[str, Any]) -> None:
        fields: dict[str, Any] = deepcopy(dict(form["fields"]))
        self.name = name
        self.reasoning = next((field for field in REASONING if field in fields), REASONING[0])
        """The field of a message that its template shows reasoning from."""
        thought = fields.setdefault(self.reasoning, _THOUGHT)
        if "open" not in thought:  # one that is open from the start; here that is told by the prompt
            thought = fields[self.reasoning] = _THOUGHT
        self._opens: str = thought["open"]
        # Values that are written without quotes have the type that their tool asks for; JSON has types of its own.
        self._is_typed = fields["tool_calls"].get("content") == "json"
        self._form = {"defaults": {"role": "assistant"}, "start_anchor": "\0", "fields": fields}
        raw = {key: value for key, value in fields["tool_calls"].items() if key not in ("content_args", "transform")}
        raw |= {"content": "text", "transform": {"function": {"name": "", "arguments": "{content}"}}}
        self._unread = {**self._form, "fields": {**fields, "tool_calls": raw}}

    def is_thinking_after(self, prompt: str) -> bool:
        """Whether a prompt ends within reasoning that it has opened itself."""
        return prompt.rstrip().endswith(self._opens.strip())

    def read(self, text: str, tools: Tools, end: str = "", *, thinking: bool = False) -> dict[str, Any]:
        """The message that this text says, in the OpenAI form. `end`: what ends it, without which some forms close no
        call. Where something is no call, all calls of the message have no name, so that none is made."""
        said = self._opens + text if thinking else text
        for whole, form in ((said, self._form), (said + end, self._form), (said, self._unread)):
            try:
                found = parse_response(whole, form, prefix="", tools=None if self._is_typed else list(tools))
                return self._message(found)
            except _WRONG:
                continue
        return {"role": "assistant", "content": text}

    def _message(self, found: Mapping[str, Any]) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": found.get("content") or ""}
        if found.get(self.reasoning):
            message["reasoning_content"] = found[self.reasoning]
        if calls := found.get("tool_calls"):
            message["tool_calls"] = [_call(one["function"], place) for place, one in enumerate(calls)]
        return message


def forms_for(tokenizer: "PreTrainedTokenizerBase") -> Iterator[ReplyForm]:
    """The forms that its template may have, the one that the tokenizer names itself first."""
    own = getattr(tokenizer, "response_template", None)
    if isinstance(own, dict) and "tool_calls" in own.get("fields", {}):
        yield ReplyForm("its own", own)
    yield from (ReplyForm(name, form) for name, form in _FORMS.items())


def _call(function: Mapping[str, Any], place: int) -> dict[str, Any]:
    arguments = function.get("arguments") or {}
    said = {
        "name": str(function.get("name", "")),
        "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
    }
    return {"id": f"c{place}", "type": "function", "function": said}
