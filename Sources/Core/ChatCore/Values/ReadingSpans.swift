/// The times whose messages a person may read in a conversation with a limited history.
///
/// The spans are ordered, do not overlap and do not touch. The beginning counts, the end does not.
public struct ReadingSpans: Hashable, Sendable {
    /// The times, in microseconds since 1970.
    public private(set) var ranges: [Range<Int64>]

    /// No time: nothing may be read.
    public static let none = ReadingSpans([])

    /// Joins spans in any order.
    public init(_ spans: some Sequence<ReadingSpan>) {
        ranges = []
        let sorted = spans.map(\.range).filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
        for range in sorted {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
    }

    /// The times, one by one.
    public var spans: [ReadingSpan] {
        ranges.map { range in
            ReadingSpan(
                since: Timestamp(microseconds: range.lowerBound),
                until: range.upperBound == .max ? nil : Timestamp(microseconds: range.upperBound))
        }
    }

    /// Returns whether a message of this moment may be read.
    public func contains(_ moment: Timestamp) -> Bool { contains(moment.microseconds) }

    /// Returns whether a message of this moment, in microseconds since 1970, may be read.
    public func contains(_ moment: Int64) -> Bool { ranges.contains { $0.contains(moment) } }

    /// Returns whether all messages between two moments may be read, both included.
    public func covers(_ first: Timestamp, through last: Timestamp) -> Bool {
        ranges.contains { $0.contains(first.microseconds) && $0.contains(last.microseconds) }
    }
}

/// One time in which a person could read a conversation.
public struct ReadingSpan: Hashable, Sendable {
    /// The first moment; the beginning of all time if it is not limited.
    public var since: Timestamp
    /// The moment at which it ended; nil while it lasts.
    public var until: Timestamp?

    public init(since: Timestamp = .distantPast, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    /// Returns the time that two spans have in common; nil if there is none.
    public func intersection(_ other: ReadingSpan) -> ReadingSpan? {
        let end = [until, other.until].compactMap(\.self).min()
        let start = max(since, other.since)
        if let end, end <= start { return nil }
        return ReadingSpan(since: start, until: end)
    }

    /// Empty if it ends before it begins.
    fileprivate var range: Range<Int64> {
        since.microseconds..<max(since.microseconds, until?.microseconds ?? .max)
    }
}

extension Timestamp {
    /// Before every message.
    public static let distantPast = Timestamp(microseconds: .min)
}

/// The reading rights that a source states for a conversation whose history not every member may read.
public struct ReadingRights: Hashable, Sendable {
    /// The beginning of what the source knows: rights of an existing conversation before it stay; nil if it knows all.
    public var since: Timestamp?
    /// The end of what the source knows: rights of an existing conversation after it stay; nil if it has none.
    public var until: Timestamp?
    /// The times that everybody may read who may see the conversation; nil if the source does not know them.
    public var shared: [ReadingSpan]?
    /// Who alone keeps the times before ``since`` that everybody could read; nil for everybody.
    ///
    /// It is for a conversation that continues in another room, with people who were not in the earlier one.
    public var earlierReaders: Set<UserID>?
    /// The times that single people may read besides.
    ///
    /// People without an entry have none; if the source does not know all, they keep theirs.
    public var own: [UserID: [ReadingSpan]]

    public init(
        since: Timestamp? = nil, until: Timestamp? = nil, shared: [ReadingSpan]? = [],
        own: [UserID: [ReadingSpan]] = [:]
    ) {
        self.since = since
        self.until = until
        self.shared = shared
        self.own = own
    }

    /// Returns spans of which a part is replaced: the time from ``since`` to ``until``, which the source knows.
    ///
    /// - Parameters:
    ///   - known: The spans so far.
    ///   - stated: The spans that the source states.
    /// - Returns: The spans of both times; they may touch.
    public func continued(_ known: [ReadingSpan], by stated: [ReadingSpan]) -> [ReadingSpan] {
        let own = ReadingSpan(since: since ?? .distantPast, until: until)
        var spans = stated.compactMap { $0.intersection(own) }
        if let since { spans += known.compactMap { $0.intersection(ReadingSpan(until: since)) } }
        if let until { spans += known.compactMap { $0.intersection(ReadingSpan(since: until)) } }
        return spans
    }
}
