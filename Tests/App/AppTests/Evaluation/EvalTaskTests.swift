import Foundation
import TestSupport
import Testing

/// What a language model makes of conversations, measured against labels, on recorded replies.
@Suite(.serialized, .hangGuard) struct EvalTaskTests {
    private static let facts = [
        #"{"id":"f1","conversationId":"dock","messageIds":["dock-0"],"fact":"The crane is repaired on Thursday","#
            + #""says":[["crane"],["2026-01-08","thursday"]]}"#,
        #"{"id":"f2","conversationId":"dock","messageIds":["dock-1"],"fact":"Dues rise by 4 %","says":[["dues"],["4"]]}"#,
        #"{"id":"f3","conversationId":"dock","messageIds":["dock-8"],"fact":"A winch comes","says":[["winch"]]}"#,
        #"{"id":"f4","conversationId":"galley","messageIds":["galley-5"],"fact":"Coffee tastes of soap","says":[["soap"]]}"#,
    ]

    /// Summarizes the two conversations, and judges what the summaries say.
    @Sendable private static func summarizer(_ request: StubRequest) -> String {
        let prompt = Self.prompt(request)
        if prompt.contains("You check statements of a summary") {
            guard prompt.contains("crane") else { return "No idea." }
            return #"{"statements":[{"number":1,"supported":"yes"},{"number":2,"supported":"no"}]}"#
        }
        if prompt.contains("The crane is repaired") {
            return
                "Settled:\n- The crane is repaired on Thursday [1].\n- The slipway gets two winches [9].\n- All is well."
        }
        return "- Coffee tastes fine [6]."
    }

    /// The prompt of a request as one text.
    static func prompt(_ request: StubRequest) -> String {
        let messages = request.json["messages"] as? [[String: Any]] ?? []
        return messages.compactMap { $0["content"] as? String }.joined(separator: "\n")
    }

    private func run(_ dataset: TinyDataset, _ task: String, _ more: [String] = []) async throws -> RunResult {
        try await dataset.binary.run(
            ["eval", "run", "--task", task, "--json", "report.json"] + dataset.options + dataset.chatSettings + more)
    }

