# Made from ../_async by tools/unasync.py: change it there.
"""The client for threads."""

from __future__ import annotations

from ._account import AccountCalls
from ._assistant import AssistantCalls
from ._chat import ChatCalls
from ._feed import Feed, LiveConversation
from ._files import FileCalls


class Nexus(AccountCalls, ChatCalls, AssistantCalls, FileCalls):
    """A client of one server for one person. Use it with `with`, or call `close`."""

    def follow(
        self, cursor: str | None = None, *, device: str | None = None, receipts: bool = True
    ) -> Feed:
        """Follows everything that changes for the person.

        Args:
            cursor: Where to continue; `None` begins with a snapshot.
            device: An id of this device, so that its connections are told apart.
            receipts: Whether messages that arrive here count as delivered.
        """
        return Feed(self, cursor, device, receipts)

    def watch_conversation(self, conversation_id: str, *, limit: int = 50) -> LiveConversation:
        """Shows a conversation that changes: yields its newest messages at first, and after each change."""
        return LiveConversation(self.follow(), self.messages, conversation_id, limit)
