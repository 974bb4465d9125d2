public import ChatCore
public import Foundation
public import Logging
public import Prompting
public import Retrieval

/// Answers questions: search, prompt, language model, citations.
///
/// The language model is always asked, also when nothing was found or the search failed. Without one the best sources
/// are quoted. A turn is recorded when its answer is complete; one that was aborted or failed is not.
public struct AnswerService: QuestionAnswering {
    let searching: any MessageSearching
    let model: (any LanguageModel)?
    let builder: PromptBuilder
    let turns: (any TurnRepository)?
    let calibration: TokenCalibration
    let settings: AssistantSettings
    /// How many tokens each user may take in a day, for its owner to save; nil for any number.
    public let allowance: TokenAllowance?
    let now: @Sendable () -> Timestamp
    let makeID: @Sendable () -> UUID
    let makeGenerator: @Sendable () -> any RandomNumberGenerator
    let logger: Logger

    /// Joins what answering needs.
    ///
    /// - Parameters:
    ///   - searching: Finds the sources.
    ///   - model: Answers; nil for extractive answers.
    ///   - prompts: The templates.
    ///   - turns: Where turns are kept; nil for nowhere.
    ///   - calibration: What is known of the model's tokens; shared between services of one model.
    ///   - settings: How it answers.
    ///   - allowance: How many tokens each user may take in a day; nil for any number.
    ///   - now: The present time.
    ///   - makeID: Makes the ids of turns.
    ///   - makeGenerator: Makes the generator that draws the delimiter of one prompt.
    ///   - logger: Told of what went wrong; never of a text.
    public init(
        searching: any MessageSearching, model: (any LanguageModel)?, prompts: PromptLibrary,
        turns: (any TurnRepository)?, calibration: TokenCalibration = TokenCalibration(),
        settings: AssistantSettings = AssistantSettings(), allowance: TokenAllowance? = nil,
        now: @escaping @Sendable () -> Timestamp,
        makeID: @escaping @Sendable () -> UUID = { UUID() },
        makeGenerator: @escaping @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() },
        logger: Logger
    ) {
        self.searching = searching
        self.model = model
        builder = PromptBuilder(library: prompts, limits: settings.promptLimits)
        self.turns = turns
        self.calibration = calibration
        self.settings = settings
        self.allowance = allowance
        self.now = now
        self.makeID = makeID
        self.makeGenerator = makeGenerator
        self.logger = logger
    }

    /// See ``QuestionAnswering/answer(_:)``.
    public func answer(_ request: AskRequest) -> AsyncThrowingStream<AnswerEvent, any Error> {
        AsyncThrowingStream { continuation in
            let producer = Task {
                do {
                    try await run(request) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in producer.cancel() }
        }
    }

    private func run(_ request: AskRequest, emit: (AnswerEvent) -> Void) async throws {
        let ask = Ask(
            question: try request.validatedQuestion(), request: request, turnID: TurnID(rawValue: makeID().asText),
            askedAt: now())
        let finding = try await find(ask)
        try Task.checkCancellation()
        let answer =
            if let model {
                try await generate(with: model, for: ask, from: finding, emit: emit)
            } else {
                extract(for: ask, from: finding, emit: emit)
            }
        try Task.checkCancellation()
        await record(answer, of: ask)
        emit(.done(answer))
    }

    /// A language model as the asker may use it; nil where everybody may take any number of tokens.
    func limited(_ model: any LanguageModel, for ask: Ask) -> LimitedModel? {
        allowance.map { LimitedModel(base: model, user: ask.request.scope.asker, allowance: $0) }
    }

    /// Keeps the turn; an answer is given even where it cannot be kept.
    private func record(_ answer: Answer, of ask: Ask) async {
        logger.debug(
            "Answered",
            metadata: [
                "turn.id": "\(ask.turnID)", "answer.sources": "\(answer.promptMessageKeys.count)",
                "answer.citations": "\(answer.citations.count)",
            ])
        let turn = Turn(
            id: ask.turnID, askerID: ask.request.scope.asker, question: ask.question, answer: answer.text,
            sourceKeys: answer.promptMessageKeys, askedAt: ask.askedAt)
        do {
            try await turns?.record(turn)
        } catch {
            logger.warning(
                "The turn cannot be kept",
                metadata: ["turn.id": "\(ask.turnID)", "error.type": "\(type(of: error))"])
        }
    }
}

/// A request that was checked.
struct Ask: Sendable {
    /// The question without white space at its ends.
    let question: String
    /// The request as it came.
    let request: AskRequest
    /// The id of its turn.
    let turnID: TurnID
    /// When it came.
    let askedAt: Timestamp
}

extension UUID {
    fileprivate var asText: String { uuidString.lowercased() }
}
