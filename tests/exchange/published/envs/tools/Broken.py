"""A server that does not start, written for the tests."""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP(name="Broken")


@mcp.tool()
def load_scenario(scenario: dict) -> str:
    """Load a scenario."""
    raise KeyError("nothing to load")


@mcp.tool()
def look() -> dict:
    """Look around."""
    return {}
