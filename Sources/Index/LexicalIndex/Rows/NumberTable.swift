import IndexCore

/// A hash table whose keys are numbers; a hash takes two nanoseconds, and twenty in `Dictionary`.
///
/// Entries are contiguous in the order of arrival; the last entry takes the place of a removed one. The slots are a
/// separate array whose size is a power of two: linear probing, at most two thirds taken, no tombstones.
package struct NumberTable<Key: ShardedKey, Value: Sendable>: Sendable {
    /// Marks a free slot.
    private static var free: UInt32 { .max }

    private var slots: [UInt32] = []
    private var keys: [Key] = []
    private var values: [Value] = []

    package init() {}

    /// Entries in the table.
    package var count: Int { keys.count }

    /// Makes room for `count` entries.
    package mutating func reserve(_ count: Int) {
        guard count > keys.count else { return }
        keys.reserveCapacity(count)
        values.reserveCapacity(count)
        if slots.count * 2 < count * 3 { rebuild(slotCount: Self.slotCount(for: count)) }
    }

    /// Returns the place of an entry; nil when there is none.
    ///
    /// - Parameters:
    ///   - key: Its key.
    ///   - bits: The scattered bits of the key.
    /// - Returns: Its place, until the next change.
    package func place(of key: Key, bits: UInt64) -> Int? {
        guard !slots.isEmpty else { return nil }
        let place = slots[slot(of: key, bits: bits)]
        return place == Self.free ? nil : Int(place)
    }

    /// The value at a place that ``place(of:bits:)`` returned.
    package subscript(place place: Int) -> Value {
        get { values[place] }
        set { values[place] = newValue }
    }

    /// Sets the value of a new or an existing key.
    ///
    /// - Returns: Whether the key is new.
    @discardableResult
    package mutating func set(_ key: Key, to value: Value, bits: UInt64) -> Bool {
        if slots.count * 2 < (keys.count + 1) * 3 { rebuild(slotCount: Self.slotCount(for: keys.count + 1)) }
        let slot = slot(of: key, bits: bits)
        guard slots[slot] == Self.free else {
            values[Int(slots[slot])] = value
            return false
        }
        slots[slot] = UInt32(keys.count)
        keys.append(key)
        values.append(value)
        return true
    }

    /// Removes an entry.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package mutating func remove(_ key: Key, bits: UInt64) -> Bool {
        guard !slots.isEmpty else { return false }
        var hole = slot(of: key, bits: bits)
        guard slots[hole] != Self.free else { return false }
        let place = Int(slots[hole])
        let last = keys.count - 1
        if place != last {
            slots[slot(of: keys[last], bits: scatteredBits(of: keys[last].number))] = UInt32(place)
            keys[place] = keys[last]
            values[place] = values[last]
        }
        keys.removeLast()
        values.removeLast()
        slots[hole] = Self.free
        // Entries after the hole move to it, unless their search begins after it.
        let mask = slots.count - 1
        var next = (hole + 1) & mask
        while slots[next] != Self.free {
            let first = Self.first(scatteredBits(of: keys[Int(slots[next])].number), mask: mask)
            if (next - first) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                slots[next] = Self.free
                hole = next
            }
            next = (next + 1) & mask
        }
        return true
    }

    /// Visits every entry.
    package func forEach(_ body: (Key, Value) -> Void) {
        for place in keys.indices { body(keys[place], values[place]) }
    }

    /// The slot of a key, or the free slot that it would take.
    private func slot(of key: Key, bits: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Self.first(bits, mask: mask)
        while slots[slot] != Self.free, keys[Int(slots[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }

    private static func slotCount(for count: Int) -> Int {
        var slotCount = 8
        while slotCount * 2 < count * 3 { slotCount *= 2 }
        return slotCount
    }

    /// The slot where the search of a key begins: by its high bits, because the low ones chose the table.
    private static func first(_ bits: UInt64, mask: Int) -> Int { Int(truncatingIfNeeded: bits >> 32) & mask }

    private mutating func rebuild(slotCount: Int) {
        slots = [UInt32](repeating: Self.free, count: slotCount)
        for place in keys.indices {
            let bits = scatteredBits(of: keys[place].number)
            slots[slot(of: keys[place], bits: bits)] = UInt32(place)
        }
    }
}
