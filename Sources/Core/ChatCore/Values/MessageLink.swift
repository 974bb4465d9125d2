/// Links to messages in the application that they come from.
public enum MessageLink {
    /// The longest link, in bytes.
    public static let byteLimit = 2_048
    /// The error for a text that is not a valid link.
    public static let unusableReason =
        "must be an http or https address of at most \(byteLimit) ASCII characters, without a user name"

    /// Whether a text can be shown as a link: an absolute `http` or `https` address in ASCII without a user name.
    public static func isUsable(_ text: String) -> Bool {
        guard text.utf8.count <= byteLimit, text.utf8.allSatisfy(isPermitted), let host = host(of: text) else {
            return false
        }
        return !host.isEmpty && !host.hasPrefix(":") && !host.contains("@")
    }

    /// The text when it can be shown as a link; nil otherwise.
    public static func usable(_ text: String?) -> String? { text.flatMap { isUsable($0) ? $0 : nil } }

    /// Encodes an id or a name as one segment of a path, or as the value of a query.
    public static func encoded(_ segment: String) -> String {
        segment.utf8.map { byte in
            let isUnreserved = isAlphanumeric(byte) || "-._~".utf8.contains(byte)
            guard !isUnreserved else { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }

    private static func host(of text: String) -> Substring? {
        guard let colon = text.firstIndex(of: ":"), ["http", "https"].contains(text[..<colon].lowercased()) else {
            return nil
        }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        return rest.dropFirst(2).prefix { !"/?#".contains($0) }
    }

    private static func isPermitted(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"<>\"\\^`{|}".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}

/// Makes links to messages that have none.
public struct MessageLinkTemplate: Hashable, Sendable {
    private static let conversation = "{conversationId}"
    private static let message = "{messageId}"

    private let text: String

    /// Reads a template such as `https://chat.example.com/c/{conversationId}/m/{messageId}`.
    ///
    /// - Returns: Nil when it does not name the message, or does not result in a valid link.
    public init?(_ text: String) {
        self.text = text
        guard text.contains(Self.message), let scheme = text.firstRange(of: "://"),
            // The server part must be fixed.
            let path = text[scheme.upperBound...].firstIndex(where: { "/?#".contains($0) }),
            !text[..<path].contains("{"),
            MessageLink.isUsable(url(of: MessageKey(conversationID: "a", messageID: "b")))
        else { return nil }
    }

    /// Returns the link to a message, its ids percent-encoded.
    public func url(of key: MessageKey) -> String {
        text.split(separator: Self.conversation, omittingEmptySubsequences: false)
            .map { part in
                part.split(separator: Self.message, omittingEmptySubsequences: false)
                    .joined(separator: MessageLink.encoded(key.messageID.rawValue))
            }
            .joined(separator: MessageLink.encoded(key.conversationID.rawValue))
    }
}
