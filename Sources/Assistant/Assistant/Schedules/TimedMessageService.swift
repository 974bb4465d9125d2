package import ChatCore
package import CoreMetrics
package import Logging
import Retrieval
import ServiceLifecycle

/// Sends messages at the times that their authors set, and reminds people of messages.
///
/// Nothing lies between the decision and its result: the store posts a message, or notifies a person, in the transaction
/// that ends its time. So there is no claim that a killed process could leave behind, and two nodes that both believe to
/// lead do everything once. What was due while no server ran follows at the start: reminders always, messages unless
/// they are too late.
package struct TimedMessageService: Service {
    package typealias Store = ScheduledMessageRepository & SavedMessageRepository

    /// Reminders that end in one transaction.
    private static let reminderBatch = 100

    private let store: any Store
    private let lateLimit: Duration
    private let metrics: any MetricsFactory
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    /// Signalled when somebody's times may have changed.
    private let arrival = WorkSignal()

    /// - Parameters:
    ///   - store: Contains the scheduled messages and the reminders.
    ///   - lateLimit: A message that was due longer ago is not sent.
    ///   - metrics: Counts what became of messages.
    ///   - now: The present time.
    ///   - logger: Receives failures; never texts.
    package init(
        store: any Store, lateLimit: Duration, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.lateLimit = lateLimit
        self.metrics = metrics
        self.now = now
        self.logger = logger
    }

    /// Looks at the times again if changes of the store may have brought others; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?) {
        if Self.concerns(changes) { arrival.signal() }
    }

    /// Whether changes may have brought other times; nil for unknown changes.
    package static func concerns(_ changes: [Change]?) -> Bool {
        guard let changes else { return true }
        return changes.contains { change in
            if case .personal = change.subject { true } else { false }
        }
    }

    /// Does everything at its time until the service group shuts down.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await arrival.repeating { error in
                logger.warning(
                    "Messages are not sent at their times", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await doDue()
            }
        }
    }

    /// Does everything that is due.
    ///
    /// - Returns: How long it is to the next time; nil if there is none.
    /// - Throws: ``RepositoryError``.
    package func doDue() async throws -> Duration? {
        while let result = try await store.sendNextScheduled(lateLimit: lateLimit, at: now()) {
            Counter(label: "nexus_scheduled_messages_total", dimensions: [("outcome", result.word)], factory: metrics)
                .increment()
        }
        while try await store.remindDue(limit: Self.reminderBatch, at: now()) == Self.reminderBatch {}
        let times = [try await store.nextScheduledMessage(), try await store.nextReminder()].compactMap(\.self)
        return times.min().map { max(.zero, $0 - now()) }
    }
}

extension ScheduledSending {
    fileprivate var word: String {
        switch self {
        case .sent: "sent"
        case .refused(let refusal): refusal.rawValue
        case .outdated: "outdated"
        }
    }
}
