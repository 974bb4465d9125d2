import Foundation
import Glibc

/// The source of an archive's bytes.
protocol ArchiveInput: AnyObject {
    /// Whether it can seek to any position.
    var canSeek: Bool { get }
    /// How many bytes of the file were read so far.
    var fileReadByteCount: Int { get }
    /// Returns the next bytes, valid until the next call; none at the end.
    func next() throws(ArchiveError) -> UnsafeRawBufferPointer
    /// Reads to the end, so that damage after the wanted data is found.
    func finish() throws(ArchiveError)
    /// Moves forward without reading, at most to the end; returns how far it moved.
    func skip(_ byteCount: Int) -> Int
    /// Goes to a place; returns it, or nil when it cannot.
    func seek(_ offset: Int, from whence: Int32) -> Int?
}

/// A file as it is.
final class FileInput: ArchiveInput {
    /// How many bytes are read at once.
    static let blockByteCount = 64 << 10

    let canSeek = true
    /// The file's size when it was opened.
    let byteCount: Int
    private(set) var fileReadByteCount = 0
    private let descriptor: Int32
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 16)

    init(_ file: URL) throws(ArchiveError) {
        // Without waiting: to open a pipe would wait for its writer.
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            byteCount = 0
            throw .unreadable
        }
        byteCount = Int(status.st_size)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        block.deallocate()
    }

    func next() throws(ArchiveError) -> UnsafeRawBufferPointer {
        var count = read(descriptor, block.baseAddress, block.count)
        while count < 0, errno == EINTR { count = read(descriptor, block.baseAddress, block.count) }
        guard count >= 0 else { throw .unreadable }
        fileReadByteCount += count
        return UnsafeRawBufferPointer(rebasing: block[..<count])
    }

    /// A plain file has no checksum.
    func finish() {}

    func skip(_ byteCount: Int) -> Int {
        let position = Int(lseek(descriptor, 0, SEEK_CUR))
        guard position >= 0, position < self.byteCount else { return 0 }
        let step = min(byteCount, self.byteCount - position)
        return lseek(descriptor, off_t(step), SEEK_CUR) >= 0 ? step : 0
    }

    func seek(_ offset: Int, from whence: Int32) -> Int? {
        let position = lseek(descriptor, off_t(offset), whence)
        return position >= 0 ? Int(position) : nil
    }

    /// Returns the file's first bytes and seeks back to its start.
    func firstBytes(_ count: Int) throws(ArchiveError) -> [UInt8] {
        let bytes = [UInt8](try next().prefix(count))
        guard seek(0, from: SEEK_SET) == 0 else { throw .unreadable }
        fileReadByteCount = 0
        return bytes
    }
}

extension ArchiveLimits {
    /// Checks the ratio of unpacked bytes to bytes of the file.
    func check(_ byteCount: Int, outOf fileByteCount: Int) throws(ArchiveError) {
        guard byteCount > ratioFreeByteCount, byteCount / ratio > fileByteCount else { return }
        throw .ratioTooHigh(entry: 0, limit: ratio)
    }
}
