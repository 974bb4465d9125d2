package import AnswerSupport
import ChatCore
package import Foundation
package import TextAnalysis

/// A few messages, and which of them replace what others say: a line of `eval/facts/pairs.jsonl`.
package struct ReplacementCase: Hashable, Sendable, Codable {
    /// A message.
    package struct Message: Hashable, Sendable, Codable {
        package var sender: String
        /// The time of the clock in ``ReplacementCase/timeZone``, as `2026-10-12T09:14`.
        package var sentAt: String
        package var text: String
        /// The place in the list of the message that it answers.
        package var repliesTo: Int?
    }

    /// What a person says of two of them.
    package struct Label: Hashable, Sendable, Codable {
        /// The places in the list of both messages.
        package var older: Int
        package var newer: Int
        package var kind: Replacement.Kind
    }

    /// Its id, unique in the file.
    package var id: String
    package var half: SupportCase.Half
    package var language: TextLanguage
    package var timeZone: String
    package var messages: [Message]
    /// Empty if nothing is replaced.
    package var replacements: [Label]

    /// The messages in one conversation.
    package var dated: [DatedMessage] {
        messages.map { message in
            DatedMessage(
                text: message.text, senderName: message.sender,
                sentAt: ClockTime.moment(message.sentAt, in: timeZone) ?? Timestamp(microseconds: 0),
                timeZone: timeZone,
                repliesTo: message.repliesTo)
        }
    }

    /// Reads a file of cases.
    ///
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, a time or zone that cannot be read.
    package static func read(_ file: URL) throws -> [ReplacementCase] {
        try JSONLines.records(ReplacementCase.self, from: file, id: \.id) { read in
            if let fault = ClockTime.fault(of: read.messages.map(\.sentAt), in: read.timeZone) { return fault }
            let places = read.messages.indices
            let areKnown =
                read.replacements.allSatisfy {
                    places.contains($0.older) && places.contains($0.newer) && $0.older != $0.newer
                } && read.messages.allSatisfy { $0.repliesTo.map(places.contains) ?? true }
            return areKnown ? nil : "older, newer and repliesTo must be places of messages"
        }
    }
}
