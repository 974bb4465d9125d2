import CKernels

/// Working memory for BERT's forward pass over one batch of sentences, which the members of a team process together.
///
/// The tokens of all sentences of a batch are rows of one matrix, without padding. Each step is divided: projections by
/// columns, norms by rows, attention and pooling by sentences.
///
/// Unchecked: between two meetings of the team, members write to different parts and read only what was written before.
final class ForwardPass: @unchecked Sendable {
    private let weights: TransformerWeights
    private let shape: TransformerShape
    private let kernels: nexus_encoder_kernels
    private let linear: nexus_gemm_kernels
    private let tokenCapacity: Int
    /// A row for each token: its state, its three projections, attention's result, and the feed-forward part's middle.
    private let states, projections, mixed, inner: UnsafeMutablePointer<Float>
    /// A piece for each member.
    private let attentionScratch, linearScratch: UnsafeMutablePointer<Float>
    private let attentionScratchCount: Int

    /// The batch: sentences with their starts, and each token's id and position in its sentence.
    private var sentences: [Range<Int>] = []
    private var tokens: [(id: Int32, position: Int)] = []

    /// Makes the memory for batches: about 14 kB a token of 384 components.
    ///
    /// - Parameters:
    ///   - weights: The network.
    ///   - tokenCapacity: The most tokens of a batch.
    ///   - memberCount: How many members a team may have.
    init(weights: TransformerWeights, tokenCapacity: Int, memberCount: Int) {
        self.weights = weights
        shape = weights.shape
        attentionScratchCount = nexus_attention_scratch_count(
            min(tokenCapacity, shape.tokenLimit), shape.headWidth)
        kernels = nexus_best_encoder_kernels().pointee
        linear = weights.kernels
        self.tokenCapacity = tokenCapacity
        let width = shape.width
        states = .allocate(capacity: tokenCapacity * width)
        projections = .allocate(capacity: tokenCapacity * width * 3)
        mixed = .allocate(capacity: tokenCapacity * width)
        inner = .allocate(capacity: tokenCapacity * shape.innerWidth)
        attentionScratch = .allocate(capacity: memberCount * attentionScratchCount)
        linearScratch = .allocate(capacity: memberCount * nexus_gemm_scratch_count())
    }

    deinit {
        for buffer in [states, projections, mixed, inner, attentionScratch, linearScratch] { buffer.deallocate() }
    }

    /// Sets the batch that the next run is for, while no member runs.
    ///
    /// - Precondition: No sentence is empty or has more tokens than the network has positions; all together have at
    ///   most `tokenCapacity`; every id is one of the vocabulary.
    func load(_ batch: [[Int32]]) {
        tokens.removeAll(keepingCapacity: true)
        sentences = batch.map { sentence in
            let start = tokens.count
            for (position, id) in sentence.enumerated() { tokens.append((id, shape.firstPosition + position)) }
            return start..<tokens.count
        }
        precondition(tokens.count <= tokenCapacity, "the batch is larger than its memory")
    }

    /// Does a member's share of the batch; every member of the team must call this once.
    ///
    /// - Parameters:
    ///   - member: The calling member.
    ///   - layerCount: How many layers the batch passes, from the first; the same for all members.
    func run(_ member: ThreadTeam.Member, layerCount: Int) {
        embed(member)
        for layer in weights.layers.prefix(layerCount) {
            attend(layer, member)
            feedForward(layer, member)
        }
    }

