import ChatCore

/// Turns an element of a chat's `messages` into a message.
struct TelegramMessage {
    let naming: HistoryNaming
    let chat: TelegramChat
    let conversation: Conversation
    /// For exports with local times only.
    var clock: LocalClock

    /// Reads an element.
    ///
    /// - Throws: ``ImportLineError`` for one without id, author or time.
    mutating func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        let id = try fields.requiredID("id")
        guard fields.text("type") == "message" else { return .skipped(.notice) }
        let timestamp = try moment(fields, "date", of: nil)
        let author = try author(of: fields)
        let text = Self.text(of: fields)
        let attachments = Self.attachments(of: fields)
        if text.isEmpty, attachments.isEmpty { return .skipped(.empty) }
        let source = fields.text("forwarded_from").map { "Forwarded from \($0)" }
        var message = Message(
            key: MessageKey(conversationID: conversation.id, messageID: naming.message(chat.messageNumber(id))),
            senderID: author.userID,
            senderName: author.name ?? author.externalID,
            text: [source, text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"),
            kind: author.isBot ? .bot : .text, timestamp: timestamp)
        // Older exports write 1970 for messages without an edit.
        if let edited = try? moment(fields, "edited", of: timestamp), edited > timestamp { message.editedAt = edited }
        // A message in another chat is not a valid reply target here.
        if fields["reply_to_peer_id"] == nil {
            message.replyToID = fields.id("reply_to_message_id").map { naming.message(chat.messageNumber($0)) }
        }
        message.attachments = attachments
        message.reactions = reactions(of: fields)
        message.url = chat.link(to: id)
        return .message(message, author: author, deletedAt: nil)
    }

    /// Reads a time: `date_unixtime`, or the local `date` of older exports.
    ///
    /// `message` is the time of the message if the field is that of its edit.
    private mutating func moment(
        _ fields: JSONFields, _ key: String, of message: Timestamp?
    ) throws(ImportLineError) -> Timestamp {
        if let seconds = fields.integer(key + "_unixtime") {
            guard let moment = HistoryTime.moment(seconds: seconds) else {
                throw HistoryTime.fault(of: key + "_unixtime", in: fields)
            }
            return moment
        }
        guard let text = fields.text(key) else { throw fields.missing(key) }
        guard let time = WallTime(iso8601: text) else {
            throw ImportLineError(reason: "field \"\(key)\": not a time such as 2025-10-23T10:30:00")
        }
        return message.map { clock.moment(ofEdit: time, of: $0) } ?? clock.moment(of: time)
    }

    private func author(of fields: JSONFields) throws(ImportLineError) -> Identity {
        let id = Self.userID(try fields.requiredID("from_id"))
        let name = fields.text("from") ?? TelegramChat.deletedName
        return naming.author(id, name: name, isBot: chat.type == "bot_chat" && id == chat.otherID)
    }

    /// Older exports have bare numbers; their bits from the 33rd on distinguish users, groups and channels.
    ///
    /// - Source: `PeerId` of Telegram Desktop 2.x (`data_peer_id.h`): 1 for a user, 2 for a group, 3 for a channel.
    static func userID(_ id: String) -> String {
        guard id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return id }
        guard let number = UInt64(id), number >> 32 > 0 else { return "user" + id }
        let kind = [1: "user", 2: "chat", 3: "channel"][number >> 32]
        // Later ids of users have more than 32 bits.
        return kind.map { $0 + String(number & 0xFFFF_FFFF) } ?? "user" + id
    }

    private func reactions(of fields: JSONFields) -> [Message.Reaction] {
        fields.objects("reactions").compactMap { reaction in
            reaction.text("emoji").map { emoji in
                let people = reaction.objects("recent").compactMap { $0.id("from_id") }
                return Message.Reaction(emoji: emoji, userIDs: people.map(naming.user))
            }
        }
    }

    /// A place, and the card of a person.
    private static func extras(of fields: JSONFields) -> [String] {
        var lines = ["place_name", "address"].compactMap { fields.text($0) }
        if let place = fields.object("location_information"),
            let latitude = place["latitude"]?.number, let longitude = place["longitude"]?.number
        {
            lines.append("\(latitude), \(longitude)")
        }
        if let card = fields.object("contact_information") {
            let name = [card.text("first_name"), card.text("last_name")].compactMap { $0 }.joined(separator: " ")
            lines += [name, card.text("phone_number") ?? ""].filter { !$0.isEmpty }
        }
        return lines
    }

    /// The text, with a place, the card of a person, or the question of a poll.
    private static func text(of fields: JSONFields) -> String {
        let body = ([formatted(fields["text"])] + extras(of: fields)).filter { !$0.isEmpty }.joined(separator: "\n")
        guard let poll = fields.object("poll"), let question = poll.text("question") else { return body }
        let answers = poll.objects("answers").compactMap { $0.text("text") }.map { "• \($0)" }
        return ([body, question] + answers).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A text, or pieces of it with their formatting.
    private static func formatted(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): text
        case .array(let pieces): pieces.map(piece).joined()
        default: ""
        }
    }

    private static func piece(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        guard let fields = try? JSONFields(value), let text = fields.text("text") else { return "" }
        guard fields.text("type") == "text_link", let address = fields.text("href"), address != text else {
            return text
        }
        return "\(text) (\(address))"
    }

    private static func attachments(of fields: JSONFields) -> [Message.Attachment] {
        let medium = fields.text("media_type")
        if fields["photo"] != nil { return [Message.Attachment(name: path(fields.text("photo")) ?? "photo")] }
        guard fields["file"] != nil || medium != nil else { return [] }
        let title = [fields.text("performer"), fields.text("title")].compactMap { $0 }.joined(separator: " – ")
        return [
            Message.Attachment(
                name: fields.text("file_name") ?? path(fields.text("file")) ?? medium ?? "file",
                type: fields.text("mime_type"), caption: title.isEmpty ? nil : title)
        ]
    }

    /// The last part of a path; nil for the note in brackets that replaces a file that was left out.
    private static func path(_ text: String?) -> String? {
        guard let text, !text.hasPrefix("(") else { return nil }
        return text.split(separator: "/").last.map(String.init)
    }
}
