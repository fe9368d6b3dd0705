"""What each form looks like: its files, from an environment and the templates.

Belongs here: one function a form, and the list of them. Does not: which tasks there are, and writing (`exporting`).
"""

import textwrap

from envfactory_dagster.exchange.exporting import Exportable, Files, Form, left_out_in_words, template


def verifiers(subject: Exportable) -> Files:
    """A package with a taskset for `verifiers` v1 (0.4.0)."""
    name = f"envfactory-{subject.bundle.key}"
    package = name.replace("-", "_")
    project = f"""\
        [project]
        name = "{name}"
        version = "0.1.0"
        description = {_quoted(subject.bundle.theme.name)}
        requires-python = ">=3.11"
        dependencies = ["verifiers>=0.4"]

        [build-system]
        requires = ["hatchling"]
        build-backend = "hatchling.build"

        [tool.hatch.build.targets.wheel]
        packages = ["{package}"]
        """
    use = f"""\
        ```bash
        pip install .
        vf-validate {name} --runtime.type subprocess
        vf-eval {name} -n 3
        ```

        Rewards come from `bundle/judge.py`. An agent that has a shell on the machine of the taskset can read there what is
        right: give it a harness without one, or a runtime of its own."""
    inside: Files = {
        "__init__.py": b'from .taskset import WorldTaskset\n\n__all__ = ["WorldTaskset"]\n',
        "taskset.py": template("verifiers/taskset.py"),
        "episode.py": template("episode.py"),
        "prompts.jsonl": subject.prompts(),
        **subject.bundle_files(),
        **subject.solutions(),
    }
    return {
        "pyproject.toml": _text(project),
        "README.md": _readme(subject, use),
        **{f"{package}/{path}": data for path, data in inside.items()},
    }


def openenv(subject: Exportable) -> Files:
    """An environment server for OpenEnv (0.10.0), ready for a Hugging Face Space."""
    name = f"envfactory_{subject.bundle.key.replace('-', '_')}"
    front_matter = f"""\
        ---
        title: {_quoted(subject.bundle.theme.name)}
        sdk: docker
        app_port: 8000
        tags:
          - openenv
          - rl-environment
        ---
        """
    description = f"""\
        spec_version: 1
        name: {name}
        version: 0.1.0
        type: space
        runtime: fastapi
        app: server.app:app
        port: 8000
        validation:
          reward:
            range: [0.0, 1.0]
            oracle_tolerance: 0.0
            floor_margin: 0.1
          resources:
            cpu: 1.0
            memory_mb: 1024
            disk_mb: 512
            episode_timeout_s: 300.0
          capabilities:
            verifier:
              kind: reward_channel
            declared_task_count: {len(subject.tasks)}
        types:
          tags: [tool-use, {subject.bundle.key}]
        """
    project = f"""\
        [build-system]
        requires = ["setuptools>=61"]
        build-backend = "setuptools.build_meta"

        [project]
        name = "openenv-{name}"
        version = "0.1.0"
        description = {_quoted(subject.bundle.theme.name)}
        requires-python = ">=3.11"
        dependencies = ["openenv>=0.10"]

        [project.scripts]
        server = "{name}.server.app:main"

        [tool.setuptools]
        include-package-data = true
        packages = ["{name}", "{name}.server"]
        package-dir = {{ "{name}" = ".", "{name}.server" = "server" }}
        """
    use = """\
        ```bash
        uvicorn server.app:app --port 8000
        ```

        `reset(task="ID")`, or `reset(split="all", index=N)`, begins a task: the observation's metadata hold what the agent is
        told and the tools it may call. Each step is a `CallToolAction`. The tool `finish` ends the episode, and its observation
        carries the reward; where no verdict can be given the reward is null and the metadata say why. `bundle/` says what is
        right: the agent must reach this server only over its port."""
    return {
        "openenv.yaml": _text(description),
        "pyproject.toml": _text(project),
        "README.md": _text(front_matter) + b"\n" + _readme(subject, use),
        "__init__.py": b"",
        "client.py": template("openenv/client.py"),
        "episode.py": template("episode.py"),
        "prompts.jsonl": subject.prompts(),
        "server/__init__.py": b"",
        "server/app.py": template("openenv/server/app.py"),
        "server/world.py": template("openenv/server/world.py"),
        "server/Dockerfile": template("openenv/server/Dockerfile"),
        **subject.bundle_files(),
    }


FORMS: dict[str, Form] = {"openenv": openenv, "verifiers": verifiers}


def _readme(subject: Exportable, use: str) -> bytes:
    theme = subject.bundle.theme
    rules = "\n".join(f"- `{rule.id}`: {rule.text}" for rule in theme.rules)
    parts = [
        f"# {theme.name}",
        theme.description,
        f"{len(subject.tasks)} tasks, {len(subject.bundle.tools_of('assistant'))} tools, "
        f"{len(subject.bundle.states)} initial states; version `{subject.bundle.version[:16]}`. The rules:",
        rules,
        textwrap.dedent(use),
        left_out_in_words(subject.left_out),
    ]
    return ("\n\n".join(parts) + "\n").encode()


def _text(indented: str) -> bytes:
    return textwrap.dedent(indented).encode()


def _quoted(text: str) -> str:
    """As a string of TOML and of YAML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
