/// How messages are searched for: every step with its weights.
///
/// What a file does not name keeps its default; the defaults are the result of the tuning run in `eval/runs/`.
public struct RetrievalSettings: Hashable, Sendable, Codable {
    /// The words' side.
    public var lexical = LexicalSettings()
    /// The vectors' side.
    public var dense = DenseSettings()
    /// How the two become one order.
    public var fusion = FusionWeights()
    /// The comparison of tokens of the best, with an encoder that gives tokens.
    public var late = LateSettings()
    /// Which of the ordered messages become hits.
    public var selection = SelectionSettings()
    /// What a reranking service gets to see.
    public var rerank = RerankSettings()
    /// Whether newer messages stand higher.
    public var recency = RecencySettings()
    /// Whether words of earlier questions are added to one that leans on them.
    public var carriesOver = true
    /// The confidence of the best hit below which there is likely no answer, by embedding space.
    ///
    /// Keys are names as `builtin/all-MiniLM-L6-v2/384`, and `lexical` for searches by words alone. Without an entry there
    /// is no threshold. Of the sample's questions 3 of 98 that have an answer fall below the default, 5 of 20 that have none.
    public var thresholds = ["builtin/all-MiniLM-L6-v2/384": 0.3]

    public init() {}
}

/// How words are searched for.
public struct LexicalSettings: Hashable, Sendable, Codable {
    /// Whether they are.
    public var isOn = true
    /// Candidates that the words bring.
    public var candidateCount = 50
    /// Weight of an occurrence in the message's text.
    public var text = 1.0
    /// Weight of an occurrence in its sender's name.
    public var sender = 3.0
    /// Weight of an occurrence in its date.
    public var date = 3.0
    /// Weights of an occurrence in the texts of the messages before, nearest first.
    public var previous = [0.7, 0.6, 0.2]
    /// Weights of an occurrence in the texts of the messages after, nearest first.
    public var next = [0.5, 0.3]
    /// Messages further apart are no neighbours, in minutes.
    public var neighbourGapMinutes = 360
    /// How soon repeated occurrences count for less; 0 or more.
    public var k1 = 1.2
    /// How much length tells against a message: 0...1.
    public var b = 0.75

    public init() {}
}

/// How vectors are searched for.
public struct DenseSettings: Hashable, Sendable, Codable {
    /// Whether they are.
    public var isOn = true
    /// Candidates that the vectors bring.
    public var candidateCount = 50
    /// Whether the names of people are taken out of the question before it is embedded.
    public var dropsNames = true
    /// How long the embedding of the question may take, in seconds; words alone are searched then.
    public var timeout = 2.0

    public init() {}
}

/// What each signal adds to a message's score.
public struct FusionWeights: Hashable, Sendable, Codable {
    /// Of the cosine, in -1...1, and of ``window``, ``answer`` and ``tokens`` too: a factor by the language of the
    /// question (`en`, `de`, `ja`, `und`), since an encoder may know some better than others.
    public var dense: [String: Double] = ["en": 1, "de": 1, "ja": 1, "und": 1]
    /// Of the cosine with the message's own vector, in -1...1.
    public var cosine = 1.05
    /// Of the cosine with the mean vector of the message and its neighbours, in -1...1.
    public var window = 0.65
    /// Of the cosine of the message before, in 0...1, when that asked something and somebody else wrote it.
    public var answer = 0.45
    /// Of the match of the question's tokens with the message's, in -1...1; only with an encoder that gives tokens.
    public var tokens = 0.0
    /// Of BM25 over the best of the search, in 0...1.
    public var lexical = 0.8
    /// Of BM25 of the date alone, over the best of the search.
    public var lexicalDate = 1.3
    /// Of the part of the question's words that the message or its neighbours hold, in 0...1.
    public var coverage = 0.5
    /// Of a sender whom the question names.
    public var speaker = 0.4
    /// Of a conversation in which somebody takes part whom the question names.
    public var company = 0.8
    /// Of a message that is a question itself; negative.
    public var question = -0.18
    /// Of a message with a word of time, when the question asks when.
    public var time = 0.4
    /// Of a message with a number, when the question asks how many.
    public var number = 0.3
    /// Of a conversation that the question names.
    public var place = 0.3
    /// Of each quoted phrase of the question that the message holds.
    public var phrase = 0.3
    /// Of a time that the question names.
    public var date = 0.05
    /// Of a message whose text names a day that the question names.
    public var namedDay = 1.5

    public init() {}

    /// The defaults where tokens are compared.
    public static let late: FusionWeights = {
        var weights = FusionWeights()
        (weights.cosine, weights.window, weights.answer, weights.tokens) = (0.42, 0.6, 0.6, 1.17)
        (weights.lexicalDate, weights.coverage) = (2.44, 0.64)
        (weights.speaker, weights.company, weights.question) = (0.51, 0.75, -0.165)
        (weights.time, weights.number) = (0.46, 0.32)
        return weights
    }()
}

/// The comparison of every token of the question with every token of the best candidates.
public struct LateSettings: Hashable, Sendable, Codable {
    /// How many candidates get it, the best of the fusion; 0 for none.
    ///
    /// Only the built-in encoder gives tokens.
    public var candidateCount = 30
    /// What each signal adds for these candidates, in place of the fusion's weights.
    public var weights = FusionWeights.late

    public init() {}
}

/// Which of the ordered messages become hits.
public struct SelectionSettings: Hashable, Sendable, Codable {
    /// Messages whose words are the same by this part count as one, the best of them stands: 0...1; above 1 for never.
    public var duplicateOverlap = 0.95
    /// The most hits of one thread among the first ten; 0 for no limit.
    public var threadLimit = 0
    /// The largest part of the hits that are by one author, as long as others are found: above 0; 1 for no limit.
    ///
    /// Whom the question names, or by whom the search is filtered, has no limit.
    public var authorShare = 0.6

    public init() {}
}

/// What a reranking service gets to see.
public struct RerankSettings: Hashable, Sendable, Codable {
    /// How many messages, the best of the fusion; 0 for none.
    public var candidateCount = 30

    public init() {}
}

/// Whether newer messages stand higher.
public struct RecencySettings: Hashable, Sendable, Codable {
    /// After how many days half of the boost is left; 0 for no boost.
    public var halfLifeDays = 0.0
    /// What a message of this moment gets added to its score.
    public var weight = 0.1

    public init() {}
}
