package import ChatCore
package import CoreMetrics
package import Logging
import Retrieval
import ServiceLifecycle

/// Asks the questions of schedules at their times, and delivers what is new.
///
/// Each time of a schedule is a row of the store that one node claims. The message and the end of the run are stored
/// together, so a time is delivered once, also if the process is killed. After a time without a server only the last of
/// the missed times of a schedule is asked, unless it is too late.
package struct ScheduleService: Service {
    package typealias Store = ScheduleRepository & ItemRepository & LiveChatRepository & MessageRepository

    private let store: any Store
    private let answering: any QuestionAnswering
    private let settings: ScheduleSettings
    private let supportNote: @Sendable (Answer) -> String?
    private let metrics: any MetricsFactory
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let signal = WorkSignal()

    /// A schedule that another node saved is seen after at most this.
    private static let longestSleep = Duration.seconds(60)
    /// Without an earlier run a digest begins at the time before its first one, or so long before it.
    private static let firstSpan = Duration.seconds(7 * 86_400)

    /// - Parameters:
    ///   - store: Contains the schedules, and what digests are made of.
    ///   - answering: The assistant.
    ///   - settings: Limits.
    ///   - supportNote: Returns the note below an answer about its sentences without support.
    ///   - metrics: Counts the runs.
    ///   - now: The present time.
    ///   - logger: Receives failures; never texts.
    package init(
        store: any Store, answering: any QuestionAnswering, settings: ScheduleSettings,
        supportNote: @escaping @Sendable (Answer) -> String?,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.store = store
        self.answering = answering
        self.settings = settings
        self.supportNote = supportNote
        self.metrics = metrics
        self.now = now
        self.logger = logger
    }

    /// Runs schedules until the service group shuts down; unfinished runs are tried again after the next start.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await signal.repeating(failed: log) {
                try await store.beginSchedules()
                try await withThrowingTaskGroup { group in
                    for _ in 0..<settings.concurrency { group.addTask { try await work() } }
                    try await group.waitForAll()
                }
                return nil
            }
        }
    }

    /// Runs what is due, again and again.
    private func work() async throws {
        while true {
            while try await runNext() {}
            let pause = try await store.nextScheduleDue().map { max(.zero, $0 - now()) } ?? Self.longestSleep
            try await Task.sleep(for: min(Self.longestSleep, pause))
        }
    }

    private func log(_ error: any Error) {
        logger.warning("Schedules are not run", metadata: ["error.type": "\(type(of: error))"])
    }

    /// Runs the schedule that has been due longest.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func runNext() async throws -> Bool {
        let moment = now()
        guard let claim = try await store.claimSchedule(until: moment + settings.lease, at: moment) else {
            return false
        }
        let times = claim.schedule.times
        let due = claim.schedule.next ?? moment
        // After a time without a server the last of the missed times counts.
        let occurrence = max(due, times.last(through: moment) ?? due)
        let run = Run(claim: claim, occurrence: occurrence, next: times.next(after: moment))
        let outcome = try await outcome(of: run)
        Counter(label: "nexus_schedules_total", dimensions: [("outcome", outcome.word)], factory: metrics).increment()
        switch outcome {
        case .delivered, .dropped: break
        case .settled(let result): try await store.settle(claim, run: run.ended(as: result), next: run.next)
        case .again: try await store.retry(claim, at: now() + settings.retryPause * claim.attempts)
        }
        return true
    }

    /// One time of a schedule at work.
    private struct Run {
        let claim: ScheduleClaim
        let occurrence: Timestamp
        let next: Timestamp?

        func ended(as outcome: Schedule.Outcome) -> Schedule.Run {
            Schedule.Run(occurrence: occurrence, outcome: outcome)
        }
    }

    private enum Outcome {
        /// The message was posted, and the run is settled.
        case delivered
        /// The run was replaced, or its schedule was paused.
        case dropped
        case settled(Schedule.Outcome)
        case again

        var word: String {
            switch self {
            case .delivered: Schedule.Outcome.delivered.rawValue
            case .dropped: "dropped"
            case .settled(let outcome): outcome.rawValue
            case .again: "again"
            }
        }
    }

    private func outcome(of run: Run) async throws -> Outcome {
        let claim = run.claim
        guard claim.claimedAt - run.occurrence <= settings.lateLimit else { return .settled(.missed) }
        // If a process is killed while it answers, only a counted attempt remains.
        guard claim.attempts <= settings.attemptLimit else { return .settled(.failed) }
        do {
            guard let delivery = try await delivery(of: run) else { return .settled(.silent) }
            try Task.checkCancellation()
            let posting = try await store.deliver(
                delivery, of: claim, run: run.ended(as: .delivered), next: run.next, at: now())
            switch posting {
            case .delivered: return .delivered
            case .outdated, .paused: return .dropped
            case .basisChanged: return .again
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            logger.warning(
                "A schedule could not be run",
                metadata: ["error.type": "\(type(of: error))", "attempt": "\(claim.attempts)"])
            return claim.attempts < settings.attemptLimit && isPassing(error) ? .again : .settled(.failed)
        }
    }

    /// Whether another attempt may succeed.
    private func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let error as ModelServiceError: error.isTransient
        case is DailyTokensUsedUp: false
        default: true
        }
    }

    /// Returns what a run delivers; nil if there is nothing new.
    private func delivery(of run: Run) async throws -> ScheduleDelivery? {
        let claim = run.claim
        let message = ScheduleMessage(
            schedule: claim.schedule, occurrence: run.occurrence, isDelivered: settings.isDelivered)
        switch claim.schedule.content {
        case .question(let question, let conversation):
            guard let answer = try await answer(question, in: conversation, claim) else { return nil }
            return try message.delivery(
                of: answer, to: question, note: supportNote(answer), askedAt: claim.claimedAt)
        case .digest(let parts):
            return try await digest(parts, run).map(message.delivery(of:))
        }
    }

    /// Returns the answer to a question; nil if there is none, or if it cites the same messages as the last one.
    private func answer(
        _ question: String, in conversation: ConversationID?, _ claim: ScheduleClaim
    ) async throws -> Answer? {
        let schedule = claim.schedule
        var request = ScheduledQuestion(
            question, in: conversation, times: schedule.times, asker: schedule.ownerID
        ).request
        request.askedAt = claim.claimedAt
        // A model that fails may be there again a minute later.
        request.allowsFallback = claim.attempts >= settings.attemptLimit
        let answer = try await answering.wholeAnswer(to: request)
        switch answer.noAnswerReason {
        case .none: return ScheduleMessage.basis(of: answer) == claim.lastBasis ? nil : answer
        case .searchFailed: throw ModelServiceError.unreachable(reason: "the search failed")
        case .belowThreshold, .nothingInScope: return nil
        }
    }

    private func digest(_ parts: Set<Schedule.DigestPart>, _ run: Run) async throws -> Digest? {
        let (schedule, moment) = (run.claim.schedule, run.claim.claimedAt)
        let before = schedule.times.last(through: run.occurrence + .microseconds(-1))
        let writer = DigestWriter(
            store: store, owner: schedule.ownerID, text: DigestText(language: schedule.language),
            timeZone: schedule.times.timeZone,
            ownConversation: try await store.assistantConversation(of: schedule.ownerID))
        return try await writer.digest(
            of: parts, since: schedule.last?.occurrence ?? before ?? moment + (.zero - Self.firstSpan),
            until: run.next ?? moment + Self.firstSpan, at: moment)
    }
}
