import ChatCore
import Foundation

/// A table whose content is not in files of the data folder.
package struct ContentTable: Sendable {
    let name: String
    /// Its columns that hold texts or bytes.
    let columns: [Column]
    /// The size on the server's disk, in bytes.
    let byteCount: Int

    package init(name: String, columns: [Column], byteCount: Int) {
        (self.name, self.columns, self.byteCount) = (name, columns, byteCount)
    }

    /// A column that may hold text of a message.
    package struct Column: Sendable {
        let name: String
        /// Whether it holds bytes; others are read as text.
        let holdsBytes: Bool

        package init(name: String, holdsBytes: Bool) { (self.name, self.holdsBytes) = (name, holdsBytes) }

        /// The column's expression in a statement.
        fileprivate var sql: String { holdsBytes ? "\"\(name)\"" : "\"\(name)\"::text" }
    }
}

/// Searches the rows of tables for pieces of erased content.
struct TableSearch {
    /// The most rows of `file_bytes` in one transaction.
    private static let filePieceLimit = 32

    let search: PieceSearch
    let engine: any StoreEngine

    /// The result of one table.
    private struct Found {
        var byteCount = 0
        /// The numbers of the pieces that were found, by column.
        var pieces: [String: Set<Int>] = [:]
    }

    /// The end of the last piece of a file, where content may begin.
    private struct Place {
        var file = ""
        var place = -1
        var tail: [UInt8] = []
    }

    /// Returns the result of a search in tables, each in one transaction.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - count: Returns the number of texts and vectors that these pieces belong to.
    ///   - progress: Called with the bytes of searched tables.
    /// - Returns: The proof, without ``ErasureProof/indistinctCount``.
    /// - Throws: ``RepositoryError``; the errors of `progress`.
    func run(
        in tables: [ContentTable], counting count: (Set<Int>) -> Int, progress: (_ done: Int) async throws -> Void
    ) async throws -> ErasureProof {
        var proof = ErasureProof()
        var done = 0
        for table in tables {
            let found = try await table.name == "file_bytes" ? searchFileBytes() : searchRows(of: table)
            proof.tableCount += 1
            proof.byteCount += found.byteCount
            for (column, pieces) in found.pieces {
                proof.remains.append(ErasureProof.Remains(file: "\(table.name).\(column)", count: count(pieces)))
            }
            done += table.byteCount
            try await progress(done)
        }
        proof.remains.sort { $0.file < $1.file }
        return proof
    }

    private func searchRows(of table: ContentTable) async throws -> Found {
        let sql = "SELECT \(table.columns.map(\.sql).joined(separator: ", ")) FROM \"\(table.name)\""
        return try await engine.read { [search] db in
            var found = Found()
            let rows = try db.cursor(sql)
            while let row = try rows.next() {
                for (place, column) in table.columns.enumerated() {
                    let bytes = Array(row, place)
                    found.byteCount += bytes.count
                    bytes.withUnsafeBytes { bytes in
                        search.search(bytes) { found.pieces[column.name, default: []].insert($0) }
                    }
                }
            }
            return found
        }
    }

    /// Searches the bytes of arriving files: stored ones remain, and may hold the same content as an erased one.
    private func searchFileBytes() async throws -> Found {
        var (found, last) = (Found(), Place())
        while true {
            let (page, end) = try await engine.read { [search, last] db in
                try Self.searchFileBytes(after: last, for: search, in: db)
            }
            found.byteCount += page.byteCount
            found.pieces.merge(page.pieces) { $0.union($1) }
            guard let end else { return found }
            last = end
        }
    }

    /// Returns the result of a page; without a place if there is none.
    private static func searchFileBytes(
        after last: Place, for search: PieceSearch, in db: any SQLSession
    ) throws -> (Found, Place?) {
        var (found, last) = (Found(), last)
        let rows = try db.rows(
            """
            SELECT b.file_id, b.place, b.bytes FROM file_bytes b WHERE (b.file_id, b.place) > (?, ?)
                AND NOT EXISTS (SELECT 1 FROM files f WHERE f.id = b.file_id)
            ORDER BY b.file_id, b.place LIMIT ?
            """, [last.file, last.place, filePieceLimit])
        for row in rows {
            let piece = Array(row, 2)
            let bytes = (row[0] == last.file ? last.tail : []) + piece
            found.byteCount += piece.count
            bytes.withUnsafeBytes { bytes in
                search.search(bytes) { found.pieces["bytes", default: []].insert($0) }
            }
            last = Place(file: row[0], place: row[1], tail: Array(bytes.suffix(max(0, search.longestByteCount - 1))))
        }
        return (found, rows.isEmpty ? nil : last)
    }
}

extension [UInt8] {
    /// The bytes of a column; none for NULL.
    fileprivate init(_ row: SQLRow, _ column: Int) {
        if let text = row[column] as String? {
            self = Array(text.utf8)
        } else {
            self = (row[column] as Data?).map { Array($0) } ?? []
        }
    }
}
