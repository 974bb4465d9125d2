import ChatCore
import Tracing

/// One search on its way through the stages: each stage reads what the ones before it have set.
struct SearchPass: Sendable {
    /// The question without white space at its ends.
    let question: String
    /// What was asked for.
    let request: SearchRequest
    /// When.
    let moment: Timestamp
    /// Permit: where the asker may look.
    var permitted: [ConversationNumber: PermittedConversation] = [:]
    /// Plan: what is looked for.
    var plan = QuestionPlan()
    /// Recall: what may become hits, with all features.
    var found = Recalled()
    /// Fuse and rerank: candidates, best first.
    var ranked: [Fusion.Ranked] = []
    /// The fusion that ordered them.
    var fusion: Fusion?
    /// Reads the messages that may become hits.
    var reader: MessageReader
    /// How it goes.
    var trace = SearchTrace()

    init(_ request: SearchRequest, store: any MessageRepository, moment: Timestamp) throws(RetrievalError) {
        question = try request.validatedQuestion()
        self.request = request
        self.moment = moment
        reader = MessageReader(store: store, request: request, moment: moment)
        trace.standaloneQuestion = question
    }

    /// Notes how long a stage took that began at `start`, for the trace of the search and for a tracer.
    mutating func note(_ stage: String, since start: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - start
        trace.durations[stage, default: .zero] += duration
        Self.trace(stage, took: duration)
    }

    /// Orders the candidates.
    mutating func fuse(_ candidates: [Candidate], by fusion: Fusion) {
        self.fusion = fusion
        ranked = fusion.ranked(candidates, bestWords: found.bestWords)
    }

    /// What the search found.
    func result(_ hits: [Hit]) -> SearchResult {
        SearchResult(hits: hits, mode: found.mode, generation: found.generation?.generation.number, trace: trace)
    }
}

extension SearchRequest {
    /// Returns the question without white space at its ends.
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

/// Reads the messages of candidates from the store: those that may become hits, not all that were found.
///
/// The indexes know enough of a message to give it its score, and nothing of it is shown before it was read here, within
/// the scope and in one moment with the permission.
struct MessageReader: Sendable {
    let store: any MessageRepository
    let request: SearchRequest
    let moment: Timestamp
    /// Of which generation passages are wanted; nil for none.
    var generation: GenerationNumber?
    /// What was read and may be seen.
    private(set) var visible: [MessageNumber: VisibleMessage] = [:]
    private var asked: Set<MessageNumber> = []

    init(store: any MessageRepository, request: SearchRequest, moment: Timestamp) {
        self.store = store
        self.request = request
        self.moment = moment
    }

    /// Reads messages that were not read before.
    mutating func read(_ numbers: [MessageNumber]) async throws {
        let unread = numbers.filter { asked.insert($0).inserted }
        guard !unread.isEmpty else { return }
        for found in try await store.visible(unread, passagesOf: generation, in: request.scope, at: moment)
        where request.filter.admits(senderID: found.message.senderID, timestamp: found.message.timestamp) {
            visible[found.number] = found
        }
    }

    /// Reads the first of a ranking.
    ///
    /// - Parameters:
    ///   - ranked: Candidates, best first.
    ///   - count: How many are needed.
    /// - Returns: The ranking without those that may not be seen: of it so many are read, or all.
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
    /// Tells the tracer of a stage that took so long and ends now.
    static func trace(_ stage: String, took duration: Duration) {
        // Without a tracer nothing is even looked at.
        guard let context = ServiceContext.current, !(InstrumentationSystem.instrument is NoOpInstrument) else {
            return
        }
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        let start = WallInstant(nanosecondsSinceEpoch: end > length ? end - length : 0)
        startSpan(stage, at: start, context: context).end(at: WallInstant(nanosecondsSinceEpoch: end))
    }
}
