"""What differs between the two clients: this file and its namesake of the other client are written by hand."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import IO, TypeVar, Union

import anyio
import anyio.to_thread
import httpx

T = TypeVar("T")

HTTPClient = httpx.AsyncClient
HTTPTransport = httpx.AsyncBaseTransport
Lock = anyio.Lock
sleep = anyio.sleep

#: Returns a token; takes the token that the server refused, or `None` for the first one.
TokenProvider = Callable[[Union[str, None]], Union[str, Awaitable[str]]]


async def provide(provider: TokenProvider, refused: str | None) -> str:
    """Asks a provider for a token."""
    token = provider(refused)
    return await token if inspect.isawaitable(token) else token


async def in_thread(function: Callable[[], T]) -> T:
    """Does what waits for a disk."""
    return await anyio.to_thread.run_sync(function)


async def pieces_of(file: IO[bytes], size: int) -> AsyncIterator[bytes]:
    """Reads a file piece by piece, without holding up other tasks."""
    while piece := await anyio.to_thread.run_sync(file.read, size):
        yield piece


async def open_file(path: Path, mode: str) -> IO[bytes]:
    """Opens a file."""
    return await anyio.to_thread.run_sync(lambda: open(path, mode))  # noqa: SIM115
