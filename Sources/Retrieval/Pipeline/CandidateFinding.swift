import ChatCore
import Logging
import Tracing

/// Collects the candidates of both arms and looks up what either knows of the other's.
struct CandidateFinding: Sendable {
    let searcher: HybridSearcher
    private(set) var pass: SearchPass
    /// Where it looks.
    let words: ScopedWords
    /// What may become hits, with all signals.
    private(set) var candidates: [Candidate] = []
    /// The highest score of the words in scope.
    private(set) var bestWords = 0.0
    /// The generation that was searched.
    private(set) var generation: GenerationIndex?

    private var denseScan: DenseArm.Scan?
    private(set) var wordScan: LexicalArm.Scan?

    private var filter: CandidateFilter
    /// Those whom the question names, as rows tell senders apart.
    private let speakers: Set<Int64>
    /// Reads the messages.
    private(set) var reader: CandidateReader

    init(searcher: HybridSearcher, pass: SearchPass, words: ScopedWords) {
        self.searcher = searcher
        self.pass = pass
        self.words = words
        speakers = Set(pass.plan.speakers.map(\.rowNumber))
        reader = CandidateReader(store: searcher.store, request: pass.request, moment: pass.moment)
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
        async let embedded = embed(in: conversations)
        let start = ContinuousClock.now
        if settings.lexical.isOn {
            wordScan = try await searcher.lexical.scan(
                for: pass.plan.terms, settings: settings.lexical, in: words, filter: filter)
        }
        let found = try await wordCandidates()
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
        reader.generation = generation?.generation.number
        bestWords = Double(found.first?.score ?? 0)
        try await collect(words: found)
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
    private func floodingAuthor(needed: Int) -> Int64? {
        let authors = candidates.filter { !$0.isBySpeaker && !filter.excluded.contains($0.sender) }
        let counts = Dictionary(authors.map { ($0.sender, 1) }, uniquingKeysWith: +)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        let others = candidates.count {
            $0.sender != most.key && !filter.excluded.contains($0.sender)
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

    /// Finds candidates by their vectors and gives each, with those found by words, both scores.
    ///
    /// Several rows may be of one message: the vectors are asked for more until there are enough messages.
    private mutating func collect(words: [(message: MessageNumber, score: Float)]) async throws {
        let wanted = candidateCount(searcher.settings.dense.candidateCount)
        var rowLimit = wanted
        while true {
            let start = ContinuousClock.now
            let rows =
                if let denseScan { try await searcher.dense.messages(of: denseScan, limit: rowLimit) } else {
                    [MessageNumber]()
                }
            pass.note("dense", since: start)
            let found = rows.sortedUnique()
            if rows.count < rowLimit || found.count >= wanted {
                return try await score((found + words.map(\.message)).sortedUnique())
            }
            rowLimit *= 2
        }
    }

    /// Makes candidates of messages, in ascending order, that are none yet.
    private mutating func score(_ found: [MessageNumber]) async throws {
        let start = ContinuousClock.now
        defer { pass.note("score", since: start) }
        var numbers = found
        if !candidates.isEmpty {
            let known = candidates.map(\.number).sortedUnique()
            numbers.removeAll { known.place(of: $0) != nil }
        }
        var around = searcher.lexical.surroundings(
            of: numbers, in: words, gapMinutes: searcher.settings.lexical.neighbourGapMinutes)
        let wordScores = wordScan.map { searcher.lexical.scores(of: numbers, for: $0) }
        if pass.plan.looksAtTexts { try await reader.read(numbers) }
        var scored: [Candidate] = []
        scored.reserveCapacity(numbers.count)
        let (plan, permitted, texts) = (pass.plan, pass.permitted, reader.visible)
        for (place, number) in numbers.enumerated() {
            guard let beside = around[place], let conversation = permitted[beside.conversation] else { continue }
            var candidate = Candidate(number: number, around: beside, in: conversation, plan: plan)
            candidate.words = wordScores.map { $0[place] ?? Candidate.Words() }
            candidate.isBySpeaker = speakers.contains(beside.sender)
            if plan.looksAtTexts, let text = texts[number]?.message.searchableText {
                candidate.phraseCount = plan.phraseCount(in: text)
                candidate.namesDay = plan.namesDay(in: text)
            }
            // What stands beside it keeps its place beside it.
            around[scored.count] = around[place]
            scored.append(candidate)
        }
        around.removeLast(around.count - scored.count)
        if let denseScan {
            let vectors = try await NeighbourVectors(
                of: scored.map(\.number), around: around, scan: denseScan, dense: searcher.dense)
            vectors.complete(&scored, around)
        }
        candidates += scored
    }
}

extension Candidate {
    /// Puts together what is known of a message beside vectors, words and text.
    fileprivate init(
        number: MessageNumber, around: LexicalArm.Surroundings, in conversation: PermittedConversation,
        plan: QuestionPlan
    ) {
        self.init(number: number, conversation: conversation, sender: around.sender, timestamp: around.timestamp)
        marks = around.marks
        isNearSpeaker = plan.company.contains(around.conversation)
        isInNamedPlace = plan.conversations.contains(conversation.id)
        isInTime = plan.times.contains { $0.contains(around.timestamp) }
    }
}
