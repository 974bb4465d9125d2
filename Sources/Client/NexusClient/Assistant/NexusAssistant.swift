import Foundation
public import NexusModel

/// The assistant as one person uses it.
///
/// Streams begin with their first read. A reader that stops, or whose task is cancelled, ends the request.
public struct NexusAssistant: Sendable {
    let session: NexusSession

    /// Asks across all conversations that the person may see.
    ///
    /// - Parameter question: The question.
    /// - Returns: The events of the answer: ``AnswerEvent/retrieval(_:)``, then text and citations, last
    ///   ``AnswerEvent/done(_:)``; throws ``SessionError`` instead of ``AnswerEvent/failed(_:)``.
    public func ask(_ question: AssistantQuestion) -> AsyncThrowingStream<AnswerEvent, any Error> {
        events("/v1/ask", question)
    }

    /// Asks the assistant of one conversation, which knows no other.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - conversation: The conversation.
    /// - Returns: The events of the answer, as those of ``ask(_:)``; ``AnswerEvent/progress(part:parts:)`` comes while
    ///   parts of a long conversation are summarized.
    public func ask(
        _ question: ConversationQuestion, in conversation: String
    ) -> AsyncThrowingStream<AnswerEvent, any Error> {
        events(NexusSession.path(conversation, "assistant"), question)
    }

    /// Summarizes a conversation, or some of its messages; needs a language model.
    ///
    /// - Parameters:
    ///   - request: The messages.
    ///   - conversation: The conversation.
    /// - Returns: The events of the summary, as those of ``ask(_:)``.
    public func summarize(
        _ request: SummaryRequest = SummaryRequest(), of conversation: String
    ) -> AsyncThrowingStream<AnswerEvent, any Error> {
        events(NexusSession.path(conversation, "summary"), request)
    }

    /// Finds messages.
    public func search(_ search: MessageSearch) async throws(SessionError) -> [ChatSearchResult.Found] {
        try await searchPage(search).results
    }

    /// Finds messages, page by page.
    ///
    /// For the next page set ``MessageSearch/cursor`` to the page's ``ChatSearchResult/next``, and nothing else. No
    /// message comes twice, and messages that are newer than the first page do not come.
    public func searchPage(_ search: MessageSearch) async throws(SessionError) -> ChatSearchResult {
        try await session.fetch("POST", "/v1/search", search)
    }

    /// Returns what messages state about a subject, newest first, with what later ones replace.
    public func timeline(_ request: TimelineRequest) async throws(SessionError) -> ChatTimeline {
        try await session.fetch("POST", "/v1/timeline", request)
    }

    /// Says of a message of a timeline or an answer that a later one replaced it, or that it still holds.
    ///
    /// Everybody who may read both messages sees it with the person's name. The last one who says something decides.
    public func setVerdict(_ verdict: NewVerdict) async throws(SessionError) {
        try await session.change("POST", "/v1/timeline/verdicts", verdict)
    }

    private func events(
        _ path: String, _ body: some Encodable & Sendable
    ) -> AsyncThrowingStream<AnswerEvent, any Error> {
        let reader = AnswerReader { [session] in
            guard let data = try? JSONEncoder().encode(body) else { throw SessionError.unreadable }
            let headers = ["Content-Type": "application/json", "Accept": "text/event-stream"]
            return try await session.openStream(ClientRequest("POST", path, headers: headers, body: data))
        }
        return AsyncThrowingStream { try await reader.next() }
    }
}

extension NexusSession {
    /// The assistant.
    public nonisolated var assistant: NexusAssistant { NexusAssistant(session: self) }

    /// Returns the path of something in a conversation.
    static func path(_ conversation: String, _ parts: String...) -> String {
        "/v1/conversations/" + ([conversation] + parts).map { encoded($0) }.joined(separator: "/")
    }

    /// Returns a query with those parameters that have values.
    static func query(_ parameters: KeyValuePairs<String, String?>) -> String {
        let pairs = parameters.compactMap { name, value in value.map { "\(name)=\(encoded($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}
