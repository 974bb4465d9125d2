"""What the server sends, as values. Fields of newer servers are ignored; kinds and states are open texts.

Texts such as `kind`, `status` and `role` may have values that are newer than this package: treat those as unknown.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Who is signed in. `role` is `member` or `administrator`."""

    user_id: str
    name: str
    role: str
    has_password: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person whom a search or a list names."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a conversation. `role` is `admin` or missing."""

    user_id: str
    name: str
    joined_at: datetime
    aliases: list[str] = field(default_factory=list[str])
    left_at: datetime | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file of a message. Only files with an `id` can be downloaded."""

    name: str
    id: str | None = None
    media_type: str | None = None
    byte_count: int | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """An emoji and the people who chose it; `count` is given if there are more than the list shows."""

    emoji: str
    user_ids: list[str]
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReference:
    """Names a message."""

    conversation_id: str
    message_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedMessage:
    """Says that an answer is no longer true because of the message `by`."""

    by: MessageReference
    noted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message. `kind` is `text`, `system`, `bot` or `assistant`; live messages are ordered by `seq`."""

    id: str
    conversation_id: str
    sender_id: str
    sender_name: str
    text: str
    kind: str
    timestamp: datetime
    seq: int | None = None
    local_id: str | None = None
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    reactions: list[Reaction] = field(default_factory=list[Reaction])
    reply_to: str | None = None
    thread_root: str | None = None
    reply_count: int | None = None
    last_reply_at: datetime | None = None
    edited_at: datetime | None = None
    status: str | None = None
    url: str | None = None
    outdated: OutdatedMessage | None = None
    extra: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """A page of messages, newest first."""

    messages: list[Message]
    has_older: bool
    has_newer: bool
    next: str | None = None
    first_unread_id: str | None = None
    first_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedMessage:
    """A message that the person saved."""

    saved_at: datetime
    message: Message
    #: When the person is reminded of it.
    remind_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPage:
    """A page of the messages that the person saved, the last saved first."""

    messages: list[SavedMessage]
    next: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledMessage:
    """A message that the person wrote to be sent later.

    `refused_reason` says why it was not sent: `conversation_left`, `account_disabled`, `reply_gone`, `missed`,
    `not_accepted`.
    """

    id: str
    conversation_id: str
    text: str
    send_at: datetime
    created_at: datetime
    reply_to: str | None = None
    thread_root: str | None = None
    refused_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledList:
    """The scheduled messages of the person, the next one first."""

    messages: list[ScheduledMessage]
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """A message that the server has. `status` is `inserted`, or `unchanged` if it had it before."""

    message_id: str
    status: str
    local_id: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastMessage:
    """The newest message of a conversation, for a list."""

    id: str
    sender_id: str
    sender_name: str
    text: str
    timestamp: datetime
    attachments: list[Attachment] = field(default_factory=list[Attachment])


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The person's own settings of a conversation. `notifications` is `all`, `mentions` or `nothing`."""

    muted: bool = False
    pinned: bool = False
    archived: bool = False
    notifications: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation. Lists, snapshots and the feed also say what the person has not read."""

    id: str
    kind: str
    visibility: str
    history: str
    created_at: datetime
    updated_at: datetime
    name: str | None = None
    members: list[Member] = field(default_factory=list[Member])
    admins: list[str] = field(default_factory=list[str])
    role: str | None = None
    time_zone: str | None = None
    active_at: datetime | None = None
    last_message: LastMessage | None = None
    preferences: Preferences | None = None
    unread_count: int = 0
    mention_count: int = 0
    first_unread_id: str | None = None
    read_seq: int = 0
    head: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationPage:
    """A page of conversations; `next` is the `after` of the next one."""

    conversations: list[Conversation]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPage:
    """A page of members; `next` is the `after` of the next one."""

    members: list[Member]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How far a member has received and read a conversation."""

    user_id: str
    delivered_seq: int
    read_seq: int
    joined_seq: int
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """Something of which the person is notified."""

    id: int
    kind: str
    conversation_id: str
    message_id: str
    sender_id: str
    sender_name: str
    text: str
    created_at: datetime
    quiet: bool = False
    seq: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """From when until when notifications are quiet, such as 22:00 and 07:00."""

    start: str
    end: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The person's settings."""

    hide_last_seen: bool = False
    hide_read_receipts: bool = False
    quiet_hours: QuietHours | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file that was uploaded: name its `id` in the attachments of a message."""

    id: str
    name: str
    media_type: str
    byte_count: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A message that a search found. A higher score is better, within one search."""

    conversation_id: str
    conversation_name: str
    message_id: str
    sender_id: str
    sender_name: str
    text: str
    excerpt: str
    score: float
    timestamp: datetime
    start: int | None = None
    end: int | None = None
    duplicates: list[MessageReference] = field(default_factory=list[MessageReference])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """The hits of a search, best first. `no_answer_reason` is `none` if they are likely to answer."""

    results: list[Found]
    no_answer_reason: str
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue:
    """Something that a sentence states. `value` is for programs: `2026-10-27`, `14:30`, a number."""

    kind: str
    text: str
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedEntry:
    """A sentence about a subject. `replaced_by` names a later message that replaces it, if one was found."""

    conversation_id: str
    conversation_name: str
    message_id: str
    sender_id: str
    sender_name: str
    timestamp: datetime
    excerpt: str
    states: list[StatedValue]
    start: int | None = None
    end: int | None = None
    replaced_by: MessageReference | None = None
    replaces: list[MessageReference] = field(default_factory=list[MessageReference])
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectTimeline:
    """What messages state about a subject, newest first: an entry that replaces others comes before them."""

    entries: list[StatedEntry]
    no_answer_reason: str
    as_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A message behind an answer. Only cited ones have a `number`; `replaced_by` names a later message that corrects it."""

    conversation_id: str
    conversation_name: str
    message_id: str
    sender_name: str
    excerpt: str
    timestamp: datetime
    number: int | None = None
    rank: int | None = None
    relevance_score: float | None = None
    start: int | None = None
    end: int | None = None
    replaced_by: MessageReference | None = None
    duplicates: list[MessageReference] = field(default_factory=list[MessageReference])
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """`[number]` at `start` to `end` of the answer means this message. `support` says whether it supports the sentence."""

    number: int
    conversation_id: str
    message_id: str
    start: int
    end: int
    support: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSentence:
    """A checked sentence. `support` is `supported`, `partly`, `unsupported` or `contradicted`."""

    start: int
    end: int
    needs_source: bool
    support: str | None = None
    score: float | None = None
    reasons: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer with its sources and citations."""

    answer: str
    sources: list[Source]
    citations: list[Citation]
    no_answer_reason: str
    turn_id: str
    query_time: datetime
    notices: list[str] = field(default_factory=list[str])
    sentences: list[AnswerSentence] | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutdatedTurn:
    """Says that an answer is no longer true because of the message `by`."""

    by: Source
    noted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A past question of the person. `redacted_reason` says why the answer is gone."""

    turn_id: str
    question: str
    answer: str
    asked_at: datetime
    is_redacted: bool
    sources: list[Source] = field(default_factory=list[Source])
    citations: list[Citation] = field(default_factory=list[Citation])
    sentences: list[AnswerSentence] | None = None
    notices: list[str] = field(default_factory=list[str])
    no_answer_reason: str | None = None
    redacted_reason: str | None = None
    thread_id: str | None = None
    outdated: OutdatedTurn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage:
    """Past questions, newest first; `next` is the `before` of the next page."""

    turns: list[Turn]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Questions that belong together."""

    id: str
    title: str
    turn_count: int
    created_at: datetime
    updated_at: datetime
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An action item, a decision or a deadline, with the names that all three have in common."""

    id: str
    conversation_id: str
    message_id: str
    text: str
    quote: str
    sent_at: datetime
    person: str | None = None
    person_id: str | None = None
    due: datetime | None = None
    all_day: bool = False
    status: str | None = None
    priority: str | None = None
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPage:
    """A page of items; `next` is the `after` of the next one."""

    items: list[Item]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChanges:
    """What changed in a list of items since a cursor; `next` is the cursor of the next call."""

    items: list[Item]
    removed_ids: list[str]
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All items of a conversation after an extraction, and what changed by it."""

    items: list[Item]
    message_count: int
    added_count: int
    changed_count: int
    removed_count: int
    is_complete: bool
