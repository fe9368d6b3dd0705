"""A tokenizer for policies from scratch, trained on the texts that they will see.

Belongs here: how text is cut, its vocabulary and its chat template. Does not: rendering conversations (`rendering`).

What a small model has to copy should be few tokens, the same everywhere. A word of a name (`own_share_cents`) carries
the underscore before it; every other word carries one too, and the token before it ends with a tie that takes it away
again, so that “share” is the same token in a name, after a space and after a quotation mark. What tells one thing from
many is cut off: `policy` is asked about where `list_policies` finds it. Numbers are cut into pairs
of digits from the right, so that 125.00 and 12500 have the same ones, with the dash or colon of a date or a time.

Only what is read often is a token. Merging pairs (BPE) leaves steps on the way to a word, such as `ssage`, that are met
only in a word nobody has seen, and that no policy has learned to copy. They are left out, and a word is cut into the
longest tokens that there are, from its beginning.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerBase

PAD, END = "<|endoftext|>", "<|im_end|>"
ROLES = ("<|system|>", "<|user|>", "<|assistant|>", "<|tool|>")
_MARKS = ("<tools>", "</tools>", "<tool_call>", "</tool_call>", "<think>", "</think>")
_FRAMES = ('{"name": ', '", "arguments": ')
"""What is the same in every call."""
_TEMPLATE = Path(__file__).with_name("template.jinja")

_TIE = "\u2040"
_BEFORE_WORDS = "\n \"'“‘([{|/.,:;@+-"
"""After these a word carries an underscore and a tie; after anything else it stays as it is, a token of its own."""
_PIECES = "|".join(
    [
        r"ies(?!\p{L})",
        r"_?\p{L}{2,40}?(?=(?:ies|(?<![aeiou])y)(?!\p{L}))",
        r"_?\p{L}{2,40}?(?=(?<=sh|ch|ss|x)es(?!\p{L}))",
        r"_?\p{L}{2,40}?(?=(?<![su])s(?!\p{L}))",
        r"_?\p{L}{1,40}",
        r"(?<!\p{N})20\p{N}{2}(?=-\p{N}{2})",  # the year of a date
        r"[-:#]?\p{N}{1,2}(?=(?:\p{N}{2})*(?!\p{N}))",
        r"_",
        r"[^\p{L}\p{N}_#]{1,40}|#",
    ]
)
_PAIRS = " ".join(f"{number:02} 1-{number:02} #{number}" for number in range(100))
"""Every pair of digits is a token, whether the texts have many of it or not."""
_TEXTS_READ = 600
_OFTEN = 1 / 50_000
"""Of all tokens that are read, a token is so many at least."""
_LONGEST = 200
"""Bytes of a piece: 41 characters have no more."""


def train_tokenizer(corpus: Iterable[str], vocabulary: int) -> "PreTrainedTokenizerBase":
    """`corpus`: whole conversations as they are rendered, marks included. `vocabulary`: so many tokens at most."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(re.escape(sign) + r"(?=\p{L})"), sign + _TIE + "_") for sign in _BEFORE_WORDS]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Replace(_TIE + "_", "")])
    marks = [PAD, END, *ROLES, *_MARKS]
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(_FRAMES),
        special_tokens=marks,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = _spread(list(corpus), _TEXTS_READ)
    texts += [_PAIRS] * len(texts)
    tokenizer.train_from_iterator(texts, trainer)
    kept = [*marks, *sorted(pre_tokenizers.ByteLevel.alphabet()), *_often(tokenizer, texts)]
    known = {token: number for number, token in enumerate(dict.fromkeys(kept))}
    tokenizer.model = models.WordPiece(
        known, unk_token=PAD, max_input_chars_per_word=_LONGEST, continuing_subword_prefix=""
    )
    tokenizer.add_special_tokens(marks)
    tokenizer.add_tokens([AddedToken(frame, normalized=False, special=False) for frame in _FRAMES])
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token=PAD, eos_token=END, clean_up_tokenization_spaces=False
    )
    made.chat_template = template()
    return made


def template() -> str:
    """The chat template: a conversation is rendered as the continuation of its beginning.

    Tools are shown by their names, parameters and the values these may have, and of the system message only the last
    line, which says what time it is: a model that small reads no prose.
    """
    return _TEMPLATE.read_text()


def _often(tokenizer: "Tokenizer", texts: Sequence[str]) -> list[str]:
    """The tokens that the texts are cut into, but for the rare ones; in the order in which they were learned."""
    read = Counter(number for one in tokenizer.encode_batch(texts) for number in one.ids)
    least = read.total() * _OFTEN
    return [token for number in sorted(read) if read[number] >= least and (token := tokenizer.id_to_token(number))]


def _spread(texts: Sequence[str], most: int) -> list[str]:
    """So many of them, from the first to the last: texts of one environment stand together."""
    return [texts[place * len(texts) // most] for place in range(most)] if len(texts) > most else list(texts)
