import ChatCore
import Foundation

extension SQLStore {
    /// Messages whose pieces are noted in one transaction.
    private static let evidencePageSize = 2_000

    /// Notes hashes of the content that an erasure will remove, for a later search; to be called before the erasure.
    ///
    /// They are kept, also after a crash, until ``proof(leavingOut:progress:)`` has found none of the content.
    ///
    /// - Parameter subject: The subject of the erasure.
    /// - Returns: The number of texts and vectors that are too short, or too plain, to be recognised.
    /// - Throws: Storage errors.
    package func recordEvidence(of subject: ErasureSubject) async throws -> Int {
        var indistinctCount = try await write { db in try ErasureRows(db: db, subject: subject).recordNames() }
        var last: Int64? = 0
        while let after = last {
            let (next, count) = try await write { db in
                try ErasureRows(db: db, subject: subject).recordMessages(after: after, limit: Self.evidencePageSize)
            }
            indistinctCount += count
            last = next
        }
        return indistinctCount + (try await recordFileEvidence(of: subject))
    }

    /// Searches for erased content in every file of the data folder; to be called after ``rewrite()``.
    ///
    /// With PostgreSQL, it searches the folder of this node, and every column of every table that holds texts or bytes.
    /// PostgreSQL's files are not ours to read. So it shows nothing of dead rows, of statistics, of the write-ahead log
    /// and its archives, of standbys and dumps, or of the folders of other nodes.
    ///
    /// Content that also occurs in a remaining message, name or question is left out. When nothing is found, the hashes
    /// are deleted; otherwise the next proof searches for them again.
    ///
    /// - Parameters:
    ///   - indistinctCount: The result of ``recordEvidence(of:)``.
    ///   - progress: Called with the bytes that were searched, and with all bytes.
    /// - Returns: The files and columns that still hold erased content, and counts.
    /// - Throws: ``RepositoryError``; ``BackupError/io(operation:code:)``; the errors of `progress`.
    @concurrent package func proof(
        leavingOut indistinctCount: Int, progress: @Sendable (_ done: Int, _ total: Int) async throws -> Void
    ) async throws -> ErasureProof {
        let (noted, items) = try await read { db in try ErasureEvidence.all(in: db) }
        let search = PieceSearch(noted)
        let remaining = try await read { db in try Self.indexes(of: search, remainingIn: db) }
        let sought = noted.indices.filter { !remaining.contains($0) }
        let soughtItems = sought.map { items[$0] }
        let pieces = PieceSearch(sought.map { noted[$0] })
        func count(_ found: Set<Int>) -> Int { Set(found.map { soughtItems[$0] }).count }
        let tables = try await engine.contentTables()
        let tableByteCount = tables.reduce(0) { $0 + $1.byteCount }
        var proof = try await FolderSearch(search: pieces).run(in: folder, counting: count) { done, total in
            try await progress(done, total + tableByteCount)
        }
        let folderByteCount = proof.byteCount
        let found = try await TableSearch(search: pieces, engine: engine).run(in: tables, counting: count) { done in
            try await progress(folderByteCount + done, folderByteCount + tableByteCount)
        }
        proof.tableCount = found.tableCount
        proof.byteCount += found.byteCount
        proof.remains += found.remains
        // Other people's files may hold the same content; they remain, as other people's messages do.
        let kept = try await read { db in
            Set(try db.rows("SELECT id FROM files").map { "\(FileLayout.folderName)/\($0[0] as String)" })
        }
        proof.remains.removeAll { kept.contains($0.file) }
        proof.searchedCount = Set(soughtItems).count
        proof.indistinctCount = indistinctCount + Set(items).count - proof.searchedCount
        if proof.remains.isEmpty { try await write { db in try db.run("DELETE FROM erasure_pieces") } }
        return proof
    }

    private static func indexes(of search: PieceSearch, remainingIn db: any SQLSession) throws -> Set<Int> {
        var found: Set<Int> = []
        guard !search.pieces.isEmpty else { return found }
        for source in ErasureRows.remainingSources {
            let rows = try db.cursor(source)
            while let row = try rows.next() {
                for column in 0..<row.count {
                    if let text = row[column] as String? { search.search(text) { found.insert($0) } }
                }
            }
        }
        for source in ErasureRows.remainingPictures {
            let rows = try db.cursor(source)
            while let row = try rows.next() {
                let parts = ErasureRows.parts(ofPicture: row[0])
                found.formUnion(parts.compactMap { ErasurePiece($0[...]) }.compactMap(search.index))
            }
        }
        let vectors = try db.cursor("SELECT components FROM vectors")
        while let row = try vectors.next() {
            if let index = ErasurePiece.piece(ofStored: row[0]).flatMap(search.index) { found.insert(index) }
        }
        return found
    }
}

extension ErasureRows {
    /// Notes pieces of names, questions and answers; returns the number of indistinct texts.
    fileprivate func recordNames() throws -> Int {
        var evidence = try ErasureEvidence(db)
        for source in evidenceSources {
            let rows = try db.cursor(source, [id])
            while let row = try rows.next() { try Self.record(row, in: &evidence) }
        }
        for row in try db.rows(pictureSource, [id]) { try evidence.add(parts: Self.parts(ofPicture: row[0])) }
        return evidence.indistinctCount
    }

