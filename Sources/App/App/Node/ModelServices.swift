import Assistant
import ChatCore
import ModelClients
import Retrieval
import Telemetry
import Transport

/// The models, counted and guarded: embedders, the language model and the reranker.
struct ModelServices: Sendable {
    let embedders: ConfiguredEmbedders
    /// The same, with the metrics of their calls.
    let measuredEmbedders: MeasuredEmbedders
    /// The health of the embedding service.
    let embeddingHealth = ServiceHealth()
    /// Nil if none is configured: answers quote messages.
    let model: GuardedModel?
    /// Nil if none is configured.
    let reranker: GuardedReranker?
    /// The health of the services of language and reranking models.
    let health: ServiceHealth

    init(_ settings: NexusSettings, transport: CurlTransport, metrics: MetricRegistry) throws {
        let meter = ModelMeter(factory: metrics, prices: ModelMeter.Prices(settings))
        let health = ServiceHealth()
        self.health = health
        embedders = try ConfiguredEmbedders(settings: settings, transport: transport)
        measuredEmbedders = MeasuredEmbedders(base: embedders, meter: meter)
        reranker = try settings.rerank.map { rerank in
            let client = try RerankClient(settings: RerankServiceSettings(rerank), transport: transport)
            return GuardedReranker(
                base: MeasuredReranker(base: client, meter: meter), service: rerank.service.name, health: health)
        }
        model = try settings.chat.map { chat in
            let client = try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: transport)
            return GuardedModel(
                base: MeasuredModel(base: client, meter: meter), service: chat.service.name, health: health)
        }
    }
}

extension NexusSettings.Service {
    /// The name of the service in a ``ServiceHealth``.
    fileprivate var name: ModelServiceName { ModelServiceName(baseURL: baseURL, model: model) }
}

extension ModelMeter.Prices {
    fileprivate init(_ settings: NexusSettings) {
        self.init(
            embedding: settings.embedding.pricePerMillion, prompt: settings.chat?.promptPricePerMillion,
            answer: settings.chat?.answerPricePerMillion)
    }
}
