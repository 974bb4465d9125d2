import Crypto
import Foundation

/// Summaries of parts of conversations that a language model wrote.
///
/// Editing, deleting or erasing a message also deletes its summaries, in the same transaction. All calls throw
/// ``RepositoryError``; ``RepositoryError/noSuchConversation(_:)`` also means that the asker may not see the
/// conversation.
public protocol SummaryRepository: Sendable {
    /// Returns the summaries of a conversation with a given recipe.
    ///
    /// Messages may have been added to a span since, so users of a summary compare its ``SpanSummary/contentHash``.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - recipe: See ``SpanSummary/recipe``.
    ///   - asker: The reader.
    ///   - moment: The present time.
    /// - Returns: The summaries by level, within a level in the order of the conversation; spans of one level do not
    ///   overlap.
    /// - Throws: ``RepositoryError``.
    func summaries(of id: ConversationID, by recipe: String, asker: UserID, at moment: Timestamp) async throws
        -> [SpanSummary]

    /// Stores a summary, unless its messages have changed.
    ///
    /// Overlapping summaries of the same level are deleted, including those of other recipes.
    ///
    /// - Parameters:
    ///   - summary: The summary.
    ///   - parts: The summaries that were merged into it; empty for a summary of messages.
    ///   - asker: The user for whom it was written.
    ///   - moment: The present time.
    /// - Returns: False when a message of the span was changed, added or deleted in the meantime, or a part is not
    ///   stored any more; then nothing is stored.
    /// - Throws: ``RepositoryError``; `invalid` for a text without words or longer than ``SpanSummary/textByteLimit``.
    func keep(_ summary: SpanSummary, madeOf parts: [SpanSummary], asker: UserID, at moment: Timestamp) async throws
        -> Bool
}

/// A language model's summary of consecutive messages of a conversation, or of such summaries.
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

    /// The conversation.
    public let conversationID: ConversationID
    /// The summarized part.
    public var span: Span
    /// 0 for a summary of messages, else one more than the highest level of its parts.
    public var level: Int
    /// The number of summarized messages.
    public var messageCount: Int
    /// The hash of the summarized messages or summaries.
    public var contentHash: [UInt8]
    /// The model and the template that wrote it; a summary of another recipe is not used.
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
    /// Returns the SHA-256 of the content that a summary of these messages is based on: ids, names, times and texts, in
    /// order.
    ///
    /// Messages that are not summarized do not count; see ``Message/isSummarized``.
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

    /// Returns the SHA-256 of the content that a summary of these summaries is based on: their hashes, in order.
    public static func contentHash(of parts: [SpanSummary]) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(data: part.contentHash) }
        return Array(hash.finalize())
    }
}

extension SHA256 {
    /// Hashes a text with its length before it, so that no two lists of texts are alike.
    fileprivate mutating func take(_ text: String) {
        let bytes = Array(text.utf8)
        update(data: Array(String(bytes.count).utf8) + [0])
        update(data: bytes)
    }
}

extension Message {
    /// Whether summaries include the message, because a person or a program wrote words.
    public var isSummarized: Bool {
        deletedAt == nil && kind.isTalk && !searchableText.trimmingWhitespace().isEmpty
    }

    /// Whether a summary of this message is also correct for `other`, which replaces it.
    public func isSummarizedLike(_ other: Message) -> Bool {
        isSummarized == other.isSummarized && timestamp == other.timestamp
            && (!isSummarized || (senderName == other.senderName && searchableText == other.searchableText))
    }
}
