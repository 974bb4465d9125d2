import ChatCore

/// Turns an event of a Matrix room, as Element exports it, into a message.
struct ElementEvent {
    let naming: HistoryNaming
    let conversationID: ConversationID
    /// The results of the first pass.
    let room: ElementRoom

    /// Reads an event.
    ///
    /// - Throws: ``ImportLineError`` for a message without id, author or time.
    func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        switch fields.text("type") {
        case "m.room.message", "m.sticker", "m.room.encrypted", "m.poll.start", "org.matrix.msc3381.poll.start": break
        case "m.reaction", "m.room.redaction", "m.poll.response", "m.poll.end", "org.matrix.msc3381.poll.response",
            "org.matrix.msc3381.poll.end":
            return .skipped(.change)
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
        if let poll = content.flatMap(Self.poll) {
            message.text = poll
            return .message(message, author: author, deletedAt: nil)
        }
        guard let content, let type = content.text("msgtype") ?? Self.stickerType(fields),
            !Self.isUndecrypted(content)
        else { return .skipped(.empty) }
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
        guard let moment = fields.integer("origin_server_ts").flatMap({ HistoryTime.moment(milliseconds: $0) }) else {
            throw HistoryTime.fault(of: "origin_server_ts", in: fields)
        }
        return moment
    }

    /// The question and the answers of a poll, in the stable form or the one before it.
    private static func poll(_ content: JSONFields) -> String? {
        let start = ["m.poll", "m.poll.start", "org.matrix.msc3381.poll.start"].lazy.compactMap { content.object($0) }
            .first
        guard let start, let question = start.object("question").flatMap(plain) else { return nil }
        return ([question] + start.objects("answers").compactMap(plain).map { "• \($0)" }).joined(separator: "\n")
    }

    private static func plain(_ text: JSONFields) -> String? {
        text.objects("m.text").first?.text("body") ?? text.text("m.text") ?? text.text("body")
            ?? text.text("org.matrix.msc1767.text")
    }

    /// Whether Element could not read the message itself: then the text is Element's own note.
    private static func isUndecrypted(_ content: JSONFields) -> Bool {
        content.text("msgtype") == "m.bad.encrypted" || content.text("body")?.hasPrefix("** Unable to decrypt") == true
    }

    private static func stickerType(_ fields: JSONFields) -> String? {
        fields.text("type") == "m.sticker" ? "m.image" : nil
    }

    private func fill(_ message: inout Message, from content: JSONFields, type: String, isAnswer: Bool) {
        let body = content.text("body") ?? ""
        switch type {
        case "m.image", "m.video", "m.audio", "m.file":
            // If there is a file name too, the body is a caption.
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

/// Collects names, edits and deletions of a room in a first pass over its events.
struct ElementRoom {
    /// A new text of a message.
    struct Edit {
        var text: String
        var at: Timestamp
    }

    /// The time of a person's membership.
    struct Membership {
        var joinedAt: Timestamp?
        var leftAt: Timestamp?
    }

    /// The most bytes of edited texts that are stored.
    private static let editByteLimit = 64 << 20

    private(set) var roomID: String?
    private(set) var isPublic = false
    private(set) var rights = ElementRights()
    private var names: [String: String] = [:]
    /// The memberships by user id.
    private var memberships: [String: Membership] = [:]
    private var invited: Set<String> = []
    private var edits: [String: [String: Edit]] = [:]
    private var editByteCount = 0
    private var redactions: [String: Timestamp] = [:]

    /// Processes an event.
    ///
    /// - Throws: ``ImportLineError`` for an edit that exceeds the limit.
    mutating func note(_ fields: JSONFields) throws(ImportLineError) {
        if roomID == nil { roomID = fields.id("room_id") }
        try rights.note(fields)
        let content = fields.object("content")
        switch fields.text("type") {
        case "m.room.member":
            guard let person = fields.id("state_key") else { return }
            if let name = content?.text("displayname") { names[person] = name }
            if let state = content?.text("membership") {
                // A person who declines an invitation was never a member.
                let before = fields.object("unsigned")?.object("prev_content")?.text("membership")
                let isDeclined = state == "leave" && (before == "invite" || invited.contains(person))
                if state == "invite" { invited.insert(person) } else { invited.remove(person) }
                if !isDeclined { note(state, of: person, at: try ElementEvent.moment(of: fields)) }
            }
        case "m.room.join_rules": isPublic = content?.text("join_rule") == "public"
        case "m.room.redaction":
            guard let target = fields.id("redacts") ?? content?.id("redacts") else { return }
            redactions[target] = try ElementEvent.moment(of: fields)
        case "m.room.message": try noteEdit(fields, content)
        default: break
        }
    }

    private mutating func note(_ state: String, of person: String, at moment: Timestamp) {
        if let known = memberships[person], max(known.joinedAt ?? moment, known.leftAt ?? moment) > moment { return }
        switch state {
        case "join":
            // A change of name is a join again.
            let joined = memberships[person].flatMap { $0.leftAt == nil ? $0.joinedAt : nil } ?? moment
            memberships[person] = Membership(joinedAt: joined)
        case "leave", "ban": memberships[person] = Membership(joinedAt: memberships[person]?.joinedAt, leftAt: moment)
        default: break
        }
    }

    /// The members according to events of the room, and the senders, by user id.
    func members(_ writers: [Member], naming: HistoryNaming) -> [Member] {
        var members = Dictionary(writers.map { ($0.userID, $0) }, uniquingKeysWith: { $1 })
        for (person, membership) in memberships {
            let user = naming.user(person)
            var member =
                members[user]
                ?? Member(userID: user, displayName: name(of: person), joinedAt: Timestamp(microseconds: 0))
            if let joined = membership.joinedAt { member.joinedAt = joined }
            member.leftAt = membership.leftAt
            members[user] = member
        }
        return members.values.sorted { $0.userID < $1.userID }
    }

    /// The people in the events of the room, by id.
    func authors(naming: HistoryNaming) -> [Identity] {
        memberships.keys.sorted().map { naming.author($0, name: name(of: $0)) }
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

    /// The display name of a person; the id if no name is known.
    func name(of person: String) -> String { names[person] ?? person }

    /// The last edit of a message by its own author: those of others do not count.
    func edit(of id: String, by sender: String) -> Edit? { edits[id]?[sender] }

    /// When a message was deleted; nil if it was not.
    func redaction(of id: String, _ fields: JSONFields) -> Timestamp? {
        if let moment = redactions[id] { return moment }
        guard let cause = fields.object("unsigned")?.object("redacted_because") else { return nil }
        return (try? ElementEvent.moment(of: cause)) ?? Timestamp(microseconds: 0)
    }
}
