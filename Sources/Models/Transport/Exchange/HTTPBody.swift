package import Foundation
import Synchronization

/// The body of a response as it arrives, in pieces of any size, for one consumer.
///
/// At most a bounded number of bytes waits here; when the consumer is slow, the transfer is paused, which slows the
/// server down. The exchange is aborted and its connection closed when the consumer's task is cancelled while it waits,
/// when the iterator is released before the end, or when the body is released without an iterator.
package struct HTTPBody: AsyncSequence, Sendable {
    /// A piece of the body; never empty.
    package typealias Element = Data
    /// The error that ends the sequence early.
    package typealias Failure = TransportError

    private let lease: Lease

    /// Makes a complete body for fakes: the given pieces, then `failure` or the end.
    package init(pieces: [Data], failure: TransportError? = nil) {
        let channel = ResponseChannel(pieces: pieces.filter { !$0.isEmpty }, failure: failure)
        self.init(channel: channel, abort: {})
    }

    /// Makes the body of an exchange; `abort` is called when the consumer gives up, also after the end, and retains the
    /// objects that the exchange needs.
    init(channel: ResponseChannel, abort: @escaping @Sendable () -> Void) {
        lease = Lease(channel: channel, abort: abort)
    }

    /// Returns the iterator over the body.
    ///
    /// - Precondition: It is called only once.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(lease: lease.handOver())
    }

    /// Returns the whole body.
    package func collect() async throws(TransportError) -> Data {
        var iterator = makeAsyncIterator()
        var body = Data()
        while let piece = try await iterator.next() { body.append(piece) }
        return body
    }

    /// Waits for pieces of the body and owns the exchange.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let lease: Lease

        /// Returns the next piece, `nil` after the last one.
        package mutating func next() async throws(TransportError) -> Data? {
            try await lease.next()
        }

        /// Returns the next piece, `nil` after the last one.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> Data? {
            try await lease.next()
        }
    }
}

extension HTTPBody {
    /// The right to the rest of the body; its end of life aborts the exchange, unless it was handed over.
    fileprivate final class Lease: Sendable {
        private let channel: ResponseChannel
        private let abort: @Sendable () -> Void
        private let isHandedOver = Mutex(false)

        init(channel: ResponseChannel, abort: @escaping @Sendable () -> Void) {
            self.channel = channel
            self.abort = abort
        }

        deinit {
            if !isHandedOver.withLock({ $0 }) { abort() }
        }

        /// Returns a lease for the iterator; this one then aborts nothing.
        func handOver() -> Lease {
            isHandedOver.withLock { flag in
                precondition(!flag, "a response body has one consumer")
                flag = true
            }
            return Lease(channel: channel, abort: abort)
        }

        /// Returns the next piece; aborts when the task is cancelled.
        func next() async throws(TransportError) -> Data? {
            try await withTaskCancellationHandler {
                await channel.nextPiece()
            } onCancel: {
                abort()
            }.get()
        }
    }
}
