import ChatCore
import Evaluation
import Foundation
import Retrieval

/// The search as an evaluation asks it.
struct SearchSystem: EvaluatedSystem {
    /// Which messages are searched.
    enum Scope: String, CaseIterable, Sendable {
        /// Those of the question's own conversation.
        case conversation
        /// All that the asker may see.
        case all
    }

    let searcher: any MessageSearching
    let scope: Scope

    /// Ranks messages; see ``EvaluatedSystem/rank(_:limit:)``.
    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList {
        let result = try await searcher.search(
            SearchRequest(
                question: question.question,
                scope: SearchScope(
                    asker: question.askerID ?? EvaluationQuestion.defaultAskerID,
                    conversations: scope == .all ? .all : .only([question.conversationID])),
                // What was written later was not there when it was asked.
                filter: SearchFilter(to: question.askedAt),
                limit: min(limit, SearchRequest.limitRange.upperBound), askedAt: question.askedAt, explains: true))
        let falls = zip(result.hits, result.hits.dropFirst()).allSatisfy { $0.score >= $1.score }
        return RankedList(
            hits: result.hits.map { hit in
                // A reranker's order does not follow from the scores of the fusion.
                RankedHit(
                    key: hit.message.key, score: falls ? hit.score : 1 / Double(hit.rank),
                    signals: hit.explanation?.contributions ?? [:])
            }, latencies: result.trace.durations, confidence: result.confidence)
    }
}

extension HitExplanation {
    /// What each signal adds, by its name.
    fileprivate var contributions: [String: Double] {
        Dictionary(signals.map { ($0.name, $0.contribution) }, uniquingKeysWith: +)
    }
}

extension RetrievalSettings {
    /// Returns the settings as a report keeps them.
    func runConfiguration(_ scope: SearchSystem.Scope) throws -> RunConfiguration {
        RunConfiguration(
            value: try JSONDecoder().decode(JSONValue.self, from: encoded()), hash: fingerprint, scope: scope.rawValue)
    }
}
