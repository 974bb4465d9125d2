public import Foundation
import Synchronization

/// all-MiniLM-L6-v2: turns a text into a vector of length 1 whose dot product with another text's is their similarity.
///
/// The vector is the mean of the last layer's tokens, as sentence-transformers computes it; a text is cut to
/// ``tokenLimit`` tokens. Results do not depend on the thread count, and on the other texts of a call only by rounding
/// (below 1e-5). A value may be used from any number of threads at once; copies share the weights.
///
/// Work is shared out over `threadCount` threads that live as long as a call; a call of few tokens is worked on by all of
/// them together, a larger one batch by batch.
///
/// Linear maps use what the processor offers, see ``Arithmetic``; vectors differ between kinds by less than 1e-5.
public struct MiniLMEncoder: Sendable {
    /// Components of a vector.
    public static let dimensions = MiniLMShape.width
    /// The most tokens of a text that count, start and end token included.
    public static let tokenLimit = 256

    /// Texts that are cut into tokens at a time; bounds the memory, and is the grain of cancellation before a batch.
    static let windowTextCount = 1_024
    /// Tokens of a batch: 7 MB of memory a thread.
    static let defaultBatchTokenLimit = 512

    private let tokenizer: WordPieceTokenizer
    private let weights: MiniLMWeights
    private let threadCount: Int
    private let batchTokenLimit: Int

    /// Opens the model: maps the weights, checks their shapes and reads the vocabulary.
    ///
    /// - Parameters:
    ///   - folder: Holds `model.safetensors` and `vocab.txt`; see ``ModelFiles``, which checks their digests.
    ///   - threadCount: The threads that one call may use.
    /// - Throws: ``EncoderError``.
    /// - Precondition: `threadCount` is at least 1.
    public init(folder: URL, threadCount: Int) throws(EncoderError) {
        try self.init(
            folder: folder, threadCount: threadCount, batchTokenLimit: Self.defaultBatchTokenLimit, arithmetic: .best)
    }

    /// Opens the model with another size of batches or another arithmetic.
    ///
    /// - Precondition: The processor has the arithmetic.
    package init(folder: URL, threadCount: Int, batchTokenLimit: Int, arithmetic: Arithmetic) throws(EncoderError) {
        precondition(threadCount >= 1 && batchTokenLimit >= 1, "work needs a thread and a token")
        let vocabulary = folder.appending(path: "vocab.txt")
        weights = try MiniLMWeights(url: folder.appending(path: "model.safetensors"), kernels: arithmetic.kernels)
        tokenizer = try WordPieceTokenizer(vocabulary: vocabulary)
        guard tokenizer.vocabularyCount == MiniLMShape.vocabularyCount else {
            throw .malformedVocabulary(file: vocabulary.lastPathComponent)
        }
        self.threadCount = threadCount
        self.batchTokenLimit = batchTokenLimit
    }

    /// Returns the vector of each text, in their order.
    public func encode(_ texts: [String]) -> [[Float]] {
        encode(texts, while: { true }) ?? []
    }

    /// Returns the vector of each text, in their order, off the caller's executor.
    ///
    /// - Parameter texts: Any number of texts.
    /// - Returns: As many vectors, each of ``dimensions`` components and of length 1.
    /// - Throws: `CancellationError`, at the latest when the batches at work are done.
    @concurrent
    public func encode(concurrently texts: [String]) async throws -> [[Float]] {
        let isCancelled = CancellationFlag()
        let vectors = await withTaskCancellationHandler {
            encode(texts, while: { !isCancelled.value.load(ordering: .relaxed) })
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        guard let vectors else { throw CancellationError() }
        return vectors
    }

    /// Returns how many tokens all of a text has, those beyond ``tokenLimit`` included.
    public func tokenCount(of text: String) -> Int {
        tokenizer.tokenCount(text)
    }

    private final class CancellationFlag: Sendable {
        let value = Atomic(false)
    }
}

extension MiniLMEncoder {
    /// Encodes window by window; nil as soon as `goesOn` is false before a batch.
    private func encode(_ texts: [String], while goesOn: @escaping @Sendable () -> Bool) -> [[Float]]? {
        var vectors: [[Float]] = []
        vectors.reserveCapacity(texts.count)
        for start in stride(from: 0, to: texts.count, by: Self.windowTextCount) {
            let window = texts[start..<min(start + Self.windowTextCount, texts.count)]
            guard let encoded = encode(sentences: tokens(of: window), while: goesOn) else { return nil }
            vectors += encoded
        }
        return goesOn() ? vectors : nil
    }

    private func tokens(of texts: ArraySlice<String>) -> [[Int32]] {
        texts.map { tokenizer.tokenIDs($0, limit: Self.tokenLimit) }
    }

    private func encode(sentences: [[Int32]], while goesOn: @escaping @Sendable () -> Bool) -> [[Float]]? {
        let plan = EncodingPlan(
            tokenCounts: sentences.map(\.count), threadCount: threadCount, tokenLimit: batchTokenLimit)
        let results = Results(count: sentences.count)
        if plan.batches.count == 1 {
            guard goesOn() else { return nil }
            encodeTogether(sentences, plan, into: results)
        } else {
            encodeApart(sentences, plan, into: results, while: goesOn)
        }
        return goesOn() ? results.vectors.withLock { $0 } : nil
    }

    /// All threads work on one batch.
    private func encodeTogether(_ sentences: [[Int32]], _ plan: EncodingPlan, into results: Results) {
        let pass = ForwardPass(weights: weights, tokenCapacity: plan.largestTokenCount, memberCount: threadCount)
        pass.load(plan.batches[0].map { sentences[$0] })
        ThreadTeam.run(count: threadCount) { pass.run($0) }
        results.set(pass.vectors(), at: plan.batches[0])
    }

    /// Each thread works on a batch of its own.
    private func encodeApart(
        _ sentences: [[Int32]], _ plan: EncodingPlan, into results: Results,
        while goesOn: @escaping @Sendable () -> Bool
    ) {
        let batches = WorkCounter(count: plan.batches.count)
        ThreadTeam.run(count: min(threadCount, plan.batches.count)) { [self] _ in
            let pass = ForwardPass(weights: weights, tokenCapacity: plan.largestTokenCount, memberCount: 1)
            while goesOn(), let batch = batches.take() {
                pass.load(plan.batches[batch].map { sentences[$0] })
                pass.run(.alone)
                results.set(pass.vectors(), at: plan.batches[batch])
            }
        }
    }

    /// The vectors while several threads find them.
    private final class Results: Sendable {
        let vectors: Mutex<[[Float]]>

        init(count: Int) { vectors = Mutex(Array(repeating: [], count: count)) }

        func set(_ found: [[Float]], at places: [Int]) {
            vectors.withLock { vectors in
                for (place, vector) in zip(places, found) { vectors[place] = vector }
            }
        }
    }
}
