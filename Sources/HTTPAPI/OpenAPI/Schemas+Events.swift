import ChatCore

/// The events of streams.
extension StreamEvent {
    /// Of `POST /v1/ask`, of the assistant inside a conversation and of its summaries.
    static let answer = [
        StreamEvent(
            name: "progress",
            summary: "Summaries that are written before the answer; comes first, any number of times.",
            data: JSONSchema.closed(.always("part", .integer(atLeast: 0)), .always("parts", .integer(atLeast: 0)))
                .named("ProgressEvent")),
        StreamEvent(
            name: "retrieval", summary: "What was found, before the first text. Sources have no numbers yet.",
            data: JSONSchema.closed(.always("sources", .array(of: .source()))).named("RetrievalEvent")),
        StreamEvent(
            name: "delta", summary: "More text of the answer. Citations in it have their final numbers.",
            data: JSONSchema.closed(.always("text", .string)).named("DeltaEvent")),
        StreamEvent(
            name: "citation", summary: "A citation in the text so far, and the message that its number means.",
            data: .citation),
        StreamEvent(name: "done", summary: "The whole answer; the last event.", data: .answer()),
        StreamEvent(name: "error", summary: "Why there is no answer; the last event.", data: .problem),
    ]

    /// Of a callable function that streams text.
    static func callable(_ result: JSONSchema, streamsText: Bool) -> [StreamEvent] {
        let message = StreamEvent(
            name: nil, summary: "More text of the answer.", data: .closed(.always("message", .string)))
        return (streamsText ? [message] : []) + [
            StreamEvent(name: nil, summary: "The result; the last event.", data: .callableResult(result)),
            StreamEvent(name: nil, summary: "Why there is none; the last event.", data: .callableProblem),
        ]
    }

    /// Of `POST /v1/chat/completions`.
    static let chat = [
        StreamEvent(
            name: nil,
            summary:
                "A piece of the answer; the last one with content may be the list of sources. The line [DONE] is last.",
            data: .chatChunk),
        StreamEvent(name: nil, summary: "Why the answer breaks off; the last event.", data: .openAIProblem),
    ]
}
