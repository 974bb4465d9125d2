/// How documents of Firestore are read as messages and conversations.
public struct FirestoreSettings: Sendable, Equatable {
    /// The names of a message's fields; a dot leads into a map.
    public struct Fields: Sendable, Equatable {
        /// What was written.
        public var text: String
        /// The writer's id: a text, or a reference to the user's document.
        public var senderID: String
        /// The writer's name; a message may lack it.
        public var senderName: String
        /// When it was written: a timestamp, ISO 8601 or milliseconds; a message may lack it.
        public var timestamp: String

        /// Makes the names; those left out are the usual ones.
        public init(
            text: String = "text", senderID: String = "senderId", senderName: String = "senderName",
            timestamp: String = "timestamp"
        ) {
            self.text = text
            self.senderID = senderID
            self.senderName = senderName
            self.timestamp = timestamp
        }
    }

    /// What the sender of events must know; nil for taking no events at all.
    public var secret: String?
    /// Where messages lie: names of collections, `{c}` for the conversation's id and `{m}` for the message's.
    public var messagePath: String
    /// The names of a message's fields.
    public var fields: Fields

    /// Makes settings; by themselves they take no events.
    public init(
        secret: String? = nil, messagePath: String = "conversations/{c}/messages/{m}", fields: Fields = Fields()
    ) {
        self.secret = secret
        self.messagePath = messagePath
        self.fields = fields
    }

    /// Whether a path names `{c}` and `{m}` once each, with `{m}` at its end.
    public static func isUsable(messagePath: String) -> Bool {
        let parts = messagePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.last == "{m}" && parts.filter { $0 == "{c}" }.count == 1
            && parts.filter { $0 == "{m}" }.count == 1 && parts.count.isMultiple(of: 2)
            && parts.allSatisfy { !$0.isEmpty }
    }
}

/// What a path of a document names.
enum FirestoreDocument: Equatable {
    case message(conversation: String, message: String)
    case conversation(String)

    /// Reads a path below `documents/`; nil for a document of another kind.
    init?(path: String, messagePath: String) {
        let pattern = messagePath.split(separator: "/")
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        // The conversation's document is the one whose id is `{c}`.
        let conversationLength = (pattern.firstIndex(of: "{c}") ?? 0) + 1
        guard parts.count == pattern.count || parts.count == conversationLength else { return nil }
        var ids: [Substring: String] = [:]
        for (part, wanted) in zip(parts, pattern) {
            if wanted.hasPrefix("{") { ids[wanted] = part } else if part != wanted { return nil }
        }
        guard let conversation = ids["{c}"] else { return nil }
        if parts.count == pattern.count, let message = ids["{m}"] {
            self = .message(conversation: conversation, message: message)
        } else {
            self = .conversation(conversation)
        }
    }
}
