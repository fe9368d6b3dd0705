"""A tool shed in the form of EnvFactory's servers, written for the tests."""

import uuid

import requests
from mcp.server.fastmcp import FastMCP
from pydantic import BaseModel, Field


# Section 1: Schema
class Loan(BaseModel):
    loan_id: str
    tool: str
    since: str


class ShedScenario(BaseModel):
    tools: dict[str, int] = Field(default={}, description="How many of each")
    loans: list[Loan] = []
    current_time: str = Field(..., pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$")


# Section 2: Class
class ShedAPI:
    def __init__(self):
        self.tools: dict[str, int] = {}
        self.loans: list[Loan] = []
        self.current_time = ""

    def load_scenario(self, scenario: dict) -> None:
        model = ShedScenario(**scenario)
        self.tools, self.loans, self.current_time = model.tools, model.loans, model.current_time

    def list_tools(self) -> dict:
        return {"tools": self.tools}

    def borrow(self, tool: str) -> dict:
        self.tools[tool] -= 1
        loan = Loan(loan_id=str(uuid.uuid4()), tool=tool, since=self.current_time)
        self.loans.append(loan)
        return loan.model_dump()


# Section 3: MCP Tools
mcp = FastMCP(name="ToolShed")
api = ShedAPI()


@mcp.tool()
def load_scenario(scenario: dict) -> str:
    """Load a scenario."""
    api.load_scenario(scenario)
    return "Successfully loaded scenario"


@mcp.tool()
def list_tools() -> dict:
    """List all tools."""
    return api.list_tools()


@mcp.tool()
def borrow(tool: str, note: str | None = None) -> dict:
    """
    Borrow a tool.

    Args:
        tool (str): What to borrow.
        note (str): A note. [Optional]
    """
    if api.tools.get(tool, 0) < 1:
        raise ValueError(f"There is no {tool} left")
    return api.borrow(tool)


@mcp.tool()
def order(tool: str) -> dict:
    """Order one more."""
    try:
        return requests.get(f"https://example.org/{tool}").json()
    except requests.exceptions.RequestException as error:
        return {"error": str(error)}


# Section 4: Entry Point
if __name__ == "__main__":
    mcp.run()
