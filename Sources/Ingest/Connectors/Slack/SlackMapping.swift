import ChatCore
import Histories

/// Turns messages of a channel into what the store takes.
struct SlackMapping: Sendable {
    /// The type of the metadata of our own messages, with the id of the answer that they show.
    static let answerType = "nexus_answer"

    let settings: SlackSettings
    let identity: SlackIdentity
    let naming: HistoryNaming
    let channel: SlackChannel
    /// Reads texts with the names of people and channels.
    let reading: SlackReading

    /// Returns what messages say.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - isWhole: Whether the reactions to a message are known, as in replies of the API, but not in events.
    /// - Returns: What is to be stored, and the authors.
    func page(_ messages: [JSONFields], isWhole: (String) -> Bool) -> (page: ConnectorPage, authors: [Identity]) {
        var page = ConnectorPage(source: SlackSettings.source, room: channel.id)
        var authors: [UserID: Identity] = [:]
        for fields in messages.sorted(by: { ($0.text("ts") ?? "") < ($1.text("ts") ?? "") }) {
            guard let id = fields.text("ts") else { continue }
            if let author = add(fields, id, isWhole: isWhole(id), to: &page) { authors[author.userID] = author }
        }
        return (page, authors.values.sorted { $0.userID < $1.userID })
    }

    private func add(_ fields: JSONFields, _ id: String, isWhole: Bool, to page: inout ConnectorPage) -> Identity? {
        func count(_ kind: ConnectorEvent.Kind, _ target: MessageID? = nil) {
            page.events.append(ConnectorEvent(id: id, kind: kind, target: target))
        }
        let content = reading.read(fields, in: naming.conversation(channel.id))
        if case .notice = content {
            count(.room)
            return nil
        }
        guard !isOwn(fields) else {
            count(.answer, Self.answer(of: fields).map { MessageID(rawValue: $0) })
            return nil
        }
        switch content {
        case .notice: return nil
        case .empty: count(.empty)
        case .unreadable: count(.unsupported)
        case .deleted: addDeletion(of: id, to: &page)
        case .message(var message, let author):
            count(.message)
            let reactions = message.reactions.flatMap { reaction in
                reaction.userIDs.map { ConnectorEvent.Reaction(authorID: $0, emoji: reaction.emoji) }
            }
            message.reactions = []
            SlackFile.describe(&message.attachments, fields)
            if message.kind != .bot {
                let question = AssistantQuestion(mention: "@\(settings.mentionName)", name: settings.mentionName)
                message.text = question.text(in: message.text, isToNexus: channel.isToNexus) ?? message.text
            }
            // An edit within the second of its message is still later than the message.
            let editedAt = message.editedAt.map { max($0, message.timestamp + .microseconds(1)) }
            var state = ConnectorMessage(
                id: message.key.messageID, message: message, readAt: editedAt ?? message.timestamp)
            if isWhole { state.reactions = reactions }
            // Programs can write in the name of people who installed them.
            let isOwn = fields.text("app_id") == nil && fields.text("bot_id") == nil
            page.messages.append(state.readingLinks(name: settings.mentionName, isOwn: isOwn))
            return author
        }
        return nil
    }

    /// Adds that a message is deleted; one that was never read counts as left out.
    func addDeletion(of id: String, to page: inout ConnectorPage) {
        page.events.append(ConnectorEvent(id: id, kind: .deleted))
        page.messages.append(
            ConnectorMessage(
                id: naming.message(id), message: nil, readAt: SlackReading.moment(id) ?? Timestamp(microseconds: 0)))
    }

    /// Whether Nexus wrote a message.
    func isOwn(_ fields: JSONFields) -> Bool { Self.isOwn(fields, identity) }

    static func isOwn(_ fields: JSONFields, _ identity: SlackIdentity) -> Bool {
        fields.text("user") == identity.userID || fields.text("bot_id").map { $0 == identity.botID } ?? false
    }

    /// The answer of the assistant that one of our own messages shows.
    static func answer(of fields: JSONFields) -> String? { answerPayload(of: fields)?.text("id") }

    /// The version of that answer; 0 for the first one.
    static func version(of fields: JSONFields) -> Int64 {
        answerPayload(of: fields)?.text("version").flatMap { Int64($0) } ?? 0
    }

    private static func answerPayload(of fields: JSONFields) -> JSONFields? {
        guard let metadata = fields.object("metadata"), metadata.text("event_type") == answerType else { return nil }
        return metadata.object("event_payload")
    }
}
