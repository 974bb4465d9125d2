import ChatCore
import Evaluation
import Foundation
import Testing
import TextAnalysis

/// The label files: the project's own, and what is wrong with others.
@Suite struct LabelFileTests {
    private static let evaluation = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "eval", directoryHint: .isDirectory)

    private struct Labels {
        let name: String
        let dataset: EvaluationDataset
        let items: [ItemLabel]
        let facts: [FactLabel]
        let priorities: [PriorityCase]
        let replies: [ReplyCase]

        init(_ name: String) throws {
            let folder = LabelFileTests.evaluation.appending(path: "datasets/\(name)", directoryHint: .isDirectory)
            self.name = name
            dataset = try EvaluationDataset(folder: folder)
            items = try ItemLabel.read(folder, of: dataset)
            facts = try FactLabel.read(folder, of: dataset)
            priorities = try PriorityCase.read(folder, of: dataset)
            replies = try ReplyCase.read(folder, of: dataset)
        }
    }

    private static func own() throws -> [Labels] { try ["harbor", "koto", "werft"].map(Labels.init) }

    @Test func thereAreAsManyLabelsAsAreAskedFor() throws {
        let own = try Self.own()
        let items = own.flatMap(\.items)

        #expect(items.count >= 80)
        #expect(items.count { $0.kind == .deadline } >= 20)
        #expect(items.filter { $0.kind == .deadline }.allSatisfy { $0.due != nil })
        #expect(own.reduce(0) { $0 + $1.facts.count } >= 40)
        #expect(own.flatMap(\.priorities).reduce(0) { $0 + $1.high.count + $1.low.count } >= 20)
        let replies = own.flatMap(\.replies)
        #expect(replies.count >= 20)
        #expect(Set(replies.compactMap(\.language)) == [.english, .german, .japanese])
        #expect(replies.contains { $0.reason != nil })
    }

    /// A summary that forgets the beginning shows in the figures only when there are facts of it.
    @Test func factsStandInAllThirdsOfTheirConversations() throws {
        for labels in try Self.own() {
            for (id, facts) in Dictionary(grouping: labels.facts, by: \.conversationID) {
                let messages = labels.dataset.messages.filter { $0.conversationID == id }.sorted { $0.seq < $1.seq }
                let thirds = facts.compactMap { fact in
                    messages.firstIndex { $0.id == fact.messageIDs.first }.map { 3 * $0 / messages.count }
                }
                #expect(Set(thirds) == [0, 1, 2], "\(id)")
            }
        }
    }

    /// A label that its own words, and the messages that it stands on, do not meet could hardly be met by a summary.
    @Test func factsAreToldByTheirOwnWords() throws {
        for labels in try Self.own() {
            for fact in labels.facts {
                let report = try SummaryReport(
                    [fact.conversationID: EvaluatedSummary(text: fact.fact, citations: [])], facts: [fact],
                    dataset: labels.dataset)
                #expect(report.coverage.share == 1, "\(fact.id)")
                let empty = try SummaryReport(
                    [fact.conversationID: EvaluatedSummary(text: "Nothing.", citations: [])], facts: [fact],
                    dataset: labels.dataset)
                #expect(empty.coverage.share == 0, "\(fact.id)")
            }
        }
    }

    @Test func judgedCasesAreOfAllKinds() throws {
        let cases = try JudgeCase.read(Self.evaluation.appending(path: "judge-cases.jsonl"))

        #expect(cases.count >= 30)
        #expect(Set(cases.compactMap(\.correct)) == Set(Verdict.allCases))
        #expect(Set(cases.map(\.supported)) == Set(Verdict.allCases))
        #expect(Set(cases.map(\.relevant)) == Set(Verdict.allCases))
        #expect(cases.contains { $0.reference == nil })
    }

    private static let dataset = smallDataset(messages: 5, questions: [])

    private func read<Label>(
        _ file: String, _ lines: [String], _ reader: (URL, EvaluationDataset) throws -> [Label]
    ) throws -> [Label] {
        try Fixture.withFolder { folder in
            try Data(lines.joined(separator: "\n").utf8).write(to: folder.appending(path: file))
            return try reader(folder, Self.dataset)
        }
    }

    @Test(
        arguments: [
            (
                #"{"id":"f","conversationId":"c","messageIds":["m9"],"fact":"x","says":[["x"]]}"#,
                "messageIds must name messages of the conversation"
            ),
            (
                #"{"id":"f","conversationId":"c","messageIds":[],"fact":"x","says":[["x"]]}"#,
                "messageIds must name messages of the conversation"
            ),
            (
                #"{"id":"f","conversationId":"c","messageIds":["m1"],"fact":"x","says":[]}"#,
                "says must hold groups of words"
            ),
            (
                #"{"id":"f","conversationId":"c","messageIds":["m1"],"fact":"x","says":[["x"],[]]}"#,
                "says must hold groups of words"
            ),
            (
                #"{"id":"f","conversationId":"c","messageIds":["m1"],"fact":"x","says":[["€"]]}"#,
                "says must hold groups of words"
            ),
            (#"{"id":"f","conversationId":"c","messageIds":["m1"],"says":[["x"]]}"#, "fact is missing"),
            ("[", "not valid JSON"),
        ])
    func aFaultyFactIsNamed(line: String, reason: String) {
        let good = #"{"id":"g","conversationId":"c","messageIds":["m1"],"fact":"x","says":[["x"]]}"#
        #expect(throws: EvaluationError.invalidLine(file: "facts.jsonl", line: 2, reason: reason)) {
            try read("facts.jsonl", [good, line]) { try FactLabel.read($0, of: $1) }
        }
        #expect(throws: EvaluationError.duplicate(file: "facts.jsonl", line: 2, id: "g")) {
            try read("facts.jsonl", [good, good]) { try FactLabel.read($0, of: $1) }
        }
    }

    @Test(
        arguments: [
            (
                #"{"id":"j","question":"?","messages":[],"answer":"x","correct":"yes","supported":"yes","relevant":"no"}"#,
                "correct and reference must be given together"
            ),
            (
                #"{"id":"j","question":"?","reference":"r","messages":[],"answer":"x","supported":"yes","relevant":"no"}"#,
                "correct and reference must be given together"
            ),
            (
                #"{"id":"j","question":"?","messages":[],"answer":"x","supported":"maybe","relevant":"no"}"#,
                "supported is not valid"
            ),
            (
                #"{"id":"j","question":"?","messages":[{"sender":"a","text":"x"}],"answer":"x","supported":"yes","relevant":"no"}"#,
                "messages.0.timestamp is missing"
            ),
            (#"{"id":"j","question":"?","messages":[],"answer":"x","supported":"yes"}"#, "relevant is missing"),
        ])
    func aFaultyCaseOfTheJudgeIsNamed(line: String, reason: String) {
        #expect(throws: EvaluationError.invalidLine(file: "judge-cases.jsonl", line: 1, reason: reason)) {
            try read("judge-cases.jsonl", [line]) { folder, _ in
                try JudgeCase.read(folder.appending(path: "judge-cases.jsonl"))
            }
        }
    }

    @Test(
        arguments: [
            ("eve", "m1", "m5", #"["m2"]"#, #"["m3"]"#, "readerId must be a participant"),
            ("bob", "m5", "m1", #"["m2"]"#, #"["m3"]"#, "after and upTo must name two messages, the earlier one first"),
            ("bob", "m1", "m9", #"["m2"]"#, #"["m3"]"#, "after and upTo must name two messages, the earlier one first"),
            ("bob", "m1", "m4", #"["m5"]"#, #"["m3"]"#, "high and low must name different unread messages"),
            ("bob", "m1", "m5", #"["m2"]"#, "[]", "high and low must name different unread messages"),
            ("bob", "m1", "m5", #"["m2"]"#, #"["m2"]"#, "high and low must name different unread messages"),
            ("ada", "m1", "m5", #"["m2"]"#, #"["m3"]"#, "high and low must name different unread messages"),
        ])
    func aFaultyPriorityIsNamed(
        reader: String, after: String, upTo: String, high: String, low: String, reason: String
    ) {
        let line =
            #"{"id":"p","conversationId":"c","readerId":"\#(reader)","after":"\#(after)","upTo":"\#(upTo)","#
            + #""high":\#(high),"low":\#(low)}"#
        var dataset = Self.dataset
        dataset = EvaluationDataset(
            name: "small",
            conversations: [
                EvaluationConversation(
                    id: "c", participants: [.init(id: "ada", name: "Ada"), .init(id: "bob", name: "Bob")])
            ], messages: dataset.messages, questions: [])
        #expect(throws: EvaluationError.invalidLine(file: "priorities.jsonl", line: 1, reason: reason)) {
            try read("priorities.jsonl", [line]) { folder, _ in try PriorityCase.read(folder, of: dataset) }
        }
    }

    @Test(
        arguments: [
            (#""userId":"eve","upTo":"m1","language":"en""#, "userId must be a participant"),
            (#""userId":"ada","upTo":"m9","language":"en""#, "upTo names no message"),
            (#""userId":"ada","upTo":"m1""#, "either language or reason must be given"),
            (
                #""userId":"ada","upTo":"m1","language":"en","reason":"machine_message""#,
                "either language or reason must be given"
            ),
            (#""userId":"ada","upTo":"m1","language":"xx""#, "language is not valid"),
        ])
    func aFaultyReplyIsNamed(fields: String, reason: String) {
        #expect(throws: EvaluationError.invalidLine(file: "replies.jsonl", line: 1, reason: reason)) {
            try read("replies.jsonl", [#"{"id":"r","conversationId":"c",\#(fields)}"#]) {
                try ReplyCase.read($0, of: $1)
            }
        }
    }
}
