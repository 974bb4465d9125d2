/// The `capacity` highest of some scores, the least of them at hand: a binary heap.
struct HighestScores: Sendable {
    private let capacity: Int
    private var heap: [Float] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The least of the scores kept; −∞ while fewer than `capacity` were inserted.
    var least: Float { heap.count < capacity ? -.infinity : heap[0] }

    /// Keeps a score if it is among the highest.
    mutating func insert(_ score: Float) {
        if heap.count < capacity {
            heap.append(score)
            rise(from: heap.count - 1)
        } else if score > heap[0] {
            heap[0] = score
            sink()
        }
    }

    /// Adds the scores that another has kept.
    mutating func merge(_ other: HighestScores) { other.heap.forEach { insert($0) } }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var child = 2 * index + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard child < heap.count, heap[child] < heap[index] else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
