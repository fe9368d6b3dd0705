"""A small language model of a stock architecture, with random weights and a tokenizer of its own, to test training.

Belongs here: making one, as a folder that transformers loads. Does not: teaching it, or what it is asked.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"

TEMPLATE = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n' }}{%- endif %}
    {{- '<tools>' }}
    {%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}
    {{- '\\n</tools><|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages if message.role != 'system' %}
    {%- if message.role == 'tool' %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + (message.content or '') }}
        {%- for call in message.tool_calls or [] %}
            {{- '\\n' if message.content or not loop.first }}
            {{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
            {{- (call.function.arguments if call.function.arguments is string else call.function.arguments | tojson) }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""
"""In the form of Hermes and Qwen. It only appends: a conversation is rendered as the continuation of its beginning."""

_PIECES = r"\n|\d|[^\n\d ]+ ?| +"


def small_tokenizer(texts: Sequence[str] = (), vocabulary: int = 1_024) -> PreTrainedTokenizerFast:
    """Byte pairs that are frequent in these texts; without any, single bytes."""
    tokens = Tokenizer(models.BPE())
    tokens.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokens.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokens.train_from_iterator(texts, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokens, eos_token=END, pad_token=PAD, clean_up_tokenization_spaces=False
    )
    made.chat_template = TEMPLATE
    return made


def save_small_model(
    folder: Path,
    tokenizer: PreTrainedTokenizerFast,
    *,
    layers: int = 2,
    hidden: int = 64,
    feedforward: int = 128,
    positions: int = 4_096,
    seed: int = 0,
    spread: float | None = None,
) -> Path:
    """`spread`: how far all weights are from nothing; as the architecture has it unless said."""
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=feedforward,
        num_hidden_layers=layers,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=hidden // 2,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = Qwen3ForCausalLM(config)
    if spread is not None:
        with torch.no_grad():
            for weights in model.parameters():
                weights.normal_(0.0, spread)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
