import ChatCore
import Crypto

/// What the bytes of an arriving file show so far.
struct FileUpload: Sendable {
    private(set) var byteCount = 0
    private var hash = SHA256()
    private var check = PlainTextCheck()
    private var beginning: [UInt8] = []
    /// The bytes of a text that is searched; empty once it is not text, or too long.
    private var text: [UInt8] = []

    /// Looks at the next bytes.
    mutating func look(at bytes: [UInt8]) {
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
