package import ChatCore

extension ChangeCursor {
    /// The cursor that lies so many changes after this one, or before; of a log with one lane.
    package func moved(by count: Int64) -> ChangeCursor {
        ChangeCursor(epoch: epoch, positions: [ChangeNumber(rawValue: positions[0].rawValue + count)])
    }

    /// The beginning of the same log.
    package var beginning: ChangeCursor {
        ChangeCursor(epoch: epoch, positions: positions.map { _ in ChangeNumber(rawValue: 0) })
    }

    /// How many changes lie before it; of a log with one lane.
    package var count: Int64 { positions[0].rawValue }
}

extension ChangeFeed {
    /// Returns all changes that there are.
    package func allChanges() async throws -> [Change] {
        try await changes(after: latestChange().beginning, limit: 1_000_000).changes
    }
}

extension SnapshotRecord {
    /// A file at some position.
    package static func named(_ name: String) -> SnapshotRecord {
        SnapshotRecord(name: name, cursor: ChangeCursor(epoch: 7, positions: [ChangeNumber(rawValue: 3)]))
    }
}
