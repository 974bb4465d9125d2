package import Archive
import ChatCore
package import Foundation
import Glibc

/// Gives bytes, a piece at a time.
package protocol ByteSource {
    /// Returns the next bytes, not empty; nil at the end.
    mutating func read() throws -> [UInt8]?
}

/// The bytes of a file.
package final class FileSource: ByteSource {
    private static let chunkByteCount = 128 << 10

    private let handle: FileHandle

    /// Opens a regular file.
    package init(_ file: URL) throws {
        guard let descriptor = RegularFile.open(file.path) else {
            throw POSIXError(errno == 0 ? .EINVAL : POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    }

    deinit {
        try? handle.close()
    }

    /// Returns up to 128 KiB.
    ///
    /// - Throws: `POSIXError`.
    package func read() throws -> [UInt8]? {
        let descriptor = handle.fileDescriptor
        let chunk = try [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { buffer, count in
            var result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
            guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            count = result
        }
        return chunk.isEmpty ? nil : chunk
    }
}

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
