"""Read task folders with Harbor's own model: `… FOLDER`."""

import json
import sys
from pathlib import Path

from harbor.models.task.task import Task


def main():
    tasks = [Task(path) for path in sorted(Path(sys.argv[1]).iterdir()) if path.is_dir()]
    print(json.dumps({task.name: [server.url for server in task.config.environment.mcp_servers] for task in tasks}))


if __name__ == "__main__":
    main()
