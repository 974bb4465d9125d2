/// Writes in the order in which they came, and which of them share the next transaction.
///
/// After a transaction with a heavy write, the light ones come first: however many heavy writes one person sends, others
/// wait for one of them.
package struct WaitingWrites<Write> {
    /// The most weight of the writes of a transaction, unless a single one has more; a short message weighs 1.
    package static var weightLimit: Int { 50 }
    /// The least weight of a heavy write.
    private static var heavy: Int { 20 }

    private struct Waiting {
        let write: Write
        let weight: Int

        var isHeavy: Bool { weight >= heavy }
    }

    private var waiting: [Waiting] = []
    private var lastWasHeavy = false

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    package mutating func append(_ write: Write, weight: Int) {
        waiting.append(Waiting(write: write, weight: weight))
    }

    /// Removes and returns the writes of the next transaction.
    package mutating func takeNext() -> [Write] {
        let isTurnOfLight = lastWasHeavy && !waiting.allSatisfy(\.isHeavy)
        var (taken, rest): ([Waiting], [Waiting]) = ([], [])
        var weight = 0
        for next in waiting {
            let isTooMuch = !taken.isEmpty && weight + next.weight > Self.weightLimit
            if isTooMuch || isTurnOfLight && next.isHeavy {
                rest.append(next)
            } else {
                taken.append(next)
                weight += next.weight
            }
        }
        waiting = rest
        lastWasHeavy = taken.contains(where: \.isHeavy)
        return taken.map(\.write)
    }

    /// Removes and returns all writes.
    package mutating func takeAll() -> [Write] {
        defer { waiting = [] }
        return waiting.map(\.write)
    }
}
