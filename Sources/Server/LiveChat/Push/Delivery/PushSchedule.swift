import ChatCore

/// Which device is notified of what, and when: all rules of the order, without a clock or a store.
///
/// A device has one notification in flight, in the order of their numbers. It is due after a delay, and after the
/// pauses of the device and of its host. A later notification of the same conversation that is due too replaces it, as
/// it would at the service.
struct PushSchedule: Sendable {
    /// A notification that waits.
    struct Entry: Hashable, Sendable {
        let number: Int64
        let conversation: ConversationID
        let createdAt: Timestamp
    }

    /// A notification to be sent to a device.
    struct Job: Sendable {
        let device: PushDevice.ID
        let user: UserID
        let service: PushService
        let host: String
        let entry: Entry
        let progress: PushProgress
        fileprivate let round: Int
    }

    /// How a job ended.
    enum End: Sendable {
        /// The host took a request.
        case reached(PushProgress)
        /// The host did not; `asked` is the pause that it asked for.
        case failed(PushProgress, asked: Duration?)
        /// No request was made, or it was not about the host.
        case passed(PushProgress)
        /// The device is gone.
        case ended
        /// The store cannot be used, or the task was cancelled: the same again later.
        case unknown
    }

    private struct Device {
        let user: UserID
        let service: PushService
        let host: String
        let begunAt: Timestamp
        var progress: PushProgress
        /// The last notification that was taken in.
        var lastTaken: Int64
        var waiting: [Entry] = []
        var isBusy = false
        /// Whether it waits for a place at its host.
        var isQueued = false
        /// When it is tried again after an error of the store.
        var retryAt: Timestamp?
    }

    private struct Host {
        var busyCount = 0
        var failureCount = 0
        var pausedUntil: Timestamp?
        /// Devices that are due, and wait for a place.
        var queued: [PushDevice.ID] = []
    }

    /// How long to wait after an error of the store.
    private static let storePause = Duration.seconds(5)

    let rules: PushRules
    private var devices: [PushDevice.ID: Device] = [:]
    private var devicesOfUser: [UserID: Set<PushDevice.ID>] = [:]
    private var hosts: [String: Host] = [:]
    private var due = DueQueue<PushDevice.ID>()
    private var busyCount = 0
    /// How often it started again.
    private var round = 0
    /// The hosts at which devices wait for a place.
    private var crowded: Set<String> = []
    /// All notifications up to this number were taken in, or are done for every device; nil without devices.
    private(set) var position: Int64?

    init(rules: PushRules) {
        self.rules = rules
    }
}

// MARK: - Devices and notifications

extension PushSchedule {
    /// Takes the present devices of people; nil for all people.
    ///
    /// What is known of a device stays: the store is behind.
    mutating func load(_ registrations: [PushRegistration], of users: Set<UserID>?) {
        let present = Set(registrations.map(\.device.id))
        let known = users.map { $0.flatMap { devicesOfUser[$0] ?? [] } } ?? Array(devices.keys)
        for id in known where !present.contains(id) { remove(id) }
        for registration in registrations where devices[registration.device.id] == nil {
            let device = registration.device
            devices[device.id] = Device(
                user: device.userID, service: device.address.service, host: device.address.host,
                begunAt: registration.begunAt, progress: registration.progress,
                lastTaken: registration.progress.number)
            devicesOfUser[device.userID, default: []].insert(device.id)
            position = min(position ?? registration.progress.number, registration.progress.number)
        }
    }

    /// Forgets all devices and notifications; what is on its way has no effect on those that are loaded next.
    mutating func startAgain() {
        for id in Array(devices.keys) { remove(id) }
        round += 1
    }

    private mutating func remove(_ id: PushDevice.ID) {
        guard let device = devices.removeValue(forKey: id) else { return }
        due.remove(id)
        devicesOfUser[device.user]?.remove(id)
        if devicesOfUser[device.user]?.isEmpty == true { devicesOfUser[device.user] = nil }
        if devices.isEmpty { position = nil }
    }

    /// Takes the notifications after ``position`` up to a number.
    mutating func take(_ notifications: [PersonalNotification], through last: Int64) {
        for notification in notifications {
            for id in devicesOfUser[notification.userID] ?? [] { take(notification, for: id) }
        }
        position = position.map { max($0, last) }
    }

    private mutating func take(_ notification: PersonalNotification, for id: PushDevice.ID) {
        guard var device = devices[id], notification.number > device.lastTaken,
            notification.createdAt >= device.begunAt
        else { return }
        device.lastTaken = notification.number
        device.waiting.append(
            Entry(
                number: notification.number, conversation: notification.message.conversationID,
                createdAt: notification.createdAt))
        // The first may be in flight.
        if device.waiting.count > rules.waitingLimit { device.waiting.remove(at: device.isBusy ? 1 : 0) }
        devices[id] = device
        schedule(id)
    }

    /// Returns the devices for which everything up to ``position`` is done, though the store may not know it.
    mutating func takeIdle() -> [PushDevice.ID] {
        guard let position else { return [] }
        let idle = devices.filter {
            !$0.value.isBusy && $0.value.waiting.isEmpty && $0.value.progress.number < position
        }
        for id in idle.keys {
            devices[id]?.progress.number = position
            devices[id]?.lastTaken = position
        }
        return Array(idle.keys)
    }
}

