public import ChatCore
public import Logging
import TextAnalysis
import Tracing

/// Finds messages by meaning and by words: cues of the question, candidates of both kinds, fusion, rerank, selection.
///
/// Isolation: what is scanned are conversations that the store says the asker may see now, and what was found is read
/// again within the same scope, so that what was deleted or left meanwhile is not shown.
///
/// A part that fails does not fail the search: without the embedding service words alone are searched, without the
/// reranking service the order of the fusion stands; the trace says so.
public struct HybridSearcher: MessageSearching {
    let store: any ConversationRepository & MessageRepository
    let follower: ChangeFollower
    let dense: DenseArm
    let lexical: LexicalArm
    let reranker: (any Reranker)?
    let caches: TokenCaches
    let names: NameMemory
    /// How it searches.
    public let settings: RetrievalSettings
    let now: @Sendable () -> Timestamp
    let logger: Logger
    private let fingerprint: String

    /// Joins what a search needs.
    ///
    /// - Parameters:
    ///   - store: Permissions and messages.
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - follower: Keeps both up to date; nil for one of its own.
    ///   - embedders: Embeds the question for the generation that serves.
    ///   - health: Which services work, where somebody probes those that do not; nil asks for every question.
    ///   - reranker: Orders the best once more; nil for none.
    ///   - settings: How it searches.
    ///   - now: The present time.
    ///   - logger: Told of parts that fail; never of a text.
    public init(
        store: any ConversationRepository & MessageRepository, index: LiveIndex, lexicon: LiveLexicon,
        follower: ChangeFollower? = nil, embedders: any EmbedderSource, health: ServiceHealth? = nil,
        reranker: (any Reranker)? = nil,
        settings: RetrievalSettings = RetrievalSettings(), now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.init(
            store: store,
            follower: follower ?? ChangeFollower(store: index.store, subscribers: [lexicon, index]),
            dense: DenseArm(index: index, embedders: embedders, health: health),
            lexical: LexicalArm(lexicon: lexicon), reranker: reranker, caches: TokenCaches(embedders),
            names: NameMemory(),
            settings: settings, now: now, logger: logger)
    }

    init(
        store: any ConversationRepository & MessageRepository, follower: ChangeFollower, dense: DenseArm,
        lexical: LexicalArm,
        reranker: (any Reranker)?, caches: TokenCaches, names: NameMemory, settings: RetrievalSettings,
        now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.follower = follower
        self.dense = dense
        self.lexical = lexical
        self.reranker = reranker
        self.caches = caches
        self.names = names
        self.settings = settings
        self.now = now
        self.logger = logger
        fingerprint = settings.fingerprint
    }

    /// The same searcher with other settings.
    public func with(_ settings: RetrievalSettings) -> HybridSearcher {
        HybridSearcher(
            store: store, follower: follower, dense: dense, lexical: lexical, reranker: reranker, caches: caches,
            names: names,
            settings: settings,
            now: now, logger: logger)
    }

    /// See ``MessageSearching/search(_:)``.
    ///
    /// A search during which another generation took over is made again: the one that it used may be dropped by now.
    public func search(_ request: SearchRequest) async throws -> SearchResult {
        try await withSpan("retrieve") { span in
            while true {
                let result = try await searchOnce(request)
                guard let searched = result.generation, let serving = dense.serving?.generation.number,
                    searched != serving
                else {
                    span.attributes["retrieval.hits"] = result.hits.count
                    span.attributes["retrieval.mode"] = result.mode.rawValue
                    return result
                }
            }
        }
    }

    private func searchOnce(_ request: SearchRequest) async throws -> SearchResult {
        var pass = SearchPass(question: try request.validatedQuestion(), request: request, moment: now())
        pass.trace.configuration = fingerprint
        pass.permitted = try await permittedConversations(request.scope, at: pass.moment)
        let start = ContinuousClock.now
        try await follower.catchUp()
        if caches.forgetErased(lexical.lexicon.changeCount) { names.forget() }
        pass.note("follow", since: start)
        guard !pass.permitted.isEmpty else { return pass.result([], mode: .hybrid, generation: dense.serving) }
        let words = lexical.lexicon.words(in: pass.permitted.keys)
        try await plan(&pass, words)
        return try await find(pass, words)
    }

