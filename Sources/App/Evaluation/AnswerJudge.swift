import Assistant
import ChatCore
import Evaluation
import Prompting
import Retrieval

/// Asks the configured language model what it thinks of answers.
struct AnswerJudge {
    /// The most tokens of a verdict.
    private static let tokenCount = 128

    private let model: JudgeModel
    private(set) var judgements: [Judgement] = []
    private(set) var uselessReplyCount = 0

    init(_ model: JudgeModel) {
        self.model = model
    }

    /// What was judged so far.
    var summary: JudgedSummary { JudgedSummary(judgements, uselessReplyCount: uselessReplyCount) }

    /// Judges one answer, unless there is nothing to judge: an answer that abstains makes no statement.
    mutating func judge(_ answer: Answer, to question: EvaluationQuestion) async throws {
        let hasReference = question.isAnswerable && question.answer != nil
        let abstains = answer.noAnswerReason != .none || AnswerScore.saysNothingIsKnown(answer.text)
        guard !abstains else {
            if hasReference { judgements.append(Judgement(correctness: .no)) }
            return
        }
        let judgement = try await judgement(
            of: answer.text, to: question.question, reference: hasReference ? question.answer : nil,
            sources: answer.numberedSources)
        guard let judgement else {
            uselessReplyCount += 1
            return
        }
        judgements.append(judgement)
    }

    /// Returns what the model thinks of a case; nil when its reply cannot be read.
    func judgement(of labelled: JudgeCase) async throws -> Judgement? {
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
        var generator = SystemRandomNumberGenerator()
        let prompt = model.builder.judgePrompt(
            question: question, reference: reference, sources: sources, answer: answer, using: &generator)
        let reply = try await model.reply(to: prompt, schema: Judgement.replySchema, tokenCount: Self.tokenCount)
        var judgement = Judgement(reply: reply)
        if reference == nil { judgement?.correctness = nil }
        return judgement
    }
}

extension Answer {
    /// The messages that its numbers mean, in their order, as a judge is shown them; behind them those that the model was
    /// shown as well.
    var numberedSources: [NumberedSource] {
        let cited = sources.compactMap { source in source.number.map { ($0, source.hit) } }.sorted { $0.0 < $1.0 }
        let shown = Set(promptMessageKeys)
        let others = sources.filter { $0.number == nil && shown.contains($0.hit.message.key) }.map(\.hit)
        return (cited + others.enumerated().map { (cited.count + $0 + 1, $1) }).map { number, hit in
            NumberedSource(
                number: number,
                source: PromptSource(
                    sender: hit.message.senderName, conversation: hit.conversation.displayName,
                    conversationID: hit.message.key.conversationID, timestamp: hit.message.timestamp, timeZone: nil,
                    text: hit.message.searchableText))
        }
    }
}
