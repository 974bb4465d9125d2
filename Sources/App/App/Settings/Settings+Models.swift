import AnswerSupport
import Assistant
import ChatCore
import Foundation
import ModelClients
import Prompting
import Retrieval
import SentenceEncoder
import TextAnalysis

/// A service for both embeddings and answers.
extension Settings {
    static let provider = Setting<String>(
        "provider", of: ["builtin", "openai", "ollama", "compatible"], default: "builtin")
    static let baseURL = Setting<String?>("base-url")
    static let apiKey = SecretSetting("api-key")

    static let ofProvider: [any AnySetting] = [provider, baseURL, apiKey.text, apiKey.file]

    /// Reads the address of a service.
    private static func address(
        _ setting: Setting<String?>, preset: ProviderPreset?, _ source: SettingsSource
    ) throws -> String {
        guard let text = try source[setting] ?? source[baseURL] ?? preset?.baseURL else {
            throw SettingsError.inconsistent("\(setting.name) (or base-url) must be set for this provider")
        }
        return try checked(text, of: setting)
    }

    private static func checked(_ text: String, of setting: Setting<String?>) throws -> String {
        guard let address = serviceAddress(text) else {
            throw SettingsError.invalidValue(key: setting.name, expected: "an http or https address")
        }
        return address
    }

    /// Returns the address of a service without a slash at its end; nil when it is not valid.
    static func serviceAddress(_ text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false, url.user() == nil, url.query() == nil
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func model(
        _ setting: Setting<String?>, usual: String?, _ source: SettingsSource
    ) throws -> String {
        guard let name = try source[setting] ?? usual else {
            throw SettingsError.inconsistent("\(setting.name) must be set for this provider")
        }
        return name
    }
}

/// Embedding.
extension Settings {
    static let embeddingProvider = Setting<String?>(
        "embedding.provider", of: ["builtin", "openai", "ollama", "compatible"], "provider"
    ).showing { $0.embedding.service?.provider ?? "builtin" }
    static let embeddingBaseURL = Setting<String?>("embedding.base-url", "base-url")
        .showing { $0.embedding.service?.baseURL }
    static let embeddingKey = SecretSetting("embedding.api-key", or: apiKey) { $0.embedding.service?.key }
    static let embeddingModel = Setting<String?>("embedding.model", "\(BuiltInModel.miniLM.name), or the provider's")
        .showing { $0.embedding.service?.model ?? $0.embedding.builtInModel.name }
    static let embeddingDimensions = Setting<Int?>("embedding.dimensions", in: 1...16_384, "the model's own")
        .showing { $0.embedding.dimensions.map(String.init) }
    static let queryPrefix = Setting<String?>(verbatim: "embedding.query-prefix", "the model's, see below")
        .showing { $0.embedding.queryPrefix }
    static let passagePrefix = Setting<String?>(verbatim: "embedding.passage-prefix", "the model's, see below")
        .showing { $0.embedding.passagePrefix }
    static let inputType = Setting<InputTypes?>(
        "embedding.input-type", "none: not sent",
        expected: "the words for questions and messages, as query/passage, or with a field, as task=query/passage"
    ) { InputTypes($0) }
    static let outputType = Setting<OutputType?>(
        "embedding.output-type", "none: not sent, floats",
        expected:
            "float, int8, uint8, binary or ubinary, also with a field: output_dtype (the usual one), embedding_type or "
            + "embedding_types, as embedding_type=binary"
    ) { OutputType($0) }
    static let embeddingTimeout = Setting<Int?>(
        "embedding.timeout-seconds", in: 1...86_400, "600 near, else 300"
    ).showing { settings in
        settings.embedding.service.map { _ in String(settings.embedding.timeLimit.components.seconds) }
    }
    static let encodingFormat = Setting<String>(
        "embedding.encoding-format", of: ["float", "base64"], default: "float")
    static let batchItems = Setting<Int>("embedding.batch-items", in: 1...2_048, default: 32)
    static let batchTokens = Setting<Int>("embedding.batch-tokens", in: 1...10_000_000, default: 16_000)
    static let passageTokens = Setting<Int?>(
        "embedding.passage-tokens", in: 32...8_000, "256 for the built-in encoder, else 512")
    static let excludeDirect = Setting<Bool>("embedding.exclude-direct", default: false)
    static let pricePerMillion = Setting<Double?>(
        "embedding.price-per-million", in: 0...1_000_000, "none: no cost is shown")
    static let dailyTokenCap = Setting<Int?>("embedding.daily-token-cap", in: 1...1_000_000_000_000, "none")
    static let concurrency = Setting<Int?>("ingest.concurrency", in: 1...64, "8, or 2 for the built-in encoder")
    static let encoderThreads = Setting<Int>(
        "encoder.threads", in: 1...256, default: max(1, ProcessInfo.processInfo.activeProcessorCount),
        "the processor's cores"
    ).showing { String($0.encoderThreadCount) }

