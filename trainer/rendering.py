"""From messages to tokens: the one renderer of rollouts, SFT and GRPO.

Belongs here: prompts, samples with their masks, and the form of a template's calls. Does not: reading that form
(`replies`), the messages themselves (`envfactory_dagster.rollouts`), or any model.

A sample is always a prompt followed by one message that the policy writes: the tokens of the prompt are what it is
shown when it plays, and the tokens of the message end with the one that ends its turn.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateError

from .failures import RecipeError
from .replies import REASONING, ReplyForm, Tools, forms_for

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Message = Mapping[str, Any]

_TEMPLATES = Path(__file__).parent / "templates"
_NAME = "book_c3a9_room"
_ARGUMENTS: dict[str, Any] = {
    "guest": 'Zoë "Z" O\'Neil, 東京\nat the gate',
    "nights": 3,
    "price": 12.5,
    "paid": True,
    "code": "75001",
    "room": {"beds": [1, 2], "view": {"side": "sea, north"}},
    "note": None,
}
_KINDS = {"guest": "string", "nights": "integer", "price": "number", "paid": "boolean", "code": "string",
          "room": "object", "note": ["string", "null"]}  # fmt: skip
_TOOL = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "Books a room.",
        "parameters": {"type": "object", "properties": {name: {"type": kind} for name, kind in _KINDS.items()}},
    },
}
"""What a chat template is tried with."""
_ASKS = {"role": "user", "content": "Book it."}
_TOLD = {"role": "tool", "tool_call_id": "c3a9b7f01", "name": _NAME, "content": '{"booked": true}'}


def _calling(arguments: Mapping[str, Any]) -> dict[str, Any]:
    call = {"id": "c3a9b7f01", "type": "function", "function": {"name": _NAME, "arguments": dict(arguments)}}
    return {"role": "assistant", "content": "", "reasoning_content": "I wonder.", "tool_calls": [call]}


_ANSWERS = {"role": "assistant", "content": "Done.", "reasoning_content": "I wonder."}
_WITHOUT_A_THOUGHT = {**_calling(_ARGUMENTS), "reasoning_content": None}
_TRIED = ([_ASKS, _calling(_ARGUMENTS)], [_ASKS, _calling({})], [_ASKS, _WITHOUT_A_THOUGHT, _TOLD, _ANSWERS])
"""Conversations whose last message must read back; reasoning is never shown again."""
_REMEDY = (
    "Name another template in `policy.chat_template` of the recipe: a file, or `hermes`, which comes with the trainer."
)
_TAIL = 32
"""Tokens at the end of a prompt that tell whether it has opened reasoning."""


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
    """Renders with the chat template of a tokenizer. Without `thinking`, reasoning is neither asked for nor learned.

    A template whose calls do not read back as they were is refused: what a policy writes in it would be misread.
    """

    def __init__(self, tokenizer: "PreTrainedTokenizerBase", *, thinking: bool = False) -> None:
        self._tokenizer = tokenizer
        self._thinking = thinking
        self._form: ReplyForm | None = None
        self.shows_reasoning = False
        if not tokenizer.chat_template:
            raise RecipeError(f"The tokenizer has no chat template; it cannot render conversations. {_REMEDY}")
        if tokenizer.eos_token_id is None or tokenizer.pad_token_id is None:
            raise RecipeError("The tokenizer must have a token that ends a turn (eos) and one for padding (pad).")
        self.pad: int = tokenizer.pad_token_id
        self.ends: frozenset[int] = frozenset([tokenizer.eos_token_id])
        """Tokens that end a message: in some templates a call ends otherwise than an answer does."""
        self._check_tools()
        self.ends |= self._ends_of_messages()
        self._form = self._form_of_calls()

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
        ends = [place for place, token in enumerate(written) if token in self.ends]
        if not ends:
            raise RecipeError("The chat template does not end a message with a special token of the tokenizer.")
        return Sample(self._encode(before), written[: ends[-1] + 1])

    def read(self, written: Sequence[int], prompt: Sequence[int] = (), tools: Tools = ()) -> dict[str, Any]:
        """The message that these tokens say after that prompt, in the OpenAI form: reasoning apart from the words, and
        what is no call with the text that it is."""
        assert self._form is not None, "it is known once the renderer is made"
        return self._read(self._form, written, prompt, tools)

    def _read(self, form: ReplyForm, written: Sequence[int], prompt: Sequence[int], tools: Tools) -> dict[str, Any]:
        padding = {self.pad} - self.ends
        kept = [token for token in written if token not in padding]
        text, end = kept, list[int]()
        if kept and kept[-1] in self.ends:
            text, end = kept[:-1], kept[-1:]
        thinking = form.is_thinking_after(self._decode(prompt[-_TAIL:]))
        return form.read(self._decode(text), tools, self._decode(end), thinking=thinking)

    def _decode(self, tokens: Sequence[int]) -> str:
        """As it was written: some tokenizers would take out spaces before punctuation, in arguments too."""
        given = {"skip_special_tokens": False, "clean_up_tokenization_spaces": False}
        return str(self._tokenizer.decode(list(tokens), **given))

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _text(self, messages: Sequence[Message], tools: Tools, *, before_answer: bool) -> str:
        try:
            rendered = self._tokenizer.apply_chat_template(
                [self._shown(message) for message in messages],
                tools=list(tools) or None,
                add_generation_prompt=before_answer,
                tokenize=False,
                enable_thinking=self._thinking,
            )
        except (TemplateError, TypeError, ValueError, KeyError) as error:
            raise RecipeError(f"The chat template does not render this conversation: {error}") from error
        assert isinstance(rendered, str)
        return rendered

    def _shown(self, message: Message) -> dict[str, Any]:
        shown = _with_objects(message)
        reasoning = shown.pop("reasoning_content", None)
        if reasoning is not None and self._thinking:  # else a template would show it behind a prompt that says none
            shown |= dict.fromkeys(REASONING if self._form is None else [self._form.reasoning], reasoning)
        return shown

    def _check_tools(self) -> None:
        if _NAME not in self._text([_ASKS], [_TOOL], before_answer=True):
            raise RecipeError(f"The tokenizer's chat template does not show tools. {_REMEDY}")

    def _ends_of_messages(self) -> frozenset[int]:
        """The last special token of a call, and of an answer after what a tool has said."""
        found, added = set[int](), self._tokenizer.added_tokens_decoder
        for messages in _TRIED:
            before = self._text(messages[:-1], [_TOOL], before_answer=True)
            whole = self._text(messages, [_TOOL], before_answer=False)
            written = self._encode(whole[len(before) :])
            found.update([token for token in written if token in added and added[token].special][-1:])
        return frozenset(found)

    def _form_of_calls(self) -> ReplyForm:
        """The first form in which messages read back as they were."""
        closest = "no form of calls that is known reads them"
        samples = [self.sample(messages, [_TOOL]) for messages in _TRIED]
        for form in forms_for(self._tokenizer):
            read = [self._read(form, one.written, one.prompt, [_TOOL]) for one in samples]
            wrong = [
                json.dumps(part, ensure_ascii=False)
                for messages, message in zip(_TRIED, read, strict=True)
                for part in _differs(messages[-1], message)
            ]
            if not wrong:
                self.shows_reasoning = all("reasoning_content" in message for message in read)
                return form
            if any("tool_calls" in message for message in read):
                closest = f"in the form of {form.name}, {wrong[0]} reads back otherwise"
        raise RecipeError(f"What the chat template renders does not read back as it was: {closest}. {_REMEDY}")


def chat_template(name: str) -> str:
    """A chat template by the name of one that is shipped here, or of a file."""
    shipped = _TEMPLATES / f"{name}.jinja"
    path = shipped if shipped.is_file() else Path(name)
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        names = ", ".join(sorted(one.stem for one in _TEMPLATES.glob("*.jinja")))
        raise RecipeError(
            f"`policy.chat_template` is {name}: no file that can be read, and none that is shipped ({names})."
        ) from error


def _differs(message: Message, read: Message) -> list[Any]:
    """What of a message does not read back: its words, or arguments of its calls."""
    said, found = (
        [(one["function"]["name"], _as_object(one["function"]["arguments"])) for one in each.get("tool_calls", ())]
        for each in (message, read)
    )
    if [name for name, _ in said] != [name for name, _ in found]:
        return [arguments for _, arguments in said] or [message["content"]]
    wrong: list[Any] = [] if message["content"] == read["content"] else [message["content"]]
    for (_, given), (_, arguments) in zip(said, found, strict=True):
        wrong += [{key: value} for key, value in given.items() if arguments.get(key, ...) != value]
    return wrong


def _with_objects(message: Message) -> dict[str, Any]:
    """Templates want the arguments of calls as objects; the OpenAI form has them as text."""
    shown = dict(message)
    if message.get("tool_calls"):
        shown["tool_calls"] = [
            {**call, "function": {**call["function"], "arguments": _as_object(call["function"]["arguments"])}}
            for call in message["tool_calls"]
        ]
    return shown


def _as_object(arguments: Any) -> dict[str, Any]:
    """What is no object becomes one: many templates render nothing else."""
    found = arguments
    if isinstance(arguments, str):
        try:
            found = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            found = None
    return found if isinstance(found, dict) else {"unreadable": arguments}
