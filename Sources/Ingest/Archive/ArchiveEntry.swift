/// A regular file in an archive.
package struct ArchiveEntry: Hashable, Sendable {
    /// Its place, from 1; folders and entries that are passed over count.
    package let number: Int
    /// Its path: relative, parts joined by "/", none of them empty, "." or ".."; no control characters or backslashes.
    package let path: String
    /// Its size according to the archive, nil if unknown; the actual bytes decide.
    package let byteCount: Int?
}

/// An entry that was passed over.
package struct SkippedEntry: Hashable, Sendable {
    /// Why an entry is passed over.
    package enum Reason: String, Sendable, CaseIterable {
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
    package let number: Int
    /// Why.
    package let reason: Reason

    package init(number: Int, reason: Reason) {
        self.number = number
        self.reason = reason
    }
}
