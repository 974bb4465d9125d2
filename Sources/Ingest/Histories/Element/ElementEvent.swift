import ChatCore

/// Turns an event of a Matrix room, as Element exports it, into a message.
struct ElementEvent {
    let naming: HistoryNaming
    let conversationID: ConversationID
    /// The results of the first pass.
    let room: ElementRoom
    let unknown: UnknownContent

    private static let messages: Set<String> = [
        "m.room.message", "m.sticker", "m.room.encrypted", "m.poll.start", "org.matrix.msc3381.poll.start",
    ]
    private static let changes: Set<String> = [
        "m.reaction", "m.room.redaction", "m.poll.response", "m.poll.end", "org.matrix.msc3381.poll.response",
        "org.matrix.msc3381.poll.end",
    ]

    /// Reads an event.
    ///
    /// - Throws: ``ImportLineError`` for a message without id, author or time.
    func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        let type = fields.text("type") ?? ""
        let content = fields.object("content")
        if Self.changes.contains(type) { return .skipped(.change) }
        guard Self.messages.contains(type) || isUnknownMessage(fields, content) else { return .skipped(.notice) }
        // Two devices that check each other's keys, in the guise of a message.
        if content?.text("msgtype")?.hasPrefix("m.key.verification.") == true { return .skipped(.notice) }
        let relation = content?.object("m.relates_to")
        if relation?.text("rel_type") == "m.replace" { return .skipped(.change) }
        let id = try fields.requiredID("event_id")
        let sender = try fields.requiredID("sender")
        let timestamp = try Self.moment(of: fields)
        let author = naming.author(sender, name: room.name(of: sender), isBot: false)
        var message = Message(
            key: MessageKey(conversationID: conversationID, messageID: naming.message(id)), senderID: author.userID,
            senderName: author.name ?? sender, text: "", timestamp: timestamp)
        if relation?.text("rel_type") == "m.thread" {
            message.threadRootID = relation?.id("event_id").map(naming.message)
        }
        if let deletedAt = room.redaction(of: id, fields) {
            return .message(message, author: author, deletedAt: max(deletedAt, timestamp))
        }
        message.url = link(to: id)
        let answered = relation?.object("m.in_reply_to")?.id("event_id")
        // Within a thread this names the message before for old clients, unless it is said not to.
        if relation?.isTrue("is_falling_back") != true { message.replyToID = answered.map(naming.message) }
        let first = content.flatMap {
            ElementContent($0, eventType: type, isAnswer: answered != nil, unknown: unknown)
        }
        let edit = room.edit(of: id, by: sender, bundledIn: fields)
        guard let said = edit?.content ?? first else { return .skipped(.empty) }
        message.text = said.text
        message.attachments = said.attachments
        if said.isNotice { message.kind = .bot }
        message.editedAt = edit?.at
        return .message(message, author: author, deletedAt: nil)
    }

    /// Whether an event of another type has a text, as those of unfinished extensions do.
    private func isUnknownMessage(_ fields: JSONFields, _ content: JSONFields?) -> Bool {
        guard let type = fields.text("type"), fields["state_key"] == nil, !type.hasPrefix("m.key."),
            !type.hasPrefix("m.call."), content?.text("body") != nil
        else { return false }
        unknown.add("matrix event", type)
        return true
    }

    private func link(to id: String) -> String? {
        room.roomID.flatMap { room in
            MessageLink.usable("https://matrix.to/#/\(MessageLink.encoded(room))/\(MessageLink.encoded(id))")
        }
    }

    /// The time of an event.
    static func moment(of fields: JSONFields) throws(ImportLineError) -> Timestamp {
        guard let moment = fields.integer("origin_server_ts").flatMap({ HistoryTime.moment(milliseconds: $0) }) else {
            throw HistoryTime.fault(of: "origin_server_ts", in: fields)
        }
        return moment
    }
}
