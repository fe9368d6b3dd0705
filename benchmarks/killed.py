"""Figures of a process that is killed while it asks a model: what is lost, and what is paid twice.

    python -m benchmarks.killed [--json] [--home HOME]

Two processes ask an endpoint the same 200 questions over one home: a new folder, or HOME, which may be the URL of an
object store and should have no answers yet. One of them is killed (-9) when a hundred have arrived. The other goes on
to the end, and a third asks all of them again. `kill_9_lost`: questions whose paid answer is not in the ledger in the
end; `paid_twice`: those that arrived at the endpoint more than once; `in_flight`: those that the killed process had
sent and not yet written down; `seconds`: from the kill to the end of the second.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from pydantic import BaseModel

from envfactory_dagster.contracts.errors import StorageFault
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.store.home import Home

QUESTIONS, KILL_AT, AT_ONCE = 200, 100, 16
ANSWER_S = 0.1


class Number(BaseModel):
    number: int


async def ask_all(url: str, location: str, name: str) -> None:
    settings = LanguageSettings.model_validate(
        {"base_url": url, "api_key": name, "default_model": "played", "limits": LimitSettings(concurrency=AT_ONCE)}
    )
    async with Gateway(settings, Home.resolve(location).root) as gateway:
        await asyncio.gather(*(_ask(gateway, number) for number in range(QUESTIONS)))


async def _ask(gateway: Gateway, number: int) -> None:
    await gateway.ask(
        caller=Caller("killed", f"number-{number}", Role.AUTHOR),
        schema_name="number",
        answer=Number,
        instructions="Repeat the number.",
        context={"number": number},
    )


class Endpoint:
    """Answers after a while, and remembers who asked what."""

    def __init__(self) -> None:
        self.arrived = Counter[str]()
        self.asked_by: set[tuple[str, str]] = set()
        self.in_the_air: set[tuple[str, str]] = set()
        self.app = FastAPI()
        self.app.post("/v1/chat/completions")(self._answer)

    async def _answer(self, request: Request) -> dict[str, Any]:
        question = json.dumps((await request.json())["messages"])
        asked = (request.headers["authorization"].removeprefix("Bearer "), question)
        self.arrived[question] += 1
        self.asked_by.add(asked)
        self.in_the_air.add(asked)
        await asyncio.sleep(ANSWER_S)
        self.in_the_air.discard(asked)
        message = {"role": "assistant", "content": '{"number": 1}'}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    server.should_exit = True
    thread.join()


def _paid(location: str) -> set[str]:
    """The partitions of which the ledger has a paid answer."""
    rows = read_ledger(Home.resolve(location).root)
    return set(rows.filter((rows["outcome"] == "answered") & ~rows["cached"])["partition"])


def _paid_while_stopped(process: "subprocess.Popen[bytes]", location: str) -> set[str]:
    """Before the process asks anew what the other has left. Stopped while it writes, it would hold the ledger."""
    while True:
        process.send_signal(signal.SIGSTOP)
        try:
            return _paid(location)
        except StorageFault:
            process.send_signal(signal.SIGCONT)
            time.sleep(ANSWER_S / 10)
        finally:
            process.send_signal(signal.SIGCONT)


def _number(question: str) -> str:
    """The partition of a question, by the context that it came with."""
    found = re.search(r'number\\*"\s*:\s*(\d+)', question)
    assert found is not None, question
    return f"number-{found[1]}"


def measured(location: str) -> dict[str, Any]:
    endpoint = Endpoint()
    with served(endpoint.app) as url:

        def start(name: str) -> "subprocess.Popen[bytes]":
            return subprocess.Popen([sys.executable, "-m", "benchmarks.killed", "--ask", url, location, name])

        killed, other = start("killed"), start("other")
        while not (len(endpoint.arrived) >= KILL_AT and any(who == "killed" for who, _ in endpoint.in_the_air)):
            time.sleep(0.001)
        killed.kill()
        killed.wait()
        written = _paid_while_stopped(other, location)
        began = time.monotonic()
        ended = [other.wait()]
        seconds = time.monotonic() - began
        ended.append(start("third").wait())
    in_flight = sum(_number(question) not in written for who, question in endpoint.asked_by if who == "killed")
    return {
        "ended": ended,
        "kill_9_lost": QUESTIONS - len(_paid(location)),
        "paid_twice": sum(count > 1 for count in endpoint.arrived.values()),
        "in_flight": in_flight,
        "seconds": round(seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--home")
    parser.add_argument("--ask", nargs=3, metavar=("URL", "HOME", "NAME"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ask:
        asyncio.run(ask_all(*given.ask))
        return
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(given.home or os.path.join(folder, "home"))
    print(json.dumps(figures) if given.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
