import ChatCore

/// Decodes the chats of Telegram Desktop's `result.json`.
struct TelegramDecoder: ChatDecoder {
    private static let writerLimit = 8

    var takesHexEscapes: Bool { true }

    private let naming: HistoryNaming
    private let options: HistoryOptions
    private let clock: LocalClock
    private var message: TelegramMessage?
    private var participants = Participants()
    /// The senders of chats between two, by number of the chat; one of them owns the export.
    private var writers: [Int: Set<String>] = [:]
    private var migrations = TelegramMigrations()

    init(naming: HistoryNaming, options: HistoryOptions) throws(ImportFileError) {
        self.naming = naming
        self.options = options
        clock = try options.clock()
    }

    /// A chat between two is named after the other person; only the messages show which one that is.
    mutating func looksAhead(_ fields: JSONFields, chat: Int) -> Bool {
        if migrations.concerns(fields, chat: chat) { return true }
        return fields.text("type").map(TelegramChat.isDirect) ?? true
    }

    mutating func lookAhead(_ element: JSONFields, chat: Int) throws(ImportLineError) {
        migrations.remember(element, chat: chat)
        guard let writer = element.id("from_id"), writers[chat, default: []].count < Self.writerLimit else { return }
        writers[chat, default: []].insert(TelegramMessage.userID(writer))
    }

    mutating func begin(
        _ fields: JSONFields, chat number: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content] {
        let information = document.object("personal_information")
        let owner = information?.id("user_id").map { "user\($0)" }
        let successor = migrations.successor(of: number)
        var chat = try TelegramChat(successor ?? fields, owner: owner, writers: writers[number] ?? [])
        chat.isMigrated = successor != nil
        let conversation = chat.conversation(naming: naming, timeZone: options.timeZone)
        message = TelegramMessage(naming: naming, chat: chat, conversation: conversation, clock: clock)
        participants = Participants()
        let other = chat.otherSide(naming: naming)
        var known = [other].compactMap { $0 }
        if let owner, chat.isOwners {
            let names = [information?.text("first_name"), information?.text("last_name")].compactMap { $0 }
            known.append(naming.author(owner, name: names.isEmpty ? owner : names.joined(separator: " ")))
        }
        for person in known { _ = participants.insert(person) }
        return [.roster(roster(conversation))] + known.map { .author($0) }
            + (chat.isUnclear ? [.noted(ImportNote(.membersOnly))] : [])
    }

    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        guard let read = try message?.read(element) else { return [] }
        return participants.contents(of: read)
    }

    mutating func end() -> [HistoryItem.Content] {
        message.map { [.roster(roster($0.conversation))] } ?? []
    }

    private func roster(_ conversation: Conversation) -> ConversationRoster {
        ConversationRoster(conversation: conversation, members: participants.members())
    }
}
