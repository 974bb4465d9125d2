/// Weights in a safetensors file, under the names that BERT's checkpoints use.
struct SafetensorsWeights: WeightSource {
    let file: SafetensorsFile
    let shape: TransformerShape

    func words() throws(EncoderError) -> TransformerWeights.WordTable {
        .floats(try floats(.words, [shape.vocabularyCount, shape.width]))
    }

    func floats(
        _ name: WeightName, _ half: WeightName.Half, _ shape: [Int]
    ) throws(EncoderError) -> UnsafePointer<Float> {
        let name = Self.name(name) + (half == .weight ? ".weight" : ".bias")
        guard let start = try file.floats(name, shape: shape).baseAddress else { throw .wrongExtent(tensor: name) }
        return start
    }

    func withMatrix(
        _ name: WeightName, inputs: Int, outputs: Int, _ body: (UnsafePointer<Float>) -> Void
    ) throws(EncoderError) {
        body(try floats(name, .weight, [outputs, inputs]))
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
