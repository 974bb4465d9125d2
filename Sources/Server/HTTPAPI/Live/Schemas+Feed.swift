import ChatCore
import LiveChat
import NexusModel

/// What clients of the feed say, and the events of its streams.
extension JSONSchema {
    static let saying = closed(
        .always("stream", string.described("The id in the first event of the stream.")),
        .always("type", word(["active", "ack", "open", "typing", "watch"])), .maybe("active", flag),
        .maybe("cursor", string), .maybe("conversationId", identifier), .maybe("typing", flag),
        .maybe("userIds", array(of: identifier)),
        .maybe("userId", identifier.described("The asker, if the caller may name one."))
    ).named("Saying")

    static let streamName = reply(FeedStreamName.self)
    static let heartbeat = reply(FeedHeartbeat.self)
    static let resync = reply(FeedEnding.self, notes: ReplyNotes("Resync"))
    static let streamEnd = reply(
        FeedEnding.self,
        notes: ReplyNotes("StreamEnd", ["reason": word(["token_expired", "key_invalid", "user_erased"])]))
    static let ticket = reply(FeedTicket.self)

    fileprivate static let presenceMessage = reply(PresenceList.self).adding([.type("presence")])
    fileprivate static let typingMessage = reply(ChatTyping.self).adding([.type("typing")])
    fileprivate static let deltaMessage = reply(AnswerPieceMessage.self).adding([.type("delta")])
    fileprivate static let heartbeatMessage = heartbeat.adding([.type("heartbeat")]).named("HeartbeatMessage")
    fileprivate static let resyncMessage = closed(.type("resync")).named("ResyncMessage")
    /// What the server sends over a socket: frames, which have no type, and what its type tells apart.
    ///
    /// It has no name, because generators cannot type a choice inside of another one.
    static let socketMessage = anyOf(
        feedFrame,
        oneOf([heartbeatMessage, presenceMessage, typingMessage, deltaMessage, resyncMessage, errorMessage])
            .named("SocketEvent"))

    fileprivate static let errorMessage = reply(SocketFault.self).adding([.type("error")])
}

extension FeedStreamName: NotedReply {
    static let replyNotes = ReplyNotes("Stream")
}

extension FeedHeartbeat: NotedReply {
    static let replyNotes = ReplyNotes("Heartbeat", ["cursor": .cursor])
}

extension FeedTicket: NotedReply {
    static let replyNotes = ReplyNotes("Ticket")
}

extension PresenceList: NotedReply {
    static let replyNotes = ReplyNotes("PresenceMessage")
}

extension ChatPresence: NotedReply {
    static let replyNotes = ReplyNotes(
        "WatchedPerson", ["status": .word(PresenceStatus.self), "lastBeat": .time, "lastSeen": .time])
}

extension ChatTyping: NotedReply {
    static let replyNotes = ReplyNotes(
        "TypingMessage", ["milliseconds": .integer(atLeast: 0).described("0: no longer.")])
}

extension AnswerPieceMessage: NotedReply {
    static let replyNotes = ReplyNotes(
        "DeltaMessage",
        [
            "answerId": .string,
            "start": .integer(atLeast: 0).described("How many Unicode scalars of the answer come before the text."),
            "done": .flag.described("In the last one: whether there is an answer."),
        ])
}

extension SocketFault: NotedReply {
    static let replyNotes = ReplyNotes("ErrorMessage")
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
    /// What a client sends, of every type.
    static let saying = JSONSchema.oneOf(live.fromClient.map(\.data)).named("ClientMessage")

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
                data: .closed(.type("active"), .maybe("active", .flag)).named("SayActive")),
            StreamEvent(
                name: "ack", summary: "The device has everything up to a cursor, as POST /v1/feed/ack.",
                data: .closed(.type("ack"), .always("cursor", .string)).named("SayAck")),
            StreamEvent(
                name: "open", summary: "This conversation is on the screen; without an id, none.",
                data: .closed(.type("open"), .maybe("conversationId", .identifier)).named("SayOpen")),
            StreamEvent(
                name: "typing", summary: "The person types in a conversation; false ends it.",
                data: .closed(
                    .type("typing"), .always("conversationId", .identifier), .maybe("typing", .flag)
                ).named("SayTyping")),
            StreamEvent(
                name: "watch", summary: "Asks for the presence of at most 200 people.",
                data: .closed(.type("watch"), .maybe("userIds", .array(of: .identifier))).named("SayWatch")),
        ])
}

extension JSONSchema.Property {
    /// The field that tells messages apart.
    fileprivate static func type(_ word: String) -> JSONSchema.Property { .always("type", .word([word])) }
}
