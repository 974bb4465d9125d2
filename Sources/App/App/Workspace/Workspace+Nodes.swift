import Assistant
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import MessageStore

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
