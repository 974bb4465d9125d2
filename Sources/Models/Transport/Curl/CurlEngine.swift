import CCurl
import Foundation
import Synchronization

/// One libcurl multi handle on its own thread; other code talks to it through an inbox.
///
/// Invariant for `@unchecked Sendable`: only the engine's thread uses `multi` and `exchanges`, between ``start()`` and
/// the end of `run()`. The one exception is `curl_multi_wakeup`, which libcurl allows from any thread; it is called
/// under the inbox's lock while the phase is `open`, and the handle is freed after the phase has become `stopped` under
/// the same lock.
final class CurlEngine: @unchecked Sendable {
    /// A request to the engine's thread.
    enum Command {
        /// Begins an exchange.
        case start(CurlExchange)
        /// Resumes a paused exchange.
        case resume(ResponseChannel)
        /// Removes an exchange whose channel has been finished by its consumer.
        case abort(ResponseChannel)
    }

    private enum Phase { case open, stopping, stopped }

    private struct Inbox {
        var phase = Phase.open
        var commands: [Command] = []
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let multi: UnsafeMutableRawPointer
    private var exchanges: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private let inbox = Mutex(Inbox())

    /// Whether the library could be initialised; done once a process.
    private static let isLibraryReady = nexus_curl_global_init() == CURLE_OK

    /// Makes an engine that is not running yet.
    init(idleConnectionLimit: Int) throws(TransportError) {
        guard Self.isLibraryReady, let multi = curl_multi_init() else {
            throw .other(curlCode: Int(CURLE_FAILED_INIT.rawValue))
        }
        self.multi = multi
        _ = nexus_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, idleConnectionLimit))
    }
}

// MARK: - From any thread

extension CurlEngine {
    /// Starts the thread, which retains the engine until it is stopped.
    ///
    /// Must be called once.
    func start() {
        let thread = Thread { self.run() }
        thread.name = "nexus.transport"
        thread.start()
    }

    /// Hands a command over; after ``stop()`` an exchange to be started ends as cancelled.
    func submit(_ command: Command) {
        let isAccepted = inbox.withLock { inbox in
            guard inbox.phase == .open else { return false }
            inbox.commands.append(command)
            curl_multi_wakeup(multi)
            return true
        }
        if !isAccepted, case .start(let exchange) = command { exchange.channel.finish(.failure(.cancelled)) }
    }

    /// Asks the thread to end; does not wait for it.
    func stop() {
        inbox.withLock { inbox in
            guard inbox.phase == .open else { return }
            inbox.phase = .stopping
            curl_multi_wakeup(multi)
        }
    }

    /// Returns when the thread has closed all connections.
    func waitUntilStopped() async {
        await withCheckedContinuation { continuation in
            let isStopped = inbox.withLock { inbox in
                if inbox.phase != .stopped { inbox.stopWaiters.append(continuation) }
                return inbox.phase == .stopped
            }
            if isStopped { continuation.resume() }
        }
    }
}

// MARK: - On the engine's thread

extension CurlEngine {
    private func run() {
        blockSignals()
        while receiveCommands(), transfer(), wait() {}
        close()
    }

    /// Keeps the process's signals, and SIGPIPE from a TLS connection, away from this thread and from the resolver
    /// threads that libcurl starts here.
    private func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Processes the inbox; returns `false` when the engine must stop.
    private func receiveCommands() -> Bool {
        let (phase, commands) = inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return (inbox.phase, inbox.commands)
        }
        for command in commands {
            switch command {
            case .start(let exchange): add(exchange)
            case .resume(let channel): exchange(of: channel).map(resume)
            case .abort(let channel): exchange(of: channel).map(remove)
            }
        }
        return phase == .open
    }

    /// Transfers bytes, then ends exchanges that are complete or have been idle for too long.
    ///
    /// A failure of the multi handle itself (no memory) stops the engine.
    private func transfer() -> Bool {
        var runningCount: Int32 = 0
        guard curl_multi_perform(multi, &runningCount) == CURLM_OK else { return false }
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = nexus_curl_message_result(message)
            guard let exchange = exchanges[easy] else { continue }
            finish(exchange, exchange.outcome(of: code))
        }
        let now = ContinuousClock.now
        for exchange in exchanges.values where exchange.idleDeadline.map({ $0 <= now }) ?? false {
            finish(exchange, .failure(.timedOut(phase: .idle)))
        }
        return true
    }

    /// Sleeps until there is something to do.
    ///
    /// libcurl shortens the wait by its own timers.
    private func wait() -> Bool {
        let now = ContinuousClock.now
        let next = exchanges.values.compactMap(\.idleDeadline).min()
        let timeout = next.map { now.duration(to: $0).milliseconds } ?? 60_000
        return curl_multi_poll(multi, nil, 0, Int32(min(timeout, 60_000)), nil) == CURLM_OK
    }

    private func add(_ exchange: CurlExchange) {
        guard !exchange.channel.isFinished else { return }
        do throws(TransportError) {
            let easy = try exchange.prepare()
            exchanges[easy] = exchange
            guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
                throw .other(curlCode: Int(CURLE_FAILED_INIT.rawValue))
            }
        } catch {
            finish(exchange, .failure(error))
        }
    }

    private func resume(_ exchange: CurlExchange) {
        if let outcome = exchange.resume() { finish(exchange, outcome) }
    }

    private func finish(_ exchange: CurlExchange, _ outcome: ResponseChannel.Outcome) {
        remove(exchange)
        exchange.channel.finish(outcome)
    }

    /// Takes the exchange from libcurl and frees its handle; a transfer under way loses its connection.
    private func remove(_ exchange: CurlExchange) {
        guard let easy = exchange.easy else { return }
        curl_multi_remove_handle(multi, easy)
        exchange.releaseHandles()
        exchanges[easy] = nil
    }

    private func exchange(of channel: ResponseChannel) -> CurlExchange? {
        exchanges.values.first { $0.channel === channel }
    }

    private func close() {
        for exchange in exchanges.values { finish(exchange, .failure(.cancelled)) }
        let (commands, waiters) = inbox.withLock { inbox in
            inbox.phase = .stopped
            defer { (inbox.commands, inbox.stopWaiters) = ([], []) }
            return (inbox.commands, inbox.stopWaiters)
        }
        curl_multi_cleanup(multi)
        for case .start(let exchange) in commands { exchange.channel.finish(.failure(.cancelled)) }
        for waiter in waiters { waiter.resume() }
    }
}
