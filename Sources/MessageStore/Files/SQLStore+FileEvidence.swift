import ChatCore

extension SQLStore {
    /// Notes pieces of the files that an erasure will remove; returns the number of indistinct texts and files.
    func noteFiles(of subject: ErasureSubject) async throws -> Int {
        let found = try await read { db in
            let rows = ErasureRows(db: db, subject: subject)
            return try db.rows(
                "SELECT f.id, f.name, f.text, f.message IS NULL FROM files f WHERE \(rows.fileCondition)", [rows.id]
            ).map { row -> (id: FileID, texts: [String]) in
                // A message has the names and words of its files.
                (row.identifier(0), row[3] ? [row[1], row[2] as String?].compactMap { $0 } : [])
            }
        }
        guard !found.isEmpty else { return 0 }
        let parts = await onOwnThread { [files] in found.map { files.parts(of: $0.id) } }
        return try await write { db in
            var evidence = try ErasureEvidence(db)
            for (file, parts) in zip(found, parts) {
                for text in file.texts { try evidence.add(text: text) }
                try evidence.add(parts: parts)
            }
            return evidence.indistinctCount
        }
    }
}

extension FileFolder {
    /// Returns parts by which a file is recognised: not its beginning, which files of one format share.
    fileprivate func parts(of id: FileID) -> [[UInt8]] {
        let length = ErasurePiece.byteCounts.upperBound
        guard let file = OpenStoredFile(path(of: id)), let byteCount = file.byteCount else { return [] }
        let offsets = byteCount < 3 * length ? [0] : [byteCount / 3, byteCount / 3 * 2]
        return offsets.compactMap { try? file.bytes(from: $0, count: length) }
    }
}
