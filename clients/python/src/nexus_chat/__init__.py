"""A client of Nexus: live chat, search and answers with sources.

`Nexus` is for ordinary programs and threads, `AsyncNexus` for asyncio and trio. Both have the same methods.
"""

from ._answers import AnswerSoFar
from ._async import AsyncNexus
from ._async._answers import AsyncAnswerStream
from ._async._feed import AsyncFeed, AsyncLiveConversation
from ._sync import Nexus
from ._sync._answers import AnswerStream
from ._sync._feed import Feed, LiveConversation
from ._version import VERSION as __version__
from ._wire import UNSET, RetryPolicy, new_local_id
from .errors import (
    APIError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NexusError,
    NoConnectionError,
    NotFoundError,
    RateLimitedError,
    SignedOutError,
    SignInFailedError,
    UnexpectedReplyError,
)
from .sessions import FileSessionStore, MemorySessionStore, SavedSession, SessionStore
from .timeline import Timeline

__all__ = [
    "UNSET",
    "APIError",
    "AnswerSoFar",
    "AnswerStream",
    "AsyncAnswerStream",
    "AsyncFeed",
    "AsyncLiveConversation",
    "AsyncNexus",
    "ConflictError",
    "Feed",
    "FileSessionStore",
    "ForbiddenError",
    "InvalidRequestError",
    "LiveConversation",
    "MemorySessionStore",
    "Nexus",
    "NexusError",
    "NoConnectionError",
    "NotFoundError",
    "RateLimitedError",
    "RetryPolicy",
    "SavedSession",
    "SessionStore",
    "SignInFailedError",
    "SignedOutError",
    "Timeline",
    "UnexpectedReplyError",
    "__version__",
    "new_local_id",
]
