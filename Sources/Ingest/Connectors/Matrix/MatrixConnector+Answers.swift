package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization
import TextAnalysis

extension MatrixConnector {
    /// Sends an answer of the assistant to the room in which it was asked, or the change or deletion of one.
    ///
    /// - Parameter answer: The present answer; a deleted one has no content.
    /// - Returns: Whether it is done; nil if its conversation is not a room of Matrix.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func deliver(_ answer: Message) async throws -> Bool? {
        let parts = try await rooms.rooms(of: answer.key.conversationID)
        guard !parts.isEmpty else { return nil }
        guard try await rooms.isActive() else { return false }
        let open = parts.filter { !MatrixProgress($0.progress).hasLeft && !$0.isErased }
        do {
            guard let room = try await room(of: answer, among: open) else { return true }
            let sent = try await store.connectorEvent(
                of: answer.key.messageID, in: room.id, of: MatrixSettings.source)
            if answer.deletedAt != nil {
                if let sent { try await redact(sent.id, of: answer, in: room.id) }
            } else {
                try await send(answer, over: sent?.id, in: room.id)
            }
            return true
        } catch let error as ConnectorError {
            logger.warning("An answer is not sent", metadata: ["error": "\(error)"])
            // A refusal is final.
            if case .refused(let status, _) = error, status != 401 { return true }
            return false
        }
    }

    /// Returns the room in which an answer is, or its question; else the present one.
    private func room(of answer: Message, among parts: [ConnectorRoom]) async throws -> ConnectorRoom? {
        guard parts.count > 1 else { return parts.first }
        for part in parts {
            let sent = try await store.connectorEvent(of: answer.key.messageID, in: part.id, of: MatrixSettings.source)
            if sent != nil { return part }
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
    private func redact(_ event: String, of answer: Message, in room: String) async throws {
        try await client.call(
            "PUT", ["v3", "rooms", room, "redact", event, "\(answer.key.messageID.rawValue)-deleted"],
            body: .object([:]))
    }

    private func send(_ answer: Message, over earlier: String?, in room: String) async throws {
        let rooms = try await rooms(of: AnswerLines(answer).lines.compactMap(\.source))
        let content = MatrixAnswer(answer: answer, room: room, rooms: rooms, mapping: mapping(of: room))
        let id = answer.key.messageID.rawValue
        guard let earlier else {
            let reply = try await client.call(
                "PUT", ["v3", "rooms", room, "send", "m.room.message", id], body: content.message)
            guard let event = reply.text("event_id") else { throw ConnectorError.unreadable }
            return try await note(event, of: answer, in: room)
        }
        let edited = answer.editedAt?.microseconds ?? 0
        guard edited != 0 else { return }
        try await client.call(
            "PUT", ["v3", "rooms", room, "send", "m.room.message", "\(id)-\(edited)"], body: content.edit(of: earlier))
    }

    private func note(_ event: String, of answer: Message, in room: String) async throws {
        var page = ConnectorPage(source: MatrixSettings.source, room: room)
        page.events = [ConnectorEvent(id: event, kind: .answer, target: answer.key.messageID)]
        try await store.take(page, at: now())
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
        if let root = (answer.threadRootID ?? answer.replyToID)?.rawValue {
            fields["m.relates_to"] = .object([
                "rel_type": .string("m.thread"), "event_id": .string(root), "is_falling_back": .bool(true),
                "m.in_reply_to": .object(["event_id": .string(answer.replyToID?.rawValue ?? root)]),
            ])
        }
        return .object(fields)
    }

    /// The content that replaces an earlier one.
    func edit(of event: String) -> JSONValue {
        var fields = content
        fields["body"] = .string("* " + plain)
        fields["m.new_content"] = .object(content)
        fields["m.relates_to"] = .object(["rel_type": .string("m.replace"), "event_id": .string(event)])
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
