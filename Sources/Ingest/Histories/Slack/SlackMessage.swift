import ChatCore

/// Turns an element of a day's file into a message.
struct SlackMessage {
    let directory: SlackDirectory
    let naming: HistoryNaming
    let unknown: UnknownContent

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
            // Slack states the time of an edit in whole seconds.
            message.editedAt = fields.object("edited")?.id("ts").flatMap(Self.moment).map { max($0, timestamp) }
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
        // A comment on a file has its author in the comment.
        let commenter = fields.text("user") == nil ? fields.object("comment")?.text("user") : nil
        guard let id = fields.text("user") ?? commenter ?? fields.text("bot_id") ?? fields.text("username") else {
            throw fields.missing("user")
        }
        let person = directory.people[id]
        let isBot = isBot || fields.text("bot_id") != nil || person?.isBot == true
        let ownName = isBot ? fields.text("username") ?? botProfile?.text("name") : nil
        let shown = person?.shownName ?? profile?.text("display_name") ?? profile?.text("real_name")
        let name = ownName ?? shown ?? directory.name(ofPerson: id)
        return naming.author(id, name: name ?? id, email: person?.email, isBot: isBot)
    }

    private func reactions(of fields: JSONFields) -> [Message.Reaction] {
        fields.objects("reactions").compactMap { reaction in
            reaction.text("name").map {
                Message.Reaction(
                    emoji: EmojiName.reaction($0), userIDs: reaction.ids("users").map(naming.user))
            }
        }
    }
}

// MARK: - Content

extension SlackMessage {
    /// Slack's own words for content that it does not show as text.
    private static let standIns: Set<String> = [
        "This content can't be displayed.", "This content can’t be displayed.", "[no preview available]",
    ]

    /// The blocks, as Slack shows them, or else `text`; with programs' attachments and shared messages.
    private func text(of fields: JSONFields, isBot: Bool) -> String {
        if let comment = Self.comment(of: fields) { return SlackMarkup(directory: directory).plain(comment) }
        let raw = fields.text("text") ?? ""
        let markup = SlackMarkup(directory: directory, labels: SlackLabels(fields))
        let plain = Self.standIns.contains(raw) ? "" : markup.plain(raw)
        let unknownCount = unknown.count
        let blocks = SlackBlocks(markup: markup, unknown: unknown).text(fields.objects("blocks"))
        let body = Self.body(plain: plain, blocks: blocks, isWhole: unknown.count == unknownCount)
        // For people only shared messages count: other attachments are previews of links.
        let attachments = fields.objects("attachments").filter { isBot || body.isEmpty || Self.isShared($0) }
        let texts = [body] + attachments.map { text(of: $0, markup: markup) }
        return texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The comment on a file, which stands in Slack's words in `text`.
    private static func comment(of fields: JSONFields) -> String? {
        fields.text("subtype") == "file_comment" ? fields.object("comment")?.text("comment") : nil
    }

    /// Chooses the blocks, unless they have less than `text` or something in them is not understood.
    private static func body(plain: String, blocks: String, isWhole: Bool) -> String {
        if isWhole { return blocks.isEmpty ? plain : blocks }
        let (words, blockWords) = (weightless(plain), weightless(blocks))
        if words.contains(blockWords) { return plain }
        return blockWords.contains(words) ? blocks : plain + "\n" + blocks
    }

    /// A text without white space.
    private static func weightless(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace }))
    }

    /// The text of an attachment: its blocks, those of a shared message, or its fields.
    private func text(of attachment: JSONFields, markup: SlackMarkup) -> String {
        let renderer = SlackBlocks(markup: markup, unknown: unknown)
        let own = renderer.text(attachment.objects("blocks"))
        if !own.isEmpty { return own }
        let lines = ProgramAttachment.lines(attachment).filter { !Self.standIns.contains($0) }.map(markup.plain)
        if !lines.isEmpty { return lines.joined(separator: "\n") }
        let shared = attachment.objects("message_blocks").compactMap { $0.object("message") }
        return shared.map { renderer.text($0.objects("blocks")) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Whether an attachment is a shared message of the workspace.
    private static func isShared(_ attachment: JSONFields) -> Bool {
        attachment.isTrue("is_share") || attachment.isTrue("is_msg_unfurl")
    }

    /// The files that are shown, in the order of the attachments; old messages have one in `file`, and shared messages
    /// their own.
    static func files(of fields: JSONFields) -> [JSONFields] {
        let shared = fields.objects("attachments").filter(isShared).flatMap { $0.objects("files") }
        let single = fields.objects("files").isEmpty ? [fields.object("file")].compactMap { $0 } : []
        return (fields.objects("files") + single + shared).filter { file in
            file.text("mode") != "tombstone" && (file.text("name") ?? file.text("title")) != nil
        }
    }

    private static func attachments(of fields: JSONFields) -> [Message.Attachment] {
        files(of: fields).map { file in
            let name = file.text("name") ?? file.text("title") ?? FileName.standard
            let title = file.text("title").flatMap { $0 == name ? nil : $0 }
            return Message.Attachment(name: name, type: file.text("mimetype"), caption: file.text("alt_txt") ?? title)
        }
    }
}

extension SlackReading {
    /// The files that are shown of a message, in the order of its attachments.
    package static func files(of fields: JSONFields) -> [JSONFields] { SlackMessage.files(of: fields) }
}

/// An attachment in which programs say much, in Slack's form, which Mattermost has too.
package enum ProgramAttachment {
    /// Its texts, one per line: pretext, title, text and fields; the fallback text if there are none.
    package static func lines(_ attachment: JSONFields) -> [String] {
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
