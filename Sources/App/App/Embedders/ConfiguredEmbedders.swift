import ChatCore
import Foundation
import ModelClients
import SentenceEncoder
import Synchronization
import Transport

/// The embedders that the settings allow: the configured one, and those of generations that are stored.
///
/// A key is sent to the address that it was configured for and to no other.
final class ConfiguredEmbedders: EmbedderSource {
    let configured: any Embedder
    let configuredBaseURL: String?

    let settings: NexusSettings
    private let transport: any HTTPTransport
    private let builtIns = Mutex<[EmbeddingSpace: BuiltInEmbedder]>([:])
    private let others = Mutex<[GenerationNumber: any Embedder]>([:])

    init(settings: NexusSettings, transport: any HTTPTransport) throws(ModelServiceError) {
        self.settings = settings
        self.transport = transport
        let embedding = settings.embedding
        configuredBaseURL = embedding.service?.baseURL
        if let service = embedding.service {
            configured = try OpenAIEmbedder(
                settings: EmbeddingServiceSettings(service, embedding), transport: transport)
        } else {
            let space = embedding.builtInSpace
            let builtIn = settings.builtInEmbedder(embedding.builtInModel, space)
            builtIns.withLock { $0[space] = builtIn }
            configured = builtIn
        }
    }

    var configuredRequestsDimensions: Bool { settings.embedding.dimensions != nil }

    func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder {
        if isConfigured(generation) { return configured }
        if generation.space.provider == BuiltInEmbedder.provider {
            let model = try settings.builtInModel(named: generation.space.model)
            guard model.dimensions == generation.space.dimensions else {
                throw ModelServiceError.misconfigured(
                    reason:
                        "generation \(generation.number.rawValue) has \(generation.space.dimensions) dimensions, and "
                        + "\(model.name) now has \(model.dimensions): put the earlier model back, or give this one another name"
                )
            }
            return builtIn(model, generation.space)
        }
        return try others.withLock { others in
            if let known = others[generation.number] { return known }
            let made = try remembered(generation)
            others[generation.number] = made
            return made
        }
    }

    /// Whether a generation is in the configured embedder's space, as far as that is known without asking a service.
    func isConfigured(_ generation: EmbeddingGeneration) -> Bool {
        let space = generation.space
        guard let service = settings.embedding.service else {
            let own = settings.embedding.builtInSpace
            return space == own
        }
        return space.provider == service.provider && space.model == service.model
            && generation.baseURL == service.baseURL && settings.embedding.hasPrefixes(of: space)
            && settings.embedding.dimensions.map { $0 == space.dimensions } ?? !generation.requestsDimensions
    }

    /// Returns the embedder of a built-in model with the prefixes of a space; the same one for the same space.
    func builtIn(_ model: BuiltInModel, _ space: EmbeddingSpace) -> BuiltInEmbedder {
        builtIns.withLock { builtIns in
            if let known = builtIns[space] { return known }
            let made = settings.builtInEmbedder(model, space)
            builtIns[space] = made
            return made
        }
    }

    /// Makes the embedder of a generation whose service is no longer configured for new ones.
    private func remembered(_ generation: EmbeddingGeneration) throws -> any Embedder {
        guard let baseURL = generation.baseURL else {
            throw ModelServiceError.misconfigured(reason: "generation \(generation.number.rawValue) has no address")
        }
        let key = key(for: baseURL)
        if generation.space.provider == "openai", key == nil {
            throw ModelServiceError.misconfigured(
                reason: "generation \(generation.number.rawValue) needs the key of OpenAI: set OPENAI_API_KEY")
        }
        let space = generation.space
        let service = NexusSettings.Service(
            provider: space.provider, baseURL: baseURL, key: key, model: space.model)
        let requestsDimensions =
            generation.requestsDimensions || settings.embedding.dimensions == space.dimensions
        var embedding = settings.embedding
        embedding.service = service
        embedding.dimensions = requestsDimensions ? space.dimensions : nil
        let own = embedding.outputType
        (embedding.inputTypes, embedding.outputType, embedding.queryPrefix, embedding.passagePrefix) = InputTypes.read(
            queryPrefix: space.queryPrefix, passagePrefix: space.passagePrefix)
        // Floats are no part of the space.
        if embedding.outputType == nil, own?.numbers == .float { embedding.outputType = own }
        return try makeEmbedder(service, embedding)
    }

