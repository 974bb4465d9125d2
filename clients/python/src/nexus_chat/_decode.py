"""Reads JSON into dataclasses: `camelCase` becomes `snake_case`, what is not known is ignored."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .errors import UnexpectedReplyError

T = TypeVar("T")


def camel(name: str) -> str:
    """`sender_id` → `senderId`; a trailing underscore of reserved words is dropped."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in rest)


def decode(kind: type[T], value: Any) -> T:
    """Returns the value of a type, or raises `UnexpectedReplyError`."""
    return cast(T, _read(kind, value, kind.__name__))


@functools.lru_cache(maxsize=None)
def _fields(kind: Callable[..., Any]) -> list[tuple[str, str, Any, bool]]:
    hints = get_type_hints(kind)
    return [
        (
            field.name,
            camel(field.name),
            hints[field.name],
            field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
        )
        for field in dataclasses.fields(cast("type[Any]", kind))
    ]


def _read(kind: Any, value: Any, where: str) -> Any:
    if kind is Any or kind is object:
        return value
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        return _read(next(part for part in get_args(kind) if part is not type(None)), value, where)
    if origin is list:
        (item,) = get_args(kind)
        return [_read(item, element, where) for element in _checked(list, value, where)]
    if origin is dict:
        return cast("dict[str, Any]", _checked(dict, value, where))
    if dataclasses.is_dataclass(kind):
        return _record(cast("type[Any]", kind), cast("dict[str, Any]", _checked(dict, value, where)))
    if kind is datetime:
        return _time(_checked(str, value, where), where)
    if kind is float and isinstance(value, int):
        return float(value)
    return _checked(kind, value, where)


def _record(kind: type[Any], value: dict[str, Any]) -> Any:
    found: dict[str, Any] = {}
    for name, key, hint, required in _fields(cast("Callable[..., Any]", kind)):
        if value.get(key) is not None:
            found[name] = _read(hint, value[key], f"{kind.__name__}.{key}")
        elif required:
            raise UnexpectedReplyError(f"{kind.__name__}.{key} is missing in the server's reply")
    return kind(**found)


def _checked(kind: type[T], value: Any, where: str) -> T:
    if not isinstance(value, kind):
        raise UnexpectedReplyError(f"{where} is no {kind.__name__} in the server's reply")
    return value


def _time(text: str, where: str) -> datetime:
    # Before Python 3.11 `fromisoformat` knows neither Z nor fractions of other than 3 or 6 digits.
    match = re.fullmatch(r"(.{19})(?:\.(\d+))?(Z|[+-]\d\d:\d\d)", text)
    if not match:
        raise UnexpectedReplyError(f"{where} is no time in the server's reply")
    whole, fraction, zone = match.groups()
    zone = "+00:00" if zone == "Z" else zone
    try:
        return datetime.fromisoformat(f"{whole}.{(fraction or '0')[:6]:0<6}{zone}")
    except ValueError:
        raise UnexpectedReplyError(f"{where} is no time in the server's reply") from None


def encode_time(value: datetime) -> str:
    """ISO 8601 with a zone; a time without one is refused, because the server could only guess."""
    if value.tzinfo is None:
        raise ValueError("the time needs a zone: datetime.now(timezone.utc), or value.astimezone()")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