    static let ofEmbedding: [any AnySetting] = [
        embeddingProvider, embeddingBaseURL, embeddingKey.text, embeddingKey.file, embeddingModel, embeddingDimensions,
        queryPrefix, passagePrefix, inputType, outputType, embeddingTimeout, encodingFormat, batchItems, batchTokens,
        passageTokens,
        excludeDirect, pricePerMillion, dailyTokenCap, concurrency, encoderThreads,
    ]

    static func embedding(_ source: SettingsSource) throws -> NexusSettings.Embedding {
        let provider = try source[embeddingProvider] ?? source[Self.provider]
        let preset = ProviderPreset.named(provider)
        var service: NexusSettings.Service?
        if provider != "builtin" {
            service = NexusSettings.Service(
                provider: preset?.kind ?? provider,
                baseURL: try address(embeddingBaseURL, preset: preset, source),
                key: try source.serviceKey(embeddingKey, provider: provider),
                model: try model(embeddingModel, usual: preset?.embeddingModel, source))
        }
        let inputTypes = try source[inputType]
        let builtInModel = service == nil ? try Self.builtInModel(source) : .miniLM
        let prefixes = try prefixes(source, of: service, or: builtInModel, isToldTypes: inputTypes != nil)
        let known = service?.model == preset?.embeddingModel ? preset?.embeddingDimensions : nil
        return NexusSettings.Embedding(
            service: service, builtInModel: builtInModel, dimensions: try source[embeddingDimensions] ?? known,
            queryPrefix: prefixes.query, passagePrefix: prefixes.passage,
            dropsQueryPrefix: try source[queryPrefix] == "", dropsPassagePrefix: try source[passagePrefix] == "",
            inputTypes: inputTypes, outputType: service == nil ? nil : try source[outputType],
            timeLimit: .seconds(
                try source[embeddingTimeout] ?? (service.map { ServiceHost.isNear($0.baseURL) } ?? true ? 600 : 300)),
            usesBase64: try source[encodingFormat] == "base64",
            batchItemCount: try source[batchItems], batchTokenCount: try source[batchTokens],
            passageTokenLimit: try source[passageTokens], pricePerMillion: try source[pricePerMillion],
            dailyTokenCap: try source[dailyTokenCap],
            // Two keep the encoder busy while results are stored; with one it was a fifth slower on 2 cores.
            concurrency: try source[concurrency] ?? (service == nil ? 2 : 8))
    }
}

extension Settings {
    /// Reads the texts before questions and passages.
    private static func prefixes(
        _ source: SettingsSource, of service: NexusSettings.Service?, or builtInModel: BuiltInModel, isToldTypes: Bool
    ) throws -> (query: String, passage: String) {
        let usual: (query: String, passage: String)
        if let service {
            // A service that is told what a text is for puts the prefix before it itself.
            let preset = isToldTypes ? nil : EmbeddingPreset.of(model: service.model)
            usual = (preset?.queryPrefix ?? "", preset?.passagePrefix ?? "")
        } else {
            usual = (builtInModel.queryPrefix, builtInModel.passagePrefix)
            // This model has no prefixes; settings that were meant for another one must not change its space.
            if builtInModel == .miniLM { return usual }
        }
        return (try source[queryPrefix] ?? usual.query, try source[passagePrefix] ?? usual.passage)
    }

