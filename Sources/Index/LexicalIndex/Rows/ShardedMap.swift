import IndexCore

/// A hash table in many parts: a write copies the parts that it touches, and shares the others with snapshots.
struct ShardedMap<Key: ShardedKey, Value: Sendable>: Sendable {
    /// Of a million entries a part has a thousand, and copying these takes microseconds.
    private static var partCount: Int { 1024 }
    private var parts = [NumberTable<Key, Value>](repeating: NumberTable(), count: partCount)
    /// Entries in the map.
    private(set) var count = 0

    /// The value of a key; nil when there is none.
    subscript(key: Key) -> Value? {
        get {
            let bits = scatteredBits(of: key.number)
            let part = Self.part(bits)
            return parts[part].place(of: key, bits: bits).map { parts[part][place: $0] }
        }
        set {
            let bits = scatteredBits(of: key.number)
            if let newValue {
                if parts[Self.part(bits)].set(key, to: newValue, bits: bits) { count += 1 }
            } else if parts[Self.part(bits)].remove(key, bits: bits) {
                count -= 1
            }
        }
    }

    /// An entry for making a map of many entries.
    struct Entry {
        let key: Key
        let value: Value
    }

    init() {}

    /// Makes a map of many entries; nil when two have the same key.
    ///
    /// They are sorted by part first: otherwise each would wait for memory of a part that no cache holds.
    init?(_ entries: [Entry]) {
        var ends = [Int](repeating: 0, count: Self.partCount)
        for entry in entries { ends[Self.part(scatteredBits(of: entry.key.number))] += 1 }
        var start = 0
        for part in ends.indices { (ends[part], start) = (start, start + ends[part]) }
        let ordered = [Entry](unsafeUninitializedCapacity: entries.count) { buffer, count in
            for entry in entries {
                let part = Self.part(scatteredBits(of: entry.key.number))
                buffer.initializeElement(at: ends[part], to: entry)
                ends[part] += 1
            }
            count = entries.count
        }
        start = 0
        for part in ends.indices {
            parts[part].reserve(ends[part] - start)
            for entry in ordered[start..<ends[part]] {
                guard parts[part].set(entry.key, to: entry.value, bits: scatteredBits(of: entry.key.number)) else {
                    return nil
                }
            }
            start = ends[part]
        }
        count = entries.count
    }

    /// Visits every entry, in no particular order.
    func forEach(_ body: (Key, Value) -> Void) {
        for part in parts { part.forEach(body) }
    }

    private static func part(_ bits: UInt64) -> Int { Int(truncatingIfNeeded: bits & UInt64(partCount - 1)) }
}

/// A key that is a number.
package protocol ShardedKey: Hashable, Sendable {
    /// The number.
    var number: Int64 { get }
}

extension RowKey: ShardedKey { package var number: Int64 { rawValue } }
extension GroupKey: ShardedKey { package var number: Int64 { rawValue } }
