import Foundation
import GRDB
import NexusModel

/// Messages and gaps.
extension StoreRows {
    /// A message of a frame or a page.
    struct Incoming {
        var message: ChatMessage
        /// Whether it mentions the person; nil if it is not known.
        var isMention: Bool?
    }

    /// Stores messages of a frame; those that belong into a gap are left out.
    mutating func store(_ batch: [Incoming], in place: inout Place) throws {
        let sorted = sort(batch)
        for incoming in sorted {
            let message = incoming.message
            let isNew = (message.seq ?? 0) > place.head
            if !isNew, try update(incoming, in: place.number, upTo: .max) { continue }
            let position = TimelinePosition(message)
            if try !isNew && isInGap(position, of: place.number) {
                skipped.append("\(message.conversationId) \(message.id)")
                continue
            }
            if try isDeleted(message.id, in: place.number) { continue }
            try insert(incoming, in: place.number)
            place.head = max(place.head, message.seq ?? 0)
        }
        try run("UPDATE conversation SET head = ? WHERE number = ?", [place.head, place.number])
    }

    /// Notes where the known messages of a conversation begin that a frame brought.
    func beginNew(_ place: Place, with batch: [Incoming]) throws {
        let known = Dictionary(batch.compactMap { item in item.message.seq.map { ($0, item.message) } }) { $1 }
        var first = place.head + 1
        while known[first - 1] != nil { first -= 1 }
        try addGap(known[first].map { TimelinePosition($0) } ?? TimelinePosition(after: place.head), in: place.number)
    }

    /// Stores a page of the history: messages without a gap between them.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - before: The message that the page ends before; nil for none.
    ///   - start: The revision when the page was asked for.
    ///   - place: The conversation.
    /// - Throws: Errors of the database.
    mutating func store(_ page: MessagePage, before: TimelinePosition?, askedAt start: Int64, in place: Place) throws {
        let sorted = sort(page.messages.map { Incoming(message: $0) })
        let known = try Set(sorted.map(\.message.id).filter { try isStored($0, in: place.number) })
        for incoming in sorted {
            if try update(incoming, in: place.number, upTo: start) { continue }
            guard !known.contains(incoming.message.id), try !isDeleted(incoming.message.id, in: place.number) else {
                continue
            }
            try insert(incoming, in: place.number)
        }
        let hasOlder = page.hasOlder ?? (page.next != nil)
        let hasNewer = before == nil && page.hasNewer ?? false
        let first = sorted.first.map { TimelinePosition($0.message) }
        let last = sorted.last.map { TimelinePosition($0.message) }
        try closeGaps(from: hasOlder ? first ?? before : nil, through: hasNewer ? last : before, in: place.number)
        if hasOlder, let oldest = sorted.first?.message, !known.contains(oldest.id) {
            try addGap(TimelinePosition(oldest), in: place.number)
        }
        if hasNewer, let newest = sorted.last?.message, !known.contains(newest.id), let last {
            try addGap(
                try position(after: last, in: place.number) ?? TimelinePosition(after: place.head), in: place.number)
        }
    }

    /// Sorts a batch, once.
    private mutating func sort(_ batch: [Incoming]) -> [Incoming] {
        work.sortCount += 1
        work.mergeCount += 1
        return batch.sorted { $0.message.precedes($1.message) }
    }

    private mutating func insert(_ incoming: Incoming, in number: Int64) throws {
        let (position, body) = (TimelinePosition(incoming.message), try Self.body(of: incoming.message))
        try run(
            """
            INSERT INTO message (conversation, seq, time, id, revision, isMention, text, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (conversation, id) DO UPDATE SET seq = excluded.seq, time = excluded.time,
                revision = excluded.revision, isMention = excluded.isMention, text = excluded.text, body = excluded.body
            """,
            [
                number, position.seq, position.time, position.id, revision, incoming.isMention ?? false,
                incoming.message.text, body,
            ])
        addedCount += 1
    }

    /// Replaces a stored message that has not changed since a revision; false if there is none.
    private func update(_ incoming: Incoming, in number: Int64, upTo start: Int64) throws -> Bool {
        let position = TimelinePosition(incoming.message)
        try run(
            """
            UPDATE message SET seq = ?, time = ?, revision = ?, isMention = coalesce(?, isMention), text = ?, body = ?
            WHERE conversation = ? AND id = ? AND revision <= ?
            """,
            [
                position.seq, position.time, revision, incoming.isMention, incoming.message.text,
                try Self.body(of: incoming.message), number, position.id, start,
            ])
        return db.changesCount > 0
    }

