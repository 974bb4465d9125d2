import ChatCore
import ModelClients
import SentenceEncoder

/// The embedder and service of a new generation.
struct EmbeddingTarget {
    let embedder: any Embedder
    let model: String
    let baseURL: String?
    let requestsDimensions: Bool
}

extension ConfiguredEmbedders {
    /// Returns the embedder that a re-embedding asks for.
    ///
    /// - Parameter request: The request; missing parts are taken from the settings.
    /// - Returns: The embedder; its service was not called yet.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` for values that do not fit together, and for a missing
    ///   key.
    func target(_ request: ReembedRequest) throws(ModelServiceError) -> EmbeddingTarget {
        let own = settings.embedding
        guard request.model != nil || request.dimensions != nil || request.baseURL != nil else {
            return EmbeddingTarget(
                embedder: configured, model: own.service?.model ?? own.builtInModel.name,
                baseURL: configuredBaseURL, requestsDimensions: own.dimensions != nil)
        }
        if request.baseURL == nil, own.service == nil {
            let model: BuiltInModel
            do throws(UnknownModelError) {
                model = try BuiltInModel.named(request.model ?? own.builtInModel.name, in: settings.modelFolder)
            } catch {
                throw .misconfigured(
                    reason: "\(error.reason); for a model of a service, its address is missing: --base-url")
            }
            return try builtInTarget(model, dimensions: request.dimensions)
        }
        // A service may have a model of the same name, and then it is meant.
        if request.baseURL == nil, let name = request.model, name != own.service?.model,
            let model = BuiltInModel.pinned(named: name)
        {
            return try builtInTarget(model, dimensions: request.dimensions)
        }
        let service = try service(for: request)
        let isOwnModel = own.service?.model == service.model && own.service?.baseURL == service.baseURL
        let usual = EmbeddingPreset.of(model: service.model)
        var embedding = own
        embedding.service = service
        embedding.dimensions = request.dimensions ?? (isOwnModel ? own.dimensions : nil)
        if !isOwnModel {
            let isOwnService = own.service?.baseURL == service.baseURL
            embedding.inputTypes = isOwnService ? own.inputTypes : nil
            embedding.outputType = isOwnService ? own.outputType : nil
            let isPrefixed = embedding.inputTypes == nil
            embedding.queryPrefix =
                isPrefixed && !(isOwnService && own.dropsQueryPrefix) ? usual?.queryPrefix ?? "" : ""
            embedding.passagePrefix =
                isPrefixed && !(isOwnService && own.dropsPassagePrefix) ? usual?.passagePrefix ?? "" : ""
        }
        return EmbeddingTarget(
            embedder: try makeEmbedder(service, embedding), model: service.model, baseURL: service.baseURL,
            requestsDimensions: embedding.dimensions != nil)
    }

    private func builtInTarget(
        _ model: BuiltInModel, dimensions: Int?
    ) throws(ModelServiceError) -> EmbeddingTarget {
        guard dimensions == nil || dimensions == model.dimensions else {
            throw .misconfigured(reason: "\(model.name) gives \(model.dimensions) dimensions")
        }
        let own = settings.embedding
        let isOwn = own.service == nil && own.builtInModel == model
        let space =
            isOwn
            ? BuiltInEmbedder.space(of: model, queryPrefix: own.queryPrefix, passagePrefix: own.passagePrefix)
            : BuiltInEmbedder.space(of: model)
        return EmbeddingTarget(
            embedder: builtIn(model, space), model: model.name, baseURL: nil, requestsDimensions: false)
    }

    private func service(for request: ReembedRequest) throws(ModelServiceError) -> NexusSettings.Service {
        let own = settings.embedding.service
        guard let address = request.baseURL ?? own?.baseURL else {
            throw .misconfigured(reason: "the address of this model's service is missing: --base-url")
        }
        guard let model = request.model ?? own?.model else {
            throw .misconfigured(reason: "the name of the model is missing: --model")
        }
        let isOpenAI = address == ProviderPreset.openAI.baseURL
        let provider = address == own?.baseURL ? own?.provider : nil
        let key = key(for: address)
        if isOpenAI, key == nil {
            throw .misconfigured(reason: "this address needs the key of OpenAI: set OPENAI_API_KEY")
        }
        return NexusSettings.Service(
            provider: provider ?? (isOpenAI ? "openai" : "compatible"), baseURL: address, key: key, model: model)
    }
}
