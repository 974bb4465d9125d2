package import ChatCore
import NIOCore
import Synchronization

/// One open socket, as the application sees it.
///
/// All functions may be called from any task. The connection's event loop writes what was sent, in the order of the
/// calls; messages that are sent at about the same time share one write.
package final class SocketSession: Sendable {
    private typealias Senders = [Int: CheckedContinuation<Void, Never>]

    private struct State {
        /// Received and not read yet.
        var received = CircularBuffer<String>(initialCapacity: 1)
        var receivedByteCount = 0
        var reader: CheckedContinuation<String?, Never>?
        /// Signalled when there is something for a task that does not wait in ``next()``.
        var signal: WorkSignal?
        var tickCount = 0
        /// Whether the connection reads nothing more until the application has read.
        var isPaused = false
        /// Sent, and not taken by the event loop yet.
        var unwritten: [ByteBuffer] = []
        /// Of all frames that the system has not taken yet.
        var waitingByteCount = 0
        var isWriteScheduled = false
        var nextSender = 0
        var senders: Senders = [:]
        var closing: SocketClosing?
        var isClosed = false
    }

    /// The subprotocol that was agreed on.
    package let subprotocol: String
    private let settings: SocketSettings
    private let eventLoop: any EventLoop
    private let handler: NIOLoopBound<SocketHandler>
    private let state = Mutex(State())

    init(subprotocol: String, settings: SocketSettings, handler: SocketHandler, eventLoop: any EventLoop) {
        self.subprotocol = subprotocol
        self.settings = settings
        self.eventLoop = eventLoop
        self.handler = NIOLoopBound(handler, eventLoop: eventLoop)
    }

    /// The text messages of the client in their order; ends when the socket is closed by either side.
    ///
    /// A client that sends faster than they are read is held up. Only one task may read at a time.
    package var incoming: SocketMessages { SocketMessages(session: self) }

    /// How many bytes of sent messages the system has not taken yet.
    package var waitingByteCount: Int { state.withLock { $0.waitingByteCount } }

    /// Whether messages can still be sent.
    package var isOpen: Bool { state.withLock { !$0.isClosed && $0.closing == nil } }

    /// Why the socket is closed; nil while it is open, and if the connection broke off.
    package var closeCode: SocketCloseCode? { state.withLock { $0.closing?.code } }

    /// Whether the client closed the socket, with or without a code; false if the connection broke off.
    package var isClosedByClient: Bool { state.withLock { $0.closing?.isByClient ?? false } }

    /// Sends a text message; see ``send(_:)-(SocketMessage)``.
    package func send(_ text: String) async throws { try await send(SocketMessage(text)) }

    /// Sends a message, and first waits while too many bytes wait for the client.
    ///
    /// - Throws: ``SocketClosedError``, or `CancellationError` if the task was cancelled while it waited.
    package func send(_ message: SocketMessage) async throws {
        while !offer(message) {
            try Task.checkCancellation()
            guard isOpen else { throw SocketClosedError() }
            await waitForRoom(of: message.byteCount)
        }
    }

    /// Sends a message unless too many bytes wait for the client; never waits.
    ///
    /// - Returns: Whether the message was taken: false if the socket is closed, or if it would make more than
    ///   ``SocketSettings/waitingByteLimit`` bytes wait. If nothing waits, any message is taken.
    package func offer(_ message: SocketMessage) -> Bool {
        let (isTaken, isFirst) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed, state.closing == nil, hasRoom(state, for: message.byteCount) else {
                return (false, false)
            }
            state.unwritten.append(message.frame)
            state.waitingByteCount += message.byteCount
            return (true, scheduleWrite(&state))
        }
        if isFirst { write() }
        return isTaken
    }

    /// Closes the socket after all messages that were sent before; does nothing if it is being closed.
    ///
    /// - Precondition: The code may be sent (``SocketCloseCode/isSendable``). A reason over 123 bytes is cut.
    package func close(_ code: SocketCloseCode, reason: String = "") {
        precondition(code.isSendable, "this code says how a socket ended without a close frame")
        let isFirst = state.withLock { state in
            guard !state.isClosed, state.closing == nil else { return false }
            state.closing = SocketClosing(code: code, reason: reason)
            return scheduleWrite(&state)
        }
        if isFirst { write() }
    }

    private func hasRoom(_ state: State, for byteCount: Int) -> Bool {
        state.waitingByteCount == 0 || state.waitingByteCount + byteCount <= settings.waitingByteLimit
    }

    /// Returns whether the caller must start the write.
    private func scheduleWrite(_ state: inout State) -> Bool {
        defer { state.isWriteScheduled = true }
        return !state.isWriteScheduled
    }

    private func write() {
        eventLoop.execute { [handler] in handler.value.writeOutgoing() }
    }

    private func waitForRoom(of byteCount: Int) async {
        let number = state.withLock { state in
            state.nextSender += 1
            return state.nextSender
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    let waits = !state.isClosed && state.closing == nil && !hasRoom(state, for: byteCount)
                    guard waits, !Task.isCancelled else { return false }
                    state.senders[number] = continuation
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.senders.removeValue(forKey: number) }?.resume()
        }
    }
}

