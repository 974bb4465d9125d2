package import ChatCore
import Foundation
import Logging
import Prompting
import Retrieval

/// Helps with one conversation and uses only its messages.
///
/// If the conversation fits into the prompt, all of it is shown. If not, the model is shown the newest messages, the
/// messages that the search finds for the question, and summaries of the rest. Missing summaries are written first.
/// Without a language model the messages that the search finds are quoted.
package struct ConversationAssistant: Sendable {
    /// The store of conversations and summaries.
    package typealias Repository = ConversationRepository & MessageRepository & SummaryRepository
        & ThreadRepository

    let assistant: AnswerService
    let store: any Repository
    let settings: ConversationSettings

    /// - Parameters:
    ///   - assistant: Its search, language model, templates, limits and daily token counts are used.
    ///   - store: Contains the conversations.
    ///   - settings: How it reads conversations that are too long for a prompt.
    package init(
        assistant: AnswerService, store: any Repository, settings: ConversationSettings = ConversationSettings()
    ) {
        self.assistant = assistant
        self.store = store
        self.settings = settings
    }

    /// The prompts that people are offered.
    package var suggestions: [Suggestion] { assistant.session.builder.suggestions }

    /// Returns a whole answer.
    ///
    /// - Throws: As ``answer(_:deliver:)``.
    package func wholeAnswer(to question: ConversationQuestion) async throws -> Answer {
        try await Answer.last { deliver in try await answer(question, deliver: deliver) }
    }

    /// Delivers an answer, and returns after its last event; when the task is cancelled, the language model's requests
    /// are aborted.
    ///
    /// - Parameters:
    ///   - question: What is asked, or that a summary is wanted.
    ///   - deliver: Receives the events as ``AnswerEvent`` describes them; the answer's sources are those that it cites.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see the conversation,
    ///   ``RepositoryError/noSuchMessage(_:)`` when the filter names an unknown message, ``RetrievalError`` for an
    ///   invalid value, ``ModelServiceError`` (also for a summary when there is no language model),
    ///   ``DailyTokensUsedUp``, `CancellationError`. Summaries that were written before a failure are stored.
    package func answer(_ question: ConversationQuestion, deliver: (AnswerEvent) -> Void) async throws {
        try await AnswerService.untilCancelled { try await run(question, emit: deliver) }
    }

    private func run(_ question: ConversationQuestion, emit: (AnswerEvent) -> Void) async throws {
        let reader = try await ConversationReader(
            question.conversationID, asker: question.asker, timeZone: question.timeZone, in: store,
            at: question.askedAt ?? assistant.session.now())
        let ask = try await ask(question, in: reader)
        guard let model = narrowedModel else {
            guard question.text != nil else {
                throw ModelServiceError.misconfigured(reason: "no language model is configured")
            }
            return emit(.done(try await quote(for: ask, notice: .extractive, emit: emit)))
        }
        // A summary cannot be quoted.
        guard question.text != nil else {
            return emit(.done(try await generate(question, ask, reader, with: model, emit: emit)))
        }
        let answer = try await assistant.answer(ask) {
            try await generate(question, ask, reader, with: model, emit: emit)
        } orQuote: {
            try await quote(for: ask, notice: .modelUnavailable, emit: emit)
        }
        emit(.done(answer))
    }

    private func quote(for ask: Ask, notice: AnswerNotice, emit: (AnswerEvent) -> Void) async throws -> Answer {
        let finding = try await assistant.find(ask)
        var answer = assistant.extract(for: ask, from: finding, notice: notice, emit: emit)
        let isKept = await record(answer, of: ask, from: finding, by: [.extractive])
        if !isKept { answer.notices.insert(.notStored) }
        return answer
    }

    private func generate(
        _ question: ConversationQuestion, _ ask: Ask, _ reader: ConversationReader, with model: any LanguageModel,
        emit: (AnswerEvent) -> Void
    ) async throws -> Answer {
        let limited: any LanguageModel = assistant.session.limited(model, for: question.asker) ?? model
        let writing = ConversationMaterial(
            assistant: self, question: question, ask: ask, reader: reader, model: limited)
        let (material, state) = try await writing.make(emit: emit)
        try Task.checkCancellation()
        guard question.text != nil || state.coverage.messageCount > 0 else {
            return nothing(for: ask, coverage: state.coverage, emit: emit)
        }
        var answer = try await assistant.generate(with: model, for: ask, from: material, emit: emit)
        answer.coverage = state.coverage
        if !state.isComplete { answer.notices.insert(.incomplete) }
        if state.isCut { answer.notices.insert(.promptCut) }
        if state.coverage.writtenCount > 0 {
            var usage = state.usage
            usage.add(answer.usage)
            answer.usage = usage
        }
        try Task.checkCancellation()
        if question.text != nil {
            let isKept = await record(
                answer, of: ask, from: state.found, by: [.conversationAssistant, .conversationQuestion])
            if !isKept { answer.notices.insert(.notStored) }
        }
        return answer
    }

    /// The summary of zero messages; the model is not asked.
    private func nothing(for ask: Ask, coverage: ConversationCoverage, emit: (AnswerEvent) -> Void) -> Answer {
        var assembly = AnswerAssembly(finding: .none, shown: [], question: ask.question)
        emit(.retrieved([]))
        assembly.frame(assistant.session.builder.nothingToSummarizeText).forEach(emit)
        var answer = assembly.answer(turnID: ask.turnID, limit: ask.request.limit, usage: nil, notices: [])
        answer.coverage = coverage
        answer.noAnswerReason = .nothingInScope
        return answer
    }

    /// The language model, limited to the part of its context that the settings allow.
    private var narrowedModel: (any LanguageModel)? {
        guard let model = assistant.session.model, let limit = settings.contextTokenCount else {
            return assistant.session.model
        }
        return NarrowedModel(base: model, tokenLimit: limit)
    }

    /// Checks a question; for a summary its text is the suggested one.
    private func ask(_ question: ConversationQuestion, in reader: ConversationReader) async throws -> Ask {
        let scope = SearchScope(asker: question.asker, conversations: .only([question.conversationID]))
        let text = question.text ?? suggestions.first { $0.id == .summary }?.text ?? ""
        var request = AskRequest(
            question: text, scope: scope, limit: 1, timeZone: reader.timeZone, streams: question.streams)
        request.askedAt = reader.moment
        let checked = try request.validatedQuestion()
        var unlisted = request
        unlisted.limit = 0
        if question.text != nil, assistant.turns != nil { unlisted.threadID = reader.thread?.id }
        var asked = try await assistant.ask(checked, of: unlisted)
        asked.isSummary = question.text == nil
        return asked
    }

    /// Stores a turn in the asker's thread with this conversation's assistant; the first turn creates the thread.
    ///
    /// For a whole conversation only the cited messages are stored as sources.
    private func record(
        _ answer: Answer, of ask: Ask, from finding: Finding, by templates: [PromptName]
    ) async -> Bool {
        guard assistant.turns != nil, case .only(let ids) = ask.request.scope.conversations, let id = ids.first else {
            return true
        }
        let asker = ask.request.scope.asker
        let newID = ThreadID(rawValue: assistant.makeID().uuidString.lowercased())
        let turn = Turn(
            id: ask.turnID, askerID: asker, question: ask.question, answer: answer.text,
            sourceKeys: answer.citedKeys, wholeConversationID: id, askedAt: ask.askedAt,
            historyIDs: ask.historyIDs, reply: answer.reply)
        let durations = ["total": assistant.session.now() - ask.askedAt]
        let trace = assistant.trace(of: answer, to: ask, from: finding, by: templates, durations: durations)
        return await assistant.record(turn, answer: answer) {
            try await store.record(
                turn, trace: trace, inExchangeWith: id, newID: newID, at: assistant.session.now())
        }
    }
}

