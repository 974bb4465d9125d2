import Assistant
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import MessageStore

/// Notices to the other nodes that share the store, besides presence and typing.
struct NodeNotices: Sendable {
    /// The most sessions in a text.
    private static let sessionLimit = 20

    /// Nil if there are no other nodes.
    let nodes: (any NodeChannel)?

    /// Reports sessions that ended.
    func tell(ended sessions: [AccountSession.ID]) {
        for start in stride(from: 0, to: sessions.count, by: Self.sessionLimit) {
            send(Array(sessions[start..<min(start + Self.sessionLimit, sessions.count)]), about: .sessions)
        }
    }

    /// Reports a person whose account was disabled.
    func tell(disabled user: UserID) { send([user], about: .disabled) }

    /// Reports a person who is being erased.
    func tell(erased user: UserID) { send([user], about: .erasures) }

    /// Reads sessions or people; empty if they cannot be read.
    static func ids<Subject>(_ text: NodeText) -> [Identifier<Subject>] {
        (try? JSONDecoder().decode([Identifier<Subject>].self, from: Data(text.text.utf8))) ?? []
    }

    private func send<Subject>(_ ids: [Identifier<Subject>], about topic: NodeTopic) {
        guard let nodes, let data = try? JSONEncoder().encode(ids) else { return }
        nodes.send(String(decoding: data, as: UTF8.self), about: topic)
    }
}

extension Workspace {
    /// Begins to act on notices from other nodes.
    ///
    /// Presence and typing are handled by ``LivePeople``, which also forgets erased people.
    func listenToNodes() {
        store.nodes?.listen { [weak self] news in
            guard let self, case .text(let text) = news else { return }
            switch text.topic {
            case .sessions: liveConnections.close(NodeNotices.ids(text))
            case .disabled: liveConnections.close(disabled: NodeNotices.ids(text))
            case .erasures:
                for user: UserID in NodeNotices.ids(text) { assistant.allowance?.forget(user) }
                liveConnections.forgetFrames()
            case .presence, .typing, .answers: break
            }
        }
    }

    /// Forgets texts of messages that another node erased; a listener of the change log.
    func noteErased(_ changes: [Change]?) {
        if changes?.contains(where: { $0.erasedMessage != nil }) ?? true { liveConnections.forgetFrames() }
    }
}
