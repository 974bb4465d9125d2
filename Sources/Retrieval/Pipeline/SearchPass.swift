import ChatCore

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
