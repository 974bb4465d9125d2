package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization
import TextAnalysis

extension MatrixConnector: AnswerSender {
    /// See ``Connector/deliver(_:)``.
    package func deliver(_ answer: Message) async throws -> Bool? {
        try await AnswerDelivery(sender: self).deliver(answer)
    }

    /// Returns the room in which an answer is, or its question; else the present one.
    func room(of answer: Message, among parts: [ConnectorRoom]) async throws -> ConnectorRoom? {
        guard parts.count > 1 else { return parts.first }
        for part in parts {
            let sent = try await store.connectorEvents(of: answer.key.messageID, in: part.id, of: source)
            if !sent.isEmpty { return part }
        }
        if let question = answer.replyToID ?? answer.threadRootID,
            let asked = try await room(with: question, among: parts)
        {
            return asked
        }
        return parts.first { MatrixProgress($0.progress).replacedBy == nil }
    }

    private func room(with message: MessageID, among parts: [ConnectorRoom]) async throws -> ConnectorRoom? {
        for part in parts {
            let known = try await store.connectorEvents([message.rawValue], in: part.id, of: MatrixSettings.source)
            if !known.isEmpty { return part }
        }
        return nil
    }

    /// Returns the rooms of sources whose conversation is in several rooms.
    private func rooms(of sources: [MessageKey]) async throws -> [MessageKey: String] {
        var found: [MessageKey: String] = [:]
        for source in Set(sources) {
            let parts = try await rooms.rooms(of: source.conversationID)
            if parts.count > 1 { found[source] = try await room(with: source.messageID, among: parts)?.id }
        }
        return found
    }

    /// The same answer has the same number, so that the homeserver takes it once.
    func mayHaveSent(_ answer: Message) -> Bool { false }

    func send(_ answer: Message, to room: String) async throws -> String {
        let rooms = try await rooms(of: AnswerLines(answer).lines.compactMap(\.source))
        let content = MatrixAnswer(answer: answer, room: room, rooms: rooms, mapping: mapping(of: room))
        let id = answer.key.messageID.rawValue
        let number = answer.version == 0 ? id : "\(id)-\(answer.version)"
        let reply = try await client.call(
            "PUT", ["v3", "rooms", room, "send", "m.room.message", number], body: content.message)
        guard let event = reply.text("event_id") else { throw ConnectorError.unreadable }
        return event
    }

    func shownAnswers(of answer: Message, known: [String], in room: String) async throws -> [ShownAnswer] {
        var events: [MatrixEvent] = []
        if let root = (answer.threadRootID ?? answer.replyToID)?.rawValue {
            events = try await ownEvents(about: root, "m.thread", in: room)
        }
        for id in known where !events.contains(where: { $0.id == id }) {
            do {
                let reply = try await client.call("GET", ["v3", "rooms", room, "event", id])
                events += [MatrixEvent(reply, in: room)].compactMap(\.self)
            } catch let error as ConnectorError where error.isAboutAbsence {
                // It is from before what Nexus may read, or was purged.
            }
        }
        return events.filter { event in
            let shows = event.content.text(MatrixMapping.answerKey) == answer.key.messageID.rawValue
            return !event.isDeleted && (shows || known.contains(event.id))
        }.map { ShownAnswer(id: $0.id, version: $0.content.integer(MatrixMapping.versionKey) ?? 0) }
    }

    /// Deletes a message, after its edits.
    ///
    /// Each edit is an event with its own text, and a deleted message no longer leads to its edits.
    func remove(_ id: String, in room: String) async throws {
        for edit in try await ownEvents(about: id, "m.replace", in: room) { try await redact(edit.id, in: room) }
        try await redact(id, in: room)
    }

    private func redact(_ id: String, in room: String) async throws {
        try await client.call("PUT", ["v3", "rooms", room, "redact", id, "\(id)-removed"], body: .object([:]))
    }

    /// Returns our events that have a relation to an event and are not deleted.
    private func ownEvents(about id: String, _ relation: String, in room: String) async throws -> [MatrixEvent] {
        var (events, from): ([MatrixEvent], String?) = ([], nil)
        repeat {
            let query = [("limit", "100")] + (from.map { [("from", $0)] } ?? [])
            let reply: JSONFields
            do {
                reply = try await client.call(
                    "GET", ["v1", "rooms", room, "relations", id, relation], query: query)
            } catch let error as ConnectorError where error.isAboutAbsence {
                return events
            }
            events += reply.objects("chunk").compactMap { MatrixEvent($0, in: room) }
            let next = reply.text("next_batch")
            // A token that comes again would never end.
            from = next == from ? nil : next
        } while from != nil
        return events.filter { $0.sender == settings.userID && !$0.isDeleted }
    }
}

/// An answer of the assistant as content of a message of Matrix.
struct MatrixAnswer {
    let answer: Message
    let room: String
    /// The rooms of those sources whose conversation is in several.
    let rooms: [MessageKey: String]
    let mapping: MatrixMapping

    /// The content in the thread of the question; a notice, which other bots do not answer.
    var message: JSONValue {
        var fields = content
        fields[MatrixMapping.answerKey] = .string(answer.key.messageID.rawValue)
        if answer.version != 0 { fields[MatrixMapping.versionKey] = .integer(answer.version) }
        if let root = (answer.threadRootID ?? answer.replyToID)?.rawValue {
            fields["m.relates_to"] = .object([
                "rel_type": .string("m.thread"), "event_id": .string(root), "is_falling_back": .bool(true),
                "m.in_reply_to": .object(["event_id": .string(answer.replyToID?.rawValue ?? root)]),
            ])
        }
        return .object(fields)
    }

    private var content: [String: JSONValue] {
        [
            "msgtype": .string("m.notice"), "body": .string(plain),
            "format": .string("org.matrix.custom.html"),
            "formatted_body": .string(html),
            // Nobody is notified by name.
            "m.mentions": .object([:]),
        ]
    }

    /// The text as it is written; a line that names a source has its address.
    private var plain: String {
        AnswerLines(answer).lines.map { line in
            line.source.flatMap(link).map { "\(line.text) \($0)" } ?? String(line.text)
        }
        .joined(separator: "\n")
    }

    /// The text in the part of HTML that Matrix allows; a line that names a source links to it.
    private var html: String {
        AnswerLines(answer).styled(Self.style) { line, source in link(to: source).map { Self.style.link(line, $0) } }
            .joined(separator: "<br>")
    }

    private static let style: MarkdownStyle = {
        var style = MarkdownStyle()
        style.strong = ("<strong>", "</strong>")
        style.emphasized = ("<em>", "</em>")
        style.struck = ("<del>", "</del>")
        style.code = ("<code>", "</code>")
        style.escaped = { escaped($0) }
        style.link = { words, address in #"<a href="\#(escaped(address))">\#(words)</a>"# }
        return style
    }()

    /// The link to a source that is a message of Matrix.
    private func link(to source: MessageKey) -> String? {
        let (prefix, id) = (mapping.naming.conversation("").rawValue, source.conversationID.rawValue)
        guard id.hasPrefix(prefix) else { return nil }
        let room = rooms[source] ?? String(id.dropFirst(prefix.count))
        return mapping.link(to: source.messageID.rawValue, in: room)
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
