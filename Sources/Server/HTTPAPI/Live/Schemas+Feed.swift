import ChatCore
import LiveChat

/// What clients of the feed say, and the events of its streams.
extension JSONSchema {
    static let saying = open(
        .always("stream", string.described("The id in the first event of the stream.")),
        .always("type", word(["active", "ack", "open", "typing", "watch"])), .maybe("active", flag),
        .maybe("cursor", string), .maybe("conversationId", identifier), .maybe("typing", flag),
        .maybe("userIds", array(of: identifier)),
        .maybe("userId", identifier.described("The asker, if the caller may name one."))
    ).named("Saying")

    static let streamName = closed(.always("stream", string)).named("Stream")

    private static let watched = closed(
        .always("userId", identifier), .always("status", word(PresenceStatus.self)), .maybe("lastBeat", time),
        .maybe("lastSeen", time)
    ).named("WatchedPerson")

    static let presenceMessage = closed(
        .always("type", word(["presence"])), .always("people", array(of: watched))
    ).named("PresenceMessage")

    static let typingMessage = closed(
        .always("type", word(["typing"])), .always("conversationId", identifier), .always("userId", identifier),
        .always("milliseconds", integer(atLeast: 0).described("0: no longer."))
    ).named("TypingMessage")

    static let deltaMessage = closed(
        .always("type", word(["delta"])), .always("answerId", string), .maybe("threadId", identifier),
        .maybe("conversationId", identifier), .maybe("messageId", identifier),
        .always(
            "start", integer(atLeast: 0).described("How many Unicode scalars of the answer come before the text.")),
        .always("text", string),
        .maybe("done", flag.described("In the last one: whether there is an answer.")), .maybe("turnId", identifier)
    ).named("DeltaMessage")

    static let streamEnd = closed(.always("reason", word(["token_expired", "key_invalid", "user_erased"])))
        .named("StreamEnd")
}

extension StreamEvent {
    /// The events of `GET /v1/feed`.
    static let feed = [
        StreamEvent(
            name: "stream", summary: "The stream's id for POST /v1/feed/say. The first event.", data: .streamName),
        StreamEvent(name: "frame", summary: "Everything that changed since the last frame.", data: .feedFrame),
        StreamEvent(name: "heartbeat", summary: "Nothing changed; the cursor moved on.", data: .heartbeat),
        StreamEvent(name: "presence", summary: "The presence of watched people.", data: .presenceMessage),
        StreamEvent(name: "typing", summary: "Somebody types in the open conversation.", data: .typingMessage),
        StreamEvent(name: "delta", summary: "A part of an answer to the asker.", data: .deltaMessage),
        StreamEvent(
            name: "resync", summary: "The cursor expired: begin again with GET /v1/sync. The last event.", data: .resync
        ),
        StreamEvent(name: "end", summary: "The server ends the stream. The last event.", data: .streamEnd),
    ]
}
