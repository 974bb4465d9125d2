import ChatCore

/// What an operator reads about a source: a line for the server, and one for each room.
struct ConnectorReport<Progress: ConnectorProgress> {
    /// The beginning of each line.
    let source: String
    /// The address of the server.
    let address: String
    /// The word for the server.
    let server: String
    /// The word for what is counted, in the plural.
    let unit: String
    /// What to do about a token that the server does not know.
    let tokenAdvice: String
    /// Whether reactions are counted with the rest.
    var countsReactions = true
    /// What else is to be said about the server.
    var notes: [String] = []

    /// Returns the lines.
    ///
    /// - Throws: ``RepositoryError``.
    func lines(_ store: any ConnectorStore, _ status: ConnectorStatus, at moment: Timestamp) async throws -> [String] {
        let rooms = try await store.connectorRooms(of: source)
        let counts = Dictionary(grouping: try await store.connectorCounts(of: source), by: \.room)
        let files = Dictionary(grouping: try await store.remoteFileCounts(of: source), by: \.room)
        let lines = rooms.map { room in
            line(
                of: room, (counts[room.id] ?? []).filter { countsReactions || $0.kind != .reaction },
                files: files[room.id] ?? [])
        }
        return [headline(rooms, status, at: moment)] + lines
    }

    private func headline(_ rooms: [ConnectorRoom], _ status: ConnectorStatus, at moment: Timestamp) -> String {
        let open = rooms.filter { !Progress($0.progress).hasLeft && !$0.isErased }.count
        var parts = ["\(open) rooms of \(address)"]
        if let end = status.waitingUntil, end > moment {
            parts.append("waiting until \(end.iso8601), as the \(server) asks")
        }
        switch status.trouble {
        case .unreachable: parts.append("the \(server) cannot be reached, stored messages stay")
        case .token: parts.append("the \(server) does not know \(tokenAdvice)")
        case nil: break
        }
        parts += notes
        if let lag = status.lag { parts.append("last event stored after \(Self.seconds(lag)) s") }
        return "\(source): " + parts.joined(separator: ", ")
    }

    private func line(of room: ConnectorRoom, _ counts: [ConnectorCount], files: [RemoteFileCount]) -> String {
        guard !room.isErased else { return "\(source) \(room.id): erased, not read any more" }
        let progress = Progress(room.progress)
        let total = counts.reduce(0) { $0 + $1.count }
        let left = counts.filter(\.kind.isLeftOut)
        let leftCount = left.reduce(0) { $0 + $1.count }
        var parts = ["\(total) \(unit) read", "\(total - leftCount) stored or applied", "\(leftCount) left out"]
        if leftCount > 0 {
            parts[2] += " (" + left.map { "\($0.kind.rawValue) \($0.count)" }.joined(separator: ", ") + ")"
        }
        if let next = progress.replacedBy {
            parts.append("continued in \(next)")
        } else if progress.hasLeft {
            parts.append("left: nobody reads it")
        } else {
            parts.append(progress.isComplete ? "history complete" : "reading history")
        }
        parts += [true, false].compactMap { isWaiting in
            Self.phrase(files.filter { $0.isWaiting == isWaiting }, isWaiting: isWaiting)
        }
        return "\(source) \(room.id): " + parts.joined(separator: ", ")
    }

    /// The files that are not here, with the reasons.
    private static func phrase(_ files: [RemoteFileCount], isWaiting: Bool) -> String? {
        guard !files.isEmpty else { return nil }
        let count = files.reduce(0) { $0 + $1.count }
        let reasons = files.compactMap { file in file.problem.map { "\($0.rawValue) \(file.count)" } }
        return "\(count) \(count == 1 ? "file" : "files") \(isWaiting ? "to fetch" : "not fetched")"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return "\(seconds).\(tenths)"
    }
}
