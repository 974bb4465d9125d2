import Glibc
public import IndexCore
import Synchronization

/// What ``CosineIndex/writeSnapshot(to:identity:)`` wrote; like a snapshot it keeps the rows' memory, and rows from being
/// scrubbed, while it lives.
public struct WrittenSnapshot: Sendable {
    /// Where the file is.
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
    /// Writes the present rows, one consistent state, to a file; searches and writes go on meanwhile.
    ///
    /// The file is written beside the path, as `path + ".partial"`, and takes its name when it is on the disk. Only the
    /// owner may read it. A file that was there before is replaced; whoever has it open keeps what he sees.
    ///
    /// - Parameters:
    ///   - path: Where the file will be; no other index may write there at the same time.
    ///   - identity: What the rows belong to: the caller's store and generation, at most 128 bytes in UTF-8.
    /// - Returns: What was written, which ``adopt(_:)`` takes.
    /// - Throws: ``SnapshotError/io(operation:code:)``, a full disk for instance, and ``SnapshotError/damaged(part:)``
    ///   when rows of the index lie in a damaged block; nothing is left of the new file then.
    public func writeSnapshot(to path: String, identity: String) throws(SnapshotError) -> WrittenSnapshot {
        try writeSnapshot(to: path, identity: identity, byteLimit: .max)
    }

    /// The same, on a disk that has room for so many bytes.
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
            // Only what can be opened replaces what was there.
            let file = try SnapshotFile(descriptor: descriptor, identity: identity, layout: layout)
            let keys = try SnapshotKeys(file)
            return WrittenSnapshot(
                path: path, byteCount: byteCount, rowCount: snapshot.count, table: snapshot.table, keys: keys,
                index: ObjectIdentifier(self))
        }
    }

    /// Opens a file: maps it and checks all but the rows themselves, which are checked block by block at first use.
    ///
    /// - Parameters:
    ///   - path: Where the file is. Nobody else may open it or write to it while the index or a snapshot of it lives, but
    ///     another file may take its name.
    ///   - identity: What the rows must belong to.
    ///   - dimensions: Components of every row.
    ///   - form: As for ``init(dimensions:form:threadCount:)``, and as the file was written in.
    ///   - threadCount: As for ``init(dimensions:form:threadCount:)``.
    /// - Returns: An index that can be searched and written.
    /// - Throws: Every ``SnapshotError``.
    /// - Precondition: `dimensions` and `threadCount` are 1 or more.
    /// - Complexity: O(rows + groups), some 30 bytes read a row.
    public static func open(
        snapshotAt path: String, identity: String, dimensions: Int, form: IndexForm = .exact, threadCount: Int
    ) throws(SnapshotError) -> CosineIndex {
        precondition(threadCount >= 1, "a search needs a thread")
        return try open(
            snapshotAt: path, identity: identity, layout: RowLayout(dimensions: dimensions, form: form),
            settings: ScanSettings(threadCount: threadCount))
    }

    /// Opens a file of an index that was made with these parameters.
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

    /// Writes the file and waits until it is on the disk; closes the descriptor when that fails.
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
    /// The rows of every group that has any, in the order of the file.
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
