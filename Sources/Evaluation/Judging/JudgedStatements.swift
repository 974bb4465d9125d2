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
