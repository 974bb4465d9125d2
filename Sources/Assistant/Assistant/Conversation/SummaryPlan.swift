import ChatCore

/// Divides a long conversation: parts with a summary, parts that need one, and the newest messages, which are shown in
/// full.
struct SummaryPlan: Equatable {
    /// A part of the conversation.
    struct Part: Equatable {
        /// The places of its messages in the conversation.
        let places: Range<Int>
        /// Its stored summary; nil if it must be written.
        let summary: SpanSummary?
    }

    /// The parts in order, without gaps, from the first message.
    private(set) var parts: [Part] = []
    /// The first message that is in no part.
    private(set) var tailStart = 0

    private let tokens: [Int]
    private let partTokenCount: Int

    /// Divides a conversation into parts and a tail.
    ///
    /// A stored summary is used if its messages are unchanged, so a summarized part stays the same however much is
    /// appended. Messages between such parts, and messages after them that are too many, are divided again.
    ///
    /// - Parameters:
    ///   - messages: The conversation in order of time; all of a kind that is summarized.
    ///   - tokens: The token count of each message.
    ///   - known: Stored summaries of level 0.
    ///   - partTokenCount: The most tokens of a part, unless it is a single message.
    ///   - tailTokenCount: The most tokens of the newest messages, which are in no part.
    init(
        of messages: [Message], tokens: [Int], known: [SpanSummary], partTokenCount: Int, tailTokenCount: Int
    ) {
        self.tokens = tokens
        self.partTokenCount = partTokenCount
        for (places, summary) in Self.valid(known, in: messages) where places.lowerBound >= tailStart {
            cut(tailStart..<places.lowerBound)
            parts.append(Part(places: places, summary: summary))
            tailStart = places.upperBound
        }
        var rest = tokens[tailStart...].reduce(0, +)
        guard rest > tailTokenCount else { return }
        // The first new part takes half of the tail, so that not every new message makes another part.
        var end = tailStart
        while end < tokens.count, rest > tailTokenCount / 2 {
            rest -= tokens[end]
            end += 1
        }
        cut(tailStart..<end)
        tailStart = end
    }

    /// Divides messages into parts of the greatest allowed length.
    private mutating func cut(_ places: Range<Int>) {
        var start = places.lowerBound
        while start < places.upperBound {
            var (end, taken) = (start + 1, tokens[start])
            while end < places.upperBound, taken + tokens[end] <= partTokenCount {
                taken += tokens[end]
                end += 1
            }
            parts.append(Part(places: start..<end, summary: nil))
            start = end
        }
    }

    /// Returns the summaries whose messages are unchanged, with their places, in order.
    private static func valid(_ known: [SpanSummary], in messages: [Message]) -> [(Range<Int>, SpanSummary)] {
        let places = Dictionary(
            messages.enumerated().map { ($1.key.messageID, $0) }, uniquingKeysWith: { first, _ in first })
        return known.compactMap { summary -> (Range<Int>, SpanSummary)? in
            guard let first = places[summary.span.firstID], let last = places[summary.span.lastID], first <= last,
                SpanSummary.contentHash(of: messages[first...last]) == summary.contentHash
            else { return nil }
            return (first..<last + 1, summary)
        }.sorted { $0.0.lowerBound < $1.0.lowerBound }
    }
}