    private func permittedConversations(
        _ scope: SearchScope, at moment: Timestamp
    ) async throws -> [ConversationNumber: PermittedConversation] {
        let permitted = try await store.permitted(scope, at: moment)
        if case .only(let wanted) = scope.conversations, !wanted.isEmpty, permitted.isEmpty {
            throw RetrievalError.noPermittedConversation
        }
        return Dictionary(permitted.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the cues of the question.
    private func plan(_ pass: inout SearchPass, _ words: ScopedWords) async throws {
        let start = ContinuousClock.now
        let people = try await store.people(in: pass.request.scope, at: pass.moment)
        let scope = pass.request.scope.narrowed(to: pass.permitted.values.map(\.id)) ?? pass.request.scope
        pass.plan = QuestionPlan(
            pass.question, of: pass.request, people: people, names: names.names(of: people, in: scope),
            conversations: pass.permitted.count > 1 ? Array(pass.permitted.values) : [],
            languages: words.languages, settings: settings,
            at: pass.moment)
        pass.trace.standaloneQuestion = pass.plan.standalone
        if pass.plan.isCarriedOver { pass.trace.notes.append(.carriedOver) }
        pass.note("cues", since: start)
    }

    private func find(_ pass: SearchPass, _ words: ScopedWords) async throws -> SearchResult {
        var finding = CandidateFinding(searcher: self, pass: pass, words: words)
        try await finding.run()
        var (pass, reader) = (finding.pass, finding.reader)
        let start = ContinuousClock.now
        let fusion = Fusion(
            weights: settings.fusion, plan: pass.plan, recency: settings.recency, moment: pass.moment)
        var ranked = fusion.ranked(finding.candidates, bestWords: finding.bestWords)
        pass.note("fusion", since: start)
        ranked = try await secondLook(at: ranked, finding, &reader, &pass)
        if let reranker { ranked = try await rerank(ranked, with: reranker, &reader, &pass) }
        let chosen = try await choose(from: &ranked, &reader, &pass)
        var relevances = chosen.map { $0.relevance(bestWords: finding.bestWords) }
        // Whoever reads down the list sees no higher figure below a lower one: the order knows more than the cosine.
        for place in relevances.indices.dropLast().reversed() {
            relevances[place] = max(relevances[place], relevances[place + 1])
        }
        let hits = chosen.enumerated().compactMap { place, entry in
            reader.visible[entry.candidate.number].map {
                entry.hit(of: $0, rank: place + 1, relevance: relevances[place], explains: pass.request.explains)
            }
        }
        var result = pass.result(hits, mode: finding.mode, generation: finding.generation)
        guard !result.hits.isEmpty else { return result }
        let confidence = finding.confidence(in: ranked)
        result.confidence = confidence
        if let threshold = threshold(of: finding), confidence < threshold { result.noAnswerReason = .belowThreshold }
        return result
    }

    /// Chooses the hits from as many of the best as it takes, most often twice as many.
    private func choose(
        from ranked: inout [Fusion.Ranked], _ reader: inout CandidateReader, _ pass: inout SearchPass
    ) async throws -> [Fusion.Ranked] {
        let start = ContinuousClock.now
        defer { pass.note("read", since: start) }
        var count = 2 * pass.request.limit + 10
        while true {
            ranked = try await reader.reading(ranked, first: count)
            let selection = Selection(
                settings: settings.selection, visible: reader.visible,
                isFilteredBySender: pass.request.filter.senderIDs != nil)
            let choice = selection.hits(of: ranked.prefix(count), limit: pass.request.limit)
            if choice.isFinal || ranked.count <= count { return choice.hits }
            count *= 2
        }
    }

    /// Compares the tokens of the best; where that fails, the order stands.
    private func secondLook(
        at ranked: [Fusion.Ranked], _ finding: CandidateFinding, _ reader: inout CandidateReader,
        _ pass: inout SearchPass
    ) async throws -> [Fusion.Ranked] {
        guard settings.late.candidateCount > 0, let generation = finding.generation?.generation else { return ranked }
        let start = ContinuousClock.now
        defer { pass.note("tokens", since: start) }
        do {
            guard let tokens = try await caches.cache(for: generation) else { return ranked }
            let ranked = try await reader.reading(ranked, first: settings.late.candidateCount)
            let fusion = Fusion(
                weights: settings.late.weights, plan: pass.plan, recency: settings.recency, moment: pass.moment)
            let look = SecondLook(
                tokens: tokens, words: finding.words, known: finding.wordScan?.rows, settings: settings.late,
                fusion: fusion)
            return try await look.ranked(ranked, visible: reader.visible, bestWords: finding.bestWords)
        } catch let error as ModelServiceError {
            pass.trace.notes.append(.secondLookFailed)
            logger.warning("The best candidates got no second look", metadata: ["error.code": "\(error.code)"])
            return ranked
        }
    }

    private func threshold(of finding: CandidateFinding) -> Double? {
        guard finding.mode != .lexicalOnly else { return settings.thresholds["lexical"] }
        return finding.generation.flatMap { settings.thresholds[$0.generation.space.name] }
    }

    /// Puts the best in the order that the reranking service gives them; the rest follows as it stood.
    private func rerank(
        _ ranked: [Fusion.Ranked], with reranker: any Reranker, _ reader: inout CandidateReader,
        _ pass: inout SearchPass
    ) async throws -> [Fusion.Ranked] {
        let ranked = try await reader.reading(ranked, first: settings.rerank.candidateCount)
        let best = ranked.prefix(settings.rerank.candidateCount)
        guard best.count > 1 else { return ranked }
        let texts = best.map { entry in
            reader.visible[entry.candidate.number].flatMap { found in
                PassagePreparation.text(
                    senderName: found.message.senderName, searchableText: entry.candidate.foundText(in: found))
            } ?? " "
        }
        do {
            let start = ContinuousClock.now
            let question = pass.plan.standalone
            let scores = try await withSpan("rerank", ofKind: .client) { _ in
                try await reranker.scores(of: texts, for: question)
            }
            pass.trace.durations["rerank"] = ContinuousClock.now - start
            let order = best.indices.sorted { (scores[$0], -$0) > (scores[$1], -$1) }
            return order.map { best[$0] } + ranked.dropFirst(best.count)
        } catch let error as ModelServiceError {
            pass.trace.notes.append(.rerankFailed)
            logger.warning("Reranking failed", metadata: ["error.code": "\(error.code)"])
            return ranked
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

extension Fusion.Ranked {
    /// How well it fits by itself, in 0...1: its cosine, or without one its words.
    fileprivate func relevance(bestWords: Double) -> Double {
        let words = bestWords > 0 ? (candidate.words?.total ?? 0) / bestWords : 0
        return max(0, min(1, candidate.cosine ?? words))
    }

    /// The hit that it becomes.
    fileprivate func hit(of visible: VisibleMessage, rank: Int, relevance: Double, explains: Bool) -> Hit {
        Hit(
            message: visible.message, conversation: candidate.conversation, rank: rank, relevance: relevance,
            score: score,
            passage: candidate.passage(in: visible), explanation: explains ? HitExplanation(signals: signals) : nil)
    }
}