/// Why one side closes a socket.
struct SocketClosing: Sendable {
    /// Nil if the peer gave none.
    let code: SocketCloseCode?
    let reason: String
    /// Whether the client began.
    var isByClient = false
}

/// What the application reads.
extension SocketSession {
    /// Returns the next message; nil if the socket is closed or the task is cancelled.
    func next() async -> String? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
                var text: String?
                let (isWaiting, resumes) = state.withLock { state -> (Bool, Bool) in
                    precondition(state.reader == nil, "only one task may read a socket")
                    text = state.received.popFirst()
                    if text == nil, !state.isClosed, !Task.isCancelled {
                        state.reader = continuation
                        return (true, false)
                    }
                    state.receivedByteCount -= text?.utf8.count ?? 0
                    let resumes = state.isPaused && state.received.isEmpty
                    if resumes { state.isPaused = false }
                    return (false, resumes)
                }
                if resumes { eventLoop.execute { [handler] in handler.value.resumeReading() } }
                if !isWaiting { continuation.resume(returning: text) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }
}

/// What a task reads that waits for more than messages.
extension SocketSession {
    /// Signals `signal` after each message, each tick and at the end; then nobody reads ``incoming``.
    package func wake(_ signal: WorkSignal) { state.withLock { $0.signal = signal } }

    /// How often the interval between two pings has passed.
    package var tickCount: Int { state.withLock { $0.tickCount } }

    /// Returns the next message without waiting.
    package func takeMessage() -> String? {
        let (text, resumes) = state.withLock { state -> (String?, Bool) in
            guard let text = state.received.popFirst() else { return (nil, false) }
            state.receivedByteCount -= text.utf8.count
            let resumes = state.isPaused && state.received.isEmpty
            if resumes { state.isPaused = false }
            return (text, resumes)
        }
        if resumes { eventLoop.execute { [handler] in handler.value.resumeReading() } }
        return text
    }
}

/// What the event loop does.
extension SocketSession {
    /// Notes that the interval between two pings has passed.
    func tick() {
        let signal = state.withLock { state in
            state.tickCount += 1
            return state.signal
        }
        signal?.signal()
    }

    /// Hands a message to the application; returns whether the application has enough to read for now.
    func receive(_ text: String) -> Bool {
        let (reader, isPaused, signal) = state.withLock {
            state -> (CheckedContinuation<String?, Never>?, Bool, WorkSignal?) in
            if let reader = state.reader.take() { return (reader, false, nil) }
            state.received.append(text)
            state.receivedByteCount += text.utf8.count
            // Bytes alone would let empty messages pile up.
            let isEnough = state.receivedByteCount >= settings.messageByteLimit || state.received.count >= 64
            // Only the application ends a pause: messages of the same read still arrive after it began.
            if isEnough { state.isPaused = true }
            return (nil, state.isPaused, state.signal)
        }
        reader?.resume(returning: text)
        signal?.signal()
        return isPaused
    }

    /// Returns the frames to write now, and the reason to close after them.
    func takeOutgoing() -> (frames: [ByteBuffer], closing: SocketClosing?) {
        state.withLock { state in
            state.isWriteScheduled = false
            defer { state.unwritten = [] }
            return (state.unwritten, state.isClosed ? nil : state.closing)
        }
    }

    /// Notes that the system took bytes, or never will.
    func countWritten(_ byteCount: Int) {
        let senders = state.withLock { state in
            state.waitingByteCount -= byteCount
            guard state.waitingByteCount <= settings.waitingByteLimit / 2 else { return Senders() }
            defer { state.senders = [:] }
            return state.senders
        }
        // They compete for the room; those who find none wait again.
        for number in senders.keys.sorted() { senders[number]?.resume() }
    }

    /// Ends the session, unless it has ended; `closing` is nil if the connection broke off.
    func end(_ closing: SocketClosing?) {
        let (reader, senders, signal) = state.withLock { state in
            if !state.isClosed, let closing { state.closing = closing }
            if !state.isClosed, closing == nil { state.closing = nil }
            state.isClosed = true
            state.waitingByteCount -= state.unwritten.reduce(0) { $0 + $1.readableBytes }
            state.unwritten = []
            defer { state.senders = [:] }
            return (state.reader.take(), state.senders, state.signal)
        }
        reader?.resume(returning: nil)
        signal?.signal()
        for sender in senders.values { sender.resume() }
    }
}

/// The text messages that a client sends.
package struct SocketMessages: AsyncSequence, Sendable {
    let session: SocketSession

    /// Reads one message after another.
    package struct Iterator: AsyncIteratorProtocol {
        let session: SocketSession

        /// Returns the next message; nil if the socket is closed or the task is cancelled.
        package func next() async -> String? { await session.next() }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(session: session) }
}
