import ChatCore
import Histories
import Synchronization

extension MatrixConnector {
    /// Reads one page of each room whose history is not complete.
    ///
    /// - Returns: Whether there was one.
    func readHistories() async throws -> Bool {
        let rooms = try await rooms.unfinished()
        for room in rooms {
            do {
                try await readPage(of: room.id)
            } catch let error as ConnectorError where error.isAboutMembership {
                try await close(room.id, readAt: now())
            }
        }
        return !rooms.isEmpty
    }

    /// Reads the next page of a room's history towards its beginning, and stores it with the place where it ends.
    private func readPage(of id: String) async throws {
        guard let room = try await rooms.room(id) else { return }
        let from = MatrixProgress(room.progress).from
        let deletions = state.withLock { $0.unknownDeletions[id] ?? 0 }
        let readAt = now()
        var query = [("dir", "b"), ("limit", "\(settings.pageSize)")]
        if let from { query.append(("from", from)) }
        let reply = try await client.call(
            "GET", ["v3", "rooms", id, "messages"], query: query, patience: .seconds(3_600))
        let chunk = reply.objects("chunk")
        let events = chunk.reversed().compactMap { MatrixEvent($0, in: id) }
        var page = mapping(of: id).page(events, of: id, readAt: readAt)
        page.isHistory = true
        // The page may hold an edit whose deletion has just arrived: it is read again.
        guard deletions == state.withLock({ $0.unknownDeletions[id] ?? 0 }) else { return }
        let end = reply.text("end")
        let isComplete = end == nil || chunk.isEmpty
        try await rooms.take(page) { progress in
            // Nexus came back meanwhile, and begins again.
            guard progress.from == from else { return false }
            (progress.from, progress.isComplete) = (end ?? from, isComplete)
            return true
        }
    }
}
