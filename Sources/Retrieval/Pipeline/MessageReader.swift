import ChatCore

/// Reads the messages of candidates from the store: those that may become hits, not all that were found.
///
/// The indexes know enough of a message to give it its score, and nothing of it is shown before it was read here, within
/// the scope and in one moment with the permission.
struct MessageReader: Sendable {
    let store: any MessageRepository
    let request: SearchRequest
    let moment: Timestamp
    /// Of which generation passages are wanted; nil for none.
    var generation: GenerationNumber?
    /// What was read and may be seen.
    private(set) var visible: [MessageNumber: VisibleMessage] = [:]
    private var asked: Set<MessageNumber> = []

    init(store: any MessageRepository, request: SearchRequest, moment: Timestamp) {
        self.store = store
        self.request = request
        self.moment = moment
    }

    /// Reads messages that were not read before.
    mutating func read(_ numbers: [MessageNumber]) async throws {
        let unread = numbers.filter { asked.insert($0).inserted }
        guard !unread.isEmpty else { return }
        for found in try await store.visible(unread, passagesOf: generation, in: request.scope, at: moment)
        where request.filter.admits(senderID: found.message.senderID, timestamp: found.message.timestamp) {
            visible[found.number] = found
        }
    }

    /// Reads the first of a ranking.
    ///
    /// - Parameters:
    ///   - ranked: Candidates, best first.
    ///   - count: How many are needed.
    /// - Returns: The ranking without those that may not be seen: of it so many are read, or all.
    /// - Throws: ``RepositoryError``.
    mutating func reading(_ ranked: [Fusion.Ranked], first count: Int) async throws -> [Fusion.Ranked] {
        var ranked = ranked
        while true {
            let unread = ranked.prefix(count).map(\.candidate.number).filter { !asked.contains($0) }
            guard !unread.isEmpty else { return ranked }
            try await read(unread)
            ranked.removeAll { asked.contains($0.candidate.number) && visible[$0.candidate.number] == nil }
        }
    }
}
