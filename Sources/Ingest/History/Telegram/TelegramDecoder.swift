import ChatCore

/// Decodes the chats of Telegram Desktop's `result.json`.
struct TelegramDecoder: ChatDecoder {
    private let naming: HistoryNaming
    private let options: HistoryOptions
    private let clock: ZoneClock
    private var message: TelegramMessage?
    private var participants = Participants()

    init(naming: HistoryNaming, options: HistoryOptions) throws(ImportFileError) {
        self.naming = naming
        self.options = options
        clock = try options.clock()
    }

    mutating func begin(_ fields: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        let chat = try TelegramChat(fields)
        let conversation = chat.conversation(naming: naming, timeZone: options.timeZone)
        message = TelegramMessage(naming: naming, chat: chat, conversation: conversation, clock: clock)
        participants = Participants()
        let other = chat.otherSide(naming: naming)
        if let other { _ = participants.insert(other) }
        return [.roster(roster(conversation))] + (other.map { [.author($0)] } ?? [])
    }

    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        switch try message?.read(element) {
        case .message(let message, let author):
            let told: [HistoryItem.Content] = participants.insert(author) ? [.author(author)] : []
            return told + [.message(message, deletedAt: nil)]
        case .skipped(let reason): return [.skipped(reason)]
        case nil: return []
        }
    }

    mutating func end() -> [HistoryItem.Content] {
        message.map { [.roster(roster($0.conversation))] } ?? []
    }

    private func roster(_ conversation: Conversation) -> ConversationRoster {
        ConversationRoster(conversation: conversation, members: participants.members())
    }
}
