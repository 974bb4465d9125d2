/// How messages are searched for: every step with its weights.
///
/// Settings that a file does not name keep their default. The defaults come from the tuning run in `eval/runs/`.
package struct RetrievalSettings: Hashable, Sendable, Codable {
    /// The search by words.
    package var lexical = LexicalSettings()
    /// The search by vectors.
    package var dense = DenseSettings()
    /// The weights that combine both into one order.
    package var fusion = FusionWeights()
    /// The comparison of the tokens of the best candidates, with an encoder that gives tokens.
    package var late = LateSettings()
    /// The choice of hits among the ordered messages.
    package var selection = SelectionSettings()
    /// The messages that a reranking service gets.
    package var rerank = RerankSettings()
    /// The boost for newer messages.
    package var recency = RecencySettings()
    /// Whether words of earlier questions are added to a question that refers to them.
    package var carriesOver = true
    /// The confidence of the best hit below which there is likely no answer: ``vectors`` for every embedding model,
    /// because cosines are read on one scale, and ``lexical`` for searches by words alone.
    ///
    /// Without an entry there is no threshold. On the sample, 4 of 98 questions with an answer are below the default,
    /// and 6 of 20 without one.
    package var thresholds = [vectors: 0.3]

    /// The key of the threshold of searches with vectors.
    package static let vectors = "vectors"
    /// The key of the threshold of searches by words alone.
    package static let lexical = "lexical"

    package init() {}
}

/// The search by words.
package struct LexicalSettings: Hashable, Sendable, Codable {
    /// Whether this search is used.
    package var isOn = true
    /// The number of candidates from words.
    package var candidateCount = 50
    /// The weight of an occurrence in the message's text.
    package var text = 1.0
    /// The weight of an occurrence in its sender's name.
    package var sender = 3.0
    /// The weight of an occurrence in its date.
    package var date = 3.0
    /// The weights of an occurrence in the texts of the messages before, nearest first.
    package var previous = [0.7, 0.6, 0.2]
    /// The weights of an occurrence in the texts of the messages after, nearest first.
    package var next = [0.5, 0.3]
    /// The longest time between neighbours, in minutes.
    package var neighbourGapMinutes = 360
    /// The number of words in a message up to which its neighbours count in full; longer ones need them less.
    package var neighbourTokens = 20.0
    /// How slowly repeated occurrences lose weight; 0 or more.
    package var k1 = 1.2
    /// How much the length of a message lowers its score: 0...1.
    package var b = 0.75

    package init() {}
}

/// The search by vectors.
package struct DenseSettings: Hashable, Sendable, Codable {
    /// Whether this search is used.
    package var isOn = true
    /// The number of candidates from vectors.
    package var candidateCount = 50
    /// Whether names of people are removed from the question before it is embedded.
    package var dropsNames = true
    /// How long the embedding of the question may take, in seconds; after that words alone are searched.
    package var timeout = 2.0

    package init() {}
}

/// The weight of each signal in a message's score.
package struct FusionWeights: Hashable, Sendable, Codable {
    /// A factor for the cosine, ``window``, ``answer`` and ``tokens``, by the language of the question (`en`, `de`,
    /// `ja`, `und`), because an encoder may know some languages better than others.
    package var dense: [String: Double] = ["en": 1, "de": 1, "ja": 1, "und": 1]
    /// For the cosine with the message's own vector, in -1...1.
    package var cosine = 1.05
    /// For the cosine with the mean vector of the message and its neighbours, in -1...1.
    package var window = 0.65
    /// For the cosine of the message before, in 0...1, if that asked something and has another sender.
    package var answer = 0.45
    /// For the match of the question's tokens with the message's, in -1...1; only with an encoder that gives tokens.
    package var tokens = 0.0
    /// For BM25 divided by the best of the search, in 0...1.
    package var lexical = 0.8
    /// For BM25 of the date alone, divided by the best of the search.
    package var lexicalDate = 1.3
    /// For the part of the question's words that the message or its neighbours contain, in 0...1.
    package var coverage = 0.5
    /// For a sender that the question names.
    package var speaker = 0.4
    /// For a conversation with a person that the question names.
    package var company = 0.8
    /// For a message that is a question itself; negative.
    package var question = -0.18
    /// For a message with a word of time, if the question asks when.
    package var time = 0.4
    /// For a message with a number, if the question asks how many.
    package var number = 0.3
    /// For a conversation that the question names.
    package var place = 0.3
    /// For each quoted phrase of the question that the message contains.
    package var phrase = 0.3
    /// For the part of the question's joined words (`pump-log`) that the message contains letter for letter, in 0...1.
    package var literal = 1.5
    /// For a time that the question names.
    package var date = 0.05
    /// For a message whose text names a day that the question names.
    package var namedDay = 1.5

    package init() {}

    /// The defaults if tokens are compared.
    package static let late: FusionWeights = {
        var weights = FusionWeights()
        (weights.cosine, weights.window, weights.answer, weights.tokens) = (0.42, 0.6, 0.6, 1.17)
        (weights.lexicalDate, weights.coverage) = (2.44, 0.64)
        (weights.speaker, weights.company, weights.question) = (0.51, 0.75, -0.165)
        (weights.time, weights.number) = (0.46, 0.32)
        return weights
    }()
}

/// The comparison of every token of the question with every token of the best candidates.
package struct LateSettings: Hashable, Sendable, Codable {
    /// How many candidates are compared, the best of the fusion; 0 for none.
    ///
    /// Only the built-in encoder gives tokens.
    package var candidateCount = 30
    /// The most characters of a message that are compared: the sentences around what was found.
    package var textLength = 240
    /// The weights of signals for these candidates, instead of the fusion's weights.
    package var weights = FusionWeights.late

    package init() {}
}

/// The choice of hits among the ordered messages.
package struct SelectionSettings: Hashable, Sendable, Codable {
    /// Whether of messages that say the same one stands for all.
    package var groupsRepeats = true
    /// The most hits of one thread among the first ten; 0 for no limit.
    package var threadLimit = 0
    /// The largest part of the hits by one author while others are found: above 0; 1 for no limit.
    ///
    /// There is no limit for authors that the question names or the search is filtered by.
    package var authorShare = 0.6

    package init() {}
}

/// The messages that a reranking service gets.
package struct RerankSettings: Hashable, Sendable, Codable {
    /// How many messages it gets, the best of the fusion; 0 for none.
    package var candidateCount = 30

    package init() {}
}

/// The boost for newer messages.
package struct RecencySettings: Hashable, Sendable, Codable {
    /// After how many days half of the boost is left; 0 for no boost.
    package var halfLifeDays = 0.0
    /// The boost of a message of this moment.
    package var weight = 0.1

    package init() {}
}
