/// The media type of a file, as its bytes show it; the sender's word does not count.
public enum MediaType: String, Hashable, Sendable, Codable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case mp4 = "video/mp4"
    case mp4Audio = "audio/mp4"
    case ogg = "audio/ogg"
    case oggVideo = "video/ogg"
    case mp3 = "audio/mpeg"
    case pdf = "application/pdf"
    case zip = "application/zip"
    case html = "text/html"
    case mail = "message/rfc822"
    /// UTF-8 without control characters; also SVG and source code.
    case text = "text/plain"
    /// Anything else.
    case bytes = "application/octet-stream"

    /// Whether a browser may show it in a page: images, sound and video, which run no scripts.
    public var isShownInline: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .mp4, .mp4Audio, .ogg, .oggVideo, .mp3: true
        case .pdf, .zip, .html, .mail, .text, .bytes: false
        }
    }

    /// The `Content-Type` with which it is sent: no browser takes HTML for a page of this server.
    public var contentType: String {
        switch self {
        case .text: "text/plain; charset=utf-8"
        case .html: "text/plain"
        default: rawValue
        }
    }

    /// The number of first bytes that ``init(beginning:)`` looks at.
    public static let beginningByteCount = 2_048

    /// Recognises a format by its first bytes; nil for text and for unknown formats.
    public init?(beginning bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.beginningByteCount))
        func holds(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if holds("GIF87a") || holds("GIF89a") {
            self = .gif
        } else if holds("RIFF"), holds("WEBP", at: 8) {
            self = .webp
        } else if holds("%PDF-") {
            self = .pdf
        } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
        } else if holds("ftyp", at: 4), let type = Self.type(ofBrand: bytes.dropFirst(8).prefix(4)) {
            self = type
        } else if holds("OggS") {
            self = holds("theora", at: 29) ? .oggVideo : .ogg
        } else if holds("ID3") || Self.isMP3Frame(bytes) {
            self = .mp3
        } else if Self.isHTML(bytes) {
            self = .html
        } else if Self.isMail(bytes) {
            self = .mail
        } else {
            return nil
        }
    }

    /// Returns the type for the main brand of an ISO base media file (ISO/IEC 14496-12); nil for pictures and unknown
    /// ones.
    private static func type(ofBrand brand: ArraySlice<UInt8>) -> MediaType? {
        let brand = String(decoding: brand, as: UTF8.self)
        if brand == "M4A " || brand == "M4B " { return .mp4Audio }
        let isVideo = brand.hasPrefix("iso") || brand.hasPrefix("mp4") || brand.hasPrefix("M4V")
        return isVideo || ["avc1", "dash", "mmp4", "MSNV", "f4v "].contains(brand) ? .mp4 : nil
    }

    /// Whether the bytes begin with the header of a frame of MPEG audio, layer III.
    private static func isMP3Frame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
        let (rate, frequency) = (bytes[2] >> 4, bytes[2] >> 2 & 3)
        return version != 1 && layer == 1 && rate != 0 && rate != 15 && frequency != 3
    }
}

extension MediaType {
    /// Whether the bytes begin with a document type or element of an HTML page, after comments.
    ///
    /// Other elements do not count: texts in Markdown often begin with one.
    private static func isHTML(_ bytes: [UInt8]) -> Bool {
        // In UTF-16 each sign of a tag has a zero byte.
        let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        var rest = (isWide ? bytes.dropFirst(2).filter { $0 != 0 } : bytes)[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            if let after = end(of: "<!--", "-->", in: rest) ?? end(of: "<?xml", "?>", in: rest) {
                rest = rest[after...]
                continue
            }
            let start = String(decoding: rest.prefix(15), as: UTF8.self).lowercased()
            return ["<!doctype html", "<html", "<head", "<body"].contains { name in
                guard start.hasPrefix(name) else { return false }
                return start.dropFirst(name.count).first.map { $0 == ">" || $0.isWhitespace } ?? false
            }
        }
    }

    /// Returns the place behind a part with these ends; nil if the bytes do not begin with it.
    private static func end(of start: String, _ end: String, in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.starts(with: start.utf8) else { return nil }
        let end = Array(end.utf8)
        return bytes.indices.dropFirst(start.utf8.count).first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
    }

    /// Names of fields of which two or more begin a mail (RFC 5322), but hardly another text.
    private static let mailFields: Set<String> = [
        "from", "to", "cc", "subject", "date", "received", "message-id", "return-path", "delivered-to", "mime-version",
        "x-received", "dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results",
    ]

    /// Whether the bytes begin with the head of a mail: nothing but fields.
    private static func isMail(_ bytes: [UInt8]) -> Bool {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        // The last line may go on behind these bytes.
        if bytes.count == beginningByteCount, lines.count > 1 { lines.removeLast() }
        // Mailboxes divide mails by such a line.
        if lines.first?.starts(with: "From ".utf8) == true { lines.removeFirst() }
        var found: Set<String> = []
        for (place, line) in lines.enumerated() where place == 0 || !(line.first == 0x20 || line.first == 0x09) {
            if line.isEmpty || line.elementsEqual([0x0D]) { break }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard name.count < line.count, !name.isEmpty, name.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return false
            }
            let word = String(decoding: name, as: UTF8.self).lowercased()
            if mailFields.contains(word) { found.insert(word) }
        }
        return found.count > 1
    }
}

/// Decides piece by piece whether bytes are plain text: UTF-8 without control characters except tab, line feed, form
/// feed and carriage return.
public struct PlainTextCheck: Sendable {
    /// Continuation bytes that the present scalar still needs.
    private var missingCount = 0
    /// The allowed values of the next continuation byte.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF
    private var isBroken = false

    public init() {}

    /// Whether everything so far is plain text, and no scalar is incomplete.
    public var isText: Bool { !isBroken && missingCount == 0 }

    /// Takes the next bytes.
    public mutating func take(_ bytes: some Sequence<UInt8>) {
        guard !isBroken else { return }
        for byte in bytes where !take(byte) {
            isBroken = true
            return
        }
    }

    /// Takes a byte by table 3-7 of the Unicode Standard; returns whether it may come here.
    private mutating func take(_ byte: UInt8) -> Bool {
        if missingCount > 0 {
            guard allowed.contains(byte) else { return false }
            (missingCount, allowed) = (missingCount - 1, 0x80...0xBF)
            return true
        }
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20...0x7E: return true
        case 0xC2...0xDF: (missingCount, allowed) = (1, 0x80...0xBF)
        case 0xE0: (missingCount, allowed) = (2, 0xA0...0xBF)
        case 0xED: (missingCount, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: (missingCount, allowed) = (2, 0x80...0xBF)
        case 0xF0: (missingCount, allowed) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (missingCount, allowed) = (3, 0x80...0xBF)
        case 0xF4: (missingCount, allowed) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
