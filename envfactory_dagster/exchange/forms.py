"""The forms of export: a function per form, and `FORMS`, which `--to` reads.

Belongs here: the files of each form, made from an environment and from the templates (the folder of a form with `-` has
`_`). Does not: which tasks are exported, and writing the folder (`exporting`).
"""

import io
import json

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.finish_tool import finish_name
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import Strength
from envfactory_dagster.datasets.splits import HELD_OUT
from envfactory_dagster.exchange.exporting import Exportable, Files, Form, left_out_in_words, template

PYDANTIC = "pydantic>=2.7,<3"
NEMO_GYM_ROUTES = frozenset({"aggregate_metrics", "close_session", "mcp", "sandbox_access", "seed_session", "verify"})
METHODS_OF_TRL = frozenset({"reset", "get_reward"})


def verifiers(subject: Exportable) -> Files:
    """A package with a taskset for `verifiers` v1 (0.4.0)."""
    name = f"envfactory-{subject.bundle.key}"
    package = name.replace("-", "_")
    inside: Files = {
        "__init__.py": b'from .taskset import WorldTaskset\n\n__all__ = ["WorldTaskset"]\n',
        "taskset.py": template("verifiers/taskset.py"),
        "episode.py": template("episode.py"),
        "prompts.jsonl": _lines(subject.prompts()),
        **subject.bundle_files(),
        **subject.solutions(),
    }
    return {
        "pyproject.toml": template(
            "verifiers/project.toml", name=name, package=package, title=_quoted(subject.bundle.theme.name)
        ),
        "README.md": _readme(subject, template("verifiers/use.md", name=name)),
        **{f"{package}/{path}": data for path, data in inside.items()},
    }


def openenv(subject: Exportable) -> Files:
    """An environment server for OpenEnv (0.10.0), ready for a Hugging Face Space."""
    package = f"envfactory_{subject.bundle.key.replace('-', '_')}"
    title = _quoted(subject.bundle.theme.name)
    front_matter = template("openenv/front_matter.yaml", title=title)
    validation, finish = _openenv_validation(subject), subject.generic_finish()
    oracle = {"form": "script", "location": "validation/oracle.py"} if subject.solutions() else None
    manifest = template(
        "openenv/openenv.yaml",
        package=package,
        tasks=str(len(subject.tasks)),
        tools=json.dumps([*(tool.name for tool in subject.bundle.tools_of("assistant")), finish["name"]]),
        oracle=json.dumps(oracle),
        canaries=json.dumps(next((path for path in validation if path.endswith(".jsonl")), None)),
    )
    return {
        "openenv.yaml": manifest,
        "pyproject.toml": template("openenv/project.toml", package=package, title=title),
        "README.md": front_matter + _readme(subject, template("openenv/use.md")),
        "__init__.py": b"",
        "client.py": template("openenv/client.py"),
        "episode.py": template("episode.py"),
        "prompts.jsonl": _lines(subject.prompts()),
        "server/__init__.py": b"",
        "server/app.py": template("openenv/server/app.py"),
        "server/world.py": template("openenv/server/world.py"),
        "server/Dockerfile": template("openenv/server/Dockerfile"),
        **validation,
        **subject.solutions(),
        **subject.bundle_files(),
    }


def _openenv_validation(subject: Exportable) -> Files:
    """The oracle, and calls that must not earn everything: nothing is done, and it is reported as done. Nobody tried
    that on the tasks of an imported environment, so it has none."""
    files = {"validation/oracle.py": template("openenv/validation/oracle.py")} if subject.solutions() else {}
    if subject.is_imported:
        return files
    name = subject.generic_finish()["name"]
    rows: list[dict[str, Json]] = []
    for task in subject.tasks:
        answers: dict[str, Json] = {field.name: None for field in subject.bundle.answer_forms[task.id].fields}
        report: dict[str, Json] = {"outcome": "done", "answers": answers, "reason": None, "message": "It is done."}
        rows.append({"task": task.id, "calls": [{"name": name, "arguments": report}], "below": 1.0})
    return files | {"validation/canaries.jsonl": _lines(rows)}


