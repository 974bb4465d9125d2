import IndexCore

/// A set of group keys for many questions in a short time: open addressing over scattered bits, half of the places free.
///
/// `Set` takes several times as long, since it hashes against keys chosen with ill intent; here a key that is not in
/// the set only costs time to the one who chose the set.
struct KeyFilter {
    private var places: [Int64]
    private var isTaken: [Bool]
    private let mask: UInt64

    init(_ keys: Set<GroupKey>) {
        var capacity = 2
        while capacity < 2 * keys.count { capacity *= 2 }
        places = Array(repeating: 0, count: capacity)
        isTaken = Array(repeating: false, count: capacity)
        mask = UInt64(capacity - 1)
        for key in keys {
            let place = place(of: key.rawValue)
            (places[place], isTaken[place]) = (key.rawValue, true)
        }
    }

    func contains(_ key: GroupKey) -> Bool { isTaken[place(of: key.rawValue)] }

    /// Where a key is, or would be.
    private func place(of key: Int64) -> Int {
        // The table's own order goes by the lowest bits.
        var place = (scatteredBits(of: key) >> 32) & mask
        while isTaken[Int(place)], places[Int(place)] != key { place = (place + 1) & mask }
        return Int(place)
    }
}
