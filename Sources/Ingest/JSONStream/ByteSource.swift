package import Foundation

/// Gives bytes, a piece at a time.
package protocol ByteSource {
    /// Returns the next bytes, not empty; nil at the end.
    mutating func read() throws -> [UInt8]?
}

/// The bytes of a file.
package final class FileSource: ByteSource {
    private static let chunkByteCount = 1 << 20

    private let handle: FileHandle

    /// Opens a file.
    package init(_ file: URL) throws {
        handle = try FileHandle(forReadingFrom: file)
    }

    deinit {
        try? handle.close()
    }

    /// Returns up to a megabyte.
    package func read() throws -> [UInt8]? {
        guard let chunk = try handle.read(upToCount: Self.chunkByteCount), !chunk.isEmpty else { return nil }
        return [UInt8](chunk)
    }
}
