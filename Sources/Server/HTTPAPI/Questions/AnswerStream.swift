import Assistant
import ChatCore

/// An answer in progress; a separate task makes it, so that it can begin before the response's head is written.
///
/// The task is cancelled when nobody holds or reads the signals any longer.
struct AnswerStream: Sendable {
    /// An output of the task.
    enum Signal: Sendable {
        case event(AnswerEvent)
        /// A keep-alive, so that no proxy closes the connection.
        case heartbeat
    }

    typealias Continuation = AsyncThrowingStream<Signal, any Error>.Continuation

    /// The signals, for one reader; they end with the answer, or throw its error.
    let signals: AsyncThrowingStream<Signal, any Error>
    private let producer: Task<Void, Never>

    init(_ produce: @escaping @Sendable (Continuation) async throws -> Void) {
        let (signals, continuation) = AsyncThrowingStream<Signal, any Error>.makeStream()
        let producer = Task {
            do {
                try await produce(continuation)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in producer.cancel() }
        self.signals = signals
        self.producer = producer
    }

    /// Waits for the first event; an earlier failure is thrown after the task's end.
    func first() async throws -> AnswerEvent {
        do {
            for try await signal in signals {
                if case .event(let event) = signal { return event }
            }
            try Task.checkCancellation()
            throw ModelServiceError.incompleteReply
        } catch {
            await end()
            throw error
        }
    }

    /// Waits for the whole answer, and for the task's end.
    func complete() async throws -> Answer {
        var event = try await first()
        do {
            for try await signal in signals {
                if case .event(let next) = signal { event = next }
            }
            try Task.checkCancellation()
            guard case .done(let answer) = event else { throw ModelServiceError.incompleteReply }
            await end()
            return answer
        } catch {
            await end()
            throw error
        }
    }

    /// Stops the task and waits for its end, so that nothing of an answer continues behind it.
    func end() async {
        producer.cancel()
        await producer.value
    }
}
