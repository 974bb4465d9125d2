package import AnswerSupport

/// A sentence of an answer, with what the messages of its prompt say about it.
package struct CheckedSentence: Hashable, Sendable {
    /// Its characters in the answer, citations included.
    package var range: Range<Int>
    /// Whether it states something; a greeting, a heading or a question does not.
    package var needsSource: Bool
    /// Nil if it needs no source, or could not be compared: messages in another language, or read as summaries.
    package var support: Support?
    /// How surely it is supported: 0...1; nil as ``support``.
    package var score: Double?
    /// Why it is not supported; empty if it is.
    package var reasons: [SupportReason]

    package init(
        range: Range<Int>, needsSource: Bool, support: Support? = nil, score: Double? = nil,
        reasons: [SupportReason] = []
    ) {
        self.range = range
        self.needsSource = needsSource
        self.support = support
        self.score = score
        self.reasons = reasons
    }
}

/// The text of an answer whose sentences were checked; it may have other citations than the pieces that came before.
package struct CheckedText: Hashable, Sendable {
    /// The whole text.
    package var text: String
    /// The citations in order of the text, numbered from 1 by their first appearance.
    package var citations: [Citation]
    /// All sentences in order.
    package var sentences: [CheckedSentence]
    /// How many sentences without support were removed.
    package var removedCount: Int
}
