import Crypto
import Foundation

/// What a language model wrote of parts of conversations.
///
/// A summary goes with each message that it is of: when one of them is edited, deleted or erased it is removed in the
/// same transaction. All calls throw ``RepositoryError``; ``RepositoryError/noSuchConversation(_:)`` stands for a
/// conversation that the asker may not see.
public protocol SummaryRepository: Sendable {
    /// Returns the summaries of a conversation that were written by a recipe.
    ///
    /// Messages may have come into a span since: whoever uses one compares its ``SpanSummary/contentHash``.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - recipe: See ``SpanSummary/recipe``.
    ///   - asker: Who reads.
    ///   - moment: The present time.
    /// - Returns: The summaries by level, those of one level in the order of the conversation; spans of one level do
    ///   not overlap.
    /// - Throws: ``RepositoryError``.
    func summaries(of id: ConversationID, by recipe: String, asker: UserID, at moment: Timestamp) async throws
        -> [SpanSummary]

    /// Keeps a summary, unless what it was written of is not as it was.
    ///
    /// Summaries of the same level that overlap it go, also those of other recipes.
    ///
    /// - Parameters:
    ///   - summary: What was written.
    ///   - parts: The summaries that it was written of; empty for one that was written of messages.
    ///   - asker: For whom.
    ///   - moment: The present time.
    /// - Returns: False when a message of the span has changed, came or went meanwhile, or a part is not kept any more;
    ///   nothing is stored then.
    /// - Throws: ``RepositoryError``; `invalid` for a text without words or longer than
    ///   ``SpanSummary/textByteLimit``.
    func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary], asker: UserID, at moment: Timestamp) async throws
        -> Bool
}

/// What a language model wrote of messages that follow one another in a conversation, or of such summaries.
public struct SpanSummary: Hashable, Sendable {
    /// A part of a conversation: two of its messages with everything between them.
    public struct Span: Hashable, Sendable {
        /// The first message.
        public var firstID: MessageID
        /// The last message, which may be the first.
        public var lastID: MessageID

        public init(firstID: MessageID, lastID: MessageID) {
            self.firstID = firstID
            self.lastID = lastID
        }
    }

    /// The longest text, in UTF-8 bytes.
    public static let textByteLimit = 64 * 1024

    /// Where.
    public let conversationID: ConversationID
    /// Which part of it.
    public var span: Span
    /// 0 for what was written of messages, else one more than the highest level of what it was written of.
    public var level: Int
    /// How many messages it is of.
    public var messageCount: Int
    /// What it was written of; messages or summaries.
    public var contentHash: [UInt8]
    /// By which model and which template it was written: of another recipe it is not used.
    public var recipe: String
    /// The summary; `[n]` in it cites the n-th of ``citedIDs``.
    public var text: String
    /// The messages that it cites, each once.
    public var citedIDs: [MessageID]
    /// When it was written.
    public var madeAt: Timestamp

    public init(
        conversationID: ConversationID, span: Span, level: Int = 0, messageCount: Int, contentHash: [UInt8],
        recipe: String, text: String, citedIDs: [MessageID], madeAt: Timestamp
    ) {
        self.conversationID = conversationID
        self.span = span
        self.level = level
        self.messageCount = messageCount
        self.contentHash = contentHash
        self.recipe = recipe
        self.text = text
        self.citedIDs = citedIDs
        self.madeAt = madeAt
    }
}

extension SpanSummary {
    /// Returns the SHA-256 of what a summary of these messages stands on: ids, names, times and texts, in order.
    ///
    /// Messages that are not summarised do not count; see ``Message/isSummarized``.
    public static func contentHash(of messages: some Sequence<Message>) -> [UInt8] {
        var hash = SHA256()
        for message in messages where message.isSummarized {
            hash.take(message.key.messageID.rawValue)
            hash.take(message.senderName)
            hash.take(String(message.timestamp.microseconds))
            hash.take(message.searchableText)
        }
        return Array(hash.finalize())
    }

    /// Returns the SHA-256 of what a summary of these summaries stands on: the hashes of what they stand on, in order.
    public static func contentHash(of parts: [SpanSummary]) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(data: part.contentHash) }
        return Array(hash.finalize())
    }
}

extension SHA256 {
    /// Takes a text with its length before it, so that no two lists of texts are alike.
    fileprivate mutating func take(_ text: String) {
        let bytes = Array(text.utf8)
        update(data: Array(String(bytes.count).utf8) + [0])
        update(data: bytes)
    }
}

extension Message {
    /// Whether a summary of its conversation takes notice of it: somebody or a program wrote words.
    public var isSummarized: Bool {
        deletedAt == nil && kind.isTalk && !searchableText.trimmingWhitespace().isEmpty
    }

    /// Whether what was written of this message is right for `other` too, which stands in its place.
    public func isSummarizedLike(_ other: Message) -> Bool {
        isSummarized == other.isSummarized && timestamp == other.timestamp
            && (!isSummarized || (senderName == other.senderName && searchableText == other.searchableText))
    }
}
