package import ChatCore
import Synchronization

/// Who types in this process: a ``TypingBoard`` that many tasks share.
package final class LiveTyping: Sendable {
    private let board: Mutex<TypingBoard>
    private let deliver: @Sendable ([Delivery<TypingEvent>]) -> Void
    private let nodes: any NodeChannel

    /// - Parameters:
    ///   - settings: Times and limits.
    ///   - nodes: The channel to other nodes.
    ///   - deliver: Takes the events in their order, and may drop any. It is called inside the lock, so it must only
    ///     append to buffers, and never call back.
    package init(
        settings: TypingSettings = TypingSettings(), nodes: any NodeChannel = LocalNodeChannel(),
        deliver: @escaping @Sendable ([Delivery<TypingEvent>]) -> Void
    ) {
        board = Mutex(TypingBoard(settings: settings, tellsNodes: nodes.reachesOthers))
        self.nodes = nodes
        self.deliver = deliver
    }

    /// Makes one call of the board, and delivers the events that it returns.
    package func update(_ change: (inout TypingBoard) -> [Delivery<TypingEvent>]) {
        board.withLock { board in
            let deliveries = change(&board)
            if !deliveries.isEmpty { deliver(deliveries) }
            for event in board.takePassed() {
                if let text = TypingReport(event).text { nodes.send(text, about: .typing) }
            }
        }
    }

    /// Whether a connection of a person shows a conversation.
    package func shows(_ conversation: ConversationID, to user: UserID) -> Bool {
        board.withLock { $0.shows(conversation, to: user) }
    }

    /// Notes that a connection has ended, or shows no conversation.
    package func close(_ connection: ConnectionID) {
        board.withLock { $0.close(connection) }
    }
}
