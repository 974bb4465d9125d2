package import ChatCore
import Synchronization

/// What messages say about a sentence.
package enum Support: String, Codable, CaseIterable, Sendable {
    /// All of it is stated.
    case supported
    /// A part of it is.
    case partly
    /// The messages do not state it.
    case unsupported
    /// The messages state something else: another number, day or person, or the opposite.
    case contradicted
}

/// What keeps a sentence from being supported.
package enum SupportReason: String, Codable, CaseIterable, Comparable, Sendable {
    case number, time, date, name, negation, opposite, order
    /// Words that no message resembles.
    case content

    /// Orders reasons as they are listed.
    package static func < (left: SupportReason, right: SupportReason) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// A message that an answer may be based on.
package struct SupportSource: Hashable, Sendable {
    /// The text; of a longer one than ``SupportLimits/sourceByteCount`` the beginning is read.
    package var text: String
    package var senderName: String
    package var sentAt: Timestamp
    /// The IANA name of the zone in which its people say "tomorrow"; an unknown one counts as UTC.
    package var timeZone: String
    /// The number by which the answer cites it; nil for another message of the prompt.
    package var number: Int?

    package init(text: String, senderName: String, sentAt: Timestamp, timeZone: String, number: Int? = nil) {
        self.text = text
        self.senderName = senderName
        self.sentAt = sentAt
        self.timeZone = timeZone
        self.number = number
    }
}

/// A number of a source in an answer.
package struct AnswerCitation: Hashable, Sendable {
    package var number: Int
    /// Its bracket in the answer, in UTF-8 bytes; the numbers of one bracket have the same range.
    package var range: Range<Int>

    package init(number: Int, range: Range<Int>) {
        (self.number, self.range) = (number, range)
    }
}

/// What the source of one citation says about the sentence.
package struct CitationSupport: Hashable, Sendable {
    package var number: Int
    package var range: Range<Int>
    /// Nil if it was not compared: the sentence needs no source, or cites more than are compared.
    package var support: Support?
    /// How surely it supports the sentence alone: 0...1; nil if it was not compared.
    package var score: Double?

    package init(number: Int, range: Range<Int>, support: Support? = nil, score: Double? = nil) {
        (self.number, self.range, self.support, self.score) = (number, range, support, score)
    }
}

/// A sentence of an answer with what the messages say about it.
package struct SentenceSupport: Hashable, Sendable {
    /// Its text with citations, without white space at its ends, in UTF-8 bytes of the answer.
    package var range: Range<Int>
    /// Whether it states something; a greeting, a heading or a question does not.
    package var needsSource: Bool
    /// Its citations in order.
    package var citations: [CitationSupport] = []
    /// Nil if it needs no source.
    package var support: Support?
    /// How surely it is supported by the messages together: 0...1; 1 if it needs no source.
    package var score: Double = 1
    /// Why it is not supported, in order; empty if it is.
    package var reasons: [SupportReason] = []
    /// The place in the list of sources of the one that supports it best, if it does alone; nil if none does.
    package var bestSource: Int?
    /// The compared features of the sources that support it best.
    package var features: SupportFeatures?
}

/// The most that is read: an answer and its sources come from outside.
package enum SupportLimits {
    /// Sentences that are checked; further ones count as not in need of a source, and keep their citations.
    package static let sentenceCount = 48
    /// Sources that are compared.
    package static let sourceCount = 24
    /// Bytes of a source that are read.
    package static let sourceByteCount = 2_000
    /// Bytes of a sentence that are read.
    package static let sentenceByteCount = 600
    /// Words of a text that are read.
    package static let wordCount = 500
    /// Facts of one kind that are read in a text: quantities, times, days, names.
    package static let factCount = 40
    /// Facts of a sentence that are compared; further ones count as words.
    package static let comparedFactCount = 16
}

/// Counts pairs of words that a check compares, so that tests can state its cost.
package final class SupportWork: Sendable {
    private let count = Mutex(0)

    package init() {}

    /// The pairs that were compared so far.
    package var pairCount: Int { count.withLock { $0 } }

    func add(_ pairs: Int) { count.withLock { $0 += pairs } }
}
