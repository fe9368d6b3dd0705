"""Play a resources server of NeMo Gym through recorded calls, and through no call at all: `… folder CALLS`."""

import json
import sys
from pathlib import Path
from unittest.mock import MagicMock

sys.path.insert(0, sys.argv[1])

import app
from fastapi.testclient import TestClient
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.server_utils import ServerClient

RESPONSE = {
    "id": "r",
    "created_at": 0,
    "model": "m",
    "object": "response",
    "output": [],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}


def play(server, row, calls):
    client = TestClient(server.setup_webserver())
    assert client.post("/seed_session", json=row).status_code == 200
    for call in calls:
        assert call["name"] in [tool["name"] for tool in row["responses_create_params"]["tools"]]
        assert client.post(f"/{call['name']}", json=call["arguments"]).status_code == 200
    judged = client.post("/verify", json=row | {"response": RESPONSE})
    assert judged.status_code == 200, judged.text
    assert client.post("/verify", json=row | {"response": RESPONSE}).status_code == 409
    return judged.json()["reward"]


def main():
    folder = Path(sys.argv[1])
    calls = json.loads(Path(sys.argv[2]).read_text())
    config = BaseResourcesServerConfig(host="127.0.0.1", port=12345, entrypoint="app.py", name="world")
    server = app.WorldServer(config=config, server_client=MagicMock(spec=ServerClient))
    found = {}
    for line in (folder / "data" / "train.jsonl").read_text().splitlines():
        row = json.loads(line)
        task = row["verifier_metadata"]["task"]
        found[task] = {"gold": play(server, row, calls[task]), "noop": play(server, row, [])}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
