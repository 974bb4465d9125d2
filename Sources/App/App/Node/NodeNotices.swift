import Assistant
import ChatCore
import Foundation
import HTTPAPI

/// Notices to the other nodes that share the store, besides presence and typing.
struct NodeNotices: Sendable {
    /// The most sessions in a text.
    private static let sessionLimit = 20

    let nodes: any NodeChannel

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
    private static func ids<Subject>(_ text: NodeText) -> [Identifier<Subject>] {
        (try? JSONDecoder().decode([Identifier<Subject>].self, from: Data(text.text.utf8))) ?? []
    }

    /// Begins to act on notices from other nodes.
    ///
    /// Presence and typing are handled by ``LivePeople``, which also forgets erased people.
    func listen(_ connections: LiveConnections, _ allowance: TokenAllowance?) {
        nodes.listen { [weak connections, weak allowance] news in
            guard let connections, case .text(let text) = news else { return }
            switch text.topic {
            case .sessions: connections.close(Self.ids(text))
            case .disabled: connections.close(disabled: Self.ids(text))
            case .erasures:
                for user: UserID in Self.ids(text) { allowance?.forget(user) }
                connections.forgetFrames()
            case .presence, .typing, .answers: break
            }
        }
    }

    private func send<Subject>(_ ids: [Identifier<Subject>], about topic: NodeTopic) {
        guard nodes.reachesOthers, let data = try? JSONEncoder().encode(ids) else { return }
        nodes.send(String(decoding: data, as: UTF8.self), about: topic)
    }
}
