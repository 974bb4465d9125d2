import Foundation
import Synchronization

/// The head of a response.
struct ResponseHead: Sendable {
    /// The status code.
    var status: Int
    /// The headers of the final response.
    var headers: HTTPHeaders
}

/// Passes a response from the transport's thread to one consumer: the head, the pieces of the body, one outcome.
///
/// The outcome is set once; the first one counts. Bytes that arrived before a failure are still delivered, except after
/// `cancelled`.
final class ResponseChannel: Sendable {
    typealias Outcome = Result<Void, TransportError>
    typealias HeadResult = Result<ResponseHead, TransportError>
    typealias PieceResult = Result<Data?, TransportError>

    private struct State {
        var head: ResponseHead?
        var headWaiter: CheckedContinuation<HeadResult, Never>?
        var pieces: [Data] = []
        var pieceWaiter: CheckedContinuation<PieceResult, Never>?
        var isPaused = false
        var outcome: Outcome?
    }

    private let bufferByteLimit: Int
    private let state: Mutex<State>
    /// Asks the transport to continue after ``append(_:)`` returned `false`.
    private let resume: @Sendable (ResponseChannel) -> Void

    /// Makes an empty channel with a capacity of about `bufferByteLimit` bytes.
    init(bufferByteLimit: Int, resume: @escaping @Sendable (ResponseChannel) -> Void) {
        self.bufferByteLimit = bufferByteLimit
        self.resume = resume
        state = Mutex(State())
    }

    /// Makes a channel with a complete body.
    init(pieces: [Data], failure: TransportError?) {
        bufferByteLimit = .max
        resume = { _ in }
        let outcome: Outcome = failure.map { .failure($0) } ?? .success(())
        state = Mutex(State(pieces: pieces, outcome: outcome))
    }
}

// MARK: - The transport's side

extension ResponseChannel {
    /// Hands over the head.
    func deliver(_ head: ResponseHead) {
        let waiter = state.withLock { state in
            state.head = head
            return state.headWaiter.take()
        }
        waiter?.resume(returning: .success(head))
    }

    /// Adds a piece of the body, or returns `false` when the consumer is too slow: then the same piece must be offered
    /// again after `resume`.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, waiter) = state.withLock { state -> (Bool, CheckedContinuation<PieceResult, Never>?) in
            if let waiter = state.pieceWaiter.take() { return (true, waiter) }
            guard state.outcome == nil else { return (true, nil) }
            let buffered = state.pieces.last?.count ?? 0
            guard buffered < bufferByteLimit else {
                state.isPaused = true
                return (false, nil)
            }
            if state.pieces.isEmpty { state.pieces.append(Data()) }
            state.pieces[state.pieces.count - 1].append(contentsOf: piece)
            return (true, nil)
        }
        waiter?.resume(returning: .success(Data(piece)))
        return isTaken
    }

    /// Ends the exchange; returns `false` if it had ended before.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        let ended = state.withLock { state -> (HeadResult, State)? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            if case .failure(.cancelled) = outcome { state.pieces = [] }
            defer { (state.headWaiter, state.pieceWaiter) = (nil, nil) }
            return (Self.headResult(state.head, outcome), state)
        }
        guard let (headResult, before) = ended else { return false }
        before.headWaiter?.resume(returning: headResult)
        before.pieceWaiter?.resume(returning: outcome.map { nil })
        return true
    }

    /// Whether the exchange has ended.
    var isFinished: Bool { state.withLock { $0.outcome != nil } }

    private static func headResult(_ head: ResponseHead?, _ outcome: Outcome) -> HeadResult {
        if let head { return .success(head) }
        return outcome.flatMap { .failure(.malformedResponse) }
    }
}

// MARK: - The consumer's side

extension ResponseChannel {
    /// Waits for the head.
    func head() async -> HeadResult {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> HeadResult? in
                if let head = state.head { return .success(head) }
                if let outcome = state.outcome { return Self.headResult(nil, outcome) }
                state.headWaiter = continuation
                return nil
            }
            if let result { continuation.resume(returning: result) }
        }
    }

    /// Waits for the next piece of the body; `nil` at its end.
    ///
    /// - Precondition: No other call waits.
    func nextPiece() async -> PieceResult {
        await withCheckedContinuation { continuation in
            let (result, isToResume) = state.withLock { state -> (PieceResult?, Bool) in
                precondition(state.pieceWaiter == nil, "a response body has one consumer")
                if let result = Self.available(&state) { return (result, Self.unpause(&state)) }
                state.pieceWaiter = continuation
                return (nil, Self.unpause(&state))
            }
            if let result { continuation.resume(returning: result) }
            if isToResume { resume(self) }
        }
    }

    /// Removes the data that can be returned at once.
    ///
    /// All buffered bytes are removed together, so the buffer is empty afterwards.
    private static func available(_ state: inout State) -> PieceResult? {
        if !state.pieces.isEmpty { return .success(state.pieces.removeFirst()) }
        return state.outcome?.map { nil }
    }

    private static func unpause(_ state: inout State) -> Bool {
        defer { state.isPaused = false }
        return state.isPaused
    }
}
