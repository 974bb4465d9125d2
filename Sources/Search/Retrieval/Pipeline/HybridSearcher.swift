package import ChatCore
import LexicalIndex
package import Logging
import TextAnalysis
import Tracing
import VectorIndex

/// Finds messages by meaning and by words: permit, plan, recall, fuse, rerank, select.
///
/// Isolation: a search scans only the conversations that the asker may see now, according to the store. It reads every
/// hit again within the same scope, so it shows nothing that was deleted or left meanwhile.
///
/// If a part fails, the search continues: without the embedding service it searches words alone, and without the
/// reranking service it keeps the order of the fusion. The trace reports this.
package struct HybridSearcher: MessageSearching {
    let store: any ChatStore
    let follower: ChangeFollower
    let dense: DenseRetriever
    let lexical: LexicalRetriever
    let reranker: (any Reranker)?
    let caches: TokenCaches
    let names: NameMemory
    /// The settings of its searches.
    package let settings: RetrievalSettings
    let now: @Sendable () -> Timestamp
    let logger: Logger
    private let fingerprint: String

    /// - Parameters:
    ///   - store: Permissions and messages.
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - follower: Keeps both up to date; nil for a separate one.
    ///   - embedders: Embed the question for the generation that serves.
    ///   - health: The services that are known to fail, which must be probed elsewhere; nil calls them for every
    ///     question.
    ///   - reranker: Orders the best again; nil for none.
    ///   - settings: How it searches.
    ///   - now: The present time.
    ///   - logger: Logs parts that fail, but never a text.
    package init(
        store: any ChatStore, index: LiveIndex, lexicon: LiveLexicon,
        follower: ChangeFollower? = nil, embedders: any EmbedderSource, health: ServiceHealth? = nil,
        reranker: (any Reranker)? = nil,
        settings: RetrievalSettings = RetrievalSettings(), now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.init(
            store: store,
            follower: follower ?? ChangeFollower(store: index.store, subscribers: [lexicon, index]),
            dense: DenseRetriever(index: index, embedders: embedders, health: health),
            lexical: LexicalRetriever(lexicon: lexicon), reranker: reranker, caches: TokenCaches(embedders),
            names: NameMemory(),
            settings: settings, now: now, logger: logger)
    }

    init(
        store: any ChatStore, follower: ChangeFollower, dense: DenseRetriever,
        lexical: LexicalRetriever,
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

    /// Returns the same searcher with other settings.
    package func with(_ settings: RetrievalSettings) -> HybridSearcher {
        HybridSearcher(
            store: store, follower: follower, dense: dense, lexical: lexical, reranker: reranker, caches: caches,
            names: names,
            settings: settings,
            now: now, logger: logger)
    }

    /// Returns the same searcher over another generation than the one that serves, for comparisons.
    ///
    /// Its vectors are read once, as they are now. Words and messages stay up to date.
    ///
    /// - Parameter generation: A generation that is not retired.
    /// - Returns: A searcher that takes as much memory as the generation's vectors.
    /// - Throws: ``RepositoryError``.
    package func pinned(to generation: EmbeddingGeneration) async throws -> HybridSearcher {
        let serving = dense.index.serving
        let rows =
            if let serving, serving.generation.number == generation.number { serving } else {
                try await dense.index.reader.readAll(of: generation)
            }
        return HybridSearcher(
            store: store, follower: follower,
            dense: DenseRetriever(index: dense.index, embedders: dense.embedders, health: nil, pinned: rows),
            lexical: lexical, reranker: reranker, caches: TokenCaches(dense.embedders), names: names,
            settings: settings,
            now: now,
            logger: logger)
    }

    /// See ``MessageSearching/search(_:)``.
    ///
    /// If another generation takes over during the search, it starts again: the first one may be dropped by now.
    package func search(_ request: SearchRequest) async throws -> SearchResult {
        try await withSpan("retrieve") { span in
            while true {
                let result = try await cancellable { try await searchOnce(request) }
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

    /// Throws the error that callers know when `body` ends because its task was cancelled.
    private func cancellable<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch LexicalIndexError.cancelled, VectorIndexError.cancelled {
            throw CancellationError()
        }
    }

    private func searchOnce(_ request: SearchRequest) async throws -> SearchResult {
        var pass = try SearchPass(request, store: store, moment: now())
        pass.trace.configuration = fingerprint
        // Some of the best are left out, because they repeat others or their authors have enough hits.
        if settings.selection.groupsRepeats { pass.reader.likelyCount = 2 * pass.limit }
        try await permit(&pass)
        try await catchUp(&pass)
        guard !pass.permitted.isEmpty else {
            return SearchResult(
                hits: [], mode: .hybrid, generation: dense.serving?.generation.number, trace: pass.trace)
        }
        try await lookUpNames(&pass)
        let words = lexical.lexicon.words(in: pass.permitted.values)
        plan(&pass, words)
        try await Recall(dense: dense, lexical: lexical, settings: settings, logger: logger).run(&pass, in: words)
        fuse(&pass)
        try await compareTokens(&pass, words)
        if let reranker { try await rerank(&pass, with: reranker) }
        return try await select(&pass, words)
    }

    /// Finds the conversations that the asker may see, the people in them, and how far the indexes have to be.
    private func permit(_ pass: inout SearchPass) async throws {
        let followed = follower.followed
        let position = followed.map { FollowedPosition(cursor: $0, generation: dense.serving?.generation.number) }
        let view = try await store.view(of: pass.request.scope, followed: position, at: pass.moment)
        let permitted = view.permitted
        if case .only(let wanted) = pass.request.scope.conversations, !wanted.isEmpty, permitted.isEmpty {
            throw RetrievalError.noPermittedConversation
        }
        pass.permitted = Dictionary(permitted.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        (pass.people, pass.large, pass.end) = (view.people, view.large, view.end)
        if let followed, let page = view.page { pass.part = (followed, page) }
    }

    /// Looks up the people of large conversations whom the question may name.
    private func lookUpNames(_ pass: inout SearchPass) async throws {
        guard !pass.large.isEmpty else { return }
        let start = ContinuousClock.now
        let text = ([pass.question] + pass.request.previousQuestions.reversed()).joined(separator: "\n")
        pass.named = try await store.people(named: text, in: pass.large, at: pass.moment)
        pass.measure("names", since: start)
    }

    /// Brings the indexes up to the store, so that people find what they have just posted.
    private func catchUp(_ pass: inout SearchPass) async throws {
        let start = ContinuousClock.now
        try await follower.catchUp(to: pass.end, with: pass.part)
        if caches.forgetErased(lexical.lexicon.changeCount) { names.forget() }
        pass.measure("follow", since: start)
    }

    /// Reads the cues of the question.
    private func plan(_ pass: inout SearchPass, _ words: ScopedWords) {
        let start = ContinuousClock.now
        let scope = pass.request.scope.narrowed(to: pass.permitted.values.map(\.id)) ?? pass.request.scope
        let known = Set(pass.named.isEmpty ? [] : pass.people.map(\.userID))
        let names = names.names(of: pass.people, in: scope)
            .adding(pass.named.filter { !known.contains($0.userID) }.map(Participant.init))
        pass.plan = QuestionPlan(
            pass.question, of: pass.request, people: pass.people + pass.named, names: names,
            conversations: pass.permitted.count > 1 ? Array(pass.permitted.values) : [],
            languages: words.languages, isOrdinaryWord: OrdinaryWords(words: words, names: names).contains,
            settings: settings, at: pass.moment)
        if pass.plan.speakers.contains(pass.request.scope.asker) {
            pass.plan.company.formUnion(pass.large.filter { pass.permitted[$0]?.isMember == true })
        }
        pass.trace.standaloneQuestion = pass.plan.standalone
        if pass.plan.isCarriedOver { pass.trace.notes.append(.carriedOver) }
        pass.measure("cues", since: start)
    }

    /// Orders the candidates by their features.
    private func fuse(_ pass: inout SearchPass) {
        let start = ContinuousClock.now
        pass.fuse(pass.found.candidates, by: fusion(settings.fusion, of: pass))
        pass.measure("fusion", since: start)
    }

    private func fusion(_ weights: FusionWeights, of pass: SearchPass) -> Fusion {
        Fusion(
            weights: weights, plan: pass.plan, recency: settings.recency, moment: pass.moment,
            space: pass.found.generation?.generation.scale)
    }

    /// Compares the tokens of the best with those of the question, and orders all by that feature too.
    ///
    /// If the comparison fails, the order stays.
    private func compareTokens(_ pass: inout SearchPass, _ words: ScopedWords) async throws {
        let count = settings.late.candidateCount
        guard count > 0, let generation = pass.found.generation?.generation else { return }
        let start = ContinuousClock.now
        defer { pass.measure("tokens", since: start) }
        do {
            guard let tokens = try await caches.cache(for: generation) else { return }
            pass.ranked = try await pass.reader.reading(pass.ranked, first: count)
            let candidates = pass.ranked.map(\.candidate)
            guard min(count, candidates.count) > 1 else { return }
            let reranker = TokenReranker(
                tokens: tokens, words: words, known: pass.found.wordScan?.rows, terms: Set(pass.plan.terms),
                textLength: settings.late.textLength)
            let compared = try await reranker.compared(
                Array(candidates.prefix(count)), with: pass.plan.embedded, visible: pass.reader.visible)
            pass.fuse(compared + candidates.dropFirst(count), by: fusion(settings.late.weights, of: pass))
        } catch let error as ModelServiceError {
            pass.trace.notes.append(.tokensFailed)
            logger.warning("The tokens of the best could not be compared", metadata: ["error.code": "\(error.code)"])
        }
    }

    /// Puts the best in the order of the reranking service; the rest keep their order.
    private func rerank(_ pass: inout SearchPass, with reranker: any Reranker) async throws {
        let ranked = try await pass.reader.reading(pass.ranked, first: settings.rerank.candidateCount)
        pass.ranked = ranked
        let best = ranked.prefix(settings.rerank.candidateCount)
        guard best.count > 1 else { return }
        let texts = best.map { entry in
            pass.reader.visible[entry.candidate.number].flatMap { found in
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
            pass.ranked = order.map { best[$0] } + ranked.dropFirst(best.count)
        } catch let error as ModelServiceError {
            pass.trace.notes.append(.rerankFailed)
            logger.warning("Reranking failed", metadata: ["error.code": "\(error.code)"])
        }
    }

    /// Chooses the hits and the confidence in them.
    private func select(_ pass: inout SearchPass, _ words: ScopedWords) async throws -> SearchResult {
        let choice = try await choose(&pass)
        let chosen = choice.hits
        let groups = try await groups(of: choice, &pass)
        let shown = pass.request.continuation?.shown ?? []
        let found = pass.found
        let space = found.generation?.generation.scale
        var relevances = chosen.map { $0.relevance(bestWords: found.bestWords, in: space) }
        // No hit shows a lower relevance than a hit below it, because the order uses more than the cosine.
        for place in relevances.indices.dropLast().reversed() {
            relevances[place] = max(relevances[place], relevances[place + 1])
        }
        let explanations =
            pass.request.explains
            ? pass.fusion?.explanations(of: chosen, among: pass.ranked, bestWords: found.bestWords) ?? [] : []
        let hits = zip(chosen, groups).enumerated().compactMap { place, found -> Hit? in
            let (entry, group) = found
            // The store may know a message with the same words that an earlier page showed.
            guard let visible = group.first, !shown.contains(visible.number) else { return nil }
            let passage = entry.candidate.passage(in: visible)
            return Hit(
                message: visible.message, conversation: entry.candidate.conversation,
                rank: pass.earlierCount + place + 1, relevance: relevances[place], score: entry.score, passage: passage,
                place: pass.plan.place(in: visible.message, languages: words.languages, passage: passage?.range),
                duplicates: group.dropFirst().prefix(Hit.duplicateLimit).map(\.message.key),
                explanation: explanations.isEmpty ? nil : explanations[place])
        }
        var result = pass.result(hits)
        if choice.hasMore || found.isCut { result.continuation = pass.continuation(behind: choice, groups, in: words) }
        guard !result.hits.isEmpty else { return result }
        let visible = pass.reader.visible
        let confidence = AnswerConfidence(
            found: found, plan: pass.plan, speakerWeight: pass.fusion?.weights.speaker ?? 0
        ).value(of: pass.ranked) { visible[$0]?.message.searchableText }
        result.confidence = confidence
        if let threshold = threshold(of: found), confidence < threshold { result.noAnswerReason = .belowThreshold }
        return result
    }

    /// Chooses from as many of the best as necessary, usually from twice as many.
    private func choose(_ pass: inout SearchPass) async throws -> Selection.Choice {
        let start = ContinuousClock.now
        defer { pass.measure("read", since: start) }
        var count = 2 * pass.depth + 10
        while true {
            pass.ranked = try await pass.reader.reading(pass.ranked, first: count)
            let selection = Selection(
                settings: settings.selection, visible: pass.reader.visible,
                isFilteredBySender: pass.request.filter.senderIDs != nil, zone: pass.plan.zone)
            var choice = selection.hits(
                of: pass.ranked.prefix(count), limit: pass.depth, before: pass.ranked.dropFirst(count))
            if choice.isFinal {
                choice.keep(pass.limit, without: pass.request.continuation?.shown ?? [])
                return choice
            }
            count *= 2
        }
    }

    /// Returns for each hit the messages that say the same, newest first; a hit that is unlike all others is alone.
    ///
    /// The store knows messages with the same text that are no candidates. They are read like candidates, within the
    /// scope of the search.
    private func groups(of choice: Selection.Choice, _ pass: inout SearchPass) async throws -> [[VisibleMessage]] {
        let numbers = choice.hits.map(\.candidate.number)
        guard settings.selection.groupsRepeats else {
            return numbers.map { [pass.reader.visible[$0]].compactMap(\.self) }
        }
        var others = choice.repeats
        let keyed = numbers.filter { number in
            pass.reader.visible[number].map { RepeatKey.canRepeat($0.message) } ?? false
        }
        if let generation = dense.serving?.generation.number, !keyed.isEmpty {
            let start = ContinuousClock.now
            var found = pass.reader.repeats.filter { keyed.contains($0.key) }
            let unknown = keyed.filter { found[$0] == nil }
            if !unknown.isEmpty {
                let others = try await store.repeats(
                    of: unknown, for: pass.request.scope.asker, in: generation, limit: Hit.duplicateLimit)
                found.merge(others) { $1 }
            }
            try await pass.reader.read(found.values.flatMap(\.self))
            for (number, repeats) in found { others[number, default: []] += repeats }
            pass.measure("repeats", since: start)
        }
        let visible = pass.reader.visible
        return choice.hits.map { entry in
            guard let own = visible[entry.candidate.number] else { return [] }
            let zone = entry.candidate.conversation.timeZone ?? pass.plan.zone
            let equal = (others[own.number] ?? []).sortedUnique().compactMap { visible[$0] }
                .filter { $0.number != own.number && RepeatKey.areEqual($0, own, zone: zone) }
            return ([own] + equal).sorted { $0.isNewer(than: $1) }
        }
    }

    private func threshold(of found: Recalled) -> Double? {
        settings.thresholds[found.mode == .lexicalOnly ? RetrievalSettings.lexical : RetrievalSettings.vectors]
    }
}

extension SearchPass {
    /// Returns where the page behind chosen hits begins; nil if no more are shown.
    fileprivate func continuation(
        behind choice: Selection.Choice, _ groups: [[VisibleMessage]], in words: ScopedWords
    ) -> SearchContinuation? {
        let count = earlierCount + choice.hits.count
        guard !choice.hits.isEmpty, count < SearchRequest.resultLimit else { return nil }
        let shown = choice.hits.map(\.candidate.number) + groups.compactMap { $0.first?.number }
        return SearchContinuation(
            count: count, shown: (request.continuation?.shown ?? []).union(shown),
            newest: request.continuation?.newest ?? words.newest)
    }
}

extension VisibleMessage {
    fileprivate func isNewer(than other: VisibleMessage) -> Bool {
        (message.timestamp, number.rawValue) > (other.message.timestamp, other.number.rawValue)
    }
}

extension QuestionPlan {
    /// Returns the sentence of a long text, or of a text with words of files, that was found; nil for a text that is
    /// shown whole.
    fileprivate func place(in message: Message, languages: [TextLanguage], passage: Range<Int>?) -> Range<Int>? {
        let text = message.searchableText
        let hasFileWords = message.attachments.contains { $0.content?.isEmpty == false }
        guard text.utf8.count > Excerpt.lengthLimit || hasFileWords else { return nil }
        return FoundSentence.range(
            in: text, terms: Set(terms), languages: languages + [.other], passage: passage)
    }
}

extension Fusion.Ranked {
    /// How well it fits by itself, in 0...1: by its cosine, or by words without a cosine.
    fileprivate func relevance(bestWords: Double, in space: CosineScale?) -> Double {
        let words = bestWords > 0 ? (candidate.words?.total ?? 0) / bestWords : 0
        return max(0, min(1, candidate.cosine.map { space.read($0) } ?? words))
    }
}
