/// A kind of content that a message has besides its words, as a search asks for it.
public enum ContentKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A file of any kind.
    case file
    /// A picture.
    case image
    /// A sound.
    case audio
    /// A film.
    case video
    /// A file that is no picture, sound or film, such as a PDF, a table or an archive.
    case document
    /// An address of the web in the text.
    case link
}

/// Some kinds of content.
///
/// Each has a bit, whose number is in the files of the index: do not reuse one.
public struct ContentKinds: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(_ kinds: some Sequence<ContentKind>) {
        self.init(rawValue: kinds.reduce(0) { $0 | Self.bit(of: $1) })
    }

    /// Reads the kinds of content that a message has.
    public init(text: String, attachments: [Message.Attachment]) {
        var kinds: [ContentKind] = attachments.isEmpty ? [] : [.file]
        kinds += attachments.map(\.kind)
        if Self.holdsLink(text) { kinds.append(.link) }
        self.init(kinds)
    }

    private static func bit(of kind: ContentKind) -> UInt8 {
        switch kind {
        case .file: 1
        case .image: 2
        case .audio: 4
        case .video: 8
        case .document: 16
        case .link: 32
        }
    }

    /// Whether a text has `http://` or `https://`, and something behind it.
    private static func holdsLink(_ text: String) -> Bool {
        var bytes = text.utf8[...]
        while let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            let scheme = bytes[..<colon].suffix(5).map { $0 | 0x20 }
            let isWeb = scheme.suffix(4) == Array("http".utf8)[...] || scheme == Array("https".utf8)
            bytes = bytes[bytes.index(after: colon)...]
            if isWeb, bytes.starts(with: "//".utf8), let next = bytes.dropFirst(2).first, next > 0x20 { return true }
        }
        return false
    }
}

extension Message {
    /// The kinds of content that it has besides its words.
    public var contentKinds: ContentKinds { ContentKinds(text: text, attachments: attachments) }
}

extension Message.Attachment {
    /// Its kind, by its media type; by the ending of its name if the type says nothing.
    fileprivate var kind: ContentKind {
        if let main = type?.prefix(while: { $0 != "/" }).lowercased(), let kind = Self.kinds[main] { return kind }
        let ending = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[name.index(after: $0)...].lowercased() }
        return ending.flatMap { Self.endings[$0] } ?? .document
    }

    private static let kinds: [String: ContentKind] = ["image": .image, "audio": .audio, "video": .video]

    /// The endings of names that exports of chats write without a type, or with one that says nothing.
    private static let endings: [String: ContentKind] = {
        let lists: [(ContentKind, [String])] = [
            (.image, ["png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "bmp", "tif", "tiff", "avif", "svg"]),
            (.audio, ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "amr"]),
            (.video, ["mp4", "m4v", "mov", "webm", "mkv", "avi", "3gp", "mpg", "mpeg"]),
        ]
        return lists.reduce(into: [:]) { kinds, list in
            for name in list.1 { kinds[name] = list.0 }
        }
    }()
}
