import Foundation

/// How well an answer's words match a reference: LoCoMo's token F1, by its normalisation and its rules.
///
/// Maharana and others 2024, https://github.com/snap-research/locomo (`task_eval/evaluation.py`).
package enum AnswerScore {
    /// Returns the score by the rule of a question's category, 0…1.
    ///
    /// - `multi-hop`: both sides are cut at commas; for each part of the reference the best part of the answer, averaged.
    /// - `open-domain`: only the part of the reference before the first `;`.
    /// - `adversarial`: 1 when the answer abstains in one of LoCoMo's two phrases.
    /// - All others: the plain token F1.
    package static func value(answer: String, reference: String, category: String) -> Double {
        switch category {
        case "multi-hop": return partwise(answer: answer, reference: reference)
        case "open-domain":
            let first = reference.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            return tokenF1(answer: answer, reference: String(first))
        case EvaluationQuestion.adversarialCategory: return saysNothingIsKnown(answer) ? 1 : 0
        default: return tokenF1(answer: answer, reference: reference)
        }
    }

    /// Returns the harmonic mean of precision and recall of the normalised, stemmed words; each counts as often as it occurs.
    package static func tokenF1(answer: String, reference: String) -> Double {
        let answer = words(answer)
        let reference = words(reference)
        var left = Dictionary(reference.map { ($0, 1) }, uniquingKeysWith: +)
        let common = answer.count { word in
            guard let count = left[word], count > 0 else { return false }
            left[word] = count - 1
            return true
        }
        guard common > 0 else { return 0 }
        let precision = Double(common) / Double(answer.count)
        let recall = Double(common) / Double(reference.count)
        return 2 * precision * recall / (precision + recall)
    }

    /// Whether an answer holds one of LoCoMo's phrases for an abstention.
    package static func saysNothingIsKnown(_ answer: String) -> Bool {
        let answer = answer.lowercased()
        return answer.contains("no information available") || answer.contains("not mentioned")
    }

    private static func partwise(answer: String, reference: String) -> Double {
        func parts(_ text: String) -> [String] {
            text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let answers = parts(answer)
        let scores = parts(reference).map { part in
            answers.reduce(0) { max($0, tokenF1(answer: $1, reference: part)) }
        }
        return scores.reduce(0, +) / Double(scores.count)
    }

    /// Lower case, without ASCII punctuation and without `a`, `an`, `the`, `and`; stemmed.
    static func words(_ text: String) -> [String] {
        var plain = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars where !isPunctuation(scalar) { plain.append(scalar) }
        var words: [String] = []
        for chunk in plain.split(whereSeparator: \.properties.isWhitespace) {
            // An article is removed at any word boundary, also next to signs that are not ASCII, and leaves a gap.
            let runs = wordRuns(chunk).map { articles.contains($0) ? " " : $0 }
            words += runs.joined().split(separator: " ").map { NLTKPorterStemmer.stem(String($0)) }
        }
        return words
    }

    private static let articles: Set<String> = ["a", "an", "the", "and"]

    /// Cuts a chunk between word signs (letters, digits, marks) and other signs.
    private static func wordRuns(_ chunk: Substring.UnicodeScalarView) -> [String] {
        var runs: [String] = []
        var lastIsWord: Bool?
        for scalar in chunk {
            if lastIsWord == isWord(scalar), let last = runs.popLast() {
                runs.append(last + String(scalar))
            } else {
                runs.append(String(scalar))
            }
            lastIsWord = isWord(scalar)
        }
        return runs
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark: true
        default: scalar.properties.isAlphabetic
        }
    }
}
