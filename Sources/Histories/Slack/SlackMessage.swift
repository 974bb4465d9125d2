import ChatCore

/// Turns an element of a day's file into a message.
struct SlackMessage {
    let directory: SlackDirectory
    let naming: HistoryNaming

    /// The kind of an element.
    enum Content {
        case message(Message, author: Identity, deletedAt: Timestamp?)
        /// Somebody left at a time.
        case departure(userID: String, at: Timestamp)
        case skipped(SkipReason)
    }

    /// Notices of the application: joins and departures, renames, pins.
    private static let notices: Set<String> = [
        "channel_join", "channel_topic", "channel_purpose", "channel_name", "channel_archive", "channel_unarchive",
        "channel_convert_to_private", "channel_convert_to_public", "channel_posting_permissions", "group_join",
        "group_topic", "group_purpose", "group_name", "group_archive", "group_unarchive", "pinned_item",
        "unpinned_item", "bot_add", "bot_remove", "bot_enable", "bot_disable", "reminder_add", "sh_room_created",
        "sh_room_shared", "huddle_thread", "joiner_notification", "joiner_notification_for_inviter",
        "app_conversation_join", "tabbed_canvas_updated",
    ]
    private static let changes: Set<String> = ["message_changed", "message_deleted", "message_replied"]

    /// Reads an element.
    ///
    /// - Parameters:
    ///   - fields: The element.
    ///   - conversationID: Its conversation.
    /// - Returns: The decoded element.
    /// - Throws: ``ImportLineError`` for an element without author or time.
    func read(_ fields: JSONFields, in conversationID: ConversationID) throws(ImportLineError) -> Content {
        let id = try fields.requiredID("ts")
        guard let timestamp = Self.moment(id) else {
            throw ImportLineError(reason: "field \"ts\": not a time such as 1452837318.000002")
        }
        let subtype = fields.text("subtype") ?? ""
        if subtype == "channel_leave" || subtype == "group_leave" {
            return fields.text("user").map { .departure(userID: $0, at: timestamp) } ?? .skipped(.notice)
        }
        if Self.notices.contains(subtype) { return .skipped(.notice) }
        if Self.changes.contains(subtype) { return .skipped(.change) }
        let author = try author(of: fields, isBot: subtype == "bot_message")
        let isDeleted = subtype == "tombstone"
        var message = Message(
            key: MessageKey(conversationID: conversationID, messageID: naming.message(id)), senderID: author.userID,
            senderName: author.name ?? author.externalID, text: "", kind: author.isBot ? .bot : .text,
            timestamp: timestamp, threadRootID: Self.threadRoot(of: fields, id: id).map(naming.message))
        if !isDeleted {
            message.url = link(to: id, root: Self.threadRoot(of: fields, id: id), in: conversationID)
            message.text = text(of: fields, isBot: author.isBot)
            message.attachments = Self.attachments(of: fields)
            message.editedAt = fields.object("edited")?.id("ts").flatMap(Self.moment)
            message.reactions = reactions(of: fields)
            if message.text.isEmpty, message.attachments.isEmpty { return .skipped(.empty) }
        }
        return .message(message, author: author, deletedAt: isDeleted ? timestamp : nil)
    }

    private func link(to id: String, root: String?, in conversationID: ConversationID) -> String? {
        let prefix = naming.source + "-"
        guard let workspace = naming.workspaceURL, conversationID.rawValue.hasPrefix(prefix) else { return nil }
        let channel = MessageLink.encoded(String(conversationID.rawValue.dropFirst(prefix.count)))
        let place = "\(workspace)/archives/\(channel)/p\(id.filter { $0 != "." })"
        let thread = root.map { "?thread_ts=\(MessageLink.encoded($0))&cid=\(channel)" } ?? ""
        return MessageLink.usable(place + thread)
    }

