import ChatCore

/// Stores embedded messages, within one transaction.
struct PassageWriter {
    let db: any SQLSession
    private var dimensions: [GenerationNumber: Int] = [:]
    /// The items that this transaction has finished.
    private var finished: Set<Item> = []

    private struct Item: Hashable {
        let generation: GenerationNumber
        let message: Int64
    }

    init(db: any SQLSession) {
        self.db = db
    }

    /// Stores one message with its entry in the queue; returns false when it is no longer wanted.
    mutating func store(_ embedded: EmbeddedMessage, of entry: QueueRows.Entry?) throws -> Bool {
        let generation = embedded.item.generation
        guard let entry, finished.insert(Item(generation: generation, message: entry.message)).inserted else {
            return false
        }
        try check(embedded.passages, dimensions: try dimensions(of: generation))
        try db.run(
            "DELETE FROM queue WHERE generation = ? AND message = ?", [generation.rawValue, entry.message])
        if embedded.passages.isEmpty {
            try db.run("UPDATE messages SET is_embeddable = 0 WHERE number = ?", [entry.message])
        }
        for draft in embedded.passages { try insert(draft, of: entry, in: generation.rawValue) }
        return true
    }

    private mutating func dimensions(of generation: GenerationNumber) throws -> Int {
        if let known = dimensions[generation] { return known }
        let found = try db.number("SELECT dimensions FROM generations WHERE number = ?", [generation.rawValue])
        dimensions[generation] = Int(found ?? 0)
        return Int(found ?? 0)
    }

    private func check(_ drafts: [PassageDraft], dimensions: Int) throws(RepositoryError) {
        for (ordinal, draft) in drafts.enumerated() {
            guard draft.ordinal == ordinal else {
                throw .invalid(field: "ordinal", reason: "passages are numbered from 0")
            }
            guard draft.vector.count == dimensions, draft.vector.allSatisfy(\.isFinite) else {
                throw .invalid(field: "vector", reason: "has the wrong length or is not finite")
            }
        }
    }

    private func insert(_ draft: PassageDraft, of entry: QueueRows.Entry, in generation: Int64) throws {
        try db.run(
            """
            INSERT INTO passages (message, generation, ordinal, range_start, range_end, content_hash)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                entry.message, generation, draft.ordinal, draft.range.lowerBound, draft.range.upperBound,
                VectorColumn.data(draft.contentHash),
            ])
        let number = db.insertedNumber
        try db.run(
            "INSERT INTO vectors (passage, components) VALUES (?, ?)", [number, VectorColumn.data(draft.vector)])
        try ChangeLog.append(
            .embedded, conversation: entry.conversation, passage: number, generation: generation, to: db)
    }
}
