package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization

extension MattermostConnector {
    /// Sends an answer of the assistant to the channel in which it was asked, or the change or deletion of one.
    ///
    /// - Parameter answer: The present answer; a deleted one has no content.
    /// - Returns: Whether it is done; nil if its conversation is not a channel of Mattermost.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func deliver(_ answer: Message) async throws -> Bool? {
        guard let room = try await rooms.room(of: answer.key.conversationID) else { return nil }
        guard try await rooms.isActive() else { return false }
        guard !MattermostProgress(room.progress).hasLeft, !room.isErased else { return true }
        do {
            let sent = try await store.connectorEvent(
                of: answer.key.messageID, in: room.id, of: MattermostSettings.source)
            if answer.deletedAt != nil {
                if let sent { try await client.call("DELETE", ["posts", sent.id]) }
            } else if let sent {
                if answer.editedAt != nil { try await edit(sent.id, answer) }
            } else {
                try await send(answer, to: room.id)
            }
            return true
        } catch let error as ConnectorError {
            logger.warning("An answer is not sent", metadata: ["error": "\(error)"])
            // A refusal is final.
            if case .refused = error, !error.isAboutToken { return true }
            return false
        }
    }

    private func send(_ answer: Message, to channel: String) async throws {
        let identity = try await identity()
        let root = (answer.threadRootID ?? answer.replyToID)?.rawValue
        let id = answer.key.messageID.rawValue
        // An earlier attempt may have reached the server, although its reply was lost.
        if let root, let sent = try await find(id, inThread: root, by: identity.userID) {
            return try await note(sent, of: answer, in: channel)
        }
        var post: [String: JSONValue] = [
            "channel_id": .string(channel), "message": .string(text(of: answer, identity)),
            // The server makes one post of requests that it gets shortly after each other.
            "pending_post_id": .string("\(identity.userID):\(id)"),
            "props": .object([MattermostMapping.answerKey: .string(id)]),
        ]
        if let root { post["root_id"] = .string(root) }
        let reply = try await client.call("POST", ["posts"], query: [("set_online", "false")], body: .object(post))
        guard let sent = reply.text("id") else { throw ConnectorError.unreadable }
        try await note(sent, of: answer, in: channel)
    }

    private func find(_ answer: String, inThread root: String, by bot: String) async throws -> String? {
        let thread = try await client.call("GET", ["posts", root, "thread"])
        return try MattermostPosts(thread).posts.first { $0.author == bot && $0.answer == answer }?.id
    }

    /// Changes an answer; if the server does not allow that any more, the answer is deleted, because it is wrong.
    private func edit(_ post: String, _ answer: Message) async throws {
        let identity = try await identity()
        do {
            try await client.call(
                "PUT", ["posts", post, "patch"], body: .object(["message": .string(text(of: answer, identity))]))
        } catch let error as ConnectorError where !error.isAboutToken {
            guard case .refused = error else { throw error }
            try await client.call("DELETE", ["posts", post])
        }
    }

    private func note(_ post: String, of answer: Message, in channel: String) async throws {
        var page = ConnectorPage(source: MattermostSettings.source, room: channel)
        page.events = [ConnectorEvent(id: post, kind: .answer, target: answer.key.messageID)]
        try await store.take(page, at: now())
    }

    /// The text with links to the posts that it cites, which notifies nobody by name.
    private func text(of answer: Message, _ identity: MattermostIdentity) -> String {
        AnswerLines(answer).lines.map { line in
            let text = Self.withoutMentions(line.text)
            guard let link = line.source.flatMap({ self.link(to: $0, identity) }),
                let end = text.firstIndex(of: "]")
            else { return text }
            let label = String(text[text.index(after: end)...]).trimmingWhitespace()
            let escaped = String(label).replacing("[", with: "\\[").replacing("]", with: "\\]")
            return "\(text[...end]) [\(escaped)](\(link))"
        }.joined(separator: "\n")
    }

    /// The link to a source that is a post of Mattermost.
    private func link(to source: MessageKey, _ identity: MattermostIdentity) -> String? {
        let (prefix, id) = (naming.conversation("").rawValue, source.conversationID.rawValue)
        guard id.hasPrefix(prefix) else { return nil }
        let channel = String(id.dropFirst(prefix.count))
        let team = state.withLock { state in
            state.channels[channel]?.team.flatMap { state.teams[$0] }
        }
        return identity.link(to: source.messageID.rawValue, team: team)
    }

    /// Puts an invisible character after each `@`, so that quoted mentions are none.
    private static func withoutMentions(_ text: Substring) -> String { String(text).replacing("@", with: "@\u{200B}") }
}
