import CKernels
import Foundation

/// The weights of all-MiniLM-L6-v2: pointers into the mapped file, and projections packed for the kernels.
///
/// Unchecked: the memory is only read; `file` and `packed` retain it.
struct MiniLMWeights: @unchecked Sendable {
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

    let words: Floats
    let positions: Floats
    /// Added to every token: the row for the first of two kinds of sentences.
    let sentenceKind: Floats
    let embeddingNorm: Norm
    let layers: [Layer]
    private let file: SafetensorsFile
    private let packed: PackedWeights

    /// The kernels that the projections are packed for.
    var kernels: nexus_gemm_kernels { packed.kernels }

    /// Finds every tensor in a file.
    init(url: URL, kernels: nexus_gemm_kernels) throws(EncoderError) {
        let file = try SafetensorsFile(url: url)
        let width = MiniLMShape.width
        let packed = PackedWeights(shapes: Self.projectionShapes, kernels: kernels)
        let reader = TensorReader(file: file, packed: packed)
        words = try reader.floats("embeddings.word_embeddings.weight", [MiniLMShape.vocabularyCount, width])
        positions = try reader.floats("embeddings.position_embeddings.weight", [MiniLMShape.positionCount, width])
        sentenceKind = try reader.floats("embeddings.token_type_embeddings.weight", [2, width])
        embeddingNorm = try reader.norm("embeddings.LayerNorm")
        var layers: [Layer] = []
        for index in 0..<MiniLMShape.layerCount { layers.append(try reader.layer("encoder.layer.\(index)")) }
        self.layers = layers
        self.file = file
        self.packed = packed
    }

    private static let projectionShapes: [(columns: Int, terms: Int)] = {
        let (width, innerWidth) = (MiniLMShape.width, MiniLMShape.innerWidth)
        let layer = [(3 * width, width), (width, width), (innerWidth, width), (width, innerWidth)]
        return (0..<MiniLMShape.layerCount).flatMap { _ in layer }
    }()
}

/// Finds tensors by the names that BERT's checkpoints use.
private struct TensorReader {
    let file: SafetensorsFile
    let packed: PackedWeights

    func floats(_ name: String, _ shape: [Int]) throws(EncoderError) -> MiniLMWeights.Floats {
        guard let start = try file.floats(name, shape: shape).baseAddress else { throw .wrongExtent(tensor: name) }
        return start
    }

    func norm(_ name: String) throws(EncoderError) -> MiniLMWeights.Norm {
        MiniLMWeights.Norm(
            gain: try floats("\(name).weight", [MiniLMShape.width]),
            shift: try floats("\(name).bias", [MiniLMShape.width]))
    }

    /// Packs a matrix.
    func matrix(_ name: String, from inputs: Int, to outputs: Int) throws(EncoderError) -> MiniLMWeights.Matrix {
        let weight = try floats("\(name).weight", [outputs, inputs])
        return MiniLMWeights.Matrix(
            weight: packed.append(weight, columns: outputs, terms: inputs), inputs: inputs, outputs: outputs)
    }

    func projection(_ name: String, from inputs: Int, to outputs: Int) throws(EncoderError) -> MiniLMWeights.Projection
    {
        MiniLMWeights.Projection(
            matrix: try matrix(name, from: inputs, to: outputs), bias: try floats("\(name).bias", [outputs]))
    }

    func layer(_ name: String) throws(EncoderError) -> MiniLMWeights.Layer {
        let (width, innerWidth) = (MiniLMShape.width, MiniLMShape.innerWidth)
        let (attention, biases) = try queryKeyValue("\(name).attention.self")
        return MiniLMWeights.Layer(
            queryKeyValue: attention, queryKeyValueBias: biases,
            attentionOutput: try projection("\(name).attention.output.dense", from: width, to: width),
            attentionNorm: try norm("\(name).attention.output.LayerNorm"),
            inner: try projection("\(name).intermediate.dense", from: width, to: innerWidth),
            output: try projection("\(name).output.dense", from: innerWidth, to: width),
            outputNorm: try norm("\(name).output.LayerNorm"))
    }

    /// Packs the three projections one after the other, which makes them one.
    private func queryKeyValue(_ name: String) throws(EncoderError) -> (MiniLMWeights.Matrix, [Float]) {
        let width = MiniLMShape.width
        let query = try matrix("\(name).query", from: width, to: width)
        _ = try matrix("\(name).key", from: width, to: width)
        _ = try matrix("\(name).value", from: width, to: width)
        var biases: [Float] = []
        for part in ["query", "key", "value"] {
            biases += UnsafeBufferPointer(start: try floats("\(name).\(part).bias", [width]), count: width)
        }
        return (MiniLMWeights.Matrix(weight: query.weight, inputs: width, outputs: 3 * width), biases)
    }
}

/// The sizes of all-MiniLM-L6-v2.
enum MiniLMShape {
    static let vocabularyCount = 30_522
    static let positionCount = 512
    static let layerCount = 6
    static let headCount = 12
    /// Components of a token between layers.
    static let width = 384
    /// Components between the two projections of a layer's feed-forward part.
    static let innerWidth = 1_536
    static let epsilon: Float = 1e-12
}

/// The weights of linear maps, packed for the kernels of this processor in one piece of memory.
///
/// Packed once when the model is opened: 43 MB that every batch reads completely, in large pages if the system provides
/// them, because a page of 4 kB contains only 2 to 8 rows of a matrix.
///
/// Unchecked: only `append` writes, and it is called before the object is shared.
final class PackedWeights: @unchecked Sendable {
    private static let pageSize = 2 << 20

    /// The kernels that these weights are packed for.
    let kernels: nexus_gemm_kernels
    private let memory: UnsafeMutablePointer<Float>
    private let capacity: Int
    private var count = 0

    /// Makes the memory for matrices of these shapes.
    init(shapes: [(columns: Int, terms: Int)], kernels: nexus_gemm_kernels) {
        self.kernels = kernels
        capacity = shapes.reduce(0) { $0 + nexus_gemm_packed_count($1.columns, $1.terms) }
        let bytes = (capacity * MemoryLayout<Float>.stride + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        let raw = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Self.pageSize)
        #if os(Linux)
        _ = madvise(raw, bytes, MADV_HUGEPAGE)
        #endif
        memory = raw.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }

    /// Packs a matrix of `columns` rows, one for each output, of `terms` floats after the earlier ones.
    ///
    /// Matrices with the same terms whose columns are multiples of `nexus_gemm_panel_columns` become one.
    ///
    /// - Returns: Its start; valid as long as this object.
    /// - Precondition: The memory was allocated for the shapes of all matrices.
    func append(_ weight: UnsafePointer<Float>, columns: Int, terms: Int) -> UnsafePointer<Float> {
        let start = memory + count
        count += nexus_gemm_packed_count(columns, terms)
        precondition(count <= capacity, "more weights than announced")
        kernels.pack(start, weight, columns, terms)
        return UnsafePointer(start)
    }
}
