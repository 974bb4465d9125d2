import ChatCore
import Glibc
import Synchronization

/// Follows the change log of a database that other nodes write too, on a thread and a connection of its own.
///
/// The log is read when another node says that it wrote, and otherwise twice a second: notifications are hints, and may be
/// lost. They are sent here, at most every ten milliseconds and outside of the transactions that write, because
/// PostgreSQL lets the notifying transactions of all its databases commit one after another.
final class PostgresFollower: Sendable {
    private static let channel = "nexus_changes"
    /// The shortest time between two notifications, in milliseconds.
    private static let notifyInterval: Int64 = 10
    /// The longest time until the log is read, in milliseconds.
    private static let pollInterval: Int64 = 500
    /// The shortest and longest time until another connection is tried, in milliseconds.
    private static let retryIntervals: ClosedRange<Int64> = 50...2_000

    private struct State {
        var hasWritten = false
        var isClosed = false
        var closing: CheckedContinuation<Void, Never>?
        var hasEnded = false
    }

    private let connect: @Sendable () throws -> any PostgresLink
    private let moved: @Sendable (ChangeCursor) -> Void
    private let alarm: WakeDescriptor
    private let state = Mutex(State())

    /// - Parameters:
    ///   - connect: Opens a connection; may block.
    ///   - moved: Called with the end of the log each time that it was read.
    /// - Throws: ``RepositoryError/unavailable(reason:)``.
    init(
        connect: @escaping @Sendable () throws -> any PostgresLink, moved: @escaping @Sendable (ChangeCursor) -> Void
    ) throws(RepositoryError) {
        (self.connect, self.moved) = (connect, moved)
        alarm = try WakeDescriptor()
    }

    /// Begins to follow.
    func start() {
        Task { [self] in
            await onOwnThread { self.follow() }
            let closing = state.withLock { state in
                state.hasEnded = true
                return state.closing
            }
            closing?.resume()
        }
    }

    /// Lets the other nodes know that this one wrote.
    func noteWrite() {
        let isFirst = state.withLock { state in
            defer { state.hasWritten = true }
            return !state.hasWritten
        }
        if isFirst { alarm.wake() }
    }

    /// Ends the thread and its connection.
    func close() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isClosed = true
                if !state.hasEnded { state.closing = continuation }
                return state.hasEnded
            }
            alarm.wake()
            if hasEnded { continuation.resume() }
        }
    }

    private func follow() {
        var link: (any PostgresLink)?
        var pause = Self.retryIntervals.lowerBound
        var notifiedAt: Int64 = -Self.notifyInterval
        while !state.withLock({ $0.isClosed }) {
            do {
                let open = try link ?? listening()
                link = open
                var wait = Self.pollInterval
                if state.withLock({ $0.hasWritten }) {
                    let rest = notifiedAt + Self.notifyInterval - Self.milliseconds()
                    if rest <= 0 {
                        state.withLock { $0.hasWritten = false }
                        try open.run("NOTIFY \(Self.channel)")
                        notifiedAt = Self.milliseconds()
                    } else {
                        wait = rest
                    }
                }
                try moved(Self.end(open))
                pause = Self.retryIntervals.lowerBound
                if try open.waitForNews(wake: alarm.descriptor, milliseconds: wait) { alarm.reset() }
            } catch {
                link?.close()
                link = nil
                alarm.wait(milliseconds: pause)
                pause = min(2 * pause, Self.retryIntervals.upperBound)
            }
        }
        link?.close()
    }

    private func listening() throws -> any PostgresLink {
        let link = try connect()
        do {
            try link.run("LISTEN \(Self.channel)")
            return link
        } catch {
            link.close()
            throw error
        }
    }

    private static func end(_ link: any PostgresLink) throws -> ChangeCursor {
        let sql = "SELECT l.epoch, c.head FROM change_log l, change_lanes c WHERE c.lane = 0"
        let rows = try link.execute(sql, [], isKept: true).rows
        guard let row = rows.first, case .integer(let epoch) = row[0], case .integer(let head) = row[1] else {
            throw PostgresFailure(code: nil)
        }
        return ChangeCursor(epoch: epoch, positions: [ChangeNumber(rawValue: head)])
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A descriptor that can be read once somebody wants the attention of a thread.
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
