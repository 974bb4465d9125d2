import ChatCore
import Evaluation
import Foundation
import Retrieval
import UseCases

/// Compares how two generations answer the same questions.
struct GenerationComparer: Sendable {
    private static let comparedDepth = SearchRequest.limitRange.upperBound
    private static let comparedCutoff = 10

    let turns: any TurnRepository
    let index: LiveIndex
    let searcher: HybridSearcher
    let generations: EmbeddingGenerations

    /// Answers the same questions with two generations, and compares the rankings.
    func compare(_ request: ComparisonRequest, emit: Emit) async throws -> GenerationComparison {
        let numbers = [request.first, request.second]
        let questions = try await comparedQuestions(request)
        try await index.follow()
        var searchers: [HybridSearcher] = []
        for number in numbers { searchers.append(try await searcher.pinned(to: generations.present(number))) }
        var comparison = GenerationComparison(
            first: request.first, second: request.second, cutoff: Self.comparedCutoff, skippedCount: 0, questions: [])
        for (count, question) in questions.enumerated() {
            try await emit(.progress(StageProgress(stage: .asking, done: count, total: questions.count)))
            do {
                var rankings: [[MessageKey]] = []
                for (searcher, number) in zip(searchers, numbers) {
                    rankings.append(try await ranking(of: question.request, with: searcher, generation: number))
                }
                comparison.questions.append(question.compared(rankings[0], rankings[1], cutoff: Self.comparedCutoff))
            } catch RetrievalError.noPermittedConversation {
                comparison.skippedCount += 1
            }
        }
        guard !comparison.questions.isEmpty else {
            throw OperatorFailure(message: "none of the questions' conversations can be searched in this data folder")
        }
        return comparison
    }

    private func ranking(
        of request: SearchRequest, with searcher: HybridSearcher, generation: Int64
    ) async throws -> [MessageKey] {
        let result = try await searcher.search(request)
        guard !result.trace.notes.contains(.embeddingFailed) else {
            throw OperatorFailure(message: "the embedding service of generation \(generation) does not answer")
        }
        return result.hits.map(\.message.key)
    }

    private func comparedQuestions(_ request: ComparisonRequest) async throws -> [ComparedQuestion] {
        guard let folder = request.dataset else {
            let turns = try await self.turns.recentTurns(limit: request.recentCount)
            guard !turns.isEmpty else {
                throw OperatorFailure(message: "no question was asked yet; compare with --dataset")
            }
            var seen: Set<[String]> = []
            return turns.filter { seen.insert([$0.askerID.rawValue, $0.question]).inserted }
                .map { ComparedQuestion($0, limit: Self.comparedDepth) }
        }
        let dataset = try EvaluationDataset(folder: URL(filePath: folder), evidence: .lenient)
        return dataset.questions.map { question in
            let conversation = dataset.conversations.first { $0.id == question.conversationID }
            return ComparedQuestion(
                question,
                asker: question.askerID ?? conversation?.participants.first?.id ?? EvaluationQuestion.defaultAskerID,
                searchesAll: request.searchesAll, limit: Self.comparedDepth)
        }
    }
}

/// A question that two generations answer.
private struct ComparedQuestion {
    let id: String
    let request: SearchRequest
    /// The messages that the answer is based on, if known.
    let evidence: Set<MessageKey>

    /// A question that was asked, in the conversations that its asker may see now.
    init(_ turn: Turn, limit: Int) {
        id = turn.id.rawValue
        request = SearchRequest(
            question: turn.question, scope: SearchScope(asker: turn.askerID, conversations: .all), limit: limit,
            askedAt: turn.askedAt)
        evidence = []
    }

    /// A question of a dataset.
    init(_ question: EvaluationQuestion, asker: UserID, searchesAll: Bool, limit: Int) {
        id = question.id
        request = SearchRequest(
            question: question.question,
            scope: SearchScope(asker: asker, conversations: searchesAll ? .all : .only([question.conversationID])),
            filter: SearchFilter(to: question.askedAt), limit: limit, askedAt: question.askedAt)
        evidence = question.isAnswerable ? Set(question.evidence) : []
    }

    func compared(_ first: [MessageKey], _ second: [MessageKey], cutoff: Int) -> GenerationComparison.Question {
        func recall(_ ranking: [MessageKey]) -> Double? {
            guard !evidence.isEmpty else { return nil }
            return Double(evidence.intersection(ranking.prefix(cutoff)).count) / Double(evidence.count)
        }
        return GenerationComparison.Question(
            id: id, agreement: RankingAgreement(first, second, cutoff: cutoff), firstRecall: recall(first),
            secondRecall: recall(second))
    }
}
