import ChatCore
import Foundation
import GRDB

/// The rows of `erasure_pieces`: hashes of what erasures take away.
///
/// They outlast a crash, so that an erasure that is completed later still looks for all of it.
struct ErasureEvidence {
    let db: Database
    private var nextItem: Int64
    /// Texts and vectors without a piece that says something.
    private(set) var indistinctCount = 0

    init(_ db: Database) throws {
        self.db = db
        nextItem = (try db.number("SELECT MAX(item) FROM erasure_pieces") ?? 0) + 1
    }

    mutating func add(text: String) throws { try add(ErasurePiece.pieces(ofText: text)) }

    mutating func add(vector: Data) throws { try add(ErasurePiece.pieces(ofVector: vector)) }

    private mutating func add(_ pieces: [ErasurePiece]) throws {
        if pieces.isEmpty { indistinctCount += 1 }
        for piece in pieces {
            try db.run(
                "INSERT OR IGNORE INTO erasure_pieces (place, whole, item) VALUES (?, ?, ?)",
                [Int64(piece.place), Int64(bitPattern: piece.whole), nextItem])
        }
        nextItem += 1
    }

    /// Returns all pieces with their items, in order.
    static func all(in db: Database) throws -> (pieces: [ErasurePiece], items: [Int64]) {
        var (pieces, items): ([ErasurePiece], [Int64]) = ([], [])
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT place, whole, item FROM erasure_pieces ORDER BY place, whole"))
        while let row = try rows.next() {
            pieces.append(ErasurePiece(place: row[0], whole: row[1]))
            items.append(row[2])
        }
        return (pieces, items)
    }
}
