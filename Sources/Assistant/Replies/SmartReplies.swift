/// Replies that are suggested for the last message of a conversation.
public struct SmartReplies: Hashable, Sendable, Codable {
    /// The most that are suggested.
    public static let limit = 3
    /// The longest, in Unicode scalars.
    public static let lengthLimit = 200

    /// Why nothing is suggested.
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// No language model is configured.
        case noLanguageModel = "no_language_model"
        /// There is no message.
        case emptyConversation = "empty_conversation"
        /// A program or the chat application wrote the last message.
        case machineMessage = "machine_message"
        /// The asker wrote the last message.
        case ownLastMessage = "own_last_message"
        /// The last message has no words: a file alone.
        case nothingWritten = "nothing_written"
        /// The language model suggested nothing, or nothing that can be used.
        case noSuggestion = "no_suggestion"
    }

    /// Texts to send as they stand, each on one line; no two alike.
    public var replies: [String]
    /// Why there are none; nil when there are.
    public var reason: Reason?

    /// Suggests replies, at least one.
    public init(replies: [String]) {
        self.replies = replies
    }

    /// Suggests nothing.
    public init(reason: Reason) {
        replies = []
        self.reason = reason
    }
}
