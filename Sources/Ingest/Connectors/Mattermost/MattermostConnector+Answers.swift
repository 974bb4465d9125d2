package import ChatCore
import Foundation
import Histories
import Logging
import Synchronization

extension MattermostConnector: AnswerSender {
    /// See ``Connector/deliver(_:)``.
    package func deliver(_ answer: Message) async throws -> Bool? {
        try await AnswerDelivery(sender: self).deliver(answer)
    }

    /// The server forgets the numbers of requests after some minutes.
    func mayHaveSent(_ answer: Message) -> Bool { true }

    func send(_ answer: Message, to channel: String) async throws -> String {
        let identity = try await identity()
        let id = answer.key.messageID.rawValue
        var properties: [String: JSONValue] = [MattermostMapping.answerKey: .string(id)]
        if answer.version != 0 { properties[MattermostMapping.versionKey] = .string("\(answer.version)") }
        var post: [String: JSONValue] = [
            "channel_id": .string(channel), "message": .string(text(of: answer, identity)),
            // The server makes one post of requests that it gets shortly after each other.
            "pending_post_id": .string("\(identity.userID):\(id)" + (answer.version == 0 ? "" : "-\(answer.version)")),
            "props": .object(properties),
        ]
        if let root = answer.threadRootID ?? answer.replyToID { post["root_id"] = .string(root.rawValue) }
        let reply = try await client.call("POST", ["posts"], query: [("set_online", "false")], body: .object(post))
        guard let sent = reply.text("id") else { throw ConnectorError.unreadable }
        return sent
    }

    func shownAnswers(of answer: Message, known: [String], in channel: String) async throws -> [ShownAnswer] {
        let bot = try await identity().userID
        var posts: [MattermostPost] = []
        if let root = (answer.threadRootID ?? answer.replyToID)?.rawValue {
            posts =
                try await ifThere {
                    try MattermostPosts(try await client.call("GET", ["posts", root, "thread"])).posts
                } ?? []
        } else {
            for id in known {
                let post = try await ifThere { MattermostPost(try await client.call("GET", ["posts", id])) }
                posts += [post.flatMap(\.self)].compactMap(\.self)
            }
        }
        return posts.filter { post in
            let shows = post.answer == answer.key.messageID.rawValue || known.contains(post.id)
            return post.author == bot && !post.isDeleted && shows
        }.map { ShownAnswer(id: $0.id, version: $0.version) }
    }

    /// Deletes a post; if the server does not allow that, the post loses its text.
    func remove(_ id: String, in channel: String) async throws {
        do {
            try await client.call("DELETE", ["posts", id])
        } catch let error as ConnectorError where !error.isAboutToken {
            guard case .refused = error else { throw error }
            // The server says the same of a post that was deleted.
            guard try await ifThere({ try await client.call("GET", ["posts", id]) }) != nil else { return }
            try await client.call(
                "PUT", ["posts", id, "patch"], body: .object(["message": .string(AnswerDelivery<Self>.removedText)]))
        }
    }

    private func ifThere<Value>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch let error as ConnectorError where error.isAboutAbsence {
            return nil
        }
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