    /// Returns parts by which a picture is recognised.
    fileprivate static func parts(ofPicture picture: Data) -> [[UInt8]] {
        ErasurePiece.offsets(inFileOf: picture.count).map { offset in
            Array(picture.dropFirst(offset).prefix(ErasurePiece.byteCounts.upperBound))
        }
    }

    private var pictureSource: String {
        switch subject {
        case .user: "SELECT picture FROM profiles WHERE user_id = ?1 AND picture IS NOT NULL"
        case .conversation:
            """
            SELECT p.picture FROM conversation_pictures p JOIN conversations c ON c.number = p.conversation
            WHERE c.id = ?1
            """
        }
    }

    /// Notes pieces of a page of messages, with their vectors.
    ///
    /// - Returns: The number of the page's last message, nil when there is none; and the number of indistinct texts.
    fileprivate func recordMessages(after: Int64, limit: Int) throws -> (last: Int64?, indistinctCount: Int) {
        var evidence = try ErasureEvidence(db)
        let rows = try db.rows(
            """
            SELECT m.number, m.text, m.attachments, m.extra FROM messages m
            WHERE \(condition) AND m.deleted_at IS NULL AND m.number > ?2 ORDER BY m.number LIMIT ?3
            """, [id, after, limit])
        guard let last = rows.last?[0] as Int64? else { return (nil, 0) }
        for row in rows { try Self.record(row, from: 1, in: &evidence) }
        let vectors = try db.rows(
            """
            SELECT v.components FROM messages m JOIN passages p ON p.message = m.number
            JOIN vectors v ON v.passage = p.number WHERE \(condition) AND m.number > ?2 AND m.number <= ?3
            """, [id, after, last])
        for row in vectors { try evidence.add(vector: row[0]) }
        return (last, evidence.indistinctCount)
    }

    private static func record(_ row: SQLRow, from first: Int = 0, in evidence: inout ErasureEvidence) throws {
        for column in first..<row.count { if let text = row[column] as String? { try evidence.add(text: text) } }
    }

    /// Statements that read the texts of the subject besides its messages; each takes its id.
    fileprivate var evidenceSources: [String] {
        let turnTexts = "t.question, t.answer, t.rating_reason, t.searched_question"
        let redacted = "\(standing) SELECT \(turnTexts) FROM standing s JOIN turns t ON t.number = s.number"
        let items = "SELECT i.text, i.quote FROM items i JOIN messages m ON m.number = i.message WHERE \(condition)"
        switch subject {
        case .user:
            return [
                redacted, items, summaries(of: "SELECT conversation FROM members WHERE user_id = ?1"),
                "SELECT DISTINCT person_name FROM items WHERE person_id = ?1",
                "SELECT \(turnTexts) FROM turns t WHERE t.asker_id = ?1",
                "SELECT title FROM threads WHERE owner_id = ?1",
                "SELECT DISTINCT display_name FROM members WHERE user_id = ?1",
                "SELECT name, email FROM identities WHERE user_id = ?1",
                "SELECT destination, address FROM push_devices WHERE user_id = ?1",
                "SELECT title FROM profiles WHERE user_id = ?1", "SELECT name, email FROM accounts WHERE user_id = ?1",
                """
                SELECT a.address FROM source_addresses a JOIN identities i ON i.source = a.source
                    AND i.external_id = a.author_id WHERE i.user_id = ?1
                """,
                "SELECT text, author_name FROM scheduled_messages WHERE user_id = ?1",
                "SELECT question FROM schedules WHERE owner_id = ?1",
            ]
        case .conversation:
            return [
                redacted, items, summaries(of: "SELECT number FROM conversations WHERE id = ?1"),
                "SELECT title FROM threads WHERE conversation_id = ?1",
                """
                SELECT \(turnTexts) FROM threads h JOIN turns t ON t.thread = h.number WHERE h.conversation_id = ?1
                """, "SELECT name FROM conversations WHERE id = ?1",
                """
                SELECT s.text, s.author_name FROM scheduled_messages s JOIN conversations c ON c.number = s.conversation
                WHERE c.id = ?1
                """, "SELECT question FROM schedules WHERE conversation_id = ?1",
            ]
        }
    }

    /// A statement that reads the summaries to be removed: of these conversations, and of those with messages of the
    /// subject.
    private func summaries(of conversations: String) -> String {
        """
        SELECT text FROM summaries WHERE conversation IN (\(conversations)
            UNION SELECT m.conversation FROM messages m WHERE \(condition))
        """
    }

    /// Statements that read the remaining texts.
    fileprivate static let remainingSources = [
        "SELECT text, sender_name, attachments, reactions, extra FROM messages",
        "SELECT name FROM conversations", "SELECT display_name, aliases FROM members",
        "SELECT name, email FROM identities", "SELECT question, rating_reason, searched_question FROM turns",
        "SELECT title FROM threads",
        "SELECT text, quote, person_name FROM items", "SELECT text FROM summaries", "SELECT name, text FROM files",
        "SELECT destination, address FROM push_devices", "SELECT title FROM profiles",
        "SELECT name, email FROM accounts", "SELECT address FROM source_addresses",
        "SELECT text, author_name FROM scheduled_messages", "SELECT question FROM schedules",
    ]

    /// Statements that read the remaining pictures.
    fileprivate static let remainingPictures = [
        "SELECT picture FROM profiles WHERE picture IS NOT NULL", "SELECT picture FROM conversation_pictures",
    ]
}
