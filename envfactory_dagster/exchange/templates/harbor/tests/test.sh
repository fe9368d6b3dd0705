#!/bin/sh
# In a container of its own: the agent never saw this folder. No verdict is a failure, not a reward of 0.
set -eu
here=$(dirname "$0")
logs=${LOGS:-/logs/verifier}
episode=${EPISODE:-/episode}
mkdir -p "$logs"
python3 -I -S "$here/bundle/judge.py" --episode "$episode" > "$logs/verdict.json"
python3 -I -S - "$logs" <<'PYTHON'
import json, sys
logs = sys.argv[1]
verdict = json.load(open(f"{logs}/verdict.json"))
if verdict["status"] != "judged":
    sys.exit(f"no verdict: {verdict['reason']}")
json.dump({"reward": verdict["score"]}, open(f"{logs}/reward.json", "w"))
PYTHON
