/// A dictionary in many parts, so that a write beside a snapshot copies the parts that it touches and shares the others.
struct ShardedMap<Key: ShardedKey, Value: Sendable>: Sendable {
    /// At a million entries a part has a thousand, whose copy takes microseconds.
    private static var partCount: Int { 1024 }
    private var parts = [[Key: Value]](repeating: [:], count: partCount)
    /// Entries in the map.
    private(set) var count = 0

    /// The value of a key; nil for none.
    subscript(key: Key) -> Value? {
        get { parts[Self.part(of: key)][key] }
        set {
            let part = Self.part(of: key)
            let before = parts[part].count
            parts[part][key] = newValue
            count += parts[part].count - before
        }
    }

    /// Visits every entry, in an order of its own.
    func forEach(_ body: (Key, Value) -> Void) {
        for part in parts { for (key, value) in part { body(key, value) } }
    }

    private static func part(of key: Key) -> Int {
        Int(truncatingIfNeeded: scatteredBits(of: key.number) & UInt64(partCount - 1))
    }
}

extension ShardedMap where Value == UInt32 {
    /// Counts one more.
    mutating func increment(_ key: Key) {
        let part = Self.part(of: key)
        let before = parts[part].count
        parts[part][key, default: 0] += 1
        count += parts[part].count - before
    }

    /// Counts so many less; at 0 the entry goes.
    mutating func decrement(_ key: Key, by amount: UInt32 = 1) {
        let part = Self.part(of: key)
        guard let index = parts[part].index(forKey: key) else { return }
        if parts[part].values[index] > amount {
            parts[part].values[index] -= amount
        } else {
            parts[part].remove(at: index)
            count -= 1
        }
    }
}

/// A key that is a number.
protocol ShardedKey: Hashable, Sendable {
    /// The number.
    var number: Int64 { get }
}

extension RowKey: ShardedKey { var number: Int64 { rawValue } }
extension GroupKey: ShardedKey { var number: Int64 { rawValue } }
extension TermKey: ShardedKey { var number: Int64 { Int64(bitPattern: rawValue) } }
