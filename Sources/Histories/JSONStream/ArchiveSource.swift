package import Archive
package import Foundation

/// Goes through the files of an archive; a source of the bytes of the one that it is at.
package final class ArchiveSource: ByteSource {
    private var reader: ArchiveReader

    /// Opens an archive.
    ///
    /// - Throws: ``ArchiveError``.
    package init(_ file: URL, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        reader = try ArchiveReader(file, limits: limits)
    }

    /// The first entries that were passed over.
    package var skipped: [SkippedEntry] { reader.skipped }

    /// How many entries were passed over.
    package var skippedCount: Int { reader.skippedCount }

    /// Goes to the next file; nil after the last.
    package func next() throws(ArchiveError) -> ArchiveEntry? { try reader.next() }

    /// Returns the next bytes of the file that it is at.
    package func read() throws -> [UInt8]? { try reader.read() }
}
