"""Whether trainers can read our datasets: every row through the consumer's own parser, where it can be installed.

    python -m benchmarks.consumers HOME [--json]

`rows_parsed`: the share of rows that every consumer took, of the latest versions of both datasets. The `datasets`
library must hand out each row as it was written, with no null put into a schema; TRL must render it with its tools,
and find what is to be trained in it. LLaMA-Factory and verl are not installed beside us: their rules are checked as we
read them (`datasets.checking`), after the `datasets` library has loaded the files as both of them do.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envfactory_dagster.datasets.checking import sharegpt_problems, verl_problems
from envfactory_dagster.datasets.trainer_formats.trl import WHENCE
from envfactory_dagster.datasets.versions import LATEST

TEMPLATE = "qwen3_training.jinja"
"""Of TRL's own: it renders calls, results and reasoning, and marks what the assistant says."""

Row = Mapping[str, Any]


@dataclass
class Parsed:
    """How many rows were read by whom, and what went wrong."""

    rows: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    failed: int = 0

    def add(self, consumer: str, name: str, problems: Sequence[str]) -> None:
        self.rows[consumer] = self.rows.get(consumer, 0) + 1
        self.failed += bool(problems)
        self.problems += [f"{consumer}, {name}: {problem}" for problem in problems]

    @property
    def share(self) -> float:
        number = sum(self.rows.values())
        return 1.0 - self.failed / number if number else 0.0


def rows_parsed(home: Path) -> Parsed:
    """Of the latest datasets in a home."""
    parsed = Parsed()
    tokenizer = byte_tokenizer()
    for name in ("sft", "rl"):
        folder = home / "datasets" / name / (home / "datasets" / name / LATEST).read_text()
        _read_trl(parsed, folder / "trl", tokenizer)
        _read_llama_factory(parsed, folder / "llama_factory")
        _read_verl(parsed, folder / "verl", tokenizer)
    return parsed


def byte_tokenizer() -> Any:
    """A tokenizer that needs no download: a token for each byte, and TRL's template."""
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={sign: number for number, sign in enumerate(alphabet)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    inner.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / TEMPLATE).read_text()
    return made


def load(kind: str, files: Sequence[Path], json_columns: Sequence[str] = ()) -> list[dict[str, Any]]:
    """As a trainer does it, without leaving anything behind. Lines whose columns differ from row to row need to be told
    so: from the first of them alone `datasets` takes texts for moments, and fields for all there are."""
    from datasets import Features, Json, Value, load_dataset

    types = {name: Json() for name in json_columns} | {name: Value("string") for name in WHENCE}
    features = Features(types) if json_columns else None
    with tempfile.TemporaryDirectory() as cache:
        names = [str(file) for file in files]
        return list(load_dataset(kind, data_files=names, split="train", features=features, cache_dir=cache))


# -- TRL ---------------------------------------------------------------------------------------------------------------


def _read_trl(parsed: Parsed, folder: Path, tokenizer: Any) -> None:
    for part in sorted(folder.iterdir()):
        lines, columns = sorted(part.glob("*.jsonl")), sorted(part.glob("*.parquet"))
        written = [json.loads(line) for file in lines for line in file.read_text().splitlines()]
        from_lines = load("json", lines, [name for name in written[0] if name not in WHENCE])
        from_columns = load("parquet", columns)
        for row, one, other in zip(written, from_lines, from_columns, strict=True):
            problems = [] if one == row else ["the lines are loaded as something else"]
            problems += [] if other == row else ["the columns are loaded as something else"]
            parsed.add("trl", row["id"], [*problems, *trl_problems(other, tokenizer)])


def trl_problems(row: Row, tokenizer: Any) -> Iterator[str]:
    """What TRL's trainers would stumble over, or not train."""
    before, last = row.get("prompt", []), row.get("messages", row.get("completion", []))
    messages, tools = [*before, *last], row["tools"]
    shown = tokenizer.apply_chat_template(messages, tools=tools, tokenize=False)
    yield from _not_shown(shown, messages, tools)
    if before:
        alone = tokenizer.apply_chat_template(before, tools=tools, tokenize=False, add_generation_prompt=True)
        if last and not shown.startswith(alone):
            yield "the prompt is no beginning of the whole"
    if last:
        rendered = tokenizer.apply_chat_template(
            messages, tools=tools, tokenize=True, return_dict=True, return_assistant_tokens_mask=True
        )
        tokens = zip(rendered["input_ids"], rendered["assistant_masks"], strict=True)
        trained = tokenizer.decode([token for token, is_trained in tokens if is_trained])
        yield from (f"{text!r} is not trained" for text in _said(last) if text not in trained)


def _not_shown(shown: str, messages: Sequence[Row], tools: Sequence[Row]) -> Iterator[str]:
    wanted = [tool["function"]["name"] for tool in tools]
    wanted += [message["content"].strip() for message in messages]
    yield from (f"{text[:60]!r} is not shown" for text in wanted if text not in shown)


def _said(messages: Sequence[Row]) -> Iterator[str]:
    for message in messages:
        if message["role"] == "assistant":
            yield message["content"].strip()
            yield (message.get("reasoning_content") or "").strip()
            yield from (f'"name": "{call["function"]["name"]}"' for call in message.get("tool_calls") or [])


# -- LLaMA-Factory and verl --------------------------------------------------------------------------------------------


def _read_llama_factory(parsed: Parsed, folder: Path) -> None:
    if not folder.is_dir():
        return
    for entry in json.loads((folder / "dataset_info.json").read_text()).values():
        files = sorted((folder / entry["file_name"]).iterdir())
        written = [row for file in files for row in json.loads(file.read_text())]
        for row, loaded in zip(written, load("json", files), strict=True):
            problems = [] if loaded == row else ["loaded as something else"]
            parsed.add("llama_factory", row["id"], [*problems, *sharegpt_problems(loaded)])


def _read_verl(parsed: Parsed, folder: Path, tokenizer: Any) -> None:
    for part in sorted(folder.iterdir()) if folder.is_dir() else []:
        for row in load("parquet", sorted(part.iterdir())):
            tools = json.loads(row["extra_info"]["tools"])
            shown = tokenizer.apply_chat_template(row["prompt"], tools=tools, tokenize=False)
            problems = [*verl_problems(row), *_not_shown(shown, row["prompt"], tools)]
            parsed.add("verl", row["extra_info"]["id"], problems)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    parsed = rows_parsed(arguments.home)
    figures = {"rows_parsed": parsed.share, "rows": parsed.rows, "problems": parsed.problems[:20]}
    print(json.dumps(figures) if arguments.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
