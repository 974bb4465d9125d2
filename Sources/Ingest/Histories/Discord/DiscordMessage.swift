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
    let unknown: UnknownContent

    /// Messages of people and programs; DiscordChatExporter writes a number for types that it has no name for.
    private static let types: Set<String> = [
        "Default", "Reply", "20", "23", "46", "ChatInputCommand", "ContextMenuCommand", "PollResult",
    ]
    /// Notices of the application.
    ///
    /// - Source: the message types of Discord's API, and `MessageKind` of DiscordChatExporter.
    private static let notices: Set<String> = Set(
        [
            "RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange", "ChannelPinnedMessage",
            "GuildMemberJoin", "ThreadCreated",
        ] + (Array(1...18) + [21, 22, 24, 25, 26, 27, 28, 29, 31, 32, 36, 37, 38, 39, 44]).map(String.init))

    /// Reads an element.
    ///
    /// - Throws: ``ImportLineError`` for one without id, author or time.
    func read(_ fields: JSONFields) throws(ImportLineError) -> ChatElement {
        let id = try fields.requiredID("id")
        let type = fields.id("type") ?? "Default"
        if Self.notices.contains(type) { return .skipped(.notice) }
        if !Self.types.contains(type) { unknown.add("discord message type", type) }
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
        let names = names(of: fields)
        let body = fields.text("content") ?? ""
        let embeds = isBot || body.isEmpty ? fields.objects("embeds") : []
        let own = DiscordMarkup(names: names).plain(Self.joined([body] + embeds.map(Self.text) + [Self.poll(fields)]))
        let forwarded = fields.object("forwardedMessage").map { text(ofForwarded: $0, names: names) }
        return Self.joined([own, forwarded ?? ""])
    }

    /// A forwarded message; it does not say whether a program wrote it, so only previews of links in it are left out.
    private func text(ofForwarded fields: JSONFields, names: [String: String]) -> String {
        let body = fields.text("content") ?? ""
        let embeds = fields.objects("embeds").filter { embed in
            embed.text("url").map { !body.contains($0) } ?? true
        }
        let names = names.merging(self.names(of: fields)) { $1 }
        return DiscordMarkup(names: names).plain(Self.joined([body] + embeds.map(Self.text) + [Self.poll(fields)]))
    }

    private static func joined(_ lines: [String]) -> String { lines.filter { !$0.isEmpty }.joined(separator: "\n") }

    /// The text of an embed, one line for each part.
    private static func text(of embed: JSONFields) -> String {
        if let result = pollResult(embed) { return result }
        let fields = embed.objects("fields").map { field in
            [field.text("name"), field.text("value")].compactMap { $0 }.joined(separator: ": ")
        }
        let text = joined(["title", "description"].compactMap { embed.text($0) } + fields)
        guard text.isEmpty else { return text }
        return joined([embed.object("author")?.text("name"), embed.object("footer")?.text("text")].compactMap { $0 })
    }

    /// The result of a poll, which Discord keeps in an embed with fields of fixed names.
    private static func pollResult(_ embed: JSONFields) -> String? {
        var values: [String: String] = [:]
        for field in embed.objects("fields") {
            if let name = field.text("name"), let value = field.id("value") { values[name] = value }
        }
        guard let question = values["poll_question_text"] else { return nil }
        let answer = [values["victor_answer_emoji_name"], values["victor_answer_text"]].compactMap { $0 }
        let votes = [values["victor_answer_votes"], values["total_votes"]].compactMap { $0 }
        let count = votes.isEmpty ? "" : "(\(votes.joined(separator: " of ")) votes)"
        let result = (answer + [count]).filter { !$0.isEmpty }.joined(separator: " ")
        return result.isEmpty ? question : "\(question)\n\(result)"
    }

    /// The question and the answers of a poll, as Discord's API has them.
    private static func poll(_ fields: JSONFields) -> String {
        guard let poll = fields.object("poll") else { return "" }
        let answers = poll.objects("answers").compactMap { answer in
            answer.object("poll_media")?.text("text") ?? answer.text("text")
        }
        let question = poll.object("question")?.text("text") ?? poll.text("question")
        return joined([question ?? ""] + answers.map { "• \($0)" })
    }

    /// The names of the people and roles that a message names.
    private func names(of fields: JSONFields) -> [String: String] {
        var names: [String: String] = [:]
        let people = fields.objects("mentions") + [fields.object("author")].compactMap { $0 }
        for person in people {
            if let id = person.id("id") { names[id] = person.text("nickname") ?? person.text("name") }
            for role in person.objects("roles") {
                if let id = role.id("id") { names["&" + id] = role.text("name") }
            }
        }
        return names
    }

    private static func attachments(of fields: JSONFields) -> [Message.Attachment] {
        let parts = [fields, fields.object("forwardedMessage")].compactMap { $0 }
        let files = parts.flatMap { $0.objects("attachments") }.compactMap { $0.text("fileName") }
        let stickers = parts.flatMap { $0.objects("stickers") }.compactMap { $0.text("name") }
        return (files + stickers).map { Message.Attachment(name: $0) }
    }

    private func reactions(of fields: JSONFields) -> [Message.Reaction] {
        fields.objects("reactions").compactMap { reaction in
            guard let emoji = reaction.object("emoji"), let name = emoji.text("name") else { return nil }
            let people = reaction.objects("users").compactMap { $0.id("id") }
            // One of the server has an id, and may be called like a standard one.
            let isOwn = emoji.text("id").map { !$0.isEmpty } ?? false
            return Message.Reaction(
                emoji: isOwn ? ":\(name):" : EmojiName.reaction(name), userIDs: people.map(naming.user))
        }
    }
}

/// Discord's markup as plain text, for exports that contain it.
struct DiscordMarkup {
    /// Names of mentioned people by id, and of roles by `&` and id.
    let names: [String: String]

    /// Renders `<@1>`, `<@!1>`, `<@&1>`, `<:name:1>`, `</name:1>` and `<t:1700000000:R>`; everything else stays as it
    /// is.
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
        if parts.count == 2, text.hasPrefix("/"), !parts[1].isEmpty,
            parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            return String(parts[0])
        }
        guard parts.count == 3, parts[0].isEmpty || parts[0] == "a", !parts[1].isEmpty,
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return ":\(parts[1]):"
    }

    private func time(_ seconds: Substring) -> String? {
        Int64(seconds).flatMap { HistoryTime.moment(seconds: $0) }.map(HistoryTime.minute)
    }
}
