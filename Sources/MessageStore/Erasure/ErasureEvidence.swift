import Foundation

/// Byte strings by which erased content would be recognised wherever it lay.
///
/// Of each text up to three pieces of at most 32 bytes are kept, from its beginning, middle and end; of a vector one
/// piece as it is stored and one of the vector brought to length 1, as the index keeps it.
public struct ErasureEvidence: Sendable {
    private static let pieceByteCount = 32
    /// Fewer different bytes than this say nothing: zeros, or a row of dashes.
    private static let differentByteMinimum = 5

    /// One text or vector, and which of the pieces are its own.
    private var pieces: [(bytes: [UInt8], item: Int)] = []
    /// How many texts and vectors there were.
    private(set) var itemCount = 0

    init() {}

    mutating func add(_ text: String) {
        let bytes = Array(text.utf8)
        defer { itemCount += 1 }
        let count = min(bytes.count, Self.pieceByteCount)
        for offset in Set([0, (bytes.count - count) / 2, bytes.count - count]) {
            add(bytes[offset..<offset + count])
        }
    }

    /// Adds a vector, Float32 in little-endian order.
    mutating func add(vector data: Data) {
        defer { itemCount += 1 }
        let vector = data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
        let scale = 1 / vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        for form in [vector, vector.map { Float(Double($0) * scale) }] {
            add(Self.piece(ofVector: VectorColumn.data(form))[...])
        }
    }

    /// The piece of a vector by which it is recognised.
    static func piece(ofVector data: Data) -> [UInt8] {
        let offset = data.count <= 2 * pieceByteCount ? 0 : data.count / 8 * 4
        return Array(data.dropFirst(offset).prefix(pieceByteCount))
    }

    private mutating func add(_ piece: ArraySlice<UInt8>) {
        guard piece.count >= ByteSearch.minimumByteCount, Set(piece).count >= Self.differentByteMinimum else { return }
        pieces.append((Array(piece), itemCount))
    }

    /// A search for all pieces.
    var search: ByteSearch { ByteSearch(pieces.map(\.bytes)) }

    /// Leaves pieces out, by their numbers in ``search``.
    mutating func leaveOut(_ indexes: Set<Int>) {
        pieces = pieces.enumerated().filter { !indexes.contains($0.offset) }.map(\.element)
    }

    /// How many texts and vectors can be recognised.
    var recognisableCount: Int { Set(pieces.map(\.item)).count }

    /// How many texts and vectors pieces belong to.
    func itemCount(of indexes: Set<Int>) -> Int { Set(indexes.map { pieces[$0].item }).count }
}

/// What a search of a data folder for erased content found.
public struct ErasureProof: Hashable, Sendable, Codable {
    /// A file that still holds some of it.
    public struct Remains: Hashable, Sendable, Codable {
        /// The file's path within the data folder.
        public var file: String
        /// How many of the texts and vectors it holds.
        public var count: Int

        /// Makes the value from its parts.
        public init(file: String, count: Int) {
            self.file = file
            self.count = count
        }
    }

    /// Texts and vectors that were looked for.
    public var searchedCount = 0
    /// Texts and vectors that were not: too short, or the same stands in what remains.
    public var indistinctCount = 0
    /// Files that were read to their end.
    public var fileCount = 0
    /// Their bytes.
    public var byteCount = 0
    /// Where something was found; empty when all is well.
    public var remains: [Remains] = []

    /// Makes the proof of nothing.
    public init() {}
}
