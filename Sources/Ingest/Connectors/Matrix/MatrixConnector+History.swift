import ChatCore
import Histories
import Synchronization

extension MatrixConnector {
    /// Reads one page of each room whose history is not complete.
    ///
    /// - Returns: Whether there was one.
    func readHistories() async throws -> Bool {
        try await load()
        let rooms = state.withLock { $0.rooms.values.sorted { $0.id < $1.id } }.filter { room in
            let progress = MatrixProgress(room.progress)
            return !progress.isComplete && !progress.hasLeft && !room.isErased
        }
        for room in rooms {
            do {
                try await readPage(of: room.id)
            } catch let error as MatrixError where error.isAboutMembership {
                try await close(room.id, readAt: now())
            }
        }
        return !rooms.isEmpty
    }

    /// Reads the next page of a room's history towards its beginning, and stores it with the place where it ends.
    private func readPage(of id: String) async throws {
        guard let room = try await room(id) else { return }
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
        let text = state.withLock { state -> String? in
            guard var room = state.rooms[id], !room.isErased else { return nil }
            var progress = MatrixProgress(room.progress)
            // Nexus came back meanwhile, and begins again.
            guard progress.from == from else { return nil }
            (progress.from, progress.isComplete) = (end ?? from, isComplete)
            room.progress = progress.text
            return room.progress
        }
        guard let text else { return }
        page.progress = text
        try await store.take(page, at: now())
        state.withLock { $0.rooms[id]?.progress = text }
    }
}
