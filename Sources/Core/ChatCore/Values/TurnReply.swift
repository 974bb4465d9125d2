/// The details shown with the answer of a turn, as ids, numbers and stable codes.
///
/// It contains no text of messages: names and excerpts are read when it is shown.
public struct TurnReply: Hashable, Sendable {
    /// A message that was listed with the answer.
    public struct Source: Hashable, Sendable {
        /// The message.
        public var key: MessageKey
        /// The number in the answer's citations; nil when it is not cited.
        public var number: Int?
        /// Its place among the hits, from 1.
        public var rank: Int
        /// For display, 0...1; not the order.
        public var relevance: Double
        /// The UTF-8 bytes of its searchable text that were found; nil for a short message.
        public var place: Range<Int>?

        public init(key: MessageKey, number: Int?, rank: Int, relevance: Double, place: Range<Int>? = nil) {
            self.key = key
            self.number = number
            self.rank = rank
            self.relevance = relevance
            self.place = place
        }
    }

    /// A number used in the answer.
    public struct Citation: Hashable, Sendable, Codable {
        /// The source's number.
        public var number: Int
        /// The offset of its first character in the answer.
        public var start: Int
        /// The offset after its last character.
        public var end: Int
        /// What the source says about its sentence, as a stable code; nil if it was not checked.
        public var support: String?
        /// How surely the source supports its sentence alone: 0...1; nil if it was not checked.
        public var score: Double?

        public init(number: Int, start: Int, end: Int, support: String? = nil, score: Double? = nil) {
            self.number = number
            self.start = start
            self.end = end
            self.support = support
            self.score = score
        }
    }

    /// A sentence of a checked answer.
    public struct Sentence: Hashable, Sendable, Codable {
        /// The offset of its first character in the answer.
        public var start: Int
        /// The offset after its last character.
        public var end: Int
        /// Whether it states something.
        public var needsSource: Bool
        /// What the messages say about it, as a stable code; nil if it was not checked.
        public var support: String?
        /// How surely the messages support it: 0...1; nil if it was not checked.
        public var score: Double?
        /// Why it is not supported, as stable codes.
        public var reasons: [String]

        public init(
            start: Int, end: Int, needsSource: Bool, support: String? = nil, score: Double? = nil,
            reasons: [String] = []
        ) {
            self.start = start
            self.end = end
            self.needsSource = needsSource
            self.support = support
            self.score = score
            self.reasons = reasons
        }
    }

    /// The sources by rank.
    public var sources: [Source]
    /// The citations in order of the text.
    public var citations: [Citation]
    /// The sentences of a checked answer, in order; nil if it was not checked.
    public var sentences: [Sentence]?
    /// Notices for the reader, as stable codes.
    public var notices: [String]
    /// The notice of an answer that says what was known at an earlier moment: no later message makes it wrong.
    public static let asOfNotice = "as_of"
    /// Why there was no basis for an answer, `none` otherwise.
    public var noAnswerReason: String
    /// The signals that the search used; nil when it failed.
    public var mode: String?

    public init(
        sources: [Source] = [], citations: [Citation] = [], sentences: [Sentence]? = nil, notices: [String] = [],
        noAnswerReason: String, mode: String? = nil
    ) {
        self.sources = sources
        self.citations = citations
        self.sentences = sentences
        self.notices = notices
        self.noAnswerReason = noAnswerReason
        self.mode = mode
    }
}
