import ChatCore

/// Decodes chats and messages of one format.
protocol ChatDecoder {
    /// Whether `\xNN` means a character in these documents.
    var takesHexEscapes: Bool { get }

    /// Whether it must see all messages of a chat before it can decode the first one; depends on the fields of the chat
    /// so far.
    mutating func looksAhead(_ fields: JSONFields, chat: Int) -> Bool

    /// Takes note of a message in a first pass.
    ///
    /// - Parameters:
    ///   - element: The message.
    ///   - chat: Which chat of the document it is of; see ``ChatDocument/chat``.
    /// - Throws: ``ImportLineError`` for something that will not be taken.
    mutating func lookAhead(_ element: JSONFields, chat: Int) throws(ImportLineError)

    /// Begins a chat.
    ///
    /// - Parameters:
    ///   - fields: The fields of the chat.
    ///   - chat: The number of the chat in the document.
    ///   - document: The fields of the document.
    /// - Returns: The chat's roster, and further items.
    /// - Throws: ``ImportLineError`` for a chat that cannot be imported.
    mutating func begin(
        _ fields: JSONFields, chat: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content]

    /// Decodes a message of the chat.
    ///
    /// - Throws: ``ImportLineError`` for one that cannot be taken.
    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content]

    /// Ends the chat; returns its roster with all senders.
    mutating func end() -> [HistoryItem.Content]
}

extension ChatDecoder {
    var takesHexEscapes: Bool { false }
}

/// A decoded element of a chat's list of messages.
enum ChatElement {
    case message(Message, author: Identity, deletedAt: Timestamp?)
    case skipped(SkipReason)
}

extension Participants {
    /// Notes the author of an element; returns its items, with the author only if new or renamed.
    mutating func contents(of element: ChatElement) -> [HistoryItem.Content] {
        switch element {
        case .message(let message, let author, let deletedAt):
            (insert(author) ? [.author(author)] : []) + [.message(message, deletedAt: deletedAt)]
        case .skipped(let reason): [.skipped(reason)]
        }
    }
}

/// The participants of one conversation according to its messages; for exports without lists of members.
struct Participants {
    private var names: [UserID: String] = [:]
    private var latest: [UserID: Identity] = [:]
    /// Earlier and other names.
    private var others: [UserID: [String]] = [:]

    /// Notes an author; returns whether it is a new one, or has another name than before.
    mutating func insert(_ author: Identity) -> Bool {
        guard latest[author.userID] != author else { return false }
        latest[author.userID] = author
        let name = author.name ?? author.userID.rawValue
        if let earlier = names.updateValue(name, forKey: author.userID), earlier != name {
            remember(earlier, of: author.userID)
        }
        return true
    }

    /// Notes another name of a person.
    mutating func remember(_ name: String, of user: UserID) {
        let known = others[user] ?? []
        if !known.contains(name), known.count < Names.limit { others[user] = known + [name] }
    }

    /// How many there are.
    var count: Int { names.count }

    /// The memberships, by user id; members without a date were there from the start.
    func members() -> [Member] {
        names.sorted { $0.key < $1.key }.map { user, name in
            Member(
                userID: user, displayName: name, aliases: Names.aliases(others[user] ?? [], of: name),
                joinedAt: Timestamp(microseconds: 0))
        }
    }
}

/// The names of one person.
package enum Names {
    /// The most names of a person that a reader keeps.
    static let limit = 20

    /// Returns other names than the shown one, each once, in the order given.
    package static func aliases(_ names: [String], of shown: String) -> [String] {
        var seen: Set<String> = [shown]
        return names.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
