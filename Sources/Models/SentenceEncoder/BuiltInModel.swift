import Foundation

/// A model that the built-in encoder can read.
package enum BuiltInModel: String, CaseIterable, Sendable {
    /// For English: six layers, the smallest and fastest.
    case miniLM = "all-MiniLM-L6-v2"
    /// For a hundred languages: twelve layers, the pieces of XLM-R.
    case multilingualE5 = "multilingual-e5-small"

    /// The model's name in settings, in an embedding space and in the cache of models.
    package var name: String { rawValue }

    /// Components of a vector.
    package var dimensions: Int { 384 }

    /// The most tokens of a text that count, start and end token included.
    package var tokenLimit: Int {
        switch self {
        case .miniLM: 256
        case .multilingualE5: 512
        }
    }

    /// How long a passage is unless the settings say otherwise, in tokens.
    package var passageTokenLimit: Int { 256 }

    /// The prefix of questions that the model was trained with.
    package var queryPrefix: String { self == .multilingualE5 ? "query: " : "" }

    /// The prefix of passages that the model was trained with.
    package var passagePrefix: String { self == .multilingualE5 ? "passage: " : "" }

    /// The prefix of texts whose tokens are compared: the same for both sides, which the makers of E5 advise for texts
    /// of one kind.
    var tokenPrefix: String { queryPrefix }

    /// The layers after which token vectors are taken.
    ///
    /// All of them, as for the vectors of texts: inside the ranking, those gained recall@10 by 0.6 points over the
    /// fifth of MiniLM's 6 layers on LoCoMo, 0.2 on Molweni (eval/runs/2026-11-21-retrieval).
    package var tokenLayerCount: Int { self == .miniLM ? 6 : 12 }

    /// The files that it is read from.
    package var files: ModelFiles {
        switch self {
        case .miniLM: .standard
        case .multilingualE5: .multilingual
        }
    }

    /// Reads tokenizer and weights.
    func open(_ folder: URL, _ arithmetic: Arithmetic) throws(EncoderError) -> OpenedModel {
        switch self {
        case .miniLM: try Self.bert(folder, shape: .miniLM, arithmetic)
        case .multilingualE5: try Self.quantized(folder.appending(path: ModelFiles.multilingualFile), arithmetic)
        }
    }

    private static func bert(
        _ folder: URL, shape: TransformerShape, _ arithmetic: Arithmetic
    ) throws(EncoderError) -> OpenedModel {
        let file = try SafetensorsFile(url: folder.appending(path: "model.safetensors"))
        let weights = try TransformerWeights(
            SafetensorsWeights(file: file, shape: shape), kernels: arithmetic.kernels)
        let vocabulary = folder.appending(path: "vocab.txt")
        let tokenizer = try WordPieceTokenizer(vocabulary: vocabulary)
        guard tokenizer.vocabularyCount == shape.vocabularyCount else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        return OpenedModel(tokenizer: tokenizer, weights: weights)
    }

    /// Reads a model in one file.
    static func quantized(_ url: URL, _ arithmetic: Arithmetic) throws(EncoderError) -> OpenedModel {
        let file = try QuantizedModelFile(url: url)
        return OpenedModel(
            tokenizer: UnigramTokenizer(file),
            weights: try TransformerWeights(QuantizedWeights(file: file), kernels: arithmetic.kernels))
    }
}

/// A tokenizer and the network that reads its tokens.
struct OpenedModel: Sendable {
    let tokenizer: any SentenceTokenizer
    let weights: TransformerWeights
}
