"""A workspace is one MCP endpoint, with the tools of all its servers."""

from mcp import Client

from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workspaces import workspace_bundle
from tests.gateway.conftest import Serve
from tests.support.workspaces import SHOPS, workspace


async def test_one_endpoint_lists_and_calls_the_tools_of_all_servers(runtime: Runtime, serve: Serve) -> None:
    both = await workspace_bundle(runtime, workspace(), SHOPS)
    async with serve(both) as gateway, Client(gateway.mcp(both.key)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"beer_list_items", "bread_list_items"} <= names
        for prefix in ("beer", "bread"):
            placed = await client.call_tool(f"{prefix}_place_order", {"item_id": 1})
            assert placed.structured_content == {"order_id": 1, "code": "ORD-50001"}
        assert "Baker and brewer" in (client.server_info.title or "")
        assert "Tiny shop: Nothing is sold that is not in stock." in (client.instructions or "")


async def test_every_client_has_a_workspace_of_its_own(runtime: Runtime, serve: Serve) -> None:
    both = await workspace_bundle(runtime, workspace(), SHOPS)
    async with serve(both) as gateway, Client(gateway.mcp(both.key)) as one, Client(gateway.mcp(both.key)) as other:
        await one.call_tool("beer_place_order", {"item_id": 1, "quantity": 5})
        untouched = await other.call_tool("beer_get_item", {"item_id": 1})
        assert untouched.structured_content == {"id": 1, "name": "Item 1", "price": 11.0, "stock": 10_000}
