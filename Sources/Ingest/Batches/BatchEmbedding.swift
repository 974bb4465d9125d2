import ChatCore

/// Embeds one batch so that one bad text harms only itself.
///
/// A failure of a whole batch may be the service's or one text's. A text that is known to be good tells them apart: when
/// the service cannot embed that either, the failure is its own; otherwise the batch is halved until the bad text
/// stands alone. What was embedded before the service failed counts.
struct BatchEmbedding {
    /// What became of one text.
    enum TextOutcome {
        case vector([Float])
        /// It alone fails while the service works.
        case refused(ModelServiceError)
        /// The service failed before it was embedded.
        case undone
    }

    /// A text that no service refuses.
    private static let probe = "hello"

    private let embedder: any Embedder
    private let space: EmbeddingSpace
    private var probeHasSucceeded = false
    /// One outcome a text that was dealt with, in order.
    private(set) var outcomes: [TextOutcome] = []
    /// What was sent and answered.
    private(set) var usage = EmbeddingUsage()
    /// Why the service does not work; texts from then on are undone.
    private(set) var failure: ModelServiceError?

    private init(embedder: any Embedder, space: EmbeddingSpace) {
        self.embedder = embedder
        self.space = space
    }

    /// Embeds `texts` as passages.
    ///
    /// - Parameters:
    ///   - texts: None of them empty.
    ///   - space: What their vectors must be of.
    ///   - embedder: What embeds them.
    /// - Returns: The batch with one outcome a text.
    static func run(_ texts: [String], in space: EmbeddingSpace, with embedder: any Embedder) async -> BatchEmbedding {
        var batch = BatchEmbedding(embedder: embedder, space: space)
        if !texts.isEmpty { await batch.embed(texts[...]) }
        return batch
    }

    /// Embeds the one text that every service takes.
    ///
    /// - Throws: ``ModelServiceError`` when the service as a whole does not work.
    static func probe(_ space: EmbeddingSpace, with embedder: any Embedder) async throws -> EmbeddingUsage {
        var batch = BatchEmbedding(embedder: embedder, space: space)
        for case .refused(let error) in try await batch.send([probe]) { throw error }
        return batch.usage
    }

    private mutating func embed(_ texts: ArraySlice<String>) async {
        guard failure == nil else { return undo(texts) }
        switch await sent(texts) {
        case .success(let sent): outcomes += sent
        case .failure(let error) where error.concernsService:
            failure = error
            undo(texts)
        case .failure(let error):
            await check(isAlone: texts.count == 1)
            guard failure == nil else { return undo(texts) }
            guard texts.count > 1 else { return outcomes.append(.refused(error)) }
            let middle = texts.startIndex + texts.count / 2
            await embed(texts[..<middle])
            await embed(texts[middle...])
        }
    }

    private mutating func undo(_ texts: ArraySlice<String>) {
        outcomes += repeatElement(.undone, count: texts.count)
    }

    /// Asks whether the service works: once a batch, but always before a text is blamed.
    private mutating func check(isAlone: Bool) async {
        guard isAlone || !probeHasSucceeded else { return }
        switch await sent([Self.probe]) {
        case .success(let sent):
            if case .refused(let error)? = sent.first { failure = error } else { probeHasSucceeded = true }
        case .failure(let error): failure = error
        }
    }

    private mutating func sent(_ texts: ArraySlice<String>) async -> Result<[TextOutcome], ModelServiceError> {
        do {
            return .success(try await send(texts))
        } catch let error as ModelServiceError {
            return .failure(error)
        } catch {
            return .failure(.unreachable(reason: "cancelled"))
        }
    }

    private mutating func send(_ texts: ArraySlice<String>) async throws -> [TextOutcome] {
        usage.requestCount += 1
        let reply = try await embedder.embed(Array(texts), as: .passage)
        usage.textCount += texts.count
        usage.tokenCount = usage.tokenCount.addingClamped(
            reply.tokenCount ?? texts.reduce(0) { $0 + TokenEstimate.count($1) })
        guard reply.outcomes.count == texts.count else {
            throw ModelServiceError.invalidReply(reason: "\(reply.outcomes.count) vectors for \(texts.count) texts")
        }
        return try reply.outcomes.map { outcome in
            switch outcome {
            case .vector(let vector):
                try space.check(vector)
                return .vector(vector)
            case .refused(let error): return .refused(error)
            }
        }
    }
}

extension ModelServiceError {
    /// Whether it is the service's failure for sure.
    ///
    /// All others may be one text's: Ollama for one answers 500 when one text of a batch gives NaN, and a text may crash
    /// the process behind the connection.
    fileprivate var concernsService: Bool {
        switch self {
        case .busy, .unauthorized, .quotaExhausted, .misconfigured: true
        case .unreachable, .failed, .rejected, .tooLong, .invalidReply, .incompleteReply: false
        }
    }
}
