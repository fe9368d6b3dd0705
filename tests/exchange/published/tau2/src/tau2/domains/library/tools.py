"""The librarian's tools."""


from tau2.domains.library.data_model import Book, LibraryDB
from tau2.environment.toolkit import ToolKitBase, ToolType, is_tool


class LibraryTools(ToolKitBase):
    db: LibraryDB

    @is_tool(ToolType.READ)
    def find_book(self, book_id: str) -> Book:
        """Find a book.

        Args:
            book_id: Its number, such as 'B1'.

        Returns:
            The book.
        """
        if book_id not in self.db.books:
            raise ValueError("Book not found")
        return self.db.books[book_id]

    @is_tool(ToolType.WRITE)
    def lend(self, book_ids: list[str], reader: str, note: str | None = None) -> str:
        """Lend books to a reader."""
        for book_id in book_ids:
            self.db.books[book_id].lent_to = reader
        return f"Lent {len(book_ids)}"

    @is_tool(ToolType.GENERIC)
    def transfer_to_human_agents(self, summary: str) -> str:
        """Hand the conversation over."""
        return "Transfer successful"

    def wear_out(self, book_id: str):
        self.db.books[book_id].condition = "worn"
