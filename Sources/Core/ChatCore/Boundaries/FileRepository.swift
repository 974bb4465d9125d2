/// Files that people attach to messages.
///
/// A file belongs to its owner until a message of the owner takes it; from then on, everybody reads it who may read the
/// message. Posting a message takes the files that its attachments name by id, in the same transaction; see
/// ``MessageRepository/accept(_:source:mode:at:)``. A file is deleted with its message.
///
/// All calls throw ``FileError`` and ``RepositoryError``.
public protocol FileRepository: Sendable {
    /// Stores a file while it arrives, in bounded memory.
    ///
    /// - Parameters:
    ///   - draft: The id, the owner and the name.
    ///   - content: The bytes; an error that it throws means that the rest does not come.
    ///   - limits: The limits of one file, of all, and of those of the owner that no message has.
    /// - Returns: The file; it survives a crash.
    /// - Throws: ``FileError/tooLarge(limit:)``, ``FileError/folderFull``, ``FileError/shareFull(limit:)``,
    ///   ``FileError/tooManyUnattached(_:)``, ``FileError/interrupted``, ``RepositoryError``; nothing of the file is kept
    ///   then.
    func storeFile<Content: AsyncSequence & Sendable>(
        _ draft: FileDraft, content: Content, limits: FileLimits
    ) async throws -> StoredFile where Content.Element == [UInt8]

    /// Returns a file that the asker may read now.
    ///
    /// Everyone who may read its message may read the file. While it has no message, only its owner may.
    ///
    /// - Throws: ``FileError/noSuchFile(_:)``, also for a file that the asker may not see.
    func file(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> (
        file: StoredFile, content: FileContent
    )

    /// Deletes a file that no message took, for the person who uploaded it.
    ///
    /// - Throws: ``FileError/noSuchFile(_:)``, also for a file of somebody else or of a message.
    func removeUnattachedFile(_ id: FileID, of owner: UserID) async throws

    /// Returns the files that a person uploaded and that are kept, with a message or without one.
    func fileUse(of owner: UserID) async throws -> FileUse

    /// Returns the people whose files take most, the largest first.
    func largestFileUses(limit: Int) async throws -> [(owner: UserID, use: FileUse)]

    /// Deletes files that no message took and that arrived before a moment; returns their number.
    func removeUnattachedFiles(before moment: Timestamp) async throws -> Int
}