    /// Deletes a message.
    func delete(_ id: String, seq: Int64?, in place: Place) throws {
        let stored = try row("SELECT seq FROM message WHERE conversation = ? AND id = ?", [place.number, id])
        let known = stored.flatMap { row in row[0] == 0 ? nil : row[0] as Int64? }
        try run("DELETE FROM message WHERE conversation = ? AND id = ?", [place.number, id])
        try run(
            """
            INSERT INTO tombstone (conversation, id, seq) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET seq = coalesce(excluded.seq, seq)
            """, [place.number, id, seq ?? known])
        if let seq, seq > place.head {
            try run("UPDATE conversation SET head = ? WHERE number = ?", [seq, place.number])
        }
    }

    private func isStored(_ id: String, in number: Int64) throws -> Bool {
        try row("SELECT 1 FROM message WHERE conversation = ? AND id = ?", [number, id]) != nil
    }

    private func isDeleted(_ id: String, in number: Int64) throws -> Bool {
        try row("SELECT 1 FROM tombstone WHERE conversation = ? AND id = ?", [number, id]) != nil
    }

    /// The text is a column; the rest of the message is JSON.
    private static func body(of message: ChatMessage) throws -> Data {
        var rest = message
        rest.text = ""
        return try data(rest)
    }

    /// The message of a row with `text` and `body`.
    static func message(_ row: Row) throws -> ChatMessage {
        var message: ChatMessage = try value(row["body"])
        message.text = row["text"]
        return message
    }
}

/// Gaps.
extension StoreRows {
    func addGap(_ position: TimelinePosition, in number: Int64) throws {
        try run(
            "INSERT OR IGNORE INTO gap (conversation, seq, time, id) VALUES (?, ?, ?, ?)",
            [number, position.seq, position.time, position.id])
    }

    /// Removes the gaps after one place up to another; nil for the beginning and the end of the conversation.
    func closeGaps(from first: TimelinePosition?, through last: TimelinePosition?, in number: Int64) throws {
        let (first, last) = (first ?? Self.beginning, last ?? Self.end)
        try run(
            """
            DELETE FROM gap WHERE conversation = ?
            AND (seq, time, id) > (?, ?, ?) AND (seq, time, id) <= (?, ?, ?)
            """, [number, first.seq, first.time, first.id, last.seq, last.time, last.id])
    }

    /// Before all messages.
    static let beginning = TimelinePosition(seq: -1, time: "", id: "")
    /// After all messages.
    static let end = TimelinePosition(seq: .max, time: "", id: "")

    /// Returns the last gap up to a place.
    func gap(upTo position: TimelinePosition, in number: Int64) throws -> TimelinePosition? {
        try row(
            """
            SELECT seq, time, id FROM gap WHERE conversation = ? AND (seq, time, id) <= (?, ?, ?)
            ORDER BY seq DESC, time DESC, id DESC LIMIT 1
            """, [number, position.seq, position.time, position.id]
        ).map { Self.position($0) }
    }

    /// Whether an unknown message at a place would be between known ones that are apart.
    private func isInGap(_ position: TimelinePosition, of number: Int64) throws -> Bool {
        let gap = try row(
            """
            SELECT seq, time, id FROM gap WHERE conversation = ? AND (seq, time, id) > (?, ?, ?)
            ORDER BY seq, time, id LIMIT 1
            """, [number, position.seq, position.time, position.id])
        guard let gap else { return false }
        guard let next = try self.position(after: position, in: number) else { return true }
        return Self.position(gap) <= next
    }

    /// Returns the place of the first known message after another, or of a later one.
    func position(
        after position: TimelinePosition, skipping count: Int = 0, in number: Int64
    ) throws -> TimelinePosition? {
        try row(
            """
            SELECT seq, time, id FROM message WHERE conversation = ? AND (seq, time, id) > (?, ?, ?)
            ORDER BY seq, time, id LIMIT 1 OFFSET ?
            """, [number, position.seq, position.time, position.id, count]
        ).map { Self.position($0) }
    }

    static func position(_ row: Row) -> TimelinePosition {
        TimelinePosition(seq: row["seq"], time: row["time"], id: row["id"])
    }
}
