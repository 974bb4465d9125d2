public import ChatCore
import VectorIndex

/// Finds messages by the cosine of the question's vector and theirs.
///
/// Isolation: the rows that are scanned are those of conversations that the store says the asker may see now, and what
/// was found is read again within the same scope, so that what was deleted or left meanwhile is not shown.
public struct DenseSearcher: MessageSearching {
    private let store: any ConversationRepository & MessageRepository
    private let index: LiveIndex
    private let embedders: any EmbedderSource
    private let now: @Sendable () -> Timestamp

    /// Joins what a search needs.
    ///
    /// - Parameters:
    ///   - store: Permissions and messages.
    ///   - index: The vectors.
    ///   - embedders: Embeds the question for the generation that serves.
    ///   - now: The present time.
    public init(
        store: any ConversationRepository & MessageRepository, index: LiveIndex,
        embedders: any EmbedderSource, now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.index = index
        self.embedders = embedders
        self.now = now
    }

    /// See ``MessageSearching/search(_:)``.
    public func search(_ request: SearchRequest) async throws -> SearchResult {
        let question = try request.validatedQuestion()
        let permitted = try await permittedConversations(request.scope)
        try await index.follow()
        let serving = index.serving
        let nothing = SearchResult(hits: [], mode: .denseOnly, generation: serving?.generation.number)
        guard let serving, !permitted.isEmpty, serving.index.count > 0 else { return nothing }
        let groups = Set(permitted.keys.map { GroupKey($0) })
        let query = try await embedders.embedder(for: serving.generation).embedQuery(question)
        try serving.generation.space.check(query)
        let scan = Scan(serving: serving, query: query, groups: .only(groups), filter: request.filter)
        let hits = try await hits(of: scan, request: request, permitted: permitted)
        return SearchResult(hits: hits, mode: .denseOnly, generation: serving.generation.number)
    }

    private func permittedConversations(
        _ scope: SearchScope
    ) async throws -> [ConversationNumber: PermittedConversation] {
        let permitted = try await store.permitted(scope, at: now())
        if case .only(let wanted) = scope.conversations, !wanted.isEmpty, permitted.isEmpty {
            throw RetrievalError.noPermittedConversation
        }
        return Dictionary(permitted.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Scans for more rows until enough messages remain: several rows may be of one message, and a message may have
    /// gone since its row was scanned.
    private func hits(
        of scan: Scan, request: SearchRequest, permitted: [ConversationNumber: PermittedConversation]
    ) async throws -> [Hit] {
        var rowLimit = request.limit
        while true {
            let rows = try await rows(of: scan, limit: rowLimit)
            let candidates = CandidateKeys(
                passages: rows.map { PassageNumber($0.key) }, generation: scan.serving.generation.number)
            let visible = try await store.visible(candidates, in: request.scope, at: now())
            let scores = Dictionary(rows.map { ($0.key, $0.score) }, uniquingKeysWith: { first, _ in first })
            let found = visible.compactMap { found -> (Message, PermittedConversation, Float)? in
                guard let conversation = permitted[found.conversation],
                    let score = found.passages.compactMap({ scores[RowKey($0)] }).max(),
                    request.filter.admits(senderID: found.message.senderID, timestamp: found.message.timestamp)
                else { return nil }
                return (found.message, conversation, score)
            }
            if found.count >= request.limit || rows.count < rowLimit {
                return found.prefix(request.limit).enumerated().map { offset, found in
                    Hit(
                        message: found.0, conversation: found.1, rank: offset + 1,
                        relevance: Double(max(0, min(1, found.2))))
                }
            }
            rowLimit *= 2
        }
    }
}

extension DenseSearcher {
    /// How often a search meets damage that nobody can find before it gives up.
    private static let damageLimit = 3

    /// Returns the best rows; where the index's file turns out to be damaged, it is mended first.
    private func rows(of scan: Scan, limit: Int) async throws -> [VectorHit] {
        var unmendedCount = 0
        while true {
            let answer = await scan.rows(limit: limit, through: index.searches)
            guard case .failure(.damaged) = answer, unmendedCount < Self.damageLimit else { return try answer.get() }
            if try await index.mend(scan.serving) == 0 { unmendedCount += 1 }
        }
    }
}

/// One question against the rows of one generation.
private struct Scan: Sendable {
    let serving: GenerationIndex
    let query: [Float]
    let groups: GroupSelection
    let filter: SearchFilter

    /// Returns the best rows, at most `limit`; a thread of the queue does the work.
    func rows(limit: Int, through queue: SearchQueue) async -> Result<[VectorHit], VectorIndexError> {
        do {
            return .success(
                try await queue.search(query, k: limit, in: groups, on: serving.index, where: filter.rowPredicate))
        } catch {
            return .failure(error)
        }
    }
}

extension SearchRequest {
    /// Returns the question without white space at its ends.
    fileprivate func validatedQuestion() throws -> String {
        guard Self.limitRange.contains(limit) else {
            throw RetrievalError.invalid(
                field: "topK",
                reason: "must lie in \(Self.limitRange.lowerBound)...\(Self.limitRange.upperBound)")
        }
        let question = question.trimmingWhitespace()
        guard !question.isEmpty else { throw RetrievalError.invalid(field: "question", reason: "must not be empty") }
        return question
    }
}
