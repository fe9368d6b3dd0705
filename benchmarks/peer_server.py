"""An environment the way our peers serve one: a process for each rollout, with its own web server, ORM and MCP layer.

    python -m benchmarks.peer_server BUNDLE_FOLDER PORT

The same schema, rows and tool list as the bundle; every table is mapped and served. The tools behind the MCP layer only
read a row: start-up and memory are what is compared, and they do not depend on what the tools do.
"""

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types
import uvicorn
from fastapi import FastAPI
from mcp.server.lowlevel import Server
from sqlalchemy import create_engine, inspect, select
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session


def create_app(folder: Path) -> FastAPI:
    database = Path(tempfile.mkdtemp()) / "environment.sqlite"
    shutil.copy(folder / "initial.sqlite", database)
    engine = create_engine(f"sqlite:///{database}")
    base = automap_base()
    base.prepare(autoload_with=engine)
    definitions = json.loads((folder / "tools.json").read_text())

    async def list_tools(context: Any, params: Any) -> mcp_types.ListToolsResult:
        tools = [mcp_types.Tool.model_validate({k: v for k, v in d.items() if k != "principal"}) for d in definitions]
        return mcp_types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: Any) -> mcp_types.CallToolResult:
        row = _first_row(engine, next(iter(base.classes)))
        return mcp_types.CallToolResult(content=[mcp_types.TextContent(type="text", text=json.dumps(row, default=str))])

    server: Server[Any] = Server("peer", on_list_tools=list_tools, on_call_tool=call_tool)
    mcp_app = server.streamable_http_app()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with mcp_app.router.lifespan_context(mcp_app):
            yield

    app = FastAPI(lifespan=lifespan)
    for model in base.classes:
        app.get(f"/{model.__table__.name}/first")(lambda model=model: _first_row(engine, model))
    app.mount("/", mcp_app)
    return app


def _first_row(engine: Any, model: Any) -> dict[str, Any]:
    with Session(engine) as session:
        row = session.scalars(select(model).limit(1)).first()
        return {column.key: getattr(row, column.key) for column in inspect(model).columns if hasattr(row, column.key)}


if __name__ == "__main__":
    uvicorn.run(create_app(Path(sys.argv[1])), host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
