"""What a policy may write inside a tool call: names that are offered, and arguments that they take.

Belongs here: whether what is written so far can still become such a call. Does not: drawing tokens (`sampling`), or
reading calls that are finished (`rendering`).

Servers that know the schemas of tools hold models to them in the same way. What a call is about stays the policy's own:
which tool, and which values.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from trainer.failures import RecipeError
from trainer.tokenizers import BEFORE_WORDS, TIE

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

BEGIN, END = "<tool_call>", "</tool_call>"
_KINDS = {'"': "string", "[": "array", "{": "object", "t": "boolean", "f": "boolean", "n": "null"}
_HALF, _BYTES = "\N{REPLACEMENT CHARACTER}", 3
"""What bytes that are no character yet are shown as, and the most that there can be."""
_SPACE, _MOST_SPACE = " \t\n\r", 40
_IN_NUMBERS = "+-.0123456789Ee"
_INTEGER, _NUMBER = r"-?(0|[1-9]\d*)", r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?"
_BEGUN_INTEGER, _BEGUN_NUMBER = r"-?(0|[1-9]\d*)?", r"-?((0|[1-9]\d*)(\.\d*)?([eE][+-]?\d*)?)?"

Schema = Mapping[str, Any]


class _OverError(Exception):
    """The text ends before the call does: it may still become one."""


class _WrongError(Exception):
    """No call begins like this."""


class Guide:
    """For one message. It looks at calls only: what is written before, between and after them is free."""

    def __init__(self, tokenizer: "PreTrainedTokenizerBase", tools: Sequence[Mapping[str, Any]]) -> None:
        self._tokenizer = tokenizer
        self._schemas = {tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools}
        self._begin, self._end = (_token(tokenizer, mark) for mark in (BEGIN, END))
        self._tie: list[int] = tokenizer.encode(TIE, add_special_tokens=False)

    def may_follow(self, written: Sequence[int], token: int) -> bool:
        """Whether the token may come next."""
        call = _unfinished(written, self._begin, self._end)
        if call is None:
            return token != self._begin or bool(self._schemas)
        if token == self._end:
            return bool(is_call(self._tokenizer.decode(call, skip_special_tokens=False), self._schemas))
        text, is_tied = self._untied([*call, token])
        if not is_tied:
            return may_begin(text, self._schemas)
        may_be_tied = text.endswith(tuple(BEFORE_WORDS))
        return may_be_tied and any(may_begin(text + letter, self._schemas) for letter in ascii_letters)

    def _untied(self, tokens: Sequence[int]) -> tuple[str, bool]:
        """As text, without a tie at its end, or what there is of one: its word is to come, and takes it away."""
        begun = next((n for n in range(len(self._tie) - 1, 0, -1) if tokens[-n:] == self._tie[:n]), 0)
        text: str = self._tokenizer.decode(tokens[: len(tokens) - begun], skip_special_tokens=False)
        return (text, True) if begun else (text.removesuffix(TIE), text.endswith(TIE))


def _token(tokenizer: "PreTrainedTokenizerBase", mark: str) -> int:
    found: list[int] = tokenizer.encode(mark, add_special_tokens=False)
    if len(found) != 1:
        raise RecipeError(f"`guided` is for policies that have a token {mark}; the tokenizer of this one has none.")
    return found[0]


def _unfinished(written: Sequence[int], begin: int, end: int) -> Sequence[int] | None:
    """The tokens of the call that is being written."""
    for place in range(len(written) - 1, -1, -1):
        if written[place] == end:
            return None
        if written[place] == begin:
            return written[place + 1 :]
    return None


def may_begin(text: str, schemas: Mapping[str, Schema]) -> bool:
    """Whether the text, which stands behind `<tool_call>`, can become a call of one of these tools, or is one."""
    return is_call(text, schemas) is not False


def is_call(text: str, schemas: Mapping[str, Schema]) -> bool | None:
    """Whether the text is a call of one of these tools; None: it can become one."""
    reader = _Reader(text)
    try:
        reader.space()
        reader.literal("{")
        reader.key("name")
        tool = reader.word(schemas)
        reader.space()
        reader.literal(",")
        reader.key("arguments")
        reader.members(schemas[tool])
        reader.space()
        reader.literal("}")
    except _OverError:
        return None
    except _WrongError:
        return False
    return not reader.rest().strip(_SPACE)


def _begins(word: str, read: str) -> bool:
    """Whether the word may be meant. At the end of what is read there may be a few bytes of a character."""
    whole = read.rstrip(_HALF)
    more = word[len(whole) : len(whole) + 1]
    return word.startswith(whole) and (read == whole or (more > "\x7f" and len(read) - len(whole) <= _BYTES))


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._place = text, 0

    def rest(self) -> str:
        return self._text[self._place :]

    def _next(self) -> str:
        if self._place == len(self._text):
            raise _OverError
        return self._text[self._place]

    def space(self) -> None:
        begin = self._place
        while self._next() in _SPACE:
            self._place += 1
            if self._place - begin > _MOST_SPACE:
                raise _WrongError

    def literal(self, wanted: str) -> None:
        for character in wanted:
            if self._next() != character:
                raise _WrongError
            self._place += 1

    def key(self, name: str) -> None:
        self.space()
        self.literal(f'"{name}"')
        self.space()
        self.literal(":")
        self.space()

    def word(self, words: Collection[str]) -> str:
        """One of these, in quotation marks."""
        self.literal('"')
        read, mark, _ = self._text[self._place :].partition('"')
        if not mark:
            if any(_begins(word, read) for word in words):
                raise _OverError
            raise _WrongError
        if read not in words:
            raise _WrongError
        self._place += len(read) + 1
        return read

    def members(self, schema: Schema) -> None:
        """An object with the properties of the schema, each at most once, and those that are required."""
        left = dict(schema.get("properties", {}))
        required = set(schema.get("required", ()))
        self.space()
        self.literal("{")
        self.space()
        while self._next() != "}":
            if not left:
                raise _WrongError
            if len(left) < len(schema.get("properties", {})):
                self.literal(",")
                self.space()
            name = self.word(left)
            self.space()
            self.literal(":")
            self.space()
            self.value(left.pop(name))
            self.space()
        if required & left.keys():
            raise _WrongError
        self.literal("}")

    def value(self, schema: Schema) -> None:
        branches = schema.get("anyOf") or schema.get("oneOf")
        if branches:
            self._one_of(branches)
            return
        first = self._next()
        kind = _KINDS.get(first, "number")
        kinds = schema.get("type") or ()
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        if kinds and kind not in kinds and not (kind == "number" and "integer" in kinds):
            raise _WrongError
        if kind == "string":
            known = [one for one in schema.get("enum", ()) if isinstance(one, str)]
            self.word(known) if known else self._string()
        elif kind == "array":
            self._array(schema.get("items") or {})
        elif kind == "object" and "properties" in schema:
            self.members(schema)
        elif kind == "object":
            self._object()
        elif kind == "number":
            self._number(whole=bool(kinds) and "number" not in kinds)
        else:
            self.literal({"t": "true", "f": "false", "n": "null"}[first])

    def _one_of(self, branches: Sequence[Schema]) -> None:
        begun, place = False, self._place
        for branch in branches:
            self._place = place
            try:
                self.value(branch)
            except _OverError:
                begun = True
            except _WrongError:
                continue
            else:
                return
        raise _OverError if begun else _WrongError

    def _string(self) -> None:
        self.literal('"')
        while (character := self._next()) != '"':
            if character < " ":
                raise _WrongError
            self._place += 1
            if character == "\\":
                self._next()
                self._place += 1
        self._place += 1

    def _number(self, *, whole: bool) -> None:
        end = self._place
        while end < len(self._text) and self._text[end] in _IN_NUMBERS:
            end += 1
        read = self._text[self._place : end]
        if end == len(self._text):
            if re.fullmatch(_BEGUN_INTEGER if whole else _BEGUN_NUMBER, read):
                raise _OverError
            raise _WrongError
        if not re.fullmatch(_INTEGER if whole else _NUMBER, read):
            raise _WrongError
        self._place = end

    def _array(self, items: Schema) -> None:
        self.literal("[")
        self.space()
        first = True
        while self._next() != "]":
            if not first:
                self.literal(",")
                self.space()
            self.value(items)
            self.space()
            first = False
        self.literal("]")

    def _object(self) -> None:
        """Any."""
        self.literal("{")
        self.space()
        first = True
        while self._next() != "}":
            if not first:
                self.literal(",")
                self.space()
            self._string()
            self.space()
            self.literal(":")
            self.space()
            self.value({})
            self.space()
            first = False
        self.literal("}")
