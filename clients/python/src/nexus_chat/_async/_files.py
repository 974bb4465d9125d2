"""Files up and down."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx

from .._wire import Call, call, path
from ..errors import NexusError, NoConnectionError
from ..models import StoredFile
from ._core import AsyncCore
from ._io import in_thread, open_file, pieces_of, sleep

#: Takes the bytes that were carried, and how many there are; 0 if that is not known.
OnProgress = Callable[[int, int], None]

_PIECE = 65_536
_LONG = 600.0


class AsyncFileCalls(AsyncCore):
    """Files up and down."""

    async def upload(
        self,
        source: bytes | str | os.PathLike[str],
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> StoredFile:
        """Uploads bytes or the file at a path. A message takes it with `post(…, attachments=[file.id])`.

        An upload whose reply is lost is not repeated by itself, because the server would keep a second file for a day.
        """
        if isinstance(source, bytes):
            size = len(source)
            content: Callable[[], AsyncIterator[bytes]] = partial(_piece, source)
            name = name or "file"
        else:
            file = Path(source)
            size = (await in_thread(file.stat)).st_size
            content = partial(_read, file, size, on_progress)
            name = name or file.name
        request = call(
            "POST",
            "/v1/files",
            query={"name": name},
            content=content,
            headers={"Content-Type": "application/octet-stream", "Content-Length": str(size)},
            timeout=_LONG,
        )
        stored = await self._get(StoredFile, request)
        if on_progress:
            on_progress(size, size)
        return stored

    async def download(self, file_id: str) -> bytes:
        """The bytes of a file, which must fit into memory."""
        return (await self._send(call("GET", path("/v1/files/{}", file_id), timeout=_LONG))).content

    async def download_to(
        self, file_id: str, target: str | os.PathLike[str], *, on_progress: OnProgress | None = None
    ) -> None:
        """Writes a file to a path. After a broken connection it continues where it was; the path has all of it or nothing."""
        part = Path(f"{os.fspath(target)}.part")
        request = call("GET", path("/v1/files/{}", file_id), silence=60.0, headers={"Accept-Encoding": "identity"})
        out = await open_file(part, "wb")
        try:
            received, tag, attempt = 0, None, 0
            while True:
                try:
                    reply = await self._send(_rest(request, received, tag), stream=True)
                    if reply.status_code != 206:
                        received = 0
                        await in_thread(lambda: (out.seek(0), out.truncate()))
                    tag = reply.headers.get("etag")
                    total = received + int(reply.headers.get("content-length") or 0)
                    async for piece in _body(reply):
                        await in_thread(partial(out.write, piece))
                        received += len(piece)
                        attempt = 0
                        if on_progress:
                            on_progress(received, total)
                    break
                except NexusError as error:
                    attempt += 1
                    wait = self._retries.wait(request, attempt, error)
                    if wait is None:
                        raise
                    await sleep(wait)
            await in_thread(out.close)
            await in_thread(lambda: part.replace(target))
        finally:
            await in_thread(out.close)
            with suppress(OSError):
                await in_thread(lambda: part.unlink(missing_ok=True))

    async def delete_file(self, file_id: str) -> None:
        """Deletes an uploaded file that no message has taken."""
        await self._do(call("DELETE", path("/v1/files/{}", file_id)))


async def _piece(data: bytes) -> AsyncIterator[bytes]:
    yield data


async def _read(file: Path, size: int, on_progress: OnProgress | None) -> AsyncIterator[bytes]:
    sent = 0
    opened = await open_file(file, "rb")
    try:
        async for piece in pieces_of(opened, _PIECE):
            yield piece
            sent += len(piece)
            if on_progress and sent < size:
                on_progress(sent, size)
    finally:
        await in_thread(opened.close)


async def _body(reply: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for piece in reply.aiter_bytes():
            yield piece
    except httpx.HTTPError as error:
        raise NoConnectionError(str(error) or type(error).__name__) from error
    finally:
        await reply.aclose()


def _rest(request: Call, received: int, tag: str | None) -> Call:
    if not received or not tag:
        return request
    return call(
        "GET",
        request.path,
        silence=request.silence,
        headers={**request.headers, "Range": f"bytes={received}-", "If-Range": tag},
    )
