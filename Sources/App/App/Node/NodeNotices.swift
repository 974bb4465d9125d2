import ChatCore
import Foundation

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
