"""A server with the addresses of vLLM's that asynchronous training uses, for a small model on a CPU.

    python -m tests.support.vllm_server MODEL [--ends-after MESSAGES]

Its first line is JSON with its address. Adapters are really loaded, and written with under their names.
"""

import json
import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from peft import PeftModel

from envfactory_dagster.runtime.gateway.serving import listen
from trainer.policies import LoadedPolicy, load
from trainer.recipe import Policy
from trainer.sampling import Sampling, generate


def app_of(folder: str, ends_after: int | None) -> FastAPI:
    app, writing = FastAPI(), threading.Lock()
    base = load(Policy(base=folder))
    adapted: list[PeftModel] = []
    asked = Counter[str]()

    @app.get("/health")
    def health() -> dict[str, Any]:
        return {}

    @app.get("/v1/models")
    def models() -> dict[str, Any]:
        return {"object": "list", "data": [{"id": folder, "object": "model", "created": 0, "owned_by": "test"}]}

    @app.get("/server_info")
    def info() -> dict[str, Any]:
        lora = {"max_lora_rank": 16, "max_loras": 8}
        return {"vllm_config": {"lora_config": lora, "parallel_config": {"data_parallel_size": 1}}}

    @app.post("/pause")
    @app.post("/resume")
    def changes_nothing() -> dict[str, Any]:
        return {}

    @app.post("/v1/load_lora_adapter")
    async def load_adapter(request: Request) -> JSONResponse:
        wanted = await request.json()
        name, path = wanted["lora_name"], wanted["lora_path"]
        with writing:
            if not adapted:
                adapted.append(PeftModel.from_pretrained(base.model, path, adapter_name=name))
            elif name in adapted[0].peft_config:
                return JSONResponse({"error": f"{name} has already been loaded"}, 400)
            else:
                adapted[0].load_adapter(path, adapter_name=name)
        return JSONResponse({})

    @app.post("/v1/unload_lora_adapter")
    async def unload_adapter(request: Request) -> JSONResponse:
        with writing:
            adapted[0].delete_adapter((await request.json())["lora_name"])
        return JSONResponse({})

    @app.get("/asked")
    def asked_for() -> dict[str, int]:
        """How many messages were written under each name."""
        return dict(asked)

    @app.post("/v1/completions")
    def complete(wanted: dict[str, Any]) -> JSONResponse:
        name, prompt = wanted["model"], wanted["prompt"]
        sampling = Sampling(wanted["temperature"], wanted["max_tokens"], len(prompt) + wanted["max_tokens"])
        with writing:
            asked[name] += 1
            if asked.total() == ends_after:
                os._exit(0)
            if name == folder:
                policy = base
            elif adapted and name in adapted[0].peft_config:
                adapted[0].set_adapter(name)
                policy = LoadedPolicy(adapted[0], base.tokenizer, base.renderer)
            else:
                return JSONResponse({"error": {"message": f"The model {name} does not exist."}}, 404)
            [written] = generate(policy, [(prompt, wanted["seed"])], sampling)
        choice = {
            "index": 0,
            "text": "",
            "finish_reason": "stop" if written.ended else "length",
            "token_ids": written.ids,
            "logprobs": {"token_logprobs": written.logprobs, "tokens": [str(one) for one in written.ids]},
        }
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(written.ids), "total_tokens": 0}
        return JSONResponse(
            {"id": "1", "object": "text_completion", "created": 0, "model": name, "choices": [choice], "usage": usage}
        )

    return app


if __name__ == "__main__":
    listening = listen("127.0.0.1", 0)
    app = app_of(str(Path(sys.argv[1])), int(sys.argv[3]) if len(sys.argv) > 3 else None)
    listening.listen()
    print(json.dumps({"url": f"http://127.0.0.1:{listening.getsockname()[1]}"}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[listening])
