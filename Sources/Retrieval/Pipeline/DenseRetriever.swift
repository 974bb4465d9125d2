import ChatCore
import IndexCore
import VectorIndex

/// Candidates by the cosine of vectors.
struct DenseRetriever: Sendable {
    /// How often a search meets damage that nobody can find before it gives up.
    private static let damageLimit = 3

    let index: LiveIndex
    let embedders: any EmbedderSource
    /// Which services work: one that is known not to is not waited for; nil where nobody keeps account.
    let health: ServiceHealth?
    /// The questions asked last.
    let queries = QueryCache()
    /// What is searched instead of what serves.
    var pinned: GenerationIndex?

    /// What is searched; nil before the first generation.
    var serving: GenerationIndex? { pinned ?? index.serving }

    /// One question against the rows of one generation.
    struct Scan: Sendable {
        let serving: GenerationIndex
        let query: [Float]
        let groups: GroupSelection
        var filter: CandidateFilter
    }

    /// Embeds the question for the generation that serves.
    ///
    /// - Parameters:
    ///   - text: What is embedded.
    ///   - conversations: Where to search.
    ///   - filter: Which messages may be found.
    ///   - timeout: How long a service may take for the embedding, in seconds; the encoder in this process is waited for.
    /// - Returns: What to scan; nil when there are no vectors, or when the service did not answer in time, which then is
    ///   an error.
    /// - Throws: ``ModelServiceError``.
    func scan(
        for text: String, in conversations: Set<ConversationNumber>, filter: CandidateFilter, timeout: Double
    ) async throws -> Scan? {
        guard let serving, serving.index.count > 0 else { return nil }
        let query: [Float]
        if let known = queries.vector(of: text, in: serving.generation.number) {
            query = known
        } else {
            query = try await embed(text, for: serving.generation, timeout: timeout)
            queries.keep(query, of: text, in: serving.generation.number)
        }
        return Scan(
            serving: serving, query: query, groups: .only(Set(conversations.map { GroupKey($0) })), filter: filter)
    }

    private func embed(
        _ text: String, for generation: EmbeddingGeneration, timeout: Double
    ) async throws -> [Float] {
        let (embedders, service) = (embedders, generation.service)
        if let failure = health?.failure(of: service) { throw failure }
        do {
            let embed = { @Sendable in try await embedders.embedder(for: generation).embedQuery(text) }
            let query =
                generation.baseURL == nil ? try await embed() : try await withTimeLimit(.seconds(timeout), work: embed)
            try generation.space.check(query)
            return query
        } catch is TimeLimitExceeded {
            let failure = ModelServiceError.unreachable(reason: "the question was not embedded in time")
            health?.noteFailure(failure, of: service)
            throw failure
        } catch let failure as ModelServiceError {
            // One is enough: the next questions do without, and a probe in the background finds out when it is back.
            if failure.isTransient || failure.opensCircuit { health?.noteFailure(failure, of: service) }
            throw failure
        }
    }

    /// Returns the messages of the best passages, best first, at most `limit`; several passages may be of one message.
    func messages(of scan: Scan, limit: Int) async throws -> [MessageNumber] {
        let hits = try await repairing(scan.serving) {
            await Self.found(by: scan, limit: limit, through: index.searches)
        }
        return scan.serving.index.rows(hits.map(\.key)).attributes()
            .compactMap { $0.map { MessageNumber(rawValue: $0.owner) } }
    }

    /// Returns the rows of passages with their cosines, nil for those that have gone.
    func cosines(of passages: [PassageNumber], for scan: Scan) async throws -> (rows: FoundRows, cosines: [Float?]) {
        let keys = passages.map { RowKey($0) }
        return try await repairing(scan.serving) { Self.scores(of: keys, for: scan) }
    }

    private static func found(
        by scan: Scan, limit: Int, through queue: SearchQueue
    ) async -> Result<[VectorHit], VectorIndexError> {
        do {
            return .success(
                try await queue.search(
                    scan.query, k: limit, in: scan.groups, on: scan.serving.index, where: scan.filter.rowPredicate))
        } catch {
            return .failure(error)
        }
    }

    private static func scores(
        of keys: [RowKey], for scan: Scan
    ) -> Result<(rows: FoundRows, cosines: [Float?]), VectorIndexError> {
        let rows = scan.serving.index.rows(keys)
        do {
            return .success((rows, try rows.scores(for: scan.query)))
        } catch {
            return .failure(error)
        }
    }

    /// Asks the index; where its file turns out to be damaged, it is mended first.
    private func repairing<Value: Sendable>(
        _ target: GenerationIndex, _ ask: () async -> Result<Value, VectorIndexError>
    ) async throws -> Value {
        var unmendedCount = 0
        while true {
            let answer = await ask()
            guard case .failure(.damaged) = answer, unmendedCount < Self.damageLimit else { return try answer.get() }
            if try await index.mend(target) == 0 { unmendedCount += 1 }
        }
    }
}
