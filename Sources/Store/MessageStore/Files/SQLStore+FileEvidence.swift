import ChatCore

extension SQLStore {
    /// Notes pieces of the files that an erasure will remove; returns the number of indistinct texts and files.
    func recordFileEvidence(of subject: ErasureSubject) async throws -> Int {
        let found = try await read { db in
            let rows = ErasureRows(db: db, subject: subject)
            return try db.rows(
                """
                SELECT f.id, f.name, f.text, f.message IS NULL, f.byte_count FROM files f WHERE \(rows.fileCondition)
                """, [rows.id]
            ).map { row -> (id: FileID, byteCount: Int, texts: [String]) in
                // A message has the names and words of its files.
                (row.identifier(0), row[4], row[3] ? [row[1], row[2] as String?].compactMap { $0 } : [])
            }
        }
        guard !found.isEmpty else { return 0 }
        var parts: [[[UInt8]]] = []
        for file in found { parts.append(try await self.parts(of: file.id, byteCount: file.byteCount)) }
        return try await write { [parts] db in
            var evidence = try ErasureEvidence(db)
            for (file, parts) in zip(found, parts) {
                for text in file.texts { try evidence.add(text: text) }
                try evidence.add(parts: parts)
            }
            return evidence.indistinctCount
        }
    }

    /// Returns parts by which a file is recognised.
    private func parts(of id: FileID, byteCount: Int) async throws -> [[UInt8]] {
        guard let content = try await files.content(of: id) else { return [] }
        var parts: [[UInt8]] = []
        for offset in ErasurePiece.offsets(inFileOf: byteCount) {
            // A file that cannot be read, or was deleted in the meantime, has no parts.
            let part = try? await content.bytes(from: offset, count: ErasurePiece.byteCounts.upperBound)
            if let part { parts.append(part) }
        }
        return parts
    }
}
