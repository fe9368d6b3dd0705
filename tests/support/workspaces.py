"""A workspace of two small shops, for tests that open, judge or serve one."""

from collections.abc import Mapping

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.contracts.workspace import Workspace, WorkspaceServer
from tests.support.tiny import tiny

BAKER = tiny("baker")
BREWER = tiny("brewer", items=20)
SHOPS: Mapping[str, Bundle] = {"baker": BAKER, "brewer": BREWER}


def workspace(*servers: WorkspaceServer) -> Workspace:
    """Of both shops, unless others are named; the brewer knows the person by the baker's name."""
    known = [
        WorkspaceServer(prefix="bread", environment="baker"),
        WorkspaceServer(
            prefix="beer", environment="brewer", given=[GivenRow(table="users", id=1, values={"name": "Ann B."})]
        ),
    ]
    return Workspace(
        key="baker-and-brewer",
        name="Baker and brewer",
        category="retail",
        description="Ann buys bread and beer in two shops of one street.",
        servers=list(servers) or known,
    )
