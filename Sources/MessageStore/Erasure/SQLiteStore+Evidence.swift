import Foundation
import GRDB

extension SQLiteStore {
    /// The most messages whose texts and vectors are looked for.
    static let evidenceLimit = 100_000

    /// Collects what an erasure would take away, to be looked for afterwards; to be called before it.
    ///
    /// - Parameter subject: What will be erased; of very much the newest is taken.
    /// - Returns: Pieces of texts and vectors.
    /// - Throws: Storage errors.
    public func evidence(of subject: ErasureSubject) async throws -> ErasureEvidence {
        try await read { db in
            var evidence = ErasureEvidence()
            let rows = ErasureRows(db: db, subject: subject)
            for source in rows.evidenceSources {
                for row in try db.rows("\(source) LIMIT \(Self.evidenceLimit)", [rows.id]) {
                    for column in 0..<row.count { if let text = row[column] as String? { evidence.add(text) } }
                }
            }
            let vectors = try Data.fetchCursor(
                db, sql: "\(rows.vectorSource) LIMIT \(Self.evidenceLimit)", arguments: [rows.id])
            while let vector = try vectors.next() { evidence.add(vector: vector) }
            return evidence
        }
    }

    /// Looks for erased content in every file of the data folder; to be called after everything was rewritten.
    ///
    /// What stands in a message, a name or a question that remains is not looked for.
    ///
    /// - Parameter evidence: What was collected before.
    /// - Returns: What was found.
    /// - Throws: ``RepositoryError``; ``BackupError/io(operation:code:)``.
    @concurrent public func proof(of evidence: ErasureEvidence) async throws -> ErasureProof {
        let search = evidence.search
        let remaining = try await read { db in try Self.indexes(of: search, remainingIn: db) }
        var distinct = evidence
        distinct.leaveOut(remaining)
        let final = distinct
        var proof = try FolderSearch(search: final.search).run(in: folder) { final.itemCount(of: $0) }
        proof.searchedCount = final.recognisableCount
        proof.indistinctCount = final.itemCount - final.recognisableCount
        return proof
    }

    private static func indexes(of search: ByteSearch, remainingIn db: Database) throws -> Set<Int> {
        var found: Set<Int> = []
        guard !search.needles.isEmpty else { return found }
        for source in ErasureRows.remainingSources {
            let rows = try Row.fetchCursor(db.cachedStatement(sql: source))
            while let row = try rows.next() {
                for column in 0..<row.count {
                    if let text = row[column] as String? { search.search(text) { found.insert($0) } }
                }
            }
        }
        let byNeedle = Dictionary(grouping: search.needles.indices) { search.needles[$0] }
        let vectors = try Data.fetchCursor(db.cachedStatement(sql: "SELECT components FROM vectors"))
        while let data = try vectors.next() {
            for index in byNeedle[ErasureEvidence.piece(ofVector: data)] ?? [] { found.insert(index) }
        }
        return found
    }
}

extension ErasureRows {
    /// Statements that read the texts of the subject; each takes its id.
    fileprivate var evidenceSources: [String] {
        let messages = """
            SELECT m.text, m.attachments, m.extra FROM messages m WHERE \(condition) AND m.deleted_at IS NULL
            ORDER BY m.number DESC
            """
        let redacted = """
            SELECT DISTINCT t.question, t.answer FROM turn_sources s JOIN turns t ON t.number = s.turn
            JOIN conversations c ON c.id = s.conversation_id
            JOIN messages m ON m.conversation = c.number AND m.id = s.message_id WHERE \(condition)
            """
        switch subject {
        case .user:
            return [
                messages, redacted, "SELECT question, answer FROM turns WHERE asker_id = ?1 ORDER BY number DESC",
                "SELECT DISTINCT display_name FROM members WHERE user_id = ?1",
                "SELECT name, email FROM identities WHERE user_id = ?1",
            ]
        case .conversation: return [messages, redacted, "SELECT name FROM conversations WHERE id = ?1"]
        }
    }

    /// The statement that reads the vectors of the subject.
    fileprivate var vectorSource: String {
        """
        SELECT v.components FROM messages m JOIN passages p ON p.message = m.number
        JOIN vectors v ON v.passage = p.number WHERE \(condition) ORDER BY p.number DESC
        """
    }

    /// Statements that read the texts that remain.
    fileprivate static let remainingSources = [
        "SELECT text, sender_name, attachments, reactions, extra FROM messages",
        "SELECT name FROM conversations", "SELECT display_name, aliases FROM members",
        "SELECT name, email FROM identities", "SELECT question FROM turns",
    ]
}
