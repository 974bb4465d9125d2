import ChatCore
import Crypto
import Foundation

/// A piece of an erased text or vector, as hashes that recognise it but do not reveal it.
struct ErasurePiece: Hashable, Comparable, Sendable {
    /// The possible lengths of pieces, in bytes.
    static let byteCounts = 12...32
    /// A piece with fewer different bytes is not distinctive: zeros, or a row of dashes.
    private static let differentByteMinimum = 5
    /// The position of the length in ``whole``.
    private static let countShift: UInt64 = 58

    /// A hash of the first 12 bytes that is quick to compute.
    let place: UInt32
    /// The length minus 12 in the upper bits, and the beginning of the bytes' SHA-256 in the lower ones.
    let whole: UInt64

    /// Makes a piece of stored numbers.
    init(place: Int64, whole: Int64) {
        self.place = UInt32(truncatingIfNeeded: place)
        self.whole = UInt64(bitPattern: whole)
    }

    /// Makes a piece of its bytes; nil when it is too short or not distinctive.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard Self.byteCounts.contains(bytes.count), Set(bytes).count >= Self.differentByteMinimum else { return nil }
        let piece = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { (Self.place(at: $0), Self.whole(bytes)) }
        }
        guard let piece else { return nil }
        (place, whole) = piece
    }

    /// The length in bytes.
    var byteCount: Int { Int(whole >> Self.countShift) + Self.byteCounts.lowerBound }

    /// Hashes the 12 bytes at an address.
    static func place(at bytes: UnsafeRawPointer) -> UInt32 {
        let first = bytes.loadUnaligned(as: UInt64.self)
        let rest = UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let mixed = (first ^ (rest &* 0x9E37_79B9_7F4A_7C15)) &* 0xFF51_AFD7_ED55_8CCD
        return UInt32(truncatingIfNeeded: ((mixed ^ (mixed >> 29)) &* 0xC4CE_B9FE_1A85_EC53) >> 32)
    }

    /// Hashes all bytes of a piece.
    static func whole(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        let digest = hash.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return UInt64(bytes.count - byteCounts.lowerBound) << countShift | digest >> (64 - countShift)
    }

    static func < (left: ErasurePiece, right: ErasurePiece) -> Bool {
        (left.place, left.whole) < (right.place, right.whole)
    }
}

extension ErasurePiece {
    /// The pieces of a text: from its beginning, middle and end.
    static func pieces(ofText text: String) -> [ErasurePiece] {
        let bytes = Array(text.utf8)
        let count = min(bytes.count, byteCounts.upperBound)
        let offsets: Set = [0, (bytes.count - count) / 2, bytes.count - count]
        return offsets.compactMap { ErasurePiece(bytes[$0..<$0 + count]) }
    }

    /// Where the parts begin by which a file or a picture is recognised: not at its beginning, which those of one format
    /// share.
    static func offsets(inFileOf byteCount: Int) -> [Int] {
        byteCount < 3 * byteCounts.upperBound ? [0] : [byteCount / 3, byteCount / 3 * 2]
    }

    /// The pieces of a vector in Float32, little-endian: as it is stored, and scaled to length 1 as in the index.
    static func pieces(ofVector data: Data) -> [ErasurePiece] {
        let vector = data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        let scale = 1 / vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return [vector, vector.map { Float(Double($0) * scale) }].compactMap {
            piece(ofStored: VectorColumn.data($0))
        }
    }

    /// The piece of a vector as it is stored in a file.
    static func piece(ofStored data: Data) -> ErasurePiece? {
        let length = byteCounts.upperBound
        let offset = data.count <= 2 * length ? 0 : data.count / 8 * 4
        return ErasurePiece(Array(data.dropFirst(offset).prefix(length))[...])
    }
}

/// The rows of `erasure_pieces`: hashes of erased content.
///
/// They survive a crash, so that an erasure that is completed later still searches for all of it.
struct ErasureEvidence {
    let db: any SQLSession
    private var nextItem: Int64
    /// Texts and vectors without a distinctive piece.
    private(set) var indistinctCount = 0

    init(_ db: any SQLSession) throws {
        self.db = db
        nextItem = (try db.number("SELECT MAX(item) FROM erasure_pieces") ?? 0) + 1
    }

    mutating func add(text: String) throws { try add(ErasurePiece.pieces(ofText: text)) }

    /// Adds parts of one file.
    mutating func add(parts: [[UInt8]]) throws { try add(parts.compactMap { ErasurePiece($0[...]) }) }

    mutating func add(vector: Data) throws { try add(ErasurePiece.pieces(ofVector: vector)) }

    private mutating func add(_ pieces: [ErasurePiece]) throws {
        if pieces.isEmpty { indistinctCount += 1 }
        for piece in pieces {
            try db.run(
                "INSERT INTO erasure_pieces (place, whole, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [Int64(piece.place), Int64(bitPattern: piece.whole), nextItem])
        }
        nextItem += 1
    }

    /// Returns all pieces with their items, in order.
    static func all(in db: any SQLSession) throws -> (pieces: [ErasurePiece], items: [Int64]) {
        var (pieces, items): ([ErasurePiece], [Int64]) = ([], [])
        let rows = try db.cursor("SELECT place, whole, item FROM erasure_pieces ORDER BY place, whole")
        while let row = try rows.next() {
            pieces.append(ErasurePiece(place: row[0], whole: row[1]))
            items.append(row[2])
        }
        return (pieces, items)
    }
}
