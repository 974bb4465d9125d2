package import ChatCore

/// A message that may replace what an earlier one said, or be replaced.
package struct DatedMessage: Hashable, Sendable {
    /// The text; of a longer one than ``SupportLimits/sourceByteCount`` the beginning is read.
    package var text: String
    package var senderName: String
    package var sentAt: Timestamp
    /// The IANA name of the zone in which its people say "tomorrow"; an unknown one counts as UTC.
    package var timeZone: String
    package var conversation: String
    /// The name of its conversation, which says what its messages are about; empty if it says nothing.
    package var topic = ""
    /// The place in the list of the message that it answers.
    package var repliesTo: Int?
    /// What people say about it, in the order in which it was said.
    package var verdicts: [DatedVerdict] = []

    package init(
        text: String, senderName: String, sentAt: Timestamp, timeZone: String, conversation: String = "",
        repliesTo: Int? = nil
    ) {
        self.text = text
        self.senderName = senderName
        self.sentAt = sentAt
        self.timeZone = timeZone
        self.conversation = conversation
        self.repliesTo = repliesTo
    }
}

/// What a person says about a message and a later one.
package struct DatedVerdict: Hashable, Sendable {
    /// Whether the later message replaced it; if not, it holds after that message and all before it.
    package var isReplaced: Bool
    /// What it is about, in UTF-8 bytes of the text; nil for all of it.
    package var range: Range<Int>?
    /// The later message's place in the list; nil if it is not in it.
    package var newer: Int?
    /// When the later message was sent.
    package var sentAt: Timestamp

    package init(isReplaced: Bool, range: Range<Int>? = nil, newer: Int?, sentAt: Timestamp) {
        (self.isReplaced, self.range, self.newer, self.sentAt) = (isReplaced, range, newer, sentAt)
    }
}

/// A later message says something else about the same subject than an earlier one.
package struct Replacement: Hashable, Sendable {
    /// What was changed.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case date, time, amount, place, person
        /// Something else was decided, or it will not happen.
        case decision
    }

    /// A sentence of a message.
    package struct Statement: Hashable, Sendable {
        /// The place of the message in the list.
        package var message: Int
        /// The sentence, in UTF-8 bytes of its text.
        package var range: Range<Int>
    }

    package var older: Statement
    /// The last one, when the value was changed several times.
    package var newer: Statement
    package var kind: Kind
    /// How surely: ``ReplacementFinder/threshold``...1, which is what a person says.
    package var certainty: Double
    /// Where the older statement states what was replaced, in UTF-8 bytes of its text; empty if that is all of it.
    package var values: [Range<Int>] = []
}

/// The most that is read to find replaced messages: texts come from outside.
package enum ReplacementLimits {
    /// Messages that are compared; further ones are neither replaced nor replace.
    package static let messageCount = 48
    /// Sentences that are read of a message.
    package static let statementCount = 8
    /// Pairs of sentences that are compared; 48 messages of a chat have a few hundred.
    package static let pairCount = 16_000
    /// Words of a sentence that are compared with others.
    package static let subjectCount = 16
    /// Messages after a proposal in which it may be accepted, and how long after it.
    package static let answerCount = 3
    package static let answerTime = Duration.seconds(24 * 3_600)
}
