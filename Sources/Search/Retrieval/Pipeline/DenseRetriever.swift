import ChatCore
import IndexCore
import VectorIndex

/// Finds candidates by the cosine of vectors.
struct DenseRetriever: Sendable {
    /// How often a search retries after damage of which no rows can be found.
    private static let damageLimit = 3

    let index: LiveIndex
    let embedders: any EmbedderSource
    /// The services that are known to fail, which are not called; nil calls always.
    let health: ServiceHealth?
    /// The vectors of recent questions.
    let queries = QueryCache()
    /// A generation that is searched instead of the serving one.
    var pinned: GenerationIndex?

    /// The generation that is searched; nil before the first.
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
    ///   - text: The question.
    ///   - conversations: Where to search.
    ///   - filter: The messages that may be found.
    ///   - timeout: How long a service may take for the embedding, in seconds; ignored for the encoder in this process.
    /// - Returns: The scan; nil when there are no vectors.
    /// - Throws: ``ModelServiceError``, also when the service does not answer in time.
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
            throw ModelServiceError.slow(.working)
        } catch let failure as ModelServiceError {
            // One failure is enough: the next questions skip the service until a probe in the background succeeds.
            if failure.opensCircuitOfHelper { health?.recordFailure(failure, of: service) }
            throw failure
        }
    }

    /// Returns the messages of the best passages with their cosines, best first, at most `limit`; a message may appear
    /// several times.
    func messages(of scan: Scan, limit: Int) async throws -> [(message: MessageNumber, cosine: Float)] {
        let hits = try await repairing(scan.serving) {
            await Self.found(by: scan, limit: limit, through: index.searches)
        }
        return zip(scan.serving.index.rows(hits.map(\.key)).attributes(), hits).compactMap { row, hit in
            row.map { (MessageNumber(rawValue: $0.owner), hit.score) }
        }
    }

    /// Returns the rows of passages with their cosines; nil for removed passages.
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
                    scan.query, k: limit, in: scan.groups, on: scan.serving.index, where: scan.filter.passagePredicate))
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

    /// Searches the index; if its file is damaged, mends it and tries again.
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
