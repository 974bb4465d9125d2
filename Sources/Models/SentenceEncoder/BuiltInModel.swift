package import Foundation

/// A model that the built-in encoder can read: one of two with pinned files, or any in a folder of the operator's.
package struct BuiltInModel: Equatable, Sendable {
    /// The model's name in settings, in an embedding space and in the cache of models.
    package let name: String
    /// Components of a vector.
    package let dimensions: Int
    /// The most tokens of a text that count, start and end token included.
    package let tokenLimit: Int
    /// The prefix of questions that the model was trained with.
    package var queryPrefix = ""
    /// The prefix of passages that the model was trained with.
    package var passagePrefix = ""
    /// Whether the model's folder states its prefixes.
    package private(set) var statesPrefixes = true
    /// The layers after which token vectors are taken.
    ///
    /// All of them, as for the vectors of texts: inside the ranking, those gained recall@10 by 0.6 points over the
    /// fifth of MiniLM's 6 layers on LoCoMo, 0.2 on Molweni (eval/runs/2026-11-21-retrieval).
    package let tokenLayerCount: Int
    /// The files that it is read from; none are pinned for a folder of the operator's.
    package let files: ModelFiles
    private let form: Form
    private(set) var pooling = Pooling.mean

    private enum Form: Equatable, Sendable {
        case pinned(TransformerShape)
        case quantized
        case folder
    }

    /// For English: six layers, the smallest and fastest.
    package static let miniLM = BuiltInModel(
        name: "all-MiniLM-L6-v2", dimensions: 384, tokenLimit: 256, tokenLayerCount: 6, files: .standard,
        form: .pinned(.miniLM))

    /// For a hundred languages: twelve layers, the pieces of XLM-R.
    package static let multilingualE5 = BuiltInModel(
        name: "multilingual-e5-small", dimensions: 384, tokenLimit: 512, queryPrefix: "query: ",
        passagePrefix: "passage: ", tokenLayerCount: 12, files: .multilingual, form: .quantized)

    /// The models whose files are pinned.
    package static let pinned = [miniLM, multilingualE5]

    /// Returns the model of this name whose files are pinned.
    package static func pinned(named name: String) -> BuiltInModel? { pinned.first { $0.name == name } }

    /// How long a passage is unless the settings say otherwise, in tokens.
    package var passageTokenLimit: Int { min(256, tokenLimit) }

    /// The prefix of texts whose tokens are compared: the same for both sides, which the makers of E5 advise for texts
    /// of one kind; none for models that want a prefix on one side only.
    var tokenPrefix: String { passagePrefix.isEmpty ? "" : queryPrefix }

    /// Checks the files: digests of pinned ones; others are opened once.
    ///
    /// - Throws: ``ModelFilesError``, ``EncoderError``.
    package func verify(folder: URL) throws {
        try files.verify(folder: folder)
        if case .folder = form { _ = try open(folder, .best) }
    }

    /// Reads tokenizer and weights.
    func open(_ folder: URL, _ arithmetic: Arithmetic) throws(EncoderError) -> OpenedModel {
        switch form {
        case .pinned(let shape): try Self.bert(folder, shape: shape, arithmetic)
        case .quantized: try Self.quantized(folder.appending(path: ModelFiles.multilingualFile), arithmetic)
        case .folder: try described(folder).open(arithmetic)
        }
    }

    private static func bert(
        _ folder: URL, shape: TransformerShape, _ arithmetic: Arithmetic
    ) throws(EncoderError) -> OpenedModel {
        let file = try SafetensorsFile(url: folder.appending(path: SafetensorsFiles.singleName))
        let weights = try TransformerWeights(
            SafetensorsWeights(files: SafetensorsFiles(file: file), shape: shape), kernels: arithmetic.kernels)
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

extension BuiltInModel {
    /// Reads what a folder in the form of the public hub says about its model; see ``ModelFolder``.
    ///
    /// - Parameter folder: The folder. Its name is the model's: vectors of two models must not have the same name.
    /// - Throws: ``EncoderError``.
    package init(folder: URL) throws(EncoderError) {
        let description = try ModelFolder(url: folder)
        self.init(
            name: folder.lastPathComponent, dimensions: description.shape.width, tokenLimit: description.tokenLimit,
            queryPrefix: description.prompts?.query ?? "", passagePrefix: description.prompts?.passage ?? "",
            statesPrefixes: description.prompts != nil, tokenLayerCount: description.shape.layerCount,
            files: ModelFiles(folderName: folder.lastPathComponent, files: []), form: .folder,
            pooling: description.pooling)
    }

    /// Returns the folder's description, if it is still that of this model.
    private func described(_ folder: URL) throws(EncoderError) -> ModelFolder {
        let description = try ModelFolder(url: folder)
        guard description.shape.width == dimensions, description.tokenLimit == tokenLimit,
            description.pooling == pooling
        else { throw .unsupported(file: "config.json", what: "it was changed; start nexus again") }
        return description
    }
}

/// A tokenizer and the network that reads its tokens.
struct OpenedModel: Sendable {
    let tokenizer: any SentenceTokenizer
    let weights: TransformerWeights
}
