"""Puts the events of a streamed answer together: no network here."""

from __future__ import annotations

import json
from typing import Any, cast

from ._decode import decode
from ._events import ServerEvent
from .errors import UnexpectedReplyError, api_error
from .events import (
    AnswerChecked,
    Answered,
    AnswerEvent,
    CitationAdded,
    Progress,
    Reading,
    SourcesFound,
    TextAdded,
)
from .models import Answer, AnswerSentence, Citation, Source


class AnswerSoFar:
    """What a client shows while an answer is made."""

    def __init__(self) -> None:
        #: The messages that were found; those of `answer` have numbers.
        self.sources: list[Source] = []
        self.text = ""
        self.citations: list[Citation] = []
        #: The checked sentences, once they are.
        self.sentences: list[AnswerSentence] | None = None
        #: The whole answer, at the end.
        self.answer: Answer | None = None

    def take(self, event: ServerEvent) -> AnswerEvent | None:
        """Applies an event and returns it typed, or `None` for one of a newer server. Raises the error of `error`."""
        try:
            data = json.loads(event.data)
        except ValueError:
            raise UnexpectedReplyError("an event of the answer is no JSON") from None
        if event.name == "error":
            problem = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
            raise api_error(int(problem.get("status") or 500), problem)
        return self._apply(event.name, data)

    def _apply(self, name: str, data: Any) -> AnswerEvent | None:
        if name == "progress":
            return decode(Progress, data)
        if name == "reading":
            return decode(Reading, data)
        if name == "retrieval":
            found = decode(SourcesFound, data)
            self.sources = found.sources
            return found
        if name == "delta":
            piece = decode(TextAdded, data)
            self.text += piece.text
            return piece
        if name == "citation":
            citation = decode(Citation, data)
            self.citations = [*self.citations, citation]
            return CitationAdded(citation=citation)
        if name == "support":
            checked = decode(AnswerChecked, data)
            self.text, self.citations, self.sentences = checked.answer, checked.citations, checked.sentences
            return checked
        if name == "done":
            answer = decode(Answer, data)
            self.text, self.citations, self.sentences = answer.answer, answer.citations, answer.sentences
            self.sources, self.answer = answer.sources, answer
            return Answered(answer=answer)
        return None
