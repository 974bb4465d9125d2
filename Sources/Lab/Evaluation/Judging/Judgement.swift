package import ChatCore
import Foundation

/// A language model's verdicts on an answer.
package struct Judgement: Hashable, Sendable, Codable {
    /// Whether the answer says the same as the reference; nil without a reference.
    package var correctness: Verdict?
    /// Whether the answer follows from the messages that it is based on; nil when it abstains.
    package var faithfulness: Verdict?
    /// Whether it answers the question, correctly or not; nil when it abstains.
    package var relevancy: Verdict?

    package init(correctness: Verdict? = nil, faithfulness: Verdict? = nil, relevancy: Verdict? = nil) {
        self.correctness = correctness
        self.faithfulness = faithfulness
        self.relevancy = relevancy
    }

    /// Reads the JSON object in a model's reply; text around it is ignored.
    ///
    /// Nil if one of the three verdicts is missing, or is not `yes`, `partly` or `no`.
    ///
    /// - Parameter reply: The reply.
    package init?(reply: String) {
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

/// The means of a judge's verdicts on the answers to a dataset's questions.
package struct JudgedSummary: Hashable, Sendable, Codable {
    /// The mean of ``Judgement/correctness`` over the answers judged for it; an answer that abstains from an answerable
    /// question counts 0.
    package var correctness: Double?
    /// The mean of ``Judgement/faithfulness`` over the answers judged for it.
    package var faithfulness: Double?
    /// The mean of ``Judgement/relevancy`` over the answers judged for it.
    package var relevancy: Double?
    /// How many answers were judged.
    package var judgedCount: Int
    /// How many of the judge's replies could not be read; their answers count nowhere.
    package var uselessReplyCount: Int

    /// Averages judgements: yes is 1, partly 0.5, no 0.
    ///
    /// - Parameters:
    ///   - judgements: One for each answer.
    ///   - uselessReplyCount: How many answers have none because the reply could not be read.
    package init(_ judgements: [Judgement], uselessReplyCount: Int) {
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
    package var values: [String: Double] {
        var values: [String: Double] = [:]
        if let correctness { values["judged-correctness"] = correctness }
        if let faithfulness { values["judged-faithfulness"] = faithfulness }
        if let relevancy { values["judged-relevancy"] = relevancy }
        return values
    }
}

/// A judge's verdicts on the statements of summaries.
package struct JudgedStatements: Hashable, Sendable, Codable {
    /// How many statements follow from the messages that they cite.
    package private(set) var supportedCount = 0
    /// How many follow from them in part.
    package private(set) var partlyCount = 0
    /// The statements that do not follow from them.
    package private(set) var unsupported: [String] = []
    /// How many statements have no readable verdict.
    package private(set) var unjudgedCount = 0
    /// How many replies have no readable verdict at all.
    package private(set) var uselessReplyCount = 0

    package init() {}

    /// How many statements were judged.
    package var judgedCount: Int { supportedCount + partlyCount + unsupported.count }

    /// Reads the verdicts on statements, numbered from 1; of a repeated number the first verdict counts.
    ///
    /// - Parameters:
    ///   - reply: The model's reply.
    ///   - statements: The statements that the model saw.
    package mutating func add(_ reply: String, of statements: [String]) {
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

/// A judge's verdict on one property of an answer.
package enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
    /// The property holds.
    case yes
    /// It holds in part.
    case partly
    /// It does not hold.
    case no

    /// Reads a word of a model.
    init?(said word: String) {
        self.init(rawValue: word.trimmingCharacters(in: .whitespacesAndNewlines).lowercased())
    }

    /// 1, 0.5 or 0.
    package var value: Double {
        switch self {
        case .yes: 1
        case .partly: 0.5
        case .no: 0
        }
    }
}

/// A judge's reply: a JSON object, with any text around it.
enum JudgeReply {
    /// Returns the object in a reply; nil when there is none of this form.
    ///
    /// Skips the reasoning that a model writes before `</think>`.
    static func object<Value: Decodable>(_ type: Value.Type, in reply: String) -> Value? {
        let said = reply.ranges(of: "</think>").last.map { reply[$0.upperBound...] } ?? reply[...]
        guard let start = said.firstIndex(of: "{"), let end = said.lastIndex(of: "}"), start < end else { return nil }
        return try? JSONDecoder().decode(type, from: Data(said[start...end].utf8))
    }
}

extension Judgement {
    /// The JSON that a reply has to be.
    package static let replySchema = ReplySchema(
        name: "judgement",
        schema: .object(of: ["correct": .verdict, "supported": .verdict, "relevant": .verdict]))
}

extension JudgedStatements {
    /// The JSON that a reply has to be.
    package static let replySchema = ReplySchema(
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