def inspect(subject: Exportable) -> Files:
    """A folder with one task file for Inspect (inspect-ai 0.3.285)."""
    return {
        "README.md": _readme(subject, template("inspect/use.md")),
        "task.py": template("inspect/task.py"),
        "prompts.jsonl": _lines(subject.prompts()),
        **subject.bundle_files(),
    }


def trl(subject: Exportable) -> Files:
    """A module with classes for TRL's `environment_factory` (1.16)."""
    _refuse_tools(subject, METHODS_OF_TRL, "which TRL calls itself as a method of an environment")
    finish = finish_name({tool.name for tool in subject.bundle.tools})
    return {
        "README.md": _readme(subject, template("trl/use.md")),
        "environment.py": template("trl/environment.py"),
        "episode.py": template("episode.py"),
        "finish.json": orjson.dumps({"name": finish}),
        "prompts.jsonl": _lines(subject.prompts()),
        **subject.bundle_files(),
    }


def _refuse_tools(subject: Exportable, taken: frozenset[str], why: str) -> None:
    """Raise UsageError for a tool whose name means something else in a form."""
    if names := taken & {tool.name for tool in subject.bundle.tools_of("assistant")}:
        other = ", ".join(sorted(name for name in FORMS if name not in ("trl", "nemo-gym")))
        raise UsageError(f"{subject.bundle.key} has a tool called {min(names)}, {why}. Choose another form: {other}.")


def skyrl(subject: Exportable) -> Files:
    """A module with an environment of SkyRL (skyrl-gym 0.4.0), and rows for its datasets."""
    rows: list[dict[str, Json]] = [
        {
            "prompt": [{"role": "system", "content": row["system"]}, {"role": "user", "content": row["prompt"]}],
            "env_class": subject.bundle.key,
            "reward_spec": {"method": "rule", "ground_truth": None},
            "extra_info": {"task": row["task"], "kind": row["kind"]},
        }
        for row in subject.prompts()
    ]
    return {
        "README.md": _readme(subject, template("skyrl/use.md")),
        "environment.py": template("skyrl/environment.py"),
        "episode.py": template("episode.py"),
        "train.jsonl": _lines(rows),
        **subject.bundle_files(),
    }


def verl(subject: Exportable) -> Files:
    """Rows, a tool configuration and a reward function for verl (0.9.1), whose `tool_agent` plays them."""
    package = f"envfactory_{subject.bundle.key.replace('-', '_')}"
    finish = subject.generic_finish()
    functions = [*(_function(tool) for tool in subject.bundle.tools_of("assistant")), finish]
    rows: list[dict[str, Json]] = [
        {
            "data_source": package,
            "agent_name": "tool_agent",
            "prompt": [
                {"role": "system", "content": f"{told['system']}\n\n{_answers_due(subject, task)}"},
                {"role": "user", "content": told["prompt"]},
            ],
            "ability": task.kind,
            "reward_model": {"style": "rule", "ground_truth": ""},
            "extra_info": {
                "index": number,
                "need_tools_kwargs": True,
                "tools_kwargs": {"world": {"task": task.id}},
                "tool_selection": [*(tool.name for tool in subject.available_tools(task)), str(finish["name"])],
            },
        }
        for number, (task, told) in enumerate(zip(subject.tasks, subject.prompts(), strict=True))
    ]
    of_class = f"  - class_name: {package}.world.Tool\n    config: {{type: native, tool: %s}}\n"
    tools = "tools:\n" + "".join(of_class % json.dumps(one["name"]) for one in functions)
    inside: Files = {
        "__init__.py": b"",
        "world.py": template("verl/world.py"),
        "episode.py": template("episode.py"),
        "tools.json": orjson.dumps(functions),
        **subject.bundle_files(),
    }
    return {
        "README.md": _readme(subject, template("verl/use.md")),
        "reward.py": template("verl/reward.py"),
        "tools.yaml": tools.encode(),
        "train.parquet": _parquet(rows),
        **{f"{package}/{path}": data for path, data in inside.items()},
    }


