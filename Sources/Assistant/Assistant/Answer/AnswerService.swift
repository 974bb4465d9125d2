package import ChatCore
package import Foundation
import Logging
package import Prompting
package import Retrieval
import Synchronization

/// Answers questions: search, prompt, language model, citations.
///
/// The language model is always asked, even if nothing was found or the search failed. Without a model the best sources
/// are quoted. A question in a thread is asked after the stored turns of that thread. A turn is recorded when its
/// answer is complete, but not if it was aborted or failed.
package struct AnswerService: QuestionAnswering {
    /// The language model, with its templates and limits.
    package let session: ModelSession
    let searching: any MessageSearching
    let turns: (any TurnRepository)?
    let settings: AssistantSettings
    let makeID: @Sendable () -> UUID

    /// - Parameters:
    ///   - searching: Finds the sources.
    ///   - session: Answers; without a model the answers are extractive.
    ///   - turns: Stores turns; nil to store none.
    ///   - settings: How it answers.
    ///   - makeID: Makes the ids of turns.
    package init(
        searching: any MessageSearching, session: ModelSession, turns: (any TurnRepository)?,
        settings: AssistantSettings = AssistantSettings(), makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.searching = searching
        self.session = session
        self.turns = turns
        self.settings = settings
        self.makeID = makeID
    }

    /// Returns the text that is posted in a conversation instead of an answer.
    package func mentionFailedText(_ reason: MentionFailure) -> String { session.builder.mentionFailedText(reason) }

    /// Returns the message that says what became of a command about a link; see ``LinkCommand``.
    package func linkOutcomeText(_ outcome: LinkOutcome, account: UserID) -> String {
        session.builder.linkOutcomeText(outcome, account: account)
    }

    /// Returns the note below an answer that is posted in a conversation, which names sentences that no message
    /// supports; nil for none.
    package func supportNote(of answer: Answer) -> String? {
        let sentences = answer.unsupportedSentences(atMost: 3)
        return sentences.isEmpty ? nil : session.builder.mentionUnsupportedText(sentences)
    }

    /// Makes a question from a request whose text was checked.
    func ask(_ question: String, of request: AskRequest) async throws -> Ask {
        var (request, historyIDs) = try await remembering(request)
        let askedAt = request.askedAt ?? session.now()
        let searched = request.limit(asOf: question, askedAt: askedAt)
        return Ask(
            question: question, searched: searched, request: request, historyIDs: historyIDs,
            turnID: request.turnID ?? TurnID(rawValue: makeID().asText), askedAt: askedAt)
    }

    /// See ``QuestionAnswering/answer(_:deliver:)``.
    package func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws {
        try await Self.untilCancelled { try await run(request, emit: deliver) }
    }

    /// Runs work whose failures count as `CancellationError` once its task is cancelled: nobody waits for their reason.
    static func untilCancelled(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }

    private func run(_ request: AskRequest, emit: (AnswerEvent) -> Void) async throws {
        let ask = try await ask(try request.validatedQuestion(), of: request)
        let finding = try await find(ask)
        try Task.checkCancellation()
        let start = session.now()
        var answer =
            if let model = session.model {
                try await self.answer(ask) {
                    try await generate(with: model, for: ask, from: material(for: ask, from: finding), emit: emit)
                } orQuote: {
                    extract(for: ask, from: finding, notice: .modelUnavailable, emit: emit)
                }
            } else {
                extract(for: ask, from: finding, emit: emit)
            }
        answer.note(ask.request.asOf)
        try Task.checkCancellation()
        let durations = ["answer": session.now() - start, "total": session.now() - ask.askedAt]
        let isKept = await record(
            answer, of: ask,
            tracing: trace(of: answer, to: ask, from: finding, by: prompts(of: answer), durations: durations))
        if !isKept { answer.notices.insert(.notStored) }
        emit(.done(answer))
    }

    /// Answers with a language model; quotes if it fails before its first word.
    ///
    /// A second ``AnswerEvent/retrieved(_:)`` then replaces the first: the quotes have other numbers.
    func answer(
        _ ask: Ask, by generate: () async throws -> Answer, orQuote quote: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await generate()
        } catch let error as ModelServiceError {
            try Task.checkCancellation()
            guard error != .tooLong, !ask.speech.hasBegun, ask.request.allowsFallback, settings.fallback == .quote
            else {
                throw error
            }
            session.logger.warning(
                "The language model failed; sources are quoted",
                metadata: ["turn.id": "\(ask.turnID)", "error.code": "\(error.code)"])
            return try await quote()
        }
    }

    /// Replaces the history of a question in a thread by the stored turns.
    private func remembering(_ request: AskRequest) async throws -> (AskRequest, historyIDs: [TurnID]) {
        if let previous = request.previousTurnID { return try await following(previous, request) }
        guard let thread = request.threadID else { return (request, []) }
        guard let turns else { throw RepositoryError.noSuchThread(thread) }
        var request = request
        let history = try await turns.history(of: thread, user: request.scope.asker, at: session.now())
        request.history = history.map { Exchange(question: $0.question, answer: $0.answer) }
        return (request, history.map(\.id))
    }

    /// Puts a turn, and the turns that were in its prompt, before the history of a question.
    private func following(
        _ previous: TurnID, _ request: AskRequest
    ) async throws -> (AskRequest, historyIDs: [TurnID]) {
        guard let turns else { throw RepositoryError.noSuchTurn(previous) }
        let asker = request.scope.asker
        let last = try await turns.turn(previous, of: asker)
        var chain: [Turn] = []
        for id in last.historyIDs.suffix(TurnHistory.limit - 1) {
            // A deleted turn is no part of any history.
            do { chain.append(try await turns.turn(id, of: asker)) } catch RepositoryError.noSuchTurn { continue }
        }
        let readable = try await turns.readable(chain + [last], at: session.now()).filter(\.isWhole).map(\.turn)
        var request = request
        request.history = readable.map { Exchange(question: $0.question, answer: $0.answer) } + request.history
        return (request, readable.map(\.id))
    }

    private func record(_ answer: Answer, of ask: Ask, tracing trace: TurnTrace) async -> Bool {
        guard ask.request.isKept else { return true }
        return await record(
            Turn(
                id: ask.turnID, askerID: ask.request.scope.asker, question: ask.question, answer: answer.text,
                sourceKeys: answer.promptMessageKeys + ask.request.quotedKeys, askedAt: ask.askedAt,
                threadID: ask.request.threadID, historyIDs: ask.historyIDs, reply: answer.reply), answer: answer,
            tracing: trace)
    }

    /// Stores a turn; a failure to store does not prevent the answer.
    ///
    /// - Returns: False if the turn should be stored but is not.
    func record(_ turn: Turn, answer: Answer, tracing trace: TurnTrace) async -> Bool {
        await record(turn, answer: answer) { try await turns?.record(turn, trace: trace) }
    }

    /// Stores a turn by `store`; a failure to store does not prevent the answer.
    ///
    /// - Returns: False if the turn should be stored but is not.
    func record(_ turn: Turn, answer: Answer, by store: () async throws -> Void) async -> Bool {
        session.logger.debug(
            "Answered",
            metadata: [
                "turn.id": "\(turn.id)", "answer.sources": "\(answer.promptMessageKeys.count)",
                "answer.citations": "\(answer.citations.count)",
            ])
        do {
            try await store()
            return true
        } catch {
            session.logger.warning(
                "The turn cannot be stored",
                metadata: ["turn.id": "\(turn.id)", "error.type": "\(type(of: error))"])
            return false
        }
    }
}

/// A request that was checked.
struct Ask: Sendable {
    /// The question without white space at its ends.
    let question: String
    /// The same without "as of" a day.
    var searched: String
    /// The request as it came, limited to messages until the moment that the question names.
    let request: AskRequest
    /// The turns of its thread that form the history.
    let historyIDs: [TurnID]
    /// The id of its turn.
    let turnID: TurnID
    /// When it came.
    let askedAt: Timestamp
    /// Whether a summary is wanted: the same messages must give the same summary.
    var isSummary = false
    /// Whether a part of the answer was shown.
    let speech = Speech()

    /// Whether the language model has begun to speak.
    final class Speech: Sendable {
        private let state = Mutex(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func begin() { state.withLock { $0 = true } }
    }
}

extension UUID {
    fileprivate var asText: String { uuidString.lowercased() }
}
