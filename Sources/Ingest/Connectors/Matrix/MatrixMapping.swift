import ChatCore
import Foundation
import Histories

/// Turns events of a room into what the store takes.
struct MatrixMapping: Sendable {
    /// The field of our own messages with the id of the answer that they show.
    static let answerKey = "org.nexus.answer"
    /// The field with the version of that answer; the first one has none.
    static let versionKey = "org.nexus.version"

    let settings: MatrixSettings
    let naming = HistoryNaming(source: MatrixSettings.source)
    /// The names of the room's people, by Matrix id.
    var names: [String: String] = [:]
    /// The conversation of which the room is a part; nil if the room is a whole one.
    var part: MatrixPart?

    /// Returns what a page of a room's history says, oldest event first.
    ///
    /// - Parameters:
    ///   - events: The events, with the edits that count in them.
    ///   - room: The room.
    ///   - readAt: When reading began.
    /// - Returns: What is to be stored.
    func page(_ events: [MatrixEvent], of room: String, readAt: Timestamp) -> ConnectorPage {
        var page = ConnectorPage(source: MatrixSettings.source, room: room)
        for event in events { add(event, to: &page, readAt: readAt) }
        return page
    }

    /// Adds an event and its effect, as far as the event alone tells it.
    func add(_ event: MatrixEvent, to page: inout ConnectorPage, readAt: Timestamp, isFirst: Bool = false) {
        guard event.stateKey == nil else {
            page.events.append(ConnectorEvent(id: event.id, kind: .room))
            return
        }
        switch event.effect {
        case .message: addMessage(event, to: &page, readAt: readAt, isFirst: isFirst)
        case .edit(let target):
            let isOwn = event.sender == settings.userID
            page.events.append(
                ConnectorEvent(
                    id: event.id, kind: isOwn ? .answer : .edit, target: isOwn ? nil : naming.message(target)))
        case .reaction(let target, let key):
            page.events.append(
                ConnectorEvent(
                    id: event.id, kind: .reaction, target: naming.message(target),
                    reaction: ConnectorEvent.Reaction(authorID: naming.user(event.sender), emoji: key)))
        case .deletion(let target):
            page.events.append(ConnectorEvent(id: event.id, kind: .deletion))
            page.deletedEvents.append(target)
        case .deleted:
            page.events.append(ConnectorEvent(id: event.id, kind: .deleted))
            page.deletedEvents.append(event.id)
            if event.isOfMessageType { addDeletion(of: event.id, to: &page, readAt: readAt) }
        case .encrypted: page.events.append(ConnectorEvent(id: event.id, kind: .encrypted))
        case .unsupported: page.events.append(ConnectorEvent(id: event.id, kind: .unsupported))
        }
    }

    /// Adds that a message is deleted.
    func addDeletion(of id: String, to page: inout ConnectorPage, readAt: Timestamp) {
        page.messages.append(ConnectorMessage(id: naming.message(id), message: nil, readAt: readAt))
    }

    private func addMessage(_ event: MatrixEvent, to page: inout ConnectorPage, readAt: Timestamp, isFirst: Bool) {
        guard event.sender != settings.userID else {
            let answer = event.content.text(Self.answerKey).map { MessageID(rawValue: $0) }
            page.events.append(ConnectorEvent(id: event.id, kind: .answer, target: answer))
            return
        }
        guard !isTooLate(event) else {
            page.events.append(ConnectorEvent(id: event.id, kind: .replaced))
            return
        }
        let message = message(event)
        page.events.append(ConnectorEvent(id: event.id, kind: message == nil ? .empty : .message))
        guard let message else { return }
        page.messages.append(
            ConnectorMessage(id: message.key.messageID, message: message, readAt: readAt, isFirst: isFirst)
                .readingLinks(name: settings.mentionName))
    }

    /// Whether an event is from after the end of its room, which the people of the next room do not see.
    func isTooLate(_ event: MatrixEvent) -> Bool { part?.closedAt.map { event.timestamp >= $0 } ?? false }

    /// Returns a message with the text of the edit that counts; nil if it says nothing.
    func message(_ event: MatrixEvent) -> Message? {
        let answered = event.relation?.object("m.in_reply_to")?.text("event_id")
        let edit = event.bundledEdit
        let edited = edit?.content.object("m.new_content").flatMap {
            ElementContent($0, eventType: event.type, isAnswer: true)
        }
        guard
            let said = edited ?? ElementContent(event.content, eventType: event.type, isAnswer: answered != nil)
        else { return nil }
        var message = Message(
            key: MessageKey(
                conversationID: part?.conversation ?? naming.conversation(event.room),
                messageID: naming.message(event.id)),
            senderID: naming.user(event.sender), senderName: name(of: event.sender),
            text: said.isNotice ? said.text : question(in: said.text, of: event) ?? said.text,
            kind: said.isNotice ? .bot : .text,
            // A service may give any time, but who read the earlier room only does not read this one.
            timestamp: max(event.timestamp, part?.openedAt ?? event.timestamp))
        let content = edited == nil ? event.content : edit?.content.object("m.new_content")
        message.attachments = said.attachments.map { file in
            var file = file
            (file.name, file.type) = (TextLimit.name.cut(file.name), file.type.map { TextLimit.name.cut($0) })
            // Stickers are the same few pictures.
            if event.type == "m.room.message", let content { MatrixFile.describe(&file, content) }
            return file
        }
        if edited != nil { message.editedAt = edit?.timestamp }
        if event.relation?.text("rel_type") == "m.thread" {
            message.threadRootID = event.relation?.text("event_id").map(naming.message)
        }
        // Within a thread this names the message before for old clients, unless it is said not to.
        if event.relation?.isTrue("is_falling_back") != true { message.replyToID = answered.map(naming.message) }
        message.url = link(to: event.id, in: event.room)
        return message
    }

    /// Returns the name of a person; the first part of the id if none is known.
    func name(of sender: String) -> String {
        TextLimit.name.cut(names[sender] ?? String(sender.dropFirst().prefix { $0 != ":" }))
    }

    /// Returns a link to an event that works for people who are not in the room, too.
    func link(to event: String, in room: String) -> String? {
        let (room, event) = (MessageLink.encoded(room), MessageLink.encoded(event))
        return MessageLink.usable(
            "https://matrix.to/#/\(room)/\(event)?via=\(MessageLink.encoded(settings.serverName))")
    }

    /// Returns a text that mentions the user of the application service in the form of a question to the assistant;
    /// nil if it does not.
    private func question(in text: String, of event: MatrixEvent) -> String? {
        let name = "@\(settings.mentionName)"
        let trimmed = text.trimmingWhitespace()
        for called in [settings.userID, "@\(settings.localName)", settings.localName] {
            guard trimmed.lowercased().hasPrefix(called.lowercased()) else { continue }
            let rest = trimmed.dropFirst(called.count)
            // A person may write about nexuses.
            guard rest.first.map({ ",:; \n\t".contains($0) }) ?? false else { continue }
            let isName = called == settings.localName
            guard !isName || mentions(event) || ":,".contains(rest.first ?? " ") else { continue }
            return "\(name) \(rest.drop { ",:; \n\t".contains($0) })"
        }
        return mentions(event) || text.contains(settings.userID) ? "\(name) \(trimmed)" : nil
    }

    /// Whether the event says itself that it mentions the user of the application service.
    private func mentions(_ event: MatrixEvent) -> Bool {
        event.content.object("m.mentions")?.list("user_ids").contains(.string(settings.userID)) ?? false
    }
}
