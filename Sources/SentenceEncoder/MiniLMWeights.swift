import Foundation

/// The weights of all-MiniLM-L6-v2: pointers into the mapped file.
///
/// Projections are stored as in the file, one row for each output component.
///
/// Unchecked: the memory is only read, and `file` keeps it.
struct MiniLMWeights: @unchecked Sendable {
    typealias Floats = UnsafePointer<Float>

    /// One transformer layer.
    struct Layer {
        let query, key, value: Floats
        /// The biases of query, key and value, one after the other.
        let queryKeyValueBias: [Float]
        let attentionOutput: Projection
        let attentionNorm: Norm
        let inner: Projection
        let output: Projection
        let outputNorm: Norm
    }

    /// A linear map and its bias.
    struct Projection {
        let weight, bias: Floats
    }

    /// The parameters of a layer normalisation.
    struct Norm {
        let gain, shift: Floats
    }

    let words: Floats
    let positions: Floats
    /// What is added to every token: the row of the first of two kinds of sentences.
    let sentenceKind: Floats
    let embeddingNorm: Norm
    let layers: [Layer]
    private let file: SafetensorsFile

    /// Finds every tensor in a file.
    init(url: URL) throws(EncoderError) {
        let file = try SafetensorsFile(url: url)
        let reader = TensorReader(file: file)
        let width = MiniLMShape.width
        words = try reader.floats("embeddings.word_embeddings.weight", [MiniLMShape.vocabularyCount, width])
        positions = try reader.floats("embeddings.position_embeddings.weight", [MiniLMShape.positionCount, width])
        sentenceKind = try reader.floats("embeddings.token_type_embeddings.weight", [2, width])
        embeddingNorm = try reader.norm("embeddings.LayerNorm")
        var layers: [Layer] = []
        for index in 0..<MiniLMShape.layerCount { layers.append(try reader.layer("encoder.layer.\(index)")) }
        self.layers = layers
        self.file = file
    }
}

/// Finds tensors by the names that BERT's checkpoints use.
private struct TensorReader {
    let file: SafetensorsFile

    func floats(_ name: String, _ shape: [Int]) throws(EncoderError) -> MiniLMWeights.Floats {
        guard let start = try file.floats(name, shape: shape).baseAddress else { throw .wrongExtent(tensor: name) }
        return start
    }

    func norm(_ name: String) throws(EncoderError) -> MiniLMWeights.Norm {
        MiniLMWeights.Norm(
            gain: try floats("\(name).weight", [MiniLMShape.width]),
            shift: try floats("\(name).bias", [MiniLMShape.width]))
    }

    func projection(_ name: String, from inputs: Int, to outputs: Int) throws(EncoderError) -> MiniLMWeights.Projection
    {
        MiniLMWeights.Projection(
            weight: try floats("\(name).weight", [outputs, inputs]), bias: try floats("\(name).bias", [outputs]))
    }

    func layer(_ name: String) throws(EncoderError) -> MiniLMWeights.Layer {
        let (width, innerWidth) = (MiniLMShape.width, MiniLMShape.innerWidth)
        let query = try projection("\(name).attention.self.query", from: width, to: width)
        let key = try projection("\(name).attention.self.key", from: width, to: width)
        let value = try projection("\(name).attention.self.value", from: width, to: width)
        var biases: [Float] = []
        for bias in [query.bias, key.bias, value.bias] { biases += UnsafeBufferPointer(start: bias, count: width) }
        return MiniLMWeights.Layer(
            query: query.weight, key: key.weight, value: value.weight, queryKeyValueBias: biases,
            attentionOutput: try projection("\(name).attention.output.dense", from: width, to: width),
            attentionNorm: try norm("\(name).attention.output.LayerNorm"),
            inner: try projection("\(name).intermediate.dense", from: width, to: innerWidth),
            output: try projection("\(name).output.dense", from: innerWidth, to: width),
            outputNorm: try norm("\(name).output.LayerNorm"))
    }
}
