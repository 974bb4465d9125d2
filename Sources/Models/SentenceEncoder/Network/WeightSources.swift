import CKernels
import Synchronization

/// Weights in safetensors files, under the names that BERT's checkpoints use.
///
/// Numbers of 16 bits become floats when the model is opened, those of the vectors of tokens as texts need them.
struct SafetensorsWeights: WeightSource {
    let files: SafetensorsFiles
    let shape: TransformerShape
    private let widened = WidenedTensors()

    init(files: SafetensorsFiles, shape: TransformerShape) { (self.files, self.shape) = (files, shape) }

    func words() throws(EncoderError) -> TransformerWeights.WordTable {
        let name = Self.name(.words) + ".weight"
        let (type, bytes) = try files.tensor(name, shape: [shape.vocabularyCount, shape.width])
        guard let kind = HalfMatrix.Kind(rawValue: type) else {
            return .floats(try floats(.words, [shape.vocabularyCount, shape.width]))
        }
        guard let start = bytes.baseAddress else { throw .wrongExtent(tensor: name) }
        return .halves(HalfMatrix(start: start, columnCount: shape.width, kind: kind))
    }

    func floats(
        _ name: WeightName, _ half: WeightName.Half, _ shape: [Int]
    ) throws(EncoderError) -> UnsafePointer<Float> {
        let name = tensorName(name, half)
        let (type, bytes) = try files.tensor(name, shape: shape)
        return try widened.floats(of: TensorBytes(name: name, elementType: type, bytes: bytes))
    }

    func withMatrix(
        _ name: WeightName, inputs: Int, outputs: Int, _ body: (UnsafePointer<Float>) -> Void
    ) throws(EncoderError) {
        let name = tensorName(name, .weight)
        let (type, bytes) = try files.tensor(name, shape: [outputs, inputs])
        try TensorBytes(name: name, elementType: type, bytes: bytes).withFloats(body)
    }

    /// The name of a tensor in the files; old checkpoints have other names for the parts of a norm.
    private func tensorName(_ name: WeightName, _ half: WeightName.Half) -> String {
        let base = Self.name(name)
        let usual = base + (half == .weight ? ".weight" : ".bias")
        guard base.hasSuffix("LayerNorm"), !files.contains(usual) else { return usual }
        let old = base + (half == .weight ? ".gamma" : ".beta")
        return files.contains(old) ? old : usual
    }

    private static func name(_ name: WeightName) -> String {
        switch name {
        case .words: "embeddings.word_embeddings"
        case .positions: "embeddings.position_embeddings"
        case .sentenceKinds: "embeddings.token_type_embeddings"
        case .embeddingNorm: "embeddings.LayerNorm"
        case .layer(let index, let part): "encoder.layer.\(index).\(Self.name(part))"
        }
    }

    private static func name(_ part: WeightName.LayerPart) -> String {
        switch part {
        case .query: "attention.self.query"
        case .key: "attention.self.key"
        case .value: "attention.self.value"
        case .attentionOutput: "attention.output.dense"
        case .attentionNorm: "attention.output.LayerNorm"
        case .inner: "intermediate.dense"
        case .output: "output.dense"
        case .outputNorm: "output.LayerNorm"
        }
    }
}

/// Weights in a ``QuantizedModelFile``.
///
/// Linear maps become floats when they are packed, 85 MB for multilingual-e5-small; the vectors of tokens stay in the
/// file, and become floats one by one as texts need them.
struct QuantizedWeights: WeightSource {
    let file: QuantizedModelFile

    var shape: TransformerShape { file.shape }

    func words() throws(EncoderError) -> TransformerWeights.WordTable {
        .quantized(try file.quantized(Self.name(.words), rows: shape.vocabularyCount, columns: shape.width))
    }

    func floats(
        _ name: WeightName, _ half: WeightName.Half, _ shape: [Int]
    ) throws(EncoderError) -> UnsafePointer<Float> {
        try file.floats(Self.name(name, half), shape: shape)
    }

    func withMatrix(
        _ name: WeightName, inputs: Int, outputs: Int, _ body: (UnsafePointer<Float>) -> Void
    ) throws(EncoderError) {
        let matrix = try file.quantized(Self.name(name, .weight), rows: outputs, columns: inputs)
        let floats = UnsafeMutablePointer<Float>.allocate(capacity: inputs * outputs)
        defer { floats.deallocate() }
        matrix.dequantize(0..<outputs, to: floats)
        body(floats)
    }

