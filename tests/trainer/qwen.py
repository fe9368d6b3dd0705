"""Tokenizers over single bytes that render with the templates TRL ships."""

import re
from pathlib import Path

import trl
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

TEMPLATES = {path.stem: path for path in sorted((Path(trl.__file__).parent / "chat_templates").glob("*.jinja"))}
_SPECIAL = re.compile(r"<[|｜][^<>{}'\"\s]*?[|｜]?>|<[a-z_]+\|>|<(?:start|end)_of_turn>|</?s>")


def qwen_tokenizer() -> PreTrainedTokenizerFast:
    return tokenizer_of("qwen3")


def tokenizer_of(template: str) -> PreTrainedTokenizerFast:
    """One with the special tokens that stand in this template of TRL."""
    alphabet, text = sorted(pre_tokenizers.ByteLevel.alphabet()), TEMPLATES[template].read_text()
    tokens = Tokenizer(models.BPE({token: number for number, token in enumerate(alphabet)}, []))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokens.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=tokens,
        bos_token="<s>",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        clean_up_tokenization_spaces=False,
    )
    special = sorted({*_SPECIAL.findall(text)} - {"<|im_end|>", "<|endoftext|>"})
    tokenizer.add_tokens([AddedToken(one, special=True, normalized=False) for one in special], special_tokens=True)
    tokenizer.chat_template = text
    return tokenizer
