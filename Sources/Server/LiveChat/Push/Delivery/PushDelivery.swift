package import ChatCore
package import CoreMetrics
package import Logging
import Synchronization
import TextAnalysis

/// Sends people's notifications to their devices.
///
/// It follows the change log. Each device has its own position among the notifications, which is stored after the
/// outcome: a crash in between repeats a notification, which the services collapse, and loses none.
package final class PushDelivery: Sendable {
    /// What happened to a notification, as a label of metrics.
    enum Result: String {
        case delivered, rejected, retried, refused, misconfigured
        case tooLarge = "too_large"
        case givenUp = "given_up"
        /// Read, dismissed, or no longer visible.
        case settled
        /// A device of the person has received it in the feed.
        case acknowledged
        /// The conversation is on the person's screen.
        case open
        case quiet
    }

    private struct News {
        var isUnknown = true
        /// Whether another log replaced the one before, so that numbers mean other notifications.
        var isOtherLog = false
        var users: Set<UserID> = []
        var hasNotifications = false
    }

    /// Notifications read at a time.
    private static let pageSize = 500
    /// After so many numbers the positions of idle devices are stored.
    private static let storingStep: Int64 = 1_000

    private let notifications: any NotificationRepository
    private let devices: any PushDeviceRepository
    private let sender: PushSender
    private let isOpen: @Sendable (ConversationID, UserID) -> Bool
    private let metrics: any MetricsFactory
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let rules: PushRules
    private let schedule: Mutex<PushSchedule>
    private let news = Mutex(News())
    private let storedPosition = Mutex<Int64?>(nil)
    /// The epoch of the log that was heard of last.
    private let epoch = Mutex<Int64?>(nil)
    /// Signalled when there may be something to send.
    private let arrival = WorkSignal()

    /// - Parameters:
    ///   - notifications: The notifications of people.
    ///   - devices: The devices that get them.
    ///   - sender: Sends to the services.
    ///   - isOpen: Whether a person has a conversation on the screen; see ``LivePeople/isShowing(_:to:)``.
    ///   - rules: Times and limits.
    ///   - metrics: Counts notifications by service and result.
    ///   - now: The present time.
    ///   - logger: Receives failures; never ids, texts or tokens.
    package init(
        notifications: any NotificationRepository, devices: any PushDeviceRepository, sender: PushSender,
        isOpen: @escaping @Sendable (ConversationID, UserID) -> Bool, rules: PushRules = PushRules(),
        metrics: any MetricsFactory = NOOPMetricsHandler.instance, now: @escaping @Sendable () -> Timestamp,
        logger: Logger
    ) {
        self.notifications = notifications
        self.devices = devices
        self.sender = sender
        self.isOpen = isOpen
        self.rules = rules
        self.metrics = metrics
        self.now = now
        self.logger = logger
        schedule = Mutex(PushSchedule(rules: rules))
    }

    /// Looks for work if changes of the store may have brought some; see ``ChangeFollower/Listener``.
    package func follow(_ changes: [Change]?, _ end: ChangeCursor? = nil) {
        guard let changes else {
            let isOtherLog = epoch.withLock { epoch in
                defer { epoch = end?.epoch ?? epoch }
                return epoch != nil && end != nil && epoch != end?.epoch
            }
            news.withLock { news in
                news.isUnknown = true
                news.isOtherLog = news.isOtherLog || isOtherLog
            }
            return arrival.signal()
        }
        var found = News(isUnknown: false)
        for change in changes {
            switch change.subject {
            case .personal(let user):
                found.users.insert(user)
                found.hasNotifications = true
            case .message, .items: found.hasNotifications = true
            default: break
            }
        }
        guard found.hasNotifications else { return }
        giveBack(found)
        arrival.signal()
    }

    private func giveBack(_ old: News) {
        news.withLock { news in
            news.isUnknown = news.isUnknown || old.isUnknown
            news.isOtherLog = news.isOtherLog || old.isOtherLog
            news.users.formUnion(old.users)
            news.hasNotifications = news.hasNotifications || old.hasNotifications
        }
    }

    /// Sends until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            await arrival.repeating { error in
                logger.warning("Notifications are not pushed", metadata: ["error.type": "\(type(of: error))"])
            } _: {
                try await refresh()
                for job in takeJobs() {
                    group.addTask {
                        await self.work(on: job)
                        self.arrival.signal()
                    }
                }
                return schedule.withLock { $0.nextDue }.map { max(.milliseconds(1), $0 - now()) }
            }
            group.cancelAll()
        }
        try? await withoutCancellation { [self] in try await storePositions() }
    }

    /// Sends everything that is due now, and waits for it; for tests.
    ///
    /// - Returns: When more is due.
    /// - Throws: ``RepositoryError``.
    package func sendDue() async throws -> Timestamp? {
        while true {
            try await refresh()
            let jobs = takeJobs()
            guard !jobs.isEmpty else { return schedule.withLock { $0.nextDue } }
            await withDiscardingTaskGroup { group in
                for job in jobs { group.addTask { await self.work(on: job) } }
            }
        }
    }

    private func takeJobs() -> [PushSchedule.Job] {
        let moment = now()
        var jobs: [PushSchedule.Job] = []
        var givenUp: [PushService] = []
        schedule.withLock { schedule in
            while let job = schedule.next(at: moment, givenUp: { givenUp.append($0) }) { jobs.append(job) }
        }
        for service in givenUp { count(.givenUp, service) }
        return jobs
    }

    // MARK: - Following

    /// Takes in devices and notifications that are new.
    private func refresh() async throws {
        let found = news.withLock { news in
            defer { news = News(isUnknown: false) }
            return news
        }
        guard found.isUnknown || found.hasNotifications else { return }
        if found.isOtherLog {
            schedule.withLock { $0.startAgain() }
            storedPosition.withLock { $0 = nil }
        }
        do {
            if found.isUnknown || !found.users.isEmpty {
                let users = found.isUnknown ? nil : found.users
                let registrations = try await devices.pushRegistrations(of: users)
                schedule.withLock { $0.load(registrations, of: users) }
            }
            try await readNotifications()
        } catch {
            giveBack(found)
            throw error
        }
    }

    private func readNotifications() async throws {
        while let start = schedule.withLock({ $0.position }) {
            let (page, last) = try await notifications.notifications(after: start, limit: Self.pageSize, at: now())
            guard last > start else { break }
            schedule.withLock { $0.take(page, through: last) }
        }
        let position = schedule.withLock { $0.position }
        guard let position else { return }
        let known = storedPosition.withLock { stored in
            if stored == nil { stored = position }
            return stored ?? position
        }
        if position - known >= Self.storingStep { try await storePositions() }
    }

    /// Stores that everything is done for devices for which nothing waits.
    private func storePositions() async throws {
        let (idle, position) = schedule.withLock { schedule in (schedule.takeIdle(), schedule.position) }
        guard let position else { return }
        try await devices.advancePushDevices(idle, to: position)
        storedPosition.withLock { $0 = position }
    }

    // MARK: - One notification

    private func work(on job: PushSchedule.Job) async {
        let end: PushSchedule.End
        do {
            end = try await result(of: job)
        } catch {
            if !(error is CancellationError) {
                logger.warning(
                    "A notification cannot be pushed", metadata: ["error.type": "\(type(of: error))"])
            }
            end = .unknown
        }
        let moment = now()
        schedule.withLock { $0.finish(job, end, at: moment) }
    }

    private func result(of job: PushSchedule.Job) async throws -> PushSchedule.End {
        let start = now()
        guard let registration = try await devices.pushRegistration(job.device) else { return .ended }
        let number = job.entry.number
        let found = try await notifications.notifications(after: number - 1, limit: 1, at: start).notifications.first
        guard let found, found.number == number, found.userID == job.user else { return skip(job, .settled) }
        let facts = try await devices.pushFacts(of: found.message, for: job.user, at: start)
        // An item or a reminder may be about a message that was received long ago.
        if facts.hasArrived, ![.item, .reminder].contains(found.kind) { return skip(job, .acknowledged) }
        if isOpen(found.message.conversationID, job.user) { return skip(job, .open) }
        if let settings = try await notifications.personalSettings(of: [job.user])[job.user],
            settings.isQuiet(at: start)
        {
            count(.quiet, job.service)
            let progress = job.progress.passed(number)
            // Stored, because a restart in the morning must not send the notifications of the night.
            await store(progress, of: job.device)
            return .passed(progress)
        }
        let outcome = try await sender.send(
            PushNotification(found, unread: facts.unreadCount), to: registration.device)
        return try await end(of: job, outcome, at: registration.device, startedAt: start)
    }

    private func skip(_ job: PushSchedule.Job, _ result: Result) -> PushSchedule.End {
        count(result, job.service)
        return .passed(job.progress.passed(job.entry.number))
    }

    private func end(
        of job: PushSchedule.Job, _ outcome: PushOutcome, at device: PushDevice, startedAt start: Timestamp
    ) async throws -> PushSchedule.End {
        let number = job.entry.number
        switch outcome {
        case .delivered:
            count(.delivered, job.service)
            let progress = job.progress.sent(number)
            await store(progress, of: job.device)
            return .reached(progress)
        case .rejected(let since):
            count(.rejected, job.service)
            let isGone = try await withoutCancellation { [devices] in
                try await devices.endPushDevice(device, goneSince: since)
            }
            if isGone { return .ended }
            let progress = job.progress.passed(number)
            await store(progress, of: job.device)
            return .passed(progress)
        case .retry(let asked): return await fail(job, .retried, asked: asked, startedAt: start)
        case .credentialsRefused:
            logger.error(
                "The push service does not accept the credentials of this server",
                metadata: ["push.service": "\(job.service.rawValue)"])
            return await fail(job, .refused, asked: nil, startedAt: start)
        case .tooLarge, .misconfigured:
            if case .misconfigured(let cause) = outcome { logMisconfiguration(cause, job.service) }
            count(outcome == .tooLarge ? .tooLarge : .misconfigured, job.service)
            let progress = job.progress.passed(number)
            await store(progress, of: job.device)
            return .passed(progress)
        }
    }

    private func fail(
        _ job: PushSchedule.Job, _ result: Result, asked: Duration?, startedAt start: Timestamp
    ) async -> PushSchedule.End {
        let progress = job.progress.failed(
            job.entry.number, asked: asked, rules.backoff, startedAt: start, at: now())
        count(progress.number == job.entry.number ? .givenUp : result, job.service)
        await store(progress, of: job.device)
        return .failed(progress, asked: asked)
    }

    /// Stores the progress of a device; without it, a restart would send the notification again.
    private func store(_ progress: PushProgress, of device: PushDevice.ID) async {
        do {
            try await withoutCancellation { [devices] in try await devices.setPushProgress(progress, of: device) }
        } catch {
            logger.warning(
                "The progress of a device cannot be stored", metadata: ["error.type": "\(type(of: error))"])
        }
    }

    private func logMisconfiguration(_ cause: PushOutcome.Cause, _ service: PushService) {
        let reason =
            switch cause {
            case .notConfigured: "not_configured"
            case .address(let field): "address_\(field)"
            case .endpoint: "endpoint"
            case .refused(let status, let reason): "\(status)" + (reason.map { "_\($0)" } ?? "")
            }
        logger.warning(
            "A notification was given up", metadata: ["push.service": "\(service.rawValue)", "reason": "\(reason)"])
    }

    private func count(_ result: Result, _ service: PushService) {
        Counter(
            label: "nexus_push_notifications_total",
            dimensions: [("service", service.rawValue), ("result", result.rawValue)], factory: metrics
        ).increment()
    }
}

extension PushNotification {
    init(_ notification: PersonalNotification, unread: Int) {
        self.init(
            conversationID: notification.message.conversationID, messageID: notification.message.messageID,
            seq: notification.seq, senderID: notification.senderID, senderName: notification.senderName,
            text: (notification.kind == .reminder ? "⏰ " : "") + MarkdownWords.plain(notification.text),
            unread: unread)
    }
}
