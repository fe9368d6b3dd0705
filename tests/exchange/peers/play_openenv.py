"""Play a task's reference solution, and then nothing at all, through OpenEnv's client: `… URL SOLUTIONS`."""

import json
import sys
from pathlib import Path

from openenv.core.generic_client import GenericEnvClient


def tools(client):
    class Tools:
        class Error(Exception):
            pass

        def __getattr__(self, name):
            def call(**arguments):
                step = client.step({"type": "call_tool", "tool_name": name, "arguments": arguments})
                result = step.observation["result"]
                if result["isError"]:
                    raise Tools.Error(result["content"][0]["text"])
                return result["structuredContent"]

            return call

    return Tools()


def main():
    url, solutions = sys.argv[1:]
    found = {}
    with GenericEnvClient(base_url=url).sync() as client:
        for path in sorted(Path(solutions).glob("*.py")):
            client.reset(task=path.stem)
            namespace = {}
            exec(path.read_text(), namespace)
            report = namespace["solve"](tools(client))
            gold = client.step({"type": "call_tool", "tool_name": "finish", "arguments": report})
            client.reset(task=path.stem)
            nothing = {"outcome": "impossible", "answers": dict.fromkeys(report["answers"])}
            nothing |= {"reason": None, "message": "I cannot."}
            noop = client.step({"type": "call_tool", "tool_name": "finish", "arguments": nothing})
            found[path.stem] = {"gold": gold.reward, "noop": noop.reward, "over": gold.done and noop.done}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
