/// Why an archive cannot be read, or not to its end; never holds a path or a byte of what is in it.
///
/// Entries are counted from 1 in the archive's order, folders and those that are passed over included.
public enum ArchiveError: Error, Equatable, Sendable {
    /// The file cannot be opened, cannot be read, or is no regular file.
    case unreadable
    /// It is neither zip, nor tar, nor tar in gzip; or a zip that is empty or cut off, so that its directory is missing.
    case notAnArchive
    /// This entry, or what stands before it, is cut off, or does not agree with its checksum or its size.
    case damaged(entry: Int)
    /// More entries than may be.
    case tooManyEntries(limit: Int)
    /// An entry's description is longer than may be.
    case headerTooLong(entry: Int, limit: Int)
    /// An entry holds more bytes than may be.
    case entryTooLarge(entry: Int, limit: Int)
    /// The entries together hold more bytes than may be.
    case archiveTooLarge(limit: Int)
    /// A byte of the file unpacks to more bytes than may be.
    case ratioTooHigh(entry: Int, limit: Int)
}
