import Foundation

/// A folder in the form of the public hub: the network's sizes in `config.json`, weights as safetensors, the tokenizer in
/// `tokenizer.json`, and how sentence-transformers makes one vector of a text.
///
/// Networks of the types `bert`, `roberta`, `xlm-roberta` and `camembert` are read, with tokenizers of the types WordPiece
/// and Unigram.
struct ModelFolder {
    /// The folder of the network, which may be inside of the model's.
    private let folder: URL
    /// The sizes of the network.
    let shape: TransformerShape
    let pooling: Pooling
    /// The most tokens of a text, start and end token included.
    let tokenLimit: Int
    /// The texts before questions and passages, if the folder states any.
    let prompts: (query: String, passage: String)?
    private let lowercases: Bool

    /// Reads all but the tokenizer and the weights.
    init(url: URL) throws(EncoderError) {
        let modules = try SentenceModules(folder: url)
        folder = modules.network
        pooling = modules.pooling
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw .unreadable(file: NetworkConfig.fileName)
        }
        shape = try folder.decoded(NetworkConfig.self, NetworkConfig.fileName).shape()
        let limits = try folder.decodedIfThere(TextLimits.self, TextLimits.fileName)
        lowercases = limits?.lowercases ?? false
        let tokenizerLimits = try folder.decodedIfThere(TokenizerLimits.self, TokenizerLimits.fileName)
        tokenLimit = min(limits?.tokenLimit ?? tokenizerLimits?.limit ?? shape.tokenLimit, shape.tokenLimit)
        guard tokenLimit >= 8 else {
            throw .unsupported(file: TextLimits.fileName, what: "texts of \(tokenLimit) tokens are too short")
        }
        prompts = try url.decodedIfThere(Prompts.self, Prompts.fileName)?.stated
    }

    /// Reads tokenizer and weights.
    func open(_ arithmetic: Arithmetic) throws(EncoderError) -> OpenedModel {
        let tokenizer = try tokenizer()
        let weights = SafetensorsWeights(files: try SafetensorsFiles(folder: folder), shape: shape)
        return OpenedModel(tokenizer: tokenizer, weights: try TransformerWeights(weights, kernels: arithmetic.kernels))
    }

    private func tokenizer() throws(EncoderError) -> any SentenceTokenizer {
        let file = try TokenizerFile(url: folder.appending(path: TokenizerFile.name))
        let tokenizer = try file.tokenizer(lowercases: lowercases)
        guard tokenizer.vocabularyCount <= shape.vocabularyCount else {
            throw .malformedVocabulary(file: TokenizerFile.name)
        }
        return tokenizer
    }
}

/// The sizes of a network as `config.json` states them.
private struct NetworkConfig: Decodable {
    static let fileName = "config.json"
    /// Types whose positions start after that of the padding.
    private static let robertaTypes = ["roberta", "xlm-roberta", "camembert"]

    let modelType: String?
    let hiddenSize, numHiddenLayers, numAttentionHeads, intermediateSize, vocabSize, maxPositionEmbeddings: Int?
    let typeVocabSize, padTokenId: Int?
    let layerNormEps: Float?
    let hiddenAct, positionEmbeddingType: String?
    let isDecoder: Bool?

    private enum CodingKeys: String, CodingKey {
        case modelType = "model_type"
        case hiddenSize = "hidden_size"
        case numHiddenLayers = "num_hidden_layers"
        case numAttentionHeads = "num_attention_heads"
        case intermediateSize = "intermediate_size"
        case vocabSize = "vocab_size"
        case maxPositionEmbeddings = "max_position_embeddings"
        case typeVocabSize = "type_vocab_size"
        case padTokenId = "pad_token_id"
        case layerNormEps = "layer_norm_eps"
        case hiddenAct = "hidden_act"
        case positionEmbeddingType = "position_embedding_type"
        case isDecoder = "is_decoder"
    }

    func shape() throws(EncoderError) -> TransformerShape {
        let isRoberta = Self.robertaTypes.contains(modelType ?? "")
        guard modelType == "bert" || isRoberta else {
            throw refused(
                "the type \(modelType ?? "of the model")", "bert, \(Self.robertaTypes.joined(separator: ", "))")
        }
        let activation = hiddenAct ?? "gelu"
        guard ["gelu", "gelu_python"].contains(activation) else {
            throw refused("the activation \(activation)", "gelu")
        }
        let positions = positionEmbeddingType ?? "absolute"
        guard positions == "absolute" else { throw refused("positions of the type \(positions)", "absolute") }
        guard isDecoder != true else { throw refused("a decoder", "encoders") }
        guard let hiddenSize, let numHiddenLayers, let numAttentionHeads, let intermediateSize, let vocabSize,
            let maxPositionEmbeddings
        else { throw .malformedFile(file: Self.fileName) }
        let padding = padTokenId ?? 1
        guard (0..<maxPositionEmbeddings).contains(padding) || !isRoberta else {
            throw .malformedFile(file: Self.fileName)
        }
        let shape = TransformerShape(
            vocabularyCount: vocabSize, positionCount: maxPositionEmbeddings, sentenceKindCount: typeVocabSize ?? 2,
            layerCount: numHiddenLayers, headCount: numAttentionHeads, width: hiddenSize,
            innerWidth: intermediateSize, epsilon: layerNormEps ?? (isRoberta ? 1e-5 : 1e-12),
            firstPosition: isRoberta ? padding + 1 : 0)
        guard shape.isSupported else { throw .unsupportedShape(file: Self.fileName) }
        return shape
    }

