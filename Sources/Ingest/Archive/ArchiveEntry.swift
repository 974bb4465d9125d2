/// A regular file in an archive.
public struct ArchiveEntry: Hashable, Sendable {
    /// Its place, from 1; folders and entries that are passed over count.
    public let number: Int
    /// Its path: relative, parts joined by "/", none of them empty, "." or ".."; no control characters or backslashes.
    public let path: String
    /// Its size according to the archive, nil if unknown; the actual bytes decide.
    public let byteCount: Int?
}

/// An entry that was passed over.
public struct SkippedEntry: Hashable, Sendable {
    /// Why an entry is passed over.
    public enum Reason: String, Sendable, CaseIterable {
        /// Its path is absolute, leads out of the archive, or contains control characters or backslashes.
        case unsafePath
        /// Its path is too long.
        case longPath
        /// Its path is empty, or said to be UTF-8 and is not.
        case unreadablePath
        /// An earlier entry has the same path.
        case duplicatePath
        /// It is a symbolic or a hard link.
        case link
        /// It is a device, a pipe or a socket.
        case specialFile
        /// It is a file with holes.
        case sparse
        /// It is encrypted.
        case encrypted
        /// It is neither stored nor deflated.
        case compression
    }

    /// Its place, from 1.
    public let number: Int
    /// Why.
    public let reason: Reason

    public init(number: Int, reason: Reason) {
        self.number = number
        self.reason = reason
    }
}
