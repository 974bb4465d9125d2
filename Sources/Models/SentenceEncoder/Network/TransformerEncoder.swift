package import ChatCore
package import Foundation
import Glibc
import Synchronization

/// A built-in model: turns a text into a vector of length 1 whose dot product with another text's is their similarity.
///
/// The vector is the mean of the last layer's tokens, or the first of them, as sentence-transformers computes it; a text is
/// cut to ``tokenLimit`` tokens. Results do not depend on the thread count, and depend on the other texts of a call only by
/// rounding (below 1e-5). Any number of threads may use a value at once; copies share the weights.
///
/// Work is divided among `threadCount` threads that live as long as a call. All threads work together on a call of few
/// tokens; a larger call is processed batch by batch.
///
/// Linear maps use the instructions of the processor, see ``Arithmetic``; vectors differ between them by less than
/// 1e-5.
package struct TransformerEncoder: Sendable {
    /// The most tokens of a prefix for token vectors: more than any name of a person has.
    package static let prefixTokenLimit = 64

    /// Texts that are cut into tokens at a time; bounds the memory, and is the grain of cancellation before a batch.
    static let windowTextCount = 1_024
    /// Linux' `SCHED_IDLE`, which the C library's header defines only as an extension of POSIX.
    private static let idlePolicy: Int32 = 5
    /// Tokens of a batch: 7 MB of memory a thread.
    package static let defaultBatchTokenLimit = 512

    /// Components of a vector.
    package let dimensions: Int
    private let tokenizer: any SentenceTokenizer
    private let weights: TransformerWeights
    private let form: TextForm
    private let threadCount: Int
    private let batchTokenLimit: Int

    /// The most tokens of a text that count, start and end token included.
    package var tokenLimit: Int { form.tokenLimit }

    /// Opens a model: maps the weights, checks their shapes and reads the vocabulary.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - folder: Holds its files; see ``ModelFiles``, which checks their digests.
    ///   - threadCount: The threads that one call may use.
    /// - Throws: ``EncoderError``.
    /// - Precondition: `threadCount` is at least 1.
    package init(_ model: BuiltInModel, folder: URL, threadCount: Int) throws(EncoderError) {
        try self.init(
            model, folder: folder, threadCount: threadCount, batchTokenLimit: Self.defaultBatchTokenLimit,
            arithmetic: .best)
    }

    /// Opens a model with another size of batches or another arithmetic.
    ///
    /// - Precondition: The processor has the arithmetic.
    package init(
        _ model: BuiltInModel, folder: URL, threadCount: Int, batchTokenLimit: Int, arithmetic: Arithmetic
    ) throws(EncoderError) {
        let opened = try model.open(folder, arithmetic)
        self.init(
            opened,
            TextForm(
                tokenLimit: model.tokenLimit, layerCount: opened.weights.shape.layerCount,
                tokenLayerCount: model.tokenLayerCount, tokenPrefix: model.tokenPrefix, pooling: model.pooling),
            threadCount: threadCount, batchTokenLimit: batchTokenLimit)
    }

    /// Opens a model in one file, of any size; see ``QuantizedModelFile``.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - tokenPrefix: A text before those whose tokens are compared.
    ///   - threadCount: The threads that one call may use.
    ///   - batchTokenLimit: The tokens of a batch.
    ///   - arithmetic: The instructions; the processor must have them.
    /// - Throws: ``EncoderError``.
    package init(
        file: URL, tokenPrefix: String, threadCount: Int, batchTokenLimit: Int = defaultBatchTokenLimit,
        arithmetic: Arithmetic = .best
    ) throws(EncoderError) {
        let opened = try BuiltInModel.quantized(file, arithmetic)
        let shape = opened.weights.shape
        self.init(
            opened,
            TextForm(
                tokenLimit: shape.positionCount, layerCount: shape.layerCount, tokenLayerCount: shape.layerCount,
                tokenPrefix: tokenPrefix),
            threadCount: threadCount, batchTokenLimit: batchTokenLimit)
    }

    private init(_ opened: OpenedModel, _ form: TextForm, threadCount: Int, batchTokenLimit: Int) {
        precondition(threadCount >= 1 && batchTokenLimit >= 1, "work needs a thread and a token")
        (tokenizer, weights) = (opened.tokenizer, opened.weights)
        dimensions = opened.weights.shape.width
        self.form = form
        self.threadCount = threadCount
        self.batchTokenLimit = batchTokenLimit
    }

    /// Returns the vector of each text, in their order.
    package func encode(_ texts: [String], prefix: String = "") -> [[Float]] {
        encode(texts, .sentenceVectors(form, prefix: prefix), while: { true }) ?? []
    }

    /// Returns the vector of each text, in their order, off the caller's executor.
    ///
    /// - Parameters:
    ///   - texts: Any number of texts.
    ///   - prefix: A text before each.
    /// - Returns: As many vectors, each of ``dimensions`` components and of length 1.
    /// - Throws: `CancellationError`, at the latest when the batches at work are done.
    @concurrent
    package func encode(concurrently texts: [String], prefix: String = "") async throws -> [[Float]] {
        try await cancellable { encode(texts, .sentenceVectors(form, prefix: prefix), while: $0) }
    }

    /// Returns the vector of each text, in their order, on threads that give way to all others at once.
    ///
    /// On an idle machine they are as fast as others. Threads that only have a lower priority keep a processor for
    /// milliseconds while others wait: that made the slowest searches six times as slow.
    ///
    /// - Parameters:
    ///   - texts: Any number of texts.
    ///   - prefix: A text before each.
    /// - Returns: As many vectors, each of ``dimensions`` components and of length 1.
    /// - Throws: `CancellationError`, at the latest when the running batches are done.
    package func encode(givingWay texts: [String], prefix: String = "") async throws -> [[Float]] {
        let isCancelled = CancellationFlag()
        let values = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<[[Float]]?, Never>) in
                Thread.detachNewThread {
                    // Linux sets the policy per thread, and new threads inherit it.
                    var parameters = sched_param()
                    sched_setscheduler(0, Self.idlePolicy, &parameters)
                    let values = encode(texts, .sentenceVectors(form, prefix: prefix)) {
                        !isCancelled.value.load(ordering: .relaxed)
                    }
                    continuation.resume(returning: values)
                }
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        guard let values else { throw CancellationError() }
        return values
    }

    /// Returns the vectors of each text's own tokens, in the order of the texts, off the caller's executor.
    ///
    /// They are the states after ``BuiltInModel/tokenLayerCount`` layers. Of a prefix ``prefixTokenLimit`` tokens count, and of
    /// prefix and text together ``tokenLimit``.
    ///
    /// - Parameter texts: Any number of texts.
    /// - Returns: As many matrices of ``dimensions`` columns; without rows for a text without a token.
    /// - Throws: `CancellationError`, at the latest when the batches at work are done.
    @concurrent
    package func encodeTokens(concurrently texts: [TokenText]) async throws -> [TokenVectors] {
        try await cancellable { encode(texts, .tokenVectors(form, dimensions: dimensions), while: $0) }
    }

    /// Returns the states that ``encodeTokens(concurrently:)`` rounds, neither rounded nor of length 1.
    package func tokenStates(of texts: [TokenText]) -> [[Float]] {
        encode(texts, .tokenStates(form), while: { true }) ?? []
    }

    /// Returns the ids of a text's tokens, start and end included, cut to `limit`, which is 2 or more.
    package func tokenIDs(of text: String, limit: Int) -> [Int32] {
        tokenizer.tokenIDs(text, limit: limit)
    }

    /// Returns how many tokens all of a text has, those beyond ``tokenLimit`` included.
    package func tokenCount(of text: String) -> Int {
        tokenizer.tokenCount(text)
    }
}