// MARK: - Jobs

extension PushSchedule {
    /// When the next job is due; nil for none, and while no place is free.
    var nextDue: Timestamp? { busyCount < rules.concurrency ? due.next : nil }

    /// Returns the next job that is due; it must be finished.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - givenUp: Called with the service of each notification that is too old.
    /// - Returns: Nil when none is due, or no place is free.
    mutating func next(at now: Timestamp, givenUp: (PushService) -> Void) -> Job? {
        repeat {
            if let job = nextDue(at: now, givenUp) { return job }
        } while busyCount < rules.concurrency && releaseQueued(at: now)
        return nil
    }

    private mutating func nextDue(at now: Timestamp, _ givenUp: (PushService) -> Void) -> Job? {
        while busyCount < rules.concurrency, let id = due.popDue(at: now) {
            guard var device = devices[id], !device.isBusy else { continue }
            dropOutdated(&device, at: now, givenUp)
            devices[id] = device
            guard let entry = device.waiting.first else { continue }
            guard dueTime(of: entry, on: device) <= now else {
                schedule(id)
                continue
            }
            var host = hosts[device.host] ?? Host()
            if let end = host.pausedUntil, end > now {
                due.set(id, due: end)
                continue
            }
            guard host.busyCount < rules.hostConcurrency else {
                host.queued.append(id)
                hosts[device.host] = host
                crowded.insert(device.host)
                devices[id]?.isQueued = true
                continue
            }
            host.busyCount += 1
            hosts[device.host] = host
            busyCount += 1
            devices[id]?.isBusy = true
            return Job(
                device: id, user: device.user, service: device.service, host: device.host, entry: entry,
                progress: device.progress, round: round)
        }
        return nil
    }

    /// Lets a device try again whose host has a free place; returns whether there was one.
    private mutating func releaseQueued(at now: Timestamp) -> Bool {
        for name in crowded {
            guard var host = hosts[name], !host.queued.isEmpty else {
                crowded.remove(name)
                continue
            }
            guard host.busyCount < rules.hostConcurrency else { continue }
            let id = host.queued.removeFirst()
            hosts[name] = host
            if devices[id]?.isQueued == true {
                devices[id]?.isQueued = false
                due.set(id, due: now)
            }
            return true
        }
        return false
    }

    /// Removes entries that a later one replaces, and entries that are too old.
    private func dropOutdated(_ device: inout Device, at now: Timestamp, _ givenUp: (PushService) -> Void) {
        while let first = device.waiting.first {
            let isOld = first.createdAt + rules.backoff.limit <= now
            let isReplaced = device.waiting.dropFirst().contains {
                $0.conversation == first.conversation && $0.createdAt + rules.delay <= now
            }
            guard isOld || isReplaced else { return }
            if isOld { givenUp(device.service) }
            device.waiting.removeFirst()
            device.progress = device.progress.passed(first.number)
        }
    }

    private func dueTime(of entry: Entry, on device: Device) -> Timestamp {
        [entry.createdAt + rules.delay, device.progress.pausedUntil, device.retryAt].compactMap { $0 }.reduce(
            entry.createdAt, max)
    }

    private mutating func schedule(_ id: PushDevice.ID) {
        guard let device = devices[id], !device.isBusy, !device.isQueued, let first = device.waiting.first else {
            return
        }
        due.set(id, due: dueTime(of: first, on: device))
    }

    /// Ends a job.
    mutating func finish(_ job: Job, _ end: End, at now: Timestamp) {
        busyCount -= 1
        leave(job.host, end, at: now)
        guard job.round == round, devices[job.device] != nil else { return }
        devices[job.device]?.isBusy = false
        devices[job.device]?.retryAt = nil
        switch end {
        case .reached(let progress), .failed(let progress, _), .passed(let progress):
            devices[job.device]?.progress = progress
            // A notification that is tried again stays the first.
            if progress.number >= job.entry.number { devices[job.device]?.waiting.removeFirst() }
        case .ended: return remove(job.device)
        case .unknown: devices[job.device]?.retryAt = now + Self.storePause
        }
        schedule(job.device)
    }

    private mutating func leave(_ name: String, _ end: End, at now: Timestamp) {
        guard var host = hosts[name] else { return }
        host.busyCount -= 1
        switch end {
        case .reached:
            host.failureCount = 0
            host.pausedUntil = nil
        case .failed(_, let asked):
            // Requests that were on their way together are one failure.
            let isNews = host.pausedUntil.map { $0 <= now } ?? true
            if isNews { host.failureCount += 1 }
            let pause =
                rules.backoff.pause(afterFailures: max(1, host.failureCount), age: .zero) ?? rules.backoff.longest
            let limit = now + max(pause, asked ?? .zero)
            host.pausedUntil = isNews ? limit : max(host.pausedUntil ?? limit, now + (asked ?? .zero))
        case .passed, .ended, .unknown: break
        }
        let isIdle = host.busyCount == 0 && host.failureCount == 0 && host.queued.isEmpty
        hosts[name] = isIdle ? nil : host
    }
}

extension PushAddress {
    /// The host that the address is at, for pauses.
    var host: String {
        switch self {
        case .web(let url, _, _), .webhook(let url, _, _): EndpointURL(url)?.origin ?? service.rawValue
        case .apns, .fcm: service.rawValue
        }
    }
}
