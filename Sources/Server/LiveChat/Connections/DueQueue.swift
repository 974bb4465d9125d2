package import ChatCore

/// Keys with the time when each is due, earliest first: a binary heap that knows the place of every key.
///
/// A key's time can be changed, so the queue never holds an outdated entry, however often a lease is renewed. Keys with
/// the same time come in any order.
///
/// - Complexity: O(log *n*) for each change; O(1) for ``next``.
package struct DueQueue<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let key: Key
        var due: Timestamp
    }

    /// Each entry is due no later than its children, which are at `2 * place + 1` and `2 * place + 2`.
    private var heap: [Entry] = []
    private var places: [Key: Int] = [:]

    package init() {}

    /// The earliest time; nil when the queue is empty.
    package var next: Timestamp? { heap.first?.due }

    /// How many keys it holds.
    package var count: Int { heap.count }

    /// Adds a key, or changes its time.
    package mutating func set(_ key: Key, due: Timestamp) {
        if let place = places[key] {
            heap[place].due = due
            settle(from: place)
        } else {
            places[key] = heap.count
            heap.append(Entry(key: key, due: due))
            settle(from: heap.count - 1)
        }
    }

    /// Removes a key if the queue holds it.
    package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[last.key] = place
        settle(from: place)
    }

    /// Removes and returns the first key that is due at `now` or earlier; nil when there is none.
    package mutating func popDue(at now: Timestamp) -> Key? {
        guard let first = heap.first, first.due <= now else { return nil }
        remove(first.key)
        return first.key
    }

    private mutating func settle(from start: Int) {
        var place = start
        while place > 0, heap[place].due < heap[(place - 1) / 2].due {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        while let child = earlierChild(of: place), heap[child].due < heap[place].due {
            exchange(place, child)
            place = child
        }
    }

    private func earlierChild(of place: Int) -> Int? {
        let left = 2 * place + 1
        guard left < heap.count else { return nil }
        return left + 1 < heap.count && heap[left + 1].due < heap[left].due ? left + 1 : left
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        places[heap[one].key] = one
        places[heap[other].key] = other
    }
}
