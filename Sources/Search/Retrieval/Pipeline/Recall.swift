import ChatCore
import LexicalIndex
import Logging
import Tracing

/// The candidates found by meaning and by words.
struct Recalled: Sendable {
    /// The messages that may become hits, with all features except the tokens.
    var candidates: [Candidate] = []
    /// The highest score by words in scope.
    var bestWords = 0.0
    /// The part of the question's words, weighted by rarity, that the best message by words contains: 0...1.
    var coverage = 0.0
    /// The generation that was searched; nil for none.
    var generation: GenerationIndex?
    /// The scan of words; nil when there was none.
    var wordScan: LexicalRetriever.Scan?
    /// Whether words were searched.
    var usesWords = true
    /// Whether there are messages behind the candidates.
    var isCut = false

    /// The signals that the search is based on.
    var mode: RetrievalMode {
        if generation == nil { return .lexicalOnly }
        return usesWords ? .hybrid : .denseOnly
    }
}

/// Finds candidates by meaning and by words, and looks up the features of each.
struct Recall: Sendable {
    let dense: DenseRetriever
    let lexical: LexicalRetriever
    let settings: RetrievalSettings
    let logger: Logger

    /// The most authors who are left out of one search.
    private static let floodLimit = 3
    /// How many times the wanted candidates are asked for if most are equally near.
    private static let repeatFactor = 8

    /// The state of a run, besides the pass.
    private struct Run {
        let words: ScopedWords
        let directory: MessageDirectory
        /// The numbers in the rows of the people that the question names.
        let speakers: Set<Int64>
        var filter: CandidateFilter
        var dense: DenseRetriever.Scan?
        var lexical: LexicalRetriever.Scan?
    }

    /// Sets ``SearchPass/found`` of a planned search.
    func run(_ pass: inout SearchPass, in words: ScopedWords) async throws {
        pass.found.usesWords = settings.lexical.isOn
        let directory = MessageDirectory(words)
        let isLimited = pass.permitted.values.contains { $0.spans != nil }
        let filter = CandidateFilter(
            wanted: pass.request.filter, newest: pass.request.continuation?.newest, directory: directory,
            isLimited: isLimited)
        var run = Run(
            words: words, directory: directory, speakers: Set(pass.plan.speakers.map(\.rowNumber)),
            filter: filter)
        let (question, conversations) = (pass.plan.embedded, Set(pass.permitted.keys))
        async let embedded = embed(question, in: conversations, filter: filter)
        let start = ContinuousClock.now
        if settings.lexical.isOn {
            run.lexical = try await lexical.scan(
                for: pass.plan, settings: settings.lexical, in: words, filter: filter)
        }
        let byWords = try await wordCandidates(run, pass)
        pass.found.isCut = byWords.count >= candidateCount(settings.lexical.candidateCount, pass)
        pass.measure("lexical", since: start)
        let outcome = try await embedded
        pass.trace.durations["embedding"] = outcome.duration
        if let failure = outcome.failure {
            pass.trace.notes.append(.embeddingFailed)
            logger.warning(
                "The question could not be embedded; words alone are searched", metadata: ["error.code": "\(failure)"])
        }
        run.dense = outcome.scan
        pass.found.generation = outcome.scan?.serving
        pass.reader.generation = outcome.scan?.serving.generation.number
        pass.found.wordScan = run.lexical
        pass.found.bestWords = Double(byWords.first?.score ?? 0)
        pass.found.coverage = run.lexical.map { lexical.coverage(of: $0, score: pass.found.bestWords) } ?? 0
        try await collect(byWords, run, &pass)
        try await lookBeyondFloods(&run, &pass)
    }

    // MARK: - By meaning

    private struct Embedding: Sendable {
        var scan: DenseRetriever.Scan?
        var failure: String?
        var duration = Duration.zero
    }

    /// Embeds the question; if a service fails, words alone are searched.
    private func embed(
        _ question: String, in conversations: Set<ConversationNumber>, filter: CandidateFilter
    ) async throws -> Embedding {
        guard settings.dense.isOn else { return Embedding() }
        let start = ContinuousClock.now
        var embedding = Embedding()
        do {
            embedding.scan = try await withSpan("embedding", ofKind: .client) { _ in
                try await dense.scan(
                    for: question, in: conversations, filter: filter, timeout: settings.dense.timeout)
            }
        } catch let error as ModelServiceError where settings.lexical.isOn {
            embedding.failure = error.code
        }
        embedding.duration = ContinuousClock.now - start
        return embedding
    }

    // MARK: - By words

    private func wordCandidates(
        _ run: Run, _ pass: SearchPass
    ) async throws -> [(message: MessageNumber, score: Float)] {
        guard let scan = run.lexical else { return [] }
        return try await lexical.messages(of: scan, limit: candidateCount(settings.lexical.candidateCount, pass))
    }

    /// Returns a larger count if newer messages get a boost, because that needs more candidates to choose from.
    private func candidateCount(_ count: Int, _ pass: SearchPass) -> Int {
        max(count, pass.depth) * (settings.recency.halfLifeDays > 0 ? 3 : 1)
    }

    // MARK: - Both

