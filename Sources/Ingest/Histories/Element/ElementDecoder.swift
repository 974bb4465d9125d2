import ChatCore

/// Decodes a file of Element: one Matrix room.
struct ElementDecoder: ChatDecoder {
    private let naming: HistoryNaming
    private let chains: ElementChains
    /// The conversation that the operator names.
    private let conversationID: ConversationID?
    private let unknown = UnknownContent()
    private var room = ElementRoom()
    private var event: ElementEvent?
    private var conversation: Conversation?
    private var participants = Participants()

    init(naming: HistoryNaming, chains: ElementChains = ElementChains(), conversationID: ConversationID? = nil) {
        self.naming = naming
        self.chains = chains
        self.conversationID = conversationID
    }

    /// Edits and deletions come after the messages that they change.
    func looksAhead(_ fields: JSONFields, chat: Int) -> Bool { true }

    mutating func lookAhead(_ element: JSONFields, chat: Int) throws(ImportLineError) {
        try room.apply(element)
    }

    mutating func begin(
        _ fields: JSONFields, chat: Int, document: JSONFields
    ) throws(ImportLineError) -> [HistoryItem.Content] {
        let chain = chains.chain(of: room.roomID)
        if let chain { room.adopt(chain) }
        let said = chain?.name ?? fields.text("room_name") ?? room.stateName?.text
        // Only exports of Synapse have rooms without a name.
        let name = said ?? (fields["room_name"] == nil ? room.peopleName : nil)
        guard let id = chain?.firstRoom ?? room.roomID ?? name else { throw fields.missing("room_name") }
        let start = Timestamp(microseconds: 0)
        let isPublic = chain?.isPublic ?? room.isPublic
        let conversation = Conversation(
            id: conversationID ?? naming.conversation(id), visibility: isPublic ? .everyone : .members,
            name: name ?? id, createdAt: start, updatedAt: start)
        self.conversation = conversation
        event = ElementEvent(naming: naming, conversationID: conversation.id, room: room, unknown: unknown)
        return room.authors(naming: naming).map { .author($0) }
            + [.roster(roster(of: conversation))]
            + (room.joinRule == nil ? [.noted(ImportNote(.membersOnly))] : [])
            + (isApart ? [.noted(ImportNote(.apart))] : [])
    }

    /// The conversation with the people and rights that are known so far.
    private func roster(of conversation: Conversation) -> ConversationRoster {
        let writers = participants.members()
        let rooms = chains.chain(of: room.roomID)?.rights ?? [ElementRights.Part(room.rights)]
        let rights = ElementRights.rights(
            of: writers.map(\.userID), in: rooms, naming: naming, isContinuing: conversationID != nil)
        var conversation = conversation
        conversation.history = rights == nil ? .all : .joined
        return ConversationRoster(
            conversation: conversation, members: room.members(writers, naming: naming),
            rights: rights ?? ReadingRights(until: rooms.last?.rights.end, shared: [ReadingSpan()]))
    }

    /// Whether it continues a room, or is continued by one, that it is not one conversation with.
    private var isApart: Bool {
        conversationID == nil && chains.chain(of: room.roomID) == nil
            && (room.predecessor != nil || room.successor != nil)
    }

    mutating func decode(_ element: JSONFields) throws(ImportLineError) -> [HistoryItem.Content] {
        guard let read = try event?.read(element) else { return [] }
        return participants.contents(of: read) + unknown.take()
    }

    mutating func end() -> [HistoryItem.Content] {
        guard let conversation else { return [] }
        return [.roster(roster(of: conversation))]
    }
}
