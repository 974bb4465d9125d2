import ChatCore

/// One search on its way through the stages.
struct SearchPass: Sendable {
    /// The question without white space at its ends.
    let question: String
    /// What was asked for.
    let request: SearchRequest
    /// When.
    let moment: Timestamp
    /// Where the asker may look.
    var permitted: [ConversationNumber: PermittedConversation] = [:]
    /// What is looked for.
    var plan = QuestionPlan()
    /// How it goes.
    var trace = SearchTrace()

    init(question: String, request: SearchRequest, moment: Timestamp) {
        self.question = question
        self.request = request
        self.moment = moment
        trace.standaloneQuestion = question
    }

    /// Notes how long a stage took that began at `start`, for the trace of the search and for a tracer.
    mutating func note(_ stage: String, since start: ContinuousClock.Instant) {
        let duration = ContinuousClock.now - start
        trace.durations[stage, default: .zero] += duration
        Self.trace(stage, took: duration)
    }

    /// What the search found.
    func result(_ hits: [Hit], mode: RetrievalMode, generation: GenerationIndex?) -> SearchResult {
        SearchResult(hits: hits, mode: mode, generation: generation?.generation.number, trace: trace)
    }
}
