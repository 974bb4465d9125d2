import ChatCore
import Crypto
import Glibc

/// The bytes of an arriving file so far: written to the disk, hashed, and looked at.
struct FileUpload: Sendable {
    private let descriptor: Int32
    private(set) var byteCount = 0
    private var hash = SHA256()
    private var check = PlainTextCheck()
    private var beginning: [UInt8] = []
    /// The bytes of a text that is searched; empty once it is not text, or too long.
    private var text: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes the next bytes.
    mutating func write(_ bytes: [UInt8]) throws(RepositoryError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFolder.error(count < 0 ? errno : ENOSPC) }
            offset += count
        }
        look(at: bytes)
    }

    private mutating func look(at bytes: [UInt8]) {
        byteCount += bytes.count
        hash.update(data: bytes)
        check.take(bytes)
        beginning += bytes.prefix(MediaType.beginningByteCount - beginning.count)
        if byteCount <= FileLimits.searchedBytes, MediaType(beginning: beginning) == nil {
            text += bytes
        } else {
            text = []
        }
    }

    /// Waits until everything is on the disk.
    func synchronise() throws(RepositoryError) {
        guard fsync(descriptor) == 0 else { throw FileFolder.error(errno) }
    }

    /// The type that the bytes show.
    var mediaType: MediaType {
        if byteCount == 0 { return .bytes }
        return MediaType(beginning: beginning) ?? (check.isText ? .text : .bytes)
    }

    /// SHA-256 in hexadecimal digits.
    var sha256: String { hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The words of a text file that is searched; nil for others.
    var searchedText: String? {
        guard mediaType == .text, byteCount <= FileLimits.searchedBytes else { return nil }
        var text = String(decoding: text, as: UTF8.self)
        if text.hasPrefix("\u{FEFF}") { text.unicodeScalars.removeFirst() }
        return text
    }
}
