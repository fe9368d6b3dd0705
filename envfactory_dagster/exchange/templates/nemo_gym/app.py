"""One environment as a resources server of NeMo Gym (0.4.0).

A session begins with its task (`verifier_metadata`), each tool is `POST /TOOL`, and `/verify` judges what was done and
reported. A rollout that never calls `finish` is judged without a report; one that cannot be judged is an error, no 0.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import ConfigDict, PrivateAttr

try:
    from .episode import INVALID, Episode
except ImportError:
    from episode import INVALID, Episode

BUNDLE = Path(__file__).resolve().parent / "bundle"


class SeedRequest(BaseSeedSessionRequest):
    model_config = ConfigDict(extra="allow")
    verifier_metadata: dict[str, Any]


class VerifyRequest(BaseVerifyRequest):
    model_config = ConfigDict(extra="allow")
    verifier_metadata: dict[str, Any]


class VerifyResponse(BaseVerifyResponse):
    model_config = ConfigDict(extra="allow")
    reasons: list[str]


class WorldServer(SimpleResourcesServer):
    config: BaseResourcesServerConfig
    _episodes: dict[str, Episode] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        app = super().setup_webserver()
        app.post("/{tool}")(self.call)
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> BaseSeedSessionResponse:
        session = request.session[SESSION_ID_KEY]
        before = self._episodes.pop(session, None)
        if before is not None:
            await asyncio.to_thread(before.close)
        self._episodes[session] = Episode(BUNDLE, body.verifier_metadata["task"])
        return BaseSeedSessionResponse()

    async def call(self, tool: str, request: Request) -> dict[str, Any]:
        """The result of a tool, or what it says is wrong: an agent may read that and try again."""
        episode = self._episodes.get(request.session[SESSION_ID_KEY])
        if episode is None:
            raise HTTPException(409, "this session has no world: /seed_session comes first")
        if episode.over:
            return {"error": "the report is handed in, and the work is over"}
        try:
            arguments = json.loads(await request.body() or b"{}")
        except (ValueError, RecursionError) as unreadable:
            return {"error": f"the arguments are no JSON: {unreadable}"}
        result = await asyncio.to_thread(episode.call, tool, arguments)
        if result["isError"]:
            return {"error": result["content"][0]["text"]}
        content: dict[str, Any] = result["structuredContent"]
        return content

    async def verify(self, request: Request, body: VerifyRequest) -> VerifyResponse:
        episode = self._episodes.pop(request.session[SESSION_ID_KEY], None)
        if episode is None:
            raise HTTPException(409, "this session has no world: it is judged already, or never began")
        verdict = await asyncio.to_thread(episode.close)
        if verdict["status"] == INVALID:
            raise HTTPException(500, f"no verdict: {verdict['reason']}")
        return VerifyResponse(**body.model_dump(), reward=float(verdict["score"]), reasons=verdict.get("reasons", []))


if __name__ == "__main__":
    WorldServer.run_webserver()
