public import ChatCore
import Synchronization

/// The presence of all people who are connected to this process: a ``PresenceBoard`` that many tasks share.
public final class LivePresence: Sendable {
    private let board: Mutex<PresenceBoard>
    private let deliver: @Sendable ([Delivery<PresenceFrame>]) -> Void
    /// Signalled when ``PresenceBoard/nextDue`` has become earlier.
    private let dueChanged = WorkSignal()

    /// - Parameters:
    ///   - settings: Times and limits.
    ///   - deliver: Takes the frames in their order. It is called inside the lock, so it must only append to buffers,
    ///     and never call back. If it drops a frame, call ``PresenceBoard/resend(to:at:)`` when there is room again.
    public init(
        settings: PresenceSettings = PresenceSettings(),
        deliver: @escaping @Sendable ([Delivery<PresenceFrame>]) -> Void
    ) {
        board = Mutex(PresenceBoard(settings: settings))
        self.deliver = deliver
    }

    /// Makes one call of the board, and delivers the frames that it returns.
    ///
    /// Take the time of the call just before it, not at the beginning of a long request.
    ///
    /// - Throws: The error of the call.
    public func update<Failure>(
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
    }

    /// The presence of a person at the time of the last call; whether the asker may see it is up to the caller.
    public func presence(of user: UserID) -> Presence {
        board.withLock { $0.presence(of: user) }
    }

    /// Whether somebody is or was connected, or is watched.
    func knows(_ user: UserID) -> Bool {
        board.withLock { $0.places[user] != nil }
    }

    /// When the next lease ends or the next frame is due; nil when nothing is to come.
    public var nextDue: Timestamp? {
        board.withLock { $0.nextDue }
    }

    /// Ends leases and sends frames when they are due, until the task is cancelled; sleeps in between.
    ///
    /// - Parameter now: The wall clock's time.
    public func run(now: @escaping @Sendable () -> Timestamp) async {
        await dueChanged.repeating(failed: { _ in }) {
            let moment = now()
            update { $0.advance(to: moment) }
            return nextDue.map { max(.milliseconds(1), $0 - moment) }
        }
    }
}
