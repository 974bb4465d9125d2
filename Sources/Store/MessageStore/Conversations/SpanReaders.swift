import ChatCore

/// Who may read the times of a conversation with a limited history.
struct SpanReaders {
    private let own: [UserID: ReadingSpans]
    /// What everybody may read who may see the conversation.
    private let shared: ReadingSpans

    init(own: [UserID: ReadingSpans], shared: ReadingSpans) {
        (self.own, self.shared) = (own, shared)
    }

    /// Whether everybody who may read a message of the second moment may read one of the first.
    func mayRead(_ first: Timestamp, whoeverReads second: Timestamp) -> Bool {
        if shared.contains(first) { return true }
        guard !shared.contains(second) else { return false }
        return own.values.allSatisfy { !$0.contains(second) || $0.contains(first) }
    }

    /// Whether messages of two moments have the same readers.
    func areSame(at first: Timestamp, and second: Timestamp) -> Bool {
        mayRead(first, whoeverReads: second) && mayRead(second, whoeverReads: first)
    }

    /// The times that somebody may read.
    func spans(of reader: UserID) -> ReadingSpans {
        ReadingSpans(shared.spans + (own[reader]?.spans ?? []))
    }
}

extension ReadingSpans {
    /// Every time.
    static let always = ReadingSpans([ReadingSpan()])

    /// Whether they contain the part of others that lies before a moment.
    func contain(_ others: ReadingSpans, before moment: Timestamp) -> Bool {
        others.spans.compactMap { $0.intersection(ReadingSpan(until: moment)) }.allSatisfy { span in
            spans.contains { $0.intersection(span) == span }
        }
    }
}
