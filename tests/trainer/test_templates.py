"""Whatever the chat template: calls read back as they were written, or the template is refused with a sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.small_model import save_small_model
from tests.trainer.qwen import TEMPLATES, tokenizer_of
from tests.trainer.shop import Shop
from tests.trainer.training import ROW, fails, recipe
from trainer.failures import RecipeError
from trainer.policies import load
from trainer.recipe import Policy, Recipe
from trainer.rendering import Renderer

REFUSED = {
    "does not show tools": {
        "cohere", "cohere_training", "cohere2", "cohere2_training", "deepseekv3", "deepseekv3_training",
        "deepseek_r1_distill", "deepseek_r1_distill_training", "gemma", "gemma_training", "gemma3", "gemma3_training",
        "idefics3", "idefics3_training", "llama3", "llama3_training", "llava_next", "llava_next_training", "phi3",
        "phi3_training", "phi3_5", "phi3_5_training", "qwen2_5_vl", "qwen2_5_vl_training", "smolvlm",
        "smolvlm_training",
    },
    r'"guest": "Zoë .* reads back otherwise': {
        "lfm2_v2", "lfm2_v2_training", "lfm2_2_5", "lfm2_2_5_v2", "lfm2_2_5_vl",
    },
    r'in the form of Gemma, .*"note": null.* reads back otherwise': {"gemma4", "gemma4_v2", "gemma4_v3", "gemma4_v4"},
    r'in the form of Gemma, "Done." reads back otherwise': {"diffusion_gemma", "diffusion_gemma_training"},
    "no form of calls that is known": {"lfm2", "lfm2_training", "muse_glimmer", "muse_glimmer_training"},
    "does not end a message": {"glm4moe"},
}  # fmt: skip
"""Gemma 4 writes null as None, LFM quotes as they are; both are fixed in later templates, or by another one."""
WORKING = sorted(TEMPLATES.keys() - set().union(*REFUSED.values()))
CALL = {"name": "get_item", "arguments": {"item_id": 3, "note": 'for "Zoë"\n東京', "more": {"tags": ["a", 1]}}}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_item",
        "description": "Shows an item.",
        "parameters": {
            "type": "object",
            "properties": {"item_id": {"type": "integer"}, "note": {"type": "string"}, "more": {"type": "object"}},
        },
    },
}
ASKS = {"role": "user", "content": "Look."}


def calling(**more: Any) -> dict[str, Any]:
    function = {"name": CALL["name"], "arguments": json.dumps(CALL["arguments"])}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": "c0", "function": function}], **more}


def test_most_templates_work() -> None:
    families = {
        "qwen2_5",
        "qwen3",
        "qwen3_5_think",
        "qwen3_6",
        "qwen3_8",
        "nemotron_3_nano",
        "llama3_1",
        "gptoss",
        "glm4moe_training",
    }
    assert families <= set(WORKING)


@pytest.mark.parametrize(
    ("said", "template"), [(said, one) for said, named in REFUSED.items() for one in sorted(named)]
)
def test_a_template_whose_calls_would_be_misread_is_refused(said: str, template: str) -> None:
    with pytest.raises(RecipeError, match=said) as refused:
        Renderer(tokenizer_of(template))
    assert said == "does not end a message" or "`policy.chat_template`" in str(refused.value)


@pytest.mark.parametrize("thinking", [True, False])
@pytest.mark.parametrize("template", WORKING)
def test_calls_are_read_as_they_were_written(template: str, thinking: bool) -> None:
    renderer = Renderer(tokenizer_of(template), thinking=thinking)
    sample = renderer.sample([ASKS, calling(reasoning_content="I wonder.")], [TOOL])
    read = renderer.read(sample.written, sample.prompt, [TOOL])
    [call] = read["tool_calls"]
    assert call["function"]["name"] == CALL["name"]
    assert json.loads(call["function"]["arguments"]) == CALL["arguments"]
    assert read["content"] == ""
    assert read.get("reasoning_content") == ("I wonder." if renderer.shows_reasoning else None)
    silent = ("llama", "qwen2", "qwen3_instruct", "qwen3_vl")
    assert renderer.shows_reasoning == (thinking and not template.startswith(silent))
    told = {"role": "tool", "tool_call_id": "c0", "name": "get_item", "content": '{"price": 7}'}
    says = {"role": "assistant", "content": "It is 7.", "reasoning_content": "I see."}
    answer = renderer.sample([ASKS, calling(), told, says], [TOOL])
    assert renderer.read(answer.written, answer.prompt, [TOOL])["content"] == "It is 7."
    assert answer.written[-1] in renderer.ends


@pytest.mark.parametrize("thinking", [True, False])
@pytest.mark.parametrize("template", WORKING)
def test_a_call_that_is_only_thought_of_is_none(template: str, thinking: bool) -> None:
    """Told to think or not: a policy may, and where it was told to, the prompt of some templates has begun it."""
    tokenizer = tokenizer_of(template)
    renderer = Renderer(tokenizer, thinking=thinking)
    sample = renderer.sample([ASKS, calling(reasoning_content="I wonder.")], [TOOL])
    call = tokenizer.decode([token for token in sample.written if token not in renderer.ends])
    opens, closes = "<think>", "</think>"
    if "gemma" in template:
        opens, closes = "<|channel>thought\n", "<channel|>"
    if "gptoss" in template:
        opens, closes = "<|channel|>analysis<|message|>", "<|end|>"
    call = call.rpartition(closes)[2].strip()
    begun = tokenizer.decode(sample.prompt).rstrip().endswith(opens.strip())
    for end, calls in ((closes + "\n" + call, 1), (closes, 0), ("", 0)):
        said = ("" if begun else opens) + f"Maybe {call}? No." + end
        written = tokenizer.encode(said, add_special_tokens=False)
        read = renderer.read([*written, sample.written[-1]], sample.prompt, [TOOL])
        assert len(read.get("tool_calls", [])) == calls
        assert "Maybe" not in read["content"] and "Maybe" in read["reasoning_content"]


def test_what_has_no_closing_tag_is_a_call_all_the_same() -> None:
    renderer = Renderer(tokenizer := tokenizer_of("qwen3"))
    written = tokenizer.encode(f"<tool_call>{json.dumps(CALL)}<|im_end|>", add_special_tokens=False)
    [call] = renderer.read(written, [], [TOOL])["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == CALL["arguments"]


def test_spaces_in_arguments_are_left_as_they_are() -> None:
    """Some tokenizers clean up what they decode."""
    tokenizer = tokenizer_of("llama3_1")
    tokenizer.clean_up_tokenization_spaces = True
    said = '{"name": "get_item", "parameters": {"note": "as is . Or , is n\'t it ?"}}<|eot_id|>'
    [call] = Renderer(tokenizer).read(tokenizer.encode(said, add_special_tokens=False))["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"note": "as is . Or , is n't it ?"}


def test_json_has_types_of_its_own() -> None:
    """A number that was written as text is wrong, and the environment says so."""
    renderer = Renderer(tokenizer := tokenizer_of("qwen3"))
    said = '<tool_call>{"name": "get_item", "arguments": {"item_id": "3"}}</tool_call><|im_end|>'
    [call] = renderer.read(tokenizer.encode(said, add_special_tokens=False), [], [TOOL])["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"item_id": "3"}


@pytest.mark.parametrize("template", WORKING)
def test_a_conversation_goes_on_after_a_call_that_could_not_be_read(template: str) -> None:
    renderer = Renderer(tokenizer_of(template))
    function = {"name": "", "arguments": "{torn"}
    torn = {"role": "assistant", "content": "", "tool_calls": [{"id": "c0", "type": "function", "function": function}]}
    told = {"role": "tool", "tool_call_id": "c0", "name": "", "content": '{"error": "no call"}'}
    assert renderer.prompt([ASKS, torn, told], [TOOL])


def blind(folder: Path) -> Path:
    """A policy whose own template shows no tools, and which knows all special tokens of the shipped one."""
    tokenizer = tokenizer_of("qwen3")
    tokenizer.chat_template = TEMPLATES["llama3"].read_text()
    return save_small_model(folder, tokenizer)


def test_a_base_model_is_given_a_template_by_the_recipe(tmp_path: Path) -> None:
    base = blind(tmp_path / "base")
    with pytest.raises(RecipeError, match=r"does not show tools\. Name another template in `policy.chat_template`"):
        load(Policy(base=str(base)))
    for template in ("hermes", str(TEMPLATES["qwen3"])):
        policy = load(Policy(base=str(base), chat_template=template, thinking=True))
        sample = policy.renderer.sample([ASKS, calling(content="One moment.", reasoning_content="I wonder.")], [TOOL])
        read = policy.renderer.read(sample.written, sample.prompt, [TOOL])
        assert (read["content"], read["reasoning_content"], len(read["tool_calls"])) == ("One moment.", "I wonder.", 1)
        policy.save(tmp_path / "saved")
        again = load(Policy(base=str(tmp_path / "saved"), thinking=True))
        assert again.renderer.sample([ASKS, calling()], [TOOL]) == policy.renderer.sample([ASKS, calling()], [TOOL])
        assert set(again.model.generation_config.eos_token_id) == again.renderer.ends, "for whoever serves it"


def test_a_template_that_is_not_there_is_named(shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how = recipe(tmp_path)
    how.write_text(how.read_text().replace("policy:\n", "policy:\n  chat_template: hermess\n"))
    assert Recipe.read(how).policy.chat_template == yaml.safe_load(how.read_text())["policy"]["chat_template"]
    status, said = fails(capsys, "sft", "--recipe", how, "--data", shop.sft, "--out", tmp_path / "out")
    assert (status, "hermess: no file that can be read, and none that is shipped (hermes)" in said) == (2, True), said


@pytest.mark.parametrize(("thinking", "status"), [(True, 2), (False, 0)])
def test_rows_without_reasoning_do_not_teach_a_policy_that_thinks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], thinking: bool, status: int
) -> None:
    tokenizer = tokenizer_of("qwen3")
    base = save_small_model(tmp_path / "base", tokenizer)
    data = tmp_path / "rows.jsonl"
    data.write_text("".join(json.dumps(ROW | {"trace": {"task": f"t{n}"}}) + "\n" for n in range(4)))
    how = recipe(tmp_path, policy={"base": str(base), "thinking": thinking}, sft={"most_steps": 1})
    ended, said = fails(capsys, "sft", "--recipe", how, "--data", data, "--out", tmp_path / "out")
    assert (ended, "4 of 4 rows have no reasoning" in said) == (status, thinking), said
