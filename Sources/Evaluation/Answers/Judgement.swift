import ChatCore
import Foundation

/// What a language model thinks of an answer; each part 0, 0.5 or 1.
public struct Judgement: Hashable, Sendable, Codable {
    /// Whether the answer says what the reference says; nil when there is no reference.
    public var correctness: Double?
    /// Whether the answer follows from the messages that it stands on; nil when it abstains.
    public var faithfulness: Double?

    /// Makes a judgement from its parts.
    public init(correctness: Double? = nil, faithfulness: Double? = nil) {
        self.correctness = correctness
        self.faithfulness = faithfulness
    }

    /// Reads a model's reply: the JSON object in it, whatever stands around.
    ///
    /// Nil when one of the two verdicts is missing or none of `yes`, `partly` and `no`.
    ///
    /// - Parameter reply: What the model said.
    public init?(reply: String) {
        guard let start = reply.firstIndex(of: "{"), let end = reply.lastIndex(of: "}"), start < end,
            let verdicts = try? JSONDecoder().decode(Verdicts.self, from: Data(reply[start...end].utf8)),
            let correctness = Self.value(of: verdicts.correct), let faithfulness = Self.value(of: verdicts.supported)
        else { return nil }
        self.init(correctness: correctness, faithfulness: faithfulness)
    }

    private struct Verdicts: Decodable {
        var correct: String
        var supported: String
    }

    private static func value(of verdict: String) -> Double? {
        switch verdict.trimmingWhitespace().lowercased() {
        case "yes": 1
        case "partly": 0.5
        case "no": 0
        default: nil
        }
    }
}

/// What a judge thinks of the answers to a dataset's questions.
public struct JudgedSummary: Hashable, Sendable, Codable {
    /// The mean of ``Judgement/correctness`` over the answers judged for it; an answer that abstains from an answerable
    /// question counts 0.
    public var correctness: Double?
    /// The mean of ``Judgement/faithfulness`` over the answers judged for it.
    public var faithfulness: Double?
    /// How many answers were judged.
    public var judgedCount: Int
    /// How many of the judge's replies were of no use: their answers count nowhere.
    public var uselessReplyCount: Int

    /// Averages judgements.
    ///
    /// - Parameters:
    ///   - judgements: One an answer.
    ///   - uselessReplyCount: How many answers have none for want of a reply that can be read.
    public init(_ judgements: [Judgement], uselessReplyCount: Int) {
        func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }
        correctness = mean(judgements.compactMap(\.correctness))
        faithfulness = mean(judgements.compactMap(\.faithfulness))
        judgedCount = judgements.count
        self.uselessReplyCount = uselessReplyCount
    }

    /// The means by the names of the metrics.
    public var values: [String: Double] {
        var values: [String: Double] = [:]
        if let correctness { values["judged-correctness"] = correctness }
        if let faithfulness { values["judged-faithfulness"] = faithfulness }
        return values
    }
}
