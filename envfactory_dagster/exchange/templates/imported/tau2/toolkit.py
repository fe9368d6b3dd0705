"""In the place of `tau2.environment.toolkit`: what domains import to mark their tools."""

from enum import StrEnum


class ToolType(StrEnum):
    READ = "read"
    WRITE = "write"
    THINK = "think"
    GENERIC = "generic"


def is_tool(tool_type=ToolType.READ, mutates_state=None):
    return lambda function: function


is_discoverable_tool = is_tool


class ToolKitBase:
    def __init__(self, db=None):
        self.db = db


class GenericToolKit(ToolKitBase):
    pass
