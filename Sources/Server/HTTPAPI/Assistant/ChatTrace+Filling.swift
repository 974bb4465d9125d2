import ChatCore
import NexusModel

extension ChatTrace {
    init(_ trace: TurnTrace, of id: TurnID) {
        self.init(
            turnId: id.rawValue,
            filter: Filter(
                conversationIds: trace.conversationIDs?.map(\.rawValue), senderIds: trace.senderIDs?.map(\.rawValue),
                from: trace.from?.wireDate, to: trace.to?.wireDate, limit: trace.limit, timeZone: trace.timeZone),
            searchedQuestion: trace.searchedQuestion, mode: trace.mode, embeddingGeneration: trace.generation?.rawValue,
            configuration: trace.configuration, notes: trace.notes, noAnswerReason: trace.noAnswerReason,
            hits: trace.hits.map { Hit($0) },
            generation: Generation(
                model: trace.model,
                prompts: trace.prompts.map {
                    Prompt(name: $0.name, version: $0.version, fingerprint: $0.fingerprint)
                }, promptTokens: trace.promptTokenCount, completionTokens: trace.completionTokenCount),
            durations: trace.durations.mapValues { Double($0) / 1_000 })
    }
}

extension ChatTrace.Hit {
    fileprivate init(_ hit: TurnTrace.Hit) {
        self.init(
            rank: hit.rank, conversationId: hit.key.conversationID.rawValue, messageId: hit.key.messageID.rawValue,
            score: hit.score, relevance: hit.relevance,
            signals: hit.signals.map {
                SearchSignal(name: $0.name, value: $0.value, contribution: $0.contribution, rank: $0.rank)
            })
    }
}
