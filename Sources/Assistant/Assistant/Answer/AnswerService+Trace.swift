import ChatCore
import Prompting
import Retrieval

extension AnswerService {
    /// Returns ids and numbers that explain how an answer came about.
    func trace(
        of answer: Answer, to ask: Ask, from finding: Finding, by templates: [PromptName],
        durations: [String: Duration]
    ) -> TurnTrace {
        let search = answer.searchTrace
        let searched = search?.standaloneQuestion
        return TurnTrace(
            conversationIDs: ask.request.scope.namedConversations, senderIDs: ask.request.filter.senderIDs?.sorted(),
            from: ask.request.filter.from, to: ask.request.filter.to, limit: searchLimit(of: ask.request),
            timeZone: ask.request.timeZone, searchedQuestion: searched == ask.question ? nil : searched,
            mode: finding.mode?.rawValue, generation: finding.generation, configuration: search?.configuration,
            notes: search?.notes.map(\.rawValue) ?? [], noAnswerReason: finding.noAnswerReason.rawValue,
            hits: finding.hits.prefix(TurnTrace.hitLimit).map(TurnTrace.Hit.init),
            prompts: described(templates), model: session.model?.name,
            promptTokenCount: answer.usage?.promptTokens, completionTokenCount: answer.usage?.completionTokens,
            durations: (search?.durations ?? [:]).merging(durations) { own, _ in own }.mapValues(\.microseconds))
    }

    /// The templates that are used for an answer to a question across conversations.
    func prompts(of answer: Answer) -> [PromptName] {
        session.model == nil || answer.notices.contains(.modelUnavailable)
            ? [.extractive]
            : [
                settings.promptSize.system,
                answer.promptMessageKeys.isEmpty ? .noSources : settings.promptSize.question,
            ]
    }

    private func described(_ names: [PromptName]) -> [TurnTrace.Prompt] {
        session.prompts.descriptions.filter { names.map(\.rawValue).contains($0.name) }.map {
            TurnTrace.Prompt(name: $0.name, version: $0.version, fingerprint: $0.fingerprint)
        }
    }
}

extension TurnTrace.Hit {
    init(_ hit: Hit) {
        self.init(
            key: hit.message.key, rank: hit.rank, score: hit.score, relevance: hit.relevance,
            signals: hit.explanation?.signals.map {
                TurnTrace.Signal(name: $0.name, value: $0.value, contribution: $0.contribution, rank: $0.rank)
            } ?? [])
    }
}

extension SearchScope {
    /// The named conversations, sorted; nil for all.
    fileprivate var namedConversations: [ConversationID]? {
        guard case .only(let ids) = conversations else { return nil }
        return ids.sorted()
    }
}

extension Duration {
    /// Whole microseconds.
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
