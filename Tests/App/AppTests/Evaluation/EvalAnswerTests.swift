import Foundation
import TestSupport
import Testing

@Suite(.serialized, .hangGuard) struct EvalAnswerTests {
    private static let questions = [
        #"{"id": "right", "conversationId": "dock", "question": "When is the crane repaired?", "#
            + #""answer": "on Thursday", "evidence": ["dock-0"], "category": "single"}"#,
        #"{"id": "half", "conversationId": "galley", "question": "What tastes of soap?", "#
            + #""answer": "coffee and tea", "evidence": ["galley-5"], "category": "single"}"#,
        #"{"id": "rubbish", "conversationId": "mast", "question": "Which halyards arrive from Brest?", "#
            + #""answer": "new ones", "evidence": ["mast-4"], "category": "single"}"#,
        #"{"id": "trap", "conversationId": "mast", "question": "Why did the gull eat the cheese?", "#
            + #""evidence": ["mast-3"], "category": "adversarial"}"#,
    ]

    /// Answers by the question at the end of the prompt, and judges by the answer.
    @Sendable private static func model(_ request: StubRequest) -> String {
        let prompt = String(decoding: request.body, as: UTF8.self)
        if prompt.contains("You check an answer") {
            if prompt.contains("on Thursday [1]") {
                return "```json\n{\"correct\": \"yes\", \"supported\": \"yes\", \"relevant\": \"yes\"}\n```"
            }
            if prompt.contains("Coffee [1]") {
                return #"{"correct": "Partly", "supported": "yes", "relevant": "partly"}"#
            }
            if prompt.contains("It was hungry [1]") {
                return #"{"correct": "no", "supported": "no", "relevant": "yes"}"#
            }
            return "I would rather not say."
        }
        if prompt.contains("crane repaired?") { return "on Thursday [1]" }
        if prompt.contains("tastes of soap?") { return "Coffee [1]" }
        return prompt.contains("eat the cheese?") ? "It was hungry [1]" : "New ones [1]"
    }

    private func dataset() throws -> TinyDataset {
        let dataset = try TinyDataset(answer: Self.model)
        try dataset.write("questions", Self.questions)
        return dataset
    }

    @Test func quotationsAreMeasuredByTheirCitations() async throws {
        let dataset = try dataset()

        let result = try await dataset.binary.run(["eval", "answer", "--json", "answers.json"] + dataset.options)

        #expect(result.status == 0, "\(result.errors)")
        let report = try dataset.json("answers.json")
        let headline = try #require(report["headline"] as? [String: Any])
        #expect(headline["questionCount"] as? Int == 3)
        #expect(headline["citation-recall"] as? Double == 1)
        #expect(headline["wrong-abstention"] as? Double == 0)
        #expect(report["leakCount"] as? Int == 0)
        #expect(report["judged"] == nil)
        #expect(result.output.contains("citation-recall 1.0000"))
        #expect(dataset.prompts.isEmpty)
    }

    @Test func twoReportsAreShownSideBySide() async throws {
        let dataset = try dataset()
        let answer = ["eval", "answer"] + dataset.options
        let quoted = try await dataset.binary.run(answer + ["--json", "quoted.json"])
        #expect(quoted.status == 0, "\(quoted.errors)")
        let written = try await dataset.binary.run(answer + ["--json", "written.json"] + dataset.chatSettings)
        #expect(written.status == 0, "\(written.errors)")

        let compared = try await dataset.binary.run(
            ["eval", "compare-answers", "quoted.json", "written.json", "--out", "page.html"])

        #expect(compared.status == 0, "\(compared.errors)")
        #expect(compared.output.contains("citation-recall"))
        #expect(compared.output.contains("seconds-to-answer"))
        let page = try dataset.text("page.html")
        #expect(page.contains("What tastes of soap?"))
        #expect(page.contains("Coffee [1]"))
        let cost = try #require(try dataset.json("written.json")["cost"] as? [String: Any])
        #expect(cost["questionCount"] as? Int == 4)
        #expect(cost["seconds-to-sources"] as? Double ?? -1 >= 0)
    }

