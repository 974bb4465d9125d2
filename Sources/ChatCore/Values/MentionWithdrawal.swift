import Foundation

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
