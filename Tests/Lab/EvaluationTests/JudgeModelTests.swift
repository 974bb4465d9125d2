import ChatCore
import Evaluation
import Prompting
import TestSupport
import Testing

/// The judges on replies of a fake language model.
@Suite(.hangGuard) struct JudgeModelTests {
    private static let reply = #"{"correct": "yes", "supported": "partly", "relevant": "yes"}"#

    private static func judge(_ model: FakeLanguageModel) throws -> JudgeModel {
        JudgeModel(model, prompts: try PromptLibrary(overrides: nil))
    }

    private static func key(_ number: Int) -> MessageKey {
        MessageKey(conversationID: "c", messageID: MessageID(rawValue: "m\(number)"))
    }

    private static func source(_ number: Int, _ text: String) -> JudgedSource {
        JudgedSource(
            key: key(number),
            text: NumberedSource(
                number: number,
                source: PromptSource(
                    sender: "Ada", conversation: "", conversationID: "c", timestamp: Timestamp(milliseconds: 0),
                    timeZone: nil, text: text)))
    }

    private static func question(answer: String?) -> EvaluationQuestion {
        EvaluationQuestion(
            id: "q", conversationID: "c", question: "When?", answer: answer, evidence: [key(1)], category: "plain")
    }

    @Test func anAnswerThatAbstainsIsNotShownToTheModel() async throws {
        let model = FakeLanguageModel(replies: [.text(Self.reply)])
        var judge = AnswerJudge(try Self.judge(model))

        try await judge.judge(
            EvaluatedAnswer(questionID: "q", text: "", abstains: true), to: Self.question(answer: "Noon"), sources: [])
        try await judge.judge(
            EvaluatedAnswer(questionID: "q", text: "Not mentioned."), to: Self.question(answer: nil), sources: [])

        #expect(model.requests.isEmpty)
        #expect(judge.summary == JudgedSummary([Judgement(correctness: .no)], uselessReplyCount: 0))
    }

    /// What arrived before would be a verdict.
    @Test func aJudgeThatIsCancelledGivesNoVerdict() async throws {
        let model = FakeLanguageModel(replies: [.silence(after: [.delta(Self.reply)])])
        let judging = Task {
            var judge = AnswerJudge(try Self.judge(model))
            try await judge.judge(
                EvaluatedAnswer(questionID: "q", text: "At noon."), to: Self.question(answer: "Noon"), sources: [])
        }
        while model.requests.isEmpty { await shortPause() }
        judging.cancel()

        await #expect(throws: CancellationError.self) { try await judging.value }
    }

    @Test func anAnswerWithoutAReferenceHasNoCorrectness() async throws {
        let model = FakeLanguageModel(replies: [.text(Self.reply), .text("No idea.")])
        var judge = AnswerJudge(try Self.judge(model))
        let answer = EvaluatedAnswer(questionID: "q", text: "At noon [1].", citations: [Self.key(1)])

        for _ in 0..<2 {
            try await judge.judge(
                answer, to: Self.question(answer: nil), sources: [Self.source(1, "The ferry sails at noon")])
        }

        let verdicts = Judgement(faithfulness: .partly, relevancy: .yes)
        #expect(judge.summary == JudgedSummary([verdicts], uselessReplyCount: 1))
        let request = try #require(model.requests.first)
        #expect(request.replySchema == Judgement.replySchema)
        #expect(request.messages.first?.content.contains("The ferry sails at noon") == true)
    }

    @Test func aBatchThatIsTooLongIsHalved() async throws {
        let model = FakeLanguageModel(replies: [
            .failure(after: [], .tooLong), .text(#"{"statements": [{"number": 1, "supported": "yes"}]}"#),
            .text(#"{"statements": [{"number": 1, "supported": "no"}]}"#),
        ])
        var judge = StatementJudge(try Self.judge(model))
        let lines = ["The ferry sails at noon [1]", "The crane is repaired [2]"]
        let second = lines[0].count + 1
        let summary = EvaluatedSummary(
            text: lines.joined(separator: "\n"),
            citations: [
                .init(range: lines[0].count - 3..<lines[0].count, key: Self.key(1)),
                .init(range: second + lines[1].count - 3..<second + lines[1].count, key: Self.key(2)),
            ])

        try await judge.judge(
            summary, sources: [Self.source(1, "Ferry at twelve"), Self.source(2, "Crane out of order")])

        #expect(judge.judged.supportedCount == 1)
        #expect(judge.judged.unsupported == [lines[1]])
        let prompts = model.requests.map { $0.messages.map(\.content).joined() }
        try #require(prompts.count == 3)
        #expect(prompts.map { $0.contains("Ferry at twelve") } == [true, true, false])
        #expect(prompts.map { $0.contains("Crane out of order") } == [true, false, true])
    }

    @Test func aQuestionIsEmbeddedOnce() async throws {
        let base = FakeEmbedder()
        let embedders = RememberingEmbedders(FakeEmbedderSource(base))
        let generation = EmbeddingGeneration(
            number: GenerationNumber(rawValue: 1), space: try await base.space(), baseURL: nil, state: .serving)

        for text in ["pilot", "cat", "pilot"] {
            let embedder = try await embedders.embedder(for: generation)
            #expect(try await embedder.embedQuery(text) == base.vector(of: text))
        }

        #expect(base.batches == [["pilot"], ["cat"]])
    }
}
