/// Finds any of many byte strings in one pass.
struct ByteSearch: Sendable {
    /// The length of the shortest byte string that is looked for.
    static let minimumByteCount = 12
    private static let filterBitCount = 1 << 24

    /// How a byte string begins.
    private struct Head: Hashable {
        let first: UInt64
        let rest: UInt32

        init(_ bytes: UnsafeRawPointer) {
            first = bytes.loadUnaligned(as: UInt64.self)
            rest = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        }
    }

    let needles: [[UInt8]]
    let longestByteCount: Int
    private let byHead: [Head: [Int]]
    /// Most places of a file are passed over by one look at these bits.
    private let filter: [UInt64]

    /// Makes a search.
    ///
    /// - Parameter needles: What to look for, each at least ``minimumByteCount`` long.
    init(_ needles: [[UInt8]]) {
        var byHead: [Head: [Int]] = [:]
        var filter = [UInt64](repeating: 0, count: needles.isEmpty ? 0 : Self.filterBitCount / 64)
        for (index, needle) in needles.enumerated() {
            precondition(needle.count >= Self.minimumByteCount)
            let head = needle.withUnsafeBytes { bytes in bytes.baseAddress.map { Head($0) } }
            guard let head else { continue }
            byHead[head, default: []].append(index)
            let bit = Self.filterBit(of: head.first)
            filter[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        self.needles = needles
        longestByteCount = needles.map(\.count).max() ?? 0
        self.byHead = byHead
        self.filter = filter
    }

    private static func filterBit(of first: UInt64) -> Int {
        Int(truncatingIfNeeded: (first &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    /// Calls `found` with the number of each byte string that occurs, once an occurrence.
    func search(_ bytes: UnsafeRawBufferPointer, found: (Int) -> Void) {
        guard !needles.isEmpty, let start = bytes.baseAddress, bytes.count >= Self.minimumByteCount else { return }
        filter.withUnsafeBufferPointer { filter in
            for offset in 0...(bytes.count - Self.minimumByteCount) {
                let place = start + offset
                let bit = Self.filterBit(of: place.loadUnaligned(as: UInt64.self))
                guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0, let indexes = byHead[Head(place)] else {
                    continue
                }
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                for index in indexes where rest.starts(with: needles[index]) { found(index) }
            }
        }
    }

    /// The same for a text.
    func search(_ text: String, found: (Int) -> Void) {
        var text = text
        text.withUTF8 { search(UnsafeRawBufferPointer($0), found: found) }
    }
}