    @Test func aModelAnswersAndAModelJudges() async throws {
        let dataset = try dataset()

        let result = try await dataset.binary.run(
            ["eval", "answer", "--judge", "--json", "answers.json"] + dataset.options + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        let report = try dataset.json("answers.json")
        let headline = try #require(report["headline"] as? [String: Any])
        // "on Thursday [1]" has 3 words of which 2 are right, of 2; "Coffee [1]" 1 of 2, of 2; "New ones [1]" 2 of 3.
        #expect(abs((headline["F1"] as? Double ?? 0) - (0.8 + 0.5 + 0.8) / 3) < 1e-12)
        // Sources stand in order of time: [1] is the evidence of the first question only, and the check moves one of the
        // others to the message that says it.
        #expect(headline["citation-precision"] as? Double == 2.0 / 3)
        let judged = try #require(report["judged"] as? [String: Any])
        #expect(judged["judgedCount"] as? Int == 3)
        #expect(judged["uselessReplyCount"] as? Int == 1)
        #expect(judged["correctness"] as? Double == 0.75)
        #expect(judged["faithfulness"] as? Double == 2.0 / 3)
        #expect(judged["relevancy"] as? Double == 2.5 / 3)
        #expect(result.output.contains("judged-correctness 0.7500"))
        #expect(result.output.contains("judged-relevancy 0.8333"))
        #expect(result.errors.contains("1 of the judge's replies could not be read"))

        let judgePrompts = dataset.prompts.filter { $0.contains("You check an answer") }
        #expect(judgePrompts.count == 4)
        let first = try #require(judgePrompts.first { $0.contains("When is the crane repaired?") })
        #expect(first.contains("Reference answer, by a person") && first.contains("The crane is repaired on Thursday"))
        let trap = try #require(judgePrompts.first { $0.contains("eat the cheese?") })
        #expect(!trap.contains("Reference answer, by a person"))
    }

    /// The number that stands before a text in a prompt.
    private static func number(of text: String, in prompt: String) -> Int? {
        guard let place = prompt.range(of: text), let start = prompt[..<place.lowerBound].lastIndex(of: "[") else {
            return nil
        }
        return Int(prompt[start...].dropFirst().prefix { $0.isNumber })
    }

    @Test func theJudgeSeesTheNumbersThatTheAnswerHas() async throws {
        let dataset = try TinyDataset { request in
            let prompt = String(decoding: request.body, as: UTF8.self)
            return prompt.contains("You check an answer")
                ? #"{"correct": "yes", "supported": "yes", "relevant": "yes"}"# : "on Thursday [3], says the log [2]"
        }
        try dataset.write("questions", Self.questions)

        let result = try await dataset.binary.run(
            ["eval", "answer", "--judge", "--limit", "1"] + dataset.options + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        let prompts = dataset.prompts
        try #require(prompts.count == 2 && prompts[1].contains("You check an answer"))
        // The first source that the model cites is number 1 for the reader of the answer.
        #expect(prompts[1].contains("on Thursday [1], says the log [2]"))
        let texts = dataset.messages.compactMap { $0.firstMatch(of: /"text": "([^"]+)"/).map { String($0.output.1) } }
        for (place, number) in [(3, 1), (2, 2)] {
            let text = try #require(texts.first { Self.number(of: $0, in: prompts[0]) == place })
            #expect(Self.number(of: text, in: prompts[1]) == number, "\(text)")
        }
    }

    /// A service that fails ends the run; a prompt that it finds too long concerns one question.
    @Test(arguments: [
        (StubResponse.openAIError(401), ["right"], "3 of 4"),
        (.text("", status: 413), ["right", "rubbish", "trap"], "1 of 4"),
    ])
    func answersOfTheModelAreNotReplacedByQuotations(
        failure: StubResponse, answered: [String], count: String
    ) async throws {
        let dataset = try dataset()
        let chat = try StubServer { request in
            String(decoding: request.body, as: UTF8.self).contains("tastes of soap?")
                ? failure : .chat(Self.model(request))
        }
        let settings = [
            "--set", "chat.provider=compatible", "--set", "chat.base-url=\(chat.baseURL)/v1", "--set", "chat.model=c",
        ]

        let result = try await dataset.binary.run(
            ["eval", "answer", "--json", "answers.json"] + dataset.options + settings)

        #expect(result.status == 2)
        #expect(result.errors.contains("\(count) questions have no answer of the model"), "\(result.errors)")
        #expect(result.errors.contains("half"))
        let report = try dataset.json("answers.json")
        let ids = ["right", "half", "rubbish", "trap"]
        #expect(report["unansweredIDs"] as? [String] == ids.filter { !answered.contains($0) })
        let headline = try #require(report["headline"] as? [String: Any])
        #expect(headline["questionCount"] as? Int == answered.count { $0 != "trap" })
        #expect(abs((headline["F1"] as? Double ?? 0) - 0.8) < 1e-12)
    }

    @Test func withoutAnyAnswerOfTheModelThereAreNoFigures() async throws {
        let dataset = try dataset()
        let chat = try StubServer(.openAIError(401))

        let result = try await dataset.binary.run(
            ["eval", "answer"] + dataset.options + [
                "--set", "chat.provider=compatible", "--set", "chat.base-url=\(chat.baseURL)/v1", "--set",
                "chat.model=c",
            ])

        #expect(result.status == 2)
        #expect(result.errors.contains("refuses the key"))
        #expect(result.output.isEmpty)
    }

    @Test func aJudgeNeedsAModel() async throws {
        let dataset = try dataset()

        let result = try await dataset.binary.run(["eval", "answer", "--judge"] + dataset.options)

        #expect(result.status == 2)
        #expect(result.errors.contains("a judge needs a language model: set chat.provider"))
    }
}
