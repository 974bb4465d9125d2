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
