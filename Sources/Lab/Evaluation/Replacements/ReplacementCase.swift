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
                text: message.text, senderName: message.sender, sentAt: moment(message.sentAt), timeZone: timeZone,
                repliesTo: message.repliesTo)
        }
    }

    private func moment(_ text: String) -> Timestamp {
        guard let time = WallTime(iso8601: text + ":00"), var clock = ZoneClock(zone: timeZone) else {
            return Timestamp(microseconds: 0)
        }
        return clock.moment(of: time)
    }

    /// Reads a file of cases.
    ///
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, a time or zone that cannot be read.
    package static func read(_ file: URL) throws -> [ReplacementCase] {
        try JSONLines.records(ReplacementCase.self, from: file, id: \.id) { read in
            if ZoneClock(zone: read.timeZone) == nil { return "timeZone must be a known zone" }
            let areTimes = read.messages.allSatisfy { WallTime(iso8601: $0.sentAt + ":00") != nil }
            guard areTimes else { return "sentAt must be a time as 2026-10-12T09:14" }
            let places = read.messages.indices
            let areKnown =
                read.replacements.allSatisfy {
                    places.contains($0.older) && places.contains($0.newer) && $0.older != $0.newer
                } && read.messages.allSatisfy { $0.repliesTo.map(places.contains) ?? true }
            return areKnown ? nil : "older, newer and repliesTo must be places of messages"
        }
    }
}