    /// Returns the vector of each sentence, of length 1, when all members have run.
    func vectors(_ pooling: Pooling) -> [[Float]] {
        sentences.map { sentence in
            [Float](unsafeUninitializedCapacity: shape.width) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                let width = shape.width
                let rows = pooling == .mean ? sentence.count : 1
                kernels.mean_pool_unit(start, states + sentence.lowerBound * width, rows, width)
                count = width
            }
        }
    }

    /// Returns the states of each sentence's last tokens before the end token, row by row, when all members have run.
    ///
    /// - Parameter counts: The number of tokens of each sentence.
    /// - Returns: As many rows for each sentence, in sequence.
    func lastRows(_ counts: [Int]) -> [[Float]] {
        zip(sentences, counts).map { sentence, count in
            let start = states + (sentence.upperBound - 1 - count) * shape.width
            return Array(UnsafeBufferPointer(start: start, count: count * shape.width))
        }
    }

    /// states = norm(word + position + kind of sentence).
    private func embed(_ member: ThreadTeam.Member) {
        let width = shape.width
        for place in member.share(of: tokens.count) {
            let (row, token) = (states + place * width, tokens[place])
            switch weights.words {
            case .floats(let words): row.update(from: words + Int(token.id) * width, count: width)
            case .quantized(let words): words.dequantize(Int(token.id)..<Int(token.id) + 1, to: row)
            case .halves(let words): words.widen(row: Int(token.id), to: row)
            }
            let position = weights.positions + token.position * width
            normalize(row, adding: position, weights.sentenceKind, weights.embeddingNorm, rows: 1)
        }
        member.meet()
    }

    /// states = norm(states + attention(states)).
    private func attend(_ layer: TransformerWeights.Layer, _ member: ThreadTeam.Member) {
        let width = shape.width
        map(states, layer.queryKeyValue, into: projections, member)
        let scratch = attentionScratch + member.index * attentionScratchCount
        for place in member.share(of: sentences.count) {
            let start = sentences[place].lowerBound
            kernels.attention(
                mixed + start * width, projections + start * 3 * width, layer.queryKeyValueBias,
                sentences[place].count, shape.headCount, shape.headWidth, scratch)
        }
        member.meet()
        map(mixed, layer.attentionOutput.matrix, into: projections, member)
        addAndNormalize(projections, layer.attentionOutput.bias, layer.attentionNorm, member)
    }

    /// states = norm(states + output(gelu(inner(states)))).
    private func feedForward(_ layer: TransformerWeights.Layer, _ member: ThreadTeam.Member) {
        map(states, layer.inner.matrix, into: inner, member, bias: layer.inner.bias, .gelu)
        map(inner, layer.output.matrix, into: mixed, member)
        addAndNormalize(mixed, layer.output.bias, layer.outputNorm, member)
    }

    /// states = norm(states + rows + bias).
    private func addAndNormalize(
        _ rows: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ norm: TransformerWeights.Norm,
        _ member: ThreadTeam.Member
    ) {
        let share = member.share(of: tokens.count)
        let start = share.lowerBound * shape.width
        normalize(states + start, adding: rows + start, bias, norm, rows: share.count)
        member.meet()
    }

    private func normalize(
        _ states: UnsafeMutablePointer<Float>, adding others: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ norm: TransformerWeights.Norm, rows: Int
    ) {
        kernels.residual_layer_norm(
            states, others, bias, norm.gain, norm.shift, shape.epsilon, rows, shape.width)
    }

    /// result = finish(rows · matrixᵀ + bias), a member's share of the columns.
    private func map(
        _ rows: UnsafePointer<Float>, _ matrix: TransformerWeights.Matrix, into result: UnsafeMutablePointer<Float>,
        _ member: ThreadTeam.Member, bias: UnsafePointer<Float>? = nil,
        _ finish: nexus_gemm_finish = .none
    ) {
        let group = Int(nexus_gemm_panel_columns)
        let share = member.share(of: matrix.outputs / group)
        let start = share.lowerBound * group
        linear.multiply(
            result + start, matrix.outputs, rows, matrix.inputs,
            matrix.weight + nexus_gemm_packed_count(start, matrix.inputs), bias.map { $0 + start }, tokens.count,
            share.count * group, matrix.inputs, finish, linearScratch + member.index * nexus_gemm_scratch_count())
        member.meet()
    }
}
