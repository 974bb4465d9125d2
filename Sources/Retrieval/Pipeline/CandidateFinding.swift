import ChatCore
import Logging
import Tracing

/// Collects the candidates of both arms and looks up what either knows of the other's.
struct CandidateFinding: Sendable {
    let searcher: HybridSearcher
    private(set) var pass: SearchPass
    /// What may become hits, with all signals.
    private(set) var candidates: [Candidate] = []
    /// The highest score of the words in scope.
    private(set) var bestWords = 0.0
    /// The generation that was searched.
    private(set) var generation: GenerationIndex?

    private var denseScan: DenseArm.Scan?
    private var wordScan: LexicalArm.Scan?

    private var filter: CandidateFilter

    init(searcher: HybridSearcher, pass: SearchPass) {
        self.searcher = searcher
        self.pass = pass
        filter = CandidateFilter(wanted: pass.request.filter)
    }

    /// Which signals the search stands on.
    var mode: RetrievalMode {
        if generation == nil { return .lexicalOnly }
        return searcher.settings.lexical.isOn ? .hybrid : .denseOnly
    }

    /// How sure it is that the best of a ranking answer, as ``RetrievalSettings/thresholds`` have it.
    ///
    /// By vectors it is the highest cosine among the first five, raised where the question names the sender; for words alone
    /// the part of the question's words that the best message holds. On the sample, a question that has an answer is surer
    /// than one that has none in 69 of 100 pairs; no other signal told them better apart.
    func confidence(in ranked: [Fusion.Ranked]) -> Double {
        guard mode != .lexicalOnly else { return coverage }
        return ranked.prefix(5).compactMap { entry in
            entry.candidate.cosine.map { $0 + (entry.candidate.isBySpeaker ? 0.1 : 0) }
        }.max() ?? 0
    }

    private var coverage: Double {
        wordScan.map { searcher.lexical.coverage(of: $0, score: bestWords) } ?? 0
    }

    /// Searches with both arms.
    mutating func run() async throws {
        let conversations = Set(pass.permitted.keys)
        let settings = searcher.settings
        if settings.lexical.isOn {
            wordScan = searcher.lexical.scan(
                for: pass.plan.terms, settings: settings.lexical, in: conversations, filter: filter)
        }
        async let embedded = embed(in: conversations)
        let start = ContinuousClock.now
        let words = try await wordCandidates()
        pass.note("lexical", since: start)
        let outcome = try await embedded
        pass.trace.durations["embedding"] = outcome.duration
        if let failure = outcome.failure {
            pass.trace.notes.append(.embeddingFailed)
            searcher.logger.warning(
                "The question could not be embedded; words alone are searched", metadata: ["error.code": "\(failure)"])
        }
        denseScan = outcome.scan
        generation = outcome.scan?.serving
        bestWords = Double(words.first?.score ?? 0)
        try await collect(words: words)
        try await lookBeyondFloods()
    }

    /// Looks for others where one author fills the candidates: so many messages that suit every question would leave
    /// nobody else to choose from, however the places are shared.
    private mutating func lookBeyondFloods() async throws {
        let limit = pass.request.limit
        let needed = limit - Int((searcher.settings.selection.authorShare * Double(limit)).rounded(.up))
        guard pass.request.filter.senderIDs == nil, needed > 0 else { return }
        while filter.excluded.count < Self.floodLimit, let author = floodingAuthor(needed: needed) {
            filter.excluded.insert(author)
            wordScan?.filter = filter
            denseScan?.filter = filter
            let count = candidates.count
            try await collect(words: try await wordCandidates())
            guard candidates.count > count else { return }
        }
    }

    /// More authors are not taken for one flood.
    private static let floodLimit = 3

    /// Returns who wrote so many candidates that too few are left of others; nobody whom the question names.
    private func floodingAuthor(needed: Int) -> UserID? {
        let authors = candidates.filter { !$0.isBySpeaker && !filter.excluded.contains($0.visible.message.senderID) }
        let counts = Dictionary(authors.map { ($0.visible.message.senderID, 1) }, uniquingKeysWith: +)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        let others = candidates.count {
            $0.visible.message.senderID != most.key && !filter.excluded.contains($0.visible.message.senderID)
        }
        return most.value > needed && others < needed ? most.key : nil
    }

    private func wordCandidates() async throws -> [(message: MessageNumber, score: Float)] {
        guard let wordScan else { return [] }
        return try await searcher.lexical.messages(
            of: wordScan, limit: candidateCount(searcher.settings.lexical.candidateCount))
    }

