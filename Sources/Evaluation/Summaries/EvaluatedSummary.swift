public import ChatCore

/// A summary as it is measured.
public struct EvaluatedSummary: Hashable, Sendable {
    /// A citation in it.
    public struct Citation: Hashable, Sendable {
        /// Which characters of the text it is; several numbers may share brackets.
        public var range: Range<Int>
        /// The message that it means.
        public var key: MessageKey

        public init(range: Range<Int>, key: MessageKey) {
            self.range = range
            self.key = key
        }
    }

    /// The summary.
    public var text: String
    /// Its citations, in order.
    public var citations: [Citation]
    /// Whether it could not stand on the whole conversation, and says so.
    public var isIncomplete: Bool

    public init(text: String, citations: [Citation], isIncomplete: Bool = false) {
        self.text = text
        self.citations = citations
        self.isIncomplete = isIncomplete
    }
}
