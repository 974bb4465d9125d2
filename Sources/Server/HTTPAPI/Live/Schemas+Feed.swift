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

    fileprivate static let heartbeatMessage = closed(
        .always("type", word(["heartbeat"])), .always("cursor", cursor)
    ).named("HeartbeatMessage")

    fileprivate static let resyncMessage = closed(.always("type", word(["resync"]))).named("ResyncMessage")

    fileprivate static let errorMessage = closed(
        .always("type", word(["error"])), .always("code", string), .always("detail", string)
    ).named("ErrorMessage")

    static let streamEnd = closed(.always("reason", word(["token_expired", "key_invalid", "user_erased"])))
        .named("StreamEnd")
}

extension StreamEvent {
    /// The events of `GET /v1/feed`.
    static let feed =
        [
            StreamEvent(
                name: "stream", summary: "The stream's id for POST /v1/feed/say. The first event.", data: .streamName),
            StreamEvent(name: "frame", summary: "Everything that changed since the last frame.", data: .feedFrame),
            StreamEvent(name: "heartbeat", summary: "Nothing changed; the cursor moved on.", data: .heartbeat),
        ] + people + [
            StreamEvent(
                name: "resync", summary: "The cursor expired: begin again with GET /v1/sync. The last event.",
                data: .resync
            ),
            StreamEvent(name: "end", summary: "The server ends the stream. The last event.", data: .streamEnd),
        ]

    /// What people do, on streams and sockets.
    fileprivate static let people = [
        StreamEvent(name: "presence", summary: "The presence of watched people.", data: .presenceMessage),
        StreamEvent(name: "typing", summary: "Somebody types in the open conversation.", data: .typingMessage),
        StreamEvent(name: "delta", summary: "A part of an answer to the asker.", data: .deltaMessage),
    ]
}

extension SocketDocument {
    /// The messages of `GET /v1/socket`.
    static let live = SocketDocument(
        subprotocol: liveSubprotocol,
        fromServer: [
            StreamEvent(name: nil, summary: "Everything that changed since the last frame.", data: .feedFrame),
            StreamEvent(name: "heartbeat", summary: "Nothing changed; the cursor moved on.", data: .heartbeatMessage),
        ] + StreamEvent.people + [
            StreamEvent(
                name: "resync", summary: "The cursor expired: begin again with GET /v1/sync. The last message.",
                data: .resyncMessage),
            StreamEvent(
                name: "error", summary: "A message of the client cannot be used; the socket stays open.",
                data: .errorMessage),
        ],
        fromClient: [
            StreamEvent(
                name: "active", summary: "Keeps the person online, at least every 30 s; false means away.",
                data: .open(.type("active"), .maybe("active", .flag))),
            StreamEvent(
                name: "ack", summary: "The device has everything up to a cursor, as POST /v1/feed/ack.",
                data: .open(.type("ack"), .always("cursor", .string))),
            StreamEvent(
                name: "open", summary: "This conversation is on the screen; without an id, none.",
                data: .open(.type("open"), .maybe("conversationId", .identifier))),
            StreamEvent(
                name: "typing", summary: "The person types in a conversation; false ends it.",
                data: .open(.type("typing"), .always("conversationId", .identifier), .maybe("typing", .flag))),
            StreamEvent(
                name: "watch", summary: "Asks for the presence of at most 200 people.",
                data: .open(.type("watch"), .maybe("userIds", .array(of: .identifier)))),
        ])
}

extension JSONSchema.Property {
    /// The field that tells messages apart.
    fileprivate static func type(_ word: String) -> JSONSchema.Property { .always("type", .word([word])) }
}
