import Synchronization

/// The searches of a ``SearchQueue`` that no thread has taken yet, in order of arrival.
///
/// Every search queues one job, and a job serves one pass. So there are never fewer jobs than searches, and a job that
/// finds no search ends at once.
final class WaitingSearches: Sendable {
    /// The most searches of one pass; see ``CosineIndex/Snapshot``.
    private static let largestPass = 128

    private let crew: ThreadCrew
    private let requests = Mutex<[SearchRequest]>([])
    private let passes = Atomic(0)

    init(_ crew: ThreadCrew) { self.crew = crew }

    /// Adds a search; it fails at once when no thread can run it.
    func add(_ request: SearchRequest) {
        requests.withLock { $0.append(request) }
        if !crew.submit({ self.serve() }) {
            remove(request)
            request.finish(.failure(.outOfMemory(byteCount: ThreadCrew.stackByteCount)))
        }
    }

    /// Removes a search if it still waits.
    func remove(_ request: SearchRequest) {
        requests.withLock { requests in
            if let place = requests.firstIndex(where: { $0 === request }) { requests.remove(at: place) }
        }
    }

    /// The number of waiting searches.
    var count: Int { requests.withLock { $0.count } }

    /// The number of passes so far.
    var passCount: Int { passes.load(ordering: .relaxed) }

    /// Answers the oldest search, and others with the same index and selection.
    private func serve() {
        let candidates = takeCandidates()
        guard let first = candidates.first else { return }
        // Outside the lock, because comparing large selections takes long.
        let members = candidates.filter { $0 === first || $0.groups == first.groups }
        if members.count < candidates.count {
            let others = candidates.filter { $0 !== first && $0.groups != first.groups }
            requests.withLock { $0.insert(contentsOf: others, at: 0) }
            for _ in others { _ = crew.submit { self.serve() } }
        }
        answer(members, like: first)
    }

    private func takeCandidates() -> [SearchRequest] {
        requests.withLock { requests in
            requests.removeAll(where: \.isAnswered)
            guard let first = requests.first else { return [] }
            var taken: [SearchRequest] = []
            var left: [SearchRequest] = []
            for request in requests {
                let isTaken = request === first || (taken.count < Self.largestPass && first.mayShare(with: request))
                if isTaken { taken.append(request) } else { left.append(request) }
            }
            requests = left
            return taken
        }
    }

    /// Searches for all members together with the largest `k`; the first hits of a result are those of a smaller `k`.
    private func answer(_ members: [SearchRequest], like first: SearchRequest) {
        passes.add(1, ordering: .relaxed)
        let context = ScanContext(helpers: crew, helperCount: crew.threadCount - 1) {
            members.allSatisfy(\.isAnswered)
        }
        do throws(VectorIndexError) {
            let k = members.reduce(first.k) { max($0, $1.k) }
            let results = try first.index.snapshot().search(
                batch: members.map(\.query), k: k, in: first.groups, by: .fastest, context, where: first.predicate)
            for (member, hits) in zip(members, results) { member.finish(.success(Array(hits.prefix(member.k)))) }
        } catch {
            for member in members { member.finish(.failure(error)) }
        }
    }
}
