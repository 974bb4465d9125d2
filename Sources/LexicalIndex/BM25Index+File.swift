import Glibc
public import IndexCore
import Synchronization

/// What ``BM25Index/Snapshot/write(to:identity:analysisVersion:)`` wrote.
public struct WrittenSnapshot: Hashable, Sendable {
    /// Where the file is.
    public let path: String
    /// Bytes of the file.
    public let byteCount: Int
    /// Rows in the file.
    public let rowCount: Int
}

extension BM25Index {
    /// Writes the present rows, one consistent state, to a file; searches and writes go on meanwhile.
    ///
    /// The file is written beside the path, as `path + ".partial"`, and takes its name when it is on the disk. Only the
    /// owner may read it. A file that was there before is replaced, and with it all that was kept of removed rows.
    ///
    /// - Parameters:
    ///   - path: Where the file will be; no other index may write there at the same time.
    ///   - identity: What the rows belong to: the caller's store, at most 128 bytes in UTF-8.
    ///   - analysisVersion: Which version of the caller's analysis made terms of texts.
    /// - Returns: What was written.
    /// - Throws: ``SnapshotError/io(operation:code:)``, a full disk for instance; nothing is left of the new file then.
    public func writeSnapshot(
        to path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try writeSnapshot(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: .max)
    }

    /// The same, on a disk that has room for so many bytes.
    package func writeSnapshot(
        to path: String, identity: String, analysisVersion: Int, byteLimit: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try fileWriter.withLock { (_) throws(SnapshotError) in
            try snapshot().write(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: byteLimit)
        }
    }

    /// Opens a file: reads and checks all of it; the index does not need it afterwards.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - identity: What the rows must belong to.
    ///   - analysisVersion: The version of the analysis that must have made the terms.
    /// - Returns: An index that can be searched and written.
    /// - Throws: Every ``SnapshotError``; `mismatch` names `hash` or `analysis`.
    /// - Complexity: O(bytes of the file).
    public static func open(
        snapshotAt path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> BM25Index {
        // Opening a pipe would block the search that waits for it; mapping refuses what is no regular file.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .io(operation: "open", code: errno) }
        defer { close(descriptor) }
        let mapping = try SnapshotMapping(descriptor: descriptor, leastByteCount: FileHeader.byteCount)
        defer { mapping.unmap() }
        return BM25Index(try FileReader.read(mapping, identity: identity, analysisVersion: analysisVersion))
    }
}

extension BM25Index.Snapshot {
    /// Writes these rows to a file, as ``BM25Index/writeSnapshot(to:identity:analysisVersion:)`` does with those of the
    /// present; for a caller who must know what is in the file to the row.
    ///
    /// - Parameters:
    ///   - path: Where the file will be; nobody else may write there at the same time.
    ///   - identity: What the rows belong to: the caller's store, at most 128 bytes in UTF-8.
    ///   - analysisVersion: Which version of the caller's analysis made terms of texts.
    /// - Returns: What was written.
    /// - Throws: ``SnapshotError/io(operation:code:)``; nothing is left of the new file then.
    public func write(
        to path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try write(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: .max)
    }

    /// The same, on a disk that has room for so many bytes.
    func write(
        to path: String, identity: String, analysisVersion: Int, byteLimit: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        let writer = FileWriter(self, header: FileHeader(identity: identity, analysisVersion: analysisVersion))
        return try replaceFile(at: path) { (descriptor) throws(SnapshotError) in
            defer { close(descriptor) }
            try writer.write(to: descriptor, byteLimit: byteLimit)
            guard fsync(descriptor) == 0 else { throw .io(operation: "fsync", code: errno) }
            return WrittenSnapshot(path: path, byteCount: writer.byteCount, rowCount: writer.rowCount)
        }
    }
}
