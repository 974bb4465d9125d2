/// The details shown with the answer of a turn, as ids, numbers and stable codes.
///
/// It contains no text of messages: names and excerpts are read when it is shown.
package struct TurnReply: Hashable, Sendable {
    /// A message that was listed with the answer.
    package struct Source: Hashable, Sendable {
        /// The message.
        package var key: MessageKey
        /// The number in the answer's citations; nil when it is not cited.
        package var number: Int?
        /// Its place among the hits, from 1.
        package var rank: Int
        /// For display, 0...1; not the order.
        package var relevance: Double
        /// The UTF-8 bytes of its searchable text that were found; nil for a short message.
        package var place: Range<Int>?

        package init(key: MessageKey, number: Int?, rank: Int, relevance: Double, place: Range<Int>? = nil) {
            self.key = key
            self.number = number
            self.rank = rank
            self.relevance = relevance
            self.place = place
        }
    }

    /// A number used in the answer.
    package struct Citation: Hashable, Sendable, Codable {
        /// The source's number.
        package var number: Int
        /// The offset of its first character in the answer.
        package var start: Int
        /// The offset after its last character.
        package var end: Int

        package init(number: Int, start: Int, end: Int) {
            self.number = number
            self.start = start
            self.end = end
        }
    }

    /// The sources by rank.
    package var sources: [Source]
    /// The citations in order of the text.
    package var citations: [Citation]
    /// Notices for the reader, as stable codes.
    package var notices: [String]
    /// Why there was no basis for an answer, `none` otherwise.
    package var noAnswerReason: String
    /// The signals that the search used; nil when it failed.
    package var mode: String?

    package init(
        sources: [Source] = [], citations: [Citation] = [], notices: [String] = [], noAnswerReason: String,
        mode: String? = nil
    ) {
        self.sources = sources
        self.citations = citations
        self.notices = notices
        self.noAnswerReason = noAnswerReason
        self.mode = mode
    }
}
