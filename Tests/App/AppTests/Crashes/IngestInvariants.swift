import Foundation
import MessageStore
import SQLiteStore

/// What holds in a data folder at any moment, whenever the process was killed.
enum IngestInvariants {
    /// Each counts what breaks a promise, for vectors of eight components.
    private static let statements = [
        // A message waits, or has its passages; never both, never neither.
        """
        SELECT COUNT(*) FROM messages m, generations g WHERE g.state <> 'retired' AND m.is_embeddable = 1
            AND EXISTS (SELECT 1 FROM queue q WHERE q.generation = g.number AND q.message = m.number)
            + EXISTS (SELECT 1 FROM passages p WHERE p.generation = g.number AND p.message = m.number
                AND p.ordinal = 0) <> 1
        """,
        "SELECT COUNT(*) FROM passages WHERE number NOT IN (SELECT passage FROM vectors)",
        "SELECT COUNT(*) FROM vectors WHERE passage NOT IN (SELECT number FROM passages)",
        "SELECT COUNT(*) FROM vectors WHERE LENGTH(components) <> 8 * 4",
        "SELECT COUNT(*) FROM passages WHERE message NOT IN (SELECT number FROM messages WHERE is_embeddable = 1)",
        "SELECT COUNT(*) FROM queue WHERE state = 3",
    ]

    /// Returns the promises that are broken, with how often.
    static func broken(in folder: URL) async throws -> [String] {
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        var broken: [String] = []
        for statement in statements {
            let counts = try await store.inspect(statement)
            if counts != ["0"] { broken.append("\(counts): \(statement)") }
        }
        await store.close()
        return broken
    }
}