def _answers_due(subject: Exportable, task: Task) -> str:
    """What the prompt of a task says about its answers, where the definition of `finish` is the same for all tasks."""
    schema: dict[str, dict[str, dict[str, dict[str, Json]]]] = subject.finish_of(task)["parameters"]  # type: ignore
    fields = schema["properties"]["answers"]["properties"]
    name = subject.generic_finish()["name"]
    if not fields:
        return f"End with `{name}`. Nothing is to be answered: `answers` is {{}}."
    return f"End with `{name}`. Its `answers` have these fields, by their JSON schemas:\n{json.dumps(fields)}"


def nemo_gym(subject: Exportable) -> Files:
    """A resources server of NeMo Gym (0.4.0) with its rows."""
    name = f"envfactory_{subject.bundle.key.replace('-', '_')}"
    _refuse_tools(subject, NEMO_GYM_ROUTES, "which is a route of NeMo Gym itself")
    rows: list[dict[str, Json]] = [
        {
            "responses_create_params": {
                "input": [
                    {"role": "system", "content": told["system"]},
                    {"role": "user", "content": told["prompt"]},
                ],
                "tools": [
                    {"type": "function", **function, "strict": False}
                    for function in [*map(_function, subject.available_tools(task)), subject.finish_of(task)]
                ],
            },
            "verifier_metadata": {"task": task.id},
        }
        for task, told in zip(subject.tasks, subject.prompts(), strict=True)
    ]
    title = _quoted(subject.bundle.theme.name)
    return {
        "README.md": _readme(subject, template("nemo_gym/use.md", name=name)),
        "__init__.py": b"",
        "app.py": template("nemo_gym/app.py"),
        "episode.py": template("episode.py"),
        "requirements.txt": b"-e nemo-gym[dev] @ ../../\n",
        f"configs/{name}.yaml": template("nemo_gym/config.yaml", name=name, title=title),
        "data/train.jsonl": _lines(rows),
        "data/example.jsonl": _lines(rows[:5]),
        **subject.bundle_files(),
    }


def _function(tool: ToolDefinition) -> dict[str, Json]:
    return {"name": tool.name, "description": tool.description, "parameters": tool.inputSchema}


def harbor(subject: Exportable) -> Files:
    """A folder with one Harbor task (schema 1.4) for each task."""
    files: Files = {"README.md": _readme(subject, template("harbor/use.md", first=subject.tasks[0].id))}
    world = subject.bundle_files(with_verifiers=False)
    judge = subject.bundle_files()
    install = f"RUN pip install --no-cache-dir '{PYDANTIC}'\n" if subject.needs_pydantic else ""
    for task, told in zip(subject.tasks, subject.prompts(), strict=True):
        inside = {
            "task.toml": _harbor_task(subject, task),
            "instruction.md": f"{told['system']}\n\n{told['prompt']}\n".encode(),
            "environment/Dockerfile": template("harbor/environment/Dockerfile"),
            "environment/docker-compose.yaml": template("harbor/environment/docker-compose.yaml"),
            "environment/world/Dockerfile": template(
                "harbor/environment/world/Dockerfile", task=task.id, install=install
            ),
            "environment/world/world.py": template("harbor/environment/world/world.py"),
            "environment/world/end.sh": template("harbor/environment/world/end.sh"),
            **{f"environment/world/{path}": data for path, data in world.items()},
            **_harbor_solution(subject.bundle.solutions.get(task.id)),
            "tests/test.sh": template("harbor/tests/test.sh"),
            **{f"tests/{path}": data for path, data in judge.items()},
        }
        files |= {f"{task.id}/{path}": data for path, data in inside.items()}
    return files


def _harbor_solution(source: str | None) -> Files:
    if source is None:
        return {}
    return {
        "solution/solve.sh": template("harbor/solution/solve.sh"),
        "solution/play.py": template("harbor/solution/play.py"),
        "solution/solution.py": source.encode(),
    }


def _harbor_task(subject: Exportable, task: Task) -> bytes:
    return template(
        "harbor/task.toml",
        key=subject.bundle.key,
        slug=task.id.replace("_", "-"),
        title=_quoted(subject.bundle.theme.name),
        version=subject.bundle.version,
        kind=task.kind,
    )


