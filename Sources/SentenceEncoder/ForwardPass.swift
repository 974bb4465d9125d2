import CBLAS
import CKernels

/// One thread's working memory for BERT's forward pass over batches of sentences.
///
/// The tokens of all sentences of a batch stand one below the other in one matrix, without padding: projections and
/// norms see a matrix, attention and pooling see one sentence after the other.
final class ForwardPass {
    private let weights: MiniLMWeights
    private let kernels: nexus_encoder_kernels
    private let tokenCapacity: Int
    /// A row for each token: its state, its three projections, attention's result, and the feed-forward part's middle.
    private let states, projections, mixed, inner: UnsafeMutablePointer<Float>
    private let attentionScratch: UnsafeMutablePointer<Float>

    /// Makes the memory for batches of up to `tokenCapacity` tokens, 14 kB a token.
    init(weights: MiniLMWeights, tokenCapacity: Int) {
        self.weights = weights
        kernels = nexus_best_encoder_kernels().pointee
        self.tokenCapacity = tokenCapacity
        let width = MiniLMShape.width
        states = .allocate(capacity: tokenCapacity * width)
        projections = .allocate(capacity: tokenCapacity * width * 3)
        mixed = .allocate(capacity: tokenCapacity * width)
        inner = .allocate(capacity: tokenCapacity * MiniLMShape.innerWidth)
        attentionScratch = .allocate(capacity: nexus_attention_scratch_count(tokenCapacity))
    }

    deinit {
        for buffer in [states, projections, mixed, inner, attentionScratch] { buffer.deallocate() }
    }

    /// Returns the vector of each sentence, of length 1.
    ///
    /// - Precondition: No sentence is empty or has more tokens than the model has positions; all together have at
    ///   most `tokenCapacity`; every id is one of the vocabulary.
    func vectors(of sentences: [[Int32]]) -> [[Float]] {
        let tokenCount = sentences.reduce(0) { $0 + $1.count }
        precondition(tokenCount <= tokenCapacity, "the batch is larger than its memory")
        embed(sentences)
        for layer in weights.layers {
            attend(layer, sentences, tokenCount)
            feedForward(layer, tokenCount)
        }
        return pool(sentences)
    }

    /// states = norm(word + position + kind of sentence).
    private func embed(_ sentences: [[Int32]]) {
        let width = MiniLMShape.width
        var row = states
        for sentence in sentences {
            for (index, id) in sentence.enumerated() {
                (row + index * width).update(from: weights.words + Int(id) * width, count: width)
            }
            normalize(row, adding: weights.positions, weights.sentenceKind, weights.embeddingNorm, sentence.count)
            row += sentence.count * width
        }
    }

    /// states = norm(states + attention(states)).
    private func attend(_ layer: MiniLMWeights.Layer, _ sentences: [[Int32]], _ tokenCount: Int) {
        let width = MiniLMShape.width
        for (index, weight) in [layer.query, layer.key, layer.value].enumerated() {
            multiply(states, weight, into: projections + index * width, tokenCount, width, width, stride: 3 * width)
        }
        var start = 0
        for sentence in sentences {
            kernels.attention(
                mixed + start * width, projections + start * 3 * width, layer.queryKeyValueBias, sentence.count,
                MiniLMShape.headCount, attentionScratch)
            start += sentence.count
        }
        multiply(mixed, layer.attentionOutput.weight, into: projections, tokenCount, width, width, stride: width)
        normalize(states, adding: projections, layer.attentionOutput.bias, layer.attentionNorm, tokenCount)
    }

    /// states = norm(states + output(gelu(inner(states)))).
    private func feedForward(_ layer: MiniLMWeights.Layer, _ tokenCount: Int) {
        let (width, innerWidth) = (MiniLMShape.width, MiniLMShape.innerWidth)
        multiply(states, layer.inner.weight, into: inner, tokenCount, width, innerWidth, stride: innerWidth)
        kernels.bias_gelu(inner, layer.inner.bias, tokenCount, innerWidth)
        multiply(inner, layer.output.weight, into: mixed, tokenCount, innerWidth, width, stride: width)
        normalize(states, adding: mixed, layer.output.bias, layer.outputNorm, tokenCount)
    }

    private func pool(_ sentences: [[Int32]]) -> [[Float]] {
        var row = states
        return sentences.map { sentence in
            defer { row += sentence.count * MiniLMShape.width }
            return [Float](unsafeUninitializedCapacity: MiniLMShape.width) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                kernels.mean_pool_unit(start, row, sentence.count, MiniLMShape.width)
                count = MiniLMShape.width
            }
        }
    }

    private func normalize(
        _ rows: UnsafeMutablePointer<Float>, adding others: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ norm: MiniLMWeights.Norm, _ tokenCount: Int
    ) {
        kernels.residual_layer_norm(
            rows, others, bias, norm.gain, norm.shift, MiniLMShape.epsilon, tokenCount, MiniLMShape.width)
    }

    /// result = rows · weightᵀ; a row of `result` starts every `stride` floats.
    private func multiply(
        _ rows: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>,
        _ tokenCount: Int, _ inputs: Int, _ outputs: Int, stride: Int
    ) {
        cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasTrans, Int32(tokenCount), Int32(outputs), Int32(inputs), 1, rows,
            Int32(inputs), weight, Int32(inputs), 0, result, Int32(stride))
    }
}
