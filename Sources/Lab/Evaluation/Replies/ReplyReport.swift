import ChatCore
import TextAnalysis

/// How good suggested replies are, as far as that can be measured without a judge.
package struct ReplyReport: Hashable, Sendable, Codable {
    /// The replies of one case, and their faults.
    package struct Entry: Hashable, Sendable, Codable {
        /// The case.
        package var id: String
        /// The replies.
        package var replies: [String]
        /// Why there are none.
        package var reason: String?
        /// The faults: `empty`, `not empty`, `reason`, `language`, `too long`, `too many`.
        package var faults: [String]
    }

    /// The suggestions of the service.
    package struct Suggested: Hashable, Sendable {
        /// The replies.
        package var replies: [String]
        /// Why there are none.
        package var reason: String?

        package init(replies: [String], reason: String? = nil) {
            self.replies = replies
            self.reason = reason
        }
    }

    /// The limits of suggestions.
    package struct Limits: Hashable, Sendable {
        /// The most replies.
        package var count: Int
        /// The longest one, in Unicode scalars.
        package var length: Int

        package init(count: Int, length: Int) {
            self.count = count
            self.length = length
        }
    }

    /// The dataset.
    package var dataset: String
    /// Each case.
    package var cases: [Entry]
    /// The share of the cases that have replies exactly when they must, or none for the right reason.
    package var presence: Double
    /// How many replies were suggested in cases that must have some.
    package var replyCount: Int
    /// How many of them are in a language that can be recognised; "ok!" is not.
    package var toldCount: Int
    /// The share of those that are in the right language; nil without any.
    package var languageAccuracy: Double?
    /// The share of the replies that are no longer than ``Limits/length``; nil without any.
    package var lengthShare: Double?

    /// Compares suggestions with labels.
    ///
    /// - Parameters:
    ///   - suggested: The suggestions by case id.
    ///   - cases: The labels.
    ///   - limits: The limits of suggestions.
    ///   - dataset: The dataset's name.
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)`` without a case.
    package init(
        _ suggested: [String: Suggested], of cases: [ReplyCase], limits: Limits, dataset: String
    ) throws(EvaluationError) {
        guard !cases.isEmpty else { throw .nothingToMeasure("cases") }
        let judged = cases.map { labelled in
            (labelled, suggested[labelled.id] ?? Suggested(replies: []))
        }
        self.dataset = dataset
        self.cases = judged.map {
            Entry(id: $0.id, replies: $1.replies, reason: $1.reason, faults: Self.faults($1, $0, limits))
        }
        presence = Double(judged.count { Self.isPresent($1, as: $0) }) / Double(cases.count)
        let replies = judged.flatMap { labelled, said in
            labelled.language.map { language in said.replies.map { (language, $0) } } ?? []
        }
        let told = replies.compactMap { language, reply in LanguageGuess.language(of: reply).map { $0 == language } }
        let all = judged.flatMap(\.1.replies)
        replyCount = replies.count
        toldCount = told.count
        languageAccuracy = told.isEmpty ? nil : Double(told.count { $0 }) / Double(told.count)
        lengthShare = all.isEmpty ? nil : Double(all.count { !limits.isExceeded(by: $0) }) / Double(all.count)
    }

    private static func isPresent(_ said: Suggested, as labelled: ReplyCase) -> Bool {
        labelled.language == nil ? said.replies.isEmpty && said.reason == labelled.reason : !said.replies.isEmpty
    }

    private static func faults(_ said: Suggested, _ labelled: ReplyCase, _ limits: Limits) -> [String] {
        var faults: [String] = []
        if let language = labelled.language {
            if said.replies.isEmpty { faults.append("empty") }
            if said.replies.contains(where: { (LanguageGuess.language(of: $0) ?? language) != language }) {
                faults.append("language")
            }
        } else {
            if !said.replies.isEmpty { faults.append("not empty") }
            if said.replies.isEmpty, said.reason != labelled.reason { faults.append("reason") }
        }
        if said.replies.contains(where: limits.isExceeded) { faults.append("too long") }
        if said.replies.count > limits.count { faults.append("too many") }
        return faults
    }

    /// The figures by name, as they are printed.
    package var values: [(name: String, value: Double)] {
        var values = [("given when they must be", presence)]
        if let languageAccuracy { values.append(("language accuracy", languageAccuracy)) }
        if let lengthShare { values.append(("short enough", lengthShare)) }
        return values
    }
}

extension ReplyReport.Limits {
    /// Whether a reply is too long.
    fileprivate func isExceeded(by reply: String) -> Bool { reply.unicodeScalars.count > length }
}
