import NIOConcurrencyHelpers
import NIOCore
import NIOWebSocket
import NexusClient

/// A WebSocket of the client: hands messages over in their order, and reads no more while too many wait.
final class NIOClientSocket: ClientSocket {
    /// Reading pauses while this many messages wait.
    private static let waitingLimit = 256

    private typealias Outcome = Result<String?, ClientTransportError>

    private struct State {
        var received = CircularBuffer<String>()
        var reader: CheckedContinuation<Outcome, Never>?
        var isPaused = false
        /// How the socket ended; nil while it is open.
        var end: Result<Void, ClientTransportError>?
        var code: UInt16?
        var channel: (any Channel)?
    }

    private let limits: NIOTransport.Limits
    private let state = NIOLockedValueBox(State())

    init(limits: NIOTransport.Limits) {
        self.limits = limits
    }

    var closeCode: UInt16? { state.withLockedValue { $0.code } }

    func next() async throws -> String? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (result, resumed) = state.withLockedValue { state -> (Outcome?, (any Channel)?) in
                    precondition(state.reader == nil, "only one task may read a socket")
                    if let text = state.received.popFirst() {
                        guard state.isPaused, state.received.count < Self.waitingLimit / 2 else {
                            return (.success(text), nil)
                        }
                        state.isPaused = false
                        return (.success(text), state.channel)
                    }
                    if let end = state.end { return (end.map { nil }, nil) }
                    if Task.isCancelled { return (.success(nil), nil) }
                    state.reader = continuation
                    return (nil, nil)
                }
                resumed?.setOption(.autoRead, value: true).whenComplete { _ in }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            state.withLockedValue { $0.reader.take() }?.resume(returning: .success(nil))
        }
        return try result.get()
    }

    func send(_ text: String) async throws {
        guard let channel = state.withLockedValue({ $0.end == nil ? $0.channel : nil }) else {
            throw ClientTransportError.broken
        }
        let frame = ClientFrame.make(.text, ByteBuffer(string: text))
        do { try await channel.writeAndFlush(frame) } catch { throw ClientTransportError.broken }
    }

    func close() async {
        guard let channel = state.withLockedValue({ $0.channel }) else { return }
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.handler(type: ClientSocketHandler.self).close(.normalClosure)
        }
        try? await channel.closeFuture.get()
    }

    /// Whether the connection has become this socket.
    var isAttached: Bool { state.withLockedValue { $0.channel != nil } }

    /// Turns a connection into this socket; on its event loop.
    func attach(to channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(ClientSocketHandler(socket: self, limits: limits))
        state.withLockedValue { $0.channel = channel }
    }

    /// Takes a message from the connection; returns whether it must pause.
    func receive(_ text: String) -> Bool {
        let (reader, pauses) = state.withLockedValue { state in
            if let reader = state.reader.take() { return (Optional(reader), false) }
            state.received.append(text)
            // Only the reader ends a pause: messages of the same read still arrive after it began.
            if state.received.count >= Self.waitingLimit { state.isPaused = true }
            return (nil, state.isPaused)
        }
        reader?.resume(returning: .success(text))
        return pauses
    }

    var isPaused: Bool { state.withLockedValue { $0.isPaused } }

    func end(_ result: Result<Void, ClientTransportError>, code: UInt16?) {
        let reader = state.withLockedValue { state in
            if state.end == nil {
                state.end = result
                state.code = code
            }
            return state.reader.take()
        }
        reader?.resume(returning: result.map { nil })
    }
}

/// Frames as a client sends them: whole and masked.
enum ClientFrame {
    static func make(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }
}
