import ChatCore

/// The description of a chat before its messages in a Telegram export.
struct TelegramChat {
    /// The chat's id: the export's number with its kind, because users, groups and channels are numbered separately.
    ///
    /// A chat between two has the number of the other person, so the owner of the export is part of its id: two owners'
    /// chats with the same third person are two chats, and each export numbers its messages separately.
    let id: String
    let name: String?
    let type: String
    /// The other side of a chat between two.
    let otherID: String?
    private let number: String
    /// Whether the messages are those of the group that became this supergroup.
    var isMigrated = false

    /// Chats that everybody may read.
    private static let open: Set<String> = ["public_supergroup", "public_channel"]
    /// Chats of their members.
    private static let closed: Set<String> = [
        "personal_chat", "bot_chat", "saved_messages", "replies", "verify_codes", "private_group",
        "private_supergroup", "private_channel",
    ]

    /// Reads the fields next to `messages`.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - owner: The owner of the export, if the document says so.
    ///   - writers: The senders, for a chat between two.
    /// - Throws: ``ImportLineError`` for a chat without id.
    init(_ fields: JSONFields, owner: String?, writers: Set<String>) throws(ImportLineError) {
        let number = try fields.requiredID("id")
        self.number = number
        type = fields.text("type") ?? ""
        name = fields.text("name")
        switch type {
        case "personal_chat", "bot_chat":
            let other = "user" + number
            otherID = other
            id = [other, owner ?? writers.subtracting([other]).min()].compactMap { $0 }.joined(separator: ":")
        case "saved_messages":
            otherID = nil
            id = "saved" + number
        case "replies", "verify_codes":
            otherID = nil
            id = [type, owner ?? number].joined(separator: ":")
        default:
            otherID = nil
            id = (type == "private_group" ? "chat" : "channel") + number
        }
    }

    /// Returns the link to a message: supergroups and channels have links that work for their members.
    func link(to message: String) -> String? {
        guard !isMigrated, type.hasSuffix("_supergroup") || type.hasSuffix("_channel"),
            (number + message).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return MessageLink.usable("https://t.me/c/\(number)/\(message)")
    }

    /// The number of a message in the chat; see ``TelegramMigrations``.
    func messageNumber(_ number: String) -> String {
        guard isMigrated, let shifted = Int64(number)?.adding(-1_000_000_000) else { return number }
        return String(shifted)
    }

    /// Whether its type does not tell who may read it.
    var isUnclear: Bool { !Self.open.contains(type) && !Self.closed.contains(type) }

    /// Whether a type of chat is between two.
    static func isDirect(_ type: String) -> Bool { type == "personal_chat" || type == "bot_chat" }

    /// Whether it is a chat of the export's owner with one person, or with nobody else: not a group or a channel.
    var isOwners: Bool {
        Self.isDirect(type) || ["saved_messages", "replies", "verify_codes"].contains(type)
    }

    /// The other person of a chat between two.
    func otherSide(naming: HistoryNaming) -> Identity? {
        otherID.map { naming.author($0, name: name ?? Self.deletedName, isBot: type == "bot_chat") }
    }

    /// The conversation that it becomes.
    func conversation(naming: HistoryNaming, timeZone: String?) -> Conversation {
        let isDirect = otherID != nil
        let title = name ?? (type == "saved_messages" ? "Saved Messages" : id)
        let start = Timestamp(microseconds: 0)
        return Conversation(
            id: naming.conversation(id), kind: isDirect ? .direct : .group,
            visibility: Self.open.contains(type) ? .everyone : .members, name: isDirect ? nil : title,
            timeZone: timeZone, createdAt: start, updatedAt: start)
    }

    /// The name of a deleted account.
    static let deletedName = "Deleted Account"
}
