package import ChatCore

/// The bytes of stored files: in a folder beside SQLite, in the database of PostgreSQL.
///
/// The rows of `files` say which files there are.
package protocol FileBytes: Sendable {
    /// Whether files that arrive are compared with the share of their owner; otherwise the caller does it.
    var checksShares: Bool { get }

    /// Begins a file that arrives.
    ///
    /// - Parameters:
    ///   - draft: The file; its id can be the name of a file on the disk.
    ///   - limits: The limits of all files, and of those of the owner that no message has; files that arrive count.
    /// - Returns: The file, to be ended by ``ArrivingFile/keep(_:)`` or ``ArrivingFile/abandon()``.
    /// - Throws: ``FileError/tooManyUnattached(_:)``, ``RepositoryError``.
    ///   The first call of ``ArrivingFile/append(_:)`` may throw them instead.
    func begin(_ draft: FileDraft, _ limits: FileLimits) async throws -> any ArrivingFile

    /// Returns the bytes of a file; nil if they are missing.
    func content(of id: FileID) async throws -> FileContent?

    /// Puts the bytes of a file whose row is stored in the place of those that it may have; for migrations.
    func put(_ content: FileContent, as id: FileID) async throws

    /// Returns those files whose bytes are missing, or not as many as noted.
    func damaged(among files: [StoredFile]) async throws -> [FileID]

    /// Deletes bytes whose rows were removed, unless they went with the rows; called after each write.
    func removeDeleted() async

    /// Deletes what interrupted calls of the last process left; called when the store is opened.
    func tidy() async

    /// Deletes what came before a moment of uploads that nobody receives any more.
    func removeLeftovers(before moment: Timestamp) async throws
}

/// Inserts the row of a file whose bytes have arrived.
///
/// The second argument fails if they are not there any more; it only reads, so it can be called ahead.
package typealias FileInsertion = @Sendable (_ db: any SQLSession, _ requireWhole: () throws -> Void) throws -> Void

/// A file that arrives, used by one caller.
package protocol ArrivingFile: Sendable {
    /// Appends bytes.
    ///
    /// It is called at least once, with no bytes for an empty file.
    ///
    /// - Throws: ``FileError/folderFull``, ``FileError/tooManyUnattached(_:)``, ``FileError/shareFull(limit:)``,
    ///   ``RepositoryError``; ``FileError/interrupted`` if the beginning of the file was removed meanwhile.
    func append(_ bytes: [UInt8]) async throws

    /// Keeps the file once all its bytes have arrived; the caller must not be cancelled.
    ///
    /// - Parameter insert: Inserts the file's row. If it fails, nothing is kept.
    /// - Throws: The errors of `insert` and of ``append(_:)``.
    func keep(_ insert: @escaping FileInsertion) async throws

    /// Removes what has arrived; does nothing to a file that was kept.
    func abandon() async
}

/// Files of one person that are arriving, or have no message.
package struct LooseFiles {
    package var count: Int
    package var byteCount: Int

    package init(count: Int = 0, byteCount: Int = 0) { (self.count, self.byteCount) = (count, byteCount) }
}

extension FileID {
    /// Whether the id can be the name of a file.
    package var isFileName: Bool {
        (1...128).contains(rawValue.utf8.count) && rawValue != FileLayout.arrivingName
            && rawValue.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// Where bytes of files are kept.
package enum FileLayout {
    /// The folder of files, in the data folder.
    package static let folderName = "files"
    /// The folder of files that arrive, in the folder of files.
    package static let arrivingName = "incoming"
    /// The most bytes that are read or written at a time.
    package static let pieceByteCount = 256 * 1024
}
