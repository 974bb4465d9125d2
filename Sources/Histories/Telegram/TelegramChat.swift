import ChatCore

/// What a Telegram export says about one chat before its messages.
struct TelegramChat {
    /// The chat's id: the export's number with what kind of number it is, as users, groups and channels are numbered
    /// each on their own.
    ///
    /// A chat between two bears the number of the other one in it; whose export it is belongs to its id: two people's
    /// chats with the same third person are two chats, and each export numbers its messages on its own.
    let id: String
    let name: String?
    let type: String
    /// The other side of a chat between two.
    let otherID: String?
    private let number: String

    /// Reads the fields beside `messages`.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - owner: Whose export it is, when the document says so.
    ///   - writers: Who wrote in it, for a chat between two.
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
        guard type.hasSuffix("_supergroup") || type.hasSuffix("_channel"),
            (number + message).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return MessageLink.usable("https://t.me/c/\(number)/\(message)")
    }

    /// Whether a type of chat is between two.
    static func isDirect(_ type: String) -> Bool { type == "personal_chat" || type == "bot_chat" }

    /// Whether it is a chat of the export's owner with somebody, or with nobody else: not a group or a channel.
    var isOwners: Bool {
        Self.isDirect(type) || ["saved_messages", "replies", "verify_codes"].contains(type)
    }

    /// What an export tells about the other side of a chat between two.
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
            visibility: type.hasPrefix("public_") ? .everyone : .members, name: isDirect ? nil : title,
            timeZone: timeZone, createdAt: start, updatedAt: start)
    }

    /// What stands for the name of a deleted account.
    static let deletedName = "Deleted Account"
}