extension TransformerEncoder {
    /// Runs work that repeatedly asks whether to continue; the answer is yes until the task is cancelled.
    private func cancellable<Value>(_ work: (@escaping @Sendable () -> Bool) -> [Value]?) async throws -> [Value] {
        let isCancelled = CancellationFlag()
        let values = await withTaskCancellationHandler {
            work { !isCancelled.value.load(ordering: .relaxed) }
        } onCancel: {
            isCancelled.value.store(true, ordering: .relaxed)
        }
        guard let values else { throw CancellationError() }
        return values
    }

    private final class CancellationFlag: Sendable {
        let value = Atomic(false)
    }

    /// Encodes window by window; nil if `goesOn` is false before a batch.
    private func encode<Text, Value>(
        _ texts: [Text], _ form: EncodingForm<Text, Value>, while goesOn: @escaping @Sendable () -> Bool
    ) -> [Value]? {
        var values: [Value] = []
        values.reserveCapacity(texts.count)
        for start in stride(from: 0, to: texts.count, by: Self.windowTextCount) {
            let window = texts[start..<min(start + Self.windowTextCount, texts.count)]
            let sentences = window.map { form.sentence(of: $0, tokenizer) }
            guard let encoded = encode(sentences, form, while: goesOn) else { return nil }
            values += encoded
        }
        return goesOn() ? values : nil
    }

