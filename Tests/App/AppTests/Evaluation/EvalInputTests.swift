import Foundation
import TestSupport
import Testing

/// What an evaluation cannot take: one line that names the place, and an exit code.
@Suite(.serialized, .hangGuard) struct EvalInputTests {
    private let dataset: TinyDataset

    init() throws {
        dataset = try TinyDataset()
    }

    private func fails(_ arguments: [String], _ status: Int32, _ line: String) async throws {
        let result = try await dataset.binary.run(arguments)

        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors == "nexus: \(line)\n")
        #expect(result.output.isEmpty)
    }

    private func runFails(_ line: String) async throws {
        try await fails(["eval", "run"] + dataset.options, 2, line)
        // Nothing was embedded, nothing left behind.
        #expect(dataset.embeddedTexts.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: dataset.binary.folder.appending(path: "cache").path))
    }

    @Test func aMissingFileIsNamed() async throws {
        try FileManager.default.removeItem(at: dataset.folder.appending(path: "messages.jsonl"))
        try await runFails("\(dataset.folder.path)/messages.jsonl cannot be read")
    }

    @Test(
        arguments: [
            (2, "{", "not valid JSON"), (30, #"{"id": "x"}"#, "conversationId is missing"),
            (7, #"{"id": 3}"#, "id is not a text"),
        ])
    func aBadMessageIsNamedByItsLine(line: Int, text: String, reason: String) async throws {
        var lines = dataset.messages
        lines[line - 1] = text
        try dataset.write("messages", lines)

        try await runFails("messages.jsonl, line \(line): \(reason)")
    }

    @Test func aMessageThatStandsThereTwiceIsNamed() async throws {
        try dataset.write("messages", dataset.messages + [dataset.messages[0]])
        try await runFails("messages.jsonl, line 31: the id dock/dock-0 appears twice")
    }

    @Test func aQuestionOfNoConversationIsNamed() async throws {
        var lines = dataset.questions
        lines[1] = lines[1].replacingOccurrences(of: #""dock""#, with: #""deck""#)
        try dataset.write("questions", lines)

        try await runFails("questions.jsonl, line 2: no conversation has the id deck")
    }

    @Test func evidenceThatNamesNoMessageIsToldOfAndLeftOut() async throws {
        var lines = dataset.questions
        lines[4] = lines[4].replacingOccurrences(of: "mast-2", with: "mast-99")
        try dataset.write("questions", lines)

        let result = try await dataset.binary.run(["eval", "run", "--k", "10", "--json", "r.json"] + dataset.options)

        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("1 evidence ids name no message and are left out\n"))
        #expect(try dataset.json("r.json")["recall@10"] as? Double == 1)
        let questions = try #require(try dataset.json("r.json")["questions"] as? [[String: Any]])
        #expect(questions[4]["evidence"] as? [String] == ["mast-0"])
    }

    @Test func badSearchSettingsAreWrongUsage() async throws {
        let unknown = try dataset.binary.write("unknown.json", #"{"lexical": {"sendr": 2}}"#)
        let range = try dataset.binary.write("range.json", #"{"dense": {"candidateCount": 0}}"#)
        for (file, fault) in [
            (unknown, "\(unknown): lexical.sendr is unknown"),
            (range, "\(range): dense.candidateCount must lie in 1...1000"),
        ] {
            try await fails(["eval", "run", "--search", file] + dataset.options, 64, fault)
        }
    }

    @Test(
        arguments: [
            (["--k", "5,x"], "--k must be numbers"), (["--k", "0"], "--k must be numbers"),
            (["--depth", "51"], "--depth"),
            (["--limit", "0"], "--limit must be 1 or more"), (["--scope", "world"], "'world' is invalid"),
        ])
    func badOptionsOfARunAreWrongUsage(options: [String], text: String) async throws {
        let result = try await dataset.binary.run(["eval", "run"] + dataset.options + options)

        #expect(result.status == 64)
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test func aWeightThatIsNoneIsNamed() async throws {
        let malformed = ["fusion.cosine", "fusion.cosine=2:0", "fusion.cosine=0", "=0:1"]
        for weight in malformed {
            let result = try await dataset.binary.run(["eval", "tune", "--weight", weight] + dataset.options)
            #expect(result.status == 64, "\(weight)")
            #expect(result.errors.contains("--weight must be PATH=LOW:HIGH"), "\(weight): \(result.errors)")
        }
        for path in ["fusion.nothing", "nothing", "fusion"] {
            try await fails(
                ["eval", "tune", "--weight", "\(path)=0:1"] + dataset.options, 2,
                "\(path) is not a number in the settings"
            )
        }
        #expect(dataset.embeddedTexts.isEmpty)
    }

    @Test func whatCannotBeComparedIsNamed() async throws {
        let report = try await dataset.measure("good")
        try await dataset.measure("short", ["--limit", "6"])
        let broken = try dataset.binary.write("broken.json", "{}")

        try await fails(
            ["eval", "compare", report, "no.json"], 2, "\(dataset.binary.folder.path)/no.json cannot be read")
        try await fails(["eval", "compare", report, broken], 2, "broken.json: questionCount is missing")
        try await fails(
            ["eval", "compare", report, report, "--gate", "recall@1"], 2,
            "a gate is written recall@10=-0.01, not recall@1")
        try await fails(
            ["eval", "compare", report, report, "--gate", "recall@7=0"], 2, "the runs have no recall@7")
        try await fails(
            ["eval", "compare", report, "short.json"], 2,
            "the runs asked different questions (2 only in the first, 0 only in the second)")
    }

    @Test func filesOfNoPublicFormAreNamed() async throws {
        let broken = try dataset.binary.write("broken.json", "{")
        let form = try await dataset.binary.run(["eval", "convert", "novel", broken, "--out", "made"])
        let file = try await dataset.binary.run(["eval", "convert", "locomo", broken, "--out", "made"])

        #expect(form.status == 64)
        #expect(form.errors.contains("formats are locomo, longmemeval, realtalk, qmsum, beir"))
        #expect(file.status == 2)
        #expect(file.errors.hasPrefix("nexus: broken.json: "))
        #expect(file.errors.split(separator: "\n").count == 1)
        #expect(!FileManager.default.fileExists(atPath: dataset.binary.folder.appending(path: "made").path))
    }
}
