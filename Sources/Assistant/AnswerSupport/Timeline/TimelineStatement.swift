/// A sentence of a message that states something about a subject.
package struct TimelineStatement: Hashable, Sendable {
    /// The message and its sentence.
    package var place: Replacement.Statement
    /// What it states, in order of the text; not empty.
    package var values: [StatedValue]
    /// The statement that replaces it; nil if none was found.
    package var replacedBy: Replacement.Statement?
}

/// Something that a sentence states.
package struct StatedValue: Hashable, Sendable {
    package var kind: Replacement.Kind
    /// Where it is stated, in UTF-8 bytes of the message's text.
    package var range: Range<Int>
    /// The same for programs: a day as `2026-10-27`, several as `2026-10-27/2026-10-29`, a time as `14:30`, an amount
    /// without its unit, the writer's name for "I"; nil if the words can be read in several ways.
    package var value: String?
    /// Whether a later statement replaces it.
    package var isReplaced: Bool

    package init(kind: Replacement.Kind, range: Range<Int>, value: String? = nil, isReplaced: Bool = false) {
        (self.kind, self.range, self.value, self.isReplaced) = (kind, range, value, isReplaced)
    }
}
