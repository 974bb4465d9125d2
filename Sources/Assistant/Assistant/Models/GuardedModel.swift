public import ChatCore

/// A language model that is not called while its service is known to be down.
///
/// A failure of the service opens its circuit: then requests fail at once until a probe closes it. An answer that is slow
/// is no failure of the service, and does not keep others from asking. See ``ServiceHealth``.
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

    /// - Parameters:
    ///   - base: The model.
    ///   - service: Its name in `health`.
    ///   - health: Knows which services work; its owner probes those that do not.
    public init(base: any LanguageModel, service: ModelServiceName, health: ServiceHealth) {
        self.base = base
        self.service = service
        self.health = health
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
            let first = try await read()
            hasBegun = true
            model.health.noteSuccess(of: model.service)
            return first
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
