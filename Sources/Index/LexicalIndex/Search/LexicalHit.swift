public import IndexCore

/// One row found by a search.
public struct LexicalHit: Hashable, Sendable {
    /// The row's key.
    public let key: RowKey
    /// The group that the row lay in when the snapshot was taken.
    public let group: GroupKey
    /// The row's BM25 over its fields and neighbours, above 0; higher is better.
    public let score: Float
    /// The caller's bits.
    public let flags: UInt16

    public init(key: RowKey, group: GroupKey, score: Float, flags: UInt16 = 0) {
        self.key = key
        self.group = group
        self.score = score
        self.flags = flags
    }

    /// Whether `left` comes before `right` in a result: higher score, then lower key.
    static func isBetter(_ left: LexicalHit, than right: LexicalHit) -> Bool {
        left.score == right.score ? left.key < right.key : left.score > right.score
    }
}

/// The score of one row, and its scores by each kind of evidence alone; each 0 or more.
///
/// BM25 saturates, so the sum of the parts exceeds the total.
public struct LexicalScore: Hashable, Sendable {
    /// The row's score in a search; 0 when no term of the query is in reach.
    public var total: Float = 0
    /// With the row's own text alone.
    public var text: Float = 0
    /// With its sender's name alone.
    public var sender: Float = 0
    /// With its date alone.
    public var date: Float = 0
    /// With the texts of the rows before it alone.
    public var previous: Float = 0
    /// With the texts of the rows after it alone.
    public var next: Float = 0
    /// The part of the query's terms that the row or its neighbours hold, by their rarity: 0...1.
    public var coverage: Float = 0

    public init() {}
}

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

    /// Whether no hit of this score or less would be kept, for any key.
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
