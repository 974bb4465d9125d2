import ChatCore
import Logging
import Prompting
import Retrieval
import TextAnalysis
import Tracing

/// The question that is searched for.
struct SearchedQuestion: Sendable {
    /// The question, in the asker's words or rewritten.
    var text: String
    /// Earlier questions, if the search must fill in what this question leaves out.
    var previousQuestions: [String] = []
    /// How the text came about.
    var notes: [SearchTrace.Note] = []
    /// How long rewriting took; nil when it was not tried.
    var duration: Duration?
}

extension AnswerService {
    /// Searches; if a model service fails, the question is still answered.
    func find(_ ask: Ask) async throws -> Finding {
        let asked = try await searchedQuestion(for: ask)
        let count = searchLimit(of: ask.request)
        let search = SearchRequest(
            question: asked.text, scope: ask.request.scope, filter: ask.request.filter, limit: count,
            previousQuestions: asked.previousQuestions, timeZone: ask.request.timeZone,
            askedAt: ask.askedAt, explains: true)
        do {
            return Finding(try await searching.search(search), asked: asked)
        } catch let error as ModelServiceError {
            session.logger.warning(
                "The search failed",
                metadata: ["turn.id": "\(ask.turnID)", "error.code": "\(error.code)"])
            return .failed
        }
    }

    /// The most hits to search for, including those for the prompt.
    func searchLimit(of request: AskRequest) -> Int {
        min(SearchRequest.limitRange.upperBound, max(request.limit, settings.promptSourceCount))
    }

    /// Returns the question to search for: a follow-up is rewritten by the language model.
    ///
    /// Without a model, or if its reply is unusable, the search gets the earlier questions as well.
    private func searchedQuestion(for ask: Ask) async throws -> SearchedQuestion {
        let history = ask.request.questionedHistory
        let previous = history.map(\.question)
        guard let model = session.model, settings.rewritesFollowUps, !history.isEmpty else {
            return SearchedQuestion(text: ask.searched, previousQuestions: previous)
        }
        guard ask.question.count <= RewrittenQuestion.longest, !QuestionDependence.standsAlone(ask.question) else {
            return SearchedQuestion(text: ask.searched)
        }
        let rewriter = QuestionRewriter(
            model: session.limited(model, for: ask.request.scope.asker) ?? model, builder: session.builder,
            timeLimit: settings.rewriteTimeLimit)
        let start = session.now()
        var generator = session.makeGenerator()
        do {
            let text = try await withSpan("rewrite", ofKind: .client) { _ in
                try await rewriter.rewrite(ask.searched, after: history, using: &generator)
            }
            return SearchedQuestion(text: text, notes: [.rewritten], duration: session.now() - start)
        } catch let error as DailyTokensUsedUp {
            throw error
        } catch {
            try Task.checkCancellation()
            session.logger.warning(
                "A follow-up is searched for as it was asked",
                metadata: ["turn.id": "\(ask.turnID)", "error.code": "\(Self.code(of: error))"])
            return SearchedQuestion(
                text: ask.searched, previousQuestions: previous, notes: [.rewriteFailed],
                duration: session.now() - start)
        }
    }

    /// A stable word for the reason why a question was not rewritten.
    private static func code(of error: any Error) -> String {
        switch error {
        case let error as ModelServiceError: error.code
        case is TimeLimitExceeded: "timed_out"
        default: "useless_reply"
        }
    }
}

extension AskRequest {
    /// The newest exchanges with a question, oldest first.
    fileprivate var questionedHistory: [PromptExchange] {
        promptHistory.filter { !$0.question.trimmingWhitespace().isEmpty }.suffix(Self.historyLimit)
    }
}
