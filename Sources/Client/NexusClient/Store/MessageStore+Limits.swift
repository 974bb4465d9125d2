import GRDB
import NexusModel

/// Limits.
extension MessageStore {
    /// After how many new messages the limits are checked.
    static let evictionStep = 2_000

    /// Removes old messages of conversations that were not opened for long, until the store is within its limits.
    ///
    /// Each conversation keeps its newest messages, and a gap before them: the server still has the others. Called by the
    /// store itself from time to time.
    ///
    /// - Throws: ``StoreError``.
    public func evict() throws(StoreError) {
        let limits = limits
        try write { db in
            let rows = StoreRows(db)
            var counts = try rows.rows(
                """
                SELECT number, (SELECT count(*) FROM message WHERE message.conversation = conversation.number) AS count
                FROM conversation ORDER BY openedAt, number
                """
            ).map { (number: $0[0] as Int64, count: $0[1] as Int) }
            for place in counts.indices where counts[place].count > limits.messagesPerConversation {
                counts[place].count = try rows.trim(counts[place].number, to: limits.messagesPerConversation)
            }
            var excess = counts.reduce(0) { $0 + $1.count } - limits.messageCount
            for (number, count) in counts where excess > 0 && count > limits.keptPerConversation {
                excess -= count - (try rows.trim(number, to: max(count - excess, limits.keptPerConversation)))
            }
        }
    }

    /// Notes that a conversation is on the screen: it is the last one that loses messages.
    ///
    /// - Throws: ``StoreError``.
    public func touch(_ id: String) throws(StoreError) {
        try write { db in
            try StoreRows(db).run(
                "UPDATE conversation SET openedAt = 1 + (SELECT max(openedAt) FROM conversation) WHERE id = ?", [id])
        }
    }
}

extension StoreRows {
    /// Removes all but the newest messages of a conversation; returns how many are left.
    func trim(_ number: Int64, to count: Int) throws -> Int {
        let row = try row(
            """
            SELECT seq, time, id FROM message WHERE conversation = ? ORDER BY seq DESC, time DESC, id DESC
            LIMIT 1 OFFSET ?
            """, [number, max(count, 1) - 1])
        guard let row else { return count }
        let first = Self.position(row)
        for table in ["message", "gap"] {
            try run(
                "DELETE FROM \(table) WHERE conversation = ? AND (seq, time, id) < (?, ?, ?)",
                [number, first.seq, first.time, first.id])
        }
        try addGap(first, in: number)
        return max(count, 1)
    }
}
