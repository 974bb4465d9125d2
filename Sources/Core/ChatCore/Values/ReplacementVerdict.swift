/// What a person says about an earlier message and a later one: the later one replaced it, or it still holds.
public struct ReplacementVerdict: Hashable, Sendable {
    /// What is said.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The earlier statement still holds after the later message.
        case holds
        /// The later message replaced the earlier statement.
        case replaced
    }

    /// What a verdict is about.
    public struct Subject: Hashable, Sendable {
        /// The earlier message.
        public var older: MessageKey
        /// The statement in its ``Message/shownText``, in UTF-16 code units; nil for all of it.
        public var range: Range<Int>?
        /// The later message.
        public var newer: MessageKey

        public init(older: MessageKey, range: Range<Int>? = nil, newer: MessageKey) {
            (self.older, self.range, self.newer) = (older, range, newer)
        }
    }

    /// The most verdicts of a person on the statements of a message and one later message.
    public static let limit = 8

    /// What is said.
    public var kind: Kind
    /// The earlier message.
    public var older: MessageKey
    /// See ``Subject/range``.
    public var range: Range<Int>?
    /// The later message, which the reader may see.
    public var newer: Message
    /// The later message's conversation.
    public var conversation: PermittedConversation
    /// Who says it.
    public var userID: UserID
    /// The name in the earlier message's conversation, or else the id.
    public var userName: String
    /// When it was said.
    public var saidAt: Timestamp

    public init(
        _ kind: Kind, older: MessageKey, range: Range<Int>? = nil, newer: Message,
        in conversation: PermittedConversation,
        by userID: UserID, named userName: String, at saidAt: Timestamp
    ) {
        (self.kind, self.older, self.range) = (kind, older, range)
        (self.newer, self.conversation) = (newer, conversation)
        (self.userID, self.userName, self.saidAt) = (userID, userName, saidAt)
    }

    /// Whether it is about a part of the earlier message, in UTF-16 code units; nil for all of it.
    public func covers(_ part: Range<Int>?) -> Bool {
        guard let range, let part else { return true }
        return range.overlaps(part)
    }
}

extension [ReplacementVerdict] {
    /// The verdicts that still count, of those on one earlier message in the order in which they were said.
    ///
    /// The last one wins. Who says that a statement holds after a message says so of all messages before that one. Who
    /// names the message that replaced it overrules who named another one, and who said that it holds after that.
    public var standing: [ReplacementVerdict] {
        reduce(into: []) { kept, verdict in
            kept.removeAll { other in
                guard verdict.range == nil || verdict.range == other.range else { return false }
                return switch (verdict.kind, other.kind) {
                case (.holds, _): other.newer.timestamp <= verdict.newer.timestamp
                case (.replaced, .replaced): true
                case (.replaced, .holds): other.newer.timestamp >= verdict.newer.timestamp
                }
            }
            kept.append(verdict)
        }
    }
}