    private func encode<Text, Value>(
        _ sentences: [EncodedSentence], _ form: EncodingForm<Text, Value>, while goesOn: @escaping @Sendable () -> Bool
    ) -> [Value]? {
        let plan = EncodingPlan(
            tokenCounts: sentences.map(\.ids.count), threadCount: threadCount, tokenLimit: batchTokenLimit)
        let results = Results<Value>(count: sentences.count)
        if plan.batches.count == 1 {
            guard goesOn() else { return nil }
            encodeTogether(sentences, plan, form, into: results)
        } else {
            encodeApart(sentences, plan, form, into: results, while: goesOn)
        }
        return goesOn() ? results.values.withLock { $0.compactMap(\.self) } : nil
    }

    /// All threads work on one batch.
    private func encodeTogether<Text, Value>(
        _ sentences: [EncodedSentence], _ plan: EncodingPlan, _ form: EncodingForm<Text, Value>,
        into results: Results<Value>
    ) {
        let pass = ForwardPass(weights: weights, tokenCapacity: plan.largestTokenCount, memberCount: threadCount)
        let batch = plan.batches[0].map { sentences[$0] }
        pass.load(batch.map(\.ids))
        ThreadTeam.run(count: threadCount) { pass.run($0, layerCount: form.layerCount) }
        results.set(form.values(pass, batch), at: plan.batches[0])
    }

    /// Each thread works on its own batch.
    private func encodeApart<Text, Value>(
        _ sentences: [EncodedSentence], _ plan: EncodingPlan, _ form: EncodingForm<Text, Value>,
        into results: Results<Value>, while goesOn: @escaping @Sendable () -> Bool
    ) {
        let numbers = WorkCounter(count: plan.batches.count)
        ThreadTeam.run(count: min(threadCount, plan.batches.count)) { [self] _ in
            let pass = ForwardPass(weights: weights, tokenCapacity: plan.largestTokenCount, memberCount: 1)
            while goesOn(), let number = numbers.take() {
                let batch = plan.batches[number].map { sentences[$0] }
                pass.load(batch.map(\.ids))
                pass.run(.alone, layerCount: form.layerCount)
                results.set(form.values(pass, batch), at: plan.batches[number])
            }
        }
    }

    /// The values while several threads find them.
    private final class Results<Value: Sendable>: Sendable {
        let values: Mutex<[Value?]>

        init(count: Int) { values = Mutex(Array(repeating: nil, count: count)) }

        func set(_ found: [Value], at places: [Int]) {
            values.withLock { values in
                for (place, value) in zip(places, found) { values[place] = value }
            }
        }
    }
}
