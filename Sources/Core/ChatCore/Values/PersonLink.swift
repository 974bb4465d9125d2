import Crypto
import Foundation

/// An author of a connected source who is joined with an account: the account reads what the author reads there.
public struct PersonLink: Hashable, Sendable, Codable {
    /// How the two were joined.
    public enum Way: String, Hashable, Sendable, Codable, CaseIterable {
        /// Both have the same verified mail address; it ends when one of them loses the address.
        case email
        /// The person wrote a code of the account in the source.
        case code
    }

    /// The source.
    public let source: String
    /// The author's id in the source.
    public let authorID: String
    /// The account.
    public let userID: UserID
    /// The author's name in the source, if known.
    public let name: String?
    /// How the two were joined.
    public let way: Way
    /// When they were joined.
    public let linkedAt: Timestamp

    public init(
        source: String, authorID: String, userID: UserID, name: String?, way: Way, linkedAt: Timestamp
    ) {
        (self.source, self.authorID, self.userID) = (source, authorID, userID)
        (self.name, self.way, self.linkedAt) = (name, way, linkedAt)
    }
}

/// What somebody wrote in a source about the own link.
public enum LinkCommand: Hashable, Sendable {
    /// Join me with the account that has this code.
    case join(code: String)
    /// End my link.
    case end

    /// The text of a message that asks to be joined, as it is stored: without the code.
    public static let hiddenCode = "link ********"

    /// Reads the question of a message to the assistant; nil if it is no such command.
    ///
    /// - Parameter question: The text behind the assistant's name.
    public init?(question: String) {
        let words = question.split(whereSeparator: \.isWhitespace).map { word in
            word.trimmingPrefix(while: Self.isMark).reversed().trimmingPrefix(while: Self.isMark).reversed()
        }.map { String($0) }.filter { !$0.isEmpty }
        if words.count == 1, words[0].lowercased() == "unlink" {
            self = .end
            return
        }
        guard let place = words.firstIndex(where: { $0.lowercased() == "link" }) else { return nil }
        let behind = words[(place + 1)...].prefix(2)
        guard let next = behind.first else { return nil }
        // In the middle of a question only what looks like a code as it is shown.
        let isCode = place == 0 || (next.utf8.count == LinkCode.length + 1 && next.contains("-"))
        let code = LinkCode.normalized(next) ?? (place == 0 ? LinkCode.normalized(behind.joined()) : nil)
        guard isCode, let code else { return nil }
        self = .join(code: code)
    }

    /// Whether a character may be put around a word by people and programs.
    private static func isMark(_ character: Character) -> Bool { "`*_~.,;:!?\"'()[]<>„“”’".contains(character) }
}

/// The one-time code with which a person joins an account with an author.
public enum LinkCode {
    /// How long a code is valid.
    public static let lifetime = Duration.seconds(600)
    /// How many wrong codes an author may write before the author has to wait.
    public static let attemptLimit = 5
    /// How long wrong codes count.
    public static let attemptWindow = Duration.seconds(3_600)

    /// Digits and capital letters that are not taken for each other: 32, so that a code has 40 bits.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
    /// The number of its letters.
    public static let length = 8

    /// Returns a new code, such as `7KQX-M2PD`.
    ///
    /// - Parameter bytes: As many random bytes as it has letters.
    /// - Returns: The code.
    public static func make(of bytes: some Collection<UInt8>) -> String {
        let letters = bytes.prefix(length).map { alphabet[Int($0) % alphabet.count] }
        return String(letters.prefix(length / 2)) + "-" + String(letters.dropFirst(length / 2))
    }

    /// Returns the SHA-256 of a code that is ``normalized(_:)``, which the store keeps.
    public static func digest(_ code: String) -> [UInt8] { Array(SHA256.hash(data: Data(code.utf8))) }

    /// Returns what looks like a code as it is compared, also with letters that no code has: capital letters without a
    /// hyphen; nil for other words.
    public static func normalized(_ text: some StringProtocol) -> String? {
        let letters = text.uppercased().filter { $0 != "-" }
        let isWord = letters.count == text.count && !letters.contains(where: \.isNumber)
        guard letters.count == length, !isWord, letters.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        return letters
    }
}

/// What became of a ``LinkCommand``.
public enum LinkOutcome: String, Hashable, Sendable, CaseIterable {
    /// The author is joined with the account.
    case joined
    /// The link ended.
    case ended
    /// There is no link that could end.
    case noLink
    /// No account has this code now.
    case wrongCode
    /// The author wrote too many wrong codes.
    case tooManyAttempts
    /// The author is joined with another account.
    case authorTaken
    /// The account is joined with another author of the source.
    case accountTaken
    /// The message was edited, or asks for the end of a link in a history that is read: it does not count.
    case unused
}
