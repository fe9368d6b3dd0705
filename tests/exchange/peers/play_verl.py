"""Play verl's tools through recorded calls, and through no call at all, as its tool agent does: `… folder CALLS`."""

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

import pandas
from verl.tools.tool_registry import load_all_tools
from verl.utils.import_utils import load_extern_object


class Rollout:
    """What verl's AgentData has of a rollout."""

    def __init__(self, tools_kwargs):
        self.tools_kwargs = tools_kwargs
        self.extra_fields = {}


async def play(tools, row, calls, reward):
    rollout = Rollout(row["extra_info"]["tools_kwargs"])
    for call in calls:
        assert call["name"] in row["extra_info"]["tool_selection"]
        tool = tools[call["name"]]
        instance, _ = await tool.create(create_kwargs={})
        await tool.execute(instance, call["arguments"], agent_data=rollout)
        await tool.release(instance)
    scored = reward(row["data_source"], "", row["reward_model"]["ground_truth"], dict(rollout.extra_fields))
    return scored["score"]


def main():
    folder = Path(sys.argv[1])
    calls = json.loads(Path(sys.argv[2]).read_text())
    tools = {tool.name: tool for tool in load_all_tools(str(folder / "tools.yaml"), None)}
    reward = load_extern_object(str(folder / "reward.py"), "reward")
    found = {}
    for row in pandas.read_parquet(folder / "train.parquet").to_dict("records"):
        task = row["extra_info"]["tools_kwargs"]["world"]["task"]
        gold = asyncio.run(play(tools, row, calls[task], reward))
        noop = asyncio.run(play(tools, row, [], reward))
        found[task] = {"gold": gold, "noop": noop}
    whole = next(iter(tools.values())).tool_schema.model_dump(exclude_unset=True, exclude_none=True)
    print(json.dumps({"found": found, "schema": whole}))


if __name__ == "__main__":
    main()
