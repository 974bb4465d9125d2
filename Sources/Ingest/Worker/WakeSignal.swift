/// Tells the worker that there is something to do; signals that come while it works are one signal.
public struct WakeSignal: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Makes a signal for one worker.
    public init() {
        (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the worker.
    public func wake() {
        continuation.yield()
    }
}
