/// An error of datasets, runs and comparisons; it never holds the text of a message.
package enum EvaluationError: Error, Equatable {
    /// A required file cannot be read.
    case unreadable(file: String)
    /// A line is invalid; lines count from 1.
    case invalidLine(file: String, line: Int, reason: String)
    /// A file does not have the expected format.
    case invalidFile(file: String, reason: String)
    /// An id appears twice.
    case duplicate(file: String, line: Int, id: String)
    /// Questions name evidence that no message has; `count` of them, the first ones listed.
    case unknownEvidence(count: Int, first: [String])
    /// A ranking is invalid: a message appears twice, a score is not a number, or a score rises.
    case invalidRanking(question: String, reason: String)
    /// Two runs were made on different datasets.
    case differentDatasets(String, String)
    /// Two runs asked different questions; the counts are of those that only one of them has.
    case differentQuestions(onlyFirst: Int, onlySecond: Int)
    /// A gate is not of the form `recall@10=-0.01` or `category:recall@10=-0.01`.
    case invalidGate(String)
    /// A gate names a metric or a category that the runs do not have.
    case unknownMetric(String)
    /// There is nothing to compute with.
    case nothingToMeasure(String)
}

extension EvaluationError: CustomStringConvertible {
    /// The failure in one sentence.
    package var description: String {
        switch self {
        case .unreadable(let file): "\(file) cannot be read"
        case .invalidLine(let file, let line, let reason): "\(file), line \(line): \(reason)"
        case .invalidFile(let file, let reason): "\(file): \(reason)"
        case .duplicate(let file, let line, let id): "\(file), line \(line): the id \(id) appears twice"
        case .unknownEvidence(let count, let first):
            "\(count) evidence ids name no message: \(first.joined(separator: ", "))"
        case .invalidRanking(let question, let reason): "the ranking of question \(question): \(reason)"
        case .differentDatasets(let first, let second):
            "the runs are of different datasets (\(first.prefix(12)) and \(second.prefix(12)))"
        case .differentQuestions(let first, let second):
            "the runs asked different questions (\(first) only in the first, \(second) only in the second)"
        case .invalidGate(let text): "a gate is written recall@10=-0.01, not \(text)"
        case .unknownMetric(let name): "the runs have no \(name)"
        case .nothingToMeasure(let what): "there are no \(what)"
        }
    }
}

extension DecodingError {
    /// The fault of a record by field and type; never a value, because it may be somebody's words.
    var fieldReason: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.path(context, key)) is missing"
        case .valueNotFound(_, let context): "\(Self.path(context)) is null"
        case .typeMismatch(let type, let context): "\(Self.path(context)) is not \(Self.name(of: type))"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "not valid JSON" : "\(Self.path(context)) is not valid"
        @unknown default: "not valid"
        }
    }

    private static func path(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
        let keys = (context.codingPath + (last.map { [$0] } ?? [])).map {
            $0.intValue.map(String.init) ?? $0.stringValue
        }
        return keys.isEmpty ? "the line" : keys.joined(separator: ".")
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Int.Type, is Double.Type: "a number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}
