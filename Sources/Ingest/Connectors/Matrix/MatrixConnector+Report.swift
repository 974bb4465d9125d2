import ChatCore

extension MatrixConnector {
    /// Returns lines about the homeserver and about each room, for an operator.
    ///
    /// - Throws: ``RepositoryError``.
    package func report() async throws -> [String] {
        let rooms = try await store.connectorRooms(of: MatrixSettings.source)
        let counts = Dictionary(
            grouping: try await store.connectorCounts(of: MatrixSettings.source), by: \.room)
        return [headline(rooms)] + rooms.map { line(of: $0, counts[$0.id] ?? []) }
    }

    private func headline(_ rooms: [ConnectorRoom]) -> String {
        let open = rooms.filter { !MatrixProgress($0.progress).hasLeft && !$0.isErased }.count
        var parts = ["\(open) rooms of \(settings.homeserver)"]
        if let end = status.waitingUntil, end > now() {
            parts.append("waiting until \(end.iso8601), as the homeserver asks")
        }
        switch status.trouble {
        case .unreachable: parts.append("the homeserver cannot be reached, stored messages stay")
        case .token: parts.append("the homeserver does not know matrix.as-token: compare it with the registration")
        case nil: break
        }
        if let lag = status.lag { parts.append("last event stored after \(Self.seconds(lag)) s") }
        return "matrix: " + parts.joined(separator: ", ")
    }

    private func line(of room: ConnectorRoom, _ counts: [ConnectorCount]) -> String {
        guard !room.isErased else { return "matrix \(room.id): erased, not read any more" }
        let progress = MatrixProgress(room.progress)
        let total = counts.reduce(0) { $0 + $1.count }
        let left = counts.filter(\.kind.isLeftOut)
        let leftCount = left.reduce(0) { $0 + $1.count }
        var parts = ["\(total) events read", "\(total - leftCount) stored or applied", "\(leftCount) left out"]
        if leftCount > 0 {
            parts[2] += " (" + left.map { "\($0.kind.rawValue) \($0.count)" }.joined(separator: ", ") + ")"
        }
        if progress.hasLeft {
            parts.append("left: nobody reads it")
        } else {
            parts.append(progress.isComplete ? "history complete" : "reading history")
        }
        return "matrix \(room.id): " + parts.joined(separator: ", ")
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return "\(seconds).\(tenths)"
    }
}
