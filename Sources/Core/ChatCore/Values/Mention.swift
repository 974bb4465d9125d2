import Foundation

/// A message that asks the assistant a question in a conversation.
public struct Mention: Hashable, Sendable {
    /// The state of a mention.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It is to be answered.
        case waiting
        /// Its answer was posted.
        case answered
        /// Its conversation asked too often.
        case limited
        /// It could not be answered, and is not tried again; a message may have said so.
        case failed
        /// It need not be answered any more: it was deleted, or its sender left.
        case dropped
    }

    /// The message.
    public let message: Message
    /// How often an answer was tried, including this time.
    public let attempts: Int
    /// What became of the message's ``LinkCommand``, which is to be told instead of an answer; nil for a question.
    public let linkOutcome: LinkOutcome?

    public init(message: Message, attempts: Int, linkOutcome: LinkOutcome? = nil) {
        self.message = message
        self.attempts = attempts
        self.linkOutcome = linkOutcome
    }
}

/// An answer to deliver to another system, or whose deletion is to be delivered.
public struct MentionDelivery: Hashable, Sendable {
    /// The present answer; a deleted one has no content.
    public let answer: Message
    /// How often the delivery was tried, including this time.
    public let attempts: Int

    public init(answer: Message, attempts: Int) {
        self.answer = answer
        self.attempts = attempts
    }
}

/// Replaces an answer in a conversation when the text of a message that it is based on changes.
public enum MentionWithdrawal {
    /// The new text of the answer.
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

    /// Returns the new extra fields of the answer.
    static func extra(question: MessageID?) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = Extra.Content(
            question: question?.rawValue ?? "", sources: [], notices: [Turn.Redaction.sourceEdited.rawValue])
        return (try? encoder.encode(Extra(nexus: content))).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Message {
    /// Returns an answer of the assistant without its content, because a source changed.
    public func withdrawn(at moment: Timestamp) -> Message {
        var message = self
        message.text = MentionWithdrawal.text
        message.editedAt = moment
        message.extra = MentionWithdrawal.extra(question: replyToID)
        return message
    }
}
