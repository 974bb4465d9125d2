import IndexCore

/// The `k` best of some hits: a binary heap with the least of them on top.
struct TopHits {
    private let k: Int
    private var heap: [LexicalHit] = []

    init(k: Int) { self.k = k }

    /// Whether a hit of this score and key would be kept.
    func wouldKeep(score: Float, key: Int64) -> Bool {
        guard heap.count == k else { return true }
        return score > heap[0].score || score == heap[0].score && key < heap[0].key.rawValue
    }

    /// Whether no hit of this score or less would be kept, whatever its key.
    func isBeyond(_ score: Float) -> Bool { heap.count == k && score < heap[0].score }

    /// Keeps a hit that would be kept.
    mutating func insert(_ hit: LexicalHit) {
        if heap.count < k {
            heap.append(hit)
            rise()
        } else {
            heap[0] = hit
            sink()
        }
    }

    /// The hits, best first.
    func sorted() -> [LexicalHit] { heap.sorted { LexicalHit.isBetter($0, than: $1) } }

    private mutating func rise() {
        var index = heap.count - 1
        while index > 0, LexicalHit.isBetter(heap[(index - 1) / 2], than: heap[index]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var child = 2 * index + 1
            if child + 1 < heap.count, LexicalHit.isBetter(heap[child], than: heap[child + 1]) { child += 1 }
            guard child < heap.count, LexicalHit.isBetter(heap[index], than: heap[child]) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
