package import AnswerSupport
import ChatCore
package import Foundation
package import TextAnalysis

/// A sentence with messages, and what a person says of both: a line of `eval/support/pairs.jsonl`.
package struct SupportCase: Hashable, Sendable, Codable {
    /// A message.
    package struct Source: Hashable, Sendable, Codable {
        package var sender: String
        /// The time of the clock in ``SupportCase/timeZone``, as `2026-10-12T09:14`.
        package var sentAt: String
        package var text: String
    }

    /// Which cases rules and weights may be made on.
    package enum Half: String, Sendable, Codable {
        case dev, test
    }

    /// Its id, unique in the file; cases of the same messages differ in the last letter.
    package var id: String
    package var half: Half
    package var language: TextLanguage
    package var timeZone: String
    package var messages: [Source]
    package var sentence: String
    package var label: Support
    /// How a contradicted sentence was changed: number, date, time, person, negation, order, other-time and others.
    package var kind: String?

    /// The messages with their numbers.
    package var sources: [SupportSource] {
        messages.enumerated().map { place, message in
            SupportSource(
                text: message.text, senderName: message.sender,
                sentAt: ClockTime.moment(message.sentAt, in: timeZone) ?? Timestamp(microseconds: 0),
                timeZone: timeZone,
                number: place + 1)
        }
    }

    /// Reads a file of cases.
    ///
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, a time or zone that cannot be read.
    package static func read(_ file: URL) throws -> [SupportCase] {
        try JSONLines.records(SupportCase.self, from: file, id: \.id) { read in
            if read.messages.isEmpty { return "there must be a message" }
            return ClockTime.fault(of: read.messages.map(\.sentAt), in: read.timeZone)
        }
    }
}
