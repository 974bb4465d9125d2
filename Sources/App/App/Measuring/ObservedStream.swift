import Synchronization

/// Observes a stream's elements and its end.
protocol StreamObserver<Element>: Sendable {
    associatedtype Element: Sendable

    /// Sees an element; returns whether it is the last one, so that a consumer may stop reading.
    func saw(_ element: Element) -> Bool
    /// Sees the end of the stream, with its error if any; `CancellationError` if the consumer released the stream.
    func ended(_ error: (any Error)?)
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// Returns a stream of the same elements whose observer sees each of them, and the end exactly once.
    ///
    /// Nothing is read ahead of the consumer, and releasing the returned stream releases this one.
    func observed(by observer: some StreamObserver<Element>) -> AsyncThrowingStream<Element, any Error> {
        let reader = ObservedReader(self, observer: observer)
        return AsyncThrowingStream { try await reader.next() }
    }
}

/// Reads a stream for one consumer.
private actor ObservedReader<Element: Sendable> {
    private var iterator: AsyncThrowingStream<Element, any Error>.AsyncIterator
    private let ending: Ending<Element>

    init(_ stream: AsyncThrowingStream<Element, any Error>, observer: some StreamObserver<Element>) {
        iterator = stream.makeAsyncIterator()
        ending = Ending(observer)
    }

    func next() async throws -> Element? {
        var iterator = iterator
        do {
            guard let element = try await iterator.next(isolation: #isolation) else {
                ending.tell(Task.isCancelled ? CancellationError() : nil)
                return nil
            }
            if ending.observer.saw(element) { ending.tell(nil) }
            return element
        } catch {
            ending.tell(error)
            throw error
        }
    }
}

/// Reports the end once, at the latest when nobody reads any more.
private final class Ending<Element: Sendable>: Sendable {
    let observer: any StreamObserver<Element>
    private let isTold = Mutex(false)

    init(_ observer: some StreamObserver<Element>) {
        self.observer = observer
    }

    deinit { tell(CancellationError()) }

    func tell(_ error: (any Error)?) {
        let isFirst = isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        if isFirst { observer.ended(error) }
    }
}