    /// Reads which model the built-in encoder uses.
    private static func builtInModel(_ source: SettingsSource) throws -> BuiltInModel {
        guard let name = try source[embeddingModel] else { return .miniLM }
        let root = try source[modelFolder]
        do throws(UnknownModelError) {
            return try BuiltInModel.named(name, in: root)
        } catch {
            throw SettingsError.inconsistent("\(embeddingModel.name) of the built-in encoder: \(error.reason)")
        }
    }
}

/// The language model.
extension Settings {
    static let chatProvider = Setting<String?>(
        "chat.provider", of: ["extractive", "openai", "ollama", "compatible"], "provider, extractive for builtin"
    ).showing { $0.chat?.service.provider ?? "extractive" }
    static let chatBaseURL = Setting<String?>("chat.base-url", "base-url").showing { $0.chat?.service.baseURL }
    static let chatKey = SecretSetting("chat.api-key", or: apiKey) { $0.chat?.service.key }
    static let chatModel = Setting<String?>("chat.model", "the provider's").showing { $0.chat?.service.model }
    static let contextTokens = Setting<Int>("chat.context-tokens", in: 2_048...10_000_000, default: 16_000)
    static let answerTokens = Setting<Int>("chat.answer-tokens", in: 16...1_000_000, default: 1_000)
    static let connectSeconds = Setting<Int>("chat.connect-seconds", in: 1...600, default: 10)
    static let firstTokenSeconds = Setting<Int?>("chat.first-token-seconds", in: 1...86_400, "600 near, else 120")
        .showing { $0.chat.map { String($0.limits.firstToken.components.seconds) } }
    static let tokenGapSeconds = Setting<Int?>("chat.token-gap-seconds", in: 1...86_400, "120 near, else 60")
        .showing { $0.chat.map { String($0.limits.betweenTokens.components.seconds) } }
    static let answerSeconds = Setting<Int?>("chat.answer-seconds", in: 1...86_400, "3600 near, else 600")
        .showing { $0.chat.map { String($0.limits.answer.components.seconds) } }
    static let temperature = Setting<Double>("chat.temperature", in: 0...2, default: 0.7)
    static let taskTemperature = Setting<Double>("chat.task-temperature", in: 0...2, default: 0)
    static let chatFallback = Setting<AnswerFallback>("chat.fallback", default: .quote)
    static let verification = Setting<SupportMode>("answers.verify", default: .mark)
    static let promptBudget = Setting<PromptSize>("chat.prompt-budget", default: .normal)
    static let promptPrice = Setting<Double?>(
        "chat.prompt-price-per-million", in: 0...1_000_000, "none: no cost is shown")
    static let answerPrice = Setting<Double?>(
        "chat.answer-price-per-million", in: 0...1_000_000, "none: no cost is shown")

    static let ofChat: [any AnySetting] = [
        chatProvider, chatBaseURL, chatKey.text, chatKey.file, chatModel, contextTokens, answerTokens, connectSeconds,
        firstTokenSeconds, tokenGapSeconds, answerSeconds, temperature, taskTemperature, chatFallback, verification,
        promptBudget, promptPrice, answerPrice,
    ]

    static func chat(_ source: SettingsSource) throws -> NexusSettings.Chat? {
        let common = try source[Self.provider]
        let provider = try source[chatProvider] ?? (common == "builtin" ? "extractive" : common)
        guard provider != "extractive" else { return nil }
        let preset = ProviderPreset.named(provider)
        let service = NexusSettings.Service(
            provider: preset?.kind ?? provider, baseURL: try address(chatBaseURL, preset: preset, source),
            key: try source.serviceKey(chatKey, provider: provider),
            model: try model(chatModel, usual: preset?.chatModel, source))
        let (contextTokenCount, answerTokenCount) = (try source[contextTokens], try source[answerTokens])
        guard answerTokenCount < contextTokenCount else {
            throw SettingsError.inconsistent("chat.answer-tokens must be less than chat.context-tokens")
        }
        var limits = ChatTimeLimits(baseURL: service.baseURL)
        limits.connect = .seconds(try source[connectSeconds])
        if let seconds = try source[firstTokenSeconds] { limits.firstToken = .seconds(seconds) }
        if let seconds = try source[tokenGapSeconds] { limits.betweenTokens = .seconds(seconds) }
        if let seconds = try source[answerSeconds] { limits.answer = .seconds(seconds) }
        return NexusSettings.Chat(
            service: service, contextTokenCount: contextTokenCount, answerTokenCount: answerTokenCount, limits: limits,
            temperature: try source[temperature], taskTemperature: try source[taskTemperature],
            fallback: try source[chatFallback], verification: try source[verification],
            promptSize: try source[promptBudget], promptPricePerMillion: try source[promptPrice],
            answerPricePerMillion: try source[answerPrice])
    }
}

/// Search, and the files of models and prompts.
extension Settings {
    static let rerankBaseURL = Setting<String?>("rerank.base-url", "none: nothing is reranked")
    static let rerankModel = Setting<String>("rerank.model", default: "default")
    static let rerankShape = Setting<RerankShape>("rerank.shape", default: .cohere)
    static let rerankKey = SecretSetting("rerank.api-key")
    static let searchFile = Setting<URL?>("search.settings-file", "the tuned defaults")
    static let searchLanguage = Setting<TextLanguage>("search.language", default: .english)
    static let promptsFolder = Setting<URL?>("prompts.folder", "the prompts in the program").showing { _ in nil }
    static let modelFolder = Setting<URL?>("model.dir", "~/.cache/nexus/models")
        .showing { $0.encoderFolder.deletingLastPathComponent().path }

