"""The messages of one conversation on the screen: no network here."""

from __future__ import annotations

from .events import ConversationLeft, Frame, MessageChanged, MessageDeleted
from .models import Message, MessagePage


class Timeline:
    """Applies pages and frames. Live messages are ordered by `seq`, imported ones before them by time."""

    def __init__(self, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        #: Whether there are older messages than the ones here.
        self.has_older = False
        #: Whether the person no longer sees the conversation.
        self.is_gone = False
        self._messages: dict[str, Message] = {}

    @property
    def messages(self) -> list[Message]:
        """The messages, oldest first."""
        return sorted(self._messages.values(), key=_order)

    def reset(self, page: MessagePage) -> None:
        """Shows the newest page only."""
        self._messages = {message.id: message for message in page.messages}
        self.has_older = page.has_older
        self.is_gone = False

    def add_older(self, page: MessagePage) -> None:
        """Shows an older page, too. What is here already is newer than the page."""
        self._messages = {**{message.id: message for message in page.messages}, **self._messages}
        self.has_older = page.has_older

    def apply(self, frame: Frame) -> bool:
        """Applies a frame, and returns whether the messages changed."""
        changed = False
        for change in frame.changes:
            if isinstance(change, MessageChanged) and change.message.conversation_id == self.conversation_id:
                changed = self._take(change.message) or changed
            elif isinstance(change, MessageDeleted) and change.conversation_id == self.conversation_id:
                changed = self._messages.pop(change.message_id, None) is not None or changed
            elif isinstance(change, ConversationLeft) and change.conversation_id == self.conversation_id:
                self._messages, self.is_gone, changed = {}, True, True
        return changed

    def _take(self, message: Message) -> bool:
        # A change of a message that is older than the first one here belongs to a page that is not loaded.
        is_older = self._messages and _order(message) < min(map(_order, self._messages.values()))
        if message.id not in self._messages and self.has_older and is_older:
            return False
        changed = self._messages.get(message.id) != message
        self._messages[message.id] = message
        return changed


def _order(message: Message) -> tuple[int, int, str, str]:
    return (message.seq is not None, message.seq or 0, message.timestamp.isoformat(), message.id)
