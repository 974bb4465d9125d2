package import ChatCore
import Foundation
import Synchronization
package import Transport

/// Answers prompts by `POST {base}/chat/completions` of any OpenAI-compatible service.
///
/// Answers are always requested piece by piece, also for consumers that want them whole: only so can a service that is
/// slow be told from one that is dead. A request is sent again only as long as nothing of an answer has arrived. What the
/// service turns out not to take (`max_tokens`, `temperature`, `stream`, `stream_options`,
/// `return_progress`) is left out from then on.
package final class OpenAIChatModel: LanguageModel {
    private let settings: ChatServiceSettings
    private let client: ServiceClient
    private let dialect: Mutex<ChatDialect>

    /// Makes a model without a request to the service.
    ///
    /// - Parameters:
    ///   - settings: The service and the model.
    ///   - transport: Carries the requests.
    ///   - retry: When a failed request is sent again.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` as ``ChatServiceSettings/validate()``.
    package init(
        settings: ChatServiceSettings, transport: any HTTPTransport, retry: RetrySchedule = RetrySchedule()
    ) throws(ModelServiceError) {
        try settings.validate()
        self.settings = settings
        // Services far away are never llama.cpp's, and may refuse a parameter that they do not know.
        dialect = Mutex(ChatDialect(takesProgress: ServiceHost.isNear(settings.address.baseURL)))
        client = ServiceClient(
            endpoint: try ServiceEndpoint(settings.address, path: "chat/completions"), transport: transport,
            retry: retry, timeouts: settings.limits.deadlines)
    }

    /// The model's name as configured.
    package var name: String { settings.model }
    /// The context as configured.
    package var contextTokenCount: Int { settings.contextTokenCount }
    /// How long an answer may take.
    var limits: ChatTimeLimits { settings.limits }

    /// See ``LanguageModel/generate(_:deliver:)``.
    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let reader = ChatAnswerReader(model: self, request: request)
        repeat {
            try Task.checkCancellation()
            guard let event = try await reader.next() else { return }
            await deliver(event)
            if case .finished = event { return }
        } while true
    }
}

extension OpenAIChatModel {
    /// Sends a request, and returns when an answer begins.
    func open(_ request: GenerationRequest) async throws -> ServiceClient.Opened {
        try await adapting(request) { try await self.client.open($0) }
    }

    /// Whether the service answers piece by piece, as far as is known.
    var streams: Bool { dialect.withLock { $0.takesStream } }

    /// The meaning of an error in the body of a good response.
    func error(in data: Data) -> ModelServiceError {
        let body = ServiceErrorBody(data)
        return ServiceFailure.error(status: body.status ?? 500, body: body, endpoint: client.endpoint)
    }

    /// Sends a request again without a parameter that the service rejects; the restriction is remembered.
    ///
    /// A refusal of an unknown kind is attributed to the reply's schema, which many services do not support; this is
    /// remembered only if the request succeeds without it.
    private func adapting<Reply>(
        _ request: GenerationRequest, _ send: (Data) async throws -> Reply
    ) async throws -> Reply {
        var spoken = dialect.withLock { $0 }
        while true {
            do {
                let body = ChatRequestBody(request, settings: settings, dialect: spoken)
                let reply = try await send(try JSONEncoder().encode(body))
                dialect.withLock { $0.merge(spoken) }
                return reply
            } catch let failure as ServiceFailure {
                guard case .rejected = failure.error else { throw failure.error }
                if let refusal = failure.body, spoken.learn(from: refusal) {
                    dialect.withLock { $0.merge(spoken) }
                } else if request.replySchema != nil, spoken.replyFormat != .none {
                    spoken.replyFormat = spoken.replyFormat.narrower
                } else {
                    throw failure.error
                }
            }
        }
    }
}