    static let ofSearch: [any AnySetting] = [
        rerankBaseURL, rerankModel, rerankShape, rerankKey.text, rerankKey.file, searchFile, searchLanguage,
        promptsFolder, modelFolder,
    ]

    /// Reranking has its own key, because the key of another service must not be sent to it.
    static func rerank(_ source: SettingsSource) throws -> NexusSettings.Rerank? {
        guard let address = try source[rerankBaseURL] else { return nil }
        let service = NexusSettings.Service(
            provider: "compatible", baseURL: try checked(address, of: rerankBaseURL),
            key: try source[rerankKey], model: try source[rerankModel])
        return NexusSettings.Rerank(service: service, shape: try source[rerankShape])
    }

    /// Reads the search's settings from a file.
    static func search(_ file: URL) throws -> RetrievalSettings {
        guard let data = RegularFile.contents(file.path) else {
            throw SettingsError.unusableFile(
                key: searchFile.name, path: file.path, reason: FileTrouble.reading(file.path))
        }
        do {
            return try RetrievalSettings(json: data)
        } catch {
            throw SettingsError.inconsistent("\(file.path): \(error)")
        }
    }
}

extension NexusSettings {
    /// A model service and how to reach it.
    struct Service: Sendable {
        /// `openai` or `compatible`.
        var provider: String
        /// The address of its API; `/embeddings` and `/chat/completions` follow.
        var baseURL: String
        /// Its key; nil for a service that needs none.
        var key: SecretText?
        /// The model's name there.
        var model: String
    }

    /// The embedder.
    struct Embedding: Sendable {
        /// The service; nil for the built-in encoder.
        var service: Service?
        /// The model of the built-in encoder, if there is no service.
        var builtInModel = BuiltInModel.miniLM
        /// Wanted dimensions; nil for the model's own.
        var dimensions: Int?
        var queryPrefix: String
        var passagePrefix: String
        /// Whether an empty prefix was set, which is also meant for other models of the same service.
        var dropsQueryPrefix = false
        var dropsPassagePrefix = false
        /// The words that tell the service what a text is for; nil sends none.
        var inputTypes: InputTypes?
        /// The numbers that the service is asked to write vectors with; nil sends nothing.
        var outputType: OutputType?
        /// How long a request may take.
        var timeLimit: Duration
        var usesBase64: Bool
        var batchItemCount: Int
        var batchTokenCount: Int
        /// How many tokens a passage may have; nil for the embedder's default.
        var passageTokenLimit: Int?
        /// The price of a million tokens, in any currency; nil when not known.
        var pricePerMillion: Double?
        /// The most tokens of a day, then the backlog waits for the next day; nil for any number.
        var dailyTokenCap: Int?
        /// The most requests at once.
        var concurrency: Int
        /// How often a question is sent; not a setting: a server sends it once, because words find most without it.
        var questionAttemptLimit: Int?
    }

    /// The language model.
    struct Chat: Sendable {
        var service: Service
        var contextTokenCount: Int
        var answerTokenCount: Int
        /// How long an answer may take.
        var limits: ChatTimeLimits
        /// The temperature; nil for the service's default.
        var temperature: Double?
        /// The temperature of extraction, summaries and priorities.
        var taskTemperature: Double? = 0
        /// The answer to a question when the model fails.
        var fallback: AnswerFallback = .quote
        /// What happens to the sentences of an answer that no message supports.
        var verification: SupportMode = .mark
        /// How much the prompt of a question shows.
        var promptSize: PromptSize = .normal
        /// The price of a million tokens of prompts, in the currency of the other prices; nil when not known.
        var promptPricePerMillion: Double?
        /// The price of a million tokens of answers.
        var answerPricePerMillion: Double?
    }

    /// The reranking service.
    struct Rerank: Sendable {
        var service: Service
        var shape: RerankShape
    }
}