    @Test func summariesAreMeasuredAgainstFacts() async throws {
        let dataset = try TinyDataset(answer: Self.summarizer)
        try dataset.write("facts", Self.facts)

        let result = try await run(dataset, "summaries")

        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == """
                summaries: 2, 4 facts, 2 told, 4 statements
                coverage 0.5000
                coverage first third 0.5000
                coverage second third 0.0000
                coverage last third 1.0000
                cited statements 0.7500

                """)
        let report = try dataset.json("report.json")
        let summaries = try #require(report["summaries"] as? [[String: Any]])
        #expect(summaries.map { $0["conversationId"] as? String } == ["dock", "galley"])
        #expect(summaries.map { $0["missed"] as? [String] } == [["f2"], ["f4"]])
        #expect(report["judged"] == nil)
        // One request for each conversation, made of its messages: the mast is not labelled.
        #expect(dataset.prompts.count == 2)
        #expect(dataset.prompts.allSatisfy { $0.contains("Summarize this conversation") })
        #expect(dataset.embeddedTexts.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: dataset.binary.data.path))
    }

    @Test func aJudgeIsShownStatementsWithWhatTheyCite() async throws {
        let dataset = try TinyDataset(answer: Self.summarizer)
        try dataset.write("facts", Self.facts)

        let result = try await run(dataset, "summaries", ["--judge"])

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("supported statements 0.5000\n"))
        #expect(result.output.contains("unsupported statements 0.5000"))
        #expect(result.errors.contains("1 statements got no verdict, 1 of the judge's replies could not be read"))
        let judged = try #require(try dataset.json("report.json")["judged"] as? [String: Any])
        #expect(judged["unsupported"] as? [String] == ["- The slipway gets two winches [2]."])
        let prompt = try #require(dataset.prompts.first { $0.contains("statements") && $0.contains("two winches") })
        #expect(prompt.contains("Message [1] from Ada") && prompt.contains("Message [2] from Ada"))
        #expect(!prompt.contains("Message [3]") && !prompt.contains("All is well"))
    }

    @Test func prioritiesAreMeasuredOnConversationsAsTheyWere() async throws {
        let dataset = try TinyDataset { request in
            let lines = Self.prompt(request).split(separator: "\n")
            func number(_ text: String) -> Int {
                guard let place = lines.firstIndex(where: { $0.contains("Text: " + text) }) else { return 0 }
                return lines[..<place].last { $0.hasPrefix("[") }
                    .flatMap { Int($0.dropFirst().prefix { $0.isNumber }) } ?? 0
            }
            return #"{"items":[{"message":\#(number("Order saffron")),"score":0.8,"reason":"asks"},"#
                + #"{"message":\#(number("Coffee")),"score":0.3,"reason":"small talk"}]}"#
        }
        try dataset.write(
            "priorities",
            [
                #"{"id":"p1","conversationId":"galley","readerId":"ada","after":"galley-0","upTo":"galley-7","#
                    + #""high":["galley-3"],"low":["galley-5","galley-7"]}"#,
                #"{"id":"p2","conversationId":"galley","readerId":"ada","after":"galley-3","upTo":"galley-7","#
                    + #""high":["galley-7"],"low":["galley-5"]}"#,
            ])

        let result = try await run(dataset, "priorities")

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "priorities: 5 labelled, 3 scored, 3 pairs\npairwise accuracy 0.6667\n")
        #expect(try dataset.json("report.json")["wrong"] as? [String] == ["p2: galley-7, galley-5"])
        #expect(dataset.prompts.allSatisfy { $0.contains("Birthday cake") && !$0.contains("No nuts") })
    }

    @Test func repliesAreMeasuredByPresenceAndLanguage() async throws {
        let dataset = try TinyDataset { request in
            let isCheese = Self.prompt(request).contains("Text: Somebody ate my cheese")
            return isCheese ? #"["Das war ich leider nicht.", "Who would do that to you?"]"# : "[]"
        }
        try dataset.write(
            "replies",
            [
                #"{"id":"r1","conversationId":"galley","userId":"bob","upTo":"galley-2","language":"en"}"#,
                #"{"id":"r2","conversationId":"galley","userId":"ada","upTo":"galley-2","reason":"own_last_message"}"#,
                #"{"id":"r3","conversationId":"dock","userId":"bob","upTo":"dock-0","language":"en"}"#,
            ])

        let result = try await run(dataset, "replies")

        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == """
                replies: 3 cases, 2 suggested, 2 of a language
                given when they must be 0.6667
                language accuracy 0.5000
                short enough 1.0000

                """)
        let cases = try #require(try dataset.json("report.json")["cases"] as? [[String: Any]])
        #expect(cases.map { $0["faults"] as? [String] } == [["language"], [], ["empty"]])
    }

    @Test func deadlinesAreMeasuredByTheirDays() async throws {
        let dataset = try TinyDataset { request in
            let prompt = Self.prompt(request)
            guard prompt.contains("List the deadlines"), prompt.contains("Customs closes") else {
                return #"{"items":[]}"#
            }
            let lines = prompt.split(separator: "\n")
            let place = lines.firstIndex { $0.contains("Text: Customs closes") } ?? 0
            let number = lines[..<place].last { $0.hasPrefix("[") }?.dropFirst().prefix { $0.isNumber } ?? "0"
            return #"{"items":[{"message":\#(number),"what":"Customs closes","deadline":"today","whose":null,"#
                + #""quote":"Customs closes at five today"}]}"#
        }
        try dataset.write(
            "items",
            [
                #"{"id":"l1","kind":"deadline","conversationId":"dock","messageIds":["dock-6"],"text":"Customs closes","#
                    + #""due":"2026-01-03"}"#,
                #"{"id":"l2","kind":"decision","conversationId":"galley","messageIds":["galley-4"],"text":"Knives in May"}"#,
            ])

        let result = try await run(dataset, "deadlines")

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("deadline: 1 labelled, 1 found"))
        #expect(result.output.contains("deadline accuracy 1.0000"), "\(result.output)")
        // Where no deadline is labelled none is looked for.
        #expect(dataset.prompts.allSatisfy { !$0.contains("grinder") })
    }

    @Test func aLimitIsOfConversationsOrCases() async throws {
        let dataset = try TinyDataset(answer: Self.summarizer)
        try dataset.write("facts", Self.facts)

        let result = try await run(dataset, "summaries", ["--limit", "1"])

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("summaries: 1, 3 facts, 2 told"), "\(result.output)")
        #expect(dataset.prompts.count == 1)
    }

    @Test(arguments: ["summaries", "priorities", "replies", "deadlines"])
    func aTaskNeedsLabelsAndAModel(task: String) async throws {
        let file = ["summaries": "facts", "deadlines": "items"][task] ?? task
        let dataset = try TinyDataset()

        let missing = try await run(dataset, task)
        try dataset.write(file, [])
        let empty = try await run(dataset, task)
        try dataset.write(file, ["{"])
        let broken = try await run(dataset, task)

        #expect(missing.status == 2 && missing.errors.hasSuffix("/\(file).jsonl cannot be read\n"))
        #expect(empty.status == 2 && empty.errors.hasPrefix("nexus: there are no "), "\(empty.errors)")
        #expect(broken.status == 2 && broken.errors == "nexus: \(file).jsonl, line 1: not valid JSON\n")
    }

    @Test func withoutAModelNothingIsMeasured() async throws {
        let dataset = try TinyDataset()
        try dataset.write("facts", Self.facts)

        let modelless = try await dataset.binary.run(["eval", "run", "--task", "summaries"] + dataset.options)
        let search = try await dataset.binary.run(["eval", "run", "--judge"] + dataset.options)

        #expect(modelless.status == 2 && modelless.errors.contains("no language model is configured"))
        #expect(search.status == 64 && search.errors.contains("--judge needs --task summaries"))
    }

    @Test func statementsThatDoNotFitTheModelAreJudgedInHalves() async throws {
        let dataset = try TinyDataset()
        try dataset.write("facts", Self.facts)
        let stub = try StubServer { request in
            let prompt = Self.prompt(request)
            guard prompt.contains("You check statements of a summary") else { return .chat(Self.summarizer(request)) }
            if prompt.contains("Statement 2:") { return .openAIError(400, code: "context_length_exceeded") }
            return .chat(#"{"statements":[{"number":1,"supported":"yes"}]}"#)
        }
        let settings = ["--set", "chat.provider=compatible", "--set", "chat.base-url=\(stub.baseURL)/v1"]

        let result = try await dataset.binary.run(
            ["eval", "run", "--task", "summaries", "--judge", "--set", "chat.model=c", "--json", "report.json"]
                + settings + dataset.options)

        #expect(result.status == 0, "\(result.errors)")
        let judged = try #require(try dataset.json("report.json")["judged"] as? [String: Any])
        #expect(judged["supportedCount"] as? Int == 3 && judged["unjudgedCount"] as? Int == 0)
    }

    @Test func aModelThatFailsEndsTheMeasurement() async throws {
        let dataset = try TinyDataset()
        try dataset.write("facts", Self.facts)
        let stub = try StubServer.openAI()
        stub.refuse()
        let settings = ["--set", "chat.provider=compatible", "--set", "chat.base-url=\(stub.baseURL)/v1"]

        let result = try await dataset.binary.run(
            ["eval", "run", "--task", "summaries", "--set", "chat.model=c", "--json", "report.json"] + settings
                + dataset.options)

        #expect(result.status == 2 && result.errors.contains("cannot be reached"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: dataset.binary.folder.appending(path: "report.json").path))
    }
}
