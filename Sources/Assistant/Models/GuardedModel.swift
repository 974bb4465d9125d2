public import ChatCore

/// A language model that is not called while its service is known to be down.
///
/// A failure of the service opens its circuit, and so does an answer that does not begin within the time limit. Then
/// requests fail at once until a probe closes the circuit. See ``ServiceHealth``.
public struct GuardedModel: LanguageModel {
    /// Asks the service for one token, regardless of its known state.
    public static func probe(_ model: any LanguageModel) async throws {
        let request = GenerationRequest(
            messages: [PromptMessage(role: .user, content: "hello")], maximumTokenCount: 1, streams: false)
        for try await event in model.generate(request) {
            if case .finished = event { return }
        }
        try Task.checkCancellation()
        throw ModelServiceError.incompleteReply
    }

    /// The guarded model.
    public let base: any LanguageModel
    /// Its name in ``ServiceHealth``.
    public let service: ModelServiceName
    let health: ServiceHealth
    let firstEventLimit: Duration

    /// - Parameters:
    ///   - base: The model.
    ///   - service: Its name in `health`.
    ///   - health: Knows which services work; its owner probes those that do not.
    ///   - firstEventLimit: How long the first part of an answer may take, including all attempts.
    public init(
        base: any LanguageModel, service: ModelServiceName, health: ServiceHealth,
        firstEventLimit: Duration = .seconds(50)
    ) {
        self.base = base
        self.service = service
        self.health = health
        self.firstEventLimit = firstEventLimit
    }

    /// The model's name.
    public var name: String { base.name }
    /// The model's context.
    public var contextTokenCount: Int { base.contextTokenCount }

    /// See ``LanguageModel/generate(_:)``.
    public func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        let reader = GuardedReader(model: self, request: request)
        return AsyncThrowingStream { try await reader.next() }
    }
}

/// Reads one answer for one consumer.
private actor GuardedReader {
    private let model: GuardedModel
    private let request: GenerationRequest
    private var iterator: AsyncThrowingStream<GenerationEvent, any Error>.AsyncIterator?
    private var hasBegun = false

    init(model: GuardedModel, request: GenerationRequest) {
        self.model = model
        self.request = request
    }

    func next() async throws -> GenerationEvent? {
        do {
            if hasBegun { return try await read() }
            if let failure = model.health.failure(of: model.service) { throw failure }
            let first = try await withTimeLimit(model.firstEventLimit) { try await self.read() }
            hasBegun = true
            model.health.noteSuccess(of: model.service)
            return first
        } catch is TimeLimitExceeded {
            let failure = ModelServiceError.unreachable(reason: "the model did not begin to answer in time")
            model.health.noteFailure(failure, of: model.service)
            throw failure
        } catch let failure as ModelServiceError {
            if failure.opensCircuit { model.health.noteFailure(failure, of: model.service) }
            throw failure
        }
    }

    private func read() async throws -> GenerationEvent? {
        var iterator = iterator ?? model.base.generate(request).makeAsyncIterator()
        defer { self.iterator = iterator }
        return try await iterator.next(isolation: #isolation)
    }
}
