import ChatCore
import Glibc
import MessageStore
import Synchronization

/// Follows the change log of a database that other nodes write too, on its own thread and connection.
///
/// It reads the log when another node notifies it of a write, and otherwise twice a second, because notifications may
/// be lost. It sends notifications at most every ten milliseconds and outside of the transactions that write, because
/// PostgreSQL commits the notifying transactions of all its databases one after another.
///
/// The same connection carries the texts of ``NodeChannel`` and the heartbeat of this node. A text is lost if the
/// connection breaks.
final class PostgresFollower: NodeChannel {
    private static let channel = "nexus_changes"
    /// Carries the sender, the topic and the text, with spaces between them.
    private static let nodeChannel = "nexus_nodes"
    /// The most texts that wait.
    private static let outboxLimit = 2_048
    /// The most texts in one request.
    private static let batchLimit = 128
    /// The time between two heartbeats, in milliseconds.
    private static let beatInterval: Int64 = 3_000
    /// A node counts as living for this long after a heartbeat, in microseconds.
    private static let beatLifetime: Int64 = 12_000_000
    /// The heartbeats between two removals of full buckets; a removal reads the whole table.
    private static let beatsPerTidying = 20
    /// The shortest time between two notifications, in milliseconds.
    private static let notifyInterval: Int64 = 10
    /// The longest time until the log is read, in milliseconds.
    private static let pollInterval: Int64 = 500
    /// The shortest and longest time until another connection is tried, in milliseconds.
    private static let retryIntervals: ClosedRange<Int64> = 50...2_000

    private struct State {
        var hasWritten = false
        var outbox: [String] = []
        var listeners: [@Sendable (NodeNews) -> Void] = []
    }

    let node: NodeID
    let reachesOthers = true
    private let connect: @Sendable () throws -> any PostgresLink
    private let lineage: PostgresLineage
    private let clock: DatabaseClock
    private let moved: @Sendable (ChangeCursor) -> Void
    private let waiting: @Sendable () -> Void
    private let thread: ClosableThread
    private let state = Mutex(State())

    /// - Parameters:
    ///   - node: The id of this node; no other one has it, and it has no space.
    ///   - lineage: The server that the node uses.
    ///   - clock: Gets the database's time.
    ///   - connect: Opens a connection; may block.
    ///   - moved: Called with the end of the log each time that it was read.
    ///   - waiting: Called when commits of nodes wait for a standby.
    /// - Throws: ``RepositoryError/unavailable(reason:)``.
    init(
        node: NodeID, of lineage: PostgresLineage, clock: DatabaseClock,
        connect: @escaping @Sendable () throws -> any PostgresLink, moved: @escaping @Sendable (ChangeCursor) -> Void,
        waiting: @escaping @Sendable () -> Void
    ) throws(RepositoryError) {
        (self.node, self.lineage, self.clock, self.connect) = (node, lineage, clock, connect)
        (self.moved, self.waiting) = (moved, waiting)
        thread = try ClosableThread()
    }

    /// Begins to follow.
    func start() { thread.start { self.follow() } }

    /// Lets the other nodes know that this one wrote.
    func announceWrite() {
        let isFirst = state.withLock { state in
            defer { state.hasWritten = true }
            return !state.hasWritten
        }
        if isFirst { thread.alarm.wake() }
    }

    func send(_ text: String, about topic: NodeTopic) {
        guard text.utf8.count <= NodeText.byteLimit, !text.utf8.contains(0) else { return }
        let payload = "\(node.rawValue) \(topic.rawValue) \(text)"
        let isFirst = state.withLock { state in
            state.outbox.append(payload)
            if state.outbox.count > Self.outboxLimit { state.outbox.removeFirst(Self.outboxLimit / 4) }
            return state.outbox.count == 1
        }
        if isFirst { thread.alarm.wake() }
    }

