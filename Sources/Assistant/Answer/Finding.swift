import ChatCore
import Prompting
import Retrieval

/// What a search brought, as the answer needs it.
struct Finding: Sendable {
    /// What was found, best first.
    let hits: [Hit]
    /// See ``Answer/mode``.
    let mode: RetrievalMode?
    /// See ``Answer/generation``.
    let generation: GenerationNumber?
    /// See ``Answer/noAnswerReason``.
    let noAnswerReason: NoAnswerReason
    /// See ``Answer/searchTrace``.
    let trace: SearchTrace?
    /// The messages that the search found, where others are shown too; nil where they are all.
    var foundKeys: Set<MessageKey>?

    /// Takes what was found for a question; how the question came about goes before the search's own notes.
    init(_ result: SearchResult, asked: SearchedQuestion) {
        var trace = result.trace
        trace.notes = asked.notes + trace.notes
        if trace.standaloneQuestion.isEmpty { trace.standaloneQuestion = asked.text }
        trace.durations["rewrite"] = asked.duration
        self.trace = trace
        hits = result.hits
        mode = result.mode
        generation = result.generation
        noAnswerReason = result.noAnswerReason
    }

    /// Takes a conversation's messages in order of time, and what a search in it found.
    init(conversation hits: [Hit], found: Finding?, isEmpty: Bool) {
        self.hits = hits
        mode = found?.mode
        generation = found?.generation
        noAnswerReason = isEmpty ? .nothingInScope : .none
        trace = found?.trace
        foundKeys = Set(found?.hits.map(\.message.key) ?? [])
    }

    /// Where nothing was searched.
    static let none = Finding(conversation: [], found: nil, isEmpty: false)

    private init() {
        hits = []
        mode = nil
        generation = nil
        noAnswerReason = .searchFailed
        trace = nil
    }

    /// What is left of a search that could not be made.
    static let failed = Finding()

    /// Returns what an answer can stand on when `hits` of it are shown; dates are written in the asker's zone, without
    /// one in each conversation's own.
    func grounding(showing hits: some Sequence<Hit>, timeZone: String?) -> Grounding {
        if noAnswerReason == .searchFailed { return .searchFailed }
        return .sources(
            hits.map { hit in
                PromptSource(
                    sender: hit.message.senderName.isEmpty ? hit.message.senderID.rawValue : hit.message.senderName,
                    conversation: hit.conversation.displayName, conversationID: hit.conversation.id,
                    timestamp: hit.message.timestamp,
                    timeZone: timeZone ?? hit.conversation.timeZone, text: hit.message.searchableText,
                    focus: hit.passage?.range)
            })
    }

    /// The hits that an extractive answer quotes: the best by rank, those left out that are less than half as
    /// relevant as the most relevant.
    func quotable(_ count: Int) -> [Hit] {
        let best = hits.map(\.relevance).max() ?? 0
        return Array(hits.filter { $0.relevance >= best / 2 }.prefix(count))
    }
}

/// What an answer is made from: what was found, and the request for the prompt that shows it.
struct PromptMaterial: Sendable {
    /// What the prompt shows.
    enum Content: Sendable {
        /// What was found for a question across conversations; its sources are the first hits.
        case question(PromptRequest)
        /// One conversation; its messages are the hits.
        case conversation(ConversationRequest)
    }

    /// What the numbers of the prompt mean.
    let finding: Finding
    /// What the prompt shows.
    let content: Content

    /// Makes the prompt; its order names places among the hits.
    func prompt(
        by builder: PromptBuilder, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> Prompt {
        switch content {
        case .question(let request): try builder.prompt(for: request, budget: budget, using: &generator)
        case .conversation(let request):
            try builder.conversationPrompt(for: request, budget: budget, using: &generator)
        }
    }
}
