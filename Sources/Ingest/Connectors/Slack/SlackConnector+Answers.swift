package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization
import TextAnalysis

extension SlackConnector: AnswerSender {
    /// See ``Connector/deliver(_:)``.
    package func deliver(_ answer: Message) async throws -> Bool? {
        try await AnswerDelivery(sender: self).deliver(answer)
    }

    /// Reading threads is limited strictly, so it is done only if a reply was lost, or this process did not exist yet.
    func mayHaveSent(_ answer: Message) -> Bool {
        answer.timestamp < startedAt || !state.withLock { $0.attempted.insert(answer.key.messageID.rawValue) }
    }

    func send(_ answer: Message, to channel: String) async throws -> String {
        var body = try await content(of: answer)
        body["channel"] = .string(channel)
        (body["unfurl_links"], body["unfurl_media"]) = (.bool(false), .bool(false))
        if let root = answer.threadRootID ?? answer.replyToID { body["thread_ts"] = .string(root.rawValue) }
        let reply = try await client.write("chat.postMessage", body)
        guard let sent = reply.text("ts") else { throw ConnectorError.unreadable }
        return sent
    }

    func shownAnswers(of answer: Message, known: [String], in channel: String) async throws -> [ShownAnswer] {
        let identity = try await identity()
        var messages: [JSONFields] = []
        if let root = (answer.threadRootID ?? answer.replyToID)?.rawValue {
            messages = try await thread(root, of: channel)
        } else {
            for id in known {
                let query = [
                    ("channel", channel), ("latest", id), ("oldest", id), ("inclusive", "true"), ("limit", "1"),
                    ("include_all_metadata", "true"),
                ]
                messages += try await client.read("conversations.history", query, patience: .zero).objects("messages")
            }
        }
        return messages.compactMap { fields in
            guard let id = fields.text("ts"), SlackMapping.isOwn(fields, identity),
                known.contains(id) || SlackMapping.answer(of: fields) == answer.key.messageID.rawValue
            else { return nil }
            return ShownAnswer(id: id, version: SlackMapping.version(of: fields))
        }
    }

    private func thread(_ root: String, of channel: String) async throws -> [JSONFields] {
        var (messages, cursor): ([JSONFields], String?) = ([], nil)
        repeat {
            let query = [
                ("channel", channel), ("ts", root), ("limit", "\(settings.pageSize)"), ("include_all_metadata", "true"),
            ]
            do {
                let reply = try await client.read(
                    "conversations.replies", query + (cursor.map { [("cursor", $0)] } ?? []), patience: .zero)
                messages += reply.objects("messages")
                let next = SlackClient.nextCursor(reply)
                // A cursor that comes again would never end.
                cursor = next == cursor ? nil : next
            } catch ConnectorError.refused(_, "thread_not_found") {
                return messages
            }
        } while cursor != nil
        return messages
    }

    /// Deletes a message; if Slack does not allow that, as with compliance exports, the message loses its text.
    func remove(_ id: String, in channel: String) async throws {
        let place: [String: JSONValue] = ["channel": .string(channel), "ts": .string(id)]
        do {
            try await client.write("chat.delete", place)
        } catch let error as ConnectorError where !error.isAboutToken && !error.isAboutAbsence {
            guard case .refused(_, let code) = error, code != "missing_scope" else { throw error }
            let text = JSONValue.string(AnswerDelivery<SlackConnector>.removedText)
            try await client.write("chat.update", place.merging(["text": text]) { $1 })
        }
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
        var payload: [String: JSONValue] = ["id": .string(answer.key.messageID.rawValue)]
        if answer.version != 0 { payload["version"] = .string("\(answer.version)") }
        return [
            "text": .string(styled.joined(separator: "\n")),
            "metadata": .object([
                "event_type": .string(SlackMapping.answerType), "event_payload": .object(payload),
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
