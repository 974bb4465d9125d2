import ChatCore

/// Decodes a file of DiscordChatExporter: one channel.
struct DiscordDecoder: ChatDecoder {
    private let naming: HistoryNaming
    private let unknown = UnknownContent()
    private var message: DiscordMessage?
    private var participants = Participants()

    init(naming: HistoryNaming) {
        self.naming = naming
    }

    func looksAhead(_ fields: JSONFields, chat: Int) -> Bool { false }

    mutating func lookAhead(_ element: JSONFields, chat: Int) {}

    mutating func begin(
        _ fields: JSONFields, chat: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content] {
        let channel = try DiscordChannel(fields, naming: naming)
        message = DiscordMessage(naming: naming, channel: channel, unknown: unknown)
        participants = Participants()
        return [.roster(ConversationRoster(conversation: channel.conversation, members: []))]
    }

    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        guard let read = try message?.read(element) else { return [] }
        let contents = participants.contents(of: read)
        // The name of the account, beside the one that is shown on the server.
        if case .message(_, let author, _) = read, let account = element.object("author")?.text("name") {
            participants.remember(account, of: author.userID)
        }
        return contents + unknown.take()
    }

    mutating func end() -> [HistoryItem.Content] {
        guard let conversation = message?.channel.conversation else { return [] }
        return [.roster(ConversationRoster(conversation: conversation, members: participants.members()))]
    }
}
