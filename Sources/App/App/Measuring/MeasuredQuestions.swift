package import Assistant
import ChatCore
package import CoreMetrics
package import Retrieval

/// A search whose stages and outcomes are counted.
package struct MeasuredSearching: MessageSearching {
    let base: any MessageSearching
    let factory: any MetricsFactory

    package init(base: any MessageSearching, factory: any MetricsFactory) {
        self.base = base
        self.factory = factory
    }

    /// See `MessageSearching`.
    package func search(_ request: SearchRequest) async throws -> SearchResult {
        do {
            let result = try await base.search(request)
            StageMeter(factory: factory).record(result.trace.durations)
            for note in result.trace.notes { note.count(in: factory) }
            count(result.noAnswerReason == .none ? "found" : result.noAnswerReason.rawValue)
            return result
        } catch {
            count(Outcome.word(for: error))
            throw error
        }
    }

    private func count(_ outcome: String) {
        Counter(label: "nexus_searches_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }
}

/// An assistant whose answers are counted.
package struct MeasuredAnswering: QuestionAnswering {
    let base: any QuestionAnswering
    let factory: any MetricsFactory

    package init(base: any QuestionAnswering, factory: any MetricsFactory) {
        self.base = base
        self.factory = factory
    }

    /// See `QuestionAnswering`.
    package func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws {
        do {
            try await base.answer(request) { event in
                if case .done(let answer) = event { count(answer) }
                deliver(event)
            }
        } catch {
            count(Outcome.word(for: error))
            throw error
        }
    }

    /// See `QuestionAnswering`; it is no question, so it is not counted.
    package func perform(_ task: ClientTask, deliver: (AnswerEvent) -> Void) async throws {
        try await base.perform(task, deliver: deliver)
    }

    /// Counts the stages outside the search; the search counts its own.
    private func count(_ answer: Answer) {
        let stages = answer.searchTrace?.durations.filter { ["rewrite", "prompt"].contains($0.key) } ?? [:]
        StageMeter(factory: factory).record(stages)
        for note in answer.searchTrace?.notes ?? [] where note.isOfRewriting { note.count(in: factory) }
        for notice in answer.notices {
            Counter(label: "nexus_answer_notices_total", dimensions: [("notice", notice.rawValue)], factory: factory)
                .increment()
        }
        count(answer.noAnswerReason == .none ? "answered" : answer.noAnswerReason.rawValue)
    }

    private func count(_ outcome: String) {
        Counter(label: "nexus_questions_total", dimensions: [("outcome", outcome)], factory: factory).increment()
    }
}

extension SearchTrace.Note {
    /// Whether it is about the rewriting before the search.
    fileprivate var isOfRewriting: Bool { self == .rewritten || self == .rewriteFailed }

    fileprivate func count(in factory: any MetricsFactory) {
        Counter(label: "nexus_search_notes_total", dimensions: [("note", rawValue)], factory: factory).increment()
    }
}

/// The outcome of a question or a search that failed.
private enum Outcome {
    static func word(for error: any Error) -> String {
        switch error {
        case is CancellationError: "cancelled"
        case is RetrievalError: "refused"
        default: "failed"
        }
    }
}