    private func refused(_ what: String, _ known: String) -> EncoderError {
        .unsupported(file: Self.fileName, what: "\(what) is not supported, only \(known)")
    }
}

/// How sentence-transformers reads texts: `sentence_bert_config.json`.
private struct TextLimits: Decodable {
    static let fileName = "sentence_bert_config.json"

    let tokenLimit: Int?
    let lowercases: Bool?

    private enum CodingKeys: String, CodingKey {
        case tokenLimit = "max_seq_length"
        case lowercases = "do_lower_case"
    }
}

/// How many tokens the tokenizer lets through: `tokenizer_config.json`, where some write 10^30 for any number.
private struct TokenizerLimits: Decodable {
    static let fileName = "tokenizer_config.json"

    let limit: Int?

    private enum CodingKeys: String, CodingKey { case limit = "model_max_length" }

    init(from decoder: any Decoder) throws {
        let number = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Double.self, forKey: .limit)
        limit = number.flatMap { $0 >= 1 && $0 < 1e9 ? Int($0) : nil }
    }
}

/// The texts before questions and passages: `config_sentence_transformers.json`.
private struct Prompts: Decodable {
    static let fileName = "config_sentence_transformers.json"

    let prompts: [String: String]?

    /// The prompts; nil if none is stated, or both are empty, as new folders are saved.
    var stated: (query: String, passage: String)? {
        guard let prompts else { return nil }
        let (query, passage) = (prompts["query"] ?? "", prompts["document"] ?? prompts["passage"] ?? "")
        return query.isEmpty && passage.isEmpty ? nil : (query, passage)
    }
}

/// The steps from a text to its vector: `modules.json`, and `1_Pooling/config.json`.
private struct SentenceModules {
    private static let fileName = "modules.json"
    private static let usualPooling = "1_Pooling"

    /// The folder of the network.
    let network: URL
    let pooling: Pooling

    private struct Module: Decodable {
        let path: String?
        let type: String

        var kind: String { String(type.split(separator: ".").last ?? "") }
    }

    init(folder: URL) throws(EncoderError) {
        guard let modules = try folder.decodedIfThere([Module].self, Self.fileName) else {
            network = folder
            let config = try folder.decodedIfThere(
                PoolingConfig.self, "\(Self.usualPooling)/\(PoolingConfig.fileName)")
            pooling = if let config { try config.pooling() } else { .mean }
            return
        }
        let known = ["Transformer", "Pooling", "Normalize"]
        if let other = modules.first(where: { !known.contains($0.kind) }) {
            throw .unsupported(
                file: Self.fileName,
                what: "the step \(other.kind) is not supported, only \(known.joined(separator: ", "))")
        }
        // Vectors are scaled to length 1 with or without the last one.
        guard modules.map(\.kind).elementsEqual(known.prefix(modules.count)), modules.count >= 1 else {
            throw .unsupported(file: Self.fileName, what: "the steps must be \(known.joined(separator: ", "))")
        }
        for path in modules.compactMap(\.path) where !path.isEmpty && path != "." && !path.isFileName {
            throw .malformedFile(file: Self.fileName)
        }
        let inside = modules[0].path ?? ""
        network = inside.isEmpty || inside == "." ? folder : folder.appending(path: inside)
        guard modules.count > 1 else {
            pooling = .mean
            return
        }
        pooling = try folder.decoded(
            PoolingConfig.self, "\(modules[1].path ?? Self.usualPooling)/\(PoolingConfig.fileName)"
        ).pooling()
    }
}

/// How a text's vector is made of those of its tokens.
private struct PoolingConfig: Decodable {
    static let fileName = "config.json"

    let mode: String?
    let includesPrompt: Bool?
    let start, mean, max, scaledSum, weighted, last: Bool?

    private enum CodingKeys: String, CodingKey {
        case mode = "pooling_mode"
        case includesPrompt = "include_prompt"
        case start = "pooling_mode_cls_token"
        case mean = "pooling_mode_mean_tokens"
        case max = "pooling_mode_max_tokens"
        case scaledSum = "pooling_mode_mean_sqrt_len_tokens"
        case weighted = "pooling_mode_weightedmean_tokens"
        case last = "pooling_mode_lasttoken"
    }

    func pooling() throws(EncoderError) -> Pooling {
        var modes = mode.map { [$0] } ?? []
        let flags = [
            ("cls", start), ("mean", mean), ("max", max), ("mean_sqrt_len_tokens", scaledSum),
            ("weightedmean", weighted), ("lasttoken", last),
        ]
        if mode == nil { modes = flags.filter { $0.1 == true }.map(\.0) }
        guard includesPrompt != false else { throw refused("leaving out the prompt") }
        switch modes {
        case ["cls"]: return .start
        // At length 1 the sum, however scaled, is the mean.
        case ["mean"], ["mean_sqrt_len_tokens"]: return .mean
        default: throw refused(modes.isEmpty ? "no kind" : modes.joined(separator: " with "))
        }
    }

    private func refused(_ what: String) -> EncoderError {
        .unsupported(file: "1_Pooling/\(Self.fileName)", what: "\(what) is not supported, only mean and cls")
    }
}
