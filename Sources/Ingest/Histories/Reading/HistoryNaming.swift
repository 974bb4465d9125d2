package import ChatCore
import Crypto
import Foundation

/// Makes our ids from those of an export.
///
/// Ids of people and conversations begin with the source's name (`slack-C123`): ids of two exports are never equal by
/// chance, and people of an export are not users of the chat application until `nexus users map` says so. Messages keep
/// the export's ids, which are unique within a conversation only. Ids that are too long end in a hash of the whole.
package struct HistoryNaming: Sendable {
    /// The source's name.
    let source: String
    /// The address of the workspace, for links to its messages; nil for no links.
    var workspaceURL: String?
    /// The conversation whose people are known by name only, so that they are people of this conversation.
    var scope: ConversationID?

    /// - Parameters:
    ///   - source: The source's name.
    ///   - workspaceURL: The address of the workspace; nil for no links.
    ///   - scope: The conversation whose people are known by name only.
    package init(source: String, workspaceURL: String? = nil, scope: ConversationID? = nil) {
        (self.source, self.workspaceURL, self.scope) = (source, workspaceURL, scope)
    }

    /// Returns the id of a conversation.
    package func conversation(_ id: String) -> ConversationID {
        ConversationID(rawValue: Self.usable("\(source)-\(id)"))
    }

    /// Returns the id of a person.
    package func user(_ id: String) -> UserID {
        UserID(rawValue: Self.usable("\(source)-\(id)", suffix: scope.map(Self.suffix) ?? ""))
    }

    /// The end of the ids of people who are known by their names in one conversation.
    private static func suffix(_ scope: ConversationID) -> String { "-" + TextDigest.text(scope.rawValue) }

    /// Whether an id is that of a person of one conversation.
    func isScoped(_ id: UserID, to scope: ConversationID) -> Bool { id.rawValue.hasSuffix(Self.suffix(scope)) }

    /// The id that a person of a conversation has in another one.
    func rescoped(_ id: UserID, from scope: ConversationID, to other: ConversationID) -> UserID {
        guard scope != other, isScoped(id, to: scope) else { return id }
        let name = id.rawValue.dropLast(Self.suffix(scope).count)
        return UserID(rawValue: name + Self.suffix(other))
    }

    /// The conversation between people, in any order; see ``MattermostDirectory/directID(_:)``.
    func direct(_ people: [UserID]) -> ConversationID {
        let names = people.map { $0.rawValue.hasPrefix(source + "-") ? $0.rawValue.dropFirst(source.count + 1) : "" }
        return conversation("direct:" + Set(names).sorted().joined(separator: ","))
    }

    /// Returns the id of a message.
    package func message(_ id: String) -> MessageID { MessageID(rawValue: Self.usable(id)) }

    /// The identity of an author.
    package func author(
        _ id: String, name: String?, email: String? = nil, isBot: Bool = false, kind: UserKind? = nil
    ) -> Identity {
        let user = user(id)
        return Identity(
            source: source, externalID: user.rawValue, userID: user, name: name, email: email, isBot: isBot, kind: kind)
    }

    /// Replaces control characters and shortens ids that are too long.
    private static func usable(_ text: String, suffix: String = "") -> String {
        guard ConversationID(validating: text + suffix) == nil else { return text + suffix }
        let printable = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 }
        var cut = String(String.UnicodeScalarView(printable))
        while cut.utf8.count > 200 { cut.unicodeScalars.removeLast() }
        return "\(cut)-\(TextDigest.text(text))" + suffix
    }
}

/// Makes ids for messages of exports without ids: time, author, and the count among the author's messages of that time.
///
/// A longer export of the same chat gives the same ids, even to two equal messages in one minute, and to a message that
/// was edited or deleted since. Counts are dropped after ``window`` other times.
struct SynthesisedIDs {
    private static let window = 8_192

    private var counts: [String: Int] = [:]
    private var times: [String: [String]] = [:]
    private var order: [String] = []

    /// Returns the id of the next message of an author at a time.
    ///
    /// - Parameters:
    ///   - time: The time in the export's own precision.
    ///   - author: The author's id in the export.
    /// - Returns: An id that is unique in the conversation.
    mutating func next(time: String, author: String) -> String {
        let key = "\(time)-\(TextDigest.text(author))"
        let count = (counts[key] ?? 0) + 1
        counts[key] = count
        if count == 1 { remember(key, of: time) }
        return count == 1 ? key : "\(key)-\(count)"
    }

    private mutating func remember(_ key: String, of time: String) {
        if times[time] == nil {
            order.append(time)
            if order.count > Self.window {
                for old in times.removeValue(forKey: order.removeFirst()) ?? [] { counts[old] = nil }
            }
        }
        times[time, default: []].append(key)
    }
}

/// A hash that is the same on every run and machine: the first 64 bits of SHA-256.
enum TextDigest {
    /// Returns 16 hexadecimal digits.
    static func text(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
