"""Step SkyRL's environment through recorded calls, and then through no call at all: `… FOLDER CALLS`."""

import json
import sys
from pathlib import Path

import skyrl_gym

sys.path.insert(0, sys.argv[1])
import environment


def said(call):
    return f"<tool_call>{json.dumps(call)}</tool_call>"


def main():
    calls = json.loads(Path(sys.argv[2]).read_text())
    name = environment.register()
    found = {}
    for row in environment.rows():
        task = row["extra_info"]["task"]
        world = skyrl_gym.make(name, env_config={}, extras=row)
        world.init(row["prompt"])
        steps = [world.step(said(call)) for call in calls[task]]
        idle = skyrl_gym.make(name, env_config={}, extras=row)
        idle.init(row["prompt"])
        noop = idle.step("It is done.")
        over = [step["done"] for step in steps] == [False] * (len(steps) - 1) + [True] and noop["done"]
        found[task] = {"gold": steps[-1]["reward"], "noop": noop["reward"], "over": over}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
