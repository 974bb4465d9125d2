import Assistant
import ChatCore
import Evaluation
import ModelClients
import Prompting
import Retrieval

/// Asks the configured language model what it thinks of answers.
struct AnswerJudge {
    /// The most tokens of a verdict.
    private static let tokenCount = 128

    private let model: any LanguageModel
    private let builder: PromptBuilder
    private(set) var judgements: [Judgement] = []
    private(set) var uselessReplyCount = 0

    /// Makes a judge of a workspace's language model.
    ///
    /// - Throws: ``OperatorFailure`` when none is configured, ``PromptError``, ``ModelServiceError``.
    init(_ workspace: Workspace) throws {
        guard let chat = workspace.settings.chat else {
            throw OperatorFailure(message: "--judge needs a language model: set chat.provider")
        }
        model = try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: workspace.transport)
        builder = PromptBuilder(library: try PromptLibrary(overrides: workspace.settings.promptsFolder))
    }

    /// What was judged so far.
    var summary: JudgedSummary { JudgedSummary(judgements, uselessReplyCount: uselessReplyCount) }

    /// Judges one answer, unless there is nothing to judge: an answer that abstains makes no statement.
    mutating func judge(_ answer: Answer, to question: EvaluationQuestion) async throws {
        let hasReference = question.isAnswerable && question.answer != nil
        let abstains = answer.noAnswerReason != .none || AnswerScore.saysNothingIsKnown(answer.text)
        guard !abstains else {
            if hasReference { judgements.append(Judgement(correctness: 0)) }
            return
        }
        let shown = answer.sources.filter { $0.number != nil }.map { source in
            PromptSource(
                sender: source.hit.message.senderName, conversation: source.hit.conversation.displayName,
                conversationID: source.hit.message.key.conversationID, timestamp: source.hit.message.timestamp,
                timeZone: nil, text: source.hit.message.searchableText)
        }
        var generator = SystemRandomNumberGenerator()
        let prompt = builder.judgePrompt(
            question: question.question, reference: hasReference ? question.answer : nil, sources: shown,
            answer: answer.text, using: &generator)
        guard var judgement = Judgement(reply: try await reply(to: prompt)) else {
            uselessReplyCount += 1
            return
        }
        if !hasReference { judgement.correctness = nil }
        judgements.append(judgement)
    }

    private func reply(to prompt: [PromptMessage]) async throws -> String {
        let request = GenerationRequest(messages: prompt, maximumTokenCount: Self.tokenCount, streams: false)
        var text = ""
        for try await event in model.generate(request) {
            if case .delta(let delta) = event { text += delta }
        }
        return text
    }
}
