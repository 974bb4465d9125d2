import ChatCore

/// The channel as described in a file of DiscordChatExporter.
struct DiscordChannel {
    let conversation: Conversation
    let id: String
    /// The server; `@me` for chats outside of one.
    let guildID: String

    /// Reads the fields next to `messages`.
    init(_ fields: JSONFields, naming: HistoryNaming) throws(ImportLineError) {
        guard let channel = fields.object("channel") else { throw fields.missing("channel") }
        id = try channel.requiredID("id")
        let type = channel.text("type") ?? ""
        let isDirect = type.hasPrefix("Direct")
        let guild = fields.object("guild")?.text("name")
        let guildID = fields.object("guild")?.id("id") ?? "0"
        self.guildID = guildID == "0" ? "@me" : guildID
        let name = channel.text("name") ?? id
        let title = guild.map { "\($0) #\(name)" } ?? name
        let start = Timestamp(microseconds: 0)
        conversation = Conversation(
            id: naming.conversation(id), kind: isDirect ? .direct : .group, name: isDirect ? nil : title,
            createdAt: start, updatedAt: start)
    }
}

/// Turns an element of `messages` into a message.
struct DiscordMessage {
    let naming: HistoryNaming
    let channel: DiscordChannel

    /// Messages of people and programs; DiscordChatExporter writes a number for types without a name.
    private static let types: Set<String> = ["Default", "Reply", "20", "23", "ChatInputCommand", "ContextMenuCommand"]

    /// Reads an element.
    ///
    /// - Throws: ``ImportLineError`` for one without id, author or time.
    func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        let id = try fields.requiredID("id")
        guard Self.types.contains(fields.text("type") ?? "Default") else { return .skipped(.notice) }
        guard let time = fields.text("timestamp") else { throw fields.missing("timestamp") }
        guard let timestamp = HistoryTime.moment(iso8601: time) else {
            throw ImportLineError(reason: "field \"timestamp\": not a time such as 2025-10-23T10:30:00Z")
        }
        let author = try author(of: fields)
        let text = text(of: fields, isBot: author.isBot)
        let attachments = Self.attachments(of: fields)
        if text.isEmpty, attachments.isEmpty { return .skipped(.empty) }
        var message = Message(
            key: MessageKey(conversationID: channel.conversation.id, messageID: naming.message(id)),
            senderID: author.userID, senderName: author.name ?? author.externalID, text: text,
            kind: author.isBot ? .bot : .text, timestamp: timestamp)
        message.editedAt = fields.text("timestampEdited").flatMap { HistoryTime.moment(iso8601: $0) }
        message.replyToID = replyTo(of: fields)
        message.attachments = attachments
        message.reactions = reactions(of: fields)
        message.url = MessageLink.usable(
            "https://discord.com/channels/\(channel.guildID)/\(MessageLink.encoded(channel.id))/"
                + MessageLink.encoded(id))
        return .message(message, author: author, deletedAt: nil)
    }

    private func author(of fields: JSONFields) throws(ImportLineError) -> Identity {
        guard let author = fields.object("author") else { throw fields.missing("author") }
        let id = try author.requiredID("id")
        return naming.author(
            id, name: author.text("nickname") ?? author.text("name") ?? id, isBot: author.isTrue("isBot"))
    }

    /// A reference is an answer only within the channel, and only in a reply.
    private func replyTo(of fields: JSONFields) -> MessageID? {
        guard fields.text("type") == "Reply", let reference = fields.object("reference"),
            reference.id("channelId").map({ $0 == channel.id }) ?? true
        else { return nil }
        return reference.id("messageId").map(naming.message)
    }

    private func text(of fields: JSONFields, isBot: Bool) -> String {
        var body = fields.text("content") ?? ""
        if let forwarded = fields.object("forwardedMessage")?.text("content") {
            body = body.isEmpty ? forwarded : body + "\n" + forwarded
        }
        body = DiscordMarkup(names: names(of: fields)).plain(body)
        guard isBot || body.isEmpty else { return body }
        let embedded = fields.objects("embeds").flatMap { embed in
            ["title", "description"].compactMap { embed.text($0) }
                + embed.objects("fields").map { field in
                    [field.text("name"), field.text("value")].compactMap { $0 }.joined(separator: ": ")
                }
        }
        return ([body] + embedded).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func names(of fields: JSONFields) -> [String: String] {
        var names: [String: String] = [:]
        for mention in fields.objects("mentions") {
            if let id = mention.id("id") { names[id] = mention.text("nickname") ?? mention.text("name") }
        }
        return names
    }

    private static func attachments(of fields: JSONFields) -> [Message.Attachment] {
        let forwarded = fields.object("forwardedMessage")?.objects("attachments") ?? []
        let files = (fields.objects("attachments") + forwarded).compactMap { file in
            file.text("fileName").map { Message.Attachment(name: $0) }
        }
        return files
            + fields.objects("stickers").compactMap { sticker in
                sticker.text("name").map { Message.Attachment(name: $0) }
            }
    }

    private func reactions(of fields: JSONFields) -> [Message.Reaction] {
        fields.objects("reactions").compactMap { reaction in
            reaction.object("emoji")?.text("name").map { name in
                let people = reaction.objects("users").compactMap { $0.id("id") }
                return Message.Reaction(emoji: name, userIDs: people.map(naming.user))
            }
        }
    }
}

/// Discord's markup as plain text, for exports that contain it.
struct DiscordMarkup {
    /// Names of mentioned people by id.
    let names: [String: String]

    /// Renders `<@1>`, `<@!1>`, `<:name:1>` and `<t:1700000000:R>`; everything else stays as it is.
    func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "<")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            if let close = inside.firstIndex(of: ">"), let plain = reference(inside[..<close]) {
                result += plain
                rest = inside[inside.index(after: close)...]
            } else {
                result += "<"
                rest = inside
            }
        }
        return result + rest
    }

    private func reference(_ text: Substring) -> String? {
        if text.hasPrefix("@") {
            return names[String(text.dropFirst().drop { $0 == "!" })].map { "@\($0)" }
        }
        if text.hasPrefix("t:") { return time(text.dropFirst(2).prefix { $0 != ":" }) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty || parts[0] == "a", !parts[1].isEmpty,
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return ":\(parts[1]):"
    }

    /// A moment in UTC, such as `2023-11-14 22:13 UTC`.
    private func time(_ seconds: Substring) -> String? {
        guard let moment = Int64(seconds).flatMap({ HistoryTime.moment(seconds: $0) }) else { return nil }
        let text = moment.iso8601
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}
