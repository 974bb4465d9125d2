import ChatCore
import Crypto
import Foundation
import Retrieval

/// The message with which a schedule delivers an answer or a digest.
struct ScheduleMessage {
    /// The longest part of a question that is repeated above its answer, in characters.
    private static let questionLimit = 200

    let schedule: Schedule
    let occurrence: Timestamp
    let isDelivered: Bool

    private struct Extra: Encodable {
        struct Content: Encodable {
            let schedule: String
            let occurrence: String
            let turn: String?
            let sources: [PostedSource]
            let notices: [String]
        }

        let nexus: Content
    }

    /// The same time of a schedule always has the same id, so that no second message can be stored.
    private var messageID: MessageID {
        let parts = ["schedule", schedule.id.rawValue, occurrence.iso8601]
        return MessageID(rawValue: "nexus-" + Self.digits(of: parts, count: 16))
    }

    /// Returns the delivery of an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - question: The question as it was asked.
    ///   - note: The note below the answer; nil for none.
    ///   - moment: When it was asked.
    /// - Returns: The delivery.
    /// - Throws: Errors of the encoder.
    func delivery(
        of answer: Answer, to question: String, note: String?, askedAt moment: Timestamp
    ) throws -> ScheduleDelivery {
        let sources = PostedSource.cited(by: answer, in: nil)
        let heading = TextLimit(characters: Self.questionLimit).cut(question)
        let parts = [
            heading, answer.text.trimmingWhitespace(), sources.map(\.line).joined(separator: "\n"), note ?? "",
        ]
        return ScheduleDelivery(
            text: parts.filter { !$0.isEmpty }.joined(separator: "\n\n"),
            extra: try extra(sources, turn: answer.turnID, notices: answer.notices.map(\.rawValue).sorted()),
            messageID: messageID, senderName: MentionSettings.assistantName, sources: answer.promptMessageKeys,
            turn: Turn(
                id: answer.turnID, askerID: schedule.ownerID, question: question, answer: answer.text,
                sourceKeys: answer.promptMessageKeys, askedAt: moment, reply: answer.reply),
            basis: Self.basis(of: answer), isDelivered: isDelivered)
    }

    /// Returns the delivery of a digest.
    ///
    /// - Throws: Errors of the encoder.
    func delivery(of digest: Digest) throws -> ScheduleDelivery {
        let lines = digest.lines.enumerated().map { place, line in
            ScheduleDelivery.Line(place: place + 1, sources: line.sources.map { digest.sources[$0 - 1].key })
        }
        return ScheduleDelivery(
            text: ([digest.title] + digest.lines.map { "- " + $0.text }).joined(separator: "\n"),
            extra: try extra(digest.sources.map(\.posted), turn: nil, notices: []), messageID: messageID,
            senderName: MentionSettings.assistantName, sources: digest.sources.map(\.key), lines: lines,
            isDelivered: isDelivered)
    }

    /// Returns a hash of the messages that an answer cites, as they are now; an answer with the same one brings nothing new.
    static func basis(of answer: Answer) -> String {
        let cited = answer.sources.filter { $0.number != nil }.map(\.hit.message)
        let keys = cited.map { "\($0.key.conversationID)\u{0}\($0.key.messageID)\u{0}\($0.editedAt?.iso8601 ?? "")" }
        let shown = answer.promptMessageKeys.map { "\($0.conversationID)\u{0}\($0.messageID)" }
        return digits(of: (keys.isEmpty ? shown : keys).sorted(), count: 32)
    }

    private func extra(_ sources: [PostedSource], turn: TurnID?, notices: [String]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let content = Extra.Content(
            schedule: schedule.id.rawValue, occurrence: occurrence.iso8601, turn: turn?.rawValue, sources: sources,
            notices: notices)
        return String(decoding: try encoder.encode(Extra(nexus: content)), as: UTF8.self)
    }

    private static func digits(of texts: [String], count: Int) -> String {
        SHA256.hash(data: Data(texts.joined(separator: "\u{1}").utf8)).prefix(count).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
