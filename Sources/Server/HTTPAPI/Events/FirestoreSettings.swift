package import ChatCore

/// The mapping of Firestore documents to messages and conversations.
package struct FirestoreSettings: Sendable, Equatable {
    /// The names of a message's fields; a dot leads into a map.
    package struct Fields: Sendable, Equatable {
        /// The text.
        package var text: String
        /// The writer's id: a text, or a reference to the user's document.
        package var senderID: String
        /// The writer's name; optional.
        package var senderName: String
        /// The time of writing: a timestamp, ISO 8601 or milliseconds; optional.
        package var timestamp: String

        /// Names that are left out have their usual values.
        package init(
            text: String = "text", senderID: String = "senderId", senderName: String = "senderName",
            timestamp: String = "timestamp"
        ) {
            self.text = text
            self.senderID = senderID
            self.senderName = senderName
            self.timestamp = timestamp
        }
    }

    /// The secret that the sender of events must send; nil to accept no events.
    package var secret: SecretText?
    /// The path of messages: names of collections, `{c}` for the conversation's id and `{m}` for the message's.
    package var messagePath: String
    /// The names of a message's fields.
    package var fields: Fields

    /// The defaults accept no events.
    package init(
        secret: SecretText? = nil, messagePath: String = "conversations/{c}/messages/{m}", fields: Fields = Fields()
    ) {
        self.secret = secret
        self.messagePath = messagePath
        self.fields = fields
    }

    /// Whether a path names `{c}` and `{m}` once each, with `{m}` at its end.
    package static func isUsable(messagePath: String) -> Bool {
        let parts = messagePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.last == "{m}" && parts.filter { $0 == "{c}" }.count == 1
            && parts.filter { $0 == "{m}" }.count == 1 && parts.count.isMultiple(of: 2)
            && parts.allSatisfy { !$0.isEmpty }
    }
}

/// The conversation or message of a document's path.
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
