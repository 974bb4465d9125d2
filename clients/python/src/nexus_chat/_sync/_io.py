"""What differs between the two clients: this file and its namesake of the other client are written by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TypeVar, Union

import httpx

T = TypeVar("T")

HTTPClient = httpx.Client
HTTPTransport = httpx.BaseTransport
Lock = threading.Lock
sleep = time.sleep

#: Returns a token; takes the token that the server refused, or `None` for the first one.
TokenProvider = Callable[[Union[str, None]], str]


def provide(provider: TokenProvider, refused: str | None) -> str:
    """Asks a provider for a token."""
    return provider(refused)


def in_thread(function: Callable[[], T]) -> T:
    """Does what waits for a disk."""
    return function()


def pieces_of(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Reads a file piece by piece."""
    while piece := file.read(size):
        yield piece


def open_file(path: Path, mode: str) -> IO[bytes]:
    """Opens a file."""
    return open(path, mode)
