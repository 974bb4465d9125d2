import ChatCore
import Tracing

/// The state of one search: each stage reads what earlier stages have set.
struct SearchPass: Sendable {
    /// The question, trimmed.
    let question: String
    let request: SearchRequest
    /// The time of the search.
    let moment: Timestamp
    /// The most hits of this page.
    let limit: Int
    /// Permit: the conversations that the asker may see.
    var permitted: [ConversationNumber: PermittedConversation] = [:]
    /// Permit: the present and past members of these conversations, without those of ``large`` ones.
    var people: [Person] = []
    /// Permit: the conversations with too many members to read.
    var large: [ConversationNumber] = []
    /// Their members whom the question may name.
    var named: [Person] = []
    /// Permit: the end of the change log; nil before.
    var end: ChangeCursor?
    /// Permit: changes that were read for the indexes, and where they begin; nil for none.
    var part: (start: ChangeCursor, page: ChangePage)?
    /// Plan: what the question looks for.
    var plan = QuestionPlan()
    /// Recall: the messages that may become hits, with their features.
    var found = Recalled()
    /// Fuse and rerank: candidates, best first.
    var ranked: [Fusion.Ranked] = []
    /// The fusion that ordered them.
    var fusion: Fusion?
    /// Reads the messages that may become hits.
    var reader: MessageReader
    var trace = SearchTrace()

    init(_ request: SearchRequest, store: any MessageRepository, moment: Timestamp) throws(RetrievalError) {
        question = try request.validatedQuestion()
        limit = try request.pageLimit()
        self.request = request
        self.moment = moment
        reader = MessageReader(store: store, request: request, moment: moment)
        trace.standaloneQuestion = question
    }

    /// The hits of all pages before this one.
    var earlierCount: Int { request.continuation?.count ?? 0 }

    /// The hits of this page and of all pages before it, at most ``SearchRequest/resultLimit``.
    var depth: Int { earlierCount + limit }

    /// Notes the duration of a stage that began at `start`, in the trace of the search and for a tracer.
    mutating func measure(_ stage: String, since start: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - start
        trace.durations[stage, default: .zero] += duration
        Self.trace(stage, took: duration)
    }

    /// Orders the candidates.
    mutating func fuse(_ candidates: [Candidate], by fusion: Fusion) {
        self.fusion = fusion
        ranked = fusion.ranked(candidates, bestWords: found.bestWords)
    }

    /// Returns the result of the search.
    func result(_ hits: [Hit]) -> SearchResult {
        SearchResult(hits: hits, mode: found.mode, generation: found.generation?.generation.number, trace: trace)
    }
}

extension SearchRequest {
    /// Returns the most hits of the page.
    fileprivate func pageLimit() throws(RetrievalError) -> Int {
        guard let continuation else { return limit }
        // What an earlier page names is 1 or 2 messages for each hit.
        guard (1..<Self.resultLimit).contains(continuation.count), continuation.shown.count <= 2 * Self.resultLimit
        else { throw .invalid(field: "cursor", reason: "is not one that a search returned") }
        return min(limit, Self.resultLimit - continuation.count)
    }

    /// Returns the trimmed question.
    fileprivate func validatedQuestion() throws(RetrievalError) -> String {
        guard Self.limitRange.contains(limit) else {
            throw .invalid(
                field: "topK", reason: "must lie in \(Self.limitRange.lowerBound)...\(Self.limitRange.upperBound)")
        }
        let question = question.trimmingWhitespace()
        guard !question.isEmpty else { throw .invalid(field: "question", reason: "must not be empty") }
        return question
    }
}

/// Reads messages from the store: those that may become hits, not all candidates.
///
/// The indexes know enough of a message to give it a score. It is shown only after it was read here, within the scope,
/// in the same call that checks the permission.
struct MessageReader: Sendable {
    let store: any MessageRepository
    let request: SearchRequest
    let moment: Timestamp
    /// The generation whose passages are read too; nil for none.
    var generation: GenerationNumber?
    /// The messages that were read and may be seen.
    private(set) var visible: [MessageNumber: VisibleMessage] = [:]
    private var asked: Set<MessageNumber> = []
    /// How many of the first messages are likely to become hits, whose repeats are looked up with them.
    var likelyCount = 0
    /// The messages that say the same as another one, as far as they were looked up.
    private(set) var repeats: [MessageNumber: [MessageNumber]] = [:]

    init(store: any MessageRepository, request: SearchRequest, moment: Timestamp) {
        self.store = store
        self.request = request
        self.moment = moment
    }

    /// Reads messages that were not read before.
    mutating func read(_ numbers: [MessageNumber]) async throws {
        let unread = numbers.filter { asked.insert($0).inserted }
        guard !unread.isEmpty else { return }
        let newest = request.continuation?.newest
        for found in try await messages(unread)
        where request.filter.admits(found.message) && found.number <= newest ?? found.number {
            visible[found.number] = found
        }
    }

    private mutating func messages(_ numbers: [MessageNumber]) async throws -> [VisibleMessage] {
        // What an earlier page showed does not become a hit.
        let shown = request.continuation?.shown ?? []
        let best = Array(numbers.lazy.filter { !shown.contains($0) }.prefix(likelyCount))
        guard let generation, !best.isEmpty else {
            return try await store.visible(numbers, passagesOf: generation, in: request.scope, at: moment)
        }
        likelyCount = 0
        let found = try await store.visible(
            numbers, passagesOf: generation, repeatsOf: best, limit: Hit.duplicateLimit, in: request.scope, at: moment)
        repeats = found.repeats
        return found.messages
    }

    /// Reads the first of a ranking.
    ///
    /// - Parameters:
    ///   - ranked: Candidates, best first.
    ///   - count: How many of them are needed.
    /// - Returns: The ranking without messages that may not be seen; its first `count` entries are read.
    /// - Throws: ``RepositoryError``.
    mutating func reading(_ ranked: [Fusion.Ranked], first count: Int) async throws -> [Fusion.Ranked] {
        var ranked = ranked
        while true {
            let unread = ranked.prefix(count).map(\.candidate.number).filter { !asked.contains($0) }
            guard !unread.isEmpty else { return ranked }
            try await read(unread)
            ranked.removeAll { asked.contains($0.candidate.number) && visible[$0.candidate.number] == nil }
        }
    }
}

/// A moment of the wall clock for a tracer.
private struct WallInstant: TracerInstant {
    let nanosecondsSinceEpoch: UInt64

    static func < (left: WallInstant, right: WallInstant) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }
}

extension SearchPass {
    /// Reports a stage that ends now to the tracer.
    static func trace(_ stage: String, took duration: Duration) {
        // Without a tracer this costs nothing.
        guard let context = ServiceContext.current, !(InstrumentationSystem.instrument is NoOpInstrument) else {
            return
        }
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        let start = WallInstant(nanosecondsSinceEpoch: end > length ? end - length : 0)
        startSpan(stage, at: start, context: context).end(at: WallInstant(nanosecondsSinceEpoch: end))
    }
}