    private static func name(_ name: WeightName, _ half: WeightName.Half = .weight) -> String {
        let suffix = half == .weight ? ".w" : ".b"
        return switch name {
        case .words: "emb.word"
        case .positions: "emb.pos"
        case .sentenceKinds: "emb.type"
        case .embeddingNorm: "emb.ln\(suffix)"
        case .layer(let index, let part): "l\(index).\(Self.name(part))\(suffix)"
        }
    }

    private static func name(_ part: WeightName.LayerPart) -> String {
        switch part {
        case .query: "q"
        case .key: "k"
        case .value: "v"
        case .attentionOutput: "ao"
        case .attentionNorm: "aln"
        case .inner: "fi"
        case .output: "fo"
        case .outputNorm: "oln"
        }
    }
}

/// A matrix of 16-bit numbers in a mapped file.
///
/// The owner of the file must live as long as the value is used.
struct HalfMatrix {
    enum Kind: String {
        case half = "F16"
        case brain = "BF16"
    }

    let start: UnsafeRawPointer
    let columnCount: Int
    let kind: Kind

    /// Writes a row as floats.
    ///
    /// - Precondition: The matrix has the row.
    func widen(row: Int, to floats: UnsafeMutablePointer<Float>) {
        kind.widen(start + row * columnCount * 2, columnCount, to: floats)
    }
}

extension HalfMatrix.Kind {
    func widen(_ bytes: UnsafeRawPointer, _ count: Int, to floats: UnsafeMutablePointer<Float>) {
        switch self {
        case .half: nexus_widen_halves(floats, bytes, count)
        case .brain: nexus_widen_brain_floats(floats, bytes, count)
        }
    }
}

/// A tensor in a mapped file, whose numbers may have to be copied to be read as floats.
private struct TensorBytes {
    let name: String
    let elementType: String
    let bytes: UnsafeRawBufferPointer

    /// Calls `body` with the tensor as floats, which stay only as long as the call.
    func withFloats(_ body: (UnsafePointer<Float>) -> Void) throws(EncoderError) {
        if let floats = try inPlace() { return body(floats) }
        let floats = try copy()
        defer { floats.deallocate() }
        body(UnsafePointer(floats))
    }

    /// Returns the floats in the file; nil if they cannot be read there.
    func inPlace() throws(EncoderError) -> UnsafePointer<Float>? {
        guard let start = bytes.baseAddress else { throw .wrongExtent(tensor: name) }
        guard elementType == "F32", Int(bitPattern: start) % MemoryLayout<Float>.alignment == 0 else { return nil }
        let floats = start.assumingMemoryBound(to: Float.self)
        try checkFinite(floats, bytes.count / MemoryLayout<Float>.size)
        return floats
    }

    /// Returns the tensor as floats in new memory, which the caller must free.
    func copy() throws(EncoderError) -> UnsafeMutablePointer<Float> {
        let kind = HalfMatrix.Kind(rawValue: elementType)
        guard kind != nil || elementType == "F32" else { throw .wrongElementType(tensor: name, got: elementType) }
        guard let start = bytes.baseAddress else { throw .wrongExtent(tensor: name) }
        let count = bytes.count / (kind == nil ? 4 : 2)
        let floats = UnsafeMutablePointer<Float>.allocate(capacity: count)
        if let kind {
            kind.widen(start, count, to: floats)
        } else {
            UnsafeMutableRawPointer(floats).copyMemory(from: start, byteCount: count * 4)
        }
        do throws(EncoderError) { try checkFinite(UnsafePointer(floats), count) } catch {
            floats.deallocate()
            throw error
        }
        return floats
    }

    private func checkFinite(_ floats: UnsafePointer<Float>, _ count: Int) throws(EncoderError) {
        // Zero times a number is zero, unless the number is infinite or none.
        var sum: Float = 0
        for place in 0..<count { sum += floats[place] * 0 }
        guard sum == 0 else { throw .notFinite(tensor: name) }
    }
}

/// Copies of tensors that stay.
private final class WidenedTensors: Sendable {
    private struct Memory: @unchecked Sendable {
        /// Written before it is shared, freed by the owner.
        let start: UnsafeMutablePointer<Float>
    }

    private let copies = Mutex<[String: Memory]>([:])

    deinit {
        copies.withLock { copies in
            for copy in copies.values { copy.start.deallocate() }
        }
    }

    /// Returns the floats of a tensor, in the file or in a copy that stays as long as this object.
    func floats(of tensor: TensorBytes) throws(EncoderError) -> UnsafePointer<Float> {
        if let floats = try tensor.inPlace() { return floats }
        if let known = copies.withLock({ $0[tensor.name] }) { return UnsafePointer(known.start) }
        let memory = Memory(start: try tensor.copy())
        copies.withLock { $0[tensor.name] = memory }
        return UnsafePointer(memory.start)
    }
}
