/// The data of the event `stream`, the first of a feed.
public struct FeedStreamName: Hashable, Sendable, Codable {
    /// The id of the stream for `POST /v1/feed/say`.
    public var stream: String

    public init(stream: String) {
        self.stream = stream
    }
}

/// The data of the event `heartbeat`: nothing changed, the cursor moved on.
public struct FeedHeartbeat: Hashable, Sendable, Codable {
    /// The cursor from now on.
    public var cursor: FeedCursor

    public init(cursor: FeedCursor) {
        self.cursor = cursor
    }
}

/// The data of the events `resync` and `end`, the last of a feed.
public struct FeedEnding: Hashable, Sendable, Codable {
    /// A stable word, such as `cursor_expired`.
    public var reason: String

    public init(reason: String) {
        self.reason = reason
    }
}

/// A ticket for a socket: the reply of `POST /v1/feed/ticket`.
public struct FeedTicket: Hashable, Sendable, Codable {
    /// Opens one socket or stream.
    public var ticket: String
    /// How long it is valid, in seconds.
    public var expiresIn: Int

    public init(ticket: String, expiresIn: Int) {
        self.ticket = ticket
        self.expiresIn = expiresIn
    }
}

/// The presence of watched people.
public struct PresenceList: Hashable, Sendable, Codable {
    /// The people, by user.
    public var people: [ChatPresence]

    public init(people: [ChatPresence]) {
        self.people = people
    }
}

/// A part of an answer that the assistant is making for the person.
public struct AnswerPieceMessage: Hashable, Sendable, Codable {
    /// Tells answers apart.
    public var answerId: String
    /// The thread of the question.
    public var threadId: String?
    /// The conversation whose assistant answers.
    public var conversationId: String?
    /// The message that mentions the assistant.
    public var messageId: String?
    /// The number of Unicode scalars of the answer that come before the text.
    public var start: Int
    /// The text.
    public var text: String
    /// In the last part: whether there is an answer.
    public var done: Bool?
    /// The stored turn of the answer.
    public var turnId: String?

    public init(answerId: String, start: Int, text: String) {
        self.answerId = answerId
        self.start = start
        self.text = text
    }
}

/// A message of the client could not be used.
public struct SocketFault: Hashable, Sendable, Codable {
    /// A stable word, such as `invalid_field`.
    public var code: String
    /// An explanation for developers.
    public var detail: String

    public init(code: String, detail: String) {
        self.code = code
        self.detail = detail
    }
}
