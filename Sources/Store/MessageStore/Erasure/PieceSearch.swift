/// Finds any of many pieces in one pass; takes 16 bytes for each piece, and a filter.
struct PieceSearch: Sendable {
    /// Bits of the filter for each piece: enough that one look at it rules out most places of a file.
    private static let filterBitsPerPiece = 32
    private static let filterBitCounts = 16...30

    /// The pieces to search for, in order.
    let pieces: [ErasurePiece]
    /// The lengths of the pieces.
    private let byteCounts: [Int]
    private let filter: [UInt64]
    private let filterShift: UInt32

    /// - Parameter pieces: The pieces to search for, sorted and unique.
    init(_ pieces: [ErasurePiece]) {
        self.pieces = pieces
        byteCounts = Set(pieces.lazy.map(\.byteCount)).sorted()
        let wanted = Int.bitWidth - (pieces.count * Self.filterBitsPerPiece).leadingZeroBitCount
        let bits = min(max(wanted, Self.filterBitCounts.lowerBound), Self.filterBitCounts.upperBound)
        filterShift = UInt32(32 - bits)
        var filter = [UInt64](repeating: 0, count: pieces.isEmpty ? 0 : 1 << (bits - 6))
        for piece in pieces {
            let bit = piece.place >> filterShift
            filter[Int(bit >> 6)] |= 1 << UInt64(bit & 63)
        }
        self.filter = filter
    }

    /// The length of the longest piece in bytes.
    var longestByteCount: Int { byteCounts.last ?? 0 }

    /// Calls `found` with the number of each piece that occurs, once for each occurrence.
    func search(_ bytes: UnsafeRawBufferPointer, found: (Int) -> Void) {
        let least = ErasurePiece.byteCounts.lowerBound
        guard !pieces.isEmpty, let start = bytes.baseAddress, bytes.count >= least else { return }
        filter.withUnsafeBufferPointer { filter in
            for offset in 0...(bytes.count - least) {
                let place = ErasurePiece.place(at: start + offset)
                let bit = place >> filterShift
                guard filter[Int(bit >> 6)] & (1 << UInt64(bit & 63)) != 0 else { continue }
                compare(UnsafeRawBufferPointer(rebasing: bytes[offset...]), place: place, found: found)
            }
        }
    }

    /// The same for a text.
    func search(_ text: String, found: (Int) -> Void) {
        var text = text
        text.withUTF8 { search(UnsafeRawBufferPointer($0), found: found) }
    }

    /// Returns the number of a piece; nil when it is not searched for.
    func index(of piece: ErasurePiece) -> Int? {
        let index = lowerBound(place: piece.place, whole: piece.whole)
        return index < pieces.count && pieces[index] == piece ? index : nil
    }

    private func compare(_ bytes: UnsafeRawBufferPointer, place: UInt32, found: (Int) -> Void) {
        let first = lowerBound(place: place, whole: 0)
        guard first < pieces.count, pieces[first].place == place else { return }
        for byteCount in byteCounts where byteCount <= bytes.count {
            let whole = ErasurePiece.whole(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
            let index = lowerBound(place: place, whole: whole)
            if index < pieces.count, pieces[index].place == place, pieces[index].whole == whole { found(index) }
        }
    }

    private func lowerBound(place: UInt32, whole: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if (pieces[middle].place, pieces[middle].whole) < (place, whole) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
