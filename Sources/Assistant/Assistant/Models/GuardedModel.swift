package import ChatCore

/// A language model that is not called while its service is known to be down.
///
/// A failure of the service opens its circuit: then requests fail at once until a probe closes it. An answer that is slow
/// is no failure of the service, and does not keep others from asking. See ``ServiceHealth``.
package struct GuardedModel: LanguageModel {
    /// Asks the service for one token, regardless of its known state.
    package static func probe(_ model: any LanguageModel) async throws {
        let request = GenerationRequest(
            messages: [PromptMessage(role: .user, content: "hello")], maximumTokenCount: 1, streams: false)
        _ = try await model.reply(to: request)
    }

    /// The guarded model.
    package let base: any LanguageModel
    /// Its name in ``ServiceHealth``.
    package let service: ModelServiceName
    let health: ServiceHealth

    /// - Parameters:
    ///   - base: The model.
    ///   - service: Its name in `health`.
    ///   - health: Knows which services work; its owner probes those that do not.
    package init(base: any LanguageModel, service: ModelServiceName, health: ServiceHealth) {
        self.base = base
        self.service = service
        self.health = health
    }

    /// The model's name.
    package var name: String { base.name }
    /// The model's context.
    package var contextTokenCount: Int { base.contextTokenCount }

    /// See ``LanguageModel/generate(_:deliver:)``.
    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        if let failure = health.failure(of: service) { throw failure }
        var hasBegun = false
        do {
            try await base.generate(request) { event in
                if !hasBegun { health.recordSuccess(of: service) }
                hasBegun = true
                await deliver(event)
            }
        } catch let failure as ModelServiceError {
            if failure.opensCircuit { health.recordFailure(failure, of: service) }
            throw failure
        }
    }
}
