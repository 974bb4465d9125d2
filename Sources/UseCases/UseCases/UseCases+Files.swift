package import ChatCore

/// Files that people attach to messages.
extension UseCases {
    /// Stores a file of a person while it arrives.
    ///
    /// - Parameters:
    ///   - name: The name as it was given; nil if there is none.
    ///   - content: The bytes.
    ///   - owner: The person, who may attach it to an own message.
    /// - Returns: The file.
    /// - Throws: ``FileError``, ``RepositoryError``.
    package func storeFile<Content: AsyncSequence & Sendable>(
        named name: String?, content: Content, of owner: UserID
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        try await files.storeFile(
            FileDraft(id: FileID(rawValue: makeID()), ownerID: owner, name: name, moment: now()), content: content,
            limits: fileLimits)
    }

    /// Returns what a person's files take of the person's share.
    package func fileUse(of owner: UserID) async throws -> FileUse { try await files.fileUse(of: owner) }

    /// Returns the people whose files take most, for administrators.
    package func largestFileUses(limit: Int) async throws -> [(owner: UserID, use: FileUse)] {
        try await files.largestFileUses(limit: limit)
    }

    /// Returns a file that the asker may read now.
    ///
    /// Everyone who may read its message may read the file. While it has no message, only its owner may.
    ///
    /// - Throws: ``FileError/noSuchFile(_:)``, also for a file that the asker may not see.
    package func file(_ id: FileID, asker: UserID) async throws -> (file: StoredFile, content: FileContent) {
        try await files.file(id, for: asker, at: now())
    }

    /// Deletes a file that somebody uploaded and that no message has.
    ///
    /// - Throws: ``FileError/noSuchFile(_:)``, also for a file of somebody else or of a message.
    package func deleteFile(_ id: FileID, of owner: UserID) async throws {
        try await files.removeUnattachedFile(id, of: owner)
    }
}
