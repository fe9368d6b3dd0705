"""From messages to tokens: the one renderer of rollouts, SFT and GRPO.

Belongs here: prompts, samples with their masks, and reading what a policy wrote. Does not: the messages themselves
(`envfactory_dagster.rollouts`), or any model.

A sample is always a prompt followed by one message that the policy writes: the tokens of the prompt are what it is
shown when it plays, and the tokens of the message end with the one that ends its turn.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.failures import RecipeError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Message = Mapping[str, Any]
Tools = Sequence[Mapping[str, Any]]

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*(?:</tool_call>|\Z)", re.DOTALL)
_PROBE = "c3a9 probe 7f"


@dataclass(frozen=True, slots=True)
class Sample:
    """The tokens of a prompt, and those the policy writes after it."""

    prompt: list[int]
    written: list[int]

    @property
    def ids(self) -> list[int]:
        return self.prompt + self.written

    @property
    def mask(self) -> list[bool]:
        return [False] * len(self.prompt) + [True] * len(self.written)


class Renderer:
    """Renders with the chat template of a tokenizer. Without `thinking`, reasoning is neither asked for nor learned."""

    def __init__(self, tokenizer: "PreTrainedTokenizerBase", *, thinking: bool = False) -> None:
        self._tokenizer = tokenizer
        self._thinking = thinking
        if not tokenizer.chat_template:
            raise RecipeError("The tokenizer has no chat template; it cannot render conversations.")
        if tokenizer.eos_token_id is None or tokenizer.pad_token_id is None:
            raise RecipeError("The tokenizer must have a token that ends a turn (eos) and one for padding (pad).")
        self.end: int = tokenizer.eos_token_id
        self.pad: int = tokenizer.pad_token_id
        self._check_tools()

    def prompt(self, messages: Sequence[Message], tools: Tools) -> list[int]:
        """What a policy is shown before it writes its next message."""
        return self._encode(self._text(messages, tools, before_answer=True))

    def sample(self, messages: Sequence[Message], tools: Tools) -> Sample:
        """The last of the messages as something to learn, and all before it as its context."""
        before = self._text(messages[:-1], tools, before_answer=True)
        whole = self._text(messages, tools, before_answer=False)
        if not whole.startswith(before):
            raise RecipeError("The chat template renders a message differently once it is written; it cannot be used.")
        written = self._encode(whole[len(before) :])
        ends = [place for place, token in enumerate(written) if token == self.end]
        if not ends:
            raise RecipeError("The chat template does not end a message with the tokenizer's eos token.")
        return Sample(self._encode(before), written[: ends[-1] + 1])

    def read(self, written: Sequence[int]) -> dict[str, Any]:
        """The message that these tokens say, in the OpenAI form. What is no JSON stays the text it is."""
        kept = [token for token in written if token not in (self.end, self.pad)]
        text = self._tokenizer.decode(kept, skip_special_tokens=False)
        calls = [_call(found.group(1), place) for place, found in enumerate(_CALL.finditer(text))]
        message: dict[str, Any] = {"role": "assistant", "content": _CALL.sub("", text).strip()}
        return message | ({"tool_calls": calls} if calls else {})

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _text(self, messages: Sequence[Message], tools: Tools, *, before_answer: bool) -> str:
        rendered = self._tokenizer.apply_chat_template(
            [self._shown(message) for message in messages],
            tools=list(tools) or None,
            add_generation_prompt=before_answer,
            tokenize=False,
            enable_thinking=self._thinking,
        )
        assert isinstance(rendered, str)
        return rendered

    def _shown(self, message: Message) -> dict[str, Any]:
        shown = _with_objects(message)
        if not self._thinking:  # a template would show it behind a prompt that says there is none
            shown.pop("reasoning_content", None)
        return shown

    def _check_tools(self) -> None:
        tool = {"type": "function", "function": {"name": _PROBE, "description": _PROBE, "parameters": {}}}
        if _PROBE not in self._text([{"role": "user", "content": "x"}], [tool], before_answer=True):
            raise RecipeError("The tokenizer's chat template does not show tools; it cannot be trained to call them.")


def _with_objects(message: Message) -> dict[str, Any]:
    """Templates want the arguments of calls as objects; the OpenAI form has them as text."""
    shown = dict(message)
    if message.get("tool_calls"):
        shown["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": _as_object(call["function"]["arguments"])}}
            for call in message["tool_calls"]
        ]
    return shown


def _as_object(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def _call(text: str, place: int) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):  # also a number too long to be one, and nesting without end
        said = None
    if not isinstance(said, dict):
        function = {"name": "", "arguments": text}
    else:
        arguments = said.get("arguments", {})
        function = {
            "name": str(said.get("name", "")),
            "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
        }
    return {"id": f"c{place}", "type": "function", "function": function}
