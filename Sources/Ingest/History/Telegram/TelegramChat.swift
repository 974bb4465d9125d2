import ChatCore

/// What a Telegram export says about one chat before its messages.
struct TelegramChat {
    /// The chat's id in the export, with what kind of id it is: users, groups and channels are numbered each on their
    /// own.
    let id: String
    let name: String?
    let type: String

    /// Reads the fields beside `messages`.
    init(_ fields: JSONFields) throws(ImportLineError) {
        let number = try fields.requiredID("id")
        type = fields.text("type") ?? ""
        name = fields.text("name")
        let kind =
            switch type {
            case "personal_chat", "bot_chat": "user"
            case "private_group": "chat"
            case "saved_messages": "saved"
            case "replies", "verify_codes": type
            default: "channel"
            }
        id = kind + number
    }

    /// Whether it is between two.
    var isDirect: Bool { type == "personal_chat" || type == "bot_chat" }

    /// The other side of a chat between two.
    func otherSide(naming: HistoryNaming) -> Identity? {
        isDirect ? naming.author(id, name: name ?? Self.deletedName, isBot: type == "bot_chat") : nil
    }

    /// The conversation that it becomes.
    func conversation(naming: HistoryNaming, timeZone: String?) -> Conversation {
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
