"""The client for asyncio and trio."""

from __future__ import annotations

from ._account import AsyncAccountCalls
from ._assistant import AsyncAssistantCalls
from ._chat import AsyncChatCalls
from ._feed import AsyncFeed, AsyncLiveConversation
from ._files import AsyncFileCalls


class AsyncNexus(AsyncAccountCalls, AsyncChatCalls, AsyncAssistantCalls, AsyncFileCalls):
    """A client of one server for one person. Use it with `async with`, or call `aclose`."""

    def follow(
        self, cursor: str | None = None, *, device: str | None = None, receipts: bool = True
    ) -> AsyncFeed:
        """Follows everything that changes for the person.

        Args:
            cursor: Where to continue; `None` begins with a snapshot.
            device: An id of this device, so that its connections are told apart.
            receipts: Whether messages that arrive here count as delivered.
        """
        return AsyncFeed(self, cursor, device, receipts)

    def watch_conversation(self, conversation_id: str, *, limit: int = 50) -> AsyncLiveConversation:
        """Shows a conversation that changes: yields its newest messages at first, and after each change."""
        return AsyncLiveConversation(self.follow(), self.messages, conversation_id, limit)