    /// Reads `1452837318.000002`, without a detour over floating point.
    static func moment(_ text: String) -> Timestamp? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.utf8.count <= 12, let seconds = Int64(first), seconds >= 0,
            HistoryTime.moment(seconds: seconds) != nil
        else { return nil }
        // bounded: twelve digits
        guard parts.count > 1 else { return Timestamp(microseconds: seconds * 1_000_000) }
        let digits = parts[1].prefix(6)
        guard !digits.isEmpty, let fraction = Int64(digits), fraction >= 0 else { return nil }
        let scale = (digits.utf8.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
        // bounded: twelve digits and six
        return Timestamp(microseconds: seconds * 1_000_000 + fraction * scale)
    }

    private static func threadRoot(of fields: JSONFields, id: String) -> String? {
        fields.id("thread_ts").flatMap { $0 == id ? nil : $0 }
    }

    private func author(of fields: JSONFields, isBot: Bool) throws(ImportLineError) -> Identity {
        let profile = fields.object("user_profile")
        let botProfile = fields.object("bot_profile")
        guard let id = fields.text("user") ?? fields.text("bot_id") ?? fields.text("username") else {
            throw fields.missing("user")
        }
        let person = directory.people[id]
        let isBot = isBot || fields.text("bot_id") != nil || person?.isBot == true
        let ownName = isBot ? fields.text("username") ?? botProfile?.text("name") : nil
        let name = ownName ?? person?.shownName ?? profile?.text("display_name") ?? profile?.text("real_name")
        return naming.author(id, name: name ?? id, email: person?.email, isBot: isBot)
    }

    /// The longer of `text` and `blocks`, with programs' attachments and shared messages.
    private func text(of fields: JSONFields, isBot: Bool) -> String {
        let markup = SlackMarkup(directory: directory)
        let plain = markup.plain(fields.text("text") ?? "")
        let blocks = SlackBlocks(markup: markup).text(fields.objects("blocks"))
        let body = Self.weight(of: blocks) > Self.weight(of: plain) ? blocks : plain
        // For people only shared messages count: other attachments are previews of links.
        let attachments = fields.objects("attachments").filter { isBot || body.isEmpty || Self.isShared($0) }
        let attached = attachments.flatMap(ProgramAttachment.lines)
        return ([body] + attached.map(markup.plain)).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Whether an attachment is a shared message of the workspace.
    private static func isShared(_ attachment: JSONFields) -> Bool {
        attachment.isTrue("is_share") || attachment.isTrue("is_msg_unfurl")
    }

    /// How much a text says: everything but white space.
    private static func weight(of text: String) -> Int {
        text.unicodeScalars.count { !$0.properties.isWhitespace }
    }

    private static func attachments(of fields: JSONFields) -> [Message.Attachment] {
        fields.objects("files").compactMap { file in
            guard file.text("mode") != "tombstone", let name = file.text("name") ?? file.text("title") else {
                return nil
            }
            let title = file.text("title").flatMap { $0 == name ? nil : $0 }
            return Message.Attachment(name: name, type: file.text("mimetype"), caption: file.text("alt_txt") ?? title)
        }
    }

    private func reactions(of fields: JSONFields) -> [Message.Reaction] {
        fields.objects("reactions").compactMap { reaction in
            reaction.text("name").map {
                Message.Reaction(emoji: $0, userIDs: reaction.ids("users").map(naming.user))
            }
        }
    }
}

/// An attachment in which programs say much, in Slack's form, which Mattermost has too.
enum ProgramAttachment {
    /// Its texts, one per line: pretext, title, text and fields; the fallback text if there are none.
    static func lines(_ attachment: JSONFields) -> [String] {
        let texts = ["pretext", "title", "text"].compactMap { attachment.text($0) }
        let fields = attachment.objects("fields").compactMap { field -> String? in
            let value = field.id("value")
            guard let title = field.text("title") else { return value }
            return value.map { "\(title): \($0)" } ?? title
        }
        let parts = texts + fields
        return parts.isEmpty ? [attachment.text("fallback")].compactMap { $0 } : parts
    }
}
