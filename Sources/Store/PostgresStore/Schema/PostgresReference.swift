import MessageStore

/// A reference between the largest tables that PostgreSQL does not check with each row.
///
/// A check is a query, and a lock that is written into the referenced row: checks took a third of the time of an
/// import. The same statements run on SQLite, which checks all references, and `nexus doctor` looks for rows without
/// their parent.
struct PostgresReference: Sendable {
    let table: String
    let column: String
    let parent: String

    static let unchecked = [
        PostgresReference(table: "messages", column: "conversation", parent: "conversations"),
        PostgresReference(table: "passages", column: "message", parent: "messages"),
        PostgresReference(table: "passages", column: "generation", parent: "generations"),
        PostgresReference(table: "queue", column: "message", parent: "messages"),
        PostgresReference(table: "queue", column: "generation", parent: "generations"),
    ]

    /// Selects a row if there is one without its parent.
    var orphan: String {
        """
        SELECT 1 FROM \(table) t WHERE NOT EXISTS (SELECT 1 FROM \(parent) p WHERE p.number = t.\(column)) LIMIT 1
        """
    }
}
