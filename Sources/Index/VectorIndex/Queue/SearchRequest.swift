import IndexCore
import Synchronization

/// One search, waiting or running, and the continuation that waits for its result.
final class SearchRequest: Sendable {
    typealias Answer = Result<[VectorHit], VectorIndexError>

    private enum State {
        case new
        case awaited(CheckedContinuation<Answer, Never>)
        case answered
    }

    /// Searches for more hits run alone, because others would have to wait for them.
    private static let largestSharedK = 128

    let index: CosineIndex
    let query: [Float]
    let k: Int
    let groups: GroupSelection
    let predicate: (@Sendable (RowKey, RowAttributes) -> Bool)?
    private let fingerprint: UInt64
    private let state = Mutex(State.new)
    private let answered = Atomic(false)

    init(
        index: CosineIndex, query: [Float], k: Int, groups: GroupSelection,
        predicate: (@Sendable (RowKey, RowAttributes) -> Bool)?
    ) {
        self.index = index
        self.query = query
        self.k = k
        self.groups = groups
        self.predicate = predicate
        fingerprint = groups.fingerprint
    }

    /// Whether nothing is left to do: the result was given, or the search was cancelled.
    var isAnswered: Bool { answered.load(ordering: .relaxed) }

    /// Stores the continuation; returns false, after resuming it, when the search was cancelled before.
    func isAwaited(by continuation: CheckedContinuation<Answer, Never>) -> Bool {
        let isNew = state.withLock { state in
            guard case .new = state else { return false }
            state = .awaited(continuation)
            return true
        }
        if !isNew { continuation.resume(returning: .failure(.cancelled)) }
        return isNew
    }

    /// Gives the result; only the first call counts.
    func finish(_ answer: Answer) {
        answered.store(true, ordering: .relaxed)
        let last = state.withLock { state in
            let last = state
            state = .answered
            return last
        }
        if case .awaited(let continuation) = last { continuation.resume(returning: answer) }
    }

    /// Whether one pass may answer both, provided that their selections are equal, not only the fingerprints.
    func mayShare(with other: SearchRequest) -> Bool {
        predicate == nil && other.predicate == nil && index === other.index && fingerprint == other.fingerprint
            && (k == other.k || max(k, other.k) <= Self.largestSharedK)
    }
}

extension GroupSelection {
    /// A number that is equal for equal selections, and almost always different for others.
    fileprivate var fingerprint: UInt64 {
        guard case .only(let keys) = self else { return 0 }
        return keys.reduce(UInt64(keys.count)) { sum, key in
            let bits = UInt64(bitPattern: key.rawValue) &* 0x9E37_79B9_7F4A_7C15
            return sum &+ (bits ^ (bits >> 29)) &* 0xBF58_476D_1CE4_E5B9
        }
    }
}