def hub(subject: Exportable) -> Files:
    """A dataset repository of the Hugging Face Hub: a card, a row for each task, and the tasks as Harbor folders."""
    key = subject.bundle.key
    rows: list[dict[str, Json]] = [
        told | {"environment": key, "tools": subject.tools_of(task)}
        for task, told in zip(subject.tasks, subject.prompts(), strict=True)
    ]
    held_out = subject.known.split in HELD_OUT
    split = "test" if held_out else "train"
    front_matter = template("hub/front_matter.yaml", title=_quoted(subject.bundle.theme.name), split=split)
    use = template(
        "hub/use.md",
        key=key,
        split=split,
        splits=_OF_SPLIT[held_out],
        strength=_strength(subject),
        licence=_LICENCE + (_OF_PUBLISHED if subject.is_imported else ""),
    )
    return {
        "README.md": front_matter + _readme(subject, use),
        f"data/{split}.jsonl": _lines(rows),
        **{f"harbor/{path}": data for path, data in harbor(subject).items() if path != "README.md"},
    }


_OF_SPLIT = {
    False: "There is one split, `train`: environments are held out whole, and this one is not.",
    True: "There is one split, `test`: this environment is held out for evaluation. Train nothing on it.",
}
_LICENCE = "No licence is set yet: write one into the front matter of this card before you publish it."
_OF_PUBLISHED = " Code, data and tasks were published by others, whose licence holds."


def _strength(subject: Exportable) -> str:
    """How the verifiers were tried, as far as it is known."""
    tried = [subject.known.gates[task.id] for task in subject.tasks if task.id in subject.known.gates]
    if subject.is_imported:
        return (
            "The verifiers say what those who published the tasks check. They were not tried before this export; "
            f"`envfactory audit {subject.bundle.key}` does that."
        )
    if not tried:
        return "How the verifiers were tried is not recorded here."
    found = Strength.of(tried)
    whose = "Every verifier was" if len(tried) == len(subject.tasks) else f"{len(tried)} of the verifiers were"
    return (
        f"{whose} tried before the release, on {found.trials} ends in all.\n\n"
        "| ends | tried | judged rightly |\n|---|---|---|\n"
        f"| wrong: an untouched world, each write left out, ends and reports that were changed | {found.wrong} "
        f"| {found.wrong_refused} refused |\n"
        f"| right: the reference solution, played twice, and other right ends | {found.right} "
        f"| {found.right_accepted} accepted |"
    )


FORMS: dict[str, Form] = {
    "harbor": harbor,
    "hub": hub,
    "inspect": inspect,
    "nemo-gym": nemo_gym,
    "openenv": openenv,
    "skyrl": skyrl,
    "trl": trl,
    "verifiers": verifiers,
    "verl": verl,
}


def _readme(subject: Exportable, use: bytes) -> bytes:
    theme = subject.bundle.theme
    rules = "\n".join(f"- `{rule.id}`: {rule.text}" for rule in theme.rules)
    parts = [
        f"# {theme.name}",
        theme.description,
        f"{len(subject.tasks)} tasks, {len(subject.bundle.tools_of('assistant'))} tools, "
        f"{len(subject.bundle.shared_states)} initial states; version `{subject.bundle.version[:16]}`. The rules:",
        rules,
        use.decode().strip(),
        *([f"The Python that runs `server.py` needs `{PYDANTIC}`."] if subject.needs_pydantic else []),
        left_out_in_words(subject.left_out),
    ]
    return ("\n\n".join(parts) + "\n").encode()


def _lines(rows: list[dict[str, Json]]) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def _parquet(rows: list[dict[str, Json]]) -> bytes:
    import polars

    written = io.BytesIO()
    polars.DataFrame(rows).write_parquet(written)
    return written.getvalue()


def _quoted(text: str) -> str:
    """As a string of TOML and of YAML, which both read JSON's but for its pairs of surrogates."""
    return json.dumps(text, ensure_ascii=False)
