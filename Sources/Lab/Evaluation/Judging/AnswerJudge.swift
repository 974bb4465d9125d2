import ChatCore
import Prompting

/// Asks a language model for verdicts on answers.
package struct AnswerJudge: Sendable {
    /// The most tokens of a reply.
    private static let tokenCount = 128

    private let model: JudgeModel
    private var judgements: [Judgement] = []
    private var uselessReplyCount = 0

    package init(_ model: JudgeModel) {
        self.model = model
    }

    /// The means of all verdicts so far.
    package var summary: JudgedSummary { JudgedSummary(judgements, uselessReplyCount: uselessReplyCount) }

    /// Judges one answer; the model is not asked about an answer that abstains, because it makes no statement.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - question: The question, with its reference answer.
    ///   - sources: The messages that the language model saw, with the numbers that the answer uses.
    /// - Throws: ``ModelServiceError``.
    package mutating func judge(
        _ answer: EvaluatedAnswer, to question: EvaluationQuestion, sources: [JudgedSource]
    ) async throws {
        let hasReference = question.isAnswerable && question.answer != nil
        guard !answer.abstains, !AnswerScore.saysNothingIsKnown(answer.text) else {
            if hasReference { judgements.append(Judgement(correctness: .no)) }
            return
        }
        let judgement = try await judgement(
            of: answer.text, to: question.question, reference: hasReference ? question.answer : nil,
            sources: sources.map(\.text))
        guard let judgement else {
            uselessReplyCount += 1
            return
        }
        judgements.append(judgement)
    }

    /// Returns the model's verdicts on a case; nil when its reply cannot be read.
    ///
    /// - Parameter labelled: The case.
    /// - Returns: The verdicts; no correctness for a case without a reference.
    /// - Throws: ``ModelServiceError``.
    package func judgement(of labelled: JudgeCase) async throws -> Judgement? {
        let sources = labelled.messages.enumerated().map { place, message in
            NumberedSource(
                number: place + 1,
                source: PromptSource(
                    sender: message.sender, conversation: "", conversationID: ConversationID(rawValue: labelled.id),
                    timestamp: message.timestamp, timeZone: nil, text: message.text))
        }
        return try await judgement(
            of: labelled.answer, to: labelled.question, reference: labelled.reference, sources: sources)
    }

    private func judgement(
        of answer: String, to question: String, reference: String?, sources: [NumberedSource]
    ) async throws -> Judgement? {
        var generator = PromptKeyGenerator()
        let prompt = model.builder.judgePrompt(
            question: question, reference: reference, sources: sources, answer: answer, using: &generator)
        let reply = try await model.reply(to: prompt, schema: Judgement.replySchema, tokenCount: Self.tokenCount)
        var judgement = Judgement(reply: reply)
        if reference == nil { judgement?.correctness = nil }
        return judgement
    }
}
