import Glibc
public import IndexCore
import Synchronization

/// The result of ``BM25Index/Snapshot/write(to:identity:analysisVersion:)``.
public struct WrittenSnapshot: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// Bytes of the file.
    public let byteCount: Int
    /// Rows in the file.
    public let rowCount: Int
}

extension BM25Index {
    /// Writes the present rows, one consistent state, to a file; searches and writes continue meanwhile.
    ///
    /// The file is written as `path + ".partial"` and renamed when it is on the disk. Only the owner may read it. An
    /// existing file is replaced; the new one holds nothing of removed rows.
    ///
    /// - Parameters:
    ///   - path: The path of the file; no other index may write there at the same time.
    ///   - identity: Identifies the caller's store; at most 128 bytes in UTF-8.
    ///   - analysisVersion: The version of the caller's analysis that made the terms.
    /// - Returns: A description of the file.
    /// - Throws: ``SnapshotError/io(operation:code:)``, for example when the disk is full; the new file is removed
    ///   then.
    public func writeSnapshot(
        to path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try writeSnapshot(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: .max)
    }

    /// The same, on a disk with room for `byteLimit` bytes; for tests.
    package func writeSnapshot(
        to path: String, identity: String, analysisVersion: Int, byteLimit: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try fileWriter.withLock { (_) throws(SnapshotError) in
            try snapshot().write(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: byteLimit)
        }
    }

    /// Opens a file: reads and checks all of it; the index does not need the file afterwards.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - identity: The identity that the file must have.
    ///   - analysisVersion: The version of the analysis that must have made the terms.
    /// - Returns: An index that can be searched and written.
    /// - Throws: Every ``SnapshotError``; `mismatch` names `hash` or `analysis`.
    /// - Complexity: O(bytes of the file).
    public static func open(
        snapshotAt path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> BM25Index {
        // Without O_NONBLOCK, opening a pipe would block a waiting search; mapping refuses anything but a regular file.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .io(operation: "open", code: errno) }
        defer { close(descriptor) }
        let mapping = try SnapshotMapping(descriptor: descriptor, leastByteCount: FileHeader.byteCount)
        defer { mapping.unmap() }
        return BM25Index(try FileReader.read(mapping, identity: identity, analysisVersion: analysisVersion))
    }
}

extension BM25Index.Snapshot {
    /// Writes the rows of this snapshot to a file, so that the caller knows exactly which rows it holds.
    ///
    /// See ``BM25Index/writeSnapshot(to:identity:analysisVersion:)``, which writes the present rows.
    ///
    /// - Parameters:
    ///   - path: The path of the file; no one else may write there at the same time.
    ///   - identity: Identifies the caller's store; at most 128 bytes in UTF-8.
    ///   - analysisVersion: The version of the caller's analysis that made the terms.
    /// - Returns: A description of the file.
    /// - Throws: ``SnapshotError/io(operation:code:)``; the new file is removed then.
    public func write(
        to path: String, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> WrittenSnapshot {
        try write(to: path, identity: identity, analysisVersion: analysisVersion, byteLimit: .max)
    }

    /// The same, on a disk with room for `byteLimit` bytes; for tests.
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
