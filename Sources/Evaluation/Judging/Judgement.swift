public import ChatCore
import Foundation

/// What a language model thinks of an answer.
public struct Judgement: Hashable, Sendable, Codable {
    /// Whether the answer says what the reference says; nil when there is no reference.
    public var correctness: Verdict?
    /// Whether the answer follows from the messages that it stands on; nil when it abstains.
    public var faithfulness: Verdict?
    /// Whether it answers what was asked, rightly or not; nil when it abstains.
    public var relevancy: Verdict?

    public init(correctness: Verdict? = nil, faithfulness: Verdict? = nil, relevancy: Verdict? = nil) {
        self.correctness = correctness
        self.faithfulness = faithfulness
        self.relevancy = relevancy
    }

    /// Reads a model's reply: the JSON object in it, whatever stands around.
    ///
    /// Nil when one of the three verdicts is missing or none of `yes`, `partly` and `no`.
    ///
    /// - Parameter reply: What the model said.
    public init?(reply: String) {
        guard let said = JudgeReply.object(Said.self, in: reply), let correctness = Verdict(said: said.correct),
            let faithfulness = Verdict(said: said.supported), let relevancy = Verdict(said: said.relevant)
        else { return nil }
        self.init(correctness: correctness, faithfulness: faithfulness, relevancy: relevancy)
    }

    private struct Said: Decodable {
        var correct: String
        var supported: String
        var relevant: String
    }
}

/// What a judge thinks of the answers to a dataset's questions.
public struct JudgedSummary: Hashable, Sendable, Codable {
    /// The mean of ``Judgement/correctness`` over the answers judged for it; an answer that abstains from an answerable
    /// question counts 0.
    public var correctness: Double?
    /// The mean of ``Judgement/faithfulness`` over the answers judged for it.
    public var faithfulness: Double?
    /// The mean of ``Judgement/relevancy`` over the answers judged for it.
    public var relevancy: Double?
    /// How many answers were judged.
    public var judgedCount: Int
    /// How many of the judge's replies were of no use: their answers count nowhere.
    public var uselessReplyCount: Int

    /// Averages judgements: yes is 1, partly 0.5, no 0.
    ///
    /// - Parameters:
    ///   - judgements: One an answer.
    ///   - uselessReplyCount: How many answers have none for want of a reply that can be read.
    public init(_ judgements: [Judgement], uselessReplyCount: Int) {
        func mean(_ verdicts: [Verdict]) -> Double? {
            verdicts.isEmpty ? nil : verdicts.reduce(0) { $0 + $1.value } / Double(verdicts.count)
        }
        correctness = mean(judgements.compactMap(\.correctness))
        faithfulness = mean(judgements.compactMap(\.faithfulness))
        relevancy = mean(judgements.compactMap(\.relevancy))
        judgedCount = judgements.count
        self.uselessReplyCount = uselessReplyCount
    }

    /// The means by the names of the metrics.
    public var values: [String: Double] {
        var values: [String: Double] = [:]
        if let correctness { values["judged-correctness"] = correctness }
        if let faithfulness { values["judged-faithfulness"] = faithfulness }
        if let relevancy { values["judged-relevancy"] = relevancy }
        return values
    }
}

/// What a judge thinks of the statements of summaries.
public struct JudgedStatements: Hashable, Sendable, Codable {
    /// How many statements follow from the messages that they cite.
    public private(set) var supportedCount = 0
    /// How many do so in part.
    public private(set) var partlyCount = 0
    /// The statements that do not.
    public private(set) var unsupported: [String] = []
    /// How many statements the judge gave no verdict on that can be read.
    public private(set) var unjudgedCount = 0
    /// How many of its replies were of no use at all.
    public private(set) var uselessReplyCount = 0

    /// Makes the value before anything was judged.
    public init() {}

    /// How many statements were judged.
    public var judgedCount: Int { supportedCount + partlyCount + unsupported.count }

    /// Reads what a judge says of statements, numbered from 1; a number that stands twice counts once, the first time.
    ///
    /// - Parameters:
    ///   - reply: What the model said.
    ///   - statements: What was shown to it.
    public mutating func add(_ reply: String, of statements: [String]) {
        let said = JudgeReply.object(Said.self, in: reply)?.statements ?? []
        let verdicts = Dictionary(
            said.compactMap { entry in Verdict(said: entry.supported).map { (entry.number, $0) } },
            uniquingKeysWith: { first, _ in first })
        let judged = statements.indices.compactMap { place in verdicts[place + 1].map { (statements[place], $0) } }
        if judged.isEmpty { uselessReplyCount += 1 }
        unjudgedCount += statements.count - judged.count
        for (statement, verdict) in judged {
            switch verdict {
            case .yes: supportedCount += 1
            case .partly: partlyCount += 1
            case .no: unsupported.append(statement)
            }
        }
    }

    private struct Said: Decodable {
        struct Entry: Decodable {
            var number: Int
            var supported: String
        }
        var statements: [Entry]
    }
}

/// What a judge says of one side of an answer.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is so.
    case yes
    /// It is so of some of it.
    case partly
    /// It is not.
    case no

    /// Reads a word of a model.
    init?(said word: String) {
        self.init(rawValue: word.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
    }

    /// 1, 0.5 or 0.
    public var value: Double {
        switch self {
        case .yes: 1
        case .partly: 0.5
        case .no: 0
        }
    }
}

/// A judge's reply: a JSON object, whatever stands around.
enum JudgeReply {
    /// Returns the object in a reply; nil when there is none of this form.
    ///
    /// What a model thinks aloud before it replies is passed over.
    static func object<Value: Decodable>(_ type: Value.Type, in reply: String) -> Value? {
        let said = reply.ranges(of: "</think>").last.map { reply[$0.upperBound...] } ?? reply[...]
        guard let start = said.firstIndex(of: "{"), let end = said.lastIndex(of: "}"), start < end else { return nil }
        return try? JSONDecoder().decode(type, from: Data(said[start...end].utf8))
    }
}

extension Judgement {
    /// The JSON that a reply has to be.
    public static let replySchema = ReplySchema(
        name: "judgement",
        schema: .object(of: ["correct": .verdict, "supported": .verdict, "relevant": .verdict]))
}

extension JudgedStatements {
    /// The JSON that a reply has to be.
    public static let replySchema = ReplySchema(
        name: "statements",
        schema: .object(of: [
            "statements": .object([
                "type": .string("array"),
                "items": .object(of: ["number": .object(["type": .string("integer")]), "supported": .verdict]),
            ])
        ]))
}

extension JSONValue {
    /// The schema of one verdict.
    fileprivate static var verdict: JSONValue {
        .object(["type": .string("string"), "enum": .array(Verdict.allCases.map { .string($0.rawValue) })])
    }

    /// The schema of an object with these fields and no others.
    fileprivate static func object(of fields: [String: JSONValue]) -> JSONValue {
        .object([
            "type": .string("object"), "properties": .object(fields),
            "required": .array(fields.keys.sorted().map { .string($0) }), "additionalProperties": .bool(false),
        ])
    }
}
