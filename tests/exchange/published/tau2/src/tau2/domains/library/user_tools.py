"""The reader's tools."""

from tau2.domains.library.user_data_model import LibraryUserDB
from tau2.environment.toolkit import ToolKitBase, ToolType, is_tool


class LibraryUserTools(ToolKitBase):
    db: LibraryUserDB

    @is_tool(ToolType.WRITE)
    def take_note(self, subject: str, text: str) -> str:
        """Write something down."""
        self.db.notes[subject] = text
        return "Noted"