    /// Finds candidates by vectors, and gives both scores to these and to the candidates found by words.
    ///
    /// Several rows may belong to one message, so it asks for more rows until there are enough messages. It also asks
    /// for more if most rows are equally near, as those of one message that was sent again and again.
    private func collect(
        _ byWords: [(message: MessageNumber, score: Float)], _ run: Run, _ pass: inout SearchPass
    ) async throws {
        let wanted = candidateCount(settings.dense.candidateCount, pass)
        var rowLimit = wanted
        while true {
            let start = ContinuousClock.now
            let rows =
                if let scan = run.dense { try await dense.messages(of: scan, limit: rowLimit) } else {
                    [(message: MessageNumber, cosine: Float)]()
                }
            pass.measure("dense", since: start)
            let found = rows.map(\.message).sortedUnique()
            let isVaried = 2 * rows.map(\.cosine).sortedUnique().count >= wanted
            let isEnough = found.count >= wanted
            if rows.count < rowLimit || isEnough && (isVaried || rowLimit >= Self.repeatFactor * wanted) {
                if rows.count >= rowLimit { pass.found.isCut = true }
                return try await addFeatures(of: (found + byWords.map(\.message)).sortedUnique(), run, &pass)
            }
            // Each call reads all rows again, and repeats end at no number that one could guess.
            rowLimit = isEnough ? Self.repeatFactor * wanted : 2 * rowLimit
        }
    }

    /// Looks for other authors if one author fills the candidates.
    ///
    /// Otherwise many messages that match every question would leave no others to choose from.
    private func lookBeyondFloods(_ run: inout Run, _ pass: inout SearchPass) async throws {
        let limit = pass.depth
        let needed = limit - Int((settings.selection.authorShare * Double(limit)).rounded(.up))
        guard pass.request.filter.senderIDs == nil, needed > 0 else { return }
        while run.filter.excluded.count < Self.floodLimit,
            let author = floodingAuthor(of: pass.found.candidates, besides: run.filter.excluded, needed: needed)
        {
            run.filter.excluded.insert(author)
            run.lexical?.filter = run.filter
            run.dense?.filter = run.filter
            let count = pass.found.candidates.count
            try await collect(try await wordCandidates(run, pass), run, &pass)
            guard pass.found.candidates.count > count else { return }
        }
    }

    /// Returns the author of so many candidates that too few of others are left; never one that the question names.
    private func floodingAuthor(of candidates: [Candidate], besides excluded: Set<Int64>, needed: Int) -> Int64? {
        let authors = candidates.filter { !$0.isBySpeaker && !excluded.contains($0.sender) }
        let counts = Dictionary(authors.map { ($0.sender, 1) }, uniquingKeysWith: +)
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        let others = candidates.count { $0.sender != most.key && !excluded.contains($0.sender) }
        return most.value > needed && others < needed ? most.key : nil
    }

    /// Makes candidates of messages that are not candidates yet, in ascending order.
    private func addFeatures(of found: [MessageNumber], _ run: Run, _ pass: inout SearchPass) async throws {
        let start = ContinuousClock.now
        defer { pass.measure("score", since: start) }
        var numbers = found
        if !pass.found.candidates.isEmpty {
            let known = pass.found.candidates.map(\.number).sortedUnique()
            numbers.removeAll { known.place(of: $0) != nil }
        }
        var around = run.directory.neighbours(of: numbers, weights: LexicalWeights(settings.lexical))
        let wordScores = run.lexical.map { lexical.scores(of: numbers, for: $0) }
        if pass.plan.looksAtTexts { try await pass.reader.read(numbers) }
        var scored: [Candidate] = []
        scored.reserveCapacity(numbers.count)
        let (plan, permitted, texts) = (pass.plan, pass.permitted, pass.reader.visible)
        for (place, number) in numbers.enumerated() {
            guard let beside = around[place], let conversation = permitted[beside.conversation] else { continue }
            var candidate = Candidate(number: number, around: beside, in: conversation, plan: plan)
            candidate.words = wordScores.map { $0[place] ?? Candidate.Words() }
            candidate.isBySpeaker = run.speakers.contains(beside.sender)
            if plan.looksAtTexts, let text = texts[number]?.message.searchableText {
                candidate.phraseCount = plan.phraseCount(in: text)
                candidate.namesDay = plan.namesDay(in: text)
                candidate.literal = plan.literalMatch(in: text)
            }
            // Neighbours have the same place as their candidate.
            around[scored.count] = around[place]
            scored.append(candidate)
        }
        around.removeLast(around.count - scored.count)
        if let scan = run.dense {
            let vectors = try await NeighbourVectors(
                of: scored.map(\.number), around: around, scan: scan, dense: dense)
            vectors.complete(&scored, around)
        }
        pass.found.candidates += scored
    }
}

extension Candidate {
    /// Uses the features that need no vectors, words or text.
    fileprivate init(
        number: MessageNumber, around: MessageNeighbours, in conversation: PermittedConversation, plan: QuestionPlan
    ) {
        self.init(number: number, conversation: conversation, sender: around.sender, timestamp: around.timestamp)
        marks = around.marks
        isNearSpeaker = plan.company.contains(around.conversation)
        isInNamedPlace = plan.conversations.contains(conversation.id)
        isInTime = plan.times.contains { $0.contains(around.timestamp) }
    }
}
