"""An S3 server of one's own: moto's, in a process of its own (`python -m tests.support.object_store`).

It answers one request after another, so that of two conditional writes at once one comes too late, as at the real one.
"""

import logging
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import Objects


@dataclass(frozen=True)
class ObjectStore:
    endpoint: str

    @property
    def variables(self) -> dict[str, str]:
        """What its clients find it by."""
        return {
            "AWS_ACCESS_KEY_ID": "anyone",
            "AWS_SECRET_ACCESS_KEY": "anything",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
        }

    def new_bucket(self) -> str:
        """The URL of a new, empty bucket."""
        name = f"bucket-{uuid.uuid4().hex}"
        with urlopen(Request(f"{self.endpoint}/{name}", method="PUT")):
            return f"s3://{name}"


def upload(folder: Path, home: Home) -> None:
    """All files of a home that is a folder, into one that is a bucket."""
    objects = Objects(home.root)
    objects.create_all(
        {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    )


@contextmanager
def served_objects() -> Iterator[ObjectStore]:
    command = [sys.executable, "-m", __name__]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    try:
        assert server.stdout is not None
        yield ObjectStore(f"http://127.0.0.1:{server.stdout.readline().strip()}")
    finally:
        server.kill()
        server.wait()


def _serve() -> None:
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    _serve()
