/// The messages of one conversation that are in memory, in their order.
///
/// A batch is one sort of its new messages and one pass over the known ones.
public struct MessageList: Hashable, Sendable {
    /// How much work the list has done; lists with the same messages are equal whatever it was.
    public struct Work: Hashable, Sendable {
        /// Batches that were sorted.
        public internal(set) var sortCount = 0
        /// Passes over all known messages.
        public internal(set) var passCount = 0

        public static func == (_: Work, _: Work) -> Bool { true }

        public func hash(into _: inout Hasher) {}
    }

    /// The messages, first to last.
    public private(set) var messages: [ChatMessage] = []
    /// What was done so far.
    public private(set) var work = Work()

    public init() {}

    /// Adds new messages and replaces known ones.
    ///
    /// - Parameter batch: Messages of the conversation in any order; of several with one id, the last counts.
    /// - Complexity: O(*k* log *k* + *n*) for *k* messages and *n* known ones; O(1) for one that is later than all.
    public mutating func merge(_ batch: [ChatMessage]) {
        if let only = batch.first, batch.count == 1, isAtEnd(only) {
            if messages.last?.id == only.id { messages.removeLast() }
            messages.append(only)
            return
        }
        guard !batch.isEmpty else { return }
        var changed = Dictionary(batch.map { ($0.id, $0) }) { _, last in last }
        var kept: [ChatMessage] = []
        kept.reserveCapacity(messages.count + changed.count)
        for message in messages {
            guard let next = changed[message.id] else {
                kept.append(message)
                continue
            }
            // One that moved is sorted as if it was new.
            guard !next.precedes(message), !message.precedes(next) else { continue }
            kept.append(next)
            changed[message.id] = nil
        }
        work.passCount += 1
        guard !changed.isEmpty else {
            messages = kept
            return
        }
        let added = changed.values.sorted { $0.precedes($1) }
        work.sortCount += 1
        messages = Self.merged(kept, added)
    }

    /// Removes a message and returns it; nil if it is not here.
    @discardableResult
    public mutating func remove(_ id: String) -> ChatMessage? {
        messages.lastIndex { $0.id == id }.map { messages.remove(at: $0) }
    }

    /// Removes all messages.
    public mutating func removeAll() { messages = [] }

    private func isAtEnd(_ message: ChatMessage) -> Bool {
        guard let last = messages.last else { return true }
        if last.id == message.id { return !message.precedes(last) && !last.precedes(message) }
        return message.seq != nil && last.precedes(message) && !messages.contains { $0.id == message.id }
    }

    private static func merged(_ left: [ChatMessage], _ right: [ChatMessage]) -> [ChatMessage] {
        guard let last = left.last, let first = right.first, !last.precedes(first) else { return left + right }
        var merged: [ChatMessage] = []
        merged.reserveCapacity(left.count + right.count)
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if right[j].precedes(left[i]) {
                merged.append(right[j])
                j += 1
            } else {
                merged.append(left[i])
                i += 1
            }
        }
        return merged + left[i...] + right[j...]
    }
}
