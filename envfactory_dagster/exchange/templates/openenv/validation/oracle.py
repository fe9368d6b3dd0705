"""Play the reference solution of each task, or of those that are named, and print the verdicts: `oracle.py [TASK …]`.

It ends with 1 unless every score is 1. Python's standard library only.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

from episode import solve  # noqa: E402


def main() -> None:
    paths = sorted((HERE / "solutions").glob("*.py"))
    wanted = [path for path in paths if path.stem in sys.argv[1:] or not sys.argv[1:]]
    verdicts = {path.stem: solve(HERE / "bundle", path.stem, path.read_text("utf-8")) for path in wanted}
    print(json.dumps(verdicts, indent=2))
    sys.exit(0 if verdicts and all(one.get("score") == 1.0 for one in verdicts.values()) else 1)


if __name__ == "__main__":
    main()