    func listen(_ listener: @escaping @Sendable (NodeNews) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Sends the texts that wait, removes this node's row, and ends the thread and its connection.
    func close() async { await thread.close() }

    private func follow() {
        var link: (any PostgresLink)?
        var pause = Self.retryIntervals.lowerBound
        var notifiedAt: Int64 = -Self.notifyInterval
        var beatAt: Int64?
        var beatCount = 0
        /// When the log was last read; nil if it has to be read now.
        var readAt: Int64?
        while !thread.isClosed {
            do {
                let open = try link ?? listening()
                link = open
                guard lineage.isCurrent(open.origin) else { throw PostgresFailure(code: nil) }
                if beatAt.map({ Self.milliseconds() - $0 >= Self.beatInterval }) ?? true {
                    try beat(open)
                    try tidy(open, isLarge: beatCount % Self.beatsPerTidying == 0)
                    beatCount += 1
                    beatAt = Self.milliseconds()
                }
                var wait = readAt.map { $0 + Self.pollInterval - Self.milliseconds() } ?? 0
                if wait <= 0 {
                    try moved(end(open))
                    readAt = Self.milliseconds()
                    wait = Self.pollInterval
                }
                let rest = notifiedAt + Self.notifyInterval - Self.milliseconds()
                if !hasNews {
                    // Nothing waits.
                } else if rest <= 0 {
                    try notify(open)
                    notifiedAt = Self.milliseconds()
                    if hasNews { wait = min(wait, Self.notifyInterval) }
                } else {
                    wait = min(wait, rest)
                }
                pause = Self.retryIntervals.lowerBound
                let news = try open.waitForNews(wake: thread.alarm.descriptor, milliseconds: wait)
                if news.isWoken { thread.alarm.reset() }
                if news.notifications.contains(where: { $0.channel == Self.channel }) { readAt = nil }
                for notification in news.notifications { take(notification) }
            } catch {
                link?.close()
                (link, readAt) = (nil, nil)
                thread.alarm.wait(milliseconds: pause)
                pause = min(2 * pause, Self.retryIntervals.upperBound)
            }
        }
        lineage.save()
        guard let link else { return }
        try? notify(link)
        _ = try? link.execute(NodeRows.remove, [.text(node.rawValue)], isKept: false)
        link.close()
    }

    private var hasNews: Bool { state.withLock { $0.hasWritten || !$0.outbox.isEmpty } }

    /// Notifies the others of writes, and sends texts; texts that cannot be sent are lost.
    private func notify(_ link: any PostgresLink) throws {
        let (hasWritten, texts) = state.withLock { state in
            let texts = Array(state.outbox.prefix(Self.batchLimit))
            state.outbox.removeFirst(texts.count)
            defer { state.hasWritten = false }
            return (state.hasWritten, texts)
        }
        if hasWritten { try link.run("NOTIFY \(Self.channel)") }
        guard let list = try JSONColumn.text(texts) else { return }
        _ = try link.execute(
            "SELECT pg_notify('\(Self.nodeChannel)', value) FROM jsonb_array_elements_text($1::jsonb)", [.text(list)],
            isKept: true)
    }

    private func take(_ notification: PostgresNews.Notification) {
        guard notification.channel == Self.nodeChannel else { return }
        let parts = notification.payload.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        // A connection that broke may have sent texts of this node.
        guard parts.count == 3, let sender = NodeID(validating: String(parts[0])), sender != node,
            let topic = NodeTopic(rawValue: String(parts[1]))
        else { return }
        tell(.text(NodeText(sender: sender, topic: topic, text: String(parts[2]))))
    }

    /// Stores that this node lives, and reads which other nodes live.
    private func beat(_ link: any PostgresLink) throws {
        let id = SQLValue.text(node.rawValue)
        let start = ContinuousClock.now
        let beaten = try link.execute(NodeRows.beat, [id, .integer(Self.beatLifetime)], isKept: true)
        if case .integer(let time)? = beaten.rows.first?.first {
            clock.learn(Timestamp(microseconds: time), askedAt: start, answeredAt: .now)
        }
        _ = try link.execute(NodeRows.removeDead, [], isKept: true)
        let rows = try link.execute(NodeRows.others, [id], isKept: true).rows
        if try link.execute(NodeRows.waitsForStandby, [], isKept: true).rows == [[.integer(1)]] { waiting() }
        tell(.living(Set(rows.compactMap { if case .text(let id) = $0[0] { NodeID(rawValue: id) } else { nil } })))
    }

    /// Removes expired rows.
    private func tidy(_ link: any PostgresLink, isLarge: Bool) throws {
        for statement in PostgresKeptResponses.tidying { _ = try link.execute(statement, [], isKept: true) }
        if isLarge { _ = try link.execute(PostgresBuckets.tidy, [], isKept: true) }
    }

    private func tell(_ news: NodeNews) {
        for listener in state.withLock({ $0.listeners }) { listener(news) }
    }

    private func listening() throws -> any PostgresLink {
        let link = try lineage.connect(connect)
        do {
            // A lost heartbeat does no harm, so none waits for the disk.
            try link.run("SET synchronous_commit = off; LISTEN \(Self.channel); LISTEN \(Self.nodeChannel)")
            return link
        } catch {
            link.close()
            throw error
        }
    }

    /// Reads the end of the log, and compares it with the memory of this node.
    private func end(_ link: any PostgresLink) throws -> ChangeCursor {
        let found = try lineage.check(link)
        lineage.save()
        return ChangeCursor(
            epoch: link.origin.epoch(ofStored: found.epoch), positions: [ChangeNumber(rawValue: found.end.number)])
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A descriptor that wakes a thread: it can be read after ``wake()``.
final class WakeDescriptor: Sendable {
    /// To be polled.
    let descriptor: Int32
    private let writer: Int32

    /// - Throws: ``RepositoryError/unavailable(reason:)`` if the process has too many open files.
    init() throws(RepositoryError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .unavailable(reason: "too many files are open") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writer) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writer)
    }

    /// One byte is enough: a full pipe can be read, too.
    func wake() { _ = write(writer, "!", 1) }

    /// Makes it silent until the next ``wake()``.
    func reset() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }

    /// Waits until it can be read or the time is over; makes it silent.
    func wait(milliseconds: Int64) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&event, 1, Int32(clamping: milliseconds)) > 0 { reset() }
    }
}
