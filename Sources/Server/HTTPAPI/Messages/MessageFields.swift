import ChatCore

/// Reads a message.
///
/// `id?`, `senderId?`, `senderName?`, `text`, `kind?`, `timestamp?`, `replyTo?`, `threadRoot?`, `attachments?` (ids of
/// files, or names of files that are not stored), `reactions?`, `extra?` (an object), `localId?`, `url?`.
struct MessageFields {
    /// The values of fields that a message leaves out.
    struct Defaults {
        let conversationID: ConversationID
        let senderID: UserID?
        /// Whether the sender's name comes from the message.
        var takesNames: Bool
        /// The sender's name outside of the conversation.
        var knownName: String?
        let moment: Timestamp
        /// The id of each message that has none, by its place.
        let newIDs: [MessageID]
    }

    /// Fields of documents that move from Firestore: the server keeps their values itself.
    static let ignored = ["conversationId", "deliveredTo", "displayStatus", "isEdited", "readBy", "status"]

    let defaults: Defaults

    /// Reads the message at a place.
    func draft(_ fields: JSONField, at place: Int = 0) throws(FieldError) -> MessageDraft {
        let fields = try fields.object()
        var omissions: Set<MessageDraft.Omission> = []
        func given<Value>(_ value: Value?, or standIn: Value, _ omission: MessageDraft.Omission) -> Value {
            if value == nil { omissions.insert(omission) }
            return value ?? standIn
        }
        let sender: UserID? = try fields["senderId"].optionalIdentifier()
        guard let sender = sender ?? defaults.senderID else { throw fields["senderId"].missing }
        let attachments = try attachments(fields["attachments"])
        let message = Message(
            key: MessageKey(
                conversationID: defaults.conversationID,
                messageID: given(try fields["id"].optionalIdentifier(), or: defaults.newIDs[place], .id)),
            senderID: sender,
            senderName: given(
                defaults.takesNames ? try Self.short(fields["senderName"]) : nil, or: sender.rawValue, .senderName),
            text: try Self.text(fields["text"], mayBeEmpty: !attachments.isEmpty),
            kind: try fields["kind"].optionalWord() ?? .text,
            timestamp: given(try fields["timestamp"].optionalTimestamp(), or: defaults.moment, .timestamp),
            replyToID: try fields["replyTo"].optionalIdentifier(),
            threadRootID: try fields["threadRoot"].optionalIdentifier(), attachments: attachments,
            reactions: try reactions(fields["reactions"]), extra: try Self.extra(fields["extra"]),
            localID: try Self.short(fields["localId"]), url: try Self.url(fields["url"]))
        if let fault = message.limitFault { throw fields[fault.field].error(fault.reason) }
        return MessageDraft(message, omitting: omissions, knownName: defaults.knownName)
    }

    /// Reads a text: not empty, at most ``Message/textByteLimit`` bytes.
    static func text(_ field: JSONField, mayBeEmpty: Bool = false) throws(FieldError) -> String {
        if mayBeEmpty, !field.isPresent { return "" }
        let text = try field.string()
        guard mayBeEmpty || text.contains(where: { !$0.isWhitespace }) else { throw field.error("must not be empty") }
        guard text.utf8.count <= Message.textByteLimit else {
            throw field.error("must have at most \(Message.textByteLimit) bytes")
        }
        return text
    }

    private func attachments(_ field: JSONField) throws(FieldError) -> [Message.Attachment] {
        var attachments: [Message.Attachment] = []
        for item in try field.optionalArray(atMost: Message.attachmentLimit) ?? [] {
            if case .string = item.value {
                attachments.append(Message.Attachment(file: try item.identifier()))
                continue
            }
            guard let name = try Self.short(try item.object()["name"]) else { throw item["name"].missing }
            let caption = item["caption"].isPresent ? try Self.text(item["caption"], mayBeEmpty: true) : nil
            // Older clients call it `type`.
            let type = try Self.short(item["mediaType"].isPresent ? item["mediaType"] : item["type"])
            attachments.append(Message.Attachment(name: name, type: type, caption: caption))
        }
        guard attachments.count(where: { $0.id != nil }) <= FileLimits.perMessage else {
            throw field.error("must name at most \(FileLimits.perMessage) files")
        }
        return attachments
    }

    private func reactions(_ field: JSONField) throws(FieldError) -> [Message.Reaction] {
        var reactions: [Message.Reaction] = []
        for item in try field.optionalArray(atMost: Message.reactionLimit) ?? [] {
            guard let emoji = try Self.short(try item.object()["emoji"]) else { throw item["emoji"].missing }
            var users: [UserID] = []
            for user in try item["userIds"].optionalArray(atMost: Message.reactorLimit) ?? [] {
                users.append(try user.identifier())
            }
            reactions.append(Message.Reaction(emoji: emoji, userIDs: users))
        }
        return reactions
    }

    private static func short(_ field: JSONField) throws(FieldError) -> String? {
        guard let text = try field.optionalString() else { return nil }
        if let fault = TextLimit.name.fault(of: text, mayBeEmpty: false) { throw field.error(fault) }
        return text
    }

    private static func url(_ field: JSONField) throws(FieldError) -> String? {
        guard let text = try field.optionalString() else { return nil }
        guard MessageLink.isUsable(text) else { throw field.error(MessageLink.unusableReason) }
        return text
    }

    /// Returns the object as text, keys in order.
    private static func extra(_ field: JSONField) throws(FieldError) -> String? {
        guard field.isPresent else { return nil }
        let object = try field.object().value
        let tooLong = field.error("must have at most \(Message.extraByteLimit) bytes")
        // Counted before it is encoded, because encoding some megabytes takes longer than reading them.
        guard let object, object.leastByteCount(upTo: Message.extraByteLimit) <= Message.extraByteLimit else {
            throw tooLong
        }
        guard let data = try? WireEncoding.data(object) else { throw field.error("must be an object") }
        guard data.count <= Message.extraByteLimit else { throw tooLong }
        return String(decoding: data, as: UTF8.self)
    }
}
