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
    /// The session has ended: the person has to sign in again.
    case signedOut(SignOutReason)

    /// Whether messages can be exchanged.
    public var isConnected: Bool { self == .catchingUp || self == .live }

    /// Whether the session has ended.
    public var isSignedOut: Bool { if case .signedOut = self { true } else { false } }
}

/// How far a session is with what was missed while it was not connected.
public struct CatchUpProgress: Hashable, Sendable {
    /// Steps that are done: the first frame of the feed, and conversations that were loaded.
    public var done: Int
    /// All steps that are known so far.
    public var count: Int

    public init(done: Int, count: Int) {
        self.done = done
        self.count = count
    }
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
    /// A part of an answer that the assistant is making for the person, on this device or another one.
    case answerPiece(AnswerPieceMessage)
    /// An outgoing message changed its state.
    case outgoing(OutgoingMessage)
    /// An edit, a deletion or a reaction that waits to be sent changed its state.
    case outgoingChange(OutgoingChange)
    /// How far the session is with what was missed.
    case progress(CatchUpProgress)
    /// Something failed that the session does not repeat.
    case failure(SessionError)
}

/// Errors of a session; no message text is in them.
public enum SessionError: Error, Hashable, Sendable, Codable {
    /// The server could not be reached, or did not answer.
    case unavailable
    /// The server refused a request.
    case refused(status: Int, code: String, detail: String, retryAfter: Int?)
    /// The session has ended: the person has to sign in again.
    case signedOut(SignOutReason)
    /// The reply cannot be read.
    case unreadable
    /// The store of this device failed.
    case storage(StoreError)

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .unavailable: true
        case .refused(let status, _, _, _): [408, 425, 429].contains(status) || (500...599).contains(status)
        case .signedOut, .unreadable, .storage: false
        }
    }

    /// Whether the session has ended.
    public var isSignedOut: Bool { if case .signedOut = self { true } else { false } }

    /// Whether the message that a request is about was deleted.
    var isGone: Bool {
        if case .refused(_, let code, _, _) = self {
            ["message_deleted", "message_not_found"].contains(code)
        } else {
            false
        }
    }

    /// The seconds that the server asked to wait.
    public var retryAfter: Int? {
        if case .refused(_, _, _, let seconds) = self { seconds } else { nil }
    }
}