/// How the assistant inside a conversation reads conversations that are too long for a prompt.
package struct ConversationSettings: Hashable, Sendable {
    /// How many tokens of the model's context a prompt with its answer may use; nil for all.
    package var contextTokenCount: Int?
    /// The most messages that are read, the newest ones.
    package var messageLimit: Int
    /// The length of a part with one summary, in estimated tokens; in longer parts the model overlooks messages.
    package var partTokenCount: Int
    /// The most parts that are summarized for one request; the next request continues.
    package var partLimit: Int
    /// How many summaries are merged into one.
    package var fanIn: Int
    /// The most tokens of a summary.
    package var noteTokenCount: Int
    /// The most statements in a summary.
    package var noteCount: Int
    /// How many parts are summarized at a time.
    package var concurrency: Int

    package init(
        contextTokenCount: Int? = nil, messageLimit: Int = 100_000, partTokenCount: Int = 12_000, partLimit: Int = 128,
        fanIn: Int = 8,
        noteTokenCount: Int = 600, noteCount: Int = 12, concurrency: Int = 4
    ) {
        self.contextTokenCount = contextTokenCount
        self.messageLimit = messageLimit
        self.partTokenCount = partTokenCount
        self.partLimit = partLimit
        self.fanIn = fanIn
        self.noteTokenCount = noteTokenCount
        self.noteCount = noteCount
        self.concurrency = concurrency
    }
}
