import ChatCore

/// Turns an event of a Matrix room, as Element exports it, into a message.
struct ElementEvent {
    let naming: HistoryNaming
    let conversationID: ConversationID
    /// What the first pass found about the room.
    let room: ElementRoom

    /// Reads an event.
    ///
    /// - Throws: ``ImportLineError`` for a message without id, author or time.
    func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        switch fields.text("type") {
        case "m.room.message", "m.sticker", "m.room.encrypted": break
        case "m.reaction", "m.room.redaction": return .skipped(.change)
        default: return .skipped(.notice)
        }
        let content = fields.object("content")
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
        if let room = room.roomID {
            message.url = MessageLink.usable(
                "https://matrix.to/#/\(MessageLink.encoded(room))/\(MessageLink.encoded(id))")
        }
        guard let content, let type = content.text("msgtype") ?? Self.stickerType(fields) else {
            return .skipped(.empty)
        }
        let answered = relation?.object("m.in_reply_to")?.id("event_id")
        // Within a thread this names the message before for old clients, unless it is said not to.
        if relation?.isTrue("is_falling_back") != true { message.replyToID = answered.map(naming.message) }
        if type == "m.notice" { message.kind = .bot }
        fill(&message, from: content, type: type, isAnswer: answered != nil)
        if let edit = room.edit(of: id, by: sender) {
            message.text = edit.text
            message.editedAt = edit.at
        }
        if message.text.isEmpty, message.attachments.isEmpty { return .skipped(.empty) }
        return .message(message, author: author, deletedAt: nil)
    }

    /// The time of an event.
    static func moment(of fields: JSONFields) throws(ImportLineError) -> Timestamp {
        guard let milliseconds = fields.integer("origin_server_ts"), (0..<1 << 50).contains(milliseconds) else {
            throw fields.missing("origin_server_ts")
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private static func stickerType(_ fields: JSONFields) -> String? {
        fields.text("type") == "m.sticker" ? "m.image" : nil
    }

    private func fill(_ message: inout Message, from content: JSONFields, type: String, isAnswer: Bool) {
        let body = content.text("body") ?? ""
        switch type {
        case "m.image", "m.video", "m.audio", "m.file":
            // With a file name beside it the body is a caption.
            let name = content.text("filename") ?? body
            let caption = content.text("filename") == nil || body == name ? nil : body
            guard !name.isEmpty else { return }
            message.attachments = [
                Message.Attachment(name: name, type: content.object("info")?.text("mimetype"), caption: caption)
            ]
        default: message.text = isAnswer ? Self.withoutQuote(body) : body
        }
    }

    /// A body without the lines that quote the message that is answered: `> <@ada:example.org> …`, then a blank line.
    static func withoutQuote(_ body: String) -> String {
        guard body.hasPrefix("> <@") || body.hasPrefix("> * <@") else { return body }
        var lines = body.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.first?.hasPrefix(">") == true { lines.removeFirst() }
        if lines.first?.isEmpty == true { lines.removeFirst() }
        return lines.joined(separator: "\n")
    }
}

/// What a first pass over the events of a room finds: names, edits, deletions.
struct ElementRoom {
    /// A new text of a message.
    struct Edit {
        var text: String
        var at: Timestamp
    }

    /// How many bytes of edited texts are held at most.
    private static let editByteLimit = 64 << 20

    private(set) var roomID: String?
    private(set) var isPublic = false
    private var names: [String: String] = [:]
    private var edits: [String: [String: Edit]] = [:]
    private var editByteCount = 0
    private var redactions: [String: Timestamp] = [:]

    /// Takes note of an event.
    ///
    /// - Throws: ``ImportLineError`` for an edit that is one too many to hold.
    mutating func note(_ fields: JSONFields) throws(ImportLineError) {
        if roomID == nil { roomID = fields.id("room_id") }
        let content = fields.object("content")
        switch fields.text("type") {
        case "m.room.member":
            if let person = fields.id("state_key"), let name = content?.text("displayname") { names[person] = name }
        case "m.room.join_rules": isPublic = content?.text("join_rule") == "public"
        case "m.room.redaction":
            guard let target = fields.id("redacts") ?? content?.id("redacts") else { return }
            redactions[target] = try ElementEvent.moment(of: fields)
        case "m.room.message": try noteEdit(fields, content)
        default: break
        }
    }

    private mutating func noteEdit(_ fields: JSONFields, _ content: JSONFields?) throws(ImportLineError) {
        guard let relation = content?.object("m.relates_to"), relation.text("rel_type") == "m.replace",
            let target = relation.id("event_id"), let sender = fields.id("sender"),
            let text = content?.object("m.new_content")?.text("body")
        else { return }
        let moment = try ElementEvent.moment(of: fields)
        let before = edits[target]?[sender]
        if let before, before.at > moment { return }
        editByteCount += text.utf8.count - (before?.text.utf8.count ?? 0)
        guard editByteCount <= Self.editByteLimit else {
            throw ImportLineError(reason: "more edits than can be applied: the first text stays")
        }
        edits[target, default: [:]][sender] = Edit(text: ElementEvent.withoutQuote(text), at: moment)
    }

    /// The name shown for somebody; the id where none is known.
    func name(of person: String) -> String { names[person] ?? person }

    /// The last edit of a message by its own author: those of others do not count.
    func edit(of id: String, by sender: String) -> Edit? { edits[id]?[sender] }

    /// When a message was deleted; nil when it was not.
    func redaction(of id: String, _ fields: JSONFields) -> Timestamp? {
        if let moment = redactions[id] { return moment }
        guard let cause = fields.object("unsigned")?.object("redacted_because") else { return nil }
        return (try? ElementEvent.moment(of: cause)) ?? Timestamp(microseconds: 0)
    }
}
