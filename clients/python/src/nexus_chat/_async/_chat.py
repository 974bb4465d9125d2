"""Conversations, members, people and messages."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from typing import Any

from .._decode import decode
from .._wire import UNSET, Unset, body_of, call, given, new_local_id, path
from ..events import Snapshot
from ..models import (
    Conversation,
    ConversationPage,
    Member,
    MemberPage,
    Message,
    MessagePage,
    Person,
    Posted,
    Preferences,
    Receipt,
    SavedPage,
    ScheduledList,
    ScheduledMessage,
)
from ._core import AsyncCore

_IN = "/v1/conversations/{}"


class AsyncChatCalls(AsyncCore):
    """Conversations, members, people and messages."""

    async def sync(self) -> Snapshot:
        """All that a client shows first, with the cursor at which the feed continues."""
        return await self._get(Snapshot, call("GET", "/v1/sync"))

    # Conversations

    async def conversations(
        self, *, query: str | None = None, limit: int | None = None, after: str | None = None
    ) -> ConversationPage:
        """A page of the person's conversations: pinned ones first, then by last activity."""
        parameters = given(q=query, limit=limit, after=after)
        return await self._get(ConversationPage, call("GET", "/v1/conversations", query=parameters))

    async def all_conversations(self, *, query: str | None = None) -> AsyncIterator[Conversation]:
        """All conversations of the person, page by page."""
        after: str | None = None
        while True:
            page = await self.conversations(query=query, limit=100, after=after)
            for conversation in page.conversations:
                yield conversation
            if not page.next:
                return
            after = page.next

    async def conversation(self, conversation_id: str) -> Conversation:
        """One conversation, with its members."""
        return await self._get(Conversation, call("GET", path(_IN, conversation_id)))

    async def create_conversation(
        self,
        name: str,
        members: Iterable[str] = (),
        *,
        time_zone: str | None = None,
        history: str | None = None,
        visibility: str | None = None,
        key: str | None = None,
    ) -> Conversation:
        """Makes a group with the named people.

        Args:
            name: The name of the group.
            members: Ids of people; yours belongs among them.
            time_zone: An IANA name.
            history: `all` or `joined`: what people who join later can read.
            visibility: `members` or `everyone`.
            key: Repeats the request within ten minutes without making another group, also after a restart.
        """
        people = [{"userId": member} for member in members]
        body = given(name=name, members=people, time_zone=time_zone, history=history, visibility=visibility)
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return await self._get(
            Conversation, call("POST", "/v1/conversations", json=body, headers=headers, repeatable=True)
        )

    async def direct_conversation(self, with_user: str) -> Conversation:
        """The conversation of two people, which is made the first time."""
        request = call("POST", "/v1/direct", json={"with": with_user}, repeatable=True)
        return await self._get(Conversation, request)

    async def rename_conversation(self, conversation_id: str, name: str) -> None:
        """Gives a group another name."""
        await self._do(call("PUT", path(_IN + "/name", conversation_id), json={"name": name}))

    async def change_preferences(
        self,
        conversation_id: str,
        *,
        muted: bool | None | Unset = UNSET,
        pinned: bool | None | Unset = UNSET,
        archived: bool | None | Unset = UNSET,
        notifications: str | None | Unset = UNSET,
    ) -> Preferences:
        """Changes the person's own settings of a conversation. What is not named stays; `None` resets."""
        body = body_of(muted=muted, pinned=pinned, archived=archived, notifications=notifications)
        return await self._get(Preferences, call("PATCH", path(_IN + "/preferences", conversation_id), json=body))

    # People

    async def members(
        self, conversation_id: str, *, limit: int | None = None, after: str | None = None
    ) -> MemberPage:
        """A page of the members, by user id."""
        parameters = given(limit=limit, after=after)
        return await self._get(MemberPage, call("GET", path(_IN + "/members", conversation_id), query=parameters))

    async def add_member(self, conversation_id: str, user_id: str) -> Member:
        """Adds somebody to a group."""
        return await self._get(Member, call("PUT", path(_IN + "/members/{}", conversation_id, user_id), json={}))

    async def remove_member(self, conversation_id: str, user_id: str) -> None:
        """Removes somebody from a group; with the own id, leaves it."""
        await self._do(call("DELETE", path(_IN + "/members/{}", conversation_id, user_id)))

    async def set_role(self, conversation_id: str, user_id: str, role: str) -> None:
        """Makes somebody an `admin` of a group, or a `member`."""
        await self._do(call("PUT", path(_IN + "/members/{}/role", conversation_id, user_id), json={"role": role}))

    async def find_people(self, query: str, *, limit: int | None = None) -> list[Person]:
        """Accounts whose name or id has a word that begins with the query."""
        value = await self.request("GET", "/v1/people", query=given(q=query, limit=limit))
        return [decode(Person, person) for person in value["people"]]

    # Messages

    async def messages(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        before: str | None = None,
        after: str | None = None,
        around: str | None = None,
        at: datetime | None = None,
    ) -> MessagePage:
        """A page of messages, newest first.

        `around="unread"` shows the first unread message, `at` the first one from a time on (`first_id`).
        """
        parameters = given(limit=limit, before=before, after=after, around=around, at=at)
        return await self._get(MessagePage, call("GET", path(_IN + "/messages", conversation_id), query=parameters))

    async def all_messages(self, conversation_id: str) -> AsyncIterator[Message]:
        """All messages from the newest to the oldest, page by page."""
        before: str | None = None
        while True:
            page = await self.messages(conversation_id, limit=200, before=before)
            for message in page.messages:
                yield message
            if not page.has_older or not page.messages:
                return
            before = page.messages[-1].id

    async def message(self, conversation_id: str, message_id: str) -> Message:
        """One message."""
        return await self._get(Message, call("GET", path(_IN + "/messages/{}", conversation_id, message_id)))

    async def save(
        self, conversation_id: str, message_id: str, *, remind_at: datetime | None | Unset = UNSET
    ) -> None:
        """Saves a message for the person. Nobody else sees it.

        Args:
            conversation_id: The conversation.
            message_id: The message.
            remind_at: When the person is reminded of it; `None` ends the reminder.
        """
        place = path(_IN + "/messages/{}/saved", conversation_id, message_id)
        await self._do(call("PUT", place, json=body_of(remind_at=remind_at) or None))

    async def end_saving(self, conversation_id: str, message_id: str) -> None:
        """Ends that a message is saved."""
        await self._do(call("DELETE", path(_IN + "/messages/{}/saved", conversation_id, message_id)))

    async def saved(
        self, *, reminders: bool | None = None, limit: int | None = None, before: int | None = None
    ) -> SavedPage:
        """The saved messages, the last saved first. `next` of a page is the `before` of the next one.

        With `reminders` only those with a reminder.
        """
        query = given(reminders="true" if reminders else None, limit=limit, before=before)
        return await self._get(SavedPage, call("GET", "/v1/saved", query=query))

    async def scheduled(self) -> list[ScheduledMessage]:
        """The messages that the person wrote to be sent later, the next one first."""
        return (await self._get(ScheduledList, call("GET", "/v1/scheduled"))).messages

    async def schedule(
        self,
        conversation_id: str,
        text: str,
        send_at: datetime,
        *,
        id: str | None = None,
        reply_to: str | None = None,
        thread_root: str | None = None,
    ) -> ScheduledMessage:
        """Writes a message that is sent later. Nobody else sees it before.

        Args:
            conversation_id: Where to send it.
            text: The text.
            send_at: When to send it: in the future, at most 366 days ahead.
            id: The id of the message. The same call with the same id changes nothing.
            reply_to: The message to which it replies.
            thread_root: The first message of its thread.
        """
        body = given(
            id=id or new_local_id(), text=text, send_at=send_at, reply_to=reply_to, thread_root=thread_root
        )
        place = path(_IN + "/scheduled", conversation_id)
        return await self._get(ScheduledMessage, call("POST", place, json=body, repeatable=True))

    async def change_scheduled(
        self, scheduled_id: str, *, text: str | None = None, send_at: datetime | None = None
    ) -> ScheduledMessage:
        """Another text or time. Another time lets a message that was refused wait again."""
        place = path("/v1/scheduled/{}", scheduled_id)
        return await self._get(ScheduledMessage, call("PATCH", place, json=given(text=text, send_at=send_at)))

    async def send_scheduled(self, scheduled_id: str) -> None:
        """Sends a scheduled message now."""
        await self._do(call("POST", path("/v1/scheduled/{}/send", scheduled_id)))

    async def delete_scheduled(self, scheduled_id: str) -> None:
        """Deletes a scheduled message."""
        await self._do(call("DELETE", path("/v1/scheduled/{}", scheduled_id)))

    async def post(
        self,
        conversation_id: str,
        text: str = "",
        *,
        local_id: str | None = None,
        reply_to: str | None = None,
        thread_root: str | None = None,
        attachments: Sequence[str] = (),
        extra: dict[str, Any] | None = None,
    ) -> Posted:
        """Sends a message. It is repeated until the server has it, and stored once.

        Args:
            conversation_id: Where to send it.
            text: May be empty if there are attachments.
            local_id: An id of this client for the message. Give your own, from `new_local_id()`, if the program may
                try again later, for instance after a restart: the same id is the same message.
            reply_to: The id of a message of the conversation.
            thread_root: The id of the message with which a thread begins.
            attachments: Ids of uploaded files.
            extra: Your own fields.
        """
        body = given(
            text=text,
            local_id=local_id or new_local_id(),
            reply_to=reply_to,
            thread_root=thread_root,
            attachments=list(attachments) or None,
            extra=extra,
        )
        request = call("POST", path(_IN + "/messages", conversation_id), json=body, repeatable=True)
        return await self._get(Posted, request)

    async def edit_message(
        self, conversation_id: str, message_id: str, text: str, *, attachments: Sequence[str] | None = None
    ) -> None:
        """Replaces the text of an own message, and its files if they are given."""
        body = given(text=text, attachments=None if attachments is None else list(attachments))
        await self._do(call("PATCH", path(_IN + "/messages/{}", conversation_id, message_id), json=body))

    async def delete_message(self, conversation_id: str, message_id: str) -> None:
        """Deletes an own message."""
        await self._do(call("DELETE", path(_IN + "/messages/{}", conversation_id, message_id)))

    async def react(self, conversation_id: str, message_id: str, emoji: str) -> None:
        """Adds the person's reaction."""
        await self._do(call("PUT", path(_IN + "/messages/{}/reactions/{}", conversation_id, message_id, emoji)))

    async def remove_reaction(self, conversation_id: str, message_id: str, emoji: str) -> None:
        """Removes the person's reaction."""
        await self._do(call("DELETE", path(_IN + "/messages/{}/reactions/{}", conversation_id, message_id, emoji)))

    async def replies(self, conversation_id: str, message_id: str, *, after: str | None = None) -> list[Message]:
        """Messages that reply to a message or are in its thread, oldest first."""
        place = path(_IN + "/messages/{}/replies", conversation_id, message_id)
        value = await self.request("GET", place, query=given(after=after))
        return [decode(Message, message) for message in value["messages"]]

    # Receipts

    async def mark_read(self, conversation_id: str, up_to: str) -> None:
        """Marks a message and all earlier ones as read."""
        await self._do(call("POST", path(_IN + "/read", conversation_id), json={"upTo": up_to}, repeatable=True))

    async def mark_unread(self, conversation_id: str, from_: str) -> None:
        """Marks a message and all later ones as unread."""
        await self._do(call("POST", path(_IN + "/unread", conversation_id), json={"from": from_}, repeatable=True))

    async def receipts(self, conversation_id: str) -> list[Receipt]:
        """How far each member has received and read a conversation."""
        value = await self.request("GET", path(_IN + "/receipts", conversation_id))
        return [decode(Receipt, receipt) for receipt in value["receipts"]]
