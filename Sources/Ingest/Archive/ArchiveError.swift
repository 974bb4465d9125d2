/// Why an archive cannot be read completely; never contains a path or content.
///
/// Entries are counted from 1 in the archive's order, including folders and skipped entries.
package enum ArchiveError: Error, Equatable, Sendable {
    /// The file cannot be opened, cannot be read, or is no regular file.
    case unreadable
    /// It is neither zip, nor tar, nor tar in gzip; or a zip that is empty or cut off, so that its directory is
    /// missing.
    case notAnArchive
    /// This entry, or data before it, is cut off, or does not match its checksum or its size.
    case damaged(entry: Int)
    /// There are too many entries.
    case tooManyEntries(limit: Int)
    /// An entry's header is too long.
    case headerTooLong(entry: Int, limit: Int)
    /// An entry is too large.
    case entryTooLarge(entry: Int, limit: Int)
    /// The entries together are too large.
    case archiveTooLarge(limit: Int)
    /// The file is compressed more strongly than allowed.
    case ratioTooHigh(entry: Int, limit: Int)
}
