package import ChatCore
import Synchronization

/// A language model that sends given replies, and remembers its requests.
package final class FakeLanguageModel: LanguageModel {
    /// What one call does.
    package enum Reply: Sendable {
        /// Sends these events, then returns.
        case events([GenerationEvent])
        /// Sends these events, then fails.
        case failure(after: [GenerationEvent], ModelServiceError)
        /// Sends these events, then stays silent until the request is aborted.
        case silence(after: [GenerationEvent])

        /// Says `text` in one piece and stops.
        package static func text(_ text: String, usage: TokenUsage? = nil) -> Reply {
            .events([.delta(text), .finished(.stop, usage)])
        }
    }

    private struct State {
        var replies: [Reply]
        var requests: [GenerationRequest] = []
        var abortCount = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// See ``LanguageModel/name``.
    package let name: String
    /// See ``LanguageModel/contextTokenCount``.
    package let contextTokenCount: Int
    private let state: Mutex<State>

    /// Makes a model.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - contextTokenCount: How much it takes.
    ///   - replies: One a call; the last one is repeated.
    package init(name: String = "fake", contextTokenCount: Int = 16_384, replies: [Reply]) {
        self.name = name
        self.contextTokenCount = contextTokenCount
        state = Mutex(State(replies: replies))
    }

    /// What it was asked so far.
    package var requests: [GenerationRequest] { state.withLock { $0.requests } }

    /// Waits until a silent request was aborted.
    package func aborted() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.abortCount == 0 { state.waiting.append(continuation) }
                return state.abortCount > 0
            }
            if isDone { continuation.resume() }
        }
    }

    /// Plays the next reply; see ``LanguageModel/generate(_:deliver:)``.
    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.count > 1 ? state.replies.removeFirst() : state.replies[0]
        }
        switch reply {
        case .events(let events):
            for event in events { await deliver(event) }
        case .failure(let events, let error):
            for event in events { await deliver(event) }
            throw error
        case .silence(let events):
            defer { noteAbort() }
            for event in events { await deliver(event) }
            let (silence, keepOpen) = AsyncStream<Void>.makeStream()
            for await _ in silence {}
            keepOpen.finish()
            try Task.checkCancellation()
        }
    }

    private func noteAbort() {
        let waiting = state.withLock { state in
            state.abortCount += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.forEach { $0.resume() }
    }
}
