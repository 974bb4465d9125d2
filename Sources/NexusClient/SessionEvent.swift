public import NexusModel

/// The connection of a session.
public enum ConnectionState: Hashable, Sendable {
    /// Not connected; the session tries again by itself.
    case offline
    /// On the way.
    case connecting
    /// Connected; what was missed is on its way.
    case catchingUp
    /// Connected and up to date.
    case live
    /// The server does not accept a fresh token; the session has ended.
    case signedOut

    /// Whether messages can be exchanged.
    public var isConnected: Bool { self == .catchingUp || self == .live }
}

/// Something that a front end shows.
public enum SessionEvent: Hashable, Sendable {
    /// The connection changed.
    case connection(ConnectionState)
    /// A snapshot replaced everything that was known.
    case restarted
    /// The state took this change.
    case change(FeedChange)
    /// The newest page of a conversation was loaded.
    case loaded(conversationId: String)
    /// The presence of watched people.
    case presence([ChatPresence])
    /// Somebody types in the open conversation.
    case typing(ChatTyping)
    /// An outgoing message changed its state.
    case outgoing(OutgoingMessage)
    /// Something failed that the session does not repeat.
    case failure(SessionError)
}

/// A message that this client sends.
public struct OutgoingMessage: Hashable, Sendable, Identifiable {
    /// How far it is.
    public enum State: Hashable, Sendable {
        /// It waits for earlier ones of its conversation, or for the connection.
        case queued
        /// It is on its way.
        case sending
        /// The server has stored it.
        case sent(seq: Int64?)
        /// It came back in the feed.
        case confirmed
        /// The server refused it; later ones of its conversation wait until it is retried or discarded.
        case failed(SessionError)
    }

    /// The id that this client chose; the server keeps it for ever.
    public let localId: String
    /// The conversation.
    public let conversationId: String
    /// The text.
    public let text: String
    /// The message that it replies to.
    public let replyTo: String?
    /// How far it is.
    public internal(set) var state = State.queued

    public var id: String { localId }
}

/// Errors of a session; no message text is in them.
public enum SessionError: Error, Hashable, Sendable {
    /// The server could not be reached, or did not answer.
    case unavailable
    /// The server refused a request.
    case refused(status: Int, code: String, detail: String, retryAfter: Int?)
    /// The server does not accept a fresh token.
    case signedOut
    /// The reply cannot be read.
    case unreadable

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let status, _, _, _): [408, 425, 429].contains(status) || (500...599).contains(status)
        case .signedOut, .unreadable: false
        }
    }

    /// The seconds that the server asked to wait.
    public var retryAfter: Int? {
        if case .refused(_, _, _, let seconds) = self { seconds } else { nil }
    }
}
