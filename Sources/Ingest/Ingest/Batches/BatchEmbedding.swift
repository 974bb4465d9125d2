import ChatCore

/// Embeds one batch so that a bad text harms only itself.
///
/// The failure of a batch may be caused by the service or by one text. A known good text distinguishes them: if the
/// service cannot embed it either, the service has failed. Otherwise the batch is halved until the bad text is alone.
/// Vectors that were made before the service failed are kept.
struct BatchEmbedding {
    /// The result for one text.
    enum TextOutcome {
        case vector([Float])
        /// This text fails while the service works.
        case refused(ModelServiceError)
        /// The service failed before it was embedded.
        case undone
    }

    /// A text that no service refuses.
    private static let probe = "hello"
    /// How often in a row the connection must break at a text, with the service at work in between, before the text is
    /// blamed: a service that restarts breaks one connection, a text that crashes it every one.
    private static let breakLimit = 3

    private let embedder: any Embedder
    private let space: EmbeddingSpace
    private var probeHasSucceeded = false
    /// One outcome per processed text, in order.
    private(set) var outcomes: [TextOutcome] = []
    /// The cost of all requests.
    private(set) var usage = EmbeddingUsage()
    /// Why the service does not work; later texts are then undone.
    private(set) var failure: ModelServiceError?

    private init(embedder: any Embedder, space: EmbeddingSpace) {
        self.embedder = embedder
        self.space = space
    }

    /// Embeds `texts` as passages.
    ///
    /// - Parameters:
    ///   - texts: Not empty strings.
    ///   - space: The required space of the vectors.
    ///   - embedder: Embeds them.
    /// - Returns: The batch with one outcome per text.
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
            if let text = texts.first, texts.count == 1 { return await decide(text, error) }
            let middle = texts.startIndex + texts.count / 2
            await embed(texts[..<middle])
            await embed(texts[middle...])
        }
    }

    /// Decides what a text is worth that failed alone while the service works.
    private mutating func decide(_ text: String, _ error: ModelServiceError) async {
        var (error, breakCount) = (error, 1)
        while case .unreachable = error, breakCount < Self.breakLimit {
            switch await sent([text]) {
            case .success(let sent):
                outcomes += sent
                return
            case .failure(let next): error = next
            }
            if !error.concernsService { await check(isAlone: true) } else { failure = error }
            guard failure == nil else { return undo([text]) }
            breakCount += 1
        }
        outcomes.append(.refused(error))
    }

    private mutating func undo(_ texts: ArraySlice<String>) {
        outcomes += repeatElement(.undone, count: texts.count)
    }

    /// Asks whether the service works: once per batch, and always before a single text is blamed.
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
    /// Whether the service has certainly failed.
    ///
    /// Any other error may be caused by one text: Ollama, for example, answers 500 when one text of a batch gives NaN,
    /// and a text may crash the process behind the connection.
    fileprivate var concernsService: Bool {
        switch self {
        case .busy, .unauthorized, .quotaExhausted, .misconfigured: true
        case .unreachable, .slow, .failed, .rejected, .tooLong, .invalidReply, .incompleteReply: false
        }
    }
}
