import Foundation
import TestSupport
import Testing

/// A judge against a person, on recorded replies.
@Suite(.serialized, .hangGuard) struct EvalJudgeTests {
    private static let message =
        #"{"sender":"Ada","timestamp":"2026-01-01T10:00:00Z","text":"The crane is repaired on Thursday"}"#
    private static let cases = [
        #"{"id":"a","question":"When is the crane repaired?","reference":"On Thursday","messages":[\#(message)],"#
            + #""answer":"On Thursday [1].","correct":"yes","supported":"yes","relevant":"yes"}"#,
        #"{"id":"b","question":"When is the crane repaired?","reference":"On Thursday","messages":[\#(message)],"#
            + #""answer":"On Friday [1].","correct":"no","supported":"no","relevant":"yes"}"#,
        #"{"id":"c","question":"Who repairs it?","messages":[],"answer":"Bob does.","supported":"no","relevant":"yes"}"#,
        #"{"id":"d","question":"Where is it?","messages":[],"answer":"I like cranes.","supported":"no","relevant":"no"}"#,
    ]

    @Sendable private static func model(_ request: StubRequest) -> String {
        let prompt = String(decoding: request.body, as: UTF8.self)
        if prompt.contains("On Thursday [1].") { return #"{"correct":"yes","supported":"yes","relevant":"yes"}"# }
        if prompt.contains("On Friday [1].") { return #"{"correct":"no","supported":"partly","relevant":"yes"}"# }
        if prompt.contains("Bob does.") { return #"{"correct":"no","supported":"no","relevant":"yes"}"# }
        return "What a nice day."
    }

    @Test func agreementIsReportedForEachVerdict() async throws {
        let dataset = try TinyDataset(answer: Self.model)
        try dataset.binary.write("cases.jsonl", Self.cases.joined(separator: "\n"))

        let result = try await dataset.binary.run(
            ["eval", "judge", "--cases", "cases.jsonl", "--json", "report.json"] + dataset.chatSettings)

        #expect(result.status == 0, "\(result.errors)")
        // Supported: 2 of 3 agree; by chance (1·1 + 0·1 + 2·1) / 9 would.
        #expect(
            result.output == """
                cases 4
                useless replies 1
                correct: 2 judged, agreement 1.0000, kappa 1.0000
                  yes, the judge: yes 1, partly 0, no 0
                  partly, the judge: yes 0, partly 0, no 0
                  no, the judge: yes 0, partly 0, no 1
                supported: 3 judged, agreement 0.6667, kappa 0.5000
                  yes, the judge: yes 1, partly 0, no 0
                  partly, the judge: yes 0, partly 0, no 0
                  no, the judge: yes 0, partly 1, no 1
                  differ on b
                relevant: 3 judged, agreement 1.0000, kappa -
                  yes, the judge: yes 3, partly 0, no 0
                  partly, the judge: yes 0, partly 0, no 0
                  no, the judge: yes 0, partly 0, no 0
                no verdict on d

                """)
        let report = try dataset.json("report.json")
        #expect(report["uselessReplies"] as? [String] == ["d"])
        #expect((report["supported"] as? [String: Any])?["disagreements"] as? [String] == ["b"])
        let prompts = dataset.prompts
        #expect(prompts.count == 4)
        #expect(prompts.first?.contains("Message [1] from Ada") == true)
        let formats = dataset.requests.map { $0.json["response_format"] as? [String: Any] }
        #expect(formats.count == 4 && formats.allSatisfy { $0?["type"] as? String == "json_schema" })
        #expect(prompts.first?.contains("Reference answer, by a person") == true)
        #expect(prompts.last?.contains("Reference answer, by a person") == false)
    }

    @Test func faultyCasesAndAMissingModelAreNamed() async throws {
        let dataset = try TinyDataset(answer: Self.model)
        try dataset.binary.write("cases.jsonl", Self.cases[0] + "\n" + Self.cases[0])
        try dataset.binary.write("good.jsonl", Self.cases[0])
        try dataset.binary.write("none.jsonl", "")

        let twice = try await dataset.binary.run(["eval", "judge", "--cases", "cases.jsonl"] + dataset.chatSettings)
        let modelless = try await dataset.binary.run(["eval", "judge", "--cases", "good.jsonl"])
        let none = try await dataset.binary.run(["eval", "judge", "--cases", "none.jsonl"] + dataset.chatSettings)
        let limit = try await dataset.binary.run(["eval", "judge", "--limit", "0"])

        #expect(twice.status == 2 && twice.errors == "nexus: cases.jsonl, line 2: the id a appears twice\n")
        #expect(modelless.status == 2)
        #expect(modelless.errors == "nexus: a judge needs a language model: set chat.provider\n")
        #expect(none.status == 2 && none.errors == "nexus: there are no cases\n")
        #expect(limit.status == 64 && limit.errors.contains("--limit must be 1 or more"))
    }
}
