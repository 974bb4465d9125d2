import ChatCore

/// Which parts of a long conversation are summarized: those that are already, those that are to be, and the newest
/// messages, which are shown as they are.
struct SummaryPlan: Equatable {
    /// A part of the conversation.
    struct Part: Equatable {
        /// Its messages, as places in the conversation.
        let places: Range<Int>
        /// What was written of it already; nil where that is to be done.
        let summary: SpanSummary?
    }

    /// The parts in order, without gaps, from the first message on.
    private(set) var parts: [Part] = []
    /// The first message that is in no part.
    private(set) var tailStart = 0

    private let tokens: [Int]
    private let partTokenCount: Int

    /// Plans.
    ///
    /// A summary that is kept is used when its messages are what they were; so a part that was summarized once stays one
    /// part, however much comes behind it. What is between such parts, and what is too long behind them, is cut anew.
    ///
    /// - Parameters:
    ///   - messages: The conversation in order of time; all are summarized ones.
    ///   - tokens: What each of them takes.
    ///   - known: Summaries of level 0 that are kept.
    ///   - partTokenCount: The most that a part takes, unless it is one message.
    ///   - tailTokenCount: The most that the newest messages take, which are in no part.
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
        // Half of the tail is cut off with the first part, so that not every new message makes another part.
        var end = tailStart
        while end < tokens.count, rest > tailTokenCount / 2 {
            rest -= tokens[end]
            end += 1
        }
        cut(tailStart..<end)
        tailStart = end
    }

    /// Cuts messages into parts that are as long as they may be.
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

    /// Returns the summaries whose messages are there as they were, with their places, in order.
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
