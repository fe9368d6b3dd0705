"""A tokenizer for policies from scratch, trained on the texts that they will see.

Belongs here: its vocabulary and its chat template. Does not: rendering conversations (`rendering`).

What a small model has to copy should be few tokens, the same everywhere: a word is the same after a space as after a
quotation mark or an underscore, and numbers are cut into pairs of digits from the right, so that 125.00 and 12500 have
the same ones. What it only has to recognize should be one token: phrases that many of the texts contain (the frame of a
tool's schema, the fixed words of the system message) are found by joining frequent neighbours. Names that are written
in calls are never hidden in a phrase: they have to be found again, letter by letter the same, in the list of tools.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
_MARKS = ("<tools>", "</tools>", "<tool_call>", "</tool_call>")
_TEMPLATE = Path(__file__).with_name("template.jinja")

_PIECE = regex.compile(r"\p{L}+|\p{N}{1,2}(?=(?:\p{N}{2})*(?!\p{N}))|_|[^\s\p{L}\p{N}_]+|\s+")
_CALL = regex.compile(regex.escape(_MARKS[2]) + "(.*?)" + regex.escape(_MARKS[3]), regex.DOTALL)
_NAME = regex.compile(r'"(\w+)":|"name": "(\w+)"')
_TEXTS_READ = 300
_PHRASES = 400
_SHARE = 0.25
"""A phrase is in so many of the texts, or it is no boilerplate."""


def train_tokenizer(corpus: Iterable[str], vocabulary: int) -> "PreTrainedTokenizerBase":
    """`corpus`: whole conversations as they are rendered, marks included."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    texts = _spread(list(corpus), _TEXTS_READ)
    phrases = frequent_phrases(texts)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECE.pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    marks = [PAD, START, END, *_MARKS]
    trainer = trainers.BpeTrainer(
        vocab_size=max(vocabulary - len(phrases), 300 + len(marks)),
        special_tokens=marks,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_tokens([AddedToken(phrase, normalized=False, special=False) for phrase in phrases])
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, clean_up_tokenization_spaces=False
    )
    made.chat_template = template()
    return made


def template() -> str:
    """The chat template: a conversation is rendered as the continuation of its beginning."""
    return _TEMPLATE.read_text()


def frequent_phrases(texts: Sequence[str], most: int = _PHRASES) -> list[str]:
    """Sequences of words that stand in many of the texts, longest first, none of them with a digit, across a mark, or
    with the name of a tool or a parameter in it.

    Neighbours are joined, the most frequent pair first, as long as the pair is in enough of the texts: a phrase that
    grows leaves its beginnings behind, and only those that still stand somewhere by themselves are kept.
    """
    names = _called(texts)
    pieces = [[piece for part in _parts(text) for piece in (*_PIECE.findall(part), "")] for text in texts]
    least = max(2, int(_SHARE * len(texts)))
    for _ in range(40):
        standing = Counter(pair for text in pieces for pair in set(pairwise(text)) if _joins(*pair, names))
        joined = {pair for pair, number in standing.items() if number >= least}
        if not joined:
            break
        pieces = [_join(text, joined, standing) for text in pieces]
    whole = ([_without_cut_words(piece) for piece in set(text)] for text in pieces)
    found = Counter(phrase for text in whole for phrase in set(text) if len(_PIECE.findall(phrase)) > 1)
    kept = [phrase for phrase, number in found.items() if number >= least]
    kept.sort(key=lambda phrase: (-found[phrase] * len(phrase), phrase))
    return sorted(kept[:most], key=lambda phrase: (-len(phrase), phrase))


def _spread(texts: Sequence[str], most: int) -> list[str]:
    """So many of them, from the first to the last: texts of one environment stand together."""
    return [texts[place * len(texts) // most] for place in range(most)] if len(texts) > most else list(texts)


def _called(texts: Iterable[str]) -> set[str]:
    """The words of the names in calls: tools and parameters."""
    calls = (call for text in texts for call in _CALL.findall(text))
    names = {name for call in calls for pair in _NAME.findall(call) for name in pair if name}
    return {word for name in names for word in name.split("_")} - {"name", "arguments"}


def _parts(text: str) -> list[str]:
    """The text between the marks, which are tokens of their own."""
    parts: list[str] = regex.split("|".join(map(regex.escape, (PAD, START, END, *_MARKS))), text)
    return parts


def _joins(left: str, right: str, names: set[str]) -> bool:
    both = left + right
    return bool(left) and bool(right) and not ({left, right} & names or "_" in both or any(map(str.isdigit, both)))


def _without_cut_words(phrase: str) -> str:
    """A phrase is found wherever it stands, so at its ends there is no word, which could be a part of another one."""
    return str(regex.sub(r"^\p{L}+|\p{L}+$", "", phrase))


def _join(pieces: Sequence[str], joined: set[tuple[str, str]], standing: Counter[tuple[str, str]]) -> list[str]:
    """Join pairs that do not overlap; of two that do, the more frequent."""
    out: list[str] = []
    place = 0
    while place < len(pieces):
        pair = tuple(pieces[place : place + 2])
        following = tuple(pieces[place + 1 : place + 3])
        if pair in joined and not (following in joined and standing[following] > standing[pair]):
            out.append("".join(pair))
            place += 2
        else:
            out.append(pieces[place])
            place += 1
    return out
