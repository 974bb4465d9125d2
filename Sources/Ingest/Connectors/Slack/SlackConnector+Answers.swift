package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization
import TextAnalysis

extension SlackConnector {
    /// Sends an answer of the assistant to the channel in which it was asked, or the change or deletion of one.
    ///
    /// - Parameter answer: The present answer; a deleted one has no content.
    /// - Returns: Whether it is done; nil if its conversation is not a channel of Slack.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func deliver(_ answer: Message) async throws -> Bool? {
        guard let room = try await rooms.room(of: answer.key.conversationID) else { return nil }
        guard try await rooms.isActive() else { return false }
        guard !SlackProgress(room.progress).hasLeft, !room.isErased else { return true }
        do {
            let sent = try await store.connectorEvent(of: answer.key.messageID, in: room.id, of: SlackSettings.source)
            if answer.deletedAt != nil {
                if let sent { try await delete(sent.id, in: room.id) }
            } else if let sent {
                if answer.editedAt != nil { try await edit(sent.id, answer, in: room.id) }
            } else {
                try await send(answer, to: room.id)
            }
            return true
        } catch let error as ConnectorError {
            logger.warning("An answer is not sent", metadata: ["error": "\(error)"])
            // A refusal is final, unless the operator can give what is missing.
            guard case .refused(_, let code) = error, !error.isAboutToken else { return false }
            return code != "missing_scope"
        }
    }

    private func send(_ answer: Message, to channel: String) async throws {
        let root = (answer.threadRootID ?? answer.replyToID)?.rawValue
        let id = answer.key.messageID
        // An earlier attempt may have reached Slack, although its reply was lost or this process did not exist yet.
        let isRepeated = answer.timestamp < startedAt || !state.withLock { $0.attempted.insert(id).inserted }
        if isRepeated, let root, let sent = try await find(id, inThread: root, of: channel) {
            return try await note(sent, of: answer, in: channel)
        }
        var body = try await content(of: answer)
        body["channel"] = .string(channel)
        (body["unfurl_links"], body["unfurl_media"]) = (.bool(false), .bool(false))
        if let root { body["thread_ts"] = .string(root) }
        let reply = try await client.write("chat.postMessage", body)
        guard let sent = reply.text("ts") else { throw ConnectorError.unreadable }
        try await note(sent, of: answer, in: channel)
        state.withLock { _ = $0.attempted.remove(id) }
    }

    private func find(_ answer: MessageID, inThread root: String, of channel: String) async throws -> String? {
        var cursor: String?
        repeat {
            let query = [
                ("channel", channel), ("ts", root), ("limit", "\(settings.pageSize)"), ("include_all_metadata", "true"),
            ]
            let reply = try await client.read(
                "conversations.replies", query + (cursor.map { [("cursor", $0)] } ?? []), patience: .zero)
            let found = reply.objects("messages").first { SlackMapping.answer(of: $0) == answer.rawValue }
            if let found { return found.text("ts") }
            cursor = SlackClient.nextCursor(reply)
        } while cursor != nil
        return nil
    }

    /// Changes an answer; if Slack does not allow that any more, the answer is deleted, because it is wrong.
    private func edit(_ id: String, _ answer: Message, in channel: String) async throws {
        var body = try await content(of: answer)
        (body["channel"], body["ts"]) = (.string(channel), .string(id))
        do {
            try await client.write("chat.update", body)
        } catch let error as ConnectorError where !error.isAboutToken {
            guard case .refused = error else { throw error }
            try await delete(id, in: channel)
        }
    }

    private func delete(_ id: String, in channel: String) async throws {
        try await client.write("chat.delete", ["channel": .string(channel), "ts": .string(id)])
    }

    private func note(_ id: String, of answer: Message, in channel: String) async throws {
        var page = ConnectorPage(source: SlackSettings.source, room: channel)
        page.events = [ConnectorEvent(id: id, kind: .answer, target: answer.key.messageID)]
        try await store.take(page, at: now())
    }

    /// The text with links to the messages that it cites, and the id by which Nexus finds it again.
    private func content(of answer: Message) async throws -> [String: JSONValue] {
        let lines = AnswerLines(answer)
        var links: [MessageKey: String] = [:]
        for source in Set(lines.lines.compactMap(\.source)) { links[source] = try await link(to: source) }
        let styled = lines.styled(Self.style) { line, source in
            guard let end = line.firstIndex(of: "]"), let link = links[source] else { return nil }
            let label = line[line.index(after: end)...].drop { $0 == " " }
            return "\(line[...end]) \(Self.style.link(String(label), link))"
        }
        return [
            "text": .string(styled.joined(separator: "\n")),
            "metadata": .object([
                "event_type": .string(SlackMapping.answerType),
                "event_payload": .object(["id": .string(answer.key.messageID.rawValue)]),
            ]),
        ]
    }

    /// The link to a source that is a message of Slack.
    private func link(to source: MessageKey) async throws -> String? {
        let (prefix, id) = (naming.conversation("").rawValue, source.conversationID.rawValue)
        guard id.hasPrefix(prefix) else { return nil }
        let query = [("channel", String(id.dropFirst(prefix.count))), ("message_ts", source.messageID.rawValue)]
        let reply = try? await client.read("chat.getPermalink", query)
        return MessageLink.usable(reply?.text("permalink"))
    }

    /// The notation of Slack, where escaped text mentions nobody.
    private static let style: MarkdownStyle = {
        @Sendable func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        var style = MarkdownStyle()
        (style.strong, style.emphasized, style.struck) = (("*", "*"), ("_", "_"), ("~", "~"))
        (style.code, style.fence) = (("`", "`"), "```")
        style.escaped = escaped
        style.link = { words, address in
            "<\(escaped(address).replacing("|", with: "%7C"))|\(words.replacing("|", with: "/"))>"
        }
        return style
    }()
}
