"""Serve this environment, whose code others published, with Python alone: an MCP server.

    python server.py                         MCP over stdin and stdout, for any MCP client
    python server.py call TOOL '{"x": 1}'    one call, its result as JSON
    python server.py --state NAME …          start from another initial state
    python server.py --database FILE …       keep the database in a file, made from the initial state when missing
    python server.py --principal user …      the user's tools instead of the assistant's
    python server.py --task ID …             as one task begins: its state, less what it withholds, with `finish`
    python server.py --task ID --episode DIR …    leave the calls, the report and the database there, for judge.py

The published code is in `published/`; `tools.py` calls it. It may import parts of the standard library, and Pydantic
where it is installed. That is no sandbox: run this server where you would run a script you downloaded. An agent that
can read DIR, `verifiers/` or `solutions/` can read what its reward depends on: keep them where it has no shell.
Belongs here: loading the published modules, and a process that is set up like the runtime's. Does not: the protocol
(`standalone`), and what a call does (`object_tools`).
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from envfactory_dagster.runtime.object_tools import BRIDGE, ObjectTools
from envfactory_dagster.runtime.standalone import OneWorld, code_of, main


class ObjectWorld(OneWorld):
    """One world whose tools are published code."""

    def _loaded(self, folder: Path, has_files: bool) -> dict[str, Callable[..., Any]]:
        modules = [path.stem for path in (folder / "published").glob("*.py")]
        codes = {name: code_of(folder, f"published/{name}.py") for name in modules}
        return ObjectTools(codes | {BRIDGE: code_of(folder, "tools.py")}).functions(self._tools)


def start_as_the_runtime_does() -> None:
    """Start Python again with a fixed hash seed and UTC as local time, unless it has them already. Both are set by
    environment variables, which Python reads only when it starts; without them, sets of text have another order in
    every process. The options of this process are dropped: with `-I` Python would not read the variables, with `-S` not
    find an installed Pydantic. As with `-I`, other variables of Python and the folder of this file have no say."""
    if sys.flags.hash_randomization or os.environ.get("TZ") != "UTC0":
        others = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        os.execve(sys.executable, [sys.executable, "-P", *sys.argv], others | {"PYTHONHASHSEED": "0", "TZ": "UTC0"})


if __name__ == "__main__":
    start_as_the_runtime_does()
    main(ObjectWorld)
