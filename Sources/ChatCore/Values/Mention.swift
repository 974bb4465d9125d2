import Foundation

/// A message that asks the assistant something in a conversation.
public struct Mention: Hashable, Sendable {
    /// What became of it.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is to be answered.
        case waiting
        /// Its answer was posted.
        case answered
        /// Its conversation asks too much.
        case limited
        /// It could not be answered, which may have been said there; it is not tried again.
        case failed
        /// It is none to be answered any more: it was deleted, or its writer left.
        case dropped
    }

    /// The message.
    public let message: Message
    /// How often an answer was tried, this time included.
    public let attempts: Int

    public init(message: Message, attempts: Int) {
        self.message = message
        self.attempts = attempts
    }
}

/// An answer that another system is to be told of, or that it is to forget.
public struct MentionDelivery: Hashable, Sendable {
    /// The answer as it is now; a deleted one has no content.
    public let answer: Message
    /// How often it was tried, this time included.
    public let attempts: Int

    public init(answer: Message, attempts: Int) {
        self.answer = answer
        self.attempts = attempts
    }
}

/// What takes the place of an answer in a conversation when the text of a message that it is based on changes.
public enum MentionWithdrawal {
    /// The text of the answer from then on.
    public static let text =
        "(This answer was withdrawn: a message that it was based on has been edited. Ask again for a new one.)"

    private struct Extra: Encodable {
        struct Content: Encodable {
            let question: String
            let sources: [String]
            let notices: [String]
        }

        let nexus: Content
    }

    /// Returns the fields of the answer from then on.
    static func extra(question: MessageID?) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = Extra.Content(
            question: question?.rawValue ?? "", sources: [], notices: [Turn.Redaction.sourceEdited.rawValue])
        return (try? encoder.encode(Extra(nexus: content))).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Message {
    /// Returns an answer of the assistant without what it said, because a source changed.
    public func withdrawn(at moment: Timestamp) -> Message {
        var message = self
        message.text = MentionWithdrawal.text
        message.editedAt = moment
        message.extra = MentionWithdrawal.extra(question: replyToID)
        return message
    }
}
