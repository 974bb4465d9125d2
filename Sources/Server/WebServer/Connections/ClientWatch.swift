package import NIOCore
import NIOHTTPTypes
import Synchronization

/// Notices when the client of a connection, or of one stream of an HTTP/2 connection, stops listening.
///
/// It reads nothing, so the connection can be used for the next request after an answer.
final class ClientWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = HTTPRequestPart

    private struct State {
        var isGone = false
        var number = 0
        var waiting: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Returns the watch of a channel; nil if it has none, or is closed.
    static func of(_ channel: any Channel) async -> ClientWatch? {
        let found = channel.eventLoop.submit { try channel.pipeline.syncOperations.handler(type: ClientWatch.self) }
        return try? await found.get()
    }

    /// Runs `operation` and cancels it when the client stops listening.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`; `CancellationError` if the client disconnected.
    @concurrent
    func whileClientListens<Value: Sendable>(_ operation: @concurrent () async throws -> Value) async throws -> Value {
        let (departures, source) = AsyncStream<Void>.makeStream()
        let number = callAtDeparture { source.finish() }
        defer { forget(number) }
        return try await withoutActuallyEscaping(operation) { operation in
            // The group ends before this function does, and only one of its tasks calls it.
            nonisolated(unsafe) let operation = operation
            return try await withThrowingTaskGroup(of: Value.self) { group in
                group.addTask {
                    for await _ in departures {}
                    throw CancellationError()
                }
                group.addTask { try await operation() }
                defer { group.cancelAll() }
                guard let value = try await group.next() else { throw CancellationError() }
                return value
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A stream of HTTP/2 is half closed after each request; a connection of HTTP/1 only by a client that leaves.
        if case .inputClosed? = event as? ChannelEvent, context.channel.parent?.parent == nil { depart() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        depart()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { depart() }

    /// Calls `action` when the client leaves, at once if it has left; returns a number for ``forget(_:)``.
    private func callAtDeparture(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, isGone) = state.withLock { state in
            state.number &+= 1
            if !state.isGone { state.waiting[state.number] = action }
            return (state.number, state.isGone)
        }
        if isGone { action() }
        return number
    }

    private func forget(_ number: Int) {
        _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    }

    private func depart() {
        let waiting = state.withLock { state in
            state.isGone = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for action in waiting.values { action() }
    }
}

extension Channel {
    /// Runs `operation` and cancels it when the client of the connection, or of the stream, stops listening.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error of `operation`; `CancellationError` if the client disconnected.
    @concurrent
    package func whileClientListens<Value: Sendable>(
        _ operation: @concurrent () async throws -> Value
    ) async throws -> Value {
        guard let watch = await ClientWatch.of(self) else { throw CancellationError() }
        return try await watch.whileClientListens(operation)
    }
}
