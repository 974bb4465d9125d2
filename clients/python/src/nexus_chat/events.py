"""The typed events of the feed and of streamed answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Union, cast

from ._decode import decode
from .errors import NexusError, UnexpectedReplyError
from .models import (
    Answer,
    AnswerSentence,
    Citation,
    Conversation,
    Member,
    Message,
    MessageReference,
    Notification,
    Receipt,
    Settings,
    Source,
)

# Changes of a frame.


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChanged:
    """A message, new or changed, in its present state."""

    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageDeleted:
    """A message is gone."""

    conversation_id: str
    message_id: str
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationChanged:
    """A conversation, new or changed."""

    conversation: Conversation
    members: list[Member] | None = None
    receipts: list[Receipt] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationLeft:
    """The person no longer sees the conversation."""

    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptChanged:
    """A member received or read more."""

    conversation_id: str
    receipt: Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsChanged:
    """Items of a conversation changed: ask for the list again."""

    conversation_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadsChanged:
    """The person's threads changed: ask for the list again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOutdated:
    """The answer of a turn is no longer true because of the message `by`."""

    turn_id: str
    by: MessageReference
    thread_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notified:
    """The person is notified."""

    notification: Notification


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationsChanged:
    """The present list of notifications."""

    notifications: list[Notification]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged:
    """The person's settings."""

    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicesChanged:
    """Devices for push came or went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledChanged:
    """Messages that the person wrote to be sent later came, changed, were sent or refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownChange:
    """A change of a server that is newer than this package."""

    type: str
    data: dict[str, Any]


Change = Union[
    MessageChanged,
    MessageDeleted,
    ConversationChanged,
    ConversationLeft,
    ReceiptChanged,
    ItemsChanged,
    ThreadsChanged,
    AnswerOutdated,
    Notified,
    NotificationsChanged,
    SettingsChanged,
    DevicesChanged,
    ScheduledChanged,
    UnknownChange,
]

_CHANGES: dict[str, type[Any]] = {
    "message": MessageChanged,
    "deletion": MessageDeleted,
    "conversation": ConversationChanged,
    "departure": ConversationLeft,
    "receipt": ReceiptChanged,
    "items": ItemsChanged,
    "threads": ThreadsChanged,
    "outdated": AnswerOutdated,
    "notification": Notified,
    "notifications": NotificationsChanged,
    "settings": SettingsChanged,
    "devices": DevicesChanged,
    "scheduled": ScheduledChanged,
}


def read_change(value: dict[str, Any]) -> Change:
    """Reads one change of a frame."""
    kind = _CHANGES.get(str(value.get("type")))
    if kind is None:
        return UnknownChange(type=str(value.get("type")), data=value)
    return cast(Change, decode(kind, value))


# Events of the feed.


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All that a client shows first. Forget what was shown before: the feed begins again here."""

    cursor: str
    conversations: list[Conversation]
    notifications: list[Notification]
    settings: Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Everything that changed between two positions. Load the messages of the conversations in `limited` again."""

    cursor: str
    changes: list[Change]
    limited: list[str] = field(default_factory=list[str])


def read_frame(value: dict[str, Any]) -> Frame:
    """Reads a frame."""
    try:
        changes = [read_change(change) for change in value["changes"]]
        return Frame(cursor=value["cursor"], changes=changes, limited=value.get("limited") or [])
    except (KeyError, TypeError, AttributeError):
        raise UnexpectedReplyError("a frame of the feed has no changes") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceOf:
    """Whether a watched person is `online`, `away` or `offline`."""

    user_id: str
    status: str
    last_beat: datetime | None = None
    last_seen: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged:
    """The presence of watched people."""

    people: list[PresenceOf]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """Somebody types in the open conversation, for so many milliseconds."""

    conversation_id: str
    user_id: str
    milliseconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPiece:
    """A piece of an answer that is made for the person on any device. `start` counts Unicode scalars before it."""

    answer_id: str
    start: int
    text: str
    conversation_id: str | None = None
    message_id: str | None = None
    thread_id: str | None = None
    turn_id: str | None = None
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionChanged:
    """Whether the feed is connected; if not, why, and in how many seconds it tries again."""

    is_connected: bool
    error: NexusError | None = None
    retry_in: float | None = None


FeedEvent = Union[Snapshot, Frame, PresenceChanged, Typing, AnswerPiece, ConnectionChanged]


# Events of a streamed answer.


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """So many of the parts of a long conversation are summarized."""

    part: int
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesFound:
    """The messages that were found, before the first text; they have no numbers yet."""

    sources: list[Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The share of the prompt that the language model has read, 0 to 1."""

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextAdded:
    """More text of the answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationAdded:
    """A citation in the text so far."""

    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChecked:
    """The text so far after its sentences were checked: it replaces the text and the citations before it."""

    answer: str
    citations: list[Citation]
    sentences: list[AnswerSentence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The whole answer; the last event."""

    answer: Answer


AnswerEvent = Union[Progress, SourcesFound, Reading, TextAdded, CitationAdded, AnswerChecked, Answered]
