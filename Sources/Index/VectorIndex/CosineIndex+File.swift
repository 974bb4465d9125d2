import Glibc
public import IndexCore
import Synchronization

/// The result of ``CosineIndex/writeSnapshot(to:identity:)``.
///
/// Like a snapshot it keeps the memory of its rows, and prevents their scrubbing, while it lives.
public struct WrittenSnapshot: Sendable {
    /// The path of the file.
    public let path: String
    /// Bytes of the file.
    public let byteCount: Int
    /// Rows in the file.
    public let rowCount: Int
    let table: GroupTable
    let keys: SnapshotKeys
    let index: ObjectIdentifier
}

extension CosineIndex {
    /// Writes the present rows, one consistent state, to a file; searches and writes continue meanwhile.
    ///
    /// The file is written as `path + ".partial"` and renamed when it is on the disk. Only the owner may read it. An
    /// existing file is replaced; a process that has it open keeps the old content.
    ///
    /// - Parameters:
    ///   - path: The path of the file; no other index may write there at the same time.
    ///   - identity: Identifies the caller's store and generation; at most 128 bytes in UTF-8.
    /// - Returns: A description of the file, which ``adopt(_:)`` takes.
    /// - Throws: ``SnapshotError/io(operation:code:)``, for example when the disk is full, and
    ///   ``SnapshotError/damaged(part:)`` when rows of the index lie in a damaged block. The new file is removed then.
    public func writeSnapshot(to path: String, identity: String) throws(SnapshotError) -> WrittenSnapshot {
        try writeSnapshot(to: path, identity: identity, byteLimit: .max)
    }

    /// The same, on a disk with room for `byteLimit` bytes; for tests.
    package func writeSnapshot(
        to path: String, identity: String, byteLimit: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try fileWriter.withLock { (_) throws(SnapshotError) in
            try write(snapshot(), to: path, identity: identity, byteLimit: byteLimit)
        }
    }

    private func write(
        _ snapshot: Snapshot, to path: String, identity: String, byteLimit: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try replaceFile(at: path) { (descriptor) throws(SnapshotError) in
            let byteCount = try Self.fill(descriptor, with: snapshot, identity: identity, byteLimit: byteLimit)
            // Only a file that can be opened replaces the old one.
            let file = try SnapshotFile(descriptor: descriptor, identity: identity, layout: layout)
            let keys = try SnapshotKeys(file)
            return WrittenSnapshot(
                path: path, byteCount: byteCount, rowCount: snapshot.count, table: snapshot.table, keys: keys,
                index: ObjectIdentifier(self))
        }
    }

    /// Opens a file: maps it and checks everything but the rows, which are checked block by block at first use.
    ///
    /// - Parameters:
    ///   - path: The path of the file. No one else may open it or write to it while the index or a snapshot of it
    ///     lives, but another file may replace it under its name.
    ///   - identity: The identity that the file must have.
    ///   - dimensions: Components of every row.
    ///   - form: As for ``init(dimensions:form:threadCount:)``; the file must have the same form.
    ///   - threadCount: As for ``init(dimensions:form:threadCount:)``.
    /// - Returns: An index that can be searched and written.
    /// - Throws: Every ``SnapshotError``.
    /// - Precondition: `dimensions` and `threadCount` are 1 or more.
    /// - Complexity: O(rows + groups); about 30 bytes are read for each row.
    public static func open(
        snapshotAt path: String, identity: String, dimensions: Int, form: IndexForm = .exact, threadCount: Int
    ) throws(SnapshotError) -> CosineIndex {
        precondition(threadCount >= 1, "a search needs a thread")
        return try open(
            snapshotAt: path, identity: identity, layout: RowLayout(dimensions: dimensions, form: form),
            settings: ScanSettings(threadCount: threadCount))
    }

    /// Opens a file of an index that was made with these parameters; for tests.
    package static func open(
        snapshotAt path: String, identity: String, dimensions: Int, form: IndexForm = .exact, blockRowCount: Int?,
        threadCount: Int = 1
    ) throws(SnapshotError) -> CosineIndex {
        try open(
            snapshotAt: path, identity: identity,
            layout: RowLayout(
                dimensions: dimensions, form: form, blockRowCount: blockRowCount,
                codedDimensions: Self.testedCodeDimensions),
            settings: .codesAlways(threadCount: threadCount))
    }

    private static func open(
        snapshotAt path: String, identity: String, layout: RowLayout, settings: ScanSettings
    ) throws(SnapshotError) -> CosineIndex {
        let file = try SnapshotFile(path: path, identity: identity, layout: layout)
        let keys = try SnapshotKeys(file)
        return CosineIndex(
            layout: layout, settings: settings, table: GroupTable(file.groups()), count: file.liveCount,
            locations: LocationMap(base: keys))
    }

    /// Writes the file and waits until it is on the disk; closes the descriptor on failure.
    private static func fill(
        _ descriptor: Int32, with snapshot: Snapshot, identity: String, byteLimit: Int
    ) throws(SnapshotError) -> Int {
        do throws(SnapshotError) {
            var writer = try SnapshotWriter(snapshot, identity: identity, descriptor: descriptor, byteLimit: byteLimit)
            try writer.write()
            guard fsync(descriptor) == 0 else { throw .io(operation: "fsync", code: errno) }
            return writer.byteCount
        } catch {
            close(descriptor)
            throw error
        }
    }
}

extension SnapshotFile {
    /// The groups that have rows, in the order of the file.
    func groups() -> [GroupRows] {
        var groups: [GroupRows] = []
        var start = 0
        while start < blocks.count {
            let key = blocks[start].group
            var end = start + 1
            while end < blocks.count, blocks[end].group == key { end += 1 }
            let rows = (start..<end).map { RowBlock(MappedBlock(file: self, number: $0)) }.filter { $0.liveCount > 0 }
            if !rows.isEmpty {
                groups.append(GroupRows(key: key, blocks: rows, liveCount: rows.reduce(0) { $0 + $1.liveCount }))
            }
            start = end
        }
        return groups
    }
}