    /// A boost for newer messages needs more to choose from.
    private func candidateCount(_ count: Int) -> Int {
        max(count, pass.request.limit) * (searcher.settings.recency.halfLifeDays > 0 ? 3 : 1)
    }

    private struct Embedding: Sendable {
        var scan: DenseArm.Scan?
        var failure: String?
        var duration = Duration.zero
    }

    /// Embeds the question; a service that fails is no reason not to search when words can be searched.
    private func embed(in conversations: Set<ConversationNumber>) async throws -> Embedding {
        guard searcher.settings.dense.isOn else { return Embedding() }
        let start = ContinuousClock.now
        var embedding = Embedding()
        do {
            embedding.scan = try await withSpan("embedding", ofKind: .client) { _ in
                try await searcher.dense.scan(
                    for: pass.plan.embedded, in: conversations, filter: filter,
                    timeout: searcher.settings.dense.timeout)
            }
        } catch let error as ModelServiceError where searcher.settings.lexical.isOn {
            embedding.failure = error.code
        }
        embedding.duration = ContinuousClock.now - start
        return embedding
    }

    /// Reads the candidates from the store and gives each both scores.
    ///
    /// Several rows may be of one message, and a message may have gone since its row was scanned: the vectors are asked
    /// for more until enough messages remain.
    private mutating func collect(words: [(message: MessageNumber, score: Float)]) async throws {
        let wanted = candidateCount(searcher.settings.dense.candidateCount)
        var rowLimit = wanted
        while true {
            var start = ContinuousClock.now
            let passages =
                if let denseScan { try await searcher.dense.passages(of: denseScan, limit: rowLimit) } else {
                    [(passage: PassageNumber, cosine: Float)]()
                }
            pass.note("dense", since: start)
            start = ContinuousClock.now
            let visible = try await visibleMessages(passages.map(\.passage), words.map(\.message))
            pass.note("read", since: start)
            let found = Set(passages.map(\.passage))
            let denseCount = visible.count { $0.passages.contains { found.contains($0.number) } }
            if passages.count < rowLimit || denseCount >= wanted {
                try await score(visible)
                return
            }
            rowLimit *= 2
        }
    }

    private func visibleMessages(
        _ passages: [PassageNumber], _ messages: [MessageNumber]
    ) async throws -> [VisibleMessage] {
        let keys = CandidateKeys(
            passages: passages, messages: messages, generation: generation?.generation.number)
        return try await searcher.store.visible(keys, in: pass.request.scope, at: pass.moment).filter {
            filter.admits($0.message)
        }
    }

    private mutating func score(_ visible: [VisibleMessage]) async throws {
        let start = ContinuousClock.now
        defer { pass.note("score", since: start) }
        let numbers = visible.map(\.number)
        let around = searcher.lexical.surroundings(
            of: numbers, gapMinutes: searcher.settings.lexical.neighbourGapMinutes)
        let words = try wordScan.map { try searcher.lexical.scores(of: numbers, for: $0) }
        let vectors = try await denseScan.mapAsync { scan in
            try await NeighbourVectors(
                of: visible, around: around, scan: scan, dense: searcher.dense, store: searcher.store)
        }
        let known = Set(candidates.map(\.number))
        candidates += visible.compactMap { visible in
            guard !known.contains(visible.number), let conversation = pass.permitted[visible.conversation] else {
                return nil
            }
            var candidate = Candidate(visible: visible, conversation: conversation)
            candidate.words = words.map { $0[visible.number] ?? Candidate.Words() }
            candidate.marks = around[visible.number]?.marks ?? MessageMarks(visible.message.searchableText)
            candidate.isBySpeaker = pass.plan.speakers.contains(visible.message.senderID)
            candidate.isNearSpeaker = pass.plan.company.contains(visible.conversation)
            candidate.isInNamedPlace = pass.plan.conversations.contains(conversation.id)
            candidate.phraseCount = pass.plan.phraseCount(in: visible.message.searchableText)
            candidate.isInTime = pass.plan.times.contains { $0.contains(visible.message.timestamp) }
            vectors?.complete(&candidate, around[visible.number])
            return candidate
        }
    }
}

extension Optional {
    /// `map` with a closure that waits.
    fileprivate func mapAsync<Value>(_ transform: (Wrapped) async throws -> Value) async rethrows -> Value? {
        if let value = self { try await transform(value) } else { nil }
    }
}
