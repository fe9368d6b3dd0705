"""A mirror of the alpine huts: the service as it lists its tools, and the author of what it does not say."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from tests.support.alpine_author import Answer, Asked, functions, huts

RENAMED = {"get_hut": "getHut"}
OF_PYTHON = {"buy_membership": ("starts_on", "from")}
"""A tool with a parameter that the service calls by a word of Python."""
WEB_SEARCH = {"name": "searchTheWeb", "description": "Searches.", "inputSchema": {"type": "object", "properties": {}}}


def spec() -> dict[str, Any]:
    """The huts as a server that spells two names its own way and does not say what one of its tools answers."""
    tools = [tool.mcp() | {"name": RENAMED.get(tool.name, tool.name)} for tool in huts().tools]
    for tool in (one for one in tools if one["name"] in OF_PYTHON):
        ours, theirs = OF_PYTHON[tool["name"]]
        schema = tool["inputSchema"]
        tool["inputSchema"] = schema | {
            "properties": {theirs if name == ours else name: part for name, part in schema["properties"].items()},
            "required": [theirs if name == ours else name for name in schema["required"]],
        }
    del tools[0]["outputSchema"]
    return {"name": "huts", "tools": [*tools, WEB_SEARCH]}


def told_of(asked: Asked) -> Answer:
    by_name = {RENAMED.get(tool.name, tool.name): tool for tool in huts().tools}
    tools = [
        {
            "name": name,
            "description": "",
            "read_only": by_name[name].annotations.readOnlyHint,
            "destructive": by_name[name].annotations.destructiveHint,
            "outputSchema": by_name[name].outputSchema if name == huts().tools[0].name else None,
        }
        for name in asked.context["wanted"]
        if name in by_name
    ]
    left_out = [{"name": WEB_SEARCH["name"], "reason": "live_data", "detail": "It searches the web."}]
    return {"tools": tools, "left_out": left_out if WEB_SEARCH["name"] in asked.context["wanted"] else []}


def code_of(name: str) -> Answer:
    """A function under the names that the service gives it and its parameters."""
    ours = next((one for one, theirs in RENAMED.items() if theirs == name), name)
    written = functions()[ours].model_dump(mode="json")
    written |= {"name": name, "source": re.sub(rf"\bdef {ours}\(", f"def {name}(", written["source"])}
    if name not in OF_PYTHON:
        return written
    before, after = OF_PYTHON[name]
    parts = written["source"].split("\n\n\n")
    source = [re.sub(rf"\b{before}\b", f"{after}_", p) if p.startswith(f"def {name}(") else p for p in parts]
    calls = {
        which: {after if one == before else one: value for one, value in written[which].items()}
        for which in ("good_call", "bad_call")
    }
    return written | {"source": "\n\n\n".join(source)} | calls


def author(asked: Asked) -> Answer | None:
    if asked.schema == "mirrored_tools":
        return told_of(asked)
    if asked.schema == "server_code":
        return {"functions": [code_of(name) for name in asked.context["wanted"]]}
    return None


def author_of_versions(asked: Asked) -> Answer | None:
    """As `author`, for a service that offers `getHut` as `getHutV2` too."""
    if asked.schema not in ("mirrored_tools", "server_code"):
        return None
    versions = {name: re.sub(r"V\d+$", "", name) for name in asked.context["wanted"]}
    if asked.schema == "mirrored_tools":
        told = {one["name"]: one for one in told_of(_asking(asked, list(versions.values())))["tools"]}
        return {"tools": [told[first] | {"name": name} for name, first in versions.items()], "left_out": []}
    functions = []
    for name, first in versions.items():
        written = code_of(first)
        source = re.sub(rf"\bdef {first}\(", f"def {name}(", written["source"])
        functions.append(written | {"name": name, "source": source})
    return {"functions": functions}


def _asking(asked: Asked, wanted: list[str]) -> Asked:
    return replace(asked, context=asked.context | {"wanted": wanted})


def service(tmp_path: Path, document: object) -> str:
    path = tmp_path / "service.json"
    path.write_bytes(orjson.dumps(document))
    return str(path)