    /// Makes the embedder of a service.
    func makeEmbedder(
        _ service: NexusSettings.Service, _ embedding: NexusSettings.Embedding
    ) throws(ModelServiceError) -> any Embedder {
        try OpenAIEmbedder(settings: EmbeddingServiceSettings(service, embedding), transport: transport)
    }

    /// The key that was configured for an address; nil when there is none.
    func key(for baseURL: String) -> SecretText? {
        let services = [settings.embedding.service, settings.chat?.service].compactMap { $0 }
        if let service = services.first(where: { $0.baseURL == baseURL }) { return service.key }
        return baseURL == ProviderPreset.openAI.baseURL ? settings.openAIKey : nil
    }
}

extension NexusSettings {
    fileprivate func builtInEmbedder(_ model: BuiltInModel, _ space: EmbeddingSpace) -> BuiltInEmbedder {
        BuiltInEmbedder(
            model: model, folder: encoderFolder(of: model), threadCount: encoderThreadCount,
            queryPrefix: space.queryPrefix, passagePrefix: space.passagePrefix,
            passageTokenLimit: embedding.passageTokenLimit, givesWay: encoderGivesWay)
    }
}

extension NexusSettings.Embedding {
    /// The space of the built-in encoder that is configured.
    fileprivate var builtInSpace: EmbeddingSpace {
        BuiltInEmbedder.space(of: builtInModel, queryPrefix: queryPrefix, passagePrefix: passagePrefix)
    }

    /// Whether texts of a space are sent as the settings say.
    fileprivate func hasPrefixes(of space: EmbeddingSpace) -> Bool {
        InputTypes.marked(
            queryPrefix: queryPrefix, passagePrefix: passagePrefix, types: inputTypes, output: outputType)
            == (space.queryPrefix, space.passagePrefix)
    }
}

extension EmbeddingServiceSettings {
    init(_ service: NexusSettings.Service, _ embedding: NexusSettings.Embedding) {
        self.init(
            address: ServiceAddress(baseURL: service.baseURL, key: service.key), providerKind: service.provider,
            model: service.model, dimensions: embedding.dimensions, queryPrefix: embedding.queryPrefix,
            passagePrefix: embedding.passagePrefix, inputTypes: embedding.inputTypes,
            outputType: embedding.outputType, usesBase64: embedding.usesBase64,
            batchItemLimit: embedding.batchItemCount, batchTokenLimit: embedding.batchTokenCount,
            passageTokenLimit: embedding.passageTokenLimit ?? PassageLimit.defaultTokenCount,
            timeouts: HTTPDeadlines(connect: .seconds(10), idle: embedding.timeLimit, total: embedding.timeLimit),
            passageAttemptLimit: 1,
            questionAttemptLimit: embedding.questionAttemptLimit)
    }
}

extension ChatServiceSettings {
    init(_ chat: NexusSettings.Chat) {
        self.init(
            address: ServiceAddress(baseURL: chat.service.baseURL, key: chat.service.key), model: chat.service.model,
            contextTokenCount: chat.contextTokenCount, temperature: chat.temperature,
            taskTemperature: chat.taskTemperature, limits: chat.limits)
    }
}

extension RerankServiceSettings {
    init(_ rerank: NexusSettings.Rerank) {
        self.init(
            address: ServiceAddress(baseURL: rerank.service.baseURL, key: rerank.service.key),
            model: rerank.service.model, shape: rerank.shape)
    }
}
