import CKernels

/// The weights of a BERT-like network: pointers into a mapped file, and projections packed for the kernels.
///
/// Unchecked: the memory is only read; `file` and `packed` retain it.
struct TransformerWeights: @unchecked Sendable {
    typealias Floats = UnsafePointer<Float>

    /// One transformer layer.
    struct Layer {
        /// Query, key and value, one after the other; attention adds the bias.
        let queryKeyValue: Matrix
        let queryKeyValueBias: [Float]
        let attentionOutput: Projection
        let attentionNorm: Norm
        let inner: Projection
        let output: Projection
        let outputNorm: Norm
    }

    /// A linear map, packed by ``PackedWeights``.
    struct Matrix {
        let weight: Floats
        let inputs, outputs: Int
    }

    /// A linear map and its bias.
    struct Projection {
        let matrix: Matrix
        let bias: Floats
    }

    /// The parameters of a layer normalisation.
    struct Norm {
        let gain, shift: Floats
    }

    /// The vectors of tokens, one row for each id.
    enum WordTable {
        case floats(Floats)
        case quantized(QuantizedMatrix)
        case halves(HalfMatrix)
    }

    let shape: TransformerShape
    let words: WordTable
    let positions: Floats
    /// Added to every token: the row for the first kind of sentences.
    let sentenceKind: Floats
    let embeddingNorm: Norm
    let layers: [Layer]
    private let file: any Sendable
    private let packed: PackedWeights

    /// The kernels that the projections are packed for.
    var kernels: nexus_gemm_kernels { packed.kernels }

    /// Takes all weights from a file.
    init(_ source: some WeightSource, kernels: nexus_gemm_kernels) throws(EncoderError) {
        shape = source.shape
        packed = PackedWeights(shapes: shape.linearMaps, kernels: kernels)
        let reader = WeightReader(source: source, packed: packed)
        words = try source.words()
        positions = try source.floats(.positions, [shape.positionCount, shape.width])
        sentenceKind = try source.floats(.sentenceKinds, [shape.sentenceKindCount, shape.width])
        embeddingNorm = try reader.norm(.embeddingNorm)
        var layers: [Layer] = []
        for index in 0..<shape.layerCount { layers.append(try reader.layer(index)) }
        self.layers = layers
        file = source
    }
}

/// The parts of a network that have weights.
enum WeightName {
    case words, positions, sentenceKinds
    /// A normalisation has a gain and a shift.
    case embeddingNorm
    case layer(Int, LayerPart)

    enum LayerPart {
        case query, key, value, attentionOutput, inner, output
        case attentionNorm, outputNorm
    }

    /// The two tensors of a projection or a normalisation: its matrix or gain, and its bias or shift.
    enum Half { case weight, bias }
}

/// A file of weights, which names them in its own way.
protocol WeightSource: Sendable {
    var shape: TransformerShape { get }

    /// Returns the vectors of tokens.
    func words() throws(EncoderError) -> TransformerWeights.WordTable

    /// Returns a tensor of floats, row-major; valid as long as this value or a copy of it.
    func floats(_ name: WeightName, _ half: WeightName.Half, _ shape: [Int]) throws(EncoderError)
        -> UnsafePointer<Float>

    /// Calls `body` with the matrix of a projection as floats: `outputs` rows of `inputs` floats.
    func withMatrix(
        _ name: WeightName, inputs: Int, outputs: Int, _ body: (UnsafePointer<Float>) -> Void
    ) throws(EncoderError)
}

extension WeightSource {
    func floats(_ name: WeightName, _ shape: [Int]) throws(EncoderError) -> UnsafePointer<Float> {
        try floats(name, .weight, shape)
    }
}

/// Reads the layers of a network and packs their linear maps.
private struct WeightReader<Source: WeightSource> {
    let source: Source
    let packed: PackedWeights

    func norm(_ name: WeightName) throws(EncoderError) -> TransformerWeights.Norm {
        let width = source.shape.width
        return TransformerWeights.Norm(
            gain: try source.floats(name, .weight, [width]), shift: try source.floats(name, .bias, [width]))
    }

    func layer(_ index: Int) throws(EncoderError) -> TransformerWeights.Layer {
        let (width, innerWidth) = (source.shape.width, source.shape.innerWidth)
        // Packed one after the other, the three projections become one.
        let query = try matrix(.layer(index, .query), from: width, to: width)
        _ = try matrix(.layer(index, .key), from: width, to: width)
        _ = try matrix(.layer(index, .value), from: width, to: width)
        var biases: [Float] = []
        for part in [WeightName.LayerPart.query, .key, .value] {
            let bias = try source.floats(.layer(index, part), .bias, [width])
            biases += UnsafeBufferPointer(start: bias, count: width)
        }
        return TransformerWeights.Layer(
            queryKeyValue: TransformerWeights.Matrix(weight: query.weight, inputs: width, outputs: 3 * width),
            queryKeyValueBias: biases,
            attentionOutput: try projection(.layer(index, .attentionOutput), from: width, to: width),
            attentionNorm: try norm(.layer(index, .attentionNorm)),
            inner: try projection(.layer(index, .inner), from: width, to: innerWidth),
            output: try projection(.layer(index, .output), from: innerWidth, to: width),
            outputNorm: try norm(.layer(index, .outputNorm)))
    }

    private func matrix(
        _ name: WeightName, from inputs: Int, to outputs: Int
    ) throws(EncoderError) -> TransformerWeights.Matrix {
        var start: UnsafePointer<Float>?
        try source.withMatrix(name, inputs: inputs, outputs: outputs) {
            start = packed.append($0, columns: outputs, terms: inputs)
        }
        guard let start else { preconditionFailure("the source calls the body once") }
        return TransformerWeights.Matrix(weight: start, inputs: inputs, outputs: outputs)
    }

    private func projection(
        _ name: WeightName, from inputs: Int, to outputs: Int
    ) throws(EncoderError) -> TransformerWeights.Projection {
        TransformerWeights.Projection(
            matrix: try matrix(name, from: inputs, to: outputs), bias: try source.floats(name, .bias, [outputs]))
    }
}
