"""The server of this environment: HTTP and WebSocket, as OpenEnv's clients expect them."""

import os
from pathlib import Path

from openenv.core.env_server.http_server import create_app

try:
    from .world import CallToolAction, CallToolObservation, World
except ImportError:
    from server.world import CallToolAction, CallToolObservation, World

NAME = Path(__file__).resolve().parents[1].name
app = create_app(
    World,
    CallToolAction,
    CallToolObservation,
    env_name=NAME,
    max_concurrent_envs=int(os.environ.get("MAX_CONCURRENT_ENVS", "16")),
)


def main() -> None:
    import uvicorn

    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()
