import ChatCore
import Crypto
import Foundation
import Retrieval

/// The message that answers a mention, or reports that there is no answer.
struct MentionAnswer: Sendable {
    let question: Message
    let content: Content
    let moment: Timestamp

    enum Content: Sendable {
        /// The answer with the note below it, if there is one.
        case answer(Answer, note: String?)
        /// There is no answer: the text to post, and the new state of the question.
        case failure(String, Mention.State)
        /// What became of a command about a link.
        case outcome(String)
    }

    private struct Extra: Encodable {
        struct Content: Encodable {
            let question: String
            /// Missing when there is no answer.
            let turn: String?
            let sources: [PostedSource]
            let notices: [String]
        }

        let nexus: Content
    }

    /// The sources that the answer cites, by number.
    private var cited: [PostedSource] {
        guard case .answer(let answer, _) = content else { return [] }
        return PostedSource.cited(by: answer, in: question.key.conversationID)
    }

    /// The message in the thread of the question.
    func message() throws -> Message {
        let key = question.key
        return Message(
            key: MessageKey(conversationID: key.conversationID, messageID: Self.id(for: key)),
            senderID: MentionSettings.assistantID, senderName: MentionSettings.assistantName, text: text,
            kind: .assistant, timestamp: max(moment, question.timestamp), replyToID: key.messageID,
            threadRootID: question.threadRootID ?? key.messageID, extra: try extra())
    }

    /// The same question always has the same answer id, so that no second answer can be stored.
    static func id(for key: MessageKey) -> MessageID {
        let bytes = Data("\(key.conversationID.rawValue)\u{0}\(key.messageID.rawValue)".utf8)
        let digits = SHA256.hash(data: bytes).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return MessageID(rawValue: "nexus-" + digits.joined())
    }

    /// The answer with its sources below it; it never begins with the name of someone who might reply to it.
    private var text: String {
        let words =
            switch content {
            case .answer(let answer, _): answer.text
            case .failure(let text, _), .outcome(let text): text
            }
        let answered = words.trimmingWhitespace().drop { $0 == "@" }
        let lines = cited.map(\.line)
        let parts = [String(answered), lines.joined(separator: "\n"), note ?? ""]
        return parts.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map(\.element)
            .joined(separator: "\n\n")
    }

    private var note: String? {
        if case .answer(_, let note) = content { note } else { nil }
    }

    private func extra() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let extra = Extra.Content(
            question: question.key.messageID.rawValue, turn: turnID?.rawValue, sources: cited, notices: notices)
        return String(decoding: try encoder.encode(Extra(nexus: extra)), as: UTF8.self)
    }

    private var turnID: TurnID? {
        if case .answer(let answer, _) = content { answer.turnID } else { nil }
    }

    /// The notices for readers, as values of ``AnswerNotice``; `failed` or `limited` when there is no answer.
    private var notices: [String] {
        switch content {
        case .answer(let answer, _): answer.notices.map(\.rawValue).sorted()
        case .failure(_, let state): [state.rawValue]
        case .outcome: []
        }
    }
}
