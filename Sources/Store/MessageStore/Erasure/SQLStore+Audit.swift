import ChatCore

/// Counts of rows that contradict each other; all are 0 in a sound database.
package struct StoreAudit: Hashable, Sendable {
    /// Passages whose vector is missing.
    package var passagesWithoutVector = 0
    /// Vectors whose passage is missing.
    package var orphanedVectors = 0
    /// Passages of messages without content, or of excluded conversations; not those of retired generations, which are
    /// being deleted.
    package var orphanedPassages = 0
    /// Entries of the queue for messages that must not be embedded, or are embedded already.
    package var needlessEntries = 0
    /// Messages that are neither embedded nor queued in a generation, except those without content to embed.
    package var forgottenMessages = 0
    /// Stored files whose bytes are missing, or not as many as noted.
    package var damagedFiles = 0
    /// Stored files.
    package var files = 0

    package init() {}
}

extension SQLStore {
    /// Counts rows that contradict each other, in one snapshot.
    package func audit() async throws -> StoreAudit {
        let files = try await auditFiles()
        return try await read { db in
            func count(_ sql: String) throws -> Int { Int(try db.number(sql) ?? 0) }
            var audit = StoreAudit()
            (audit.files, audit.damagedFiles) = files
            audit.passagesWithoutVector = try count(
                "SELECT COUNT(*) FROM passages p LEFT JOIN vectors v ON v.passage = p.number WHERE v.passage IS NULL")
            audit.orphanedVectors = try count(
                "SELECT COUNT(*) FROM vectors v LEFT JOIN passages p ON p.number = v.passage WHERE p.number IS NULL")
            audit.orphanedPassages = try count(
                """
                SELECT COUNT(*) FROM passages p JOIN generations g ON g.number = p.generation
                LEFT JOIN messages m ON m.number = p.message LEFT JOIN conversations c ON c.number = m.conversation
                WHERE g.state <> 'retired' AND (m.number IS NULL OR m.is_embeddable = 0 OR c.is_excluded = 1)
                """)
            audit.needlessEntries = try count(
                """
                SELECT COUNT(*) FROM queue q JOIN generations g ON g.number = q.generation
                LEFT JOIN messages m ON m.number = q.message LEFT JOIN conversations c ON c.number = m.conversation
                WHERE m.number IS NULL OR m.is_embeddable = 0 OR c.is_excluded = 1 OR g.state = 'retired'
                    OR EXISTS (SELECT 1 FROM passages p WHERE p.message = q.message AND p.generation = q.generation)
                """)
            audit.forgottenMessages = try count(
                """
                SELECT COUNT(*) FROM generations g JOIN messages m ON m.is_embeddable = 1
                JOIN conversations c ON c.number = m.conversation AND c.is_excluded = 0
                WHERE g.state <> 'retired' AND (g.since IS NULL OR m.timestamp >= g.since)
                    AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.generation = g.number AND q.message = m.number)
                    AND NOT EXISTS (SELECT 1 FROM passages p WHERE p.message = m.number AND p.generation = g.number)
                """)
            return audit
        }
    }
}
