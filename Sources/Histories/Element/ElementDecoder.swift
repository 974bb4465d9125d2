import ChatCore

/// Decodes a file of Element: one Matrix room.
struct ElementDecoder: ChatDecoder {
    private let naming: HistoryNaming
    private var room = ElementRoom()
    private var event: ElementEvent?
    private var conversation: Conversation?
    private var participants = Participants()

    init(naming: HistoryNaming) {
        self.naming = naming
    }

    /// Edits and deletions come after the messages that they change.
    func looksAhead(_ fields: [String: JSONValue]) -> Bool { true }

    mutating func lookAhead(_ element: JSONFields, chat: Int) throws(ImportLineError) {
        try room.note(element)
    }

    mutating func begin(
        _ fields: JSONFields, chat: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content] {
        let name = fields.text("room_name")
        guard let id = room.roomID ?? name else { throw fields.missing("room_name") }
        let start = Timestamp(microseconds: 0)
        let conversation = Conversation(
            id: naming.conversation(id), visibility: room.isPublic ? .everyone : .members, name: name ?? id,
            createdAt: start, updatedAt: start)
        self.conversation = conversation
        event = ElementEvent(naming: naming, conversationID: conversation.id, room: room)
        return room.authors(naming: naming).map { .author($0) }
            + [.roster(roster(of: conversation))]
    }

    /// The conversation with the people and rights that are known so far.
    private func roster(of conversation: Conversation) -> ConversationRoster {
        let writers = participants.members()
        let rights = room.rights.rights(of: writers.map(\.userID), naming: naming)
        var conversation = conversation
        conversation.history = rights == nil ? .all : .joined
        return ConversationRoster(
            conversation: conversation, members: room.members(writers, naming: naming),
            rights: rights ?? ReadingRights())
    }

    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        guard let read = try event?.read(element) else { return [] }
        return participants.contents(of: read)
    }

    mutating func end() -> [HistoryItem.Content] {
        guard let conversation else { return [] }
        return [.roster(roster(of: conversation))]
    }
}
