package import ChatCore
import Synchronization

/// The presence of all people who are connected to this process: a ``PresenceBoard`` that many tasks share.
package final class LivePresence: Sendable {
    private let board: Mutex<PresenceBoard>
    private let deliver: @Sendable ([Delivery<PresenceFrame>]) -> Void
    private let nodes: any NodeChannel
    /// Held while reports are sent, so that they keep their order.
    private let sending = Mutex(())
    /// Signalled when ``PresenceBoard/nextDue`` has become earlier.
    private let dueChanged = WorkSignal()

    /// - Parameters:
    ///   - settings: Times and limits.
    ///   - nodes: The channel to other nodes.
    ///   - deliver: Takes the frames in their order. It is called inside the lock, so it must only append to buffers,
    ///     and never call back. If it drops a frame, call ``PresenceBoard/resend(to:at:)`` when there is room again.
    package init(
        settings: PresenceSettings = PresenceSettings(), nodes: any NodeChannel = LocalNodeChannel(),
        deliver: @escaping @Sendable ([Delivery<PresenceFrame>]) -> Void
    ) {
        board = Mutex(PresenceBoard(settings: settings, node: nodes.reachesOthers ? nodes.node : nil))
        self.nodes = nodes
        self.deliver = deliver
    }

    /// Makes one call of the board, and delivers the frames that it returns.
    ///
    /// Take the time of the call just before it, not at the beginning of a long request.
    ///
    /// - Throws: The error of the call.
    package func update<Failure>(
        _ change: (inout PresenceBoard) throws(Failure) -> [Delivery<PresenceFrame>]
    ) throws(Failure) {
        let isEarlier = try board.withLock { board throws(Failure) in
            let known = board.nextDue
            let deliveries = try change(&board)
            if !deliveries.isEmpty { deliver(deliveries) }
            guard let due = board.nextDue else { return false }
            return known.map { due < $0 } ?? true
        }
        if isEarlier { dueChanged.signal() }
        if nodes.reachesOthers { sendReports() }
    }

    /// Sends the reports that are waiting; they are encoded outside of the board's lock.
    private func sendReports() {
        sending.withLock { _ in
            for report in board.withLock({ $0.takeReports() }) {
                if let text = report.text { nodes.send(text, about: .presence) }
            }
        }
    }

    /// Takes a report of another node; returns the people whose connections end because they were erased.
    func take(_ report: PresenceReport, of node: NodeID, at moment: Timestamp) -> [UserID] {
        var ended: [UserID] = []
        update { board in
            let (deliveries, forgotten) = board.take(report, of: node, at: moment)
            ended = forgotten
            return deliveries
        }
        return ended
    }

    /// The presence of a person at the time of the last call; whether the asker may see it is up to the caller.
    package func presence(of user: UserID) -> Presence {
        board.withLock { $0.presence(of: user) }
    }

    /// Whether somebody is connected here, or is watched from here.
    func concerns(_ user: UserID) -> Bool { board.withLock { $0.concerns(user) } }

    /// Whether somebody is connected to another node.
    func isElsewhere(_ user: UserID) -> Bool { board.withLock { $0.isElsewhere(user) } }

    /// When the next lease ends or the next frame is due; nil when nothing is to come.
    package var nextDue: Timestamp? {
        board.withLock { $0.nextDue }
    }

    /// Ends leases and sends frames when they are due, until the task is cancelled; sleeps in between.
    ///
    /// - Parameter now: The wall clock's time.
    package func run(now: @escaping @Sendable () -> Timestamp) async {
        await dueChanged.repeating(failed: { _ in }) {
            let moment = now()
            update { $0.advance(to: moment) }
            return nextDue.map { max(.milliseconds(1), $0 - moment) }
        }
    }
}
